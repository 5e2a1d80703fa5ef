// Texts of a history on a page: short, on one line, harmless. Private to
// src/report.
//
// A key may be 10 kB of right-to-left marks. The page shows the beginning and
// says how long it is; sentences that quote it are rewritten likewise, so that
// what follows the quotation is not lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "history/history.h"

namespace awdit {

// `text`, visible, at most `most` code points of it and then how many there
// are: "aaaa… (10,240 characters)".
std::string cut(std::string_view text, std::size_t most);

// A name of a session or transaction as sentences have it: of a long one the
// beginning and the end.
std::string cut_name(std::string_view name);

// Shortens the quotations in sentences about some operations.
class Shortener {
 public:
  // Remembers the labels of an operation if they are long.
  void add(const History& history, OpId op);
  // Remembers a name of a session or transaction likewise.
  void add_name(std::string name);
  // The sentence, visible and of bounded length.
  std::string operator()(std::string_view sentence) const;

 private:
  void add_label(std::string label);
  void enter(std::string label, std::string shorter);
  // Long label, and what stands for it; the longest first.
  std::vector<std::pair<std::string, std::string>> labels_;
};

}  // namespace awdit
