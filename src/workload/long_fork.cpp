// long-fork: fresh keys that are written once, and readers that read a small
// group of them. Two readers of whom one saw x without y and the other y
// without x disagree about what came first; parallel snapshot isolation and
// everything below allow it, snapshot isolation does not. Jepsen's test of that
// name. See docs/workloads/long-fork.md.
//
// Keys are numbered by a counter that all sessions share, so keys of one group
// are written at about the same time, by sessions that happen to be there.
#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "workload/draw.h"
#include "workload/rows.h"
#include "workload/small_workload.h"

namespace awdit {
namespace {

class LongFork final : public SmallWorkload<LongFork> {
 public:
  explicit LongFork(const WorkloadOptions& options)
      : sessions_(options.sessions),
        group_(options.settings.number("group")),
        watches_(options.settings.share("watches")) {}

  std::vector<std::string> all() const {
    std::vector<std::string> keys;
    const std::uint64_t end = next_.load(std::memory_order_relaxed);
    for (std::uint64_t number = 0; number < end; ++number) {
      keys.push_back(key(number));
    }
    return keys;
  }

  // Either reads a group that others are busy with, or writes a fresh key and
  // then reads its group.
  Task task(Random random, std::uint32_t) {
    std::uint64_t number = 0;
    if (watches_(random)) {
      const std::uint64_t end = next_.load(std::memory_order_relaxed);
      number = end - std::min<std::uint64_t>(end, 1 + random.below(sessions_));
    } else {
      number = next_.fetch_add(1, std::memory_order_relaxed);
      co_await step::begin("write");
      co_await step::write(key(number));
      co_await step::commit();
    }
    std::vector<std::string> keys;
    const std::uint64_t first = number / group_ * group_;
    for (std::uint64_t i = 0; i < group_; ++i) keys.push_back(key(first + i));
    shuffle(keys, random);
    co_await step::begin("read-group", true);
    for (const std::string& one : keys) co_await step::read(one);
    co_await step::commit();
  }

 private:
  static std::string key(std::uint64_t number) {
    return "fork:" + std::to_string(number);
  }

  std::uint32_t sessions_;
  std::uint64_t group_;
  Coin watches_;
  std::atomic<std::uint64_t> next_{0};
};

}  // namespace

std::unique_ptr<Workload> make_long_fork(const WorkloadOptions& options) {
  return std::make_unique<LongFork>(options);
}

}  // namespace awdit
