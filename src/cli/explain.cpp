// awdit explain: what the words mean.
#include <fmt/format.h>

#include "cli/commands.h"

namespace awdit::cli {

Exit run_explain(const ExplainPlan& plan, Output& out) {
  Sink sink = out.sink();
  if (plan.word.empty()) {
    sink.append("What can be explained:\n\n");
    for (const std::string_view word : words_to_explain()) {
      sink.append(fmt::format("  {}\n", word));
    }
    return Exit::ok;
  }
  explain_word(plan.word, plan.report_options, sink);
  return Exit::ok;
}

}  // namespace awdit::cli
