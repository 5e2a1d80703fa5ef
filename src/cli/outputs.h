// What is made of results: the report on standard output (--output, --json),
// reports in files (--report), how much they tell (--limit), and whether
// anything is told at all (-q).
//
// -o once was --output; where it is not the file that a command writes, it
// still takes the name of a report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/documents.h"
#include "cli/grammar.h"
#include "report/report.h"

namespace awdit::cli {

// The report that is printed.
class Printed {
 public:
  void add(Grammar& grammar, const std::string& text);
  // Text, unless told otherwise.
  Wrong settle();
  // The same for a command of which only some reports tell.
  Wrong settle(std::string_view command,
               bool (*tells)(const ReportFormat& row));

  // -o, as it was.
  void add_old_letter(Grammar& grammar);
  void ask_for(const std::string& report) { output_ = report; }

  // Whether -q leaves it out.
  bool left_out() const { return quiet() && !json_ && output_.empty(); }
  const ReportFormat& report() const { return *report_; }
  // Tells that there is no result, on both standard outputs.
  void fail(std::string_view path, const Error& error, Output& out) const;

 private:
  std::string output_;
  bool json_ = false;
  const ReportFormat* report_ = nullptr;
};

// All reports about histories.
class Outputs {
 public:
  // `letter`: whether -o is another name of --report.
  void add(Grammar& grammar, const std::string& text, bool letter);
  void add_limit(Grammar& grammar);
  // `histories`: how many there are.
  Wrong settle(std::size_t histories, DocumentsPlan& plan);

  // Where reports are written.
  const std::vector<std::string>& files() const { return files_; }

 private:
  Printed printed_;
  std::vector<std::string> files_;
  std::uint32_t limit_ = ReportOptions{}.limit;
};

// -q, of a command that prints a report or none.
void add_quiet(Grammar& grammar, bool reports);

}  // namespace awdit::cli
