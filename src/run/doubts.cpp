// What a run that went badly cannot show.
//
// A clean verdict is worth as much as there was to be seen. Two ways to see
// little: sessions that get into each other's way until hardly anything commits
// (a hot key, deadlocks that a server notices only after a second), and
// sessions that never meet. Neither is an error, and neither shows in a
// verdict: so it is said. The limits are coarse on purpose: who falls below
// them is far off.
#include <fmt/format.h>

#include "base/counted.h"
#include "run/run.h"

namespace awdit {
namespace {

constexpr std::uint64_t kFewCommits = 100;
constexpr std::uint64_t kFewMeetings = 100;
constexpr std::uint64_t kLeastShare = 5;  // of five, one should commit

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

// Why most transactions did not commit, as far as it is known.
std::string most_frequent(const RunView& view) {
  if (view.reasons.empty()) return "";
  const TroubleCount& first = view.reasons.front();
  const std::string_view name = trouble_name(first.code);
  return fmt::format(", most often because of {}{}{}", first.code,
                     name.empty() ? "" : " ", name);
}

}  // namespace

std::vector<std::string> doubts(const RunView& view,
                                const RunOptions& options) {
  std::vector<std::string> found;
  constexpr std::string_view kCrowd =
      "sessions are in each other's way: fewer --sessions or more keys "
      "(awdit list workloads) help";
  const std::uint64_t tried = view.committed + view.aborted + view.unknown;
  if (tried >= kFewCommits && view.committed * kLeastShare < tried) {
    found.push_back(fmt::format("only {} of {} committed{}; {}", view.committed,
                                counted(tried, "transaction"),
                                most_frequent(view), kCrowd));
  }
  const double time =
      std::chrono::duration<double>(view.elapsed).count() * options.sessions;
  const double stalled = std::chrono::duration<double>(view.stalled).count();
  // Faults make everybody wait, as they should.
  if (options.faults.kinds.empty() && stalled > time / 2) {
    found.push_back(fmt::format(
        "the run collapsed: sessions spent {} of their time in transactions "
        "that hardly moved; {}",
        percent(stalled / time), kCrowd));
  }
  if (view.committed < kFewCommits) {
    found.push_back(fmt::format(
        "{} committed: too few to mean anything; ask for more --transactions "
        "or a longer --duration",
        counted(view.committed, "transaction")));
  } else if (view.met < kFewMeetings) {
    found.push_back(fmt::format(
        "only {} returned what another session had written, so that hardly "
        "anything could go wrong; use {}",
        counted(view.met, "read"),
        options.sessions < 2
            ? "more --sessions"
            : "fewer keys (awdit list workloads) or more --transactions"));
  }
  return found;
}

}  // namespace awdit
