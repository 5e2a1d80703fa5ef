#include "cli/outputs.h"

#include <fmt/format.h>

#include "base/table.h"
#include "cli/values.h"

namespace awdit::cli {
namespace {

// As many as AtomicFile can watch over, less one for a certificate.
constexpr std::size_t kMostReports = 15;

// "text or json": of those rows that `wanted` likes.
std::string listed(std::string_view between,
                   std::string_view ReportFormat::*text,
                   bool (*wanted)(const ReportFormat& row)) {
  std::string names;
  for (const ReportFormat& row : reports()) {
    if (!wanted(row)) continue;
    if (!names.empty()) names += between;
    names += row.*text;
  }
  return names;
}

}  // namespace

void Printed::add(Grammar& grammar, const std::string& text) {
  grammar.option("--output", "REPORT", text, output_, names_of(reports()));
  grammar.flag("--json", "The same as --output json", json_);
}

void Printed::add_old_letter(Grammar& grammar) {
  grammar.old_option("-o", output_);
}

Wrong Printed::settle() {
  report_ = find_row(reports(), output_.empty() ? json_ ? "json" : "text"
                                                : std::string_view(output_));
  if (report_ == nullptr) {
    return Misuse{unknown_name_message("report", output_, reports())};
  }
  if (json_ && report_->name != "json") {
    return Misuse{fmt::format("--json and --output {} cannot be combined",
                              report_->name)};
  }
  return std::nullopt;
}

Wrong Printed::settle(std::string_view command,
                      bool (*tells)(const ReportFormat& row)) {
  if (Wrong wrong = settle()) return wrong;
  if (tells(*report_)) return std::nullopt;
  return Misuse{fmt::format("{} prints {}, not {}", command,
                            listed(" or ", &ReportFormat::name, tells),
                            report_->name)};
}

void Printed::fail(std::string_view path, const Error& error,
                   Output& out) const {
  print_error(error);
  Sink sink = out.sink();
  report_->write_error(path, error, sink);
}

void Outputs::add(Grammar& grammar, const std::string& text, bool letter) {
  printed_.add(grammar, text);
  grammar.options(letter ? "-o,--report" : "--report", "FILE",
                  "Write a report to this file, of the kind that its "
                  "name\nsays; may be given several times",
                  files_);
  add_quiet(grammar, true);
}

void Outputs::add_limit(Grammar& grammar) {
  grammar.option("--limit", "N",
                 "Findings per kind, in reports for people (default 3, 0: all)",
                 value_into(limit_, "a whole number, 0 for no limit", number));
}

Wrong Outputs::settle(std::size_t histories, DocumentsPlan& plan) {
  // What -o once meant. No report is told by such a name of a file.
  std::erase_if(files_, [this](const std::string& file) {
    const bool kind = find_row(reports(), file) != nullptr;
    if (kind) printed_.ask_for(file);
    return kind;
  });
  plan.quiet = printed_.left_out();
  if (Wrong wrong = printed_.settle()) return wrong;
  plan.output = &printed_.report();
  if (files_.size() > kMostReports) {
    return Misuse{
        fmt::format("--report may be given at most {} times", kMostReports)};
  }
  if (Wrong wrong = unless_apart(files_)) return wrong;
  std::vector<const ReportFormat*> rows = {plan.output};
  for (const std::string& path : files_) {
    const ReportFormat* const row = report_of_name(path);
    if (row == nullptr) {
      return Misuse{fmt::format(
          "the name '{}' does not say which report to write; known endings: "
          "{}",
          path, listed(", ", &ReportFormat::extension, [](const ReportFormat&) {
            return true;
          }))};
    }
    plan.files.push_back({row, path});
    rows.push_back(row);
  }
  for (const ReportFormat* row : rows) {
    if (histories < 2 || row->several) continue;
    return Misuse{
        fmt::format("a report as {} covers one history: check them one at a "
                    "time (--join is for the parts of one recording)",
                    row->name)};
  }
  plan.options.limit = limit_;
  plan.options.several = histories > 1;
  plan.options.version = AWDIT_VERSION;
  return std::nullopt;
}

void add_quiet(Grammar& grammar, bool reports) {
  grammar.flag("-q,--quiet",
               reports ? "Print nothing but errors, unless --output or --json "
                         "is given"
                       : "Print nothing but errors",
               quiet());
}

}  // namespace awdit::cli
