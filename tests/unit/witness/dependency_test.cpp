// Cycles of dependencies and lost updates: one accepted per kind and level, and
// each bent in every way that would make it prove nothing.
#include "tell/tell.h"
#include "unit/witness/bend.h"
#include "witness/cycle_shape.h"

namespace awdit {
namespace {

// -- shapes -------------------------------------------------------------------

std::vector<Edge> shape(std::string_view letters) {
  std::vector<Edge> edges;
  for (const char letter : letters) {
    Edge& edge = edges.emplace_back();
    edge.reason = letter == 's'   ? Reason::session_order
                  : letter == 'r' ? Reason::reads_from
                  : letter == 't' ? Reason::real_time
                  : letter == 'w' ? Reason::version_order
                                  : Reason::anti_dependency;
  }
  return edges;
}

TEST(Dependencies, Names) {
  const std::pair<std::string_view, Kind> table[] = {
      {"sr", Kind::dependency_cycle},
      {"wws", Kind::dependency_cycle},
      {"rA", Kind::read_skew},
      {"wAs", Kind::read_skew},
      {"rArA", Kind::long_fork},
      {"ArAr", Kind::long_fork},
      {"sArA", Kind::long_fork},
      {"AsAs", Kind::long_fork},
      {"wArA", Kind::g_nonadjacent},
      {"AwAr", Kind::g_nonadjacent},
      {"rAsrA", Kind::g_nonadjacent},
      {"rArArA", Kind::g_nonadjacent},
      {"AA", Kind::write_skew},
      {"AAr", Kind::g2_item},
      {"ArA", Kind::g2_item},
      {"AAA", Kind::g2_item},
      {"AArr", Kind::g2_item},
      {"rAAr", Kind::g2_item},
      {"tA", Kind::real_time_violation},
      {"tAA", Kind::real_time_violation},
      {"tw", Kind::real_time_violation},
  };
  for (const auto& [letters, kind] : table) {
    CycleNamer namer;
    namer.add(shape(letters));
    EXPECT_EQ(anomaly(namer.kind()).name, anomaly(kind).name) << letters;
  }
}

// What a lemma rests on counts as well: a read skew whose lemma only
// serializability grants is none.
TEST(Dependencies, NamesAfterTheWholeProof) {
  const auto name = [](std::initializer_list<std::string_view> cycles) {
    CycleNamer namer;
    for (const std::string_view letters : cycles) namer.add(shape(letters));
    return anomaly(namer.kind()).name;
  };
  EXPECT_EQ(name({"ws", "Ar"}), "read-skew");
  EXPECT_EQ(name({"wAA", "Ar"}), "g2-item");
  EXPECT_EQ(name({"wAA", "AA"}), "write-skew");
  EXPECT_EQ(name({"wAsA", "Ar"}), "g-nonadjacent");
  EXPECT_EQ(name({"wAA", "ArAr"}), "g2-item");
  EXPECT_EQ(name({"ArsArs", "ArAr"}), "long-fork");
  EXPECT_EQ(name({"wt", "Ar"}), "real-time-violation");
  EXPECT_EQ(name({"ws", "ws"}), "dependency-cycle");
}

TEST(Dependencies, WhatEachLevelForbids) {
  struct Row {
    std::string_view letters;
    bool prefix, parallel, snapshot, all;
  };
  const Row table[] = {
      {"ww", true, true, true, true},     {"rw", true, true, true, true},
      {"rA", true, true, true, true},     {"sA", true, true, true, true},
      {"wA", false, true, true, true},    {"wsA", true, true, true, true},
      {"swA", false, true, true, true},   {"rArA", true, false, true, true},
      {"wArA", false, false, true, true}, {"AwAw", false, false, true, true},
      {"AA", false, false, false, true},  {"ArA", false, false, false, true},
      {"AAr", false, false, false, true},
  };
  for (const Row& row : table) {
    SCOPED_TRACE(row.letters);
    const std::vector<Edge> edges = shape(row.letters);
    const auto forbids = [&](std::string_view level) {
      return why_allowed(*find_row(levels(), level), edges).empty();
    };
    EXPECT_EQ(forbids("prefix"), row.prefix);
    EXPECT_EQ(forbids(kPsi), row.parallel);
    EXPECT_EQ(forbids(kSi), row.snapshot);
    EXPECT_EQ(forbids(kSer), row.all);
    EXPECT_EQ(forbids(kStrongSi), row.snapshot);
    EXPECT_EQ(forbids(kStrict), row.all);
    EXPECT_FALSE(forbids("causal"));
  }
  // Real time leads to a snapshot, as sessions and reads do.
  EXPECT_EQ(why_allowed(*find_row(levels(), "prefix"), shape("tA")), "");
}

// -- cycles -------------------------------------------------------------------

TEST(Dependencies, WriteSkew) {
  const Case story(
      "s1: R(x,0) W(y,1)\ns2: R(y,0) W(x,1)\ns3: W(x,7)!\ns4: R(x,0)");
  const Violation right =
      cycle(Kind::write_skew,
            {story.rw(1, 2, story.op(1, 0), OpId(), story.op(2, 1)),
             story.rw(2, 1, story.op(2, 0), OpId(), story.op(1, 1))});
  expect_accepted(story.judge(kSer, {right}));
  expect_objection(story.judge(kSi, {right}),
                   "Snapshot Isolation allows it, because edges 1 and 2 are "
                   "anti-dependencies in a row");
  expect_objection(story.judge("prefix", {right}),
                   "Prefix Consistency allows it, because edge 1 is an "
                   "anti-dependency directly behind another one");
  expect_objection(story.judge(kPsi, {right}),
                   "Parallel Snapshot Isolation allows it, because it has "
                   "several anti-dependencies");
  expect_objection(story.judge("causal", {right}),
                   "Causal Consistency knows no such cycle");
  expect_bends_rejected(
      story, kSer, right,
      {{"empty", [](Violation& v) { edges_of(v).clear(); },
        "its cycle is empty"},
       {"open", [](Violation& v) { edges_of(v).pop_back(); },
        "edge 1 does not begin where edge 1 ends"},
       {"another kind", [](Violation& v) { v.kind = Kind::g2_item; },
        "what its cycles show is of kind write-skew"},
       {"an operation beside",
        [&](Violation& v) { v.evidence = Finding{story.op(1, 0)}; },
        "it is a cycle, yet names an operation outside its edges"},
       {"no source", [](Violation& v) { edges_of(v)[0].from = TxnId(); },
        "edge 1: its source is no committed transaction"},
       {"far target",
        [](Violation& v) { edges_of(v)[0].to = TxnId(kNoId - 1); },
        "edge 1: its target is no committed transaction"},
       {"aborted target", [&](Violation& v) { edges_of(v)[0].to = story.t(3); },
        "edge 1: its target is no committed transaction"},
       {"init as target", [&](Violation& v) { edges_of(v)[0].to = story.t(0); },
        "edge 1: nothing comes before init"},
       {"init as source",
        [&](Violation& v) { edges_of(v)[0].from = story.t(0); },
        "edge 1: it names no read of x by init"},
       {"to itself", [&](Violation& v) { edges_of(v)[0].from = story.t(2); },
        "edge 1: it leads from a transaction to itself"},
       {"a reader", [&](Violation& v) { edges_of(v)[0].reader = story.t(1); },
        "edge 1: only an inferred edge has a reader and what it saw"},
       {"something seen",
        [&](Violation& v) { edges_of(v)[0].seen.push_back(Step{}); },
        "edge 1: only an inferred edge has a reader and what it saw"},
       {"no key", [](Violation& v) { edges_of(v)[0].key = KeyId(); },
        "edge 1: it names no key of this history"},
       {"a far key", [](Violation& v) { edges_of(v)[0].key = KeyId(99); },
        "edge 1: it names no key of this history"},
       {"another key",
        [&](Violation& v) { edges_of(v)[0].key = story.key("y"); },
        "edge 1: the other write it names is not t2's last of y"},
       {"no other write",
        [](Violation& v) { edges_of(v)[0].other_write = OpId(); },
        "edge 1: the other write it names is not t2's last of x"},
       {"another's write",
        [&](Violation& v) { edges_of(v)[0].other_write = story.op(1, 1); },
        "edge 1: the other write it names is not t2's last of x"},
       {"a read as other write",
        [&](Violation& v) { edges_of(v)[0].other_write = story.op(2, 0); },
        "edge 1: the other write it names is not t2's last of x"},
       {"no read", [](Violation& v) { edges_of(v)[0].read = OpId(); },
        "edge 1: it names no read of x by t1"},
       {"another's read",
        [&](Violation& v) { edges_of(v)[0].read = story.op(4, 0); },
        "edge 1: it names no read of x by t1"},
       {"a far read",
        [](Violation& v) { edges_of(v)[0].read = OpId(kNoId - 1); },
        "edge 1: it names no read of x by t1"},
       {"a write as read",
        [&](Violation& v) { edges_of(v)[0].read = story.op(1, 1); },
        "edge 1: it names no read of x by t1"},
       {"init with a write",
        [&](Violation& v) { edges_of(v)[0].write = story.op(2, 1); },
        "edge 1: the write it names is not what t1's read returned"},
       {"an inferred edge",
        [](Violation& v) { edges_of(v)[0].reason = Reason::inferred; },
        "edge 1: only an edge between versions has a key and another write"},
       {"no such reason",
        [](Violation& v) { edges_of(v)[0].reason = static_cast<Reason>(9); },
        "edge 1: only an edge between versions has a key and another write"}});
}

TEST(Dependencies, LongFork) {
  const Case story(
      "s1: W(x,1)\ns2: W(y,1)\ns3: R(x,1) R(y,0)\ns4: R(x,0) R(y,1)");
  const Violation right =
      cycle(Kind::long_fork,
            {story.wr(1, 3, story.op(1, 0), story.op(3, 0)),
             story.rw(3, 2, story.op(3, 1), OpId(), story.op(2, 0)),
             story.wr(2, 4, story.op(2, 0), story.op(4, 1)),
             story.rw(4, 1, story.op(4, 0), OpId(), story.op(1, 0))});
  for (const std::string_view level : kStrongLevels) {
    if (level == kPsi) continue;
    expect_accepted(story.judge(level, {right}));
  }
  expect_objection(story.judge(kPsi, {right}),
                   "Parallel Snapshot Isolation allows it, because it has "
                   "several anti-dependencies");
  expect_bends_rejected(
      story, kSi, right,
      {{"a read that did not happen",
        [&](Violation& v) { edges_of(v)[0].read = story.op(4, 0); },
        "edge 1: the read it names is not one of t3"},
       {"a key where none belongs",
        [&](Violation& v) { edges_of(v)[0].key = story.key("x"); },
        "edge 1: only an edge between versions has a key and another write"},
       {"sessions that are none",
        [&](Violation& v) { edges_of(v)[0] = story.so(1, 3); },
        "edge 1: t1 and t3 are not of one session"},
       {"shuffled",
        [](Violation& v) { std::swap(edges_of(v)[1], edges_of(v)[3]); },
        "edge 2 does not begin where edge 1 ends"}});
}

TEST(Dependencies, WhatRefutesAWeakerLevelRefutesTheStrongerOnes) {
  const Case thin("s1: R(x,7)");
  const Case circle("s1: R(x,1) W(y,1)\ns2: R(y,1) W(x,1)");
  const Case fractured("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)");
  const Edge back = fractured.inferred(
      2, 1, 3, fractured.op(1, 0), fractured.op(3, 0), fractured.op(2, 0),
      {fractured.wr(2, 3, fractured.op(2, 1), fractured.op(3, 1))});
  const Violation skew =
      cycle(Kind::fractured_read, {fractured.so(1, 2), back});
  for (const std::string_view level : kStrongLevels) {
    expect_accepted(
        thin.judge(level, {finding(Kind::thin_air_read, thin.op(1, 0))}));
    expect_accepted(circle.judge(
        level, {cycle(Kind::causality_cycle,
                      {circle.wr(1, 2, circle.op(1, 1), circle.op(2, 0)),
                       circle.wr(2, 1, circle.op(2, 1), circle.op(1, 0))})}));
    expect_accepted(fractured.judge(level, {skew}));
    Violation causal = skew;
    causal.kind = Kind::causal_violation;
    expect_objection(fractured.judge(level, {causal}),
                     "it is a fractured-read");
    // Judged as the weaker level does: there t3 would have to read y first.
    Violation monotonic = skew;
    monotonic.kind = Kind::non_monotonic_read;
    expect_objection(fractured.judge(level, {monotonic}),
                     "edge 2: under Read Committed the reader sees only what "
                     "it read from before");
    Violation with_lemma = skew;
    lemmas_of(with_lemma).emplace_back();
    expect_objection(fractured.judge(level, {with_lemma}),
                     "lemma 1: it names no key of this history");
  }
}

TEST(Dependencies, AReadWithAFindingMissesNothing) {
  // t1's first read is of an intermediate version, its second of another one.
  const Case story(
      "s1: R(x,1) R(y,0) R(y,5)\ns2: W(x,1) W(x,2)\ns3: W(y,5)\ns4: W(y,6)");
  const auto judged = [&](const Edge& edge) {
    return story.judge(kSer, {cycle(Kind::write_skew, {edge})});
  };
  expect_objection(
      judged(story.rw(1, 2, story.op(1, 0), story.op(2, 0), story.op(2, 1))),
      "edge 1: t1's read of x=1 returned no valid version of another "
      "transaction");
  expect_objection(
      judged(story.rw(1, 4, story.op(1, 2), story.op(3, 0), story.op(4, 0))),
      "edge 1: t1's read of y differs from its first one and is judged as a "
      "non-repeatable read only");
  expect_objection(
      judged(story.rw(1, 2, story.op(1, 0), story.op(2, 0), story.op(2, 0))),
      "edge 1: the other write it names is not t2's last of x");
}

// -- real time ----------------------------------------------------------------

TEST(Dependencies, RealTime) {
  const std::string_view text = "s1: W(x,1)\ns2: R(x,0)";
  const Case story(text, {{1, 2}, {3, 4}});
  const Violation right =
      cycle(Kind::real_time_violation,
            {story.real_time(1, 2),
             story.rw(2, 1, story.op(2, 0), OpId(), story.op(1, 0))});
  expect_accepted(story.judge(kStrongSi, {right}));
  for (const std::string_view level : kStrongLevels) {
    expect_objection(
        story.judge(level, {right}),
        "edge 1: " + std::string(find_row(levels(), level)->title) +
            " does not look at real time");
  }
  expect_bends_rejected(
      story, kStrict, right,
      {{"another name", [](Violation& v) { v.kind = Kind::read_skew; },
        "what its cycles show is of kind real-time-violation"},
       {"the other way",
        [&](Violation& v) { edges_of(v)[0] = story.real_time(2, 1); },
        "edge 1: nothing shows that t2 had ended when t1 began"},
       {"itself", [&](Violation& v) { edges_of(v)[0] = story.real_time(1, 1); },
        "edge 1: it leads from a transaction to itself"},
       {"init", [&](Violation& v) { edges_of(v)[0] = story.real_time(0, 1); },
        "edge 1: init has no times"},
       {"with a read",
        [&](Violation& v) { edges_of(v)[0].read = story.op(2, 0); },
        "edge 1: real time rests on no operation, yet it names one"},
       {"with a key",
        [&](Violation& v) { edges_of(v)[0].key = story.key("x"); },
        "edge 1: only an edge between versions has a key and another write"}});
  for (const History::Times odd :
       {History::Times{2, 4}, History::Times{1, 4}, History::Times{kNoTime, 4},
        History::Times{kNoTime, kNoTime}}) {
    expect_objection(Case(text, {{1, 2}, odd}).judge(kStrict, {right}),
                     "edge 1: nothing shows that t1 had ended when t2 began");
  }
  expect_rejected(Case(text).judge(kStrict, {right}),
                  "Strict Serializability looks at real time, but the history "
                  "has no times");
}

TEST(Dependencies, AnUnknownOutcomeHasNoEnd) {
  // t1's client gave up at time 2, its write arrived later: t3 saw it.
  const Case story("s1: W(x,1)?\ns2: R(x,0)\ns3: R(x,1)",
                   {{1, 2}, {3, 4}, {5, 6}});
  expect_objection(
      story.judge(
          kStrict,
          {cycle(Kind::real_time_violation,
                 {story.real_time(1, 2),
                  story.rw(2, 1, story.op(2, 0), OpId(), story.op(1, 0))})}),
      "edge 1: nothing shows that t1 had ended when t2 began");
}

// -- lost updates -------------------------------------------------------------

TEST(Dependencies, LostUpdate) {
  const Case story(
      "s1: W(x,1)\ns2: R(x,1) R(x,1) W(x,2)\ns3: R(x,1) W(x,3)\n"
      "s4: R(x,1) W(y,1)\ns5: R(y,1) R(x,2)\ns6: W(x,9) R(x,9)");
  const Violation right = finding(Kind::lost_update, story.op(2, 0),
                                  story.op(1, 0), story.op(3, 0));
  for (const std::string_view level : {kPsi, kSi, kSer}) {
    expect_accepted(story.judge(level, {right}));
  }
  for (const std::string_view level : {"causal", "prefix"}) {
    expect_objection(
        story.judge(level, {right}),
        std::string(find_row(levels(), level)->title) + " allows it");
  }
  expect_bends_rejected(
      story, kPsi, right,
      {{"edges", [&](Violation& v) { v.evidence = Cycle{{story.so(1, 2)}}; },
        "it is about two reads, yet its evidence is not"},
       {"a finding",
        [&](Violation& v) { v.evidence = Finding{story.op(2, 0)}; },
        "it is about two reads, yet its evidence is not"},
       {"lemmas",
        [](Violation& v) {
          v.evidence = Cycle{{}, {Lemma()}};
        },
        "it is about two reads, yet its evidence is not"},
       {"one read", [](Violation& v) { lost_update_of(v).other = OpId(); },
        "it does not name two reads of this history"},
       {"a write",
        [&](Violation& v) { lost_update_of(v).read = story.op(1, 0); },
        "it does not name two reads of this history"},
       {"a far read",
        [](Violation& v) { lost_update_of(v).other = OpId(kNoId - 1); },
        "it does not name two reads of this history"},
       {"an own write",
        [&](Violation& v) { lost_update_of(v).other = story.op(6, 1); },
        "t6's read of x=9 returned no valid version of another transaction"},
       {"two keys",
        [&](Violation& v) { lost_update_of(v).other = story.op(5, 0); },
        "the two reads it names are of different keys"},
       {"one transaction",
        [&](Violation& v) { lost_update_of(v).other = story.op(2, 1); },
        "the two reads it names are of one transaction"},
       {"the wrong order",
        [](Violation& v) {
          std::swap(lost_update_of(v).read, lost_update_of(v).other);
        },
        "the two reads it names are in the wrong order"},
       {"two versions",
        [&](Violation& v) { lost_update_of(v).other = story.op(5, 1); },
        "the two reads it names returned different versions"},
       {"no write", [](Violation& v) { lost_update_of(v).write = OpId(); },
        "the two reads did not return the write it names"},
       {"another write",
        [&](Violation& v) { lost_update_of(v).write = story.op(2, 2); },
        "the two reads did not return the write it names"},
       {"a second read",
        [&](Violation& v) { lost_update_of(v).read = story.op(2, 1); },
        "t2 had read x before"},
       {"one that did not write it",
        [&](Violation& v) { lost_update_of(v).other = story.op(4, 0); },
        "t4 did not write x"}});
}

TEST(Dependencies, LostUpdateOfTheInitialVersion) {
  const Case story("s1: R(x,0) W(x,1)\ns2: R(x,0) W(x,2)");
  const Violation right =
      finding(Kind::lost_update, story.op(1, 0), OpId(), story.op(2, 0));
  expect_bends_rejected(
      story, kPsi, right,
      {{"a write",
        [&](Violation& v) { lost_update_of(v).write = story.op(1, 1); },
        "the two reads did not return the write it names"}});
  EXPECT_EQ(transactions_of(story.history, right),
            (std::vector{story.t(1), story.t(2)}));
  const Case lists("s1: R(x,[]) A(x,1)\ns2: R(x,[]) A(x,2)");
  expect_accepted(lists.judge(kSi, {finding(Kind::lost_update, lists.op(1, 0),
                                            OpId(), lists.op(2, 0))}));
}

}  // namespace
}  // namespace awdit
