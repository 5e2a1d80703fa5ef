// The appends of one key, by element and by transaction. Private to check/.
//
// They are kept in the order in which they are added; those of one transaction
// (its *block*) must be added one after the other, in program order. Appends of
// equal elements form a group, known by its first: committed ones first, then
// those of unknown outcome, then aborted ones. Equal elements are rare, so only
// keys that have some are sorted.
// Cost: O(n) expected to enter n appends, O(n log n) with equal elements.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include "base/flat_index.h"
#include "history/history.h"

namespace awdit {

struct Append {
  Atom element;
  std::uint32_t op;
  std::uint32_t txn;
  std::uint32_t block;      // the first append of the transaction
  std::uint32_t block_end;  // behind its last one
  Status status;
};

class Appends {
 public:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFFu;

  void clear() { appends_.clear(); }
  void add(Atom element, std::uint32_t op, std::uint32_t txn, Status status) {
    const auto number = static_cast<std::uint32_t>(appends_.size());
    const bool goes_on = number != 0 && appends_.back().txn == txn;
    appends_.push_back({element, op, txn,
                        goes_on ? appends_.back().block : number, number + 1,
                        status});
  }

  // Makes them findable.
  void finish() {
    const std::size_t capacity = std::bit_ceil(appends_.size() * 2 + 1);
    mask_ = capacity - 1;
    slots_.assign(capacity, 0);
    sorted_.clear();
    group_.clear();
    several_unknown_ = false;
    for (std::size_t i = appends_.size(); i-- > 1;) {
      if (appends_[i - 1].txn != appends_[i].txn) continue;
      appends_[i - 1].block_end = appends_[i].block_end;
    }
    bool equal = false;
    for (std::uint32_t i = 0; i < appends_.size(); ++i) {
      std::uint64_t at = hash_of(appends_[i].element) & mask_;
      while (slots_[at] != 0 &&
             !(appends_[slots_[at] - 1].element == appends_[i].element)) {
        at = (at + 1) & mask_;
      }
      equal |= slots_[at] != 0;
      if (slots_[at] == 0) slots_[at] = i + 1;
    }
    if (equal) sort_groups();
  }

  std::uint32_t size() const {
    return static_cast<std::uint32_t>(appends_.size());
  }
  const Append& operator[](std::uint32_t append) const {
    return appends_[append];
  }
  // The append with the best claim to the element, which stands for its group;
  // kNone: nobody appended it.
  std::uint32_t find(Atom element) const {
    for (std::uint64_t at = hash_of(element) & mask_;; at = (at + 1) & mask_) {
      if (slots_[at] == 0) return kNone;
      if (appends_[slots_[at] - 1].element == element) return slots_[at] - 1;
    }
  }
  // The one that stands for the append's group.
  std::uint32_t group(std::uint32_t append) const {
    return group_.empty() ? append : group_[append];
  }

  // Whether some element was appended by several transactions, each of unknown
  // outcome.
  bool several_unknown() const { return several_unknown_; }
  // The appends of unknown outcome in the group of `best`, ascending by
  // operation. REQUIRES: several_unknown().
  std::span<const std::uint32_t> unknown_ones(std::uint32_t best) const {
    const auto begin = sorted_.begin() + place_[best];
    const auto end =
        std::partition_point(begin, sorted_.end(), [&](std::uint32_t append) {
          return group_[append] == best &&
                 appends_[append].status == Status::unknown;
        });
    return {begin, end};
  }
  // The append with the best claim for a reader with the operations `own`:
  // among those of unknown outcome one's own comes first.
  std::uint32_t claim_for(std::uint32_t best, History::OpSpan own) const {
    if (!several_unknown_) return best;
    const auto unknown = unknown_ones(best);
    const auto mine = std::ranges::partition_point(
        unknown,
        [&](std::uint32_t append) { return appends_[append].op < own.begin; });
    return mine != unknown.end() && appends_[*mine].op < own.end ? *mine : best;
  }

 private:
  static int rank(Status status) {
    return status == Status::committed ? 0 : status == Status::unknown ? 1 : 2;
  }
  static std::uint64_t hash_of(Atom atom) {
    return mix64(atom.bits ^ (static_cast<std::uint64_t>(atom.kind) << 56));
  }

  void sort_groups() {
    const std::uint32_t count = size();
    sorted_.resize(count);
    std::iota(sorted_.begin(), sorted_.end(), 0u);
    const auto key = [&](std::uint32_t i) {
      const Append& a = appends_[i];
      return std::tuple(a.element, rank(a.status), a.op);
    };
    std::ranges::sort(sorted_, {}, key);
    group_.resize(count);
    place_.resize(count);
    std::ranges::fill(slots_, 0u);
    for (std::uint32_t at = 0; at < count; ++at) {
      const std::uint32_t i = sorted_[at];
      place_[i] = at;
      if (at != 0 && appends_[sorted_[at - 1]].element == appends_[i].element) {
        group_[i] = group_[sorted_[at - 1]];
        several_unknown_ |= appends_[i].status == Status::unknown &&
                            appends_[group_[i]].status == Status::unknown;
        continue;
      }
      group_[i] = i;
      std::uint64_t slot = hash_of(appends_[i].element) & mask_;
      while (slots_[slot] != 0) slot = (slot + 1) & mask_;
      slots_[slot] = i + 1;
    }
  }

  std::vector<Append> appends_;
  std::vector<std::uint32_t> slots_;  // append + 1, or 0
  std::uint64_t mask_ = 0;
  // Of keys with equal elements; empty otherwise.
  std::vector<std::uint32_t> sorted_;  // appends, group by group
  std::vector<std::uint32_t> place_;   // [append] in sorted_
  std::vector<std::uint32_t> group_;   // [append]
  bool several_unknown_ = false;
};

}  // namespace awdit
