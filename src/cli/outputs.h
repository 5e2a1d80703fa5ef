// What is made of results: the report on standard output (-o, --json), reports
// in files (--report), and how much they tell (--limit).
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
  // `names` of the option that says which.
  void add(Grammar& grammar, const std::string& names, const std::string& text);
  // Text, unless told otherwise.
  Wrong settle();
  // The same for a command of which only some reports tell.
  Wrong settle(std::string_view command,
               bool (*tells)(const ReportFormat& row));

  bool asked_for() const { return json_ || !output_.empty(); }
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
  void add(Grammar& grammar, const std::string& names, const std::string& text);
  void add_limit(Grammar& grammar);
  // `histories`: how many there are.
  Wrong settle(std::size_t histories, DocumentsPlan& plan);

  bool asked_for() const { return printed_.asked_for(); }
  // Where reports are written.
  const std::vector<std::string>& files() const { return files_; }

 private:
  Printed printed_;
  std::vector<std::string> files_;
  std::uint32_t limit_ = ReportOptions{}.limit;
};

}  // namespace awdit::cli
