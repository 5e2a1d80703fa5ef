#include "convert/plan.h"

#include <algorithm>

#include "base/counted.h"
#include "base/utf8.h"

namespace awdit {
namespace {

using Initial = Capacity::Initial;

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return letter(c) || (c >= '0' && c <= '9');
         });
}

Initial initial_kind_of(const Capacity& capacity, const History& history) {
  const std::optional<Atom> value = history.initial_value();
  return capacity.initial == Initial::any && capacity.utf8 && value &&
                 is_broken_text(history, *value)
             ? Initial::nil
             : capacity.initial;
}

std::optional<Atom> initial_of(Initial kind, const History& history) {
  switch (kind) {
    case Initial::none:
      return std::nullopt;
    case Initial::zero:
      return Atom::integer(0);
    case Initial::nil:
    case Initial::nil_or_absent:
      return Atom::nil();
    case Initial::any:
      return history.initial_value();
  }
  return std::nullopt;
}

}  // namespace

bool is_broken_text(const History& history, Atom atom) {
  return atom.kind == Atom::Kind::string &&
         !is_utf8(history.strings()[atom.bits]);
}

Plan::Plan(const History& from, const Format& target, const FitOptions& how)
    : history(from),
      capacity(target.capacity),
      options(how),
      initial_state(from),
      initial_kind(initial_kind_of(capacity, from)),
      initial(initial_of(initial_kind, from)),
      fate(from.num_txns(), Fate::keep) {}

bool Plan::holds(Atom atom, Capacity::Atoms wanted) const {
  using Atoms = Capacity::Atoms;
  if (capacity.utf8 && is_broken_text(history, atom)) return false;
  const bool integer = atom.kind == Atom::Kind::integer;
  const bool negative = integer && (atom.bits >> 63) != 0;
  switch (wanted) {
    case Atoms::none:
      return false;
    case Atoms::naturals:
      return integer && !negative;
    case Atoms::words:
      return (integer && !negative) || atom.kind == Atom::Kind::natural;
    case Atoms::integers:
      return integer;
    case Atoms::identifiers:
      return atom.kind == Atom::Kind::string &&
             is_identifier(history.strings()[atom.bits]);
    case Atoms::labels:
      return atom.kind != Atom::Kind::nil;
    case Atoms::any:
      return true;
  }
  return false;
}

bool Plan::holds_text(std::string_view text) const {
  return !capacity.utf8 || is_utf8(text);
}

bool Plan::is_idle_read(TxnId txn, OpId op) const {
  if (history.is_write(op) || status_of(txn) == Status::committed) return false;
  // Also a nil that somebody wrote.
  const bool nil = history.value(op).kind == Atom::Kind::nil &&
                   (!history.has_lists() || history.list_size(op) == 0);
  return nil || initial_state.contains(history.key(op), history.value(op));
}

void settle_notes(Plan& plan) {
  const History& history = plan.history;
  const Capacity& capacity = plan.capacity;
  std::uint64_t times = 0, ticks = 0, nodes = 0, metas = 0;
  for (const TxnId txn : history.txns()) {
    times += history.times(txn).has_value();
    ticks += history.ticks(txn).has_value();
    nodes += !history.node(txn).empty() && !plan.keeps_node(txn);
    metas += !history.meta(txn).empty() && !plan.keeps_meta(txn);
  }
  plan.keep_times =
      (capacity.clocks >> static_cast<unsigned>(history.clock()) & 1) != 0;
  // As times of one clock they would prove what nobody knows.
  const ClockDomains& domains = history.clock_domains();
  plan.keep_domains =
      capacity.clock_domains &&
      std::all_of(
          domains.names().begin(), domains.names().end(),
          [&](const std::string& name) { return plan.holds_text(name); });
  const bool several = !history.has_one_clock() && !plan.keep_domains;
  if (domains.size() != 0 && !plan.keep_domains) {
    if (times != 0 && plan.keep_times && !several) {
      plan.lose("the name of the clock");
    }
    plan.changes = true;
  }
  plan.keep_times = plan.keep_times && !several;
  plan.keep_ticks = plan.keep_times && capacity.ticks;
  // A clock that nobody looked at goes without a word.
  plan.changes |= !plan.keep_times && history.clock() != Clock::none;
  if (times != 0 && !plan.keep_times) {
    plan.lose("the times of " + counted(times, "transaction") +
              (several ? ", which are of several clocks" : ""));
  } else if (ticks != 0 && !plan.keep_ticks) {
    plan.lose("the order of equal times of " + counted(ticks, "transaction"));
  }
  if (nodes != 0) plan.lose("the nodes of " + counted(nodes, "transaction"));
  if (metas != 0) plan.lose("the metadata of " + counted(metas, "transaction"));
  if (!history.about().empty() && !capacity.about) {
    plan.lose("what the recorder said about the whole history");
  }
}

}  // namespace awdit
