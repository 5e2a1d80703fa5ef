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

#include "history/history.h"
#include "report/page_quotes.h"

namespace awdit {

// `text`, visible, at most `most` code points of it and then how many there
// are: "aaaa… (10,240 characters)".
std::string cut(std::string_view text, std::size_t most);

// Code points of a key or value that are shown.
inline constexpr std::size_t kLabel = 200;

// What keys hold before anybody wrote. REQUIRES: it is known.
std::string initial_text(const History& history);

// A name of a session or transaction as sentences have it: of a long one the
// beginning and the end.
std::string cut_name(std::string_view name);

// "1.234 ms" for a distance of two times.
std::string time_text(Clock clock, std::int64_t from, std::int64_t to);

// Shortens the quotations in sentences about some operations.
class Shortener {
 public:
  // Remembers the labels of an operation if they are long.
  void add(const History& history, OpId op);
  // Remembers a name of a session or transaction likewise.
  void add_name(std::string name);
  // The sentence, visible and of bounded length.
  std::string operator()(std::string_view sentence) const;
  // What it has cost so far: see Quotes::steps.
  std::uint64_t steps() const { return quotes_.steps(); }

 private:
  void add_label(std::string label);
  Quotes quotes_;
};

}  // namespace awdit
