// Findings about single reads: the right ones are accepted at the levels where
// they count, and every wrong variant is rejected for the right reason.
#include <limits>

#include "unit/witness/case.h"

namespace awdit {
namespace {

constexpr OpId kFarAway{std::numeric_limits<std::uint32_t>::max() - 1};

std::string unproven(std::string_view why) {
  return "violation 1 is not proven: " + std::string(why);
}

void expect_accepted_everywhere(const Case& story, const Violation& right) {
  for (const std::string_view level : kAllLevels) {
    expect_accepted(story.judge(level, {right}));
  }
}

TEST(Finding, ThinAirRead) {
  const Case story("s1: W(x,1)\ns2: R(x,7) R(x,1)");
  const Violation right = finding(Kind::thin_air_read, story.op(2, 0));
  expect_accepted_everywhere(story, right);
  expect_accepted(story.judge("causal", {right, right}));

  Violation wrong = right;
  finding_of(wrong).read = story.op(2, 1);
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("t2's read of x=1 is not of that kind"));
  expect_rejected(
      story.judge("causal", {right, wrong}),
      "violation 2 is not proven: t2's read of x=1 is not of that kind");
  finding_of(wrong).read = story.op(1, 0);
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("it names no read of this history"));
  finding_of(wrong).read = OpId();
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("it names no read of this history"));
  finding_of(wrong).read = kFarAway;
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("it names no read of this history"));
  wrong = right;
  finding_of(wrong).write = story.op(1, 0);
  expect_rejected(
      story.judge("causal", {wrong}),
      unproven("t2's read of x=7 did not return the write it names"));
  wrong = right;
  finding_of(wrong).other = story.op(1, 0);
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("the other operation it names does not show what is "
                           "wrong with t2's read of x=7"));
  wrong = right;
  wrong.kind = Kind::aborted_read;
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("t2's read of x=7 is of kind thin-air-read"));
  wrong = right;
  wrong.evidence = Cycle{{story.so(1, 2)}};
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("it is about one read, yet its evidence is not"));
  wrong = right;
  wrong.kind = static_cast<Kind>(99);
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("its kind is unknown"));
}

TEST(Finding, AbortedReadFromAnyAbortedWriterOfTheValue) {
  const Case story("s1: W(x,1)!\ns2: W(x,1)!\ns3: R(x,1)\ns4: R(x,1)!");
  for (const std::uint32_t writer : {1u, 2u}) {
    expect_accepted_everywhere(
        story,
        finding(Kind::aborted_read, story.op(3, 0), story.op(writer, 0)));
  }
  expect_rejected(
      story.judge("read-committed",
                  {finding(Kind::aborted_read, story.op(3, 0))}),
      unproven("t3's read of x=1 did not return the write it names"));
  expect_rejected(
      story.judge("read-committed",
                  {finding(Kind::aborted_read, story.op(3, 0), kFarAway)}),
      unproven("t3's read of x=1 did not return the write it names"));
  // Reads of aborted transactions are not judged.
  expect_rejected(
      story.judge("read-committed", {finding(Kind::aborted_read, story.op(4, 0),
                                             story.op(1, 0))}),
      unproven("t4's read of x=1 is not of that kind"));
}

TEST(Finding, ACommittedWriterGoesBeforeAnAbortedOne) {
  const Case story("s1: W(x,1)!\ns2: W(x,1)\ns3: R(x,1)");
  expect_rejected(
      story.judge("causal", {finding(Kind::aborted_read, story.op(3, 0),
                                     story.op(1, 0))}),
      unproven("t3's read of x=1 is not of that kind"));
  expect_accepted(story.judge_order("causal", {2, 3}));
}

TEST(Finding, FutureRead) {
  const Case story("s1: R(x,1) W(x,1) W(x,2)");
  const Violation right =
      finding(Kind::future_read, story.op(1, 0), story.op(1, 1));
  expect_accepted_everywhere(story, right);
  Violation wrong = right;
  finding_of(wrong).write = story.op(1, 2);
  expect_rejected(
      story.judge("causal", {wrong}),
      unproven("t1's read of x=1 did not return the write it names"));
}

