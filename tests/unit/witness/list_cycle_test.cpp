// Cycles that rest on the order of versions that lists show, at the levels up
// to Causal: accepted as they are, and rejected with any detail bent.
#include <functional>

#include "tell/tell.h"
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
  expect_accepted(story.judge(level, {right}));
  for (const Bend& bend : bends) {
    SCOPED_TRACE(bend.what);
    Violation wrong = right;
    bend.bend(wrong);
    expect_rejected(
        story.judge(level, {wrong}),
        "violation 1 is not proven: " + std::string(bend.objection));
  }
}

void expect_accepted_everywhere(const Case& story, const Violation& right) {
  for (const std::string_view level : kAllLevels) {
    SCOPED_TRACE(level);
    expect_accepted(story.judge(level, {right}));
  }
  for (const std::string_view level : kStrongLevels) {
    SCOPED_TRACE(level);
    expect_accepted(story.judge(level, {right}));
  }
}

// The specification's first row: t3's own read has t1 right before t3, so that
// t2, which precedes t3, comes after it.
class OwnRead : public testing::Test {
 protected:
  const Case story{
      "s1: A(x,1) | A(x,2) | A(x,3) R(x,[1 3])\ns2: A(y,1)! | A(x,7) A(x,8)! | "
      "R(y,[1])"};
  const Violation right =
      cycle(Kind::dependency_cycle,
            {story.ww(3, 2, story.op(3, 0), story.op(2, 0)), story.so(2, 3)},
            {story.shown("x", 3, 2, story.op(3, 1))});
};

TEST_F(OwnRead, TheReaderIsOlderThanWhoIsNotInItsList) {
  expect_accepted_everywhere(story, right);
}

