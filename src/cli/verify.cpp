// awdit verify: holds a certificate against the history it was made for.
#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.h"
#include "cli/certificate.h"
#include "cli/command.h"
#include "cli/help_text.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/values.h"

namespace awdit::cli {
namespace {

std::string verify_footer() {
  return fmt::format(
      "Example:\n"
      "  awdit check --certificate proof.json history.txt\n"
      "  awdit verify history.txt proof.json\n\n{}",
      kExitCodes);
}

class Verify : public Task {
 public:
  explicit Verify(Grammar& grammar) {
    grammar.argument("HISTORY", "The history; - is standard input", history_);
    grammar.argument("CERTIFICATE", "From check --certificate", certificate_);
    add_format(grammar, format_);
    printed_.add(grammar, "What to print: text (default), json");
    printed_.add_old_letter(grammar);
    add_quiet(grammar, true);
    grammar.footer(verify_footer);
  }

  Wrong settle() override {
    if (history_.empty() || certificate_.empty()) {
      return Misuse{"a history and its certificate are needed"};
    }
    if (Wrong wrong = unless_read_once({history_, certificate_})) return wrong;
    return printed_.settle("awdit verify", [](const ReportFormat& row) {
      return row.write_checks != nullptr;
    });
  }

  Result<Exit> run(Output& out) override {
    Progress progress;
    put_in_order(history_, certificate_);
    progress.stage("reading", history_);
    Result<Loaded> loaded = read_history(history_, format_, default_threads(),
                                         {.work = &current_work()});
    if (!loaded) return std::move(loaded.error());
    progress.stage("reading", certificate_);
    const Result<Certificate> certificate = load_certificate(certificate_);
    if (!certificate) return certificate.error();
    const History history =
        as_checked(std::move(loaded->history), *certificate);
    if (Outcome wrong =
            mismatch(certificate_, history_, history, *certificate)) {
      return std::move(*wrong);
    }
    progress.stage("verifying", certificate_);
    const std::vector<LevelCheck> checks = verify(history, *certificate);
    progress.clear();
    print_warnings(history_, history);
    if (!printed_.left_out()) {
      Sink sink = out.sink();
      printed_.report().write_checks({.path = history_,
                                      .format = loaded->format->name,
                                      .history = history},
                                     certificate_, checks, shown_as({}), sink);
    }
    const bool accepted =
        std::all_of(checks.begin(), checks.end(),
                    [](const LevelCheck& check) { return check.accepted; });
    return accepted ? Exit::ok : Exit::violated;
  }

  Error out_of_memory() const override {
    return {.where = history_,
            .message = "not enough memory to verify the certificate",
            .hint = "Use a machine with more memory."};
  }
  void fail(const Error& error, Output& out) override {
    printed_.fail(history_, error, out);
  }

 private:
  std::string history_;
  std::string certificate_;
  const Format* format_ = nullptr;  // nullptr: by looking at the file
  Printed printed_;
};

}  // namespace

const Command kVerifyCommand = {
    "verify", "Check a certificate against the history it was made for",
    make<Verify>};

}  // namespace awdit::cli
