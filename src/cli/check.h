// Checking histories, for the commands that do: `awdit check`, and `awdit run`
// with what it recorded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "cli/console.h"
#include "cli/documents.h"
#include "cli/expected.h"
#include "cli/isolation.h"
#include "format/format.h"

namespace awdit::cli {

struct CheckPlan {
  std::vector<std::string> paths;
  bool join = false;  // the paths are one history
  bool verbose = false;
  std::string name;                // of the history; empty: its paths
  const Format* format = nullptr;  // nullptr: by looking at the file
  Isolation isolation;
  Options options;
  DocumentsPlan documents;
  ExpectedPlan expected;
  std::string certificate;  // empty: none
};

// --certificate
void add_certificate(Grammar& grammar, std::string& path);

// `loaded`: what the plan's only path holds, if it has been read already.
Result<Exit> check_histories(const CheckPlan& plan, Output& out,
                             std::optional<Loaded> loaded = std::nullopt);

// The exit code that a check's verdicts deserve, but for what is expected.
Exit exit_of(const Report& report, const Expected* expected = nullptr);

}  // namespace awdit::cli
