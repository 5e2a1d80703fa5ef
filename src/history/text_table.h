// Texts by number, equal texts once. Private to history/.
//
// A text is a record: a head that says its number and size, and its bytes, in
// whole words. The index knows where records begin, so that finding a text is
// two places in memory, its slot and its record, and whoever has several to
// find can ask for all slots first, then for all records. Slots are small
// because memory that is touched for the first time is dear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>

#include "base/array.h"
#include "base/flat_index.h"
#include "history/text_records.h"
#include "history/text_words.h"

namespace awdit {

class TextTable {
 public:
  std::uint32_t number(std::string_view text) {
    return number(TextWords(text), text);
  }
  // REQUIRES: these are the words of the text.
  std::uint32_t number(const TextWords& words, std::string_view text) {
    const std::uint32_t fresh = records_.next(size_of(text));
    const std::uint32_t found =
        index_.find_or_insert(words.hash(), fresh, [&](std::uint32_t place) {
          return text_of(records_.at(place)) == text;
        });
    return found == fresh ? append(text) : number_of(*records_.at(found));
  }
  // A text that is not here and will not be asked for.
  std::uint32_t append(std::string_view text) {
    if (text.size() >> 32 != 0) throw std::bad_alloc();
    const std::size_t words = size_of(text);
    const std::uint32_t place = records_.next(words);
    std::uint64_t* const record = records_.add(words);
    record[0] = std::uint64_t{text.size()} << 32 | places_.size();
    if (words != 1) {
      record[words - 1] = 0;
      std::memcpy(record + 1, text.data(), text.size());
    }
    places_.push_back(place);
    return static_cast<std::uint32_t>(places_.size() - 1);
  }
  // This text will be asked for soon; and a little later.
  void expect(const TextWords& words) const { index_.expect(words.hash()); }
  void expect_more(const TextWords& words) const {
    const std::uint32_t place = index_.likely(words.hash());
    if (records_.has(place)) __builtin_prefetch(records_.at(place));
  }
  // Nothing more will be asked for or added: only texts are left.
  void close() { index_ = {}; }

  std::size_t size() const { return places_.size(); }
  std::string_view operator[](std::size_t i) const {
    return text_of(record(i));
  }
  // Of a text, to be looked at by text_of.
  const std::uint64_t* record(std::size_t i) const {
    return records_.at(places_[i]);
  }
  static std::string_view text_of(const std::uint64_t* record) {
    return {reinterpret_cast<const char*>(record + 1), *record >> 32};
  }

 private:
  static std::uint32_t number_of(std::uint64_t head) {
    return static_cast<std::uint32_t>(head);
  }

  // Words of the record of a text.
  static std::size_t size_of(std::string_view text) {
    return 1 + (text.size() + 7) / 8;
  }

  TextRecords records_;
  PageVector<std::uint32_t> places_;  // [text] -> its record
  FlatIndex index_;                   // hash -> place
};

}  // namespace awdit
