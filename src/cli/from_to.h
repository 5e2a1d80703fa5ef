// IN... OUT, --from and --to: what is read and what is written, of the commands
// that make one history of another.
#pragma once

#include <string>
#include <vector>

#include "cli/grammar.h"
#include "format/format.h"

namespace awdit::cli {

struct FromTo {
  std::vector<std::string> paths;  // one history together
  std::string out;                 // - is standard output
  const Format* from = nullptr;    // nullptr: by looking at the files
  const Format* to = nullptr;      // nullptr: neither typed nor told by `out`

  void add_paths(Grammar& grammar);
  void add_formats(Grammar& grammar, const std::string& otherwise);
  Wrong settle();
};

}  // namespace awdit::cli