TEST(Finding, OwnWriteIgnored) {
  const Case story(
      "s1: W(x,1)\ns2: W(x,2) W(x,3) R(x,1) R(x,3)\n"
      "s3: W(x,4) R(x,0)");
  const Violation right = finding(Kind::own_write_ignored, story.op(2, 2),
                                  story.op(1, 0), story.op(2, 1));
  expect_accepted_everywhere(story, right);
  expect_accepted_everywhere(
      story,
      finding(Kind::own_write_ignored, story.op(3, 1), OpId(), story.op(3, 0)));
  Violation wrong = right;
  finding_of(wrong).other = story.op(2, 0);
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("the other operation it names does not show what is "
                           "wrong with t2's read of x=1"));
  wrong = right;
  finding_of(wrong).read = story.op(2, 3);
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("t2's read of x=3 is not of that kind"));
}

TEST(Finding, StaleOwnWrite) {
  const Case story("s1: W(x,1) W(x,2) R(x,1)");
  const Violation right = finding(Kind::stale_own_write, story.op(1, 2),
                                  story.op(1, 0), story.op(1, 1));
  expect_accepted_everywhere(story, right);
  Violation wrong = right;
  wrong.kind = Kind::intermediate_read;
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("t1's read of x=1 is of kind stale-own-write"));
}

TEST(Finding, IntermediateRead) {
  const Case story("s1: W(x,1) W(x,2) W(x,3)\ns2: R(x,1)");
  const Violation right = finding(Kind::intermediate_read, story.op(2, 0),
                                  story.op(1, 0), story.op(1, 2));
  expect_accepted_everywhere(story, right);
  Violation wrong = right;
  finding_of(wrong).other =
      story.op(1, 1);  // overwrote it, but is not the last
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("the other operation it names does not show what is "
                           "wrong with t2's read of x=1"));
}

TEST(Finding, NonRepeatableReadCountsFromReadAtomicOn) {
  const Case story("s1: W(x,1)\ns2: W(x,2)\ns3: R(x,1) R(x,2) R(x,0) R(x,1)");
  const Violation later = finding(Kind::non_repeatable_read, story.op(3, 1),
                                  story.op(2, 0), story.op(3, 0));
  const Violation initial = finding(Kind::non_repeatable_read, story.op(3, 2),
                                    OpId(), story.op(3, 0));
  for (const std::string_view level : {"read-atomic", "causal"}) {
    expect_accepted(story.judge(level, {later, initial}));
  }
  expect_rejected(story.judge("read-committed", {later}),
                  unproven("Read Committed allows it"));
  Violation wrong = later;
  finding_of(wrong).read = story.op(3, 3);  // the first answer again
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("t3's read of x=1 is not of that kind"));
  wrong = later;
  finding_of(wrong).other = story.op(3, 2);
  expect_rejected(story.judge("causal", {wrong}),
                  unproven("the other operation it names does not show what is "
                           "wrong with t3's read of x=2"));
}

TEST(Finding, AValueWrittenTwiceProvesNothing) {
  const Case story("s1: W(x,1)\ns2: W(x,1)\ns3: R(y,5)");
  const std::string_view twice =
      "key x gets the value 1 twice, by t1 and by t2, so that reads of it "
      "cannot be attributed and nothing can be proven";
  expect_rejected(
      story.judge("causal", {finding(Kind::thin_air_read, story.op(3, 0))}),
      twice);
  expect_rejected(story.judge_order("causal", {1, 2, 3}), twice);
}

TEST(Claim, MustFitItsVerdict) {
  const Case story("s1: R(x,7)");
  const Violation right = finding(Kind::thin_air_read, story.op(1, 0));
  LevelReport claim;
  expect_rejected(verify(story.history, claim), "no level is named");
  claim.level = find_row(levels(), "causal");
  expect_rejected(verify(story.history, claim),
                  "the level was left undecided: there is nothing to prove");
  claim.verdict = Verdict::violated;
  expect_rejected(verify(story.history, claim), "no violation is given");
  claim.violations = {right};
  claim.commit_order = {story.t(1)};
  expect_rejected(
      verify(story.history, claim),
      "a level that is violated has no commit order, but one is given");
  claim.verdict = Verdict::holds;
  expect_rejected(verify(story.history, claim),
                  "a level that holds has no violations, but some are listed");
  claim.violations = {};
  expect_rejected(verify(story.history, claim),
                  "t1's read of x=7 is a violation (thin-air-read)");
}

}  // namespace
}  // namespace awdit
