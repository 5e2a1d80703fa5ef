// Findings about lists: the right ones are accepted, every wrong variant is
// rejected for the right reason, and their sentences, word for word.
#include "tell/tell.h"
#include "unit/witness/case.h"

namespace awdit {
namespace {

std::string unproven(std::string_view why) {
  return "violation 1 is not proven: " + std::string(why);
}

Violation at(std::uint32_t element, Violation violation) {
  finding_of(violation).element = element;
  return violation;
}

void expect_accepted_everywhere(const Case& story, const Violation& right) {
  for (const std::string_view level : kAllLevels) {
    expect_accepted(story.judge(level, {right}));
  }
}

TEST(ListFinding, ThinAirElement) {
  const Case story("s1: A(x,1)\ns2: R(x,[1 7 8 1])");
  const Violation right = at(1, finding(Kind::thin_air_read, story.op(2, 0)));
  expect_accepted_everywhere(story, right);
  for (const std::uint32_t element : {0u, 2u, 3u, 4u, kNoId}) {
    expect_rejected(story.judge("causal", {at(element, right)}),
                    unproven("the element it names does not show what is wrong "
                             "with t2's read of x=[1 7 8 1]"));
  }
  Violation wrong = right;
  wrong.kind = Kind::duplicate_element;
  finding_of(wrong).element = 3;
  expect_rejected(
      story.judge("causal", {wrong}),
      unproven("t2's read of x=[1 7 8 1] is of kind thin-air-read"));
  expect_rejected(story.judge_order("adya-read-committed", {1, 2}),
                  "t2's read of x=[1 7 8 1] is a violation (thin-air-read)");
}

TEST(ListFinding, AbortedElementFromAnyAbortedAppend) {
  const Case story("s1: A(x,1)!\ns2: A(x,1)!\ns3: A(x,2)\ns4: R(x,[1 2])");
  for (const std::uint32_t writer : {1u, 2u}) {
    expect_accepted_everywhere(story,
                               at(0, finding(Kind::aborted_read, story.op(4, 0),
                                             story.op(writer, 0))));
  }
  // Not of that element.
  expect_rejected(
      story.judge("causal", {at(0, finding(Kind::aborted_read, story.op(4, 0),
                                           story.op(3, 0)))}),
      unproven("t4's read of x=[1 2] did not return the write it names"));
  expect_rejected(story.judge_order("adya-read-committed", {3, 4}),
                  "t4's read of x=[1 2] is a violation (aborted-read)");
}

TEST(ListFinding, ACommittedAppendGoesBeforeAnAbortedOne) {
  const Case story("s1: A(x,1)!\ns2: A(x,1)\ns3: A(x,2)\ns4: R(x,[1 2])");
  expect_accepted(story.judge_order("causal", {2, 3, 4}));
}

TEST(ListFinding, DuplicateElement) {
  const Case story("s1: A(x,1) A(x,2)\ns2: A(x,3)\ns3: R(x,[1 2 3 1 2])");
  const Violation right =
      at(3, finding(Kind::duplicate_element, story.op(3, 0)));
  expect_accepted_everywhere(story, right);
  expect_rejected(story.judge("causal", {at(4, right)}),
                  unproven("the element it names does not show what is wrong "
                           "with t3's read of x=[1 2 3 1 2]"));
  Violation wrong = right;
  finding_of(wrong).write = story.op(1, 0);
  expect_rejected(
      story.judge("causal", {wrong}),
      unproven("t3's read of x=[1 2 3 1 2] did not return the write it names"));
  expect_rejected(
      story.judge_order("adya-read-committed", {1, 2, 3}),
      "t3's read of x=[1 2 3 1 2] is a violation (duplicate-element)");
}

TEST(ListFinding, FutureElementAnywhere) {
  const Case story("s1: R(x,[1 2 3]) A(x,2) A(x,3)\ns2: A(x,1)");
  const Violation right =
      at(1, finding(Kind::future_read, story.op(1, 0), story.op(1, 1)));
  expect_accepted_everywhere(story, right);
  for (const std::uint32_t element : {0u, 2u, kNoId}) {
    expect_rejected(story.judge("causal", {at(element, right)}),
                    unproven("the element it names does not show what is wrong "
                             "with t1's read of x=[1 2 3]"));
  }
  Violation wrong = right;
  finding_of(wrong).write = story.op(1, 2);
  expect_rejected(
      story.judge("causal", {wrong}),
      unproven("t1's read of x=[1 2 3] did not return the write it names"));
  // Whether or not it is a beginning of the longest list.
  const Case more(
      "s1: A(x,1)\ns2: A(x,9) R(x,[9 2]) R(x,[1 2]) A(x,2)\n"
      "s3: R(x,[1 2 9])");
  for (const std::uint32_t read : {1u, 2u}) {
    expect_accepted_everywhere(
        more,
        at(1, finding(Kind::future_read, more.op(2, read), more.op(2, 3))));
  }
}

// T has appended o1 ... om: the list must end with exactly these.
TEST(ListFinding, OwnAppendsStandAtTheEnd) {
  struct Row {
    std::string_view list;
    Kind kind;
    std::uint32_t write;  // operation of t1, or of t2 from 10 on; 99: none
  };
  for (const Row& row : {
           Row{"[]", Kind::own_write_ignored, 99},
           Row{"[7]", Kind::own_write_ignored, 10},
           Row{"[1]", Kind::stale_own_write, 0},
           Row{"[2]", Kind::own_write_ignored, 1},
           Row{"[2 1]", Kind::stale_own_write, 0},
           Row{"[1 7]", Kind::own_write_ignored, 10},
           Row{"[1 7 2]", Kind::own_write_ignored, 1},
           Row{"[1 2 7]", Kind::own_write_ignored, 10},
           Row{"[7 1]", Kind::stale_own_write, 0},
           Row{"[7 2]", Kind::own_write_ignored, 1},
           Row{"[1 1 1]", Kind::stale_own_write, 0},
       }) {
    SCOPED_TRACE(row.list);
    const Case story("s1: A(x,1) A(x,2) R(x," + std::string(row.list) +
                     ")\ns2: A(x,7)\ns3: R(x,[7 1 2])");
    const OpId write = row.write == 99   ? OpId()
                       : row.write >= 10 ? story.op(2, row.write - 10)
                                         : story.op(1, row.write);
    const Violation right =
        finding(row.kind, story.op(1, 2), write, story.op(1, 1));
    expect_accepted_everywhere(story, right);
    Violation wrong = right;
    wrong.kind = row.kind == Kind::stale_own_write ? Kind::own_write_ignored
                                                   : Kind::stale_own_write;
    EXPECT_FALSE(story.judge("causal", {wrong}).accepted);
    wrong = right;
    finding_of(wrong).other = story.op(1, 0);
    EXPECT_FALSE(story.judge("causal", {wrong}).accepted);
    wrong = right;
    finding_of(wrong).write = write.valid() ? OpId() : story.op(1, 0);
    EXPECT_FALSE(story.judge("causal", {wrong}).accepted);
    EXPECT_FALSE(story.judge("causal", {at(0, right)}).accepted);
    EXPECT_FALSE(story.judge_order("adya-read-committed", {2, 1, 3}).accepted);
  }
  const Case sound(
      "s1: A(x,1) R(x,[7 1]) A(x,2) R(x,[7 1 2])\ns2: A(x,7)\n"
      "s3: R(x,[7 1 2])");
  for (const std::string_view level : kAllLevels) {
    expect_accepted(sound.judge_order(level, {2, 1, 3}));
  }
}

// What shows that a block is not whole: an element, and an append of its maker
// that is not as far from it in the list as in the transaction.
struct Torn {
  std::string_view list;
  // Accepted: element, and the other append's number.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> right;
};

TEST(ListFinding, BlocksMustBeWhole) {
  // t1 appends 1, 2 and 3, t2 8, t3 9.
  const std::vector<Torn> table = {
      {"[1]", {{0, 1}, {0, 2}}},
      {"[1 2]", {{0, 2}, {1, 2}}},
      {"[2]", {{0, 0}, {0, 2}}},
      {"[3]", {{0, 0}, {0, 1}}},
      {"[2 3]", {{0, 0}, {1, 0}}},
      {"[1 3]", {{0, 1}, {0, 2}, {1, 0}, {1, 1}}},
      {"[1 8 2 3]", {{0, 1}, {0, 2}, {2, 0}, {3, 0}}},
      {"[8 1 2 9]", {{1, 2}, {2, 2}}},
      {"[3 2 1]", {{0, 0}, {0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 2}}},
      {"[8 1 2 3 1]", {{4, 1}, {4, 2}}},
  };
  for (const Torn& row : table) {
    SCOPED_TRACE(row.list);
    const Case story(
        "s1: A(x,1) A(x,2) A(y,5) A(x,3)\ns2: A(x,8)\n"
        "s3: A(x,9)\ns4: R(x," +
        std::string(row.list) + ")\ns5: R(x,[8 9])");
    const OpId appends[] = {story.op(1, 0), story.op(1, 1), story.op(1, 3)};
    const OpId read = story.op(4, 0);
    const std::size_t size = story.history.list_size(read);
    for (std::uint32_t element = 0; element <= size; ++element) {
      for (std::uint32_t op = 0; op <= story.history.num_ops(); ++op) {
        for (std::uint32_t write = 0; write <= story.history.num_ops();
             ++write) {
          bool right = false;
          for (const auto& [place, other] : row.right) {
            right |= place == element && OpId(op) == appends[other] &&
                     write < story.history.num_ops() &&
                     story.history.is_write(OpId(write)) &&
                     story.history.key(OpId(write)) == story.key("x") &&
                     story.history.value(OpId(write)) ==
                         story.history.element(read, place);
          }
          const Violation claim =
              at(element,
                 finding(Kind::intermediate_read, read, OpId(write), OpId(op)));
          EXPECT_EQ(story.judge("adya-read-committed", {claim}).accepted, right)
              << element << " " << write << " " << op;
        }
      }
    }
    expect_rejected(
        story.judge("causal", {finding(Kind::intermediate_read, read,
                                       appends[0], appends[2])}),
        unproven("the element and the appends it names do not show "
                 "that t4's read of x=" +
                 std::string(row.list) +
                 " tears a transaction's appends apart"));
    EXPECT_FALSE(
        story.judge_order("adya-read-committed", {1, 2, 3, 4, 5}).accepted);
  }
}

TEST(ListFinding, BlocksBeforeOwnAppendsMustBeWhole) {
  const Case story("s1: A(x,1) A(x,2)\ns2: A(x,5) R(x,[1 5]) A(x,6)");
  const Violation right = at(0, finding(Kind::intermediate_read, story.op(2, 1),
                                        story.op(1, 0), story.op(1, 1)));
  expect_accepted_everywhere(story, right);
  // Its own block need not be whole, and nothing of it is.
  for (const std::uint32_t element : {0u, 1u}) {
    for (const std::uint32_t write : {0u, 2u}) {
      EXPECT_FALSE(
          story
              .judge("causal",
                     {at(element,
                         finding(Kind::intermediate_read, story.op(2, 1),
                                 story.op(2, write), story.op(2, 2 - write)))})
              .accepted);
    }
  }
}

// t4 has the longest list; t5 and t6 contradict it and each other, t7 does not.
class Orders : public testing::Test {
 protected:
  const Case story{
      "s1: A(x,1) A(y,1)\ns2: A(x,2)\ns3: A(x,3)\n"
      "s4: R(x,[1 2 3])\ns5: R(x,[1 3])\ns6: R(x,[2])\ns7: R(x,[1 2])\n"
      "s8: R(x,[3 3]) R(y,[1])\ns9: R(x,[2 1])! | R(x,[2 1])?"};
  Violation order(OpId read, OpId other, std::uint32_t element) const {
    return at(element, finding(Kind::incompatible_order, read, OpId(), other));
  }
  void expect_objection(const Violation& wrong, std::string_view why) const {
    expect_rejected(story.judge("causal", {wrong}), unproven(why));
  }
};

TEST_F(Orders, AnyTwoListsThatContradictEachOther) {
  expect_accepted_everywhere(story, order(story.op(5, 0), story.op(4, 0), 1));
  expect_accepted_everywhere(story, order(story.op(4, 0), story.op(5, 0), 1));
  expect_accepted_everywhere(story, order(story.op(6, 0), story.op(5, 0), 0));
  expect_accepted_everywhere(story, order(story.op(7, 0), story.op(6, 0), 0));
  expect_rejected(story.judge_order("adya-read-committed", {1, 2, 3, 4, 5, 6}),
                  "t5's read of x=[1 3] is a violation (incompatible-order)");
}

TEST_F(Orders, NoOthers) {
  const OpId longest = story.op(4, 0);
  const OpId read = story.op(5, 0);
  expect_objection(order(story.op(7, 0), longest, 0),
                   "of the two lists it names one is a beginning of the other");
  expect_objection(order(longest, longest, kNoId),
                   "of the two lists it names one is a beginning of the other");
  for (const std::uint32_t element : {0u, 2u, kNoId}) {
    expect_objection(order(read, longest, element),
                     "the two lists it names do not differ first where it "
                     "says");
  }
  expect_objection(order(story.op(8, 0), longest, 0),
                   "t8's read of x=[3 3] is of kind duplicate-element");
  expect_objection(order(read, story.op(8, 1), 1),
                   "the two reads it names are of different keys");
  expect_objection(order(story.op(9, 0), longest, 0),
                   "t9's read of x=[2 1] is not of a committed transaction");
  expect_objection(order(longest, story.op(10, 0), 0),
                   "t10's read of x=[2 1] is not of a committed transaction");
  for (const OpId none : {OpId(), story.op(1, 0), OpId(1000)}) {
    expect_objection(order(read, none, 1),
                     "it does not name two reads of this history");
    expect_objection(order(none, longest, 1),
                     "it does not name two reads of this history");
  }
  Violation wrong = order(read, longest, 1);
  finding_of(wrong).write = story.op(3, 0);
  expect_objection(wrong, "it is about two reads, yet names a write");
  wrong = order(read, longest, 1);
  wrong.evidence = Cycle{{story.so(1, 2)}};
  expect_objection(wrong, "it is about one read, yet its evidence is not");
}

TEST_F(Orders, OfListsOnly) {
  const Case values("s1: W(x,1)\ns2: W(x,2)\ns3: R(x,1) R(x,2)");
  expect_rejected(
      values.judge("causal", {order(values.op(3, 0), values.op(3, 1), 0)}),
      unproven("the values of this history are no lists"));
}

TEST(ListFinding, AReadThatContradictsIsSetAside) {
  // t4's list would make t2 come before t1, but nothing follows from it.
  const Case story(
      "s1: A(x,1) | A(x,2)\ns2: R(x,[1 2 3])\ns3: R(x,[2])\ns4: A(x,3)");
  const Edge edge = story.wr(2, 4, story.op(2, 0), story.op(4, 0));
  expect_rejected(
      story.judge("causal",
                  {cycle(Kind::causality_cycle, {edge, story.so(4, 2)})}),
      unproven("edge 1: t4's read of x=[2] returned no valid version of "
               "another transaction"));
}

TEST(ListFinding, AnElementAppendedTwiceProvesNothing) {
  const Case story("s1: A(x,1)\ns2: A(x,1)");
  expect_rejected(story.judge_order("causal", {1, 2}),
                  "key x gets the element 1 twice, by t1 and by t2, so that "
                  "reads of it cannot be attributed and nothing can be proven");
}

TEST(ListPromotion, ByAnyElement) {
  const Case story(
      "s1: A(x,1)?\ns2: A(x,2)\ns3: R(x,[1 2])\ns4: A(x,3)?\n"
      "s5: R(x,[1 2 3])?");
  expect_accepted(story.judge_order("causal", {1, 2, 3}));
  expect_rejected(story.judge_order("causal", {2, 3}),
                  "the commit order leaves out t1");
  expect_rejected(story.judge_order("causal", {1, 2, 3, 4}),
                  "the commit order lists t4, which did not commit");
}

TEST(ListPromotion, NotByOnesOwnElementsNorByTheEmptyList) {
  const Case story(
      "s1: A(x,1)?\ns2: A(x,1) R(x,[1]) A(x,2) R(x,[1 2])\n"
      "s3: A(y,nil)?\ns4: R(y,[])");
  expect_accepted(story.judge_order("causal", {2, 4}));
}

struct Sentence {
  std::string_view history;
  Violation violation;
  std::string_view sentence;
};

TEST(ListHeadline, Findings) {
  const auto op = [](std::uint32_t v) { return OpId(v); };
  const std::vector<Sentence> table = {
      {"s1: A(x,1) | R(x,[1 7])", at(1, finding(Kind::thin_air_read, op(1))),
       "t2 read x=[1 7], but nobody appended 7."},
      {"s1: A(x,1)!\ns2: A(x,2) | R(x,[1 2])",
       at(0, finding(Kind::aborted_read, op(2), op(0))),
       "t3 read x=[1 2], but 1 was appended by t1, which was aborted."},
      {"s1: R(x,[1]) A(x,1)", at(0, finding(Kind::future_read, op(0), op(1))),
       "t1 read x=[1] before it appended 1 itself."},
      {"s1: A(x,1)\ns2: A(x,2) R(x,[1])",
       finding(Kind::own_write_ignored, op(2), op(0), op(1)),
       "t2 read x=[1] from t1 although it had itself appended 2 before."},
      {"s1: A(x,2) R(x,[])",
       finding(Kind::own_write_ignored, op(1), OpId(), op(0)),
       "t1 read the initial x=[] although it had itself appended 2 before."},
      {"s1: A(x,1) A(x,2) R(x,[1])",
       finding(Kind::stale_own_write, op(2), op(0), op(1)),
       "t1 read its own x=[1] although it had since appended 2."},
      {"s1: A(x,1) A(x,2) A(x,3)\ns2: R(x,[1])",
       at(0, finding(Kind::intermediate_read, op(3), op(0), op(2))),
       "t2 read x=[1], which has t1's 1 but not the 3 that t1 appended as "
       "well."},
      {"s1: A(x,1) A(x,2)\ns2: R(x,[2 1])",
       at(0, finding(Kind::intermediate_read, op(2), op(1), op(0))),
       "t2 read x=[2 1], which has the 1 and 2 that t1 appended in the wrong "
       "order."},
      {"s1: A(x,1) A(x,2)\ns2: A(x,5)\ns3: R(x,[1 5 2])",
       at(2, finding(Kind::intermediate_read, op(3), op(1), op(0))),
       "t3 read x=[1 5 2], which has the 1 and 2 that t1 appended, but not as "
       "t1 appended them."},
      {"s1: A(x,1) A(x,2) R(x,[2])",
       finding(Kind::own_write_ignored, op(2), op(1), op(1)),
       "t1 read x=[2], which does not end with the 1 and 2 that it had "
       "appended "
       "itself."},
      {"s1: A(x,1) A(x,2) R(x,[2 1])",
       finding(Kind::stale_own_write, op(2), op(0), op(1)),
       "t1 read x=[2 1], which does not end with the 1 and 2 that it had "
       "appended itself."},
      {"s1: A(x,1)\ns2: A(x,2) R(x,[2 1])",
       finding(Kind::own_write_ignored, op(2), op(0), op(1)),
       "t2 read x=[2 1], which does not end with the 2 that it had appended "
       "itself."},
      {"s1: A(x,1)\ns2: A(x,2) A(x,3) R(x,[1 2])",
       finding(Kind::stale_own_write, op(3), op(1), op(2)),
       "t2 read x=[1 2] although it had since appended 3."},
      {"s1: A(x,7)\ns2: R(x,[7 1 2]) A(x,1) A(x,2)",
       at(1, finding(Kind::future_read, op(1), op(2))),
       "t2 read x=[7 1 2] before it appended 1 itself."},
      {"s1: A(x,1)\ns2: R(x,[]) A(x,2) R(x,[1 2])",
       finding(Kind::non_repeatable_read, op(3), op(0), op(1)),
       "t2 read x twice and got two answers: x=[], then x=[1 2] from t1."},
      {"s1: A(x,1) A(x,2)\ns2: R(x,[1 2 1 2])",
       at(2, finding(Kind::duplicate_element, op(2))),
       "t2 read x=[1 2 1 2], in which 1 occurs twice."},
      {"s1: A(x,1)\ns2: R(x,[1 1 1])",
       at(1, finding(Kind::duplicate_element, op(1))),
       "t2 read x=[1 1 1], in which 1 occurs 3 times."},
      {"s1: A(x,1)\ns2: A(x,2)\ns3: R(x,[1 2])\ns4: R(x,[2])",
       at(0, finding(Kind::incompatible_order, op(3), OpId(), op(2))),
       "t4 read x=[2] and t3 read x=[1 2]: no order of appends gives both."},
      {"s1: A(x,1) | A(x,2)\ns2: R(x,[1 2]) R(x,[2 1])",
       at(0, finding(Kind::incompatible_order, op(3), OpId(), op(2))),
       "t3 read x=[2 1] and x=[1 2]: no order of appends gives both."},
      {"s1: A(x,1)\ns2: A(x,2)\ns3: R(x,[1]) R(x,[1 2])",
       finding(Kind::non_repeatable_read, op(3), op(1), op(2)),
       "t3 read x twice and got two answers: x=[1], then x=[1 2] from t2."},
  };
  for (const Sentence& row : table) {
    SCOPED_TRACE(row.history);
    const Case story(row.history);
    expect_accepted(story.judge("causal", {row.violation}));
    EXPECT_EQ(headline(story.history, row.violation), row.sentence);
  }
}

std::vector<std::string> claims_of(const Proof& proof) {
  std::vector<std::string> claims;
  for (const ProofStep& step : proof.steps) {
    claims.push_back(step.reason.empty() ? step.claim
                                         : step.claim + ": " + step.reason);
  }
  claims.push_back(proof.contradiction);
  return claims;
}

TEST(ListProof, Findings) {
  const Level& level = *find_row(levels(), "causal");
  const Case torn("s1: A(x,1) A(x,2)\ns2: A(x,5)\ns3: R(x,[2 5])");
  const Violation apart = at(0, finding(Kind::intermediate_read, torn.op(3, 0),
                                        torn.op(1, 1), torn.op(1, 0)));
  expect_accepted(torn.judge("causal", {apart}));
  EXPECT_EQ(claims_of(proof_of(torn.history, level, apart)),
            (std::vector<std::string>{
                "t1 appended 1 to x",
                "In the same transaction t1 then appended 2 to x",
                "t3 read x=[2 5], which has t1's 2 but not the 1 that t1 "
                "appended as well",
                "Others must see all that a transaction appends to a list or "
                "nothing of it, side by side and in its order."}));
  const Case own("s1: A(x,1) A(x,2) R(x,[2])");
  const Violation ignored = finding(Kind::own_write_ignored, own.op(1, 2),
                                    own.op(1, 1), own.op(1, 1));
  expect_accepted(own.judge("causal", {ignored}));
  const Proof proof = proof_of(own.history, level, ignored);
  EXPECT_EQ(claims_of(proof),
            (std::vector<std::string>{
                "t1 appended 1 and 2 to x", "After that t1 read x=[2]",
                "A list that a transaction reads must end with all that it has "
                "appended itself, in that order."}));
  EXPECT_EQ(proof.steps[0].ops,
            (std::vector<OpId>{own.op(1, 0), own.op(1, 1)}));
}

// A part that leaves out what makes a read wrong, or right, is another story.
TEST(ListShrink, KeepsWhatTheEvidenceRestsOn) {
  const auto kept = [](const Case& story, const Violation& violation,
                       std::string_view level) {
    expect_accepted(story.judge(level, {violation}));
    const Shrunk shrunk =
        shrink(story.history, *find_row(levels(), level), violation);
    std::vector<std::uint32_t> ops;
    for (const OpId op : shrunk.ops) ops.push_back(op.v);
    return ops;
  };
  const Case own("s1: A(y,1) A(x,1) R(y,[1]) A(x,2) R(x,[2])\ns2: R(y,[1])");
  EXPECT_EQ(kept(own,
                 finding(Kind::own_write_ignored, own.op(1, 4), own.op(1, 3),
                         own.op(1, 3)),
                 "causal"),
            (std::vector<std::uint32_t>{1, 3, 4}));
  const Case shown(
      "s1: A(x,1) A(y,1) | A(x,2) | R(y,[1]) A(x,3) R(x,[1 3])\ns2: R(y,[])");
  EXPECT_EQ(kept(shown,
                 cycle(Kind::dependency_cycle,
                       {shown.so(2, 3),
                        shown.ww(3, 2, shown.op(3, 1), shown.op(2, 0))},
                       {shown.shown("x", 3, 2, shown.op(3, 2))}),
                 "adya-read-committed"),
            (std::vector<std::uint32_t>{0, 2, 4, 5}));
}

TEST(ListHeadline, NamesTheTransactionsOfBothLists) {
  const Case story("s1: A(x,1)\ns2: A(x,2)\ns3: R(x,[1 2])\ns4: R(x,[2])");
  EXPECT_EQ(
      transactions_of(story.history,
                      at(0, finding(Kind::incompatible_order, story.op(4, 0),
                                    OpId(), story.op(3, 0)))),
      (std::vector<TxnId>{story.t(4), story.t(3)}));
}

TEST(ListExplain, WhatWasAppended) {
  const Case story("s1: A(x,1) | A(x,2) A(y,2)\ns2: R(y,[2]) R(x,[1])");
  const Edge back =
      story.inferred(2, 1, 3, story.op(1, 0), story.op(3, 1), story.op(2, 0),
                     {story.wr(2, 3, story.op(2, 1), story.op(3, 0))});
  const Violation v = cycle(Kind::non_monotonic_read, {story.so(1, 2), back});
  expect_accepted(story.judge("read-committed", {v}));
  EXPECT_EQ(headline(story.history, v),
            "t3 read x=[1] from t1 although it had already read y=[2] from t2, "
            "which had appended 2 to x.");
  EXPECT_EQ(explain(story.history, *find_row(levels(), "read-committed"), back),
            "t3 read y=[2] from t2. Later t3 read x=[1] from t1, yet t2 also "
            "appended 2 to x. Under Read Committed t1 must then be the newer "
            "of the two: t2 comes before t1.");
}

TEST(ListCertificate, KeepsTheElement) {
  const Case story("s1: A(x,1)\ns2: R(x,[1 1])");
  Report report;
  LevelReport& level = report.levels.emplace_back();
  level.level = find_row(levels(), "causal");
  level.verdict = Verdict::violated;
  level.violations = {at(1, finding(Kind::duplicate_element, story.op(2, 0)))};
  const std::string text = write_certificate(story.history, report);
  EXPECT_NE(text.find(R"({"kind":"duplicate-element","read":1,"element":1})"),
            std::string::npos)
      << text;
  const Result<Certificate> read = read_certificate(text, "c");
  ASSERT_TRUE(read);
  expect_accepted(verify(story.history, read->levels.at(0)));
}

}  // namespace
}  // namespace awdit
