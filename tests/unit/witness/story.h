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
#include "check/check.h"
#include "history/history.h"
#include "history/text.h"
#include "witness/witness.h"

namespace awdit {

class Story {
 public:
  explicit Story(std::string_view text) : history(parse(text)) {}

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

  History history;

 private:
  static History parse(std::string_view text) {
    Result<History> history = parse_text(text, "story");
    EXPECT_TRUE(history) << to_string(history.error());
    return std::move(history.value());
  }
};

inline Violation finding(Kind kind, OpId read, OpId write = {},
                         OpId other = {}) {
  Violation violation{};
  violation.kind = kind;
  violation.read = read;
  violation.write = write;
  violation.other = other;
  return violation;
}

inline Violation cycle(Kind kind, std::vector<Edge> edges) {
  Violation violation{};
  violation.kind = kind;
  violation.edges = std::move(edges);
  return violation;
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

inline constexpr std::string_view kAllLevels[] = {
    "adya-read-committed", "read-committed", "read-atomic", "causal"};

}  // namespace awdit
