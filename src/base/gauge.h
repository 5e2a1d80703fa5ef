// How far a long piece of work has come, for whoever shows it: counters, no
// lock and no callback, so that threads may add to them at any time and even a
// signal handler may read them. One work at a time in a process; libraries add
// a few megabytes at once, never single operations.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace awdit {

struct Gauge {
  std::atomic<std::uint64_t> done{0};   // bytes
  std::atomic<std::uint64_t> total{0};  // 0: not known
  // What is being worked at, if that has a name; it must never go away.
  std::atomic<const std::string_view*> at{nullptr};

  void restart() {
    at.store(nullptr, std::memory_order_relaxed);
    done.store(0, std::memory_order_relaxed);
    total.store(0, std::memory_order_relaxed);
  }
};

inline Gauge& gauge() {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  static Gauge the_gauge;
  return the_gauge;
}

}  // namespace awdit
