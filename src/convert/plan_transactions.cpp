// Which transactions the target can hold, with which outcome, id and session.
//
// Unknown outcomes that it cannot express are settled as verdicts settle them:
// committed if somebody read their writes, otherwise as if they had never been.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "check/check.h"
#include "convert/plan.h"

namespace awdit {
namespace {

using Fate = Plan::Fate;

Result<Report> check_outcomes(const Plan& plan) {
  Options options;
  options.threads = plan.options.threads;
  return check(plan.history, {}, options);
}

Outcome settle_unknown(Plan& plan) {
  const Result<Report> report = check_outcomes(plan);
  if (!report) {
    Error error = report.error();
    error.hint =
        "Unknown outcomes cannot be settled, because reads cannot be "
        "attributed. Convert to a format that holds unknown outcomes.";
    return error;
  }
  for (const TxnId txn : plan.history.txns()) {
    if (plan.history.status(txn) == Status::unknown) {
      plan.fate[txn.v] = Fate::drop;
    }
  }
  for (const TxnId txn : report->promoted) plan.fate[txn.v] = Fate::commit;
  plan.lose(fmt::format(
      "the unknown outcome of {}: {} written as committed, because their "
      "writes were read, {} left out",
      counted(report->promoted.size() + report->dropped, "transaction"),
      report->promoted.size(), report->dropped));
  return std::nullopt;
}

// Of transactions of unknown outcome some formats cannot tell that they read
// nil. That counts where their writes were read: these are written as
// committed, which is what they are taken for anyway.
void commit_idle_readers(Plan& plan) {
  const History& history = plan.history;
  std::vector<std::uint8_t> reads(history.num_txns(), 0);
  bool any = false;
  for (const TxnId txn : history.txns()) {
    if (history.status(txn) != Status::unknown) continue;
    for (const OpId op : history.ops(txn)) {
      if (!plan.is_idle(txn, op)) continue;
      any = true;
      reads[txn.v] = 1;
    }
  }
  if (!any) return;
  const Result<Report> report = check_outcomes(plan);
  if (!report) return;  // no reader can be found, and no verdict either
  std::uint64_t committed = 0;
  for (const TxnId txn : report->promoted) {
    if (reads[txn.v] == 0) continue;
    plan.fate[txn.v] = Fate::commit;
    ++committed;
  }
  if (committed == 0) return;
  plan.lose(fmt::format(
      "the unknown outcome of {}: written as committed, because their writes "
      "were read and they read nil",
      counted(committed, "transaction")));
}

}  // namespace

Outcome settle_outcomes(Plan& plan) {
  const History& history = plan.history;
  const Capacity& capacity = plan.capacity;
  if (history.has_unknown() && !capacity.unknown) {
    if (Outcome failed = settle_unknown(plan)) return failed;
  } else if (history.has_unknown()) {
    commit_idle_readers(plan);
  }
  std::uint64_t aborted = 0, identities = 0, empty = 0, idle = 0;
  std::vector<std::uint8_t> met(history.num_sessions(), 0);
  for (const TxnId txn : history.txns()) {
    if (!plan.kept(txn)) continue;
    if (history.ops(txn).size() == 0 && !capacity.empty_txns) {
      plan.fate[txn.v] = Fate::drop;
      ++empty;
      continue;
    }
    if (plan.status_of(txn) == Status::aborted) {
      if (!capacity.aborted) {
        plan.fate[txn.v] = Fate::drop;
        ++aborted;
      } else if (!capacity.aborted_whole) {
        std::uint8_t& seen = met[history.session(txn).v];
        const bool named = !history.has_ids() || history.txn_label(txn);
        if (named || seen != 0) ++identities;
        seen = 1;
      }
    }
    if (capacity.idle_nil_reads) continue;
    for (const OpId op : history.ops(txn)) idle += plan.is_idle(txn, op);
  }
  if (aborted != 0) {
    plan.lose(fmt::format("{}; reads of their writes become thin-air reads",
                          counted(aborted, "aborted transaction")));
  }
  if (identities != 0) {
    plan.lose(fmt::format("the identity of {}: those of a session are one",
                          counted(identities, "aborted transaction")));
  }
  if (empty != 0) {
    plan.lose(counted(empty, "transaction") + " without operations");
  }
  if (idle != 0) {
    plan.lose(fmt::format("{} of nil by transactions that did not commit",
                          counted(idle, "read")));
  }
  return std::nullopt;
}

void settle_ids(Plan& plan) {
  const History& history = plan.history;
  const Capacity& capacity = plan.capacity;
  plan.ids = capacity.ids && history.has_ids();
  if (history.has_ids() && !capacity.ids) plan.lose("the ids of transactions");
  std::vector<std::int64_t> labels;
  bool missing = !history.has_ids();
  if (plan.ids) {
    for (const TxnId txn : history.txns()) {
      if (!plan.kept(txn) || plan.nameless(txn)) continue;
      const std::optional<std::int64_t> id = history.txn_label(txn);
      if (id) {
        labels.push_back(*id);
      } else {
        missing = true;
      }
    }
    if (capacity.unique_ids) {
      std::sort(labels.begin(), labels.end());
      if (std::adjacent_find(labels.begin(), labels.end()) != labels.end() ||
          (!labels.empty() && labels.front() <= 0)) {
        plan.renumber_ids = true;
        plan.lose(
            "the ids of transactions, which are not unique: numbered from 1");
      }
    }
  }
  if (capacity.needs_ids && missing) {
    // Beyond all that exist, so that none is used twice.
    plan.changes = true;
    if (!plan.ids) plan.renumber_ids = true;
    plan.ids = true;
    if (!labels.empty()) {
      plan.first_made_up = *std::max_element(labels.begin(), labels.end());
    }
  }
}

// Numbers follow the order of appearance of what is kept, as readers count.
void settle_sessions(Plan& plan) {
  const History& history = plan.history;
  plan.session_number.assign(history.num_sessions(), 0);
  std::uint32_t sessions = 0;
  bool fit = true, ordinary = true;
  for (const std::uint32_t txn : history.input_order()) {
    if (!plan.kept(TxnId(txn))) continue;
    const SessionId session = history.session(TxnId(txn));
    std::uint32_t& number = plan.session_number[session.v];
    if (number != 0) continue;
    number = ++sessions;
    const Atom label = history.session_atom(session);
    fit &= plan.holds(label, plan.capacity.sessions);
    ordinary &= label == Atom::integer(number);
  }
  if (fit) return;
  plan.renumber_sessions = true;
  if (!ordinary) {
    plan.rename(fmt::format("the names of {}: numbered from 1",
                            counted(sessions, "session")));
  }
}

}  // namespace awdit
