// How things are done: setters of values that awdit_check and others read.
#include <cmath>

#include "abi/failure.h"
#include "abi/handles.h"
#include "base/parallel.h"
#include "library/library.h"

using namespace awdit::abi;

awdit_options::awdit_options() : threads(awdit::default_threads()) {
  awdit::set_usual_limits(check);
  report.version = AWDIT_VERSION;
}

namespace {

constexpr std::uint32_t kMostThreads = 1024;

template <typename Set>
awdit_status change(awdit_options* options, Set&& set) noexcept {
  return guarded(nullptr, [&]() -> Trouble {
    if (options == nullptr) return misuse("there are no options");
    return set(*options);
  });
}

template <typename Set>
awdit_status always(awdit_options* options, Set&& set) noexcept {
  return change(options, [&](awdit_options& those) -> Trouble {
    set(those);
    return std::nullopt;
  });
}

}  // namespace

extern "C" {

awdit_status awdit_cancel_new(std::uint32_t abi, awdit_cancel** cancel,
                              awdit_error** error) noexcept {
  return guarded(error, [&]() -> Trouble {
    if (cancel == nullptr) return misuse("cancel is NULL");
    *cancel = nullptr;
    if (Trouble wrong = awdit::abi::unless_known(abi)) return wrong;
    *cancel = new awdit_cancel;
    return std::nullopt;
  });
}
void awdit_cancel_now(awdit_cancel* cancel) noexcept {
  if (cancel != nullptr) cancel->asked.store(true, std::memory_order_relaxed);
}
std::int32_t awdit_cancel_asked(const awdit_cancel* cancel) noexcept {
  return cancel != nullptr && cancel->asked.load(std::memory_order_relaxed);
}
void awdit_cancel_free(awdit_cancel* cancel) noexcept { delete cancel; }

awdit_status awdit_options_new(std::uint32_t abi, awdit_options** options,
                               awdit_error** error) noexcept {
  return guarded(error, [&]() -> Trouble {
    if (options == nullptr) return misuse("options is NULL");
    *options = nullptr;
    if (Trouble wrong = awdit::abi::unless_known(abi)) return wrong;
    *options = new awdit_options;
    return std::nullopt;
  });
}
void awdit_options_free(awdit_options* options) noexcept { delete options; }

awdit_status awdit_options_threads(awdit_options* options,
                                   std::uint32_t threads) noexcept {
  return change(options, [&](awdit_options& those) -> Trouble {
    if (threads > kMostThreads) return misuse("at most 1024 threads");
    those.threads = threads == 0 ? awdit::default_threads() : threads;
    return std::nullopt;
  });
}
awdit_status awdit_options_time_limit(awdit_options* options,
                                      double seconds) noexcept {
  return change(options, [&](awdit_options& those) -> Trouble {
    if (!std::isfinite(seconds) || seconds < 0) {
      return misuse("a time limit is a number of seconds, not below 0");
    }
    those.check.time_limit = seconds;
    return std::nullopt;
  });
}
awdit_status awdit_options_memory_limit(awdit_options* options,
                                        std::uint64_t bytes) noexcept {
  return always(options, [&](awdit_options& those) {
    awdit::set_memory_limit(those.check, bytes);
  });
}
awdit_status awdit_options_first(awdit_options* options,
                                 std::int32_t on) noexcept {
  return always(options, [&](awdit_options& those) {
    those.check.first = those.report.first = on != 0;
  });
}
awdit_status awdit_options_only_first_level(awdit_options* options,
                                            std::int32_t on) noexcept {
  return always(options, [&](awdit_options& those) {
    those.check.only_first_level = on != 0;
  });
}
awdit_status awdit_options_session_order(awdit_options* options,
                                         std::int32_t on) noexcept {
  return always(options,
                [&](awdit_options& those) { those.session_order = on != 0; });
}
awdit_status awdit_options_certificate(awdit_options* options,
                                       std::int32_t on) noexcept {
  return always(options, [&](awdit_options& those) {
    those.check.commit_order = on != 0;
  });
}
awdit_status awdit_options_findings(awdit_options* options,
                                    std::uint32_t findings) noexcept {
  return always(options,
                [&](awdit_options& those) { those.report.limit = findings; });
}
awdit_status awdit_options_terminal(awdit_options* options, std::int32_t colour,
                                    std::int32_t blocks,
                                    std::uint32_t columns) noexcept {
  return always(options, [&](awdit_options& those) {
    those.report.colour = colour != 0;
    those.report.blocks = blocks != 0;
    those.report.width = columns;
  });
}
awdit_status awdit_options_name(awdit_options* options,
                                const char* name) noexcept {
  return always(options, [&](awdit_options& those) {
    those.name = awdit::abi::text_or_none(name);
  });
}
awdit_status awdit_options_progress(awdit_options* options,
                                    awdit_progress_fn progress,
                                    void* user) noexcept {
  return always(options, [&](awdit_options& those) {
    those.progress = progress;
    those.user = user;
  });
}
awdit_status awdit_options_cancel(awdit_options* options,
                                  const awdit_cancel* cancel) noexcept {
  return always(options, [&](awdit_options& those) { those.cancel = cancel; });
}

const char* awdit_bytes_data(const awdit_bytes* bytes) noexcept {
  return bytes == nullptr ? "" : bytes->bytes.c_str();
}
std::size_t awdit_bytes_size(const awdit_bytes* bytes) noexcept {
  return bytes == nullptr ? 0 : bytes->bytes.size();
}
void awdit_bytes_free(awdit_bytes* bytes) noexcept { delete bytes; }

}  // extern "C"