TEST_F(OwnRead, EveryDetailCounts) {
  expect_bends_rejected(
      story, "adya-read-committed", right,
      {{"no lemma", [](Violation& v) { lemmas_of(v).clear(); },
        "edge 1: nothing before it shows that t3 wrote x before t2"},
       {"another lemma",
        [&](Violation& v) {
          lemmas_of(v)[0] = story.shown("x", 1, 2, story.op(3, 1));
        },
        "edge 1: nothing before it shows that t3 wrote x before t2"},
       {"a lemma that is not so",
        [&](Violation& v) {
          lemmas_of(v)[0] = story.shown("x", 2, 3, story.op(3, 1));
        },
        "lemma 1: t3's read of x=[1 3] does not show that t2 appended before "
        "t3"},
       {"the other way round",
        [&](Violation& v) {
          lemmas_of(v)[0] = story.shown("x", 3, 1, story.op(3, 1));
        },
        "lemma 1: t3's read of x=[1 3] does not show that t3 appended before "
        "t1"},
       {"no read",
        [&](Violation& v) { lemmas_of(v)[0].shown = story.op(3, 0); },
        "lemma 1: it names no read of x by a committed transaction"},
       {"another key's read",
        [&](Violation& v) { lemmas_of(v)[0].shown = story.op(6, 0); },
        "lemma 1: it names no read of x by a committed transaction"},
       {"shown by nothing",
        [](Violation& v) { lemmas_of(v)[0].shown = OpId(); },
        "lemma 1: under Adya's Read Committed only a list shows which version "
        "is older, and it names none"},
       {"proven by a cycle",
        [&](Violation& v) {
          lemmas_of(v)[0].shown = OpId();
          lemmas_of(v)[0].cycle = {story.so(2, 3), story.so(3, 2)};
        },
        "lemma 1: under Adya's Read Committed only a list shows which version "
        "is older, and it names none"},
       {"shown and proven",
        [&](Violation& v) { lemmas_of(v)[0].cycle = {story.so(2, 3)}; },
        "lemma 1: it is to be seen in a list, yet it is proven as well"},
       {"shown, with others under it",
        [&](Violation& v) { lemmas_of(v)[0].under = {lemmas_of(v)[0]}; },
        "lemma 1: it is to be seen in a list, yet it is proven as well"},
       {"of an aborted one",
        [&](Violation& v) { lemmas_of(v)[0].newer = story.t(5); },
        "lemma 1: it is not about two committed transactions"},
       {"of init", [&](Violation& v) { lemmas_of(v)[0].older = story.t(0); },
        "lemma 1: that init comes first needs no lemma"},
       {"of itself", [&](Violation& v) { lemmas_of(v)[0].newer = story.t(3); },
        "lemma 1: it compares t3 with itself"},
       {"of one that did not append",
        [&](Violation& v) { lemmas_of(v)[0].newer = story.t(6); },
        "lemma 1: t6 did not write x"},
       {"no key", [](Violation& v) { lemmas_of(v)[0].key = KeyId(99); },
        "lemma 1: it names no key of this history"},
       {"another append",
        [&](Violation& v) { edges_of(v)[0].write = story.op(1, 0); },
        "edge 1: the write it names is not t3's last of x"},
       {"no append", [](Violation& v) { edges_of(v)[0].write = OpId(); },
        "edge 1: the write it names is not t3's last of x"},
       {"another newer append",
        [&](Violation& v) { edges_of(v)[0].other_write = story.op(1, 0); },
        "edge 1: the other write it names is not t2's last of x"},
       {"no newer append",
        [](Violation& v) { edges_of(v)[0].other_write = OpId(); },
        "edge 1: the other write it names is not t2's last of x"},
       {"a read", [&](Violation& v) { edges_of(v)[0].read = story.op(3, 1); },
        "edge 1: the order of versions rests on no read"},
       {"a reader", [&](Violation& v) { edges_of(v)[0].reader = story.t(3); },
        "edge 1: only an inferred edge has a reader and what it saw"},
       {"another key",
        [&](Violation& v) { edges_of(v)[0].key = story.key("y"); },
        "edge 1: the other write it names is not t2's last of y"},
       {"no such key", [](Violation& v) { edges_of(v)[0].key = KeyId(99); },
        "edge 1: it names no key of this history"},
       {"to itself", [&](Violation& v) { edges_of(v)[0].to = story.t(3); },
        "edge 1: it leads from a transaction to itself"},
       {"to init", [&](Violation& v) { edges_of(v)[0].to = story.t(0); },
        "edge 1: nothing comes before init"},
       {"to an aborted one",
        [&](Violation& v) { edges_of(v)[0].to = story.t(5); },
        "edge 1: its target is no committed transaction"},
       {"from nobody", [](Violation& v) { edges_of(v)[0].from = TxnId(77); },
        "edge 1: its source is no committed transaction"},
       {"an anti-dependency",
        [](Violation& v) { edges_of(v)[0].reason = Reason::anti_dependency; },
        "edge 1: only an inferred edge has a reader, a key and another write"},
       {"an operation outside",
        [&](Violation& v) { v.evidence = Finding{story.op(3, 1)}; },
        "it is a cycle, yet names an operation outside its edges"},
       {"empty", [](Violation& v) { edges_of(v).clear(); },
        "its cycle is empty"},
       {"open", [](Violation& v) { edges_of(v).pop_back(); },
        "edge 1 does not begin where edge 1 ends"}});
}

TEST_F(OwnRead, TheNameMustFit) {
  const auto named = [&](Kind kind) {
    Violation v = right;
    v.kind = kind;
    return v;
  };
  const std::string unproven = "violation 1 is not proven: ";
  expect_rejected(story.judge("causal", {named(Kind::causality_cycle)}),
                  unproven + "a causality cycle rests on no lemmas");
  Violation bare = named(Kind::causality_cycle);
  lemmas_of(bare).clear();
  EXPECT_FALSE(story.judge("causal", {bare}).accepted);
  expect_rejected(
      story.judge("causal", {named(Kind::causal_violation)}),
      unproven + "without an inferred edge it is a dependency cycle");
  expect_rejected(
      story.judge("adya-read-committed", {named(Kind::fractured_read)}),
      unproven + "Adya's Read Committed knows no such cycle");
  expect_rejected(story.judge("causal", {named(Kind::read_skew)}),
                  unproven + "Causal Consistency knows no such cycle");
}

// A list with a finding shows nothing.
TEST(ListCycle, AReadThatIsSetAsideShowsNothing) {
  const Case story(
      "s1: A(x,1) | A(x,2)\ns2: R(x,[1 2])\ns3: R(x,[2])\n"
      "s4: R(x,[2 2]) R(x,[2 9])");
  for (const std::uint32_t read : {4u, 5u, 6u}) {
    const OpId shown(read - 1);
    EXPECT_FALSE(
        story
            .judge("adya-read-committed",
                   {cycle(Kind::dependency_cycle,
                          {story.ww(2, 1, story.op(2, 0), story.op(1, 0)),
                           story.so(1, 2)},
                          {story.shown("x", 2, 1, shown)})})
            .accepted);
  }
}

