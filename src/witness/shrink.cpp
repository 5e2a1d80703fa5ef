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
// read whose write was left out looks like a thin-air read or one of init: such
// news are about the cut, not about the database.
//
// Cost: one pass over the history, and sorting the operations on the keys of
// the evidence. Then kWork operations at most are decided, or kTimes times the
// evidence where it is long; a story of up to some hundred operations ends
// before that. A cycle through 10^5 transactions is cut by halves until the
// work is used up: Shrunk::minimal is false then.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/assert.h"
#include "witness/attribution.h"
#include "witness/guarantors.h"
#include "witness/judge_violation.h"
#include "witness/support.h"
#include "witness/witness.h"

namespace awdit {
namespace {

constexpr std::uint64_t kWork = 1u << 20;
constexpr std::uint64_t kTimes = 8;
// What a check costs besides its operations, in operations.
constexpr std::uint64_t kOverhead = 32;

// Calls visit(op) for each operation that the evidence names, some twice.
template <typename Visit>
void for_each_op(const Violation& violation, Visit&& call) {
  const auto visit = [&](OpId op) {
    if (op.valid()) call(op);
  };
  visit(violation.read);
  visit(violation.write);
  visit(violation.other);
  for (const Edge& edge : violation.edges) {
    visit(edge.write);
    visit(edge.read);
    visit(edge.other_write);
    for (const Step& step : edge.seen) {
      visit(step.write);
      visit(step.read);
    }
  }
}

// How much there is to read.
std::size_t length(const Violation& violation) {
  std::size_t steps = violation.edges.size();
  for (const Edge& edge : violation.edges) steps += edge.seen.size();
  return steps;
}

// Evidence about a part of a history, as evidence about the whole: operation i
// of the part is ops[i].
Violation translate(const History& part, const Violation& violation,
                    const History& whole, std::span<const OpId> ops,
                    std::span<const std::uint32_t> op_txn) {
  const auto op = [&](OpId& id) {
    if (id.valid()) id = ops[id.v];
  };
  const auto txn = [&](TxnId& id) {
    if (!id.valid()) return;
    id = part.is_init(id) ? whole.init_txn()
                          : TxnId(op_txn[ops[part.ops(id).first].v]);
  };
  Violation result = violation;
  op(result.read);
  op(result.write);
  op(result.other);
  for (Edge& edge : result.edges) {
    txn(edge.from);
    txn(edge.to);
    txn(edge.reader);
    op(edge.write);
    op(edge.read);
    op(edge.other_write);
    if (edge.key.valid()) edge.key = whole.key(edge.read);
    for (Step& step : edge.seen) {
      txn(step.from);
      txn(step.to);
      op(step.write);
      op(step.read);
    }
  }
  return result;
}

class Shrinker {
 public:
  Shrinker(const History& history, const Attribution& attribution,
           Support& support, const Claim& claim)
      : history_(history),
        attribution_(attribution),
        support_(support),
        level_(*claim.level),
        kind_(claim.violation->kind),
        repeatable_(demands_repeatable_reads(*claim.level)) {}

  // `start`: operations that the evidence rests on.
  Shrunk run(const std::vector<OpId>& start, const Violation& evidence) {
    std::vector<OpId> ops = support_.closed(start, repeatable_);
    limit_ = std::max(kWork, ops.size() * kTimes);
    if (!keep_if_good(ops)) {
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
    const History small = extract(history_, part);
    const Level* const asked[] = {&level_};
    const Result<Report> report = check(small, asked, {});
    if (!report) return std::nullopt;
    std::optional<Violation> best;
    for (const Violation& found : report->levels[0].violations) {
      if (found.kind != kind_) continue;
      if (best && length(found) >= length(*best)) continue;
      Violation here =
          translate(small, found, history_, part, attribution_.op_txn.span());
      if (objection_to_violation(history_, attribution_, level_, here)
              .empty()) {
        best = std::move(here);
      }
    }
    return best;
  }

  bool keep_if_good(std::vector<OpId> part) {
    if (result_.tried != 0 && result_.work + part.size() > limit_) {
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
        complete = complete &&
                   std::binary_search(part.begin(), part.end(), need->second);
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
    std::vector<OpId> part;
    part.reserve(ops().size());
    part.insert(part.end(), ops().begin(),
                ops().begin() + static_cast<std::ptrdiff_t>(first));
    part.insert(part.end(), ops().begin() + static_cast<std::ptrdiff_t>(last),
                ops().end());
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
    }
  }

  const History& history_;
  const Attribution& attribution_;
  Support& support_;
  const Level& level_;
  const Kind kind_;
  const bool repeatable_;
  std::uint64_t limit_ = 0;
  bool exhausted_ = false;
  std::vector<std::pair<OpId, OpId>> needs_;  // read, write; by read
  Shrunk result_;
};

// What the evidence names, and what makes its transactions count.
std::vector<OpId> start_of(const History& history, const Guarantors& guarantors,
                           const Violation& violation) {
  std::vector<OpId> ops;
  for_each_op(violation, [&](OpId op) { ops.push_back(op); });
  if (!history.has_unknown()) return ops;
  std::vector<TxnId> unknown;
  for (const OpId op : ops) {
    const TxnId txn = history.txn_of(op);
    if (guarantors.counts()[txn.v] != 0) unknown.push_back(txn);
  }
  std::sort(unknown.begin(), unknown.end());
  unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
  for (const TxnId txn : unknown) guarantors.add_proof(txn, ops);
  return ops;
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
                           std::span<const Claim> claims) {
  const Guarantors guarantors(history);
  std::vector<std::vector<OpId>> starts;
  std::vector<KeyId> keys;
  for (const Claim& claim : claims) {
    starts.push_back(start_of(history, guarantors, *claim.violation));
    for (const OpId op : starts.back()) keys.push_back(history.key(op));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const Attribution attribution =
      attribute_reads(history, keys, guarantors.counts());
  Support support(history, attribution);
  std::vector<Shrunk> results;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    results.push_back(Shrinker(history, attribution, support, claims[i])
                          .run(starts[i], *claims[i].violation));
  }
  return results;
}

Shrunk shrink(const History& history, const Level& level,
              const Violation& violation) {
  const Claim claim{&level, &violation};
  return std::move(shrink(history, {&claim, 1}).front());
}

}  // namespace awdit
