// The store that a serial run works on. Private to generate/.
//
// A store maps *ranks* (KeyChooser) to keys and their present content, hands
// operations to a shard, and can take back what a transaction did: its writes
// are noted while it runs and undone if it shall not take effect.
//
// Popular keys are no neighbours: their labels are a random permutation.
#pragma once

#include <cstdint>
#include <vector>

#include "base/array.h"
#include "base/random.h"
#include "generate/generate.h"
#include "history/builder.h"

namespace awdit {

// Labels for keys: 1, 2, ... in the order of asking, besides the first `keys`.
class FreshKeys {
 public:
  explicit FreshKeys(std::uint32_t keys) : last_(keys) {}
  std::uint32_t take() { return ++last_; }

 private:
  std::uint32_t last_;
};

// A key holds one value; 0 before the first write.
class Registers {
 public:
  Registers(const Parameters& parameters, Random& random, FreshKeys& fresh);

  // The operations that follow are those of one transaction; `lasting`: it
  // takes effect.
  void begin(bool lasting) { lasting_ = lasting; }
  void read(Builder::Shard& shard, std::uint32_t rank) {
    const Slot slot = slots_[rank];
    shard.read(Atom::integer(slot.label), Atom::integer(slot.value));
  }
  void write(Builder::Shard& shard, std::uint32_t rank, std::uint32_t value) {
    Slot& slot = slots_[rank];
    if (!lasting_) undo_.push_back({rank, slot.value});
    slot.value = value;
    shard.write(Atom::integer(slot.label), Atom::integer(value));
  }
  void end();
  void expect(std::uint32_t rank) const {
    __builtin_prefetch(slots_.data() + rank);
  }

 private:
  struct Slot {
    std::uint32_t label;
    std::uint32_t value;
  };
  struct Undo {
    std::uint32_t rank;
    std::uint32_t value;
  };
  Array<Slot> slots_;  // [rank]
  std::vector<Undo> undo_;
  bool lasting_ = true;
};

// A key holds a list. One that has grown to the full length retires, and a
// fresh key takes its rank: otherwise reads of a popular key would make the
// history quadratic.
class Lists {
 public:
  Lists(const Parameters& parameters, Random& random, FreshKeys& fresh);

  void begin(bool lasting) { lasting_ = lasting; }
  void read(Builder::Shard& shard, std::uint32_t rank);
  void write(Builder::Shard& shard, std::uint32_t rank, std::uint32_t value);
  void end();
  void expect(std::uint32_t rank) const {
    __builtin_prefetch(slots_.data() + rank);
  }

 private:
  struct Slot {
    std::uint32_t label = 0;
    std::vector<Atom> list = {};
  };
  struct Undo {
    std::uint32_t rank;
    Slot slot;
  };

  FreshKeys& fresh_;
  std::uint32_t length_;
  std::vector<Slot> slots_;  // [rank]
  std::vector<Undo> undo_;
  bool lasting_ = true;
};

}  // namespace awdit
