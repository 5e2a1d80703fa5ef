#include "base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace awdit {

void parallel_for(
    std::size_t tasks, unsigned threads,
    const std::function<void(std::size_t task, unsigned worker)>& body) {
  threads = static_cast<unsigned>(
      std::min<std::size_t>(std::max(threads, 1u), tasks));
  if (threads <= 1) {
    for (std::size_t task = 0; task < tasks; ++task) body(task, 0);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  const auto work = [&](unsigned worker) {
    try {
      for (;;) {
        const std::size_t task = next.fetch_add(1, std::memory_order_relaxed);
        if (task >= tasks) return;
        body(task, worker);
      }
    } catch (...) {
      next.store(tasks, std::memory_order_relaxed);
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  };
  std::vector<std::thread> helpers;
  helpers.reserve(threads - 1);
  try {
    for (unsigned worker = 1; worker < threads; ++worker) {
      helpers.emplace_back(work, worker);
    }
  } catch (const std::system_error&) {
    // No more threads are available: those that started do all the work.
  } catch (const std::bad_alloc&) {
    // Nor memory for them.
  }
  work(0);
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

unsigned default_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    return std::max(1, CPU_COUNT(&set));
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace awdit
