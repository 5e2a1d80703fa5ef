// Dense identifiers, one type per domain, so that a transaction never indexes a
// key column by accident. `v` is the index; kNoId marks absence.
#pragma once

#include <compare>
#include <cstdint>

namespace awdit {

inline constexpr std::uint32_t kNoId = 0xFFFF'FFFFu;

template <typename Tag>
struct Id {
  std::uint32_t v = kNoId;
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t value) : v(value) {}
  constexpr bool valid() const { return v != kNoId; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using SessionId = Id<struct SessionTag>;
using TxnId = Id<struct TxnTag>;
using OpId = Id<struct OpTag>;
using KeyId = Id<struct KeyTag>;

// A half-open range [first, last) of ids; iterates as ids.
template <typename I>
struct IdRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;

  struct Iterator {
    std::uint32_t v;
    I operator*() const { return I(v); }
    Iterator& operator++() {
      ++v;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return v != other.v; }
  };
  Iterator begin() const { return {first}; }
  Iterator end() const { return {last}; }
  std::uint32_t size() const { return last - first; }
  bool empty() const { return first == last; }
  bool contains(I id) const { return first <= id.v && id.v < last; }
};

}  // namespace awdit
