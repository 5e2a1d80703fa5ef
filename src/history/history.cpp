#include "history/history.h"

#include <fmt/format.h>

#include <algorithm>

namespace awdit {

std::string History::to_string(Atom atom) const {
  switch (atom.kind) {
    case Atom::Kind::integer:
      return fmt::format("{}", static_cast<std::int64_t>(atom.bits));
    case Atom::Kind::natural:
      return fmt::format("{}", atom.bits);
    case Atom::Kind::string:
      return std::string(strings_[atom.bits]);
    case Atom::Kind::nil:
      return atom.bits == 0 ? "nil" : "absent";
  }
  return "?";
}

std::string History::session_label(SessionId s) const {
  return to_string(session_atom(s));
}

std::string History::session_name(SessionId s) const {
  const bool text = Atom::Kind(session_kind_[s.v]) == Atom::Kind::string;
  return (text ? "" : "s") + session_label(s);
}

std::optional<std::int64_t> History::txn_label(TxnId t) const {
  if (txn_label_.empty() || is_init(t)) return std::nullopt;
  const std::int64_t label = txn_label_[t.v];
  if (label == kNoTxnLabel) return std::nullopt;
  return label;
}

std::string History::txn_name(TxnId t) const {
  if (is_init(t)) return "init";
  if (!txn_label_.empty() && txn_label_[t.v] == kNoTxnLabel) {
    return fmt::format("{}.aborted", session_name(session(t)));
  }
  if (labels_unique_) return fmt::format("t{}", txn_label_[t.v]);
  return fmt::format("{}.{}", session_name(session(t)), input_position(t) + 1);
}

History History::without_session_order() && {
  History history = std::move(*this);
  if (!history.session_order() || history.txns_ == 0) return history;
  const std::uint32_t txns = history.txns_;
  Array<std::uint32_t> first(std::size_t{txns} + 1);
  Array<std::uint32_t> session(txns);
  Array<std::uint64_t> bits(txns);
  Array<std::uint8_t> kind(txns);
  Array<std::uint32_t> position(txns);
  for (std::uint32_t t = 0; t < txns; ++t) {
    const std::uint32_t of = history.txn_session_[t];
    first[t] = session[t] = t;
    bits[t] = history.session_bits_[of];
    kind[t] = history.session_kind_[of];
    position[t] = t - history.session_first_txn_[of];
  }
  first[txns] = txns;
  history.sessions_ = txns;
  history.session_first_txn_ = std::move(first);
  history.txn_session_ = std::move(session);
  history.session_bits_ = std::move(bits);
  history.session_kind_ = std::move(kind);
  history.session_position_ = std::move(position);
  return history;
}

History History::with_warning(std::string sentence) && {
  History history = std::move(*this);
  history.warnings_.push_back(std::move(sentence));
  return history;
}

namespace {

std::optional<History::Times> known(const Array<History::Times>& column,
                                    TxnId t) {
  if (t.v >= column.size()) return std::nullopt;
  const History::Times times = column[t.v];
  if (times.begin == kNoTime && times.end == kNoTime) return std::nullopt;
  return times;
}

}  // namespace

std::optional<History::Times> History::times(TxnId t) const {
  return known(txn_times_, t);
}

std::optional<History::Times> History::ticks(TxnId t) const {
  return known(txn_ticks_, t);
}

bool History::ended_before(TxnId a, TxnId b) const {
  // Whose outcome nobody learned may have taken effect after the client left.
  if (status(a) == Status::unknown) return false;
  const std::optional<Times> first = times(a), second = times(b);
  if (!first || !second || first->end == kNoTime || second->begin == kNoTime) {
    return false;
  }
  const std::uint32_t from = clock_domain(a), to = clock_domain(b);
  if (from != to) {
    return domains_.ended_before(from, first->end, to, second->begin);
  }
  if (first->end != second->begin) return first->end < second->begin;
  const std::optional<Times> before = ticks(a), after = ticks(b);
  return before && after && before->end != kNoTime && after->begin != kNoTime &&
         before->end < after->begin;
}

TxnId History::txn_of(OpId op) const {
  // Transactions without operations share their place with the next one; the
  // last of those that begin at or before `op` is the one that has it.
  const auto after =
      std::upper_bound(input_order_.begin(), input_order_.end(), op.v,
                       [&](std::uint32_t wanted, std::uint32_t txn) {
                         return wanted < txn_ops_[txn].begin;
                       });
  return TxnId(*(after - 1));
}

bool History::list_begins(OpId read, OpId longer) const {
  const std::size_t size = list_size(read);
  if (size > list_size(longer)) return false;
  const std::size_t a = list_first_[read.v];
  const std::size_t b = list_first_[longer.v];
  if (!elements_.same(a, b, size)) return false;
  return element_kind_.empty() ||
         std::equal(element_kind_.begin() + a, element_kind_.begin() + a + size,
                    element_kind_.begin() + b);
}

}  // namespace awdit
