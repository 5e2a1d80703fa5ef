// The smallest story of evidence above Causal: what is left still proves the
// same kind, by itself and in the whole history.
#include "check/check.h"
#include "tell/tell.h"
#include "unit/witness/case.h"

namespace awdit {
namespace {

// What is left of the simplest violation of a level that the check found.
std::string shrunk(const Case& story, std::string_view name, Kind kind) {
  const Level* const level = find_row(levels(), name);
  const Result<Report> report = check(story.history, {{level}}, {});
  EXPECT_TRUE(report) << to_string(report.error());
  const Violation* violation = simplest(report->levels[0], kind);
  if (violation == nullptr) {
    ADD_FAILURE() << "no " << anomaly(kind).name << " at " << name;
    return "";
  }
  const Shrunk small = shrink(story.history, *level, *violation);
  EXPECT_TRUE(small.stands_alone);
  EXPECT_TRUE(small.minimal);
  EXPECT_EQ(small.violation.kind, kind);
  expect_accepted(story.judge(name, {small.violation}));
  return to_text(extract(story.history, small.ops));
}

TEST(Shrink, WriteSkewOfVersionsThatALemmaOrders) {
  const Case story(
      "s1: W(x,1) W(u,1) | R(y,0) W(x,2) W(u,2)\n"
      "s2: R(x,1) W(y,1) | W(x,4)\n"
      "s3: W(v,1) R(u,2) | R(v,1)\n");
  EXPECT_EQ(shrunk(story, "serializable", Kind::write_skew),
            "s1: W(x,1) | R(y,0) W(x,2)\ns2: R(x,1) W(y,1)\n");
}

// Then the evidence is as good as it was, and nobody says it was tried.
TEST(Shrink, EndsWhenTheTimeIsOver) {
  const Case story("s1: R(x,0) W(y,1)\ns2: R(y,0) W(x,1) W(z,1)\n");
  const Level* const level = find_row(levels(), "serializable");
  const Result<Report> report = check(story.history, {{level}}, {});
  ASSERT_TRUE(report);
  ASSERT_EQ(report->levels[0].violations.size(), 1u);
  const Shrunk small =
      shrink(story.history, *level, report->levels[0].violations[0], 1e-9);
  EXPECT_TRUE(small.out_of_time);
  EXPECT_FALSE(small.stands_alone);
  EXPECT_FALSE(small.minimal);
  expect_accepted(story.judge("serializable", {small.violation}));
}

TEST(Shrink, LostUpdate) {
  const Case story(
      "s1: W(x,1) W(y,1)\ns2: R(x,1) R(y,1) W(x,2)\n"
      "s3: R(y,1) R(x,1) W(x,3) W(z,1)\ns4: R(z,1)\n");
  for (const std::string_view level :
       {"parallel-snapshot-isolation", "snapshot-isolation", "serializable"}) {
    EXPECT_EQ(shrunk(story, level, Kind::lost_update),
              "s1: W(x,1)\ns2: R(x,1) W(x,2)\ns3: R(x,1) W(x,3)\n");
  }
}

TEST(Shrink, LongFork) {
  const Case story(
      "s1: W(x,1)\ns2: W(y,1) W(u,1)\ns3: R(x,1) R(y,0)\n"
      "s4: R(x,0) R(y,1) W(v,1)\ns5: R(v,1) R(u,1)\n");
  for (const std::string_view level :
       {"prefix", "snapshot-isolation", "serializable"}) {
    EXPECT_EQ(shrunk(story, level, Kind::long_fork),
              "s1: W(x,1)\ns2: W(y,1)\ns3: R(x,1) R(y,0)\n"
              "s4: R(x,0) R(y,1)\n");
  }
}

TEST(Shrink, ListsThatShowAnOrder) {
  const Case story(
      "s1: A(x,1)\ns2: R(y,[]) A(x,2) A(u,1)\ns3: R(x,[1]) A(y,1)\n"
      "s4: R(x,[1 2]) A(v,1)\ns5: R(v,[1])\n");
  const std::string left = shrunk(story, "serializable", Kind::write_skew);
  EXPECT_EQ(left.find('u'), std::string::npos) << left;
  EXPECT_EQ(left.find('v'), std::string::npos) << left;
}

// What refutes a weaker level is looked for there, under the same name.
TEST(Shrink, ViolationsOfWeakerLevels) {
  const Case story(
      "s1: W(x,1) W(u,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2) R(u,1)");
  const Edge back =
      story.inferred(2, 1, 3, story.op(1, 0), story.op(3, 0), story.op(2, 0),
                     {story.wr(2, 3, story.op(2, 1), story.op(3, 1))});
  const Violation violation =
      cycle(Kind::fractured_read, {story.so(1, 2), back});
  const Shrunk small = shrink(
      story.history, *find_row(levels(), "snapshot-isolation"), violation);
  EXPECT_TRUE(small.stands_alone);
  EXPECT_EQ(small.violation.kind, Kind::fractured_read);
  EXPECT_EQ(to_text(extract(story.history, small.ops)),
            "s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)\n");
  expect_accepted(story.judge("snapshot-isolation", {small.violation}));
}

// t2 has no operation in the evidence, but without it there is none.
TEST(Shrink, TransactionsThatOnlyTimeSpeaksOf) {
  const Case story("s1: W(x,1) W(u,1)\ns2: R(u,0) W(z,1) | R(x,0) R(y,0)",
                    {{1, 2}, {3, 4}, {kNoTime, 9}});
  const Violation violation =
      cycle(Kind::real_time_violation,
            {story.real_time(1, 2), story.so(2, 3),
             story.rw(3, 1, story.op(3, 0), OpId(), story.op(1, 0))});
  expect_accepted(story.judge("strict-serializable", {violation}));
  const Shrunk small = shrink(
      story.history, *find_row(levels(), "strict-serializable"), violation);
  EXPECT_TRUE(small.stands_alone);
  EXPECT_TRUE(small.minimal);
  EXPECT_EQ(small.ops,
            (std::vector{story.op(1, 0), story.op(2, 1), story.op(3, 0)}));
  expect_accepted(story.judge("strict-serializable", {small.violation}));
}

TEST(Shrink, WithoutSessionOrder) {
  // With session order, t2 would have to see t1.
  const Case story(
      std::move(
          Case("s1: W(x,1) R(y,0) | R(x,0) W(y,1) W(u,1)\ns2: R(u,1)").history)
          .without_session_order());
  const std::string left = shrunk(story, "serializable", Kind::write_skew);
  EXPECT_EQ(left.find('u'), std::string::npos) << left;
}

}  // namespace
}  // namespace awdit
