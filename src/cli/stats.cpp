// awdit stats: read, count, show.
#include "stats/stats.h"

#include <unistd.h>

#include <new>

#include "cli/commands.h"
#include "cli/progress.h"

namespace awdit::cli {
namespace {

Outcome try_stats(const StatsPlan& plan, const std::string& name, Output& out,
                  Progress& progress) {
  progress.stage("reading", name);
  const Result<Loaded> loaded =
      read_history(plan.path, plan.format, plan.threads);
  if (!loaded) return loaded.error();
  const History& history = loaded->history;
  progress.stage("counting", name);
  const Stats stats = statistics(history, plan.threads);
  progress.clear();
  for (const std::string& warning : history.warnings()) {
    print_note(name, "warning: " + warning);
  }
  ReportOptions options = plan.report_options;
  options.blocks = wants_blocks();
  options.width = terminal_width(STDOUT_FILENO);
  Sink sink = out.sink();
  plan.report->write_stats(
      {.path = name, .format = loaded->format->name, .history = history}, stats,
      options, sink);
  return std::nullopt;
}

}  // namespace

Exit run_stats(const StatsPlan& plan, Output& out) {
  const std::string name = plan.path == "-" ? "<stdin>" : plan.path;
  Progress progress;
  const Outcome failed = [&]() -> Outcome {
    try {
      return try_stats(plan, name, out, progress);
    } catch (const std::bad_alloc&) {
      return Error{.where = name,
                   .message = "not enough memory for this history",
                   .excerpt = "",
                   .hint = "Use a machine with more memory."};
    }
  }();
  progress.clear();
  if (!failed) return Exit::ok;
  print_error(*failed);
  Sink sink = out.sink();
  plan.report->write_error(name, *failed, sink);
  return Exit::error;
}

}  // namespace awdit::cli
