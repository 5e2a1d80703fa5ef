// The manual page and the completions of shells, made from the grammar of the
// command line: an option that exists is in them. Private to src/cli.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace awdit::cli {

// What may stand for a type of option ("LEVEL") or an argument ("WHAT").
struct Values {
  std::string_view type;
  std::vector<std::string_view> names;
  // If not "": of options of this group only, and before those of any group.
  std::string_view group = {};
  // What they are if the word behind --db begins with one of these names; the
  // first if there is none. Shells that cannot look back offer `names`.
  struct OfDatabase {
    std::vector<std::string_view> databases;
    std::vector<std::string_view> names;
  };
  std::vector<OfDatabase> by_database = {};
};

// In roff, for man(1).
std::string manual(CLI::App& app, std::string_view version);

// The shells that completion() knows.
std::span<const std::string_view> shells();
// REQUIRES: one of shells().
std::string completion(CLI::App& app, std::span<const Values> values,
                       std::string_view shell);

}  // namespace awdit::cli
