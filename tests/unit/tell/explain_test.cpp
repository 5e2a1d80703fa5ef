// The sentences, word for word.
#include "tell/tell.h"
#include "unit/witness/case.h"

namespace awdit {
namespace {

const Level& level(std::string_view name) { return *find_row(levels(), name); }

// The introduction's second figure, in the paper's order of sessions:
// t1, t2, t3 = s1; t4, t5 = s2; t6 = s3; t7 = s4.
class CausalExample : public testing::Test {
 protected:
  const Case story{
      "s1: W(a,1) | W(b,1) | W(y,1) R(z,2)\ns2: W(x,3) | W(z,1)\n"
      "s3: W(x,4) R(z,1) W(z,2)\ns4: R(x,3) R(y,1)"};
  const Edge back =
      story.inferred(6, 4, 7, story.op(4, 0), story.op(7, 0), story.op(6, 0),
                     {story.wr(6, 3, story.op(6, 2), story.op(3, 1)),
                      story.wr(3, 7, story.op(3, 0), story.op(7, 1))});
  const Violation violation = cycle(
      Kind::writes_follow_reads_violation,
      {back, story.so(4, 5), story.wr(5, 6, story.op(5, 0), story.op(6, 1))});
};

TEST_F(CausalExample, Headline) {
  expect_accepted(story.judge("causal", {violation}));
  EXPECT_EQ(headline(story.history, violation),
            "t7 read x=3 from t4 although it also read y=1 from t3, which had "
            "read z=2 from t6, which had overwritten it with x=4.");
}

TEST_F(CausalExample, EdgeByEdge) {
  const Level& causal = level("causal");
  EXPECT_EQ(explain(story.history, causal, edges_of(violation)[1]),
            "t5 follows t4 in session s2.");
  EXPECT_EQ(explain(story.history, causal, edges_of(violation)[2]),
            "t6 read z=1 from t5.");
  EXPECT_EQ(explain(story.history, causal, back),
            "t7 depends on t6: t3 read z=2 from t6, and t7 read y=1 from t3. "
            "t7 read x=3 from t4, yet t6 also wrote x=4. Under Causal "
            "Consistency t4 must then be the newer of the two: t6 comes "
            "before t4.");
}

TEST_F(CausalExample, TransactionsInTheOrderOfTheStory) {
  const std::vector<TxnId> expected = {story.t(4), story.t(5), story.t(6),
                                       story.t(3), story.t(7)};
  EXPECT_EQ(transactions_of(story.history, violation), expected);
}

struct Sentence {
  std::string_view history;
  Violation violation;
  std::string_view sentence;
};

TEST(Headline, Findings) {
  const auto op = [](std::uint32_t v) { return OpId(v); };
  const std::vector<Sentence> table = {
      {"s1: R(x,7)", finding(Kind::thin_air_read, op(0)),
       "t1 read x=7, which nobody wrote."},
      {"s1: W(x,1)!\ns2: R(x,1)", finding(Kind::aborted_read, op(1), op(0)),
       "t2 read x=1 from t1, which was aborted."},
      {"s1: R(x,1) W(x,1)", finding(Kind::future_read, op(0), op(1)),
       "t1 read x=1 before it wrote x=1 itself."},
      {"s1: W(x,1)\ns2: W(x,2) R(x,1)",
       finding(Kind::own_write_ignored, op(2), op(0), op(1)),
       "t2 read x=1 from t1 although it had itself written x=2 before."},
      {"s1: W(x,2) R(x,0)",
       finding(Kind::own_write_ignored, op(1), OpId(), op(0)),
       "t1 read the initial x=0 although it had itself written x=2 before."},
      {"s1: W(x,1) W(x,2) R(x,1)",
       finding(Kind::stale_own_write, op(2), op(0), op(1)),
       "t1 read its own x=1 although it had since overwritten it with x=2."},
      {"s1: W(x,1) W(x,2)\ns2: R(x,1)",
       finding(Kind::intermediate_read, op(2), op(0), op(1)),
       "t2 read x=1 from t1, which overwrote it with x=2 before it "
       "committed."},
      {"s1: W(x,1) W(x,2)?\ns2: R(x,1)",
       finding(Kind::intermediate_read, op(2), op(0), op(1)),
       "t2 read x=1 from t1, which overwrote it with x=2 before it committed; "
       "the outcome of t1 is unknown, but it counts as committed because it "
       "was read from."},
      {"s1: W(x,1)\ns2: W(x,2)\ns3: R(x,1) R(x,2)",
       finding(Kind::non_repeatable_read, op(3), op(1), op(2)),
       "t3 read x twice and got two answers: x=1, then x=2 from t2."},
      {"s1: W(x,1)\ns2: R(x,1) R(x,0)",
       finding(Kind::non_repeatable_read, op(2), OpId(), op(1)),
       "t2 read x twice and got two answers: x=1, then the initial x=0."},
  };
  for (const Sentence& row : table) {
    SCOPED_TRACE(row.history);
    const Case story(row.history);
    expect_accepted(story.judge("causal", {row.violation}));
    EXPECT_EQ(headline(story.history, row.violation), row.sentence);
  }
}

TEST(Headline, CausalityCycles) {
  const Case two("s1: R(x,1) W(y,1)\ns2: R(y,1) W(x,1)");
  EXPECT_EQ(
      headline(two.history, cycle(Kind::causality_cycle,
                                  {two.wr(1, 2, two.op(1, 1), two.op(2, 0)),
                                   two.wr(2, 1, two.op(2, 1), two.op(1, 0))})),
      "t1 and t2 depend on each other: t2 read y=1 from t1, and t1 read x=1 "
      "from t2.");
  const Case three("s1: R(x,1) | W(y,1)\ns2: R(y,1) W(x,1)");
  EXPECT_EQ(headline(three.history,
                     cycle(Kind::causality_cycle,
                           {three.so(1, 2),
                            three.wr(2, 3, three.op(2, 0), three.op(3, 0)),
                            three.wr(3, 1, three.op(3, 1), three.op(1, 0))})),
            "t1, t2 and t3 depend on each other in a circle.");
  std::string text = "s: W(x,1)";
  for (int i = 2; i <= 8; ++i) text += " | W(x," + std::to_string(i) + ")";
  const Case eight(text);
  Violation long_way = cycle(Kind::causality_cycle, {});
  for (std::uint32_t i = 1; i <= 8; ++i) {
    edges_of(long_way).push_back(eight.so(i, i % 8 + 1));
  }
  EXPECT_EQ(headline(eight.history, long_way),
            "t1, t2, t3, t4, t5 and 3 more depend on each other in a circle.");
}

TEST(Headline, OneStaleRead) {
  const Case story("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(y,2) R(x,1)");
  const Edge back =
      story.inferred(2, 1, 3, story.op(1, 0), story.op(3, 1), story.op(2, 0),
                     {story.wr(2, 3, story.op(2, 1), story.op(3, 0))});
  const std::vector<Edge> edges = {story.so(1, 2), back};
  EXPECT_EQ(headline(story.history, cycle(Kind::non_monotonic_read, edges)),
            "t3 read x=1 from t1 although it had already read y=2 from t2, "
            "which had overwritten it with x=2.");
  EXPECT_EQ(explain(story.history, level("read-committed"), back),
            "t3 read y=2 from t2. Later t3 read x=1 from t1, yet t2 also wrote "
            "x=2. Under Read Committed t1 must then be the newer of the two: "
            "t2 comes before t1.");

  const Case reversed("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)");
  EXPECT_EQ(
      headline(reversed.history,
               cycle(Kind::fractured_read,
                     {reversed.so(1, 2),
                      reversed.inferred(2, 1, 3, reversed.op(1, 0),
                                        reversed.op(3, 0), reversed.op(2, 0),
                                        {reversed.wr(2, 3, reversed.op(2, 1),
                                                     reversed.op(3, 1))})})),
      "t3 read x=1 from t1 although it also read y=2 from t2, which had "
      "overwritten it with x=2.");

  const Case same_key("s1: W(x,1) | W(x,2)\ns2: R(x,2) R(x,1)");
  EXPECT_EQ(
      headline(same_key.history,
               cycle(Kind::non_monotonic_read,
                     {same_key.so(1, 2),
                      same_key.inferred(2, 1, 3, same_key.op(1, 0),
                                        same_key.op(3, 1), same_key.op(2, 0),
                                        {same_key.wr(2, 3, same_key.op(2, 0),
                                                     same_key.op(3, 0))})})),
      "t3 read x=1 from t1 although it had already read x=2 from t2, which had "
      "overwritten it.");
}

TEST(Headline, ThroughTheInitialState) {
  const Case story("s1: W(x,1) | R(x,0)");
  const Edge back = story.inferred(1, 0, 2, OpId(), story.op(2, 0),
                                   story.op(1, 0), {story.so(1, 2)});
  const Violation v = cycle(Kind::fractured_read, {story.so(0, 1), back});
  EXPECT_EQ(headline(story.history, v),
            "t2 read the initial x=0 although t1, before it in session s1, had "
            "overwritten it with x=1.");
  EXPECT_EQ(explain(story.history, level("read-atomic"), edges_of(v)[0]),
            "t1 comes after the initial state.");
  EXPECT_EQ(explain(story.history, level("read-atomic"), back),
            "t2 follows t1 in session s1. t2 read the initial x=0, yet t1 also "
            "wrote x=1. Under Read Atomic that is allowed only if t1 comes "
            "before the initial state.");
  EXPECT_EQ(transactions_of(story.history, v),
            (std::vector<TxnId>{story.t(1), story.t(2)}));
}

TEST(Headline, ReadsThatContradictEachOther) {
  // t3 and t4 see t1 and t2 in opposite orders.
  const Case story(
      "s1: W(x,1) W(y,1)\ns2: W(x,2) W(y,2)\n"
      "s3: R(y,1) R(x,2)\ns4: R(y,2) R(x,1)");
  const Edge first =
      story.inferred(1, 2, 3, story.op(2, 0), story.op(3, 1), story.op(1, 0),
                     {story.wr(1, 3, story.op(1, 1), story.op(3, 0))});
  const Edge second =
      story.inferred(2, 1, 4, story.op(1, 0), story.op(4, 1), story.op(2, 0),
                     {story.wr(2, 4, story.op(2, 1), story.op(4, 0))});
  const Violation v = cycle(Kind::non_monotonic_read, {first, second});
  expect_accepted(story.judge("read-committed", {v}));
  EXPECT_EQ(headline(story.history, v),
            "t3 read x=2 from t2 having seen t1, which wrote x=1, while t4 "
            "read x=1 from t1 having seen t2, which wrote x=2: no order of "
            "commits allows both.");
}

TEST(Explain, UnknownOutcomes) {
  const Case story("s1: W(x,1)?\ns2: R(x,1)");
  EXPECT_EQ(explain(story.history, level("causal"),
                    story.wr(1, 2, story.op(1, 0), story.op(2, 0))),
            "t2 read x=1 from t1. The outcome of t1 is unknown; it counts as "
            "committed because it was read from.");
}

TEST(Explain, CutsLongChains) {
  std::string text = "s1: W(x,1) W(y,1)";
  for (int i = 2; i <= 12; ++i) text += " | W(y," + std::to_string(i) + ")";
  text += " | R(x,0)";
  const Case story(text);
  std::vector<Edge> path;
  for (std::uint32_t i = 1; i <= 12; ++i) path.push_back(story.so(i, i + 1));
  const Edge edge =
      story.inferred(1, 0, 13, OpId(), story.op(13, 0), story.op(1, 0), path);
  EXPECT_EQ(explain(story.history, level("causal"), edge),
            "t13 depends on t1: t2 follows t1 in session s1, t3 follows t2 in "
            "session s1, t4 follows t3 in session s1, t5 follows t4 in session "
            "s1, t6 follows t5 in session s1, then 6 more steps, and t13 "
            "follows t12 in session s1. t13 read the initial x=0, yet t1 also "
            "wrote x=1. Under Causal Consistency that is allowed only if t1 "
            "comes before the initial state.");
}

}  // namespace
}  // namespace awdit