// One session: x's versions are [1] and [1 2], yet t3 read [2].
TEST(ListCycle, WhoIsNotInTheListAppendedLater) {
  const Case story("s1: A(x,1) | A(x,2) | R(x,[2])");
  expect_accepted_everywhere(
      story,
      cycle(Kind::dependency_cycle,
            {story.ww(2, 1, story.op(2, 0), story.op(1, 0)), story.so(1, 2)},
            {story.shown("x", 2, 1, story.op(3, 0))}));
}

TEST(ListCycle, TwoKeysInOppositeOrders) {
  const Case story(
      "s1: A(x,1) A(y,1)\ns2: A(x,2) A(y,2)\ns3: R(x,[1 2]) R(y,[2 1])");
  const Violation right =
      cycle(Kind::dependency_cycle,
            {story.ww(1, 2, story.op(1, 0), story.op(2, 0)),
             story.ww(2, 1, story.op(2, 1), story.op(1, 1))},
            {story.shown("x", 1, 2, story.op(3, 0)),
             story.shown("y", 2, 1, story.op(3, 1))});
  expect_accepted_everywhere(story, right);
  expect_bends_rejected(
      story, "read-committed", right,
      {{"one key for both",
        [&](Violation& v) {
          edges_of(v)[1] = story.ww(2, 1, story.op(2, 0), story.op(1, 0));
        },
        "edge 2: nothing before it shows that t2 wrote x before t1"},
       {"a lemma of the other key",
        [&](Violation& v) { lemmas_of(v)[1] = lemmas_of(v)[0]; },
        "edge 2: nothing before it shows that t2 wrote y before t1"}});
}

// s2's first transaction made its version right behind init, its second says
// that t1 was there.
TEST(ListCycle, OwnReadsAreReads) {
  const Case story(
      "s1: A(x,1)\ns2: A(y,1) | A(x,2) R(x,[1 2]) | A(x,3) R(x,[1 2 3])\n"
      "s3: R(y,[1]) A(x,4)");
  // t3 read from t1 and itself: the version before its own.
  const Edge right = story.wr(1, 3, story.op(1, 0), story.op(3, 1));
  const auto loop = [&](const Edge& edge) {
    return story.judge("causal",
                       {cycle(Kind::causality_cycle, {edge, story.so(3, 1)})});
  };
  const std::string unproven = "violation 1 is not proven: ";
  expect_rejected(loop(right),
                  unproven + "edge 2: t3 and t1 are not of one session");
  Edge wrong = right;
  wrong.write = story.op(3, 0);
  expect_rejected(
      loop(wrong),
      unproven + "edge 1: the write it names is not what t3's read returned");
  wrong = right;
  wrong.from = story.t(3);
  expect_rejected(loop(wrong), unproven +
                                   "edge 1: t3 read x=[1 2] from t1, not from "
                                   "t3");
  wrong = right;
  wrong.from = story.t(0);
  wrong.write = OpId();
  expect_rejected(loop(wrong), unproven +
                                   "edge 1: t3 read x=[1 2] from t1, not from "
                                   "init");
}

