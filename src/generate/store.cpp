#include "generate/store.h"

#include <utility>

#include "base/ids.h"

namespace awdit {
namespace {

// Slots in a random order of their labels 1 ... n (Fisher and Yates).
template <typename Slot>
void shuffle_labels(Array<Slot>& slots, Random& random) {
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
    : fresh_(fresh),
      length_(parameters.list_length),
      slots_(parameters.keys, Slot{0, kNoId, 0}) {
  shuffle_labels(slots_, random);
}

void Lists::read(Builder::Shard& shard, std::uint32_t rank) {
  const Slot& slot = slots_[rank];
  list_.clear();
  const std::size_t first = std::size_t{slot.chunk} * length_;
  for (std::uint32_t i = 0; i < slot.size; ++i) {
    list_.push_back(Atom::integer(elements_[first + i]));
  }
  shard.read_list(Atom::integer(slot.label), list_);
}

std::uint32_t Lists::take_chunk() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(elements_.size() / length_));
    elements_.resize(elements_.size() + length_);
  }
  taken_.push_back(free_.back());
  free_.pop_back();
  return taken_.back();
}

void Lists::write(Builder::Shard& shard, std::uint32_t rank,
                  std::uint32_t value) {
  Slot& slot = slots_[rank];
  if (!lasting_) undo_.push_back({rank, slot});
  if (slot.size == length_) {
    left_.push_back(slot.chunk);
    slot = {fresh_.take(), kNoId, 0};
  }
  if (slot.chunk == kNoId) slot.chunk = take_chunk();
  elements_[std::size_t{slot.chunk} * length_ + slot.size++] = value;
  shard.append(Atom::integer(slot.label), Atom::integer(value));
}

void Lists::end() {
  std::vector<std::uint32_t>& unused = lasting_ ? left_ : taken_;
  free_.insert(free_.end(), unused.begin(), unused.end());
  left_.clear();
  taken_.clear();
  for (; !undo_.empty(); undo_.pop_back()) {
    slots_[undo_.back().rank] = undo_.back().slot;
  }
}

}  // namespace awdit
