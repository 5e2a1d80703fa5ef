// awdit: what was typed becomes a plan, the plan is carried out, the outcome
// becomes the exit code.
#include <unistd.h>

#include <exception>
#include <new>
#include <utility>
#include <variant>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/plan.h"

namespace awdit::cli {
namespace {

struct Runner {
  Output& out;

  Exit operator()(const CheckPlan& plan) const { return run_check(plan, out); }
  Exit operator()(const VerifyPlan& plan) const {
    return run_verify(plan, out);
  }
  Exit operator()(const RetellPlan& plan) const {
    return run_retell(plan, out);
  }
  Exit operator()(const ConvertPlan& plan) const {
    return run_convert(plan, out);
  }
  Exit operator()(const ShrinkPlan& plan) const {
    return run_shrink(plan, out);
  }
  Exit operator()(const GeneratePlan& plan) const {
    return run_generate(plan, out);
  }
  Exit operator()(const RecordPlan& plan) const {
    return run_record(plan, out);
  }
  Exit operator()(const TestPlan& plan) const { return run_test(plan, out); }
  Exit operator()(const StatsPlan& plan) const { return run_stats(plan, out); }
  Exit operator()(const ExplainPlan& plan) const {
    return run_explain(plan, out);
  }
  Exit operator()(const ListPlan& plan) const { return run_list(plan, out); }
  Exit operator()(const Show& show) const {
    out.print(show.for_people ? fitted(show.text, STDOUT_FILENO) : show.text);
    return Exit::ok;
  }
  Exit operator()(const Misuse& misuse) const {
    print_misuse(misuse.message, misuse.details, misuse.command);
    return Exit::error;
  }
};

Exit run(int argc, const char* const* argv, Output& out) {
  try {
    const Plan plan = make_plan(parse(argc, argv), wants_colour());
    return std::visit(Runner{out}, plan);
  } catch (const std::bad_alloc&) {
    print_error({.where = "awdit",
                 .message = "not enough memory",
                 .excerpt = "",
                 .hint = ""});
  } catch (const std::exception& failure) {
    print_error({.where = "awdit",
                 .message = failure.what(),
                 .excerpt = "",
                 .hint = ""});
  }
  return Exit::error;
}

}  // namespace
}  // namespace awdit::cli

int main(int argc, char** argv) {
  awdit::cli::prepare_console();
  awdit::cli::Output out;
  const awdit::cli::Exit exit = awdit::cli::run(argc, argv, out);
  return static_cast<int>(out.finish(exit));
}
