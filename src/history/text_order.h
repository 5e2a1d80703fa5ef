// Sorts texts. Private to history/.
#pragma once

#include <cstdint>
#include <span>

#include "base/array.h"
#include "history/texts.h"

namespace awdit {

// A number of a text, and eight of its bytes, which sorting needs at hand.
struct TextToSort {
  std::uint64_t front;
  std::uint64_t number;
};

// By text, bytes without sign. REQUIRES: the numbers differ, and so do the
// texts. What `front` is does not matter.
void sort_texts(std::span<TextToSort> entries, const Texts& texts,
                unsigned threads);

}  // namespace awdit
