// The words that explanations use, each with a line that says what it means.
// Part of tell/tell.h.
#pragma once

#include <span>
#include <string_view>

namespace awdit {

struct Word {
  std::string_view word;     // as it stands in the text
  std::string_view meaning;  // no capital, no full stop
};

// In the order in which a glossary should have them.
std::span<const Word> terms();

}  // namespace awdit
