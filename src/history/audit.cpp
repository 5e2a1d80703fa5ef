// Two rounds, each in parallel over pieces of columns: first every entry on its
// own (ids in range, kinds that exist, offsets that ascend), then what relates
// columns and may only be followed once the entries are known to be good.
#include "history/audit.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "history/builder.h"
#include "history/key_table.h"

namespace awdit {

struct HistoryImage::Audit::Parts {
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
  void add_each(std::size_t count, const T* column, const char* complaint,
                Wrong wrong) {
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

bool HistoryImage::Audit::sound(Atom atom) const {
  switch (atom.kind) {
    case Atom::Kind::integer:
      return true;
    case Atom::Kind::natural:
      return atom.bits >> 63 == 1;
    case Atom::Kind::string:
      return atom.bits < h.strings().size();
    case Atom::Kind::nil:
      return atom.bits <= 1;
  }
  return false;
}

HistoryImage::Audit::Finding HistoryImage::Audit::sessions() const {
  const auto first = h.session_first_txn();
  if (first.front() != 0 || first.back() != h.num_txns()) {
    return {"the sessions do not hold all transactions", first.data()};
  }
  for (std::size_t s = 0; s < h.session_bits_.size(); ++s) {
    if (first[s] > first[s + 1]) {
      return {"a session ends before it begins", &first[s]};
    }
    if (!sound({h.session_bits_[s], Atom::Kind(h.session_kind_[s])})) {
      return {"there is no such label of a session", &h.session_bits_[s]};
    }
  }
  return {};
}

void HistoryImage::Audit::add_entries(Parts& parts) const {
  for (const Texts* texts :
       {&h.strings_, &extras.warnings, &extras.about, &extras.domains}) {
    const std::span<const std::uint64_t> first = texts->first_;
    parts.add_once(
        [first, bytes = texts->bytes_.size()](auto, auto) -> Finding {
          if (first.empty()) {
            if (bytes == 0) return {};
          } else if (first.front() == 0 && first.back() == bytes) {
            return {};
          }
          return {"the texts do not fill their bytes", first.data()};
        });
    parts.add_each(first.empty() ? 0 : first.size() - 1, first.data(),
                   "a text ends before it begins",
                   [=](std::size_t i) { return first[i] > first[i + 1]; });
  }
  parts.add_once([this](auto, auto) { return sessions(); });
  parts.add_each(h.num_txns(), h.txn_sessions().data(),
                 "a transaction is in another session than it says",
                 [this](std::size_t t) {
                   const auto first = h.session_first_txn();
                   const std::uint32_t s = h.txn_sessions()[t];
                   return s >= h.num_sessions() || t < first[s] ||
                          t >= first[s + 1];
                 });
  parts.add_each(h.num_txns(), h.txn_statuses().data(),
                 "there is no such status", [this](std::size_t t) {
                   return h.txn_statuses()[t] >
                          static_cast<std::uint8_t>(Status::unknown);
                 });
  parts.add_each(h.txn_label_.size(), h.txn_label_.data(),
                 "a transaction without id is not aborted",
                 [this](std::size_t t) {
                   return h.txn_label_[t] == kNoTxnLabel &&
                          Status(h.txn_statuses()[t]) != Status::aborted;
                 });
  parts.add(
      h.txn_times_.size(), [this](std::size_t from, std::size_t to) -> Finding {
        for (std::size_t t = from; t < to; ++t) {
          const bool ticked = !h.txn_ticks_.empty();
          if (ends_before_it_begins(
                  h.txn_times_[t],
                  ticked ? std::optional(h.txn_ticks_[t]) : std::nullopt)) {
            return {"a transaction ends before it begins", &h.txn_times_[t],
                    kIntervalRemedy};
          }
        }
        return {};
      });
  for (const std::span<const std::uint32_t> notes :
       {h.txn_node_.span(), h.txn_meta_.span()}) {
    parts.add_each(notes.size(), notes.data(), "there is no such text",
                   [this, notes](std::size_t t) {
                     return notes[t] != kNoId && notes[t] >= h.strings().size();
                   });
  }
  parts.add(h.num_ops(), [this](std::size_t from, std::size_t to) -> Finding {
    const auto words = h.op_words().subspan(from, to - from);
    std::uint32_t greatest = 0;  // a loop without branches
    for (const std::uint32_t word : words) greatest = std::max(greatest, word);
    if (greatest >> 1 < h.num_keys()) return {};
    return {"there is no such key",
            &*std::max_element(words.begin(), words.end())};
  });
  parts.add_each(h.op_value_kind_.size(), h.op_value_kind_.data(),
                 "there is no such value", [this](std::size_t op) {
                   return !sound(h.value(OpId(static_cast<std::uint32_t>(op))));
                 });
  parts.add_each(
      h.element_kind_.size(), h.element_kind_.data(), "there is no such value",
      [this](std::size_t i) {
        return !sound({h.elements_[i], Atom::Kind(h.element_kind_[i])});
      });
  parts.add_each(h.key_kind_.size(), h.key_kind_.data(),
                 "there is no such label of a key", [this](std::size_t k) {
                   return !sound({h.key_bits_[k], Atom::Kind(h.key_kind_[k])});
                 });
  if (h.list_first_.empty()) return;
  parts.add_once([this](auto, auto) -> Finding {
    if (h.list_first_[0] != 0 ||
        h.list_first_[h.num_ops()] != h.elements_.size()) {
      return {"the lists do not hold all elements", h.list_first_.data()};
    }
    return {};
  });
  parts.add_each(h.num_ops(), h.list_first_.data(),
                 "a list ends before it begins", [this](std::size_t op) {
                   return h.list_first_[op] > h.list_first_[op + 1];
                 });
}

// The input order takes each session's transactions in turn, so it holds each
// transaction once; and the operations of one follow those of the one before.
HistoryImage::Audit::Finding HistoryImage::Audit::order() const {
  const auto first = h.session_first_txn();
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  std::uint32_t ops = 0;
  for (const std::uint32_t& txn : h.input_order()) {
    if (txn >= h.num_txns() || txn != next[h.txn_sessions()[txn]]++) {
      return {"the input order contradicts the session order", &txn};
    }
    const History::OpSpan& span = h.txn_ops()[txn];
    if (span.begin != ops || span.end < ops) {
      return {"the operations do not follow each other", &span};
    }
    ops = span.end;
  }
  if (ops != h.num_ops()) {
    return {"there are operations of no transaction", h.op_words().data()};
  }
  return {};
}

HistoryImage::Audit::Finding HistoryImage::Audit::distinct_sessions() const {
  struct Label {
    std::uint8_t kind;
    std::uint64_t bits;
    std::string_view text;
    auto operator<=>(const Label&) const = default;
  };
  std::vector<Label> labels;
  for (std::size_t s = 0; s < h.session_bits_.size(); ++s) {
    if (Atom::Kind(h.session_kind_[s]) == Atom::Kind::string) {
      labels.push_back(
          {h.session_kind_[s], 0, h.strings()[h.session_bits_[s]]});
    } else {
      labels.push_back({h.session_kind_[s], h.session_bits_[s], {}});
    }
  }
  std::sort(labels.begin(), labels.end());
  if (std::adjacent_find(labels.begin(), labels.end()) != labels.end()) {
    return {"two sessions have the same label", h.session_bits_.data()};
  }
  return {};
}

HistoryImage::Audit::Finding HistoryImage::Audit::lists(std::size_t from,
                                                        std::size_t to) const {
  for (std::size_t i = from; i < to; ++i) {
    const OpId op(static_cast<std::uint32_t>(i));
    const std::size_t size = h.list_size(op);
    if (h.is_write(op) ? size != 0
                       : h.value(op) != (size == 0 ? Atom::nil()
                                                   : h.element(op, size - 1))) {
      return {"a list does not fit its operation", &h.list_first_[i]};
    }
  }
  return {};
}

void HistoryImage::Audit::add_relations(Parts& parts) const {
  parts.add_once([this](auto, auto) { return distinct_sessions(); });
  parts.add_once([this](auto, auto) { return order(); });
  parts.add_each(h.num_keys() < 2 ? 0 : h.num_keys() - 1,
                 h.key_bits_.empty() ? nullptr : h.key_bits_.data() + 1,
                 "the keys are not in the order of their labels",
                 [this](std::size_t k) {
                   const KeyId key(static_cast<std::uint32_t>(k));
                   return !label_less(h.key_atom(key),
                                      h.key_atom(KeyId(key.v + 1)), h.strings_);
                 });
  parts.add(
      h.list_first_.empty() ? 0 : h.num_ops(),
      [this](std::size_t from, std::size_t to) { return lists(from, to); });
}

HistoryImage::Audit::Finding HistoryImage::Audit::run(unsigned threads) const {
  Parts entries;
  add_entries(entries);
  Finding found = entries.run(threads);
  if (found.complaint != nullptr) return found;
  if (h.initial_value() && !sound(*h.initial_value())) {
    return {"there is no such initial value", nullptr};
  }
  Parts relations;
  add_relations(relations);
  found = relations.run(threads);
  const auto statuses = h.txn_statuses();
  found.has_unknown =
      std::find(statuses.begin(), statuses.end(),
                static_cast<std::uint8_t>(Status::unknown)) != statuses.end();
  return found;
}

}  // namespace awdit
