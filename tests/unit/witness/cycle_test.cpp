// Cycles: one accepted per kind and level, and each of its edges bent in every
// way that would make it prove nothing.
#include <functional>
#include <utility>

#include "unit/witness/case.h"

namespace awdit {
namespace {

struct Bend {
  std::string_view what;
  std::function<void(Violation&)> bend;
  std::string_view objection;  // after "violation 1 is not proven: "
};

void expect_bends_rejected(const Case& story, std::string_view level,
                           const Violation& right,
                           const std::vector<Bend>& bends) {
  for (const Bend& bend : bends) {
    SCOPED_TRACE(bend.what);
    Violation wrong = right;
    bend.bend(wrong);
    expect_rejected(
        story.judge(level, {wrong}),
        "violation 1 is not proven: " + std::string(bend.objection));
  }
}

TEST(Cycle, Causality) {
  const Case story("s1: R(x,1) | W(y,1)\ns2: R(y,1) W(x,1)\ns3: W(z,1)!");
  const Violation right =
      cycle(Kind::causality_cycle,
            {story.so(1, 2), story.wr(2, 3, story.op(2, 0), story.op(3, 0)),
             story.wr(3, 1, story.op(3, 1), story.op(1, 0))});
  for (const std::string_view level : kAllLevels) {
    expect_accepted(story.judge(level, {right}));
  }
  expect_bends_rejected(
      story, "causal", right,
      {{"empty", [](Violation& v) { edges_of(v).clear(); },
        "its cycle is empty"},
       {"open", [](Violation& v) { edges_of(v).pop_back(); },
        "edge 1 does not begin where edge 2 ends"},
       {"shuffled",
        [](Violation& v) { std::swap(edges_of(v)[1], edges_of(v)[2]); },
        "edge 2 does not begin where edge 1 ends"},
       {"unknown source",
        [](Violation& v) { edges_of(v)[0].from = TxnId(kNoId - 1); },
        "edge 1: its source is no committed transaction"},
       {"absent source", [](Violation& v) { edges_of(v)[0].from = TxnId(); },
        "edge 1: its source is no committed transaction"},
       {"aborted target", [&](Violation& v) { edges_of(v)[0].to = story.t(4); },
        "edge 1: its target is no committed transaction"},
       {"against session order",
        [&](Violation& v) {
          edges_of(v) = {story.so(2, 1), story.so(1, 2)};
        },
        "edge 1: t2 does not come before t1 in its session"},
       {"itself", [&](Violation& v) { edges_of(v) = {story.so(1, 1)}; },
        "edge 1: t1 does not come before t1 in its session"},
       {"two sessions",
        [&](Violation& v) {
          edges_of(v) = {story.so(2, 3), story.so(3, 2)};
        },
        "edge 1: t2 and t3 are not of one session"},
       {"before init", [&](Violation& v) { edges_of(v)[0].to = story.t(0); },
        "edge 1: nothing comes before init"},
       {"session order with an operation",
        [&](Violation& v) { edges_of(v)[0].read = story.op(1, 0); },
        "edge 1: session order rests on no operation, yet it names one"},
       {"no read", [](Violation& v) { edges_of(v)[1].read = OpId(); },
        "edge 2: it names no read of this history"},
       {"a write as read",
        [&](Violation& v) { edges_of(v)[1].read = story.op(3, 1); },
        "edge 2: it names no read of this history"},
       {"a read far away",
        [](Violation& v) { edges_of(v)[1].read = OpId(kNoId - 1); },
        "edge 2: it names no read of this history"},
       {"another's read",
        [&](Violation& v) { edges_of(v)[1].read = story.op(1, 0); },
        "edge 2: the read it names is not one of t3"},
       {"another writer",
        [&](Violation& v) {
          edges_of(v) = {story.wr(1, 3, story.op(2, 0), story.op(3, 0)),
                         edges_of(right)[2]};
        },
        "edge 1: t3 read y=1 from t2, not from t1"},
       {"another write",
        [&](Violation& v) { edges_of(v)[1].write = story.op(3, 1); },
        "edge 2: the write it names is not what t3's read returned"},
       {"no write", [](Violation& v) { edges_of(v)[1].write = OpId(); },
        "edge 2: the write it names is not what t3's read returned"},
       {"a reader where none belongs",
        [&](Violation& v) { edges_of(v)[1].reader = story.t(1); },
        "edge 2: only an inferred edge has a reader, a key and another write"},
       {"no such reason",
        [](Violation& v) { edges_of(v)[1].reason = static_cast<Reason>(9); },
        "edge 2: its reason does not fit"},
       {"an operation beside",
        [&](Violation& v) { v.evidence = Finding{story.op(1, 0)}; },
        "it is a cycle, yet names an operation outside its edges"},
       {"the level's own kind",
        [](Violation& v) { v.kind = Kind::causal_violation; },
        "without an inferred edge it is a causality cycle"},
       {"another level's kind",
        [](Violation& v) { v.kind = Kind::fractured_read; },
        "without an inferred edge it is a causality cycle"}});
}

TEST(Cycle, AReadWithAFindingJustifiesNoEdge) {
  // t1 reads an intermediate value of t2; the circle does not count.
  const Case story("s1: R(x,1) W(y,1)\ns2: R(y,1) W(x,1) W(x,2)");
  expect_rejected(
      story.judge("causal",
                  {cycle(Kind::causality_cycle,
                         {story.wr(2, 1, story.op(2, 1), story.op(1, 0)),
                          story.wr(1, 2, story.op(1, 1), story.op(2, 0))})}),
      "violation 1 is not proven: edge 1: t1's read of x=1 returned no valid "
      "version of another transaction");
}

TEST(Cycle, NonMonotonicRead) {
  // t3 sees t2's y and then the x that t2 overwrote.
  const Case story("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(y,2) R(x,1)");
  const Edge back =
      story.inferred(2, 1, 3, story.op(1, 0), story.op(3, 1), story.op(2, 0),
                     {story.wr(2, 3, story.op(2, 1), story.op(3, 0))});
  const Violation right =
      cycle(Kind::non_monotonic_read, {story.so(1, 2), back});
  expect_accepted(story.judge("read-committed", {right}));
  const auto as = [&](Kind kind) {
    Violation v = right;
    v.kind = kind;
    return v;
  };
  // The same edge is justified at the stronger levels, and called the same.
  for (const std::string_view level : {"read-atomic", "causal"}) {
    expect_accepted(story.judge(level, {right}));
    expect_rejected(story.judge(level, {as(Kind::fractured_read)}),
                    "violation 1 is not proven: it is a non-monotonic-read");
  }
  expect_rejected(story.judge("causal", {as(Kind::causal_violation)}),
                  "violation 1 is not proven: it is a non-monotonic-read");
  expect_rejected(story.judge("adya-read-committed", {right}),
                  "violation 1 is not proven: Adya's Read Committed knows no "
                  "such cycle");
  expect_rejected(
      story.judge("adya-read-committed", {as(Kind::causality_cycle)}),
      "violation 1 is not proven: edge 2: Adya's Read Committed infers "
      "nothing");
  expect_rejected(story.judge("causal", {as(Kind::causality_cycle)}),
                  "violation 1 is not proven: a causality cycle has no "
                  "inferred edges");
  expect_bends_rejected(
      story, "read-committed", right,
      {{"no reader", [](Violation& v) { edges_of(v)[1].reader = TxnId(); },
        "edge 2: its reader is no committed transaction"},
       {"init as reader",
        [&](Violation& v) { edges_of(v)[1].reader = story.t(0); },
        "edge 2: its reader is no committed transaction"},
       {"to itself", [&](Violation& v) { edges_of(v)[1].to = story.t(2); },
        "edge 2: it leads from a transaction to itself"},
       {"another read",
        [&](Violation& v) { edges_of(v)[1].read = story.op(3, 0); },
        "edge 2: t3 read y=2 from t2, not from t1"},
       {"another key",
        [&](Violation& v) { edges_of(v)[1].key = story.key("y"); },
        "edge 2: the read it names is of another key"},
       {"no key", [](Violation& v) { edges_of(v)[1].key = KeyId(); },
        "edge 2: the read it names is of another key"},
       {"other write of another key",
        [&](Violation& v) { edges_of(v)[1].other_write = story.op(2, 1); },
        "edge 2: the other write it names is no write of x by t2"},
       {"other write of another transaction",
        [&](Violation& v) { edges_of(v)[1].other_write = story.op(1, 0); },
        "edge 2: the other write it names is no write of x by t2"},
       {"no other write",
        [](Violation& v) { edges_of(v)[1].other_write = OpId(); },
        "edge 2: the other write it names is no write of x by t2"},
       {"nothing seen", [](Violation& v) { edges_of(v)[1].seen.clear(); },
        "edge 2: it does not show that t3 saw t2"},
       {"something else seen",
        [&](Violation& v) { edges_of(v)[1].seen[0].from = story.t(1); },
        "edge 2: what it shows does not lead from t2 to t3"},
       {"seen without a read",
        [](Violation& v) { edges_of(v)[1].seen[0].read = OpId(); },
        "edge 2: step 1: it names no read of this history"},
       {"seen by inference",
        [](Violation& v) { edges_of(v)[1].seen[0].reason = Reason::inferred; },
        "edge 2: step 1: its reason does not fit"}});
}

TEST(Cycle, ReadCommittedLooksAtProgramOrder) {
  // As above, but the old x was read first: Read Committed allows that.
  const Case story("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)");
  const Edge back =
      story.inferred(2, 1, 3, story.op(1, 0), story.op(3, 0), story.op(2, 0),
                     {story.wr(2, 3, story.op(2, 1), story.op(3, 1))});
  expect_rejected(
      story.judge("read-committed",
                  {cycle(Kind::non_monotonic_read, {story.so(1, 2), back})}),
      "violation 1 is not proven: edge 2: under Read Committed the reader sees "
      "only what it read from before");
  expect_accepted(story.judge(
      "read-atomic", {cycle(Kind::fractured_read, {story.so(1, 2), back})}));
  expect_accepted(story.judge_order("read-committed", {1, 2, 3}));
}

TEST(Cycle, ASessionThatMissesItsOwnWrite) {
  // Through init: t2 reads the initial value although t1 overwrote it.
  const Case story("s1: W(x,1) | R(x,0)");
  const Edge back = story.inferred(1, 0, 2, OpId(), story.op(2, 0),
                                   story.op(1, 0), {story.so(1, 2)});
  const Violation right =
      cycle(Kind::read_your_writes_violation, {story.so(0, 1), back});
  for (const std::string_view level :
       {"read-your-writes", "read-atomic", "causal"}) {
    expect_accepted(story.judge(level, {right}));
    if (level == "read-your-writes") continue;
    Violation stronger = right;
    stronger.kind = find_row(levels(), level)->cycle;
    expect_rejected(
        story.judge(level, {stronger}),
        "violation 1 is not proven: it is a read-your-writes-violation");
  }
  Violation committed = right;
  committed.kind = Kind::non_monotonic_read;
  expect_rejected(story.judge("read-committed", {committed}),
                  "violation 1 is not proven: edge 2: under Read Committed the "
                  "reader sees only what it read from before");
  expect_bends_rejected(
      story, "read-atomic", right,
      {{"init with a write",
        [&](Violation& v) { edges_of(v)[1].write = story.op(1, 0); },
        "edge 2: the write it names is not what t2's read returned"},
       {"not init", [&](Violation& v) { edges_of(v)[1].to = story.t(1); },
        "edge 2: it leads from a transaction to itself"}});
}

TEST(Cycle, TwoWaysOfSeeingNeedTheLevelThatHasBoth) {
  // t2 misses its session's x=1, and t4 the x=2 of whom it has read from.
  const Case story(
      "s1: W(x,1) | R(x,0) W(y,1)\ns2: W(x,2) W(z,2)\ns3: R(z,2) R(x,0)");
  const Edge own = story.inferred(1, 0, 2, OpId(), story.op(2, 0),
                                  story.op(1, 0), {story.so(1, 2)});
  const Edge seen =
      story.inferred(3, 0, 4, OpId(), story.op(4, 1), story.op(3, 0),
                     {story.wr(3, 4, story.op(3, 1), story.op(4, 0))});
  const std::vector<Edge> edges = {story.so(0, 1), own, story.so(0, 3), seen};
  expect_accepted(
      story.judge("read-atomic", {cycle(Kind::fractured_read, edges)}));
  expect_accepted(story.judge("causal", {cycle(Kind::fractured_read, edges)}));
  for (const Kind kind :
       {Kind::read_your_writes_violation, Kind::non_monotonic_read}) {
    EXPECT_FALSE(story.judge("causal", {cycle(kind, edges)}).accepted);
  }
}

TEST(Cycle, CausalViolationFollowsAPath) {
  const Case story(
      "s1: W(y,1) R(z,2)\ns2: W(x,3) | W(z,1)\ns3: W(x,4) R(z,1) W(z,2)\n"
      "s4: R(x,3) R(y,1)");
  // t1 = s1; t2, t3 = s2; t4 = s3; t5 = s4.
  const Edge back =
      story.inferred(4, 2, 5, story.op(2, 0), story.op(5, 0), story.op(4, 0),
                     {story.wr(4, 1, story.op(4, 2), story.op(1, 1)),
                      story.wr(1, 5, story.op(1, 0), story.op(5, 1))});
  const Violation right = cycle(
      Kind::writes_follow_reads_violation,
      {story.so(2, 3), story.wr(3, 4, story.op(3, 0), story.op(4, 1)), back});
  expect_accepted(story.judge("writes-follow-reads", {right}));
  expect_accepted(story.judge("causal", {right}));
  Violation causal = right;
  causal.kind = Kind::causal_violation;
  expect_rejected(
      story.judge("causal", {causal}),
      "violation 1 is not proven: it is a writes-follow-reads-violation");
  Violation atomic = right;
  atomic.kind = Kind::fractured_read;
  expect_rejected(story.judge("read-atomic", {atomic}),
                  "violation 1 is not proven: edge 3: under Read Atomic the "
                  "reader sees only what it read from and its own session");
  expect_bends_rejected(
      story, "causal", right,
      {{"path with a gap",
        [&](Violation& v) {
          Step aside = edges_of(v)[2].seen[0];
          aside.from = story.t(2);
          edges_of(v)[2].seen.insert(edges_of(v)[2].seen.begin() + 1, aside);
        },
        "edge 3: step 2 does not begin where step 1 ends"},
       {"path cut", [](Violation& v) { edges_of(v)[2].seen.pop_back(); },
        "edge 3: what it shows does not lead from t4 to t5"},
       {"path with a wrong step",
        [&](Violation& v) { edges_of(v)[2].seen[0].write = story.op(4, 0); },
        "edge 3: step 1: the write it names is not what t1's read returned"},
       {"path through nowhere",
        [](Violation& v) {
          edges_of(v)[2].seen[0].to = TxnId(kNoId - 1);
          edges_of(v)[2].seen[1].from = TxnId(kNoId - 1);
        },
        "edge 3: step 1: its target is no committed transaction"}});
}

TEST(Cycle, ANonRepeatableReadInfersNothing) {
  // t3's second read of x comes from elsewhere than its first: the later one
  // is judged on its own, and infers nothing at Read Atomic.
  const Case story("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,2) R(x,1) R(y,2)");
  const Edge back =
      story.inferred(2, 1, 3, story.op(1, 0), story.op(3, 1), story.op(2, 0),
                     {story.wr(2, 3, story.op(2, 0), story.op(3, 0))});
  Violation v = cycle(Kind::fractured_read, {story.so(1, 2), back});
  expect_rejected(story.judge("read-atomic", {v}),
                  "violation 1 is not proven: edge 2: t3's read of x differs "
                  "from its first one and is judged as a non-repeatable read "
                  "only");
  v.kind = Kind::non_monotonic_read;
  expect_accepted(story.judge("read-committed", {v}));
}

}  // namespace
}  // namespace awdit
