// awdit generate: make, fit, write.
#include "generate/generate.h"

#include <fmt/format.h>

#include <memory>
#include <new>

#include "cli/commands.h"
#include "cli/destination.h"
#include "cli/progress.h"
#include "convert/convert.h"

namespace awdit::cli {
namespace {

Outcome try_generate(const GeneratePlan& plan, Output& out,
                     Progress& progress) {
  const std::string name = plan.out == "-" ? "<stdout>" : plan.out;
  Result<std::unique_ptr<Destination>> destination =
      open_destination(plan.out, *plan.format, {}, out);
  if (!destination) return std::move(destination.error());
  progress.stage("generating", name);
  Result<History> history = generate(plan.parameters, plan.threads);
  if (!history) return std::move(history.error());
  Result<Fitted> fitted =
      fit(std::move(*history), *plan.format, {.threads = plan.threads});
  if (!fitted) return std::move(fitted.error());
  progress.stage("writing", name);
  plan.format->write(fitted->history, {[&](std::string_view file) -> Sink& {
                                         return (*destination)->new_file(file);
                                       },
                                       plan.threads});
  if (Outcome failed = (*destination)->commit()) return failed;
  progress.clear();
  for (const std::string& loss : fitted->losses) {
    print_note(name, fmt::format("lost in {}: {}", plan.format->name, loss));
  }
  return std::nullopt;
}

}  // namespace

Exit run_generate(const GeneratePlan& plan, Output& out) {
  Progress progress;
  const Outcome failed = [&]() -> Outcome {
    try {
      return try_generate(plan, out, progress);
    } catch (const std::bad_alloc&) {
      return Error{.where = "awdit generate",
                   .message = "not enough memory for this history",
                   .excerpt = "",
                   .hint = "Ask for fewer operations or keys."};
    }
  }();
  progress.clear();
  if (!failed) return Exit::ok;
  print_error(*failed);
  return Exit::error;
}

}  // namespace awdit::cli
