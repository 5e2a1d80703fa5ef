// How things are done: limits, threads, progress, cancellation. See awdit.h.
#ifndef AWDIT_OPTIONS_HPP
#define AWDIT_OPTIONS_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "awdit/handle.hpp"

namespace awdit {
inline namespace v1 {

// A flag that stops all calls whose options have it. now() may be called by any
// thread and by a signal handler.
class Cancel {
 public:
  Cancel()
      : cancel_(
            detail::made<awdit_cancel>([](awdit_cancel** c, awdit_error** e) {
              return awdit_cancel_new(AWDIT_ABI, c, e);
            })) {}
  void now() noexcept { awdit_cancel_now(cancel_.get()); }
  bool asked() const noexcept { return awdit_cancel_asked(cancel_.get()) != 0; }
  const awdit_cancel* get() const noexcept { return cancel_.get(); }

 private:
  detail::Handle<awdit_cancel, awdit_cancel_free> cancel_;
};

using Progress = awdit_progress;

class Options {
 public:
  // Returns whether to go on.
  using OnProgress = std::function<bool(const Progress& progress)>;

  Options()
      : options_(
            detail::made<awdit_options>([](awdit_options** o, awdit_error** e) {
              return awdit_options_new(AWDIT_ABI, o, e);
            })) {}

  Options& threads(std::uint32_t count) {
    return set(awdit_options_threads(get(), count), "at most 1024 threads");
  }
  Options& time_limit(double seconds) {
    return set(awdit_options_time_limit(get(), seconds),
               "a time limit is a number of seconds, not below 0");
  }
  Options& memory_limit(std::uint64_t bytes) {
    return set(awdit_options_memory_limit(get(), bytes));
  }
  Options& first(bool on = true) { return set(awdit_options_first(get(), on)); }
  Options& only_first_level(bool on = true) {
    return set(awdit_options_only_first_level(get(), on));
  }
  Options& session_order(bool on) {
    return set(awdit_options_session_order(get(), on));
  }
  Options& certificate(bool on = true) {
    return set(awdit_options_certificate(get(), on));
  }
  Options& findings(std::uint32_t count) {
    return set(awdit_options_findings(get(), count));
  }
  Options& terminal(bool colour, bool blocks, std::uint32_t columns) {
    return set(awdit_options_terminal(get(), colour, blocks, columns));
  }
  Options& name(const std::string& name) {
    return set(awdit_options_name(get(), name.c_str()));
  }
  // One that throws cancels, too. Of several calls at the same time, it is
  // called by several threads.
  Options& progress(OnProgress on_progress) {
    on_progress_ = std::make_unique<OnProgress>(std::move(on_progress));
    return set(awdit_options_progress(
        get(), *on_progress_ ? &Options::call : nullptr, on_progress_.get()));
  }
  // It must outlive the calls.
  Options& cancel(const Cancel& cancel) {
    return set(awdit_options_cancel(get(), cancel.get()));
  }

  awdit_options* get() noexcept { return options_.get(); }
  const awdit_options* get() const noexcept { return options_.get(); }

 private:
  Options& set(awdit_status status, const char* rule = "") {
    if (status == AWDIT_NO_MEMORY) throw std::bad_alloc();
    if (status != AWDIT_OK) throw std::invalid_argument(rule);
    return *this;
  }
  // Nothing may be thrown through C: a callback that throws cancels.
  static std::int32_t call(void* user, const awdit_progress* progress) {
    try {
      return (*static_cast<OnProgress*>(user))(*progress) ? 0 : 1;
    } catch (...) {
      return 1;
    }
  }

  detail::Handle<awdit_options, awdit_options_free> options_;
  std::unique_ptr<OnProgress> on_progress_;
};

}  // namespace v1
}  // namespace awdit

#endif
