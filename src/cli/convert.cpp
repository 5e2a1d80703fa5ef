// awdit convert: read, fit, write. What the target cannot hold is named on
// standard error; with --lossless it is an error, and nothing is written.
#include "convert/convert.h"

#include <fmt/format.h>

#include <memory>
#include <new>
#include <optional>

#include "cli/atomic_file.h"
#include "cli/commands.h"
#include "cli/destination.h"
#include "cli/progress.h"

namespace awdit::cli {
namespace {

std::string listed(const std::vector<std::string>& losses) {
  std::string text;
  for (const std::string& loss : losses) text += "    " + loss + "\n";
  return text;
}

Outcome try_convert(const ConvertPlan& plan, Output& out, Progress& progress) {
  const std::string name = joined_name(plan.paths);
  std::optional<AtomicFile> mapping_file;
  if (!plan.mapping.empty()) {
    Result<AtomicFile> file =
        AtomicFile::create(plan.mapping, "the mapping", plan.paths);
    if (!file) return std::move(file.error());
    mapping_file.emplace(std::move(*file));
  }
  Result<std::unique_ptr<Destination>> destination =
      open_destination(plan.out, *plan.to, plan.paths, out);
  if (!destination) return std::move(destination.error());

  progress.stage("reading", name);
  Result<Loaded> loaded = read_history(plan.paths, plan.from, plan.threads);
  if (!loaded) return std::move(loaded.error());
  progress.stage("fitting", name);
  std::optional<Sink> mapping;
  FitOptions options{.threads = plan.threads};
  if (mapping_file) {
    mapping.emplace(
        [&](std::string_view bytes) { return mapping_file->write(bytes); });
    options.mapping = &*mapping;
  }
  Result<Fitted> fitted = fit(std::move(loaded->history), *plan.to, options);
  if (!fitted) {
    Error error = std::move(fitted.error());
    error.where = error.where.empty() ? name : name + ":" + error.where;
    return error;
  }
  if (!fitted->losses.empty() && plan.lossless) {
    return Error{.where = name,
                 .message = fmt::format("{} cannot hold everything; this "
                                        "would be lost:",
                                        plan.to->name),
                 .excerpt = listed(fitted->losses),
                 .hint =
                     "Nothing was written. Convert to awdit-jsonl or awdit, "
                     "which hold everything, or leave out --lossless."};
  }
  progress.stage("writing", plan.out == "-" ? "<stdout>" : plan.out);
  plan.to->write(fitted->history, {[&](std::string_view file) -> Sink& {
                                     return (*destination)->new_file(file);
                                   },
                                   plan.threads});
  if (Outcome failed = (*destination)->commit()) return failed;
  if (mapping_file) {
    mapping->flush();
    if (Outcome failed = mapping_file->commit()) return failed;
  }
  progress.clear();
  for (const std::string& warning : fitted->history.warnings()) {
    print_note(name, "warning: " + warning);
  }
  for (const std::string& loss : fitted->losses) {
    print_note(name, fmt::format("lost in {}: {}", plan.to->name, loss));
  }
  return std::nullopt;
}

}  // namespace

Exit run_convert(const ConvertPlan& plan, Output& out) {
  Progress progress;
  const Outcome failed = [&]() -> Outcome {
    try {
      return try_convert(plan, out, progress);
    } catch (const std::bad_alloc&) {
      return Error{.where = joined_name(plan.paths),
                   .message = "not enough memory for this history",
                   .excerpt = "",
                   .hint = "Use a machine with more memory."};
    }
  }();
  progress.clear();
  if (!failed) return Exit::ok;
  print_error(*failed);
  return Exit::error;
}

}  // namespace awdit::cli
