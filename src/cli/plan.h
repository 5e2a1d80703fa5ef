// What was typed, understood and checked: after this only the world can go
// wrong, not the question.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "check/check.h"
#include "cli/options.h"
#include "format/format.h"
#include "generate/generate.h"
#include "report/report.h"
#include "run/run.h"

namespace awdit::cli {

// What is made of results: a report on standard output, and files.
struct DocumentsPlan {
  const ReportFormat* output = nullptr;
  struct File {
    const ReportFormat* report;
    std::string path;
  };
  std::vector<File> files;
  bool quiet = false;     // nothing goes to standard output
  ReportOptions options;  // of standard output; files are never coloured
};

// A level to decide. Those that were not named are left out where a history
// has not what they need.
struct Wanted {
  const Level* level = nullptr;
  bool named = false;
};

struct CheckPlan {
  std::vector<std::string> paths;
  bool join = false;  // the paths are one history
  bool verbose = false;
  std::string name;                // of the history; empty: its paths
  const Format* format = nullptr;  // nullptr: by looking at the file
  std::vector<Wanted> levels;      // in the order of the table, each once
  bool session_order = true;
  Options options;
  DocumentsPlan documents;
  std::string certificate;  // empty: none
};

struct VerifyPlan {
  std::string history;
  std::string certificate;
  const Format* format = nullptr;
  unsigned threads = 1;
  const ReportFormat* report = nullptr;
  ReportOptions report_options;
};

struct RetellPlan {
  std::string certificate;
  std::string history;             // empty: the one that the certificate names
  const Format* format = nullptr;  // nullptr: as in the certificate
  unsigned threads = 1;
  DocumentsPlan documents;
};

struct ConvertPlan {
  std::vector<std::string> paths;  // one history together
  std::string out;                 // - is standard output
  const Format* from = nullptr;    // nullptr: by looking at the files
  const Format* to = nullptr;
  bool lossless = false;
  std::string mapping;  // empty: none
  unsigned threads = 1;
};

struct ShrinkPlan {
  std::vector<std::string> paths;  // one history together
  std::string out;                 // - is standard output
  const Format* from = nullptr;    // nullptr: by looking at the files
  const Format* to = nullptr;      // nullptr: that of the files
  std::vector<Wanted> levels;      // the weakest violated one is meant
  bool session_order = true;
  std::optional<Kind> kind;  // empty: the most basic one
  Options options;
};

struct GeneratePlan {
  Parameters parameters;
  const Format* format = nullptr;
  std::string out;  // - is standard output
  unsigned threads = 1;
};

struct RecordPlan {
  const Driver* driver = nullptr;
  DatabaseOptions database;
  const WorkloadKind* workload = nullptr;
  std::vector<std::pair<std::string_view, std::uint64_t>> settings;
  RunOptions run;  // but for the directory
  bool record = true;
  bool drop = false;               // clean up the database afterwards
  std::string out;                 // empty: nowhere in particular
  const Format* format = nullptr;  // nullptr: `out` is a directory
  bool quiet = false;
  unsigned threads = 1;
};

// Record, then check.
struct TestPlan {
  RecordPlan record;
  CheckPlan check;
};

struct StatsPlan {
  std::string path;
  const Format* format = nullptr;  // nullptr: by looking at the file
  unsigned threads = 1;
  const ReportFormat* report = nullptr;
  ReportOptions report_options;
};

struct ExplainPlan {
  std::string word;  // empty: list what there is
  ReportOptions report_options;
};

enum class Listing {
  levels,
  formats,
  anomalies,
  reports,
  drivers,
  workloads,
  faults,
  bugs
};
struct ListPlan {
  Listing what;
};

using Plan = std::variant<CheckPlan, VerifyPlan, RetellPlan, ConvertPlan,
                          ShrinkPlan, GeneratePlan, RecordPlan, TestPlan,
                          StatsPlan, ExplainPlan, ListPlan, Show, Misuse>;

// `colour`: whether the text report may use it.
Plan make_plan(Typed typed, bool colour);
// The part of it that understands `awdit generate`.
Plan plan_generate(GenerateOptions typed);
// The parts that understand `awdit record` and `awdit run`.
Plan plan_record(RecordOptions typed);
Plan plan_test(TestOptions typed, bool colour);

}  // namespace awdit::cli
