// Deciding levels, and shrinking a history to what breaks one. See awdit.h.
#ifndef AWDIT_CHECK_HPP
#define AWDIT_CHECK_HPP

#include <optional>
#include <string>
#include <string_view>

#include "awdit/handle.hpp"
#include "awdit/history.hpp"
#include "awdit/options.hpp"
#include "awdit/report.hpp"

namespace awdit {
inline namespace v1 {

// `levels`: "causal,serializable", or all.
inline Report check(const History& history, const std::string& levels = "all",
                    const Options& options = {}) {
  return Report(
      detail::made<awdit_report>([&](awdit_report** r, awdit_error** e) {
        return awdit_check(history.get(), levels.c_str(), options.get(), r, e);
      }));
}

struct Shrunk {
  History history;
  std::string level, kind;
  std::string headline;  // one sentence
  bool minimal;
};

// The smallest part that shows a violation; nothing if there is none. `kind`
// and `format`: "": any.
inline std::optional<Shrunk> shrink(const History& history,
                                    const std::string& levels = "all",
                                    const std::string& kind = "",
                                    const std::string& format = "",
                                    const Options& options = {}) {
  const auto or_null = [](const std::string& text) {
    return text.empty() ? nullptr : text.c_str();
  };
  awdit_shrunk* made = nullptr;
  awdit_error* error = nullptr;
  const awdit_status status =
      awdit_shrink(history.get(), levels.c_str(), or_null(kind),
                   or_null(format), options.get(), &made, &error);
  const detail::Handle<awdit_shrunk, awdit_shrunk_free> shrunk(made);
  if (status == AWDIT_NOTHING) {
    awdit_error_free(error);
    return std::nullopt;
  }
  detail::expect(status, error);
  return Shrunk{
      History(
          detail::made<awdit_history>([&](awdit_history** h, awdit_error** e) {
            return awdit_shrunk_history(shrunk.get(), h, e);
          })),
      awdit_shrunk_level(shrunk.get()), awdit_shrunk_kind(shrunk.get()),
      awdit_shrunk_headline(shrunk.get()),
      awdit_shrunk_minimal(shrunk.get()) != 0};
}

}  // namespace v1
}  // namespace awdit

#endif
