// Stretches of the guessed order. Private to check/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace awdit {

// Ranks, inclusive.
struct RankSpan {
  std::uint32_t first;
  std::uint32_t last;
};

// Sorts spans and joins those that overlap.
inline void merge_spans(std::vector<RankSpan>& spans) {
  std::ranges::sort(spans, {}, &RankSpan::first);
  std::size_t kept = 0;
  for (const RankSpan& span : spans) {
    if (kept != 0 && span.first <= spans[kept - 1].last) {
      spans[kept - 1].last = std::max(spans[kept - 1].last, span.last);
    } else {
      spans[kept++] = span;
    }
  }
  spans.resize(kept);
}

}  // namespace awdit
