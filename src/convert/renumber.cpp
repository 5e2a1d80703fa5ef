#include "convert/renumber.h"

#include <algorithm>
#include <tuple>

namespace awdit {

InitialState::InitialState(const History& history)
    : history_(history), written_(history.num_keys(), 0) {
  if (!history.initial_value()) return;
  for (std::uint32_t i = 0; i < history.num_ops(); ++i) {
    const OpId op(i);
    if (history.is_write(op) && history.is_initial(history.value(op))) {
      std::uint8_t& written = written_[history.key(op).v];
      written = static_cast<std::uint8_t>(written | bit(history.value(op)));
    }
  }
}

// Equal values are brought together by sorting; the first place of each run is
// where the value appears first.
ValueNumbers::ValueNumbers(const History& history, const InitialState& initial)
    : history_(history) {
  const std::uint64_t ops = history.num_ops();
  std::uint64_t elements = 0;
  if (history.has_lists()) {
    element_first_.resize(ops);
    for (std::uint32_t i = 0; i < ops; ++i) {
      element_first_[i] = elements;
      elements += history.list_size(OpId(i));
    }
  }
  numbers_ = Array<std::uint32_t>(ops + elements, 0);
  uses_ = Array<Use>(ops + elements);
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < ops; ++i) {
    const OpId op(i);
    const KeyId key = history.key(op);
    const Atom value = history.value(op);
    if (!initial.is_read(op)) {
      uses_[count++] = {value.bits, i, key.v, value.kind};
    }
    if (!history.has_lists()) continue;
    for (std::size_t e = 0; e < history.list_size(op); ++e) {
      const Atom element = history.element(op, e);
      uses_[count++] = {element.bits, ops + element_first_[i] + e, key.v,
                        element.kind};
    }
  }
  std::sort(uses_.begin(), uses_.begin() + count,
            [](const Use& a, const Use& b) {
              return std::tuple(a.key, a.kind, a.bits, a.place) <
                     std::tuple(b.key, b.kind, b.bits, b.place);
            });

  // Keep the first use of each value, then number them by it, key by key.
  std::size_t values = 0;
  std::vector<std::uint32_t> run_of(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || !uses_[i].same(uses_[i - 1])) ++values;
    run_of[i] = static_cast<std::uint32_t>(values - 1);
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> firsts(values);
  std::vector<std::uint32_t> key_of(values);
  for (std::size_t i = count; i-- > 0;) {
    firsts[run_of[i]] = {uses_[i].place, run_of[i]};
    key_of[run_of[i]] = uses_[i].key;
  }
  std::vector<std::uint32_t> number(values);
  for (std::size_t from = 0; from < values;) {
    std::size_t to = from;
    while (to < values &&
           key_of[firsts[to].second] == key_of[firsts[from].second]) {
      ++to;
    }
    std::sort(firsts.begin() + static_cast<std::ptrdiff_t>(from),
              firsts.begin() + static_cast<std::ptrdiff_t>(to));
    for (std::size_t i = from; i < to; ++i) {
      number[firsts[i].second] = static_cast<std::uint32_t>(i - from + 1);
    }
    from = to;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    numbers_[uses_[i].place] = number[run_of[i]];
    if (i == 0 || run_of[i] != run_of[i - 1]) uses_[kept++] = uses_[i];
  }
  Array<Use> first_uses(kept);
  std::copy_n(uses_.begin(), kept, first_uses.begin());
  uses_ = std::move(first_uses);
}

void ValueNumbers::for_each(
    const std::function<void(KeyId, Atom, std::uint32_t)>& call) const {
  for (const Use& use : uses_) {
    call(KeyId(use.key), {use.bits, use.kind}, numbers_[use.place]);
  }
}

}  // namespace awdit
