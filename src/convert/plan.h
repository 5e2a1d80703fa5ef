// What must change so that a history fits into a format. Private to convert/.
//
// A plan is made step by step, each step being one of the functions below and
// looking at what those before it settled; the losses are put into words on the
// way. The new history (convert.cpp) and the mapping (mapping.h) follow from
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convert/convert.h"
#include "convert/renumber.h"

namespace awdit {

// Whether it is a text that is not UTF-8.
bool is_broken_text(const History& history, Atom atom);

struct Plan {
  Plan(const History& from, const Format& target, const FitOptions& how);

  const History& history;
  const Capacity& capacity;
  const FitOptions& options;
  const InitialState initial_state;
  // How the target will tell it; a text that it cannot hold becomes nil.
  const Capacity::Initial initial_kind;
  // What the target calls the initial state; empty: it has none.
  const std::optional<Atom> initial;

  bool changes = false;
  std::vector<std::string> losses;
  void lose(std::string what) {
    losses.push_back(std::move(what));
    changes = true;
  }
  // Renumbering: recoverable if the mapping is kept.
  void rename(std::string what) {
    changes = true;
    if (options.mapping == nullptr) losses.push_back(std::move(what));
  }

  // -- transactions
  enum class Fate : std::uint8_t { keep, commit, drop };
  std::vector<Fate> fate;     // [txn]
  bool ids = false;           // the new history has ids
  bool renumber_ids = false;  // from 1 in the order of the input
  std::int64_t first_made_up = 0;
  std::vector<std::uint32_t> session_number;  // [session] from 1; 0: not kept
  bool renumber_sessions = false;

  bool kept(TxnId txn) const { return fate[txn.v] != Fate::drop; }
  Status status_of(TxnId txn) const {
    return fate[txn.v] == Fate::commit ? Status::committed
                                       : history.status(txn);
  }
  bool nameless(TxnId txn) const {
    return status_of(txn) == Status::aborted && !capacity.aborted_whole;
  }
  // Whether it is a read that the target cannot tell, and that is left out.
  bool is_idle(TxnId txn, OpId op) const {
    return !capacity.idle_nil_reads && is_idle_read(txn, op);
  }
  bool is_idle_read(TxnId txn, OpId op) const;
  // Of transactions that are kept, as operations lie in memory.
  template <typename Call>
  void for_each_op(Call&& call) const {
    for (const std::uint32_t number : history.input_order()) {
      const TxnId txn(number);
      if (!kept(txn)) continue;
      for (const OpId op : history.ops(txn)) call(op);
    }
  }

  // -- keys and values
  bool renumber_keys = false;
  bool renumber_values = false;
  bool keep_lists = false;
  bool keep_absent = false;
  std::vector<KeyId> init_keys;  // an added transaction writes these
  std::optional<ValueNumbers> numbers;

  bool holds(Atom atom, Capacity::Atoms wanted) const;

  // -- times and notes
  bool keep_times = false;
  bool keep_ticks = false;
  bool keep_domains = false;

  bool holds_text(std::string_view text) const;
  bool keeps_node(TxnId txn) const {
    return capacity.nodes && holds_text(history.node(txn));
  }
  bool keeps_meta(TxnId txn) const {
    return capacity.meta && holds_text(history.meta(txn));
  }
};

// The steps, in this order.
Outcome settle_outcomes(Plan& plan);
void settle_ids(Plan& plan);
void settle_sessions(Plan& plan);
void settle_keys(Plan& plan);
void settle_lists(Plan& plan);
void settle_initial(Plan& plan);
void settle_values(Plan& plan);
void settle_notes(Plan& plan);

}  // namespace awdit
