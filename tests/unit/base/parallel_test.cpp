#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace awdit {
namespace {

TEST(Parallel, RunsEveryTaskOnce) {
  for (const unsigned threads : {0u, 1u, 2u, 7u}) {
    for (const std::size_t tasks : {0u, 1u, 3u, 1000u}) {
      std::vector<std::atomic<int>> runs(tasks);
      std::atomic<bool> in_range{true};
      parallel_for(tasks, threads, [&](std::size_t task, unsigned worker) {
        ++runs[task];
        if (worker >= std::max(threads, 1u)) in_range = false;
      });
      for (const std::atomic<int>& count : runs) EXPECT_EQ(count, 1);
      EXPECT_TRUE(in_range);
    }
  }
}

TEST(Parallel, AWorkerRunsOneTaskAtATime) {
  std::vector<long> sums(4);  // [worker], unsynchronised on purpose
  parallel_for(10000, 4, [&](std::size_t task, unsigned worker) {
    sums[worker] += static_cast<long>(task);
  });
  EXPECT_EQ(sums[0] + sums[1] + sums[2] + sums[3], 9999L * 10000 / 2);
}

TEST(Parallel, KnowsItsProcessors) { EXPECT_GE(default_threads(), 1u); }

}  // namespace
}  // namespace awdit
