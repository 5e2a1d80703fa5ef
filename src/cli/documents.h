// The reports that a command makes: one on standard output, the others in files
// that appear whole or not at all.
//
// Files are opened before the work begins, so that it is not done in vain, and
// put in place at the end. Memory is that of the reports' buffers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/console.h"
#include "report/report.h"

namespace awdit::cli {

// What is made of results: a report on standard output, and files.
struct DocumentsPlan {
  const ReportFormat* output = nullptr;
  struct File {
    const ReportFormat* report;
    std::string path;
  };
  std::vector<File> files;
  bool quiet = false;  // nothing goes to standard output
  ReportOptions options;
};

// The same options for standard output: as the terminal wants it, if it is one.
ReportOptions shown_as(ReportOptions options);

class Documents {
 public:
  // `never` are paths that must not be overwritten (the inputs). `plan` and
  // `out` must outlive the result.
  static Result<Documents> open(const DocumentsPlan& plan,
                                std::span<const std::string> never,
                                Output& out);
  Documents(Documents&&) noexcept;
  Documents& operator=(Documents&&) = delete;
  ~Documents();

  void add(const Subject& subject, const Report& report);
  void add_error(std::string_view path, const Error& error);
  // Nobody reads any of it any more: further work is in vain.
  bool closed() const;

  // Completes all of them; complains about files that could not be written.
  // Returns whether there were none.
  bool finish();

 private:
  struct Document;
  explicit Documents(Output& out);

  Output& out_;
  std::vector<std::unique_ptr<Document>> documents_;
};

}  // namespace awdit::cli
