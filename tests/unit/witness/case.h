// A history in the notation of history/text.h, with short names for what
// hand-made evidence refers to. REQUIRES: each session stands on one line, so
// that transactions are numbered as they are named: t1 is TxnId(0).
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/table.h"
#include "evidence_parts.h"
#include "history/builder.h"
#include "history/history.h"
#include "history/text.h"
#include "theory/theory.h"
#include "witness/witness.h"

namespace awdit {

class Case {
 public:
  explicit Case(std::string_view text) : history(parse(text)) {}
  // With times: [transaction from 0] -> begin and end, by one clock.
  Case(std::string_view text, const std::vector<History::Times>& times)
      : history(with_times(parse(text), times)) {}
  explicit Case(History told) : history(std::move(told)) {}

  // t(0) is init.
  TxnId t(std::uint32_t number) const {
    return number == 0 ? history.init_txn() : TxnId(number - 1);
  }
  // The operation of transaction `number` at `index` from 0.
  OpId op(std::uint32_t number, std::uint32_t index) const {
    return OpId(history.ops(t(number)).first + index);
  }
  KeyId key(std::string_view label) const {
    for (std::uint32_t k = 0; k < history.num_keys(); ++k) {
      if (history.key_label(KeyId(k)) == label) return KeyId(k);
    }
    return KeyId();
  }

  // Evidence, as a checker would give it.
  Edge so(std::uint32_t from, std::uint32_t to) const {
    Edge edge;
    edge.from = t(from);
    edge.to = t(to);
    return edge;
  }
  Edge wr(std::uint32_t from, std::uint32_t to, OpId write, OpId read) const {
    Edge edge = so(from, to);
    edge.reason = Reason::reads_from;
    edge.write = write;
    edge.read = read;
    return edge;
  }
  Edge inferred(std::uint32_t from, std::uint32_t to, std::uint32_t reader,
                OpId write, OpId read, OpId other_write,
                std::vector<Edge> seen) const {
    Edge edge = wr(from, to, write, read);
    edge.reason = Reason::inferred;
    edge.other_write = other_write;
    edge.reader = t(reader);
    edge.key = history.key(read);
    for (const Edge& step : seen) {
      edge.seen.push_back(
          {step.from, step.to, step.reason, step.write, step.read});
    }
    return edge;
  }

  // Dependencies. The version that is older is named by its write, none for
  // init's; `newer` is the write of the newer one.
  Edge real_time(std::uint32_t from, std::uint32_t to) const {
    Edge edge = so(from, to);
    edge.reason = Reason::real_time;
    return edge;
  }
  Edge ww(std::uint32_t from, std::uint32_t to, OpId older, OpId newer) const {
    Edge edge = wr(from, to, older, OpId());
    edge.reason = Reason::version_order;
    edge.other_write = newer;
    edge.key = history.key(newer);
    return edge;
  }
  Edge rw(std::uint32_t from, std::uint32_t to, OpId read, OpId older,
          OpId newer) const {
    Edge edge = ww(from, to, older, newer);
    edge.reason = Reason::anti_dependency;
    edge.read = read;
    return edge;
  }
  Lemma lemma(std::string_view label, std::uint32_t older, std::uint32_t newer,
              std::vector<Edge> cycle, std::vector<Lemma> under = {}) const {
    return {key(label), t(older),         t(newer),
            OpId(),     std::move(under), std::move(cycle)};
  }
  Lemma shown(std::string_view label, std::uint32_t older, std::uint32_t newer,
              OpId read) const {
    return {key(label), t(older), t(newer), read, {}, {}};
  }

  LevelCheck judge(std::string_view level,
                   std::vector<Violation> violations) const {
    LevelReport claim;
    claim.level = find_row(levels(), level);
    claim.verdict = Verdict::violated;
    claim.violations = std::move(violations);
    return verify(history, claim);
  }
  LevelCheck judge_order(std::string_view level,
                         const std::vector<std::uint32_t>& numbers) const {
    LevelReport claim;
    claim.level = find_row(levels(), level);
    claim.verdict = Verdict::holds;
    for (const std::uint32_t number : numbers) {
      claim.commit_order.push_back(TxnId(number - 1));
    }
    return verify(history, claim);
  }

  // Numbers of transactions, and how many of them each one's snapshot has.
  LevelCheck judge_snapshots(std::string_view level,
                             const std::vector<std::uint32_t>& numbers,
                             std::vector<std::uint32_t> snapshots) const {
    LevelReport claim;
    claim.level = find_row(levels(), level);
    claim.verdict = Verdict::holds;
    for (const std::uint32_t number : numbers) {
      claim.commit_order.push_back(TxnId(number - 1));
    }
    claim.snapshots = std::move(snapshots);
    return verify(history, claim);
  }

  History history;

 private:
  static History parse(std::string_view text) {
    Result<History> history = parse_text(text, "story");
    EXPECT_TRUE(history) << to_string(history.error());
    return std::move(history.value());
  }

  static History with_times(const History& told,
                            const std::vector<History::Times>& times) {
    Builder builder({.initial_value = told.initial_value(),
                     .labels_are_ids = true,
                     .clock = Clock::nanoseconds});
    Builder::Shard& shard = builder.add_shard();
    const auto carry = [&](Atom atom) {
      return atom.kind == Atom::Kind::string
                 ? builder.string(told.strings()[atom.bits])
                 : atom;
    };
    EXPECT_EQ(times.size(), told.num_txns());
    for (const TxnId txn : told.txns()) {
      shard.select(carry(told.session_atom(told.session(txn))), txn.v + 1,
                   told.status(txn));
      shard.times(times[txn.v].begin, times[txn.v].end);
      for (const OpId op : told.ops(txn)) {
        const Atom key = carry(told.key_atom(told.key(op)));
        told.is_write(op) ? shard.write(key, told.value(op))
                          : shard.read(key, told.value(op));
      }
    }
    Result<History> history = builder.finish(1);
    EXPECT_TRUE(history) << to_string(history.error());
    return std::move(history.value());
  }
};

// Of a lost update as well.
inline Violation finding(Kind kind, OpId read, OpId write = {},
                         OpId other = {}) {
  if (kind == Kind::lost_update) return {kind, LostUpdate{read, other, write}};
  return {kind, Finding{read, write, other}};
}

inline Violation cycle(Kind kind, std::vector<Edge> edges,
                       std::vector<Lemma> lemmas = {}) {
  return {kind, Cycle{std::move(edges), std::move(lemmas)}};
}

inline void expect_accepted(const LevelCheck& check) {
  EXPECT_TRUE(check.accepted) << check.objection;
  EXPECT_EQ(check.objection, "");
}
inline void expect_rejected(const LevelCheck& check,
                            std::string_view objection) {
  EXPECT_FALSE(check.accepted);
  EXPECT_EQ(check.objection, objection);
}

// Up to Causal, and above it where no times are needed.
inline constexpr std::string_view kAllLevels[] = {
    "adya-read-committed", "read-committed", "read-atomic", "causal"};
inline constexpr std::string_view kStrongLevels[] = {
    "prefix", "parallel-snapshot-isolation", "snapshot-isolation",
    "serializable"};

}  // namespace awdit
