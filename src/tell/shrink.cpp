// The smallest story: from evidence to the few operations that still prove it.
//
// Idea: do not take away from the history, begin with the evidence. The
// operations that it names, the writes that its reads returned and the readers
// that vouch for its unknown outcomes (support.h, guarantors.h) are a handful
// out of fifty million, and as a history of their own they violate the level
// already. Then leave out: halves, quarters, eighths ... of the transactions,
// each together with the reads that would lose their write; then single
// transactions and single operations, again and again until each has been tried
// against what is left (Zeller and Hildebrandt, Simplifying and Isolating
// Failure-Inducing Input, TSE 2002).
//
// Invariant: a smaller part is taken only if `check` finds a violation of the
// kind in it *and* the verifier accepts that evidence for the whole history. A
// read whose write was left out looks like a thin-air read or one of init: an
// artefact of leaving things out, which says nothing about the database.
//
// Cost: one pass over the history, and sorting the operations on the keys of
// the evidence. Then kWork operations at most are decided, or kTimes times the
// evidence where it is long; a story of up to some hundred operations ends
// before that, unless a part of it is hard to decide: a budget of time bounds
// that. A cycle through 10^5 transactions is cut by halves until the
// work is used up: Shrunk::minimal is false then.
#include "tell/shrink.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "base/budget.h"
#include "base/make_set.h"
#include "check/check.h"
#include "tell/extract.h"
#include "tell/guarantors.h"
#include "tell/support.h"
#include "witness/attribution.h"
#include "witness/judge_violation.h"

namespace awdit {
namespace {

constexpr std::uint64_t kWork = 1u << 20;
constexpr std::uint64_t kTimes = 8;
// What a check costs besides its operations, in operations.
constexpr std::uint64_t kOverhead = 32;

// Calls visit(id) for each operation, transaction and key that the evidence
// names, some twice. They may be changed if the violation may.
template <typename Evidence, typename Visit>
void for_each_id(Evidence& violation, Visit&& visit) {
  const auto each = [&](auto&... ids) {
    ((ids.valid() ? visit(ids) : void()), ...);
  };
  walk(violation, [&](auto& part) {
    using Part = std::remove_cvref_t<decltype(part)>;
    if constexpr (std::is_same_v<Part, Finding> ||
                  std::is_same_v<Part, LostUpdate>) {
      each(part.read, part.write, part.other);
    } else if constexpr (std::is_same_v<Part, Lemma>) {
      each(part.key, part.older, part.newer, part.shown);
    } else if constexpr (std::is_same_v<Part, Edge>) {
      each(part.from, part.to, part.write, part.read, part.other_write,
           part.reader, part.key);
    } else if constexpr (std::is_same_v<Part, Step>) {
      each(part.from, part.to, part.write, part.read);
    }
  });
}

// How much there is to read.
std::size_t length(const Violation& violation) {
  std::size_t steps = 0;
  walk(
      violation, [&](const Edge&) { ++steps; }, [&](const Step&) { ++steps; },
      [&](const Lemma&) { ++steps; });
  return steps;
}

// Evidence about a part of a history, as evidence about the whole: operation i
// of the part is ops[i].
class Translator {
 public:
  Translator(const History& part, const History& whole,
             std::span<const OpId> ops, std::span<const TxnId> silent)
      : part_(part), whole_(whole), ops_(ops) {
    txns_.resize(part.num_txns());
    const std::vector<TxnId> txns = extracted_txns(whole, ops, silent);
    for (std::size_t i = 0; i < txns.size(); ++i) {
      txns_[part.input_order()[i]] = txns[i];
    }
    keys_.resize(part.num_keys());
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      keys_[part.key(OpId(i)).v] = whole.key(ops[i]);
    }
  }

  Violation operator()(Violation violation) const {
    for_each_id(violation, [&](auto& id) { id = whole(id); });
    return violation;
  }

 private:
  OpId whole(OpId op) const { return ops_[op.v]; }
  TxnId whole(TxnId txn) const {
    return part_.is_init(txn) ? whole_.init_txn() : txns_[txn.v];
  }
  KeyId whole(KeyId key) const { return keys_[key.v]; }

