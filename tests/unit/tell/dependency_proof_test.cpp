// Circles of dependencies as they are told, word for word, from hand-made
// evidence.
#include "tell/tell.h"
#include "unit/witness/case.h"

namespace awdit {
namespace {

class Dependencies : public Case {
 public:
  using Case::Case;

  Edge ww(std::uint32_t from, std::uint32_t to, std::string_view label) const {
    Edge edge = so(from, to);
    edge.reason = Reason::version_order;
    edge.key = key(label);
    edge.write = last(from, edge.key);
    edge.other_write = last(to, edge.key);
    return edge;
  }
  // `from` read, as its operation `read`, what `version` wrote.
  Edge rw(std::uint32_t from, std::uint32_t to, std::uint32_t read,
          std::uint32_t version) const {
    Edge edge = so(from, to);
    edge.reason = Reason::anti_dependency;
    edge.read = op(from, read);
    edge.key = history.key(edge.read);
    if (version != 0) edge.write = last(version, edge.key);
    edge.other_write = last(to, edge.key);
    return edge;
  }
  Edge rt(std::uint32_t from, std::uint32_t to) const {
    Edge edge = so(from, to);
    edge.reason = Reason::real_time;
    return edge;
  }
  Lemma lemma(std::string_view label, std::uint32_t older, std::uint32_t newer,
              std::vector<Edge> edges, std::vector<Lemma> under = {}) const {
    return {key(label), t(older),         t(newer),
            OpId(),     std::move(under), std::move(edges)};
  }

  // The proof as the text report numbers it; what is told within suppositions
  // is indented.
  std::string told(std::string_view level, const Violation& violation) const {
    const Proof proof =
        proof_of(history, *find_row(levels(), level), violation);
    std::string text;
    for (std::size_t i = 0; i < proof.steps.size(); ++i) {
      const ProofStep& step = proof.steps[i];
      text += std::string(2 * step.depth, ' ') + std::to_string(i + 1) + ". " +
              step.claim + (step.reason.empty() ? "" : ": " + step.reason) +
              "\n";
    }
    return text + proof.contradiction;
  }

