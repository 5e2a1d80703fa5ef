#include "cli/from_to.h"

#include "cli/values.h"

namespace awdit::cli {

void FromTo::add_paths(Grammar& grammar) {
  grammar.arguments("IN... OUT",
                    "Inputs and the output; - is standard input or output",
                    paths);
}

void FromTo::add_formats(Grammar& grammar, const std::string& otherwise) {
  grammar.option("-f,--from", "FORMAT", "Default: recognised by its content",
                 row_into(formats(), "format", from));
  grammar.option("--to", "FORMAT", otherwise,
                 row_into(formats(), "format", to));
}

Wrong FromTo::settle() {
  if (paths.size() < 2) return Misuse{"an input and an output are needed"};
  out = std::move(paths.back());
  paths.pop_back();
  if (Wrong wrong = unless_read_once(paths)) return wrong;
  if (to == nullptr) to = format_of_name(out);
  return to == nullptr ? std::nullopt : unless_writable(*to);
}

}  // namespace awdit::cli
