// The texts of several tables as those of one. Private to history/.
#pragma once

#include <cstdint>
#include <span>

#include "base/array.h"
#include "history/text_table.h"
#include "history/texts.h"

namespace awdit {

struct MergedTexts {
  Texts texts;                 // each once, by first appearance
  Array<std::uint64_t> first;  // [table] -> where its texts begin in numbers
  Array<std::uint32_t> numbers;
  // [text of the table] -> its number among all
  std::span<const std::uint32_t> numbers_of(std::size_t table) const {
    return numbers.span().subspan(first[table],
                                  first[table + 1] - first[table]);
  }
};

// By first appearance: in the order of the tables, and of their numbers.
MergedTexts merge_texts(std::span<const TextTable* const> tables,
                        unsigned threads);

}  // namespace awdit