 private:
  OpId last(std::uint32_t number, KeyId key) const {
    OpId found;
    if (number == 0) return found;
    for (const OpId op : history.ops(t(number))) {
      if (history.is_write(op) && history.key(op) == key) found = op;
    }
    return found;
  }
};

TEST(DependencyProof, LostUpdate) {
  const Case story("s1: W(x,1)\ns2: R(x,1) W(x,2)\ns3: R(x,1) W(x,3)");
  const Violation v = finding(Kind::lost_update, story.op(2, 0), story.op(1, 0),
                              story.op(3, 0));
  EXPECT_EQ(headline(story.history, v),
            "t2 and t3 both read x=1 from t1 and both overwrote it: one of the "
            "two updates is lost.");
  EXPECT_EQ(transactions_of(story.history, v),
            (std::vector<TxnId>{story.t(1), story.t(2), story.t(3)}));
  const Proof proof =
      proof_of(story.history, *find_row(levels(), "snapshot-isolation"), v);
  ASSERT_EQ(proof.steps.size(), 2u);
  EXPECT_EQ(proof.steps[0].claim, "t2 read x=1 from t1 and wrote x=2");
  EXPECT_EQ(proof.steps[1].claim, "t3 read x=1 from t1 and wrote x=3");
  EXPECT_EQ(proof.contradiction,
            "Under Snapshot Isolation, of two transactions that write a key "
            "the later one must have seen the other's write: neither did.");
}

TEST(DependencyProof, LostUpdateOfTheInitialState) {
  const Case story("s1: R(x,0) W(x,1)\ns2: R(x,0) W(x,2)");
  const Violation v =
      finding(Kind::lost_update, story.op(1, 0), OpId(), story.op(2, 0));
  EXPECT_EQ(headline(story.history, v),
            "t1 and t2 both read the initial x=0 and both overwrote it: one of "
            "the two updates is lost.");
  const Case lists("s1: R(x,[]) A(x,1)\ns2: R(x,[]) A(x,2)");
  EXPECT_EQ(headline(lists.history, finding(Kind::lost_update, lists.op(1, 0),
                                            OpId(), lists.op(2, 0))),
            "t1 and t2 both read the initial x=[] and both appended to it: "
            "neither saw the other's element.");
}

TEST(DependencyProof, WriteSkew) {
  const Dependencies story("s1: R(x,0) W(y,1)\ns2: R(y,0) W(x,1)");
  const Violation v =
      cycle(Kind::write_skew, {story.rw(1, 2, 0, 0), story.rw(2, 1, 0, 0)});
  EXPECT_EQ(headline(story.history, v),
            "t1 read the initial x=0 and t2 overwrote it, while t2 read the "
            "initial y=0 and t1 overwrote it: neither saw the other.");
  EXPECT_EQ(story.told("serializable", v),
            "1. t1 comes before t2: t1 read the initial x=0, not t2's x=1.\n"
            "2. t2 comes before t1: t2 read the initial y=0, not t1's y=1.\n"
            "1 and 2 contradict each other: no serial order exists.");
  EXPECT_EQ(explain(story.history, *find_row(levels(), "serializable"),
                    edges_of(v)[0]),
            "t1 read the initial x=0, not t2's x=1.");
}

TEST(DependencyProof, LongForkIsAboutSnapshots) {
  const Dependencies story(
      "s1: W(x,1)\ns2: W(y,1)\ns3: R(x,1) R(y,0)\ns4: R(x,0) R(y,1)");
  const Violation v = cycle(
      Kind::long_fork,
      {story.rw(3, 2, 1, 0), story.wr(2, 4, story.op(2, 0), story.op(4, 1)),
       story.rw(4, 1, 0, 0), story.wr(1, 3, story.op(1, 0), story.op(3, 0))});
  EXPECT_EQ(headline(story.history, v),
            "t3 read x=1 from t1 but missed t2's y=1, while t4 read y=1 from "
            "t2 but missed t1's x=1.");
  EXPECT_EQ(
      story.told("prefix", v),
      "1. t1 committed before t3's snapshot: t3 read x=1 from t1.\n"
      "2. t3's snapshot came before t2's commit: t3 read the initial y=0, not "
      "t2's y=1.\n"
      "3. t2 committed before t4's snapshot: t4 read y=1 from t2.\n"
      "4. t4's snapshot came before t1's commit: t4 read the initial x=0, not "
      "t1's x=1.\n"
      "1 to 4 form a cycle: no order of snapshots and commits "
      "exists.");
  EXPECT_EQ(
      transactions_of(story.history, v),
      (std::vector<TxnId>{story.t(1), story.t(3), story.t(2), story.t(4)}));
}

TEST(DependencyProof, LemmasOfSessionsAreToldWithTheirUse) {
  // That t2's x is newer than t1's is plain from session s1.
  const Dependencies story("s1: W(x,1) | W(x,2) R(y,0)\ns2: R(x,1) W(y,1)");
  Violation v =
      cycle(Kind::write_skew, {story.rw(3, 2, 0, 1), story.rw(2, 3, 1, 0)});
  lemmas_of(v).push_back(
      story.lemma("x", 1, 2, {story.ww(2, 1, "x"), story.so(1, 2)}));
  EXPECT_EQ(story.told("serializable", v),
            "1. t3 comes before t2: t3 read x=1 from t1, not t2's x=2, which "
            "is newer: t2 follows t1 in session s1.\n"
            "2. t2 comes before t3: t2 read the initial y=0, not t3's y=1.\n"
            "1 and 2 contradict each other: no serial order exists.");
}

TEST(DependencyProof, OtherLemmasAreSteps) {
  // t4 read y from t1 and x from t2: t1 wrote x before.
  const Dependencies story(
      "s1: W(x,1) W(y,1)\ns2: W(x,2) R(z,0)\ns3: R(x,1) W(z,1)\n"
      "s4: R(y,1) R(x,2)");
  Violation v =
      cycle(Kind::write_skew, {story.rw(3, 2, 0, 1), story.rw(2, 3, 1, 0)});
  lemmas_of(v).push_back(story.lemma(
      "x", 1, 2,
      {story.rw(4, 1, 1, 2), story.wr(1, 4, story.op(1, 1), story.op(4, 0))}));
  EXPECT_EQ(story.told("serializable", v),
            "1. t1 wrote x=1 before t2 wrote x=2: otherwise t4, which read y=1 "
            "from t1, could not have read x=2 from t2.\n"
            "2. t3 comes before t2: t3 read x=1 from t1, not t2's x=2, which "
            "is newer (step 1).\n"
            "3. t2 comes before t3: t2 read the initial z=0, not t3's z=1.\n"
            "2 and 3 contradict each other: no serial order exists.");
  const Proof proof =
      proof_of(story.history, *find_row(levels(), "serializable"), v);
  EXPECT_TRUE(proof.steps[0].lemma);
  ASSERT_TRUE(proof.steps[0].edge.has_value());
  EXPECT_EQ(proof.steps[0].edge->reason, Reason::inferred);
  EXPECT_EQ(proof.steps[0].edge->reader, story.t(4));
  EXPECT_FALSE(proof.steps[1].lemma);
  EXPECT_EQ(
      transactions_of(story.history, v),
      (std::vector<TxnId>{story.t(1), story.t(3), story.t(2), story.t(4)}));
}

TEST(DependencyProof, UnusedLemmasAreNotTold) {
  const Dependencies story(
      "s1: R(x,0) W(y,1) | W(z,1)\ns2: R(y,0) W(x,1)\ns3: W(z,2) R(z,1)");
  Violation v =
      cycle(Kind::write_skew, {story.rw(1, 3, 0, 0), story.rw(3, 1, 0, 0)});
  lemmas_of(v).push_back(story.lemma("z", 4, 2, {story.ww(2, 4, "z")}));
  EXPECT_EQ(story.told("serializable", v),
            "1. t1 comes before t3: t1 read the initial x=0, not t3's x=1.\n"
            "2. t3 comes before t1: t3 read the initial y=0, not t1's y=1.\n"
            "1 and 2 contradict each other: no serial order exists.");
}

TEST(DependencyProof, SuppositionsAreCases) {
  const Dependencies story(
      "s1: W(x,1) W(y,1)\ns2: W(x,2)\ns3: R(x,2) W(y,4)\n"
      "s4: R(y,4) R(x,1)");
  Violation v =
      cycle(Kind::read_skew, {story.rw(4, 2, 1, 1),
                              story.wr(2, 3, story.op(2, 0), story.op(3, 0)),
                              story.wr(3, 4, story.op(3, 1), story.op(4, 0))});
  // If t2 wrote x first, t3 missed t1's, so that t3 wrote y first, ...
  lemmas_of(v).push_back(story.lemma(
      "x", 1, 2,
      {story.rw(4, 1, 0, 3), story.wr(1, 4, story.op(1, 0), story.op(4, 1))},
      {story.lemma("y", 3, 1, {story.ww(1, 3, "y"), story.rw(3, 1, 0, 2)})}));
  EXPECT_EQ(
      story.told("serializable", v),
      "1. Suppose t2 wrote x=2 before t1 wrote x=1\n"
      "  2. t3 wrote y=4 before t1 wrote y=1: t3 read x=2 from t2, not t1's "
      "x=1 (step 1).\n"
      "  3. t1 comes before t4: t4 read x=1 from t1.\n"
      "  4. t4 comes before t1: t4 read y=4 from t3, not t1's y=1, which is "
      "newer (step 2).\n"
      "5. So t1 wrote x=1 before t2 wrote x=2: 3 and 4 contradict each "
      "other.\n"
      "6. t2 comes before t4: t3 read x=2 from t2, and t4 read y=4 from t3.\n"
      "7. t4 comes before t2: t4 read x=1 from t1, not t2's x=2, which is "
      "newer (step 5).\n"
      "6 and 7 contradict each other: no serial order exists.");
}

TEST(DependencyProof, ReadSkewUnderParallelSnapshotIsolation) {
  // t3 overwrote t2's y and yet missed its x.
  const Dependencies story(
      "s1: R(y,0) W(x,1) W(y,1)\ns2: R(y,1) W(y,2) R(x,0)");
  const Violation v =
      cycle(Kind::read_skew, {story.ww(1, 2, "y"), story.rw(2, 1, 2, 0)});
  Violation with_lemma = v;
  lemmas_of(with_lemma)
      .push_back(story.lemma("y", 1, 2,
                             {story.ww(2, 1, "y"),
                              story.wr(1, 2, story.op(1, 2), story.op(2, 0))}));
  EXPECT_EQ(headline(story.history, with_lemma),
            "t2 read the initial x=0 although it comes after t1, which had "
            "overwritten it with x=1.");
  EXPECT_EQ(story.told("parallel-snapshot-isolation", with_lemma),
            "1. t2 builds on t1: t1 wrote y=1 before t2 wrote y=2 (t2 read "
            "y=1 from t1).\n"
            "2. t2 missed t1's x=1: t2 read the initial x=0.\n"
            "1 and 2 contradict each other: t2, which builds on t1, must have "
            "seen t1's x=1.");
}

TEST(DependencyProof, FromSnapshotToCommit) {
  // Both edges end at a snapshot and begin at a commit.
  const Dependencies story("s1: W(x,1) W(y,1)\ns2: W(x,2) W(y,2)");
  const Violation v =
      cycle(Kind::dependency_cycle, {story.ww(1, 2, "x"), story.ww(2, 1, "y")});
  Violation shown = v;
  lemmas_of(shown).push_back(story.lemma("x", 1, 2, {story.ww(2, 1, "x")}));
  lemmas_of(shown).push_back(story.lemma("y", 2, 1, {story.ww(1, 2, "y")}));
  EXPECT_EQ(headline(story.history, v),
            "t1 wrote x=1 before t2 wrote x=2, yet t2 wrote y=2 before t1 "
            "wrote y=1.");
  const Proof proof =
      proof_of(story.history, *find_row(levels(), "snapshot-isolation"), shown);
  EXPECT_EQ(proof.contradiction,
            "1 and 2 contradict each other, as every transaction commits after "
            "its snapshot: no order of snapshots and commits exists.");
  const Proof prefix =
      proof_of(story.history, *find_row(levels(), "prefix"), shown);
  EXPECT_EQ(prefix.steps[0].claim, "t1 committed before t2");
  EXPECT_EQ(prefix.contradiction,
            "1 and 2 contradict each other: no order of snapshots and commits "
            "exists.");
}

TEST(DependencyProof, RealTime) {
  const Dependencies story("s1: W(x,1)\ns2: R(x,0)");
  const Violation v =
      cycle(Kind::real_time_violation, {story.rt(1, 2), story.rw(2, 1, 0, 0)});
  EXPECT_EQ(headline(story.history, v),
            "t2 read the initial x=0, not t1's x=1, although t1 had ended "
            "before t2 began.");
  EXPECT_EQ(story.told("strict-serializable", v),
            "1. t1 comes before t2: t1 had ended before t2 began.\n"
            "2. t2 comes before t1: t2 read the initial x=0, not t1's x=1.\n"
            "1 and 2 contradict each other: no serial order that agrees with "
            "the times exists.");
  EXPECT_EQ(story.told("strong-snapshot-isolation", v),
            "1. t1 committed before t2's snapshot: t1 had ended before t2 "
            "began.\n"
            "2. t2's snapshot came before t1's commit: t2 read the initial "
            "x=0, not t1's x=1.\n"
            "1 and 2 contradict each other: no order of snapshots and commits "
            "that agrees with the times exists.");
  const Dependencies future("s1: R(x,1)\ns2: W(x,1)");
  EXPECT_EQ(headline(future.history,
                     cycle(Kind::real_time_violation,
                           {future.rt(1, 2), future.wr(2, 1, future.op(2, 0),
                                                       future.op(1, 0))})),
            "t1 read x=1 from t2, which began only after t1 had ended.");
}

TEST(DependencyProof, ManyMisses) {
  const Dependencies story(
      "s1: R(x,0) W(y,1)\ns2: R(y,0) W(z,1)\ns3: R(z,0) W(x,1)");
  const Violation v =
      cycle(Kind::g2_item,
            {story.rw(1, 3, 0, 0), story.rw(3, 2, 0, 0), story.rw(2, 1, 0, 0)});
  EXPECT_EQ(headline(story.history, v),
            "t1 missed t3's x=1, t3 missed t2's z=1 and t2 missed t1's y=1: no "
            "serial order allows it.");
}

TEST(DependencyProof, ListsShowTheirOrder) {
  const Dependencies story(
      "s1: A(x,1)\ns2: A(x,2) R(y,[])\ns3: R(x,[1]) A(y,1)\ns4: R(x,[1 2])");
  Violation v =
      cycle(Kind::write_skew, {story.rw(3, 2, 0, 1), story.rw(2, 3, 1, 0)});
  Lemma lemma = story.lemma("x", 1, 2, {});
  lemma.shown = story.op(4, 0);
  lemmas_of(v).push_back(lemma);
  EXPECT_EQ(story.told("serializable", v),
            "1. t3 comes before t2: t3 read x=[1] from t1, without the 2 that "
            "t2 appended, which is newer: t4 read x=[1 2].\n"
            "2. t2 comes before t3: t2 read the initial y=[], without the 1 "
            "that t3 appended.\n"
            "1 and 2 contradict each other: no serial order exists.");
  EXPECT_EQ(explain(story.history, *find_row(levels(), "serializable"),
                    story.ww(1, 2, "x")),
            "t1 appended 1 to x before t2 appended 2.");
}

}  // namespace
}  // namespace awdit
