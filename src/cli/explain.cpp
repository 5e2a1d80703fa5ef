// awdit explain: what the words mean.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"

namespace awdit::cli {

Exit run_explain(const ExplainPlan& plan, Output& out) {
  Sink sink = out.sink();
  if (plan.word.empty()) {
    sink.append("What can be explained:\n\n");
    for (const std::string_view word : words_to_explain()) {
      sink.append(fmt::format("  {}\n", word));
    }
    sink.append(
        fitted("\nAnd any other name of these: G1a, P4, A5B, SER, "
               "dirty read, ...\n",
               STDOUT_FILENO));
    return Exit::ok;
  }
  ReportOptions options = plan.report_options;
  options.blocks = wants_blocks();
  options.width = terminal_width(STDOUT_FILENO);
  explain_word(plan.word, options, sink);
  return Exit::ok;
}

}  // namespace awdit::cli
