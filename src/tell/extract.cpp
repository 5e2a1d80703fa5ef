// A part of a history, as a history of its own: operation by operation in the
// order of the input, with everything that is known of their transactions.
#include "tell/extract.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/assert.h"
#include "history/builder.h"

namespace awdit {
namespace {

class Extractor {
 public:
  Extractor(const History& history, bool lines)
      : history_(history),
        builder_({.initial_value = std::nullopt,
                  .labels_are_ids = history.has_ids(),
                  .has_lines = lines,
                  .clock = history.clock()}),
        shard_(builder_.add_shard()) {
    if (const auto initial = history.initial_value()) {
      builder_.set_initial_value(carry(*initial));
    }
    domains_ = carry_clock_domains(history, builder_, shard_);
  }

  void begin(TxnId txn) {
    // Without ids of the input, any numbers that differ.
    const std::int64_t label =
        history_.has_ids() ? history_.txn_label(txn).value_or(kNoTxnLabel)
                           : std::int64_t{txn.v};
    shard_.select(carry(history_.session_atom(history_.session(txn))), label,
                  history_.status(txn));
    if (const auto times = history_.times(txn)) {
      shard_.times(times->begin, times->end);
    }
    if (const auto ticks = history_.ticks(txn)) {
      shard_.ticks(ticks->begin, ticks->end);
    }
    if (!history_.has_one_clock()) {
      shard_.clock_domain(domains_[history_.clock_domain(txn)]);
    }
    if (const auto node = history_.node_atom(txn)) shard_.node(carry(*node));
    if (const auto meta = history_.meta_atom(txn)) shard_.meta(carry(*meta));
  }

  void add(OpId op, bool line) {
    if (line) shard_.at_line(history_.place(op).line - 1);
    const Atom key = carry(history_.key_atom(history_.key(op)));
    const Atom value = carry(history_.value(op));
    if (!history_.has_lists()) {
      history_.is_write(op) ? shard_.write(key, value)
                            : shard_.read(key, value);
    } else if (history_.is_write(op)) {
      shard_.append(key, value);
    } else {
      list_.clear();
      for (std::size_t i = 0; i < history_.list_size(op); ++i) {
        list_.push_back(carry(history_.element(op, i)));
      }
      shard_.read_list(key, list_);
    }
  }

  History finish() {
    Result<History> part = builder_.finish(1);
    AWDIT_ASSERT(part);  // no larger than the whole
    return std::move(*part);
  }

 private:
  Atom carry(Atom atom) {
    return atom.kind == Atom::Kind::string
               ? builder_.string(history_.strings()[atom.bits])
               : atom;
  }

  const History& history_;
  Builder builder_;
  Builder::Shard& shard_;
  std::vector<Atom> domains_;  // [clock domain] -> its name
  std::vector<Atom> list_;
};

}  // namespace

std::vector<TxnId> extracted_txns(const History& history,
                                  std::span<const OpId> ops,
                                  std::span<const TxnId> silent) {
  std::vector<TxnId> txns;
  IdRange<OpId> current{0, 0};
  for (const OpId op : ops) {
    if (current.contains(op)) continue;
    txns.push_back(history.txn_of(op));
    current = history.ops(txns.back());
  }
  // Before the next one of its session, so that sessions stay in order.
  for (const TxnId txn : silent) {
    const SessionId session = history.session(txn);
    const auto next = std::ranges::find_if(txns, [&](const TxnId other) {
      return txn < other && history.session(other) == session;
    });
    txns.insert(next, txn);
  }
  return txns;
}

History extract_sessions(const History& history, std::span<const OpId> ops,
                         std::span<const TxnId> silent) {
  bool lines = !ops.empty();
  for (const OpId op : ops) lines = lines && history.place(op).line != 0;
  Extractor extractor(history, lines);
  std::size_t next = 0;
  for (const TxnId txn : extracted_txns(history, ops, silent)) {
    extractor.begin(txn);
    const IdRange<OpId> own = history.ops(txn);
    for (; next < ops.size() && own.contains(ops[next]); ++next) {
      extractor.add(ops[next], lines);
    }
  }
  return extractor.finish();
}

History extract(const History& history, std::span<const OpId> ops,
                std::span<const TxnId> silent) {
  History part = extract_sessions(history, ops, silent);
  if (history.session_order()) return part;
  return std::move(part).without_session_order();
}

}  // namespace awdit