// What the axiom demands, against what a list shows.
TEST(ListCycle, InferredEdgesAndVersions) {
  // t4 saw t2 in y and read x=[1]: t2 before t1. But t3's list has t1 first.
  const Case story(
      "s1: A(x,1)\ns2: A(x,2) A(y,2)\ns3: R(x,[1 2])\ns4: R(y,[2]) R(x,[1])");
  const Violation right = cycle(
      Kind::non_monotonic_read,
      {story.inferred(2, 1, 4, story.op(1, 0), story.op(4, 1), story.op(2, 0),
                      {story.wr(2, 4, story.op(2, 1), story.op(4, 0))}),
       story.ww(1, 2, story.op(1, 0), story.op(2, 0))},
      {story.shown("x", 1, 2, story.op(3, 0))});
  const auto named = [&](Kind kind) {
    Violation v = right;
    v.kind = kind;
    return v;
  };
  const std::string unproven = "violation 1 is not proven: ";
  expect_accepted(story.judge("read-committed", {right}));
  expect_accepted(story.judge("read-atomic", {right}));
  expect_accepted(story.judge("causal", {right}));
  expect_rejected(story.judge("read-atomic", {named(Kind::fractured_read)}),
                  unproven + "it is a non-monotonic-read");
  for (const std::string_view level : kStrongLevels) {
    expect_accepted(story.judge(level, {right}));
    expect_rejected(story.judge(level, {named(Kind::causal_violation)}),
                    unproven + "it is a non-monotonic-read");
  }
  expect_rejected(story.judge("adya-read-committed", {right}),
                  unproven + "Adya's Read Committed knows no such cycle");
  expect_rejected(
      story.judge("read-committed", {named(Kind::dependency_cycle)}),
      unproven + "a dependency cycle has no inferred edges");
  expect_rejected(
      story.judge("adya-read-committed", {named(Kind::dependency_cycle)}),
      unproven + "edge 1: Adya's Read Committed infers nothing");
  // The list that t4 read shows the same: it has nothing of t2.
  Violation own = right;
  lemmas_of(own)[0].shown = story.op(4, 1);
  expect_accepted(story.judge("read-committed", {own}));
  // Premises speak of sessions and reads only.
  Violation seen = right;
  edges_of(seen)[0].seen[0].reason = Reason::version_order;
  expect_rejected(story.judge("causal", {[&] {
                                Violation v = seen;
                                v.kind = Kind::causal_violation;
                                return v;
                              }()}),
                  unproven + "edge 1: step 1: its reason does not fit");
}

TEST(ListCycle, ACycleOfSessionsAndReadsIsNoDependencyCycle) {
  const Case story("s1: R(x,[1]) | A(y,1)\ns2: R(y,[1]) A(x,1)");
  Violation v =
      cycle(Kind::dependency_cycle,
            {story.so(1, 2), story.wr(2, 3, story.op(2, 0), story.op(3, 0)),
             story.wr(3, 1, story.op(3, 1), story.op(1, 0))});
  expect_rejected(story.judge("causal", {v}),
                  "violation 1 is not proven: without an order of versions it "
                  "is a causality cycle");
  v.kind = Kind::causality_cycle;
  expect_accepted(story.judge("causal", {v}));
}

TEST(ListCycle, ValuesShowNothing) {
  const Case story("s1: W(x,1) | W(x,2) | R(x,1)");
  expect_rejected(
      story.judge("causal",
                  {cycle(Kind::dependency_cycle,
                         {story.ww(2, 1, story.op(2, 0), story.op(1, 0)),
                          story.so(1, 2)},
                         {story.shown("x", 2, 1, story.op(3, 0))})}),
      "violation 1 is not proven: lemma 1: the values of this history are no "
      "lists");
  expect_rejected(
      story.judge("causal",
                  {cycle(Kind::dependency_cycle,
                         {story.ww(2, 1, story.op(2, 0), story.op(1, 0)),
                          story.so(1, 2)})}),
      "violation 1 is not proven: edge 1: nothing before it shows that t2 "
      "wrote x before t1");
}

// -- sentences ----------------------------------------------------------------

std::vector<std::string> told(const Case& story, std::string_view level,
                              const Violation& violation) {
  expect_accepted(story.judge(level, {violation}));
  std::vector<std::string> lines = {headline(story.history, violation)};
  const Proof proof =
      proof_of(story.history, *find_row(levels(), level), violation);
  for (const ProofStep& step : proof.steps) {
    lines.push_back(step.claim + ": " + step.reason);
  }
  lines.push_back(proof.contradiction);
  return lines;
}

TEST_F(OwnRead, AsItIsTold) {
  EXPECT_EQ(told(story, "adya-read-committed", right),
            (std::vector<std::string>{
                "t3 appended 3 to x before t2 appended 2, yet t3 follows t2 in "
                "session s1.",
                "t2 comes before t3: t3 follows t2 in session s1.",
                "t3 comes before t2: t3 read x=[1 3], which has what it "
                "appended itself "
                "but nothing from t2, so that t2 appended to x later.",
                "1 and 2 contradict each other: no commit order exists."}));
  const Proof proof = proof_of(
      story.history, *find_row(levels(), "adya-read-committed"), right);
  EXPECT_EQ(
      proof.steps[1].ops,
      (std::vector<OpId>{story.op(3, 1), story.op(3, 0), story.op(2, 0)}));
  EXPECT_EQ(transactions_of(story.history, right),
            (std::vector<TxnId>{story.t(2), story.t(3)}));
}

