#include "generate/store.h"

#include <utility>

namespace awdit {
namespace {

// Slots in a random order of their labels 1 ... n (Fisher and Yates).
template <typename Slots>
void shuffle_labels(Slots& slots, Random& random) {
  const auto size = static_cast<std::uint32_t>(slots.size());
  for (std::uint32_t i = 0; i < size; ++i) slots[i].label = i + 1;
  for (std::uint32_t i = size; i > 1; --i) {
    std::swap(slots[i - 1].label, slots[random.below(i)].label);
  }
}

}  // namespace

Registers::Registers(const Parameters& parameters, Random& random,
                     FreshKeys& /*fresh*/)
    : slots_(parameters.keys, Slot{0, 0}) {
  shuffle_labels(slots_, random);
}

void Registers::end() {
  for (; !undo_.empty(); undo_.pop_back()) {
    slots_[undo_.back().rank].value = undo_.back().value;
  }
}

Lists::Lists(const Parameters& parameters, Random& random, FreshKeys& fresh)
    : fresh_(fresh), length_(parameters.list_length), slots_(parameters.keys) {
  shuffle_labels(slots_, random);
}

void Lists::read(Builder::Shard& shard, std::uint32_t rank) {
  const Slot& slot = slots_[rank];
  shard.read_list(Atom::integer(slot.label), slot.list);
}

void Lists::write(Builder::Shard& shard, std::uint32_t rank,
                  std::uint32_t value) {
  Slot& slot = slots_[rank];
  if (!lasting_) undo_.push_back({rank, slot});
  if (slot.list.size() == length_) {
    slot.label = fresh_.take();
    slot.list.clear();
  }
  slot.list.push_back(Atom::integer(value));
  shard.append(Atom::integer(slot.label), Atom::integer(value));
}

void Lists::end() {
  for (; !undo_.empty(); undo_.pop_back()) {
    slots_[undo_.back().rank] = std::move(undo_.back().slot);
  }
}

}  // namespace awdit
