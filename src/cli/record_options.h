// What a recording is to be, as `awdit record` and `awdit run` are told: which
// database, which workload, how much of it, which faults, and where to.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/grammar.h"
#include "format/format.h"
#include "run/run.h"

namespace awdit::cli {

struct RecordPlan {
  const Driver* driver = nullptr;
  DatabaseOptions database;
  const WorkloadKind* workload = nullptr;
  std::optional<Settings> settings;  // of the workload
  RunOptions run;                    // but for the directory
  bool record = true;
  bool drop = false;               // clean up the database afterwards
  std::string out;                 // empty: nowhere in particular
  const Format* format = nullptr;  // nullptr: `out` is a directory
  unsigned threads = 1;
};

class RecordOptions {
 public:
  void add(Grammar& grammar);
  // That nothing shall be recorded.
  void add_no_record(Grammar& grammar);
  Wrong settle();

  const RecordPlan& plan() const { return plan_; }

 private:
  void add_database(Grammar& grammar);
  void add_workload(Grammar& grammar);
  void add_faults(Grammar& grammar);
  Wrong settle_database();
  Wrong settle_knobs();
  Wrong settle_workload();
  Wrong settle_size();
  Wrong settle_faults();
  Wrong settle_out();

  RecordPlan plan_;
  const Grammar* grammar_ = nullptr;
  std::string level_;
  Promise foreign_level_;  // of a driver that alone knows its levels
  std::vector<std::string> settings_;  // name=value, of the workload
  std::vector<std::string> knobs_;     // name=value, of the database
  std::vector<std::string> faults_;    // each perhaps a list with commas
  std::chrono::milliseconds duration_{0};
  bool no_finale_ = false;
  bool no_record_ = false;
};

// The tables of databases, workloads and faults.
std::string recording_text();

}  // namespace awdit::cli