TEST(ListCycle, InferredEdgesAndVersionsAsTheyAreTold) {
  const Case story(
      "s1: A(x,1)\ns2: A(x,2) A(y,2)\ns3: R(x,[1 2])\ns4: R(y,[2]) R(x,[1])");
  EXPECT_EQ(
      told(story, "read-committed",
           cycle(Kind::non_monotonic_read,
                 {story.inferred(
                      2, 1, 4, story.op(1, 0), story.op(4, 1), story.op(2, 0),
                      {story.wr(2, 4, story.op(2, 1), story.op(4, 0))}),
                  story.ww(1, 2, story.op(1, 0), story.op(2, 0))},
                 {story.shown("x", 1, 2, story.op(3, 0))})),
      (std::vector<std::string>{
          "t4 read x=[1] from t1 although it had already read y=[2] from t2, "
          "which had appended 2 to x.",
          "t1 comes before t2: t3 read x=[1 2], which shows that t1 appended "
          "to x before t2.",
          "t2 comes before t1: t4 read y=[2] from t2. Later t4 read x=[1] from "
          "t1, yet t2 also appended 2 to x. Under Read Committed t1 must then "
          "be the newer of the two: t2 comes before t1.",
          "1 and 2 contradict each other: no commit order exists."}));
}

TEST(ListCycle, ThreeAndMoreAsTheyAreTold) {
  const Case story(
      "s1: A(x,1) A(y,1)\ns2: A(x,2) A(z,2)\ns3: A(z,3) A(y,3)\n"
      "s4: R(x,[1 2]) R(z,[2 3]) R(y,[3 1])");
  const Violation right =
      cycle(Kind::dependency_cycle,
            {story.ww(1, 2, story.op(1, 0), story.op(2, 0)),
             story.ww(2, 3, story.op(2, 1), story.op(3, 0)),
             story.ww(3, 1, story.op(3, 1), story.op(1, 1))},
            {story.shown("x", 1, 2, story.op(4, 0)),
             story.shown("z", 2, 3, story.op(4, 1)),
             story.shown("y", 3, 1, story.op(4, 2))});
  const std::vector<std::string> lines = told(story, "read-atomic", right);
  EXPECT_EQ(lines.front(), "t1, t2 and t3 depend on each other in a circle.");
  EXPECT_EQ(lines.back(), "1 to 3 form a cycle: no commit order exists.");
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[1],
            "t2 comes before t3: t4 read z=[2 3], which shows that t2 appended "
            "to z before t3.");
}

// An own read names whom it was read from besides.
TEST(ListCycle, OwnReadsAsTheyAreTold) {
  const Case story("s1: A(x,1)\ns2: A(x,2) R(x,[1 2])\ns3: A(y,1) R(y,[1])");
  EXPECT_EQ(explain(story.history, *find_row(levels(), "causal"),
                    story.wr(1, 2, story.op(1, 0), story.op(2, 1))),
            "t2 read x=[1 2] from t1 and itself.");
  EXPECT_EQ(explain(story.history, *find_row(levels(), "causal"),
                    story.wr(0, 3, OpId(), story.op(3, 1))),
            "t3 read only its own y=[1].");
}

// Two transactions on one version: one of them by its own read.
TEST(ListCycle, LostUpdateByAnOwnRead) {
  const Case story("s1: A(x,1) R(x,[1])\ns2: R(x,[]) A(x,2)");
  const Violation right =
      finding(Kind::lost_update, story.op(1, 1), OpId(), story.op(2, 0));
  for (const std::string_view level :
       {"parallel-snapshot-isolation", "snapshot-isolation", "serializable"}) {
    expect_accepted(story.judge(level, {right}));
  }
  EXPECT_FALSE(story.judge("prefix", {right}).accepted);
  EXPECT_EQ(headline(story.history, right),
            "t1 read only its own x=[1] and t2 read the initial x=[], and both "
            "appended to it: neither saw the other's element.");
}

}  // namespace
}  // namespace awdit
