// Long texts quoted in a sentence, all of them replaced in one pass. Private to
// src/report.
//
// Keys of 300 kB that differ in their last byte only are what looking for one
// text after the other, byte by byte, is worst at: at every place of every one
// of them it compares nearly all of it. Here a window of the sentence is
// compared by its fingerprint: polynomials modulo the prime 2^61 - 1, of which
// one table per sentence gives that of every window at once (Karp and Rabin,
// 1987). What has the right fingerprint is then compared in full, and skipped
// as a whole if it is equal. So the cost is that of reading the sentence, and a
// probe per text that begins with the same kHead bytes, at most kMost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace awdit {

class Quotes {
 public:
  static constexpr std::size_t kHead = 61;  // bytes of a text, at least
  static constexpr std::size_t kMost = 200;

  // Remembers `text` and what is to stand for it. What is known already is
  // ignored, and what is more than kMost: a bound for the hostile.
  // REQUIRES: text.size() >= kHead.
  void add(std::string text, std::string shorter);

  // The sentence; where several texts begin at a place the longest counts.
  std::string replaced(std::string_view sentence) const;

  // Fingerprints made and compared, bytes compared: what all that has cost.
  std::uint64_t steps() const { return steps_; }

 private:
  struct Entry {
    std::uint64_t head;   // fingerprint of the first kHead bytes
    std::uint64_t whole;  // of all
    std::uint64_t power;  // that shifts by as many bytes
    std::string text, shorter;
  };
  std::vector<Entry> entries_;  // by head, the longest first
  mutable std::uint64_t steps_ = 0;
};

}  // namespace awdit
