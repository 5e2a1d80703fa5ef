#include "base/budget.h"

#include <algorithm>

#include "base/memory.h"

namespace awdit {
namespace {

// What a process grows by without having asked for it: stacks of threads, pages
// that are larger than what is in them, code that is used for the first time.
constexpr std::uint64_t kNoise = std::uint64_t{32} << 20;
constexpr std::chrono::milliseconds kBetweenLooks{5};
constexpr double kAges = 1e9;  // seconds

}  // namespace

Budget::Budget(double seconds, std::uint64_t bytes, std::uint64_t counted_from,
               const Work* work)
    : work_(work), counted_from_(counted_from) {
  if (seconds > 0) {
    limited_time_ = true;
    deadline_ = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(
                    std::chrono::duration<double>(std::min(seconds, kAges)));
  }
  if (bytes != 0) bytes_ = bytes;
}

const Budget& Budget::unlimited() {
  static const Budget kUnlimited;
  return kUnlimited;
}

void Budget::ask() const {
  if (const std::uint8_t used_up = used_up_.load(std::memory_order_relaxed);
      used_up != 0) {
    throw UsedUp{static_cast<UsedUp::What>(used_up - 1)};
  }
  if (left_.load(std::memory_order_relaxed) != kNone &&
      left_.fetch_sub(1, std::memory_order_relaxed) <= 1) {
    left_.store(kNone, std::memory_order_relaxed);
    give_up(UsedUp::What::time);
  }
  if (is_cancelled(work_)) give_up(UsedUp::What::interest);
  if (!limited_time_ && bytes_ == kNone) return;
  const Clock::time_point now = Clock::now();
  if (limited_time_ && now > deadline_) give_up(UsedUp::What::time);
  if (bytes_ != kNone) look_at_memory(now);
}

void Budget::look_at_memory(Clock::time_point now) const {
  Clock::rep next = next_look_.load(std::memory_order_relaxed);
  const Clock::rep is = now.time_since_epoch().count();
  if (is < next || !next_look_.compare_exchange_strong(
                       next, is + Clock::duration(kBetweenLooks).count(),
                       std::memory_order_relaxed)) {
    return;
  }
  const auto too_much = [&] {
    const std::uint64_t used = memory_in_use();
    return used > counted_from_ && used - counted_from_ > kNoise &&
           used - counted_from_ - kNoise > bytes_;
  };
  if (!too_much()) return;
  release_memory();  // it may be what earlier work has left behind
  if (too_much()) give_up(UsedUp::What::memory);
}

void Budget::need(std::uint64_t bytes) const {
  if (bytes > bytes_) throw UsedUp{UsedUp::What::memory};
}

double Budget::seconds_left() const {
  if (is_cancelled(work_)) return 0;
  if (!limited_time_) return kAges;
  const std::chrono::duration<double> left = deadline_ - Clock::now();
  return std::max(0.0, left.count());
}

void Budget::give_up(UsedUp::What what) const {
  used_up_.store(static_cast<std::uint8_t>(1 + static_cast<int>(what)),
                 std::memory_order_relaxed);
  throw UsedUp{what};
}

}  // namespace awdit
