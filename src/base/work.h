// A long piece of work under way, as those see it who wait for it: how far it
// has come, and whether they still want it. Whoever begins something long hands
// one down with the other arguments; nullptr: nobody looks. Two pieces of work
// in one process know nothing of each other.
//
// Counters, no lock and no callback, so that threads may add to them at any
// time and even a signal handler may read them. Libraries add a few megabytes
// at once, never single operations, and ask as rarely. Work that is no longer
// wanted ends with UsedUp (base/budget.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace awdit {

struct Work {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

  std::atomic<std::uint64_t> done{0};   // bytes
  std::atomic<std::uint64_t> total{0};  // 0: not known
  // What is being worked at, if that has a name; it must never go away.
  std::atomic<const std::string_view*> at{nullptr};
  // Set to true, by any thread: the result is not wanted any more.
  std::atomic<bool> cancelled{false};
  // Likewise, of somebody who cancels several at once; outlives the work.
  const std::atomic<bool>* all_cancelled = nullptr;

  void restart() {
    at.store(nullptr, std::memory_order_relaxed);
    done.store(0, std::memory_order_relaxed);
    total.store(0, std::memory_order_relaxed);
  }
  void add_done(std::uint64_t bytes) {
    done.fetch_add(bytes, std::memory_order_relaxed);
  }
  void add_total(std::uint64_t bytes) {
    total.fetch_add(bytes, std::memory_order_relaxed);
  }
};

inline bool is_cancelled(const Work* work) {
  return work != nullptr &&
         (work->cancelled.load(std::memory_order_relaxed) ||
          (work->all_cancelled != nullptr &&
           work->all_cancelled->load(std::memory_order_relaxed)));
}

}  // namespace awdit
