// Two rounds, each in parallel over pieces of columns: first every entry on its
// own (ids in range, kinds that exist, offsets that ascend), then what relates
// columns and may only be followed once the entries are known to be good.
#include "history/audit.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "history/builder.h"

namespace awdit {

struct Audit::Parts {
  struct Piece {
    std::size_t check;
    std::size_t from, to;
  };
  std::vector<Part> checks;
  std::vector<Piece> pieces;

  // check(from, to) for all of [0, count)
  void add(std::size_t count, Part check) {
    constexpr std::size_t kPiece = std::size_t{1} << 18;
    for (std::size_t from = 0; from < count; from += kPiece) {
      pieces.push_back({checks.size(), from, std::min(from + kPiece, count)});
    }
    checks.push_back(std::move(check));
  }
  void add_once(Part check) {
    pieces.push_back({checks.size(), 0, 0});
    checks.push_back(std::move(check));
  }
  // The complaint, at column[i], for the first i of [0, count) with wrong(i).
  template <typename T, typename Wrong>
  void add_each(std::size_t count, std::span<const T> column,
                const char* complaint, Wrong wrong) {
    add(count, [=](std::size_t from, std::size_t to) -> Finding {
      for (std::size_t i = from; i < to; ++i) {
        if (wrong(i)) return {complaint, &column[i]};
      }
      return {};
    });
  }

