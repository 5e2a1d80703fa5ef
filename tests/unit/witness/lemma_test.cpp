// What dependencies rest on: lemmas by contradiction, nested assumptions, and
// what lists show. One accepted of each sort, and bent.
#include <utility>

#include "tell/tell.h"
#include "unit/witness/bend.h"
#include "witness/cycle_shape.h"

namespace awdit {
namespace {

// -- lemmas -------------------------------------------------------------------

// t3 read y from t2 but missed its x; that t1's x is older than t2's is so
// because of their session.
struct Skewed : Case {
  Skewed() : Case("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)") {}
  Lemma first_is_older() const {
    return lemma("x", 1, 2, {ww(2, 1, op(2, 0), op(1, 0)), so(1, 2)});
  }
  Violation skew() const {
    return cycle(
        Kind::read_skew,
        {rw(3, 2, op(3, 0), op(1, 0), op(2, 0)), wr(2, 3, op(2, 1), op(3, 1))},
        {first_is_older()});
  }
};

TEST(Lemmas, ALemmaIsProvenByContradiction) {
  const Skewed story;
  const Violation right = story.skew();
  for (const std::string_view level : kStrongLevels) {
    expect_accepted(story.judge(level, {right}));
  }
  expect_bends_rejected(
      story, "prefix", right,
      {{"no lemma", [](Violation& v) { lemmas_of(v).clear(); },
        "edge 1: nothing before it shows that t1 wrote x before t2"},
       {"the other way round",
        [](Violation& v) {
          std::swap(lemmas_of(v)[0].older, lemmas_of(v)[0].newer);
        },
        "lemma 1: edge 1: nothing before it shows that t2 wrote x before t1"},
       {"no cycle", [](Violation& v) { lemmas_of(v)[0].cycle.clear(); },
        "lemma 1: its cycle is empty"},
       {"an open cycle", [](Violation& v) { lemmas_of(v)[0].cycle.pop_back(); },
        "lemma 1: edge 1 does not begin where edge 1 ends"},
       {"no key", [](Violation& v) { lemmas_of(v)[0].key = KeyId(); },
        "lemma 1: it names no key of this history"},
       {"another key",
        [&](Violation& v) { lemmas_of(v)[0].key = story.key("y"); },
        "lemma 1: t1 did not write y"},
       {"nobody", [](Violation& v) { lemmas_of(v)[0].older = TxnId(); },
        "lemma 1: it is not about two committed transactions"},
       {"init", [&](Violation& v) { lemmas_of(v)[0].older = story.t(0); },
        "lemma 1: that init comes first needs no lemma"},
       {"a reader", [&](Violation& v) { lemmas_of(v)[0].newer = story.t(3); },
        "lemma 1: t3 did not write x"},
       {"itself", [&](Violation& v) { lemmas_of(v)[0].newer = story.t(1); },
        "lemma 1: it compares t1 with itself"},
       {"to be seen in a list",
        [&](Violation& v) { lemmas_of(v)[0].shown = story.op(3, 0); },
        "lemma 1: it is to be seen in a list, yet it is proven as well"},
       {"to be seen in no list",
        [&](Violation& v) {
          lemmas_of(v)[0] = story.shown("x", 1, 2, story.op(3, 0));
        },
        "lemma 1: the values of this history are no lists"},
       {"a write that is none",
        [](Violation& v) { lemmas_of(v)[0].cycle[0].write = OpId(); },
        "lemma 1: edge 1: the write it names is not t2's last of x"},
       {"a write of another key",
        [&](Violation& v) { lemmas_of(v)[0].cycle[0].write = story.op(2, 1); },
        "lemma 1: edge 1: the write it names is not t2's last of x"},
       {"versions with a read",
        [&](Violation& v) { lemmas_of(v)[0].cycle[0].read = story.op(3, 0); },
        "lemma 1: edge 1: the order of versions rests on no read"},
       {"init's version with a write",
        [&](Violation& v) { lemmas_of(v)[0].cycle[0].from = story.t(0); },
        "lemma 1: edge 1: init has no operations, yet it names one"},
       {"a second lemma that is none",
        [](Violation& v) { lemmas_of(v).emplace_back(); },
        "lemma 2: it names no key of this history"},
       {"it read that very version",
        [&](Violation& v) {
          edges_of(v)[0] =
              story.rw(3, 1, story.op(3, 0), story.op(1, 0), story.op(1, 0));
        },
        "edge 1: t3 did read what t1 wrote"}});
}

TEST(Lemmas, ALemmaRestsOnThoseBeforeItOnly) {
  // The session says of x that t1 is older. Whoever wrote both keys, wrote them
  // in the same order.
  const Case story("s1: W(x,1) W(y,1) | W(x,2)\ns2: W(z,1)\ns3: R(x,1) R(z,1)");
  const Lemma x = story.lemma(
      "x", 1, 2,
      {story.ww(2, 1, story.op(2, 0), story.op(1, 0)), story.so(1, 2)});
  // Not a cycle that is there, but the facts come first.
  const std::vector<Edge> edges = {
      story.rw(4, 2, story.op(4, 0), story.op(1, 0), story.op(2, 0))};
  expect_objection(story.judge(kSer, {cycle(Kind::read_skew, edges, {x})}),
                   "edge 1 does not begin where edge 1 ends");
  expect_objection(story.judge(kSer, {cycle(Kind::read_skew, edges, {})}),
                   "edge 1: nothing before it shows that t1 wrote x before t2");
  Lemma uses = x;
  uses.cycle = {story.ww(1, 2, story.op(1, 0), story.op(2, 0)),
                story.ww(2, 1, story.op(2, 0), story.op(1, 0))};
  expect_objection(
      story.judge(kSer, {cycle(Kind::read_skew, edges, {uses, x})}),
      "lemma 1: edge 1: nothing before it shows that t1 wrote x before t2");
  expect_objection(
      story.judge(kSer, {cycle(Kind::read_skew, edges, {x, uses})}),
      "edge 1 does not begin where edge 1 ends");
}

// t2 follows t1 and read x from t3, so that t1's x is older than t3's; hence so
// is its y. But t4 saw t3 and read t1's y.
struct Nested : Case {
  Nested()
      : Case(
            "s1: W(x,1) W(y,1) | R(x,2)\ns2: W(x,2) W(y,2) W(w,2)\n"
            "s3: R(w,2) R(y,1)") {}
  // Assuming that t3's y is older than t1's, so is its x.
  Lemma x_like_y() const {
    return lemma("x", 3, 1,
                 {ww(1, 3, op(1, 0), op(3, 0)), ww(3, 1, op(3, 1), op(1, 1))});
  }
  Lemma y() const {
    return lemma("y", 1, 3, {rw(2, 1, op(2, 0), op(3, 0), op(1, 0)), so(1, 2)},
                 {x_like_y()});
  }
  std::vector<Edge> skew() const {
    return {rw(4, 3, op(4, 1), op(1, 1), op(3, 1)),
            wr(3, 4, op(3, 2), op(4, 0))};
  }
};

TEST(Lemmas, LemmasUnderAnAssumptionMayRestOnIt) {
  const Nested story;
  const Violation right = cycle(Kind::read_skew, story.skew(), {story.y()});
  for (const std::string_view level : kStrongLevels) {
    expect_accepted(story.judge(level, {right}));
  }
  expect_bends_rejected(
      story, kSi, right,
      {{"not under it", [](Violation& v) { lemmas_of(v)[0].under.clear(); },
        "lemma 1: edge 1: nothing before it shows that t3 wrote x before t1"},
       {"before it",
        [](Violation& v) {
          lemmas_of(v).insert(lemmas_of(v).begin(), lemmas_of(v)[0].under[0]);
        },
        "lemma 1: edge 2: nothing before it shows that t3 wrote y before t1"},
       {"a wrong one under it",
        [](Violation& v) { lemmas_of(v)[0].under[0].cycle.pop_back(); },
        "lemma 1.1: edge 1 does not begin where edge 1 ends"},
       {"a wrong one behind it",
        [](Violation& v) {
          lemmas_of(v)[0].under.push_back(lemmas_of(v)[0].under[0]);
          lemmas_of(v)[0].under[1].cycle.clear();
        },
        "lemma 1.2: its cycle is empty"},
       {"the lemma under it is used outside",
        [&](Violation& v) {
          edges_of(v) = {
              story.rw(2, 1, story.op(2, 0), story.op(3, 0), story.op(1, 0)),
              story.so(1, 2)};
        },
        "edge 1: nothing before it shows that t3 wrote x before t1"},
       {"the assumption is used outside",
        [&](Violation& v) {
          edges_of(v) = {story.ww(3, 1, story.op(3, 1), story.op(1, 1)),
                         story.ww(1, 3, story.op(1, 1), story.op(3, 1))};
        },
        "edge 1: nothing before it shows that t3 wrote y before t1"}});
}

TEST(Lemmas, AnAssumptionThatIsKnownAlreadyIsNotForgotten) {
  const Nested story;
  // y twice, then its contrary is assumed: a contradiction, and both remain.
  Lemma absurd = story.y();
  std::swap(absurd.older, absurd.newer);
  absurd.under.clear();
  absurd.cycle = story.skew();
  expect_accepted(story.judge(kSi, {cycle(Kind::read_skew, story.skew(),
                                          {story.y(), absurd, story.y()})}));
}

Lemma nested(const Lemma& lemma, std::uint32_t depth) {
  Lemma whole = lemma;
  for (std::uint32_t i = 1; i < depth; ++i) {
    Lemma outer = lemma;
    outer.under.push_back(std::move(whole));
    whole = std::move(outer);
  }
  return whole;
}

TEST(Lemmas, LemmasNestOnlySoDeep) {
  const Skewed story;
  Violation violation = story.skew();
  lemmas_of(violation) = {nested(story.first_is_older(), kDeepestLemma)};
  expect_accepted(story.judge(kSi, {violation}));
  for (const std::uint32_t depth : {kDeepestLemma + 1, 300u}) {
    lemmas_of(violation) = {nested(story.first_is_older(), depth)};
    expect_objection(story.judge(kSi, {violation}),
                     "lemma 1.1.1.1...: more than 256 assumptions are made one "
                     "within the other");
  }
}

TEST(Lemmas, ManyLemmas) {
  // Each is used by the next; facts under an assumption are forgotten in time.
  const Skewed story;
  Violation violation = story.skew();
  lemmas_of(violation).assign(20'000, story.first_is_older());
  lemmas_of(violation)[0].under.assign(20'000, story.first_is_older());
  expect_accepted(story.judge(kSi, {violation}));
  lemmas_of(violation)[0].under.back().cycle.pop_back();
  expect_objection(story.judge(kSi, {violation}),
                   "lemma 1.20000: edge 1 does not begin where edge 1 ends");
}

TEST(Lemmas, WhatALevelAllowsProvesNoLemma) {
  // Two that overwrite the same version: prefix has no order of them.
  const Case story("s1: R(x,0) W(x,1)\ns2: R(x,0) W(x,2)");
  const Lemma lemma =
      story.lemma("x", 1, 2,
                  {story.ww(2, 1, story.op(2, 1), story.op(1, 1)),
                   story.rw(1, 2, story.op(1, 0), OpId(), story.op(2, 1))});
  const Violation lost =
      cycle(Kind::read_skew,
            {story.ww(1, 2, story.op(1, 1), story.op(2, 1)),
             story.rw(2, 1, story.op(2, 0), OpId(), story.op(1, 1))},
            {lemma});
  for (const std::string_view level : {kPsi, kSi, kSer}) {
    expect_accepted(story.judge(level, {lost}));
  }
  expect_objection(story.judge("prefix", {lost}),
                   "lemma 1: Prefix Consistency allows it, because edge 2 is "
                   "an anti-dependency directly behind an order of versions");
}

// -- lists --------------------------------------------------------------------

TEST(Lemmas, AListShowsTheOrderOfVersions) {
  const Case story(
      "s1: A(x,1)\ns2: A(x,2) A(x,3) A(y,1)\ns3: R(x,[1 2 3])\n"
      "s4: R(x,[1]) R(y,[1])\ns5: A(x,4) R(x,[1 2 3 4])\n"
      "s6: R(x,[1 2])\ns7: R(x,[1])!");
  const Violation right =
      cycle(Kind::read_skew,
            {story.rw(4, 2, story.op(4, 0), story.op(1, 0), story.op(2, 1)),
             story.wr(2, 4, story.op(2, 2), story.op(4, 1))},
            {story.shown("x", 1, 2, story.op(3, 0))});
  for (const std::string_view level : kStrongLevels) {
    expect_accepted(story.judge(level, {right}));
  }
  const auto shown = [&](std::uint32_t older, std::uint32_t newer, OpId read) {
    return [&story, older, newer, read](Violation& v) {
      lemmas_of(v)[0] = story.shown("x", older, newer, read);
    };
  };
  expect_bends_rejected(
      story, kSi, right,
      {{"the other way round", shown(2, 1, story.op(3, 0)),
        "lemma 1: t3's read of x=[1 2 3] does not show that t2 appended before "
        "t1"},
       {"the reader's own", shown(5, 1, story.op(5, 1)),
        "lemma 1: t5's read of x=[1 2 3 4] does not show that t5 appended "
        "before t1"},
       {"neither is in it", shown(2, 5, story.op(4, 0)),
        "lemma 1: t4's read of x=[1] does not show that t2 appended before "
        "t5"},
       {"another key", shown(1, 2, story.op(4, 1)),
        "lemma 1: it names no read of x by a committed transaction"},
       {"a write", shown(1, 2, story.op(1, 0)),
        "lemma 1: it names no read of x by a committed transaction"},
       {"a far read", shown(1, 2, OpId(kNoId - 1)),
        "lemma 1: it names no read of x by a committed transaction"},
       {"an aborted reader", shown(1, 2, story.op(7, 0)),
        "lemma 1: it names no read of x by a committed transaction"},
       {"an intermediate read", shown(1, 2, story.op(6, 0)),
        "lemma 1: t6's read of x=[1 2] shows nothing, because it is of kind "
        "intermediate-read"}});
  // A transaction's own append counts as well, and what a list does not have
  // came later.
  Violation more = right;
  lemmas_of(more) = {story.shown("x", 1, 2, story.op(4, 0)),
                     story.shown("x", 2, 5, story.op(5, 1)),
                     story.shown("x", 1, 5, story.op(5, 1)),
                     story.shown("x", 2, 5, story.op(3, 0))};
  expect_accepted(story.judge(kSi, {more}));
}

// -- who is in it -------------------------------------------------------------

TEST(Lemmas, TransactionsOfLemmasComeAfterThoseOfTheCycle) {
  const Nested story;
  EXPECT_EQ(transactions_of(story.history,
                            cycle(Kind::read_skew, story.skew(), {story.y()})),
            (std::vector{story.t(3), story.t(1), story.t(4), story.t(2)}));
  const Case lost("s1: W(x,1)\ns2: R(x,1) W(x,2)\ns3: R(x,1) W(x,3)");
  EXPECT_EQ(
      transactions_of(lost.history, finding(Kind::lost_update, lost.op(2, 0),
                                            lost.op(1, 0), lost.op(3, 0))),
      (std::vector{lost.t(1), lost.t(2), lost.t(3)}));
}

}  // namespace
}  // namespace awdit
