// awdit verify: holds a certificate against the history it was made for.
#include <fmt/format.h>
#include <unistd.h>

#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "base/input.h"
#include "cli/commands.h"
#include "cli/progress.h"

namespace awdit::cli {
namespace {

std::string counts(std::uint32_t sessions, std::uint32_t transactions,
                   std::uint32_t operations) {
  return fmt::format("{} sessions, {} transactions and {} operations", sessions,
                     transactions, operations);
}

}  // namespace

Result<Certificate> load_certificate(const std::string& path) {
  // A stream that does not begin as JSON objects do is not read on.
  const auto wanted = [](std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && head[first] == '{';
  };
  const Result<Input> input = Input::open(path, {.wanted = wanted});
  if (!input) return input.error();
  const Result<Input> settled = input->settled(1);
  if (!settled) return settled.error();
  if (Outcome changed = input->changed()) return *changed;
  return read_certificate(settled->bytes(), settled->name());
}

History as_checked(History history, const Certificate& certificate) {
  return certificate.session_order ? std::move(history)
                                   : std::move(history).without_session_order();
}

Outcome mismatch(const std::string& certificate_name,
                 const std::string& history_name, const History& history,
                 const Certificate& certificate) {
  if (certificate.levels.empty()) {
    return Error{.where = certificate_name,
                 .message = "the certificate makes no claim",
                 .excerpt = "",
                 .hint = ""};
  }
  if (certificate.sessions == history.num_sessions() &&
      certificate.transactions == history.num_txns() &&
      certificate.operations == history.num_ops()) {
    return std::nullopt;
  }
  return Error{
      .where = certificate_name,
      .message = fmt::format(
          "this is not the certificate of {}: it was made for {}, but the "
          "history has {}",
          history_name,
          counts(certificate.sessions, certificate.transactions,
                 certificate.operations),
          counts(history.num_sessions(), history.num_txns(),
                 history.num_ops())),
      .excerpt = "",
      .hint =
          "Name the very file that was checked, or make a new certificate "
          "with awdit check --certificate."};
}

namespace {

Result<Exit> try_verify(const VerifyPlan& plan, Output& out,
                        Progress& progress) {
  progress.stage("reading", plan.history);
  Result<Loaded> loaded = read_history(plan.history, plan.format, plan.threads);
  if (!loaded) return loaded.error();
  progress.stage("reading", plan.certificate);
  const Result<Certificate> certificate = load_certificate(plan.certificate);
  if (!certificate) return certificate.error();
  const History history = as_checked(std::move(loaded->history), *certificate);
  if (const Outcome wrong =
          mismatch(plan.certificate, plan.history, history, *certificate)) {
    return *wrong;
  }
  progress.stage("verifying", plan.certificate);
  const std::vector<LevelCheck> checks = verify(history, *certificate);
  Exit exit = Exit::ok;
  for (const LevelCheck& check : checks) {
    if (!check.accepted) exit = Exit::violated;
  }
  progress.clear();
  for (const std::string& warning : history.warnings()) {
    print_note(plan.history, "warning: " + warning);
  }
  ReportOptions options = plan.report_options;
  options.width = terminal_width(STDOUT_FILENO);
  Sink sink = out.sink();
  plan.report->write_checks({.path = plan.history,
                             .format = loaded->format->name,
                             .history = history},
                            plan.certificate, checks, options, sink);
  return exit;
}

}  // namespace

Exit run_verify(const VerifyPlan& plan, Output& out) {
  Progress progress;
  const Result<Exit> exit = [&]() -> Result<Exit> {
    try {
      return try_verify(plan, out, progress);
    } catch (const std::bad_alloc&) {
      return Error{.where = plan.history,
                   .message = "not enough memory to verify the certificate",
                   .excerpt = "",
                   .hint = "Use a machine with more memory."};
    }
  }();
  if (exit) return *exit;
  progress.clear();
  print_error(exit.error());
  Sink sink = out.sink();
  plan.report->write_error(plan.history, exit.error(), sink);
  return Exit::error;
}

}  // namespace awdit::cli