  Finding run(unsigned threads) const {
    std::vector<Finding> found(pieces.size());
    parallel_for(pieces.size(), threads, [&](std::size_t i, unsigned) {
      found[i] = checks[pieces[i].check](pieces[i].from, pieces[i].to);
    });
    for (const Finding& finding : found) {
      if (finding.complaint != nullptr) return finding;
    }
    return {};
  }
};

bool Audit::sound(Atom atom) const {
  switch (atom.kind) {
    case Atom::Kind::integer:
      return true;
    case Atom::Kind::natural:
      return atom.bits >> 63 == 1;
    case Atom::Kind::string:
      return atom.bits < history.strings().size();
    case Atom::Kind::nil:
      return atom.bits <= 1;
  }
  return false;
}

Audit::Finding Audit::sessions() const {
  const auto first = history.session_first_txn();
  if (first.front() != 0 || first.back() != history.num_txns()) {
    return {"the sessions do not hold all transactions", first.data()};
  }
  for (std::size_t s = 0; s < session_bits.size(); ++s) {
    if (first[s] > first[s + 1]) {
      return {"a session ends before it begins", &first[s]};
    }
    if (!sound({session_bits[s], Atom::Kind(session_kind[s])})) {
      return {"there is no such label of a session", &session_bits[s]};
    }
  }
  return {};
}

void Audit::add_entries(Parts& parts) const {
  const History& h = history;
  for (const TextColumn& column : texts) {
    const std::span<const std::uint64_t> first = column.first;
    parts.add_once([first, bytes = column.bytes](auto, auto) -> Finding {
      if (first.empty()) {
        if (bytes == 0) return {};
      } else if (first.front() == 0 && first.back() == bytes) {
        return {};
      }
      return {"the texts do not fill their bytes", first.data()};
    });
    parts.add_each(first.empty() ? 0 : first.size() - 1, first,
                   "a text ends before it begins",
                   [=](std::size_t i) { return first[i] > first[i + 1]; });
  }
  parts.add_once([this](auto, auto) { return sessions(); });
  parts.add_each(
      h.num_txns(), h.txn_sessions(),
      "a transaction is in another session than it says", [&h](std::size_t t) {
        const auto first = h.session_first_txn();
        const std::uint32_t s = h.txn_sessions()[t];
        return s >= h.num_sessions() || t < first[s] || t >= first[s + 1];
      });
  parts.add_each(h.num_txns(), h.txn_statuses(), "there is no such status",
                 [&h](std::size_t t) {
                   return h.txn_statuses()[t] >
                          static_cast<std::uint8_t>(Status::unknown);
                 });
  parts.add_each(txn_label.size(), txn_label,
                 "a transaction without id is not aborted",
                 [this](std::size_t t) {
                   return txn_label[t] == kNoTxnLabel &&
                          Status(history.txn_statuses()[t]) != Status::aborted;
                 });
  parts.add(txn_times.size(),
            [this](std::size_t from, std::size_t to) -> Finding {
              for (std::size_t t = from; t < to; ++t) {
                const bool ticked = !txn_ticks.empty();
                if (ends_before_it_begins(
                        txn_times[t],
                        ticked ? std::optional(txn_ticks[t]) : std::nullopt)) {
                  return {"a transaction ends before it begins", &txn_times[t],
                          kIntervalRemedy};
                }
              }
              return {};
            });
  for (const auto& notes : {txn_node, txn_meta}) {
    parts.add_each(notes.size(), notes, "there is no such text",
                   [&h, notes](std::size_t t) {
                     return notes[t] != kNoId && notes[t] >= h.strings().size();
                   });
  }
  parts.add(h.num_ops(), [&h](std::size_t from, std::size_t to) -> Finding {
    const auto words = h.op_words().subspan(from, to - from);
    std::uint32_t greatest = 0;  // a loop without branches
    for (const std::uint32_t word : words) greatest = std::max(greatest, word);
    if (greatest >> 1 < h.num_keys()) return {};
    return {"there is no such key",
            &*std::max_element(words.begin(), words.end())};
  });
  parts.add_each(
      h.op_value_kinds().size(), h.op_value_kinds(), "there is no such value",
      [this](std::size_t op) {
        return !sound(history.value(OpId(static_cast<std::uint32_t>(op))));
      });
  parts.add_each(element_kind.size(), element_kind, "there is no such value",
                 [this](std::size_t i) {
                   return !sound({elements[i], Atom::Kind(element_kind[i])});
                 });
  parts.add_each(key_kind.size(), key_kind, "there is no such label of a key",
                 [this](std::size_t k) {
                   return !sound({key_bits[k], Atom::Kind(key_kind[k])});
                 });
  if (list_first.empty()) return;
  parts.add_once([this](auto, auto) -> Finding {
    if (list_first.front() != 0 || list_first.back() != elements.size()) {
      return {"the lists do not hold all elements", list_first.data()};
    }
    return {};
  });
  parts.add_each(
      h.num_ops(), list_first, "a list ends before it begins",
      [this](std::size_t op) { return list_first[op] > list_first[op + 1]; });
}

// The input order takes each session's transactions in turn, so it holds each
// transaction once; and the operations of one follow those of the one before.
Audit::Finding Audit::order() const {
  const auto first = history.session_first_txn();
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  std::uint32_t ops = 0;
  for (const std::uint32_t& txn : history.input_order()) {
    if (txn >= history.num_txns() ||
        txn != next[history.txn_sessions()[txn]]++) {
      return {"the input order contradicts the session order", &txn};
    }
    const History::OpSpan& span = history.txn_ops()[txn];
    if (span.begin != ops || span.end < ops) {
      return {"the operations do not follow each other", &span};
    }
    ops = span.end;
  }
  if (ops != history.num_ops()) {
    return {"there are operations of no transaction",
            history.op_words().data()};
  }
  return {};
}

int Audit::compare_keys(std::size_t a, std::size_t b) const {
  const Atom x = history.key_atom(KeyId(static_cast<std::uint32_t>(a)));
  const Atom y = history.key_atom(KeyId(static_cast<std::uint32_t>(b)));
  if (x.kind != y.kind) return x.kind < y.kind ? -1 : 1;
  if (x.kind == Atom::Kind::string) {
    return history.strings()[x.bits].compare(history.strings()[y.bits]);
  }
  if (x.bits == y.bits) return 0;
  const bool less = x.kind == Atom::Kind::integer
                        ? static_cast<std::int64_t>(x.bits) <
                              static_cast<std::int64_t>(y.bits)
                        : x.bits < y.bits;
  return less ? -1 : 1;
}

Audit::Finding Audit::distinct_sessions() const {
  struct Label {
    std::uint8_t kind;
    std::uint64_t bits;
    std::string_view text;
    auto operator<=>(const Label&) const = default;
  };
  std::vector<Label> labels;
  for (std::size_t s = 0; s < session_bits.size(); ++s) {
    if (Atom::Kind(session_kind[s]) == Atom::Kind::string) {
      labels.push_back(
          {session_kind[s], 0, history.strings()[session_bits[s]]});
    } else {
      labels.push_back({session_kind[s], session_bits[s], {}});
    }
  }
  std::sort(labels.begin(), labels.end());
  if (std::adjacent_find(labels.begin(), labels.end()) != labels.end()) {
    return {"two sessions have the same label", session_bits.data()};
  }
  return {};
}

Audit::Finding Audit::lists(std::size_t from, std::size_t to) const {
  for (std::size_t i = from; i < to; ++i) {
    const OpId op(static_cast<std::uint32_t>(i));
    const std::size_t size = history.list_size(op);
    if (history.is_write(op)
            ? size != 0
            : history.value(op) !=
                  (size == 0 ? Atom::nil() : history.element(op, size - 1))) {
      return {"a list does not fit its operation", &list_first[i]};
    }
  }
  return {};
}

void Audit::add_relations(Parts& parts) const {
  parts.add_once([this](auto, auto) { return distinct_sessions(); });
  parts.add_once([this](auto, auto) { return order(); });
  parts.add_each(history.num_keys() < 2 ? 0 : history.num_keys() - 1,
                 key_bits.empty() ? key_bits : key_bits.subspan(1),
                 "the keys are not in the order of their labels",
                 [this](std::size_t k) { return compare_keys(k, k + 1) >= 0; });
  parts.add(
      list_first.empty() ? 0 : history.num_ops(),
      [this](std::size_t from, std::size_t to) { return lists(from, to); });
}

Audit::Finding Audit::run(unsigned threads) const {
  Parts entries;
  add_entries(entries);
  Finding found = entries.run(threads);
  if (found.complaint != nullptr) return found;
  if (history.initial_value() && !sound(*history.initial_value())) {
    return {"there is no such initial value", nullptr};
  }
  Parts relations;
  add_relations(relations);
  found = relations.run(threads);
  const auto statuses = history.txn_statuses();
  found.has_unknown =
      std::find(statuses.begin(), statuses.end(),
                static_cast<std::uint8_t>(Status::unknown)) != statuses.end();
  return found;
}

}  // namespace awdit
