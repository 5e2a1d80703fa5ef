// Which unknown transactions count, seen through what the verifier accepts.
#include "unit/witness/case.h"

namespace awdit {
namespace {

TEST(Promotion, ReadingFromAnUnknownTransactionMakesItCount) {
  const Case story("s1: W(x,1)?\ns2: R(x,1)\ns3: W(x,2)?");
  expect_accepted(story.judge_order("causal", {1, 2}));
  expect_rejected(story.judge_order("causal", {2}),
                  "the commit order leaves out t1");
  expect_rejected(story.judge_order("causal", {1, 2, 3}),
                  "the commit order lists t3, which did not commit");
}

TEST(Promotion, SpreadsFromThePromoted) {
  const Case story(
      "s1: W(x,1)?\ns2: R(x,1) W(y,1)?\ns3: R(y,1)\n"
      "s4: R(z,9) W(w,1)?");
  expect_accepted(story.judge_order("causal", {1, 2, 3}));
}

TEST(Promotion, ADroppedReaderPromotesNobody) {
  const Case story("s1: W(x,1)?\ns2: R(x,1)?\ns3: R(x,1)!\ns4: W(y,1)");
  expect_accepted(story.judge_order("causal", {4}));
}

TEST(Promotion, ACommittedWriterOfTheValueExplainsTheRead) {
  const Case story("s1: W(x,1)?\ns2: W(x,1)\ns3: R(x,1)");
  expect_accepted(story.judge_order("causal", {2, 3}));
}

TEST(Promotion, AnUnknownWriterGoesBeforeAnAbortedOne) {
  const Case story("s1: W(x,1)!\ns2: W(x,1)?\ns3: R(x,1)");
  expect_accepted(story.judge_order("causal", {2, 3}));
}

TEST(Promotion, OwnReadsPromoteNobody) {
  const Case story("s1: W(x,1)?\ns2: W(x,1) R(x,1)");
  expect_accepted(story.judge_order("causal", {2}));
}

TEST(Promotion, AReadWithAFindingPromotesToo) {
  // t2 ignores its own write, but what it saw was t1's.
  const Case story("s1: W(x,1) R(z,7)?\ns2: W(x,2) R(x,1)");
  expect_accepted(
      story.judge("causal", {finding(Kind::own_write_ignored, story.op(2, 1),
                                     story.op(1, 0), story.op(2, 0)),
                             finding(Kind::thin_air_read, story.op(1, 1))}));
}

TEST(Promotion, TwoUnknownWritersOfOneValueReadAreAContradiction) {
  const Case story("s1: W(x,1)?\ns2: W(x,1)?\ns3: R(x,1)");
  expect_rejected(story.judge_order("causal", {1, 2, 3}),
                  "key x gets the value 1 twice, by t1 and by t2, so that "
                  "reads of it cannot be attributed and nothing can be proven");
}

}  // namespace
}  // namespace awdit
