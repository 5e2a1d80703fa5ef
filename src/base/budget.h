// What a piece of work may take, and whether it is used up.
//
// Idea: whoever works long asks the budget now and then. The answer is an
// exception, because the question is asked in the innermost loops of many
// algorithms and the answer concerns none of them: whatever they have made is
// thrown away. `UsedUp` never leaves a module; who makes the budget, or returns
// what came of it as a value, catches it.
//
// Time is asked of the clock. Memory is asked twice: `need` before something
// large is made, and what the process has grown by since the budget began, so
// that nothing has to be counted; that is looked at every few milliseconds.
// Once used up, it stays so. Several threads may ask.
//
// Cost: `Pace` counts steps and asks once every some ten thousand: a
// subtraction and a branch per step. A step is meant to be some nanoseconds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/work.h"

namespace awdit {

struct UsedUp {
  enum class What : std::uint8_t {
    time,
    memory,
    interest,  // nobody wants the result any more: Work::cancelled
  };
  What what;
};

class Budget {
 public:
  // Without limits.
  Budget() = default;
  // From now on: seconds, and bytes beyond what the process used when `grown`
  // was counted from (memory_in_use()). 0: no limit.
  // `work`: used up, too, as soon as that is cancelled.
  Budget(double seconds, std::uint64_t bytes, std::uint64_t counted_from,
         const Work* work = nullptr);
  // As long as the tests want: used up when it is asked for the n-th time.
  struct Questions {
    std::uint64_t number;
  };
  explicit Budget(Questions questions) : left_(questions.number) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  static const Budget& unlimited();

  // Throws UsedUp if it is.
  void ask() const;
  // The same for those without a budget: only whether the work is wanted.
  static void ask(const Work* work) {
    if (is_cancelled(work)) throw UsedUp{UsedUp::What::interest};
  }
  // Throws UsedUp if that many bytes are more than it allows in all.
  void need(std::uint64_t bytes) const;
  // The same as values.
  std::uint64_t bytes() const { return bytes_; }
  double seconds_left() const;  // not below 0; a large number: no limit

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  [[noreturn]] void give_up(UsedUp::What what) const;
  void look_at_memory(Clock::time_point now) const;

  const Work* work_ = nullptr;
  bool limited_time_ = false;
  Clock::time_point deadline_{};
  std::uint64_t bytes_ = kNone;
  std::uint64_t counted_from_ = 0;
  mutable std::atomic<std::uint64_t> left_{kNone};  // questions
  mutable std::atomic<std::uint8_t> used_up_{0};    // 1 + What
  mutable std::atomic<Clock::rep> next_look_{0};    // at memory
};

// Asks a budget once in a while. One per thread.
class Pace {
 public:
  explicit Pace(const Budget& budget) : budget_(&budget) {}

  void step(std::uint64_t steps = 1) {
    done_ += steps;
    if (done_ >= kSteps) [[unlikely]] {
      done_ = 0;
      budget_->ask();
    }
  }

 private:
  static constexpr std::uint64_t kSteps = 1u << 15;
  const Budget* budget_;
  std::uint64_t done_ = 0;
};

}  // namespace awdit
