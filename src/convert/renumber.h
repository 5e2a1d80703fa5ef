// New names for what a format cannot hold under its old name. Private to
// convert/.
//
// Values are numbered per key from 1 in the order of their first appearance, so
// that equal values of a key stay equal and different ones different, which is
// all that reads-from needs. What reads the initial state gets no number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/array.h"
#include "history/history.h"

namespace awdit {

// Which values of which keys are the initial state: those that count as initial
// and that nobody writes to the key.
class InitialState {
 public:
  explicit InitialState(const History& history);
  bool contains(KeyId key, Atom value) const {
    return history_.is_initial(value) && (written_[key.v] & bit(value)) == 0;
  }
  bool is_read(OpId op) const {
    return !history_.is_write(op) &&
           contains(history_.key(op), history_.value(op));
  }

 private:
  // Nil and absent are told apart; any other initial value is one.
  static std::uint8_t bit(Atom value) {
    return value.kind == Atom::Kind::nil && value.bits == 1 ? 2 : 1;
  }

  const History& history_;
  std::vector<std::uint8_t> written_;  // [key] -> bits of initial values
};

class ValueNumbers {
 public:
  ValueNumbers(const History& history, const InitialState& initial);

  // 0: the initial state.
  std::uint32_t of(OpId op) const { return numbers_[op.v]; }
  std::uint32_t of_element(OpId op, std::size_t i) const {
    return numbers_[history_.num_ops() + element_first_[op.v] + i];
  }
  // Every value with its number, by key.
  void for_each(
      const std::function<void(KeyId, Atom, std::uint32_t)>& call) const;

 private:
  struct Use {
    std::uint64_t bits;
    std::uint64_t place;  // operation, or operations + element
    std::uint32_t key;
    Atom::Kind kind;
    bool same(const Use& other) const {
      return bits == other.bits && key == other.key && kind == other.kind;
    }
  };
  const History& history_;
  std::vector<std::uint64_t> element_first_;  // [op]
  Array<Use> uses_;                           // by key, value, place
  Array<std::uint32_t> numbers_;              // [place]
};

}  // namespace awdit
