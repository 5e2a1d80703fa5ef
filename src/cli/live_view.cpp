#include "cli/live_view.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/columns.h"
#include "base/counted.h"
#include "base/utf8.h"
#include "cli/console.h"

namespace awdit::cli {
namespace {

double seconds(const RunView& view) {
  return std::chrono::duration<double>(view.elapsed).count();
}

std::uint64_t rate(std::uint64_t count, const RunView& view) {
  const double time = seconds(view);
  return time <= 0
             ? 0
             : static_cast<std::uint64_t>(static_cast<double>(count) / time);
}

std::string bar(std::uint64_t done, std::uint64_t total) {
  constexpr std::uint64_t kWidth = 20;
  const std::uint64_t filled = std::min(kWidth, done * kWidth / total);
  return std::string(filled, '#') + std::string(kWidth - filled, '.');
}

// "40001 serialization failure (100), busy (12)"
std::string reasons_text(const RunView& view, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < view.reasons.size(); ++i) {
    if (i == most) {
      text += fmt::format(" and {} more", view.reasons.size() - most);
      break;
    }
    const TroubleCount& reason = view.reasons[i];
    const std::string_view name = trouble_name(reason.code);
    text +=
        fmt::format("{}{}{}{} ({})", i == 0 ? "" : ", ", visible(reason.code),
                    name.empty() ? "" : " ", name, reason.count);
  }
  return text;
}

// "12 of 20 s", or "12.3 s" if there is no end to it.
std::string time_text(const RunView& view, std::chrono::milliseconds all) {
  if (all.count() == 0) return fmt::format("{:.1f} s", seconds(view));
  const double total = std::chrono::duration<double>(all).count();
  // Transactions that have begun are waited for.
  if (seconds(view) >= total) {
    return fmt::format("{0:g} of {0:g} s, finishing", total);
  }
  return fmt::format("{} of {:g} s", static_cast<std::uint64_t>(seconds(view)),
                     total);
}

}  // namespace

std::string live_text(const RunView& view, const std::string& what,
                      const Amount& amount) {
  std::string text =
      fmt::format("recording {}  {}\n", what, time_text(view, amount.duration));
  const std::uint64_t txns =
      view.committed + view.aborted + view.withdrawn + view.unknown;
  if (amount.tasks != 0) {
    text += fmt::format("{}  {} of {} tasks", bar(view.tasks, amount.tasks),
                        view.tasks, amount.tasks);
  } else if (amount.duration.count() != 0) {
    using std::chrono::milliseconds;
    const auto gone = std::chrono::duration_cast<milliseconds>(view.elapsed);
    text +=
        fmt::format("{}  {}",
                    bar(static_cast<std::uint64_t>(gone.count()),
                        static_cast<std::uint64_t>(amount.duration.count())),
                    counted(view.tasks, "task"));
  } else {
    text += counted(view.tasks, "task");
  }
  text += fmt::format("  {} transactions/s  {} operations/s\n",
                      rate(txns, view), rate(view.operations, view));
  text += fmt::format(
      "{} of {} at work  {} committed  {} aborted  {} withdrawn  {} unknown\n",
      view.active, counted(view.sessions, "session"), view.committed,
      view.aborted, view.withdrawn, view.unknown);
  if (!view.reasons.empty()) {
    text += fmt::format("trouble: {}\n", reasons_text(view, 4));
  }
  if (view.faults != 0) {
    text += fmt::format("{}{}\n", counted(view.faults, "fault"),
                        view.fault.empty() ? "" : "; now: " + view.fault);
  }
  return text;
}

std::string summary_text(const RunView& view) {
  const std::uint64_t txns =
      view.committed + view.aborted + view.withdrawn + view.unknown;
  std::string text =
      fmt::format("{} in {:.1f} s ({}/s): {} committed, {} aborted",
                  counted(txns, "transaction"), seconds(view), rate(txns, view),
                  view.committed, view.aborted);
  if (view.withdrawn != 0) {
    text += fmt::format(", {} withdrawn by the workload", view.withdrawn);
  }
  if (view.unknown != 0) {
    text += fmt::format(", {} of unknown outcome", view.unknown);
  }
  if (!view.reasons.empty()) {
    text += fmt::format("; trouble: {}", reasons_text(view, 6));
  }
  if (view.faults != 0) text += "; " + counted(view.faults, "fault");
  return text;
}

LiveView::LiveView(std::string what, const Amount& amount)
    : what_(std::move(what)),
      amount_(amount),
      active_(!quiet() && ::isatty(STDERR_FILENO) == 1) {}

void LiveView::draw(const RunView& view) {
  if (!active_) return;
  const std::string text = live_text(view, what_, amount_);
  const std::size_t width = terminal_width(STDERR_FILENO) - 1;
  std::string frame = lines_ == 0 ? "" : fmt::format("\x1b[{}A", lines_);
  frame += "\r\x1b[J";
  lines_ = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    frame += first_columns(rest.substr(0, end), width);
    frame += '\n';
    rest.remove_prefix(end + 1);
    ++lines_;
  }
  tell(frame);
}

void LiveView::erase() {
  if (lines_ == 0) return;
  tell(fmt::format("\x1b[{}A\r\x1b[J", lines_));
  lines_ = 0;
}

}  // namespace awdit::cli
