// awdit report: from a certificate to any report. The certificate is verified
// first, because what it says is told as if it were true; nothing is checked
// again.
//
// A certificate may come from anybody, and so may the path in it: files that it
// names are opened only if they are regular, and nothing of what stands in them
// is told unless they are the history that it was made for.
#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "base/table.h"
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/progress.h"

namespace awdit::cli {
namespace {

struct Named {
  std::vector<std::string> paths;
  const Format* format = nullptr;
  PathsFrom from = PathsFrom::user;
};

// The history that is meant: what was typed, or what the certificate names.
Result<Named> history_of(const RetellPlan& plan, const Certificate& made) {
  if (!plan.history.empty()) return Named{{plan.history}, plan.format};
  const auto refuse = [&](std::string message) {
    return Error{.where = plan.certificate,
                 .message = std::move(message),
                 .excerpt = "",
                 .hint = fmt::format("Name it: awdit report {} HISTORY.",
                                     plan.certificate)};
  };
  if (made.origin.paths.empty()) {
    return refuse("the certificate does not say which history it was made for");
  }
  for (const std::string& path : made.origin.paths) {
    if (path == "-") {
      return refuse("the certificate was made for standard input");
    }
  }
  const Format* format = plan.format;
  if (format == nullptr) format = find_row(formats(), made.origin.format);
  return Named{made.origin.paths, format, PathsFrom::others};
}

// Why the history that a certificate names cannot be read: whether it is there,
// and not a byte of it.
Error unreadable(const RetellPlan& plan, const Named& named,
                 const std::string& name) {
  std::string why = "it does not parse as a history";
  for (const std::string& path : named.paths) {
    std::error_code code;
    const std::filesystem::file_status status =
        std::filesystem::status(path, code);
    if (status.type() == std::filesystem::file_type::not_found) {
      why = "there is no such file";
    } else if (code) {
      why = "permission denied";
    } else if (!std::filesystem::is_regular_file(status) &&
               !std::filesystem::is_directory(status)) {
      why = "it is not a regular file";
    } else {
      continue;
    }
    break;
  }
  return {.where = plan.certificate,
          .message = fmt::format(
              "the history that the certificate names, {}, cannot be read: {}",
              name, why),
          .excerpt = "",
          .hint = fmt::format("If it lies elsewhere, name it: awdit report {} "
                              "HISTORY.\nawdit check {} says what is wrong "
                              "with it.",
                              plan.certificate, name)};
}

Result<Exit> try_retell(const RetellPlan& plan, Output& out,
                        Progress& progress) {
  progress.stage("reading", plan.certificate);
  Result<Certificate> made = load_certificate(plan.certificate);
  if (!made) return made.error();
  Result<Named> named = history_of(plan, *made);
  if (!named) return named.error();
  std::string name;
  for (const std::string& path : named->paths) {
    if (!name.empty()) name += ", ";
    name += path == "-" ? "<stdin>" : path;
  }
  std::vector<std::string> inputs = named->paths;
  inputs.push_back(plan.certificate);
  DocumentsPlan documents_plan = plan.documents;
  documents_plan.options.first = made->origin.first;
  Result<Documents> documents = Documents::open(documents_plan, inputs, out);
  if (!documents) return documents.error();

  progress.stage("reading", name);
  Result<Loaded> loaded =
      read_history(named->paths, named->format, plan.threads, named->from);
  if (!loaded) {
    return named->from == PathsFrom::user ? loaded.error()
                                          : unreadable(plan, *named, name);
  }
  const History history = as_checked(std::move(loaded->history), *made);
  if (const Outcome wrong = mismatch(plan.certificate, name, history, *made)) {
    return *wrong;
  }
  progress.stage("verifying", plan.certificate);
  bool accepted = true;
  for (const LevelCheck& check : verify(history, *made)) {
    if (check.accepted) continue;
    progress.clear();
    accepted = false;
    print_error({.where = plan.certificate,
                 .message = fmt::format("{} is not proven: {}",
                                        check.level->name, check.objection),
                 .excerpt = "",
                 .hint = ""});
  }
  if (!accepted) return Exit::violated;
  Report report = report_of(history, std::move(*made));
  report.time_limit = kUsualTimeLimit;
  progress.clear();
  for (const std::string& warning : history.warnings()) {
    print_note(name, "warning: " + warning);
  }
  documents->add(
      {.path = name, .format = loaded->format->name, .history = history},
      report);
  return documents->finish() ? Exit::ok : Exit::error;
}

}  // namespace

Exit run_retell(const RetellPlan& plan, Output& out) {
  Progress progress;
  const Result<Exit> exit = [&]() -> Result<Exit> {
    try {
      return try_retell(plan, out, progress);
    } catch (const std::bad_alloc&) {
      return Error{.where = plan.certificate,
                   .message = "not enough memory for this history",
                   .excerpt = "",
                   .hint = "Use a machine with more memory."};
    }
  }();
  progress.clear();
  if (exit) return *exit;
  print_error(exit.error());
  return Exit::error;
}

}  // namespace awdit::cli