  const History& part_;
  const History& whole_;
  const std::span<const OpId> ops_;
  std::vector<TxnId> txns_;  // [transaction of the part]
  std::vector<KeyId> keys_;  // [key of the part]
};

// The levels at which the violation may be looked for, those that it refutes.
// The weakest first, because it is found there whatever else is wrong higher
// up; but there it may go by another name.
std::vector<const Level*> levels_of(const History& history,
                                    const Attribution& attribution,
                                    const Claim& claim) {
  std::vector<const Level*> found;
  for (const Level& level : levels()) {
    if (implies(*claim.level, level) &&
        objection_to_violation(history, attribution, level, *claim.violation)
            .empty()) {
      found.push_back(&level);
    }
  }
  if (found.empty()) found.push_back(claim.level);
  return found;
}

bool is_of_dependencies(Kind kind) {
  return anomaly(kind).form == Form::dependency_cycle;
}

class Shrinker {
 public:
  Shrinker(const History& history, const Attribution& attribution,
           Support& support, const Budget& budget, const Claim& claim)
      : history_(history),
        budget_(budget),
        attribution_(attribution),
        support_(support),
        levels_(levels_of(history, attribution, claim)),
        kind_(claim.violation->kind) {}

  // `start`: operations that the evidence rests on; `silent`: transactions
  // without any.
  Shrunk run(const std::vector<OpId>& start, std::vector<TxnId> silent,
             const Violation& evidence) {
    result_.silent = std::move(silent);
    std::vector<OpId> ops;
    const auto is_good = [&](const Level* const level) {
      result_.level = level;
      ops = support_.closed(start, demands_repeatable_reads(*level));
      limit_ = std::max(kWork, ops.size() * kTimes);
      is_first_ = true;
      return keep_if_good(ops);
    };
    bool good = std::ranges::any_of(levels_, is_good);
    if (!good && is_of_dependencies(kind_)) {
      // Who is left may tell it in another way.
      any_dependencies_ = true;
      good = std::ranges::any_of(levels_, is_good);
      if (good) kind_ = result_.violation.kind;
      any_dependencies_ = false;
    }
    if (!good) {
      result_.ops = std::move(ops);
      result_.violation = evidence;
      return std::move(result_);
    }
    result_.stands_alone = true;
    find_needs();
    leave_out_many();
    leave_out_single();
    result_.minimal = !exhausted_;
    return std::move(result_);
  }

 private:
  const std::vector<OpId>& ops() const { return result_.ops; }
  std::uint32_t txn_of(OpId op) const { return attribution_.op_txn[op.v]; }

  // The shortest evidence of the kind in this part that is true of the whole.
  std::optional<Violation> decide(const std::vector<OpId>& part) {
    ++result_.tried;
    result_.work += part.size() + kOverhead;
    const History small = extract(history_, part, result_.silent);
    const Level* const asked[] = {result_.level};
    // A limit of 0 would be none.
    constexpr double kLeast = 1e-6;
    const Result<Report> report = check(
        small, asked, {.time_limit = std::max(budget_.seconds_left(), kLeast)});
    if (!report) return std::nullopt;
    // Where nothing weaker was violated before, a weaker violation now is an
    // artefact of leaving things out.
    const bool clean = report->levels[0].inherited == 0;
    if (std::exchange(is_first_, false)) clean_ = clean;
    if (clean_ && !clean) return std::nullopt;
    const Translator translate(small, history_, part, result_.silent);
    std::optional<Violation> best;
    for (const Violation& found : report->levels[0].violations) {
      if (found.kind != kind_ &&
          !(any_dependencies_ && is_of_dependencies(found.kind))) {
        continue;
      }
      if (best && length(found) >= length(*best)) continue;
      Violation here = translate(found);
      if (objection_to_violation(history_, attribution_, *result_.level, here)
              .empty()) {
        best = std::move(here);
      }
    }
    return best;
  }

