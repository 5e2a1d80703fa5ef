// Names that are numbers behind a prefix that they share: k1, k2, k17. Private
// to format/.
//
// Where each operation names its key, finding the key is the work, and it is
// waiting for memory. The number of such a name is a place in a table that is
// small and has no other name in it: no hash, no comparison.
// Invariant: whether a name is numbered depends on its bytes only, from the
// first name that is on. Before it there is none. So nobody else names these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/array.h"
#include "format/leading_digits.h"
#include "history/builder.h"

namespace awdit {

class NumberedNames {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFFu;

  // Numbers from `limit` on are names like others: the table has four bytes
  // each up to the largest.
  explicit NumberedNames(std::size_t limit)
      : limit_(limit < kNone ? limit : kNone) {}

  // The end of the name at p and its number, if it is numbered; or nullptr.
  // REQUIRES: a name begins at p, 24 bytes may be read.
  const char* find(const char* p, std::uint32_t& number) {
    if (size_ == 0) return learn(p, number);
    if ((eight_bytes(p) & mask_) != prefix_) return nullptr;
    return number_at(p + size_, number);
  }

  // The name will be asked for soon.
  void expect(std::uint32_t number) const {
    if (number < atoms_.size()) __builtin_prefetch(&atoms_[number]);
  }
  // REQUIRES: find returned the number, of this name; always the same shard.
  Atom atom(std::uint32_t number, std::string_view name,
            Builder::Shard& shard) {
    if (number >= atoms_.size()) atoms_.resize(number + std::size_t{1}, kNone);
    std::uint32_t& known = atoms_[number];
    if (known == kNone) {
      known = static_cast<std::uint32_t>(shard.new_string(name).bits);
    }
    return {known, Atom::Kind::string};
  }

 private:
  static bool is_letter(char c) {
    const auto lower = static_cast<unsigned char>(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || c == '_';
  }

  const char* number_at(const char* digits, std::uint32_t& number) const {
    std::uint64_t value = 0;
    const char* const end = usual_integer(digits, value);
    if (end == nullptr || is_letter(*end) || value >= limit_) return nullptr;
    number = static_cast<std::uint32_t>(value);
    return end;
  }

  // The first numbered name says what the prefix is.
  const char* learn(const char* p, std::uint32_t& number) {
    std::size_t size = 0;
    while (size < 8 && is_letter(p[size])) ++size;
    if (size == 0 || size == 8) return nullptr;
    const char* const end = number_at(p + size, number);
    if (end == nullptr) return nullptr;
    size_ = size;
    mask_ = (std::uint64_t{1} << (8 * size)) - 1;
    prefix_ = eight_bytes(p) & mask_;
    return end;
  }

  std::size_t limit_;
  std::size_t size_ = 0;  // of the prefix; 0: not known yet
  std::uint64_t mask_ = 0, prefix_ = 0;
  PageVector<std::uint32_t> atoms_;  // [number]; kNone: not met yet
};

}  // namespace awdit
