// What a job may find without failing: --allow KIND, --expect FILE, and
// --write-baseline FILE, which writes such a file.
//
// A baseline is a text: a name of an anomaly per line, # before remarks. What
// it allows is told in every report, but no reason for exit code 1. Undecided
// levels and errors are never expected.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/atomic_file.h"
#include "cli/grammar.h"
#include "tell/tell.h"

namespace awdit::cli {

struct ExpectedPlan {
  Known allowed;         // by --allow
  std::string path;      // of a baseline to be read; "": none
  std::string baseline;  // to be written; "": none
  // Whether all that was found is expected, because it becomes the baseline.
  bool writes() const { return !baseline.empty(); }
};

// The options.
class ExpectedOptions {
 public:
  void add(Grammar& grammar);
  // `first`: whether --first is given, which would hide what is new.
  Wrong settle(bool first, ExpectedPlan& plan) const;

 private:
  std::vector<std::string> kinds_;
  std::string path_, baseline_;
};

// What is known, and what was found, in one run.
class Expected {
 public:
  // Reads the baseline, and makes sure that another can be written; `never`:
  // paths that must not be overwritten.
  static Result<Expected> open(const ExpectedPlan& plan,
                               const std::vector<std::string>& never);

  const Known& known() const { return known_; }
  // Of one history.
  void note(const Report& report);
  // Whether that level's violations are no news.
  bool expects(const Report& report, const LevelReport& level) const;
  // Writes the baseline; says which lines of the other one were not needed.
  Outcome finish(bool everything_was_decided);

 private:
  struct Line {
    Kind kind;
    std::size_t number;
  };
  Outcome read(const std::string& path);

  Known known_;
  std::string path_;
  std::vector<Line> lines_;
  std::vector<std::uint64_t> found_;  // [kind]
  std::optional<AtomicFile> baseline_;
};

}  // namespace awdit::cli