  bool keep_if_good(std::vector<OpId> part) {
    result_.out_of_time = budget_.seconds_left() == 0;
    if (result_.out_of_time ||
        (result_.tried != 0 && result_.work + part.size() > limit_)) {
      exhausted_ = true;
      return false;
    }
    std::optional<Violation> found = decide(part);
    if (!found) return false;
    result_.ops = std::move(part);
    result_.violation = std::move(*found);
    return true;
  }

  void find_needs() {
    std::vector<OpId> needs;
    for (const OpId op : ops()) {
      if (history_.is_write(op)) continue;
      needs.clear();
      support_.add_needs(op, false, needs);
      for (const OpId need : needs) {
        if (history_.is_write(need)) needs_.emplace_back(op, need);
      }
    }
  }

  // Takes away the reads that have lost a write.
  std::vector<OpId> supported(const std::vector<OpId>& part) const {
    std::vector<OpId> kept;
    auto need = needs_.begin();
    for (const OpId op : part) {
      bool complete = true;
      while (need != needs_.end() && need->first < op) ++need;
      for (; need != needs_.end() && need->first == op; ++need) {
        complete = complete && std::ranges::binary_search(part, need->second);
      }
      if (complete) kept.push_back(op);
    }
    return kept;
  }

  // [i] -> where the operations of the i-th transaction begin; one entry more.
  std::vector<std::size_t> txn_starts() const {
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < ops().size(); ++i) {
      if (i == 0 || txn_of(ops()[i]) != txn_of(ops()[i - 1])) {
        starts.push_back(i);
      }
    }
    starts.push_back(ops().size());
    return starts;
  }

  std::vector<OpId> without(std::size_t first, std::size_t last) const {
    std::vector<OpId> part = ops();
    const auto at = [&](std::size_t i) {
      return part.begin() + static_cast<std::ptrdiff_t>(i);
    };
    part.erase(at(first), at(last));
    return part;
  }

  void leave_out_many() {
    std::vector<std::size_t> starts = txn_starts();
    for (std::size_t many = (starts.size() - 1) / 2; many >= 2; many /= 2) {
      for (std::size_t i = 0; i + 1 < starts.size() && !exhausted_;) {
        const std::size_t end = std::min(i + many, starts.size() - 1);
        if (keep_if_good(supported(without(starts[i], starts[end])))) {
          starts = txn_starts();
        } else {
          i = end;
        }
      }
    }
  }

  // Backwards: what comes late rests on what came before.
  void leave_out_single() {
    for (bool changed = true; changed && !exhausted_;) {
      changed = false;
      std::vector<std::size_t> starts = txn_starts();
      for (std::size_t i = starts.size() - 1; i-- > 0 && !exhausted_;) {
        if (!keep_if_good(without(starts[i], starts[i + 1]))) continue;
        changed = true;
        starts = txn_starts();
      }
      for (std::size_t i = ops().size(); i-- > 0 && !exhausted_;) {
        changed |= keep_if_good(without(i, i + 1));
      }
      for (std::size_t i = result_.silent.size(); i-- > 0 && !exhausted_;) {
        changed |= leave_out_silent(i);
      }
    }
  }

  bool leave_out_silent(std::size_t i) {
    const std::vector<TxnId> all = result_.silent;
    result_.silent.erase(result_.silent.begin() +
                         static_cast<std::ptrdiff_t>(i));
    if (keep_if_good(ops())) return true;
    result_.silent = all;
    return false;
  }

  const History& history_;
  const Budget& budget_;
  const Attribution& attribution_;
  Support& support_;
  const std::vector<const Level*> levels_;
  Kind kind_;
  bool any_dependencies_ = false;
  std::uint64_t limit_ = 0;
  bool exhausted_ = false;
  // Whether no weaker level was violated at first.
  bool clean_ = false, is_first_ = true;
  std::vector<std::pair<OpId, OpId>> needs_;  // read, write; by read
  Shrunk result_;
};

// What a story begins with: operations, and transactions that have none.
struct Start {
  std::vector<OpId> ops;
  std::vector<TxnId> silent;
};

