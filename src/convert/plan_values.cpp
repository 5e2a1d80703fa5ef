// Which keys and values the target can hold, and how it tells the initial
// state. A value must not be mistaken for the target's initial one, nor for a
// number that means something else there.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "convert/plan.h"

namespace awdit {
namespace {

using Atoms = Capacity::Atoms;
using Initial = Capacity::Initial;

// All values are numbers below 2^32, which nearly every format holds: nothing
// has to be looked at one by one.
bool has_plain_values(const History& history) {
  return history.op_value_kinds().empty() && !history.op_values().is_wide() &&
         !history.has_lists();
}

// Whether reads of `value`, or of the initial state of keys to which it is
// written, would be mistaken if it became initial. `reads`: [key] -> whether
// its initial state is read; empty: nobody's is.
bool is_mistaken(const Plan& plan, Atom value,
                 const std::vector<std::uint8_t>& reads) {
  const History& history = plan.history;
  std::vector<std::uint8_t> uses(history.num_keys(), 0);
  plan.for_each_op([&](OpId op) {
    if (history.value(op) != value || plan.initial_state.is_read(op)) return;
    std::uint8_t& use = uses[history.key(op).v];
    use = static_cast<std::uint8_t>(use | (history.is_write(op) ? 1 : 2));
  });
  for (std::uint32_t k = 0; k < history.num_keys(); ++k) {
    const bool written = (uses[k] & 1) != 0;
    if (written && !reads.empty() && reads[k] != 0) return true;
    if (!written && uses[k] != 0) return true;
  }
  return false;
}

bool is_reserved(const Capacity& capacity, Atom atom) {
  return atom.kind == Atom::Kind::integer &&
         std::find(capacity.reserved.begin(), capacity.reserved.end(),
                   atom.bits) != capacity.reserved.end();
}

}  // namespace

void settle_keys(Plan& plan) {
  const History& history = plan.history;
  for (std::uint32_t k = 0; k < history.num_keys(); ++k) {
    if (plan.holds(history.key_atom(KeyId(k)), plan.capacity.keys)) continue;
    plan.renumber_keys = true;
    plan.rename(fmt::format("the names of {}: {} in their order",
                            counted(history.num_keys(), "key"),
                            plan.capacity.keys == Atoms::identifiers
                                ? "called k1, k2, ..."
                                : "numbered from 1"));
    return;
  }
}

void settle_lists(Plan& plan) {
  plan.keep_lists = plan.history.has_lists() && plan.capacity.lists;
  if (plan.history.has_lists() && !plan.capacity.lists) {
    plan.lose(
        "lists: an append is written as a write, a read by its last element");
  }
}

void settle_initial(Plan& plan) {
  const History& history = plan.history;
  const Initial kind = plan.initial_kind;
  const std::optional<Atom> theirs = history.initial_value();
  std::uint64_t absent = 0, initial = 0;
  std::vector<std::uint8_t> reads(history.num_keys(), 0);
  std::vector<std::uint8_t> absent_reads(history.num_keys(), 0);
  if (!has_plain_values(history) || theirs != plan.initial ||
      kind == Initial::none) {
    plan.for_each_op([&](OpId op) {
      if (!plan.initial_state.is_read(op)) return;
      ++initial;
      reads[history.key(op).v] = 1;
      if (history.value(op) != Atom::absent()) return;
      ++absent;
      absent_reads[history.key(op).v] = 1;
    });
  }
  if (kind != Initial::any) plan.changes |= theirs != plan.initial;
  if (kind != plan.capacity.initial) {
    plan.lose("the initial value, a text that is not UTF-8: it becomes nil");
  }
  plan.keep_absent = kind == Initial::any || kind == Initial::nil_or_absent;
  if (absent != 0 && !plan.keep_absent) {
    plan.lose(fmt::format("that {} found no key, rather than nil",
                          counted(absent, "read")));
    // They must not seem to read a nil that somebody wrote.
    plan.for_each_op([&](OpId op) {
      plan.renumber_values |= history.is_write(op) &&
                              history.value(op) == Atom::nil() &&
                              absent_reads[history.key(op).v] != 0;
    });
  }
  if (kind == Initial::none && initial != 0) {
    for (std::uint32_t k = 0; k < history.num_keys(); ++k) {
      if (reads[k] != 0) plan.init_keys.push_back(KeyId(k));
    }
    plan.lose(fmt::format(
        "the initial state of {}: an ordinary first transaction writes 0",
        counted(plan.init_keys.size(), "key")));
  }
  if (plan.capacity.zero_is_initial && !plan.keep_lists) {
    plan.renumber_values |= is_mistaken(plan, Atom::integer(0), {});
  }
  const Atom ours = plan.initial.value_or(Atom::integer(0));
  if (kind == Initial::any || theirs == ours) return;
  if (kind == Initial::none && plan.init_keys.empty()) return;
  plan.renumber_values |= is_mistaken(plan, ours, reads);
}

void settle_values(Plan& plan) {
  const History& history = plan.history;
  const Capacity& capacity = plan.capacity;
  const auto look = [&](Atom value) {
    plan.renumber_values |=
        !plan.holds(value, capacity.values) || is_reserved(capacity, value);
  };
  const bool all_fit = has_plain_values(history) && capacity.reserved.empty() &&
                       capacity.values != Atoms::none &&
                       capacity.values != Atoms::identifiers;
  if (!all_fit) {
    plan.for_each_op([&](OpId op) {
      if (plan.renumber_values) return;
      if (!plan.initial_state.is_read(op)) look(history.value(op));
      if (!plan.keep_lists) return;
      for (std::size_t i = 0; i < history.list_size(op); ++i) {
        look(history.element(op, i));
      }
    });
  }
  if (!plan.renumber_values) return;
  plan.rename("the values: numbered per key from 1 in their order");
  plan.numbers.emplace(history, plan.initial_state);
}

}  // namespace awdit
