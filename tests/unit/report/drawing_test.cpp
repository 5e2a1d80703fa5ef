// Pictures of stories: where boxes stand and what arrows mean.
#include <gtest/gtest.h>

#include <string>

#include "base/table.h"
#include "check/check.h"
#include "history/text.h"
#include "report/arrows.h"
#include "report/lanes.h"
#include "tell/tell.h"

namespace awdit {
namespace {

// Histories with cycles of every sort: forwards, through the initial state,
// back into one session, around a circle of reads.
constexpr const char* kHistories[] = {
    "s1: W(x,1)\ns2: R(x,1) W(x,2)\ns3: R(x,2) W(y,1)\ns4: R(y,1) R(x,1)",
    "s1: W(x,1) | R(x,0)",
    "s1: R(x,1) | W(x,1)",
    "s1: R(x,1) W(y,1)\ns2: R(y,1) W(z,1)\ns3: R(z,1) W(x,1)",
    "s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)",
    "s1: R(x,1)",
    "s1: W(x,1) W(x,2) R(x,1)",
    "s1: R(x,0) W(x,1)\ns2: R(x,0) W(x,2)",
    "s1: R(x,[]) A(x,1)\ns2: R(x,[]) A(x,2)",
    "s1: W(x,1)\ns2: W(y,1)\ns3: R(x,1) R(y,0)\ns4: R(x,0) R(y,1)",
    "s1: R(x,0) W(y,1)\ns2: R(y,0) W(x,1)",
    ("s1: W(x,1) W(y,1)\ns2: W(x,2) R(z,0)\ns3: R(x,1) W(z,1)\n"
     "s4: R(y,1) R(x,2)"),
    "s1: W(x,1) @1-2\ns2: R(x,0) @3-4",
    "s1: A(x,1)\ns2: A(x,2)\ns3: R(x,[1 2])\ns4: R(x,[2 1])",
};

class Drawing : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    Result<History> parsed = parse_text(GetParam());
    ASSERT_TRUE(parsed.has_value());
    history_.emplace(std::move(*parsed));
    const std::vector<const Level*> asked = applicable_levels(*history_);
    Result<Report> report = check(*history_, asked, {});
    ASSERT_TRUE(report.has_value());
    report_ = std::move(*report);
    found_ = std::move(stories(*history_, report_, kAllGroups).told);
    ASSERT_FALSE(found_.empty());
  }

  std::optional<History> history_;
  Report report_;
  std::vector<Story> found_;
};

TEST_P(Drawing, BoxesDoNotOverlapAndLieInside) {
  for (const Story& story : found_) {
    const Lanes drawn = lay_out(*history_, story, arrows_of(*history_, story));
    for (const Box& a : drawn.boxes) {
      EXPECT_GE(a.x, 0);
      EXPECT_LE(a.x + a.width, drawn.width);
      EXPECT_GE(a.y, drawn.lanes[a.lane].y);
      EXPECT_LE(a.y + a.height,
                drawn.lanes[a.lane].y + drawn.lanes[a.lane].height);
      for (const Box& b : drawn.boxes) {
        if (&a == &b) continue;
        EXPECT_TRUE(a.lane != b.lane || a.column != b.column);
        if (a.lane == b.lane && a.txn < b.txn) {
          EXPECT_LT(a.column, b.column) << "a session runs to the right";
        }
      }
    }
  }
}

TEST_P(Drawing, EveryArrowEndsAtSomethingShown) {
  for (const Story& story : found_) {
    const std::vector<Arrow> arrows = arrows_of(*history_, story);
    const Lanes drawn = lay_out(*history_, story, arrows);
    EXPECT_EQ(has_init(*history_, arrows),
              drawn.box(history_->init_txn()) != nullptr);
    for (const Arrow& arrow : arrows) {
      for (const auto& [txn, op] : {std::pair(arrow.from, arrow.at_from),
                                    std::pair(arrow.to, arrow.at_to)}) {
        const Box* box = drawn.box(txn);
        ASSERT_NE(box, nullptr);
        if (!op.valid()) continue;
        EXPECT_EQ(history_->txn_of(op), txn);
        EXPECT_GT(box->row_y(op), box->row_y(OpId()))
            << "the operation has a row of its own";
      }
      if (story.violation.cycle() != nullptr) {
        EXPECT_GE(arrow.step, 1u);
        EXPECT_LE(arrow.step, story.proof.steps.size());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Histories, Drawing, testing::ValuesIn(kHistories));

}  // namespace
}  // namespace awdit