// Real time names no operation, but a transaction is only there if it has one:
// a write of each; or if it is named itself, because it has none: reads would
// bring others along. (Where one session's edge follows another, the one
// between them need not be there.)
void add_silent(const History& history, const Violation& violation,
                Start& start) {
  std::vector<OpId>& ops = start.ops;
  std::vector<TxnId> txns;
  walk(violation, [&](const Edge& edge) {
    if (edge.reason != Reason::real_time) return;
    txns.push_back(edge.from);
    txns.push_back(edge.to);
  });
  if (txns.empty()) return;
  make_set(txns);
  std::ranges::sort(ops);
  std::vector<OpId> more;
  for (const TxnId txn : txns) {
    if (history.is_init(txn)) continue;
    const IdRange<OpId> own = history.ops(txn);
    const auto named = std::ranges::lower_bound(ops, OpId(own.first));
    if (named != ops.end() && own.contains(*named)) continue;
    OpId write;
    for (const OpId op : own) {
      if (!write.valid() && history.is_write(op)) write = op;
    }
    if (write.valid()) {
      more.push_back(write);
    } else {
      start.silent.push_back(txn);
    }
  }
  ops.insert(ops.end(), more.begin(), more.end());
}

// That both transactions of a lost update write the key is not named either.
void add_updates(const History& history, const Violation& violation,
                 std::vector<OpId>& ops) {
  const LostUpdate* const lost = violation.lost_update();
  if (lost == nullptr) return;
  for (const OpId read : {lost->read, lost->other}) {
    for (const OpId op : history.ops(history.txn_of(read))) {
      if (!history.is_write(op) || history.key(op) != history.key(read)) {
        continue;
      }
      ops.push_back(op);
      break;
    }
  }
}

// What the evidence names, and what makes its transactions count.
Start start_of(const History& history, const Guarantors& guarantors,
               const Violation& violation) {
  Start start;
  std::vector<OpId>& ops = start.ops;
  for_each_id(violation, [&](auto id) {
    if constexpr (std::is_same_v<decltype(id), OpId>) ops.push_back(id);
  });
  add_silent(history, violation, start);
  add_updates(history, violation, ops);
  if (!history.has_unknown()) return start;
  std::vector<TxnId> unknown;
  for (const OpId op : ops) {
    const TxnId txn = history.txn_of(op);
    if (guarantors.counts()[txn.v] != 0) unknown.push_back(txn);
  }
  make_set(unknown);
  for (const TxnId txn : unknown) guarantors.add_proof(txn, ops);
  // Whoever vouches for another says something.
  std::erase_if(start.silent, [&](TxnId txn) {
    return std::ranges::any_of(
        ops, [&](OpId op) { return history.txn_of(op) == txn; });
  });
  return start;
}

}  // namespace

const Violation* simplest(const LevelReport& report, std::optional<Kind> kind) {
  const Violation* best = nullptr;
  for (const Violation& violation : report.violations) {
    if (kind && violation.kind != *kind) continue;
    if (best == nullptr || std::pair(violation.kind, length(violation)) <
                               std::pair(best->kind, length(*best))) {
      best = &violation;
    }
  }
  return best;
}

std::vector<Shrunk> shrink(const History& history,
                           std::span<const Claim> claims, double time_limit,
                           const Work* work) {
  if (claims.empty()) return {};
  const Budget budget(time_limit, 0, 0, work);
  const Guarantors guarantors(history);
  std::vector<Start> starts;
  std::vector<KeyId> keys;
  for (const Claim& claim : claims) {
    starts.push_back(start_of(history, guarantors, *claim.violation));
    for (const OpId op : starts.back().ops) keys.push_back(history.key(op));
  }
  make_set(keys);
  const Attribution attribution =
      attribute_reads(history, keys, guarantors.counts());
  Support support(history, attribution);
  std::vector<Shrunk> results;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    results.push_back(Shrinker(history, attribution, support, budget, claims[i])
                          .run(starts[i].ops, std::move(starts[i].silent),
                               *claims[i].violation));
  }
  return results;
}

Shrunk shrink(const History& history, const Level& level,
              const Violation& violation, double time_limit, const Work* work) {
  const Claim claim{&level, &violation};
  return std::move(shrink(history, {&claim, 1}, time_limit, work).front());
}

}  // namespace awdit
