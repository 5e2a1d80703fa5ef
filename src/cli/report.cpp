// awdit report: from a certificate to any report. The certificate is verified
// first, because what it says is told as if it were true; nothing is checked
// again.
//
// A certificate may come from anybody, and so may the path in it: files that it
// names are opened only if they are regular, and nothing of their content
// is told unless they are the history that it was made for.
#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/table.h"
#include "cli/certificate.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/help_text.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/time_limit.h"
#include "cli/values.h"

namespace awdit::cli {
namespace {

std::string report_footer() {
  return fmt::format(
      "The certificate is verified first, as by awdit verify; nothing is "
      "checked again.\nWithout HISTORY the paths that the certificate names "
      "are read, from the current\ndirectory.\n\n"
      "Reports, and how the names of their files end:\n{}\n"
      "Example:\n"
      "  awdit check --certificate proof.json history.txt\n"
      "  awdit report proof.json --report story.svg --report bug.md\n\n"
      "Exit codes:\n"
      "  0  reported\n"
      "  1  the certificate is rejected: nothing is written\n"
      "  2  usage, input or output error",
      reports_text());
}

class Tell : public Task {
 public:
  explicit Tell(Grammar& grammar) {
    grammar.argument("HISTORY", "Default: the one that the certificate names",
                     history_);
    grammar.argument("CERTIFICATE", "From check --certificate", certificate_);
    add_format(grammar, format_);
    outputs_.add(grammar, "What to print: text (default), json, ..., see below",
                 true);
    outputs_.add_limit(grammar);
    add_threads(grammar, threads_);
    grammar.footer(report_footer);
  }

  Wrong settle() override {
    if (certificate_.empty()) std::swap(history_, certificate_);
    if (certificate_.empty()) return Misuse{"no certificate given"};
    if (Wrong wrong = unless_read_once({history_, certificate_})) return wrong;
    return outputs_.settle(1, documents_);
  }

  Result<Exit> run(Output& out) override {
    Progress progress;
    if (!history_.empty()) put_in_order(history_, certificate_);
    progress.stage("reading", certificate_);
    Result<Certificate> made = load_certificate(certificate_);
    if (!made) return std::move(made.error());
    const Result<Named> named = history_of(*made);
    if (!named) return named.error();
    const std::string name = joined_name(named->paths);
    std::vector<std::string> inputs = named->paths;
    inputs.push_back(certificate_);
    documents_.options.first = made->origin.first;
    Result<Documents> documents = Documents::open(documents_, inputs, out);
    if (!documents) return std::move(documents.error());

    progress.stage("reading", name);
    Result<Loaded> loaded =
        read_history(named->paths, named->format, threads_,
                     {.from = named->from, .work = &current_work()});
    if (!loaded) {
      return named->from == PathsFrom::user ? std::move(loaded.error())
                                            : unreadable(*named, name);
    }
    const History history = as_checked(std::move(loaded->history), *made);
    if (Outcome wrong = mismatch(certificate_, name, history, *made)) {
      return std::move(*wrong);
    }
    progress.stage("verifying", certificate_);
    bool accepted = true;
    for (const LevelCheck& check : verify(history, *made)) {
      if (check.accepted) continue;
      progress.clear();
      accepted = false;
      print_error({.where = certificate_,
                   .message = fmt::format("{} is not proven: {}",
                                          check.level->name, check.objection)});
    }
    if (!accepted) return Exit::violated;
    Report report = report_of(history, std::move(*made));
    report.time_limit = kUsualTimeLimit;
    progress.clear();
    print_warnings(name, history);
    documents->add(
        {.path = name, .format = loaded->format->name, .history = history},
        report);
    return documents->finish() ? Exit::ok : Exit::error;
  }

  Error out_of_memory() const override { return too_large(certificate_); }

 private:
  struct Named {
    std::vector<std::string> paths;
    const Format* format = nullptr;
    PathsFrom from = PathsFrom::user;
  };

  // The history that is meant: what was typed, or what the certificate names.
  Result<Named> history_of(const Certificate& made) const {
    if (!history_.empty()) return Named{{history_}, format_};
    const auto refuse = [&](std::string message) {
      return Error{.where = certificate_,
                   .message = std::move(message),
                   .hint = fmt::format("Name it: awdit report HISTORY {}.",
                                       certificate_)};
    };
    if (made.origin.paths.empty()) {
      return refuse(
          "the certificate does not say which history it was made for");
    }
    for (const std::string& path : made.origin.paths) {
      if (path == "-") {
        return refuse("the certificate was made for standard input");
      }
    }
    const Format* const format =
        format_ != nullptr ? format_ : find_row(formats(), made.origin.format);
    return Named{made.origin.paths, format, PathsFrom::others};
  }

  // Why the history that a certificate names cannot be read: whether it is
  // there, and not a byte of it.
  Error unreadable(const Named& named, const std::string& name) const {
    namespace fs = std::filesystem;
    std::string why = "it does not parse as a history";
    for (const std::string& path : named.paths) {
      std::error_code code;
      const fs::file_status status = fs::status(path, code);
      if (status.type() == fs::file_type::not_found) {
        why = "there is no such file";
      } else if (code) {
        why = "permission denied";
      } else if (!fs::is_regular_file(status) && !fs::is_directory(status)) {
        why = "it is not a regular file";
      } else {
        continue;
      }
      break;
    }
    return {.where = certificate_,
            .message = fmt::format(
                "the history that the certificate names, {}, cannot be read: "
                "{}",
                name, why),
            .hint = fmt::format("If it is elsewhere, name it: awdit report "
                                "HISTORY {}.\nawdit check {} says what is "
                                "wrong with it.",
                                certificate_, name)};
  }

  std::string certificate_;
  std::string history_;             // empty: the one that the certificate names
  const Format* format_ = nullptr;  // nullptr: as in the certificate
  Outputs outputs_;
  DocumentsPlan documents_;
  unsigned threads_ = 1;
};

}  // namespace

const Command kReportCommand = {
    "report", "Report what a certificate proves, in any format", make<Tell>};

}  // namespace awdit::cli
