// The paper's reductions: a history made from a graph breaks the level exactly
// if the graph has a triangle, at sizes where no oracle can follow.
#include <gtest/gtest.h>

#include "base/table.h"
#include "check/check.h"
#include "oracle/reductions.h"
#include "witness/witness.h"

namespace awdit::oracle {
namespace {

#ifdef AWDIT_CHECKED
constexpr int kGraphs = 60;
constexpr std::uint32_t kLargeNodes = 2'000;
#else
constexpr int kGraphs = 400;
constexpr std::uint32_t kLargeNodes = 10'000;
#endif

struct Case {
  const char* name;
  History (*reduce)(const Graph& graph);
  std::vector<std::string_view> levels;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"range", range_reduction, {"read-committed", "read-atomic", "causal"}},
      {"two sessions", two_session_reduction, {"read-atomic"}},
      {"one session", one_session_reduction, {"read-committed"}},
  };
  return all;
}

void expect_verdict(const Graph& graph, bool triangle) {
  for (const Case& reduction : cases()) {
    SCOPED_TRACE(reduction.name);
    const History history = reduction.reduce(graph);
    std::vector<const Level*> asked;
    for (std::string_view name : reduction.levels) {
      asked.push_back(find_row(levels(), name));
      ASSERT_NE(asked.back(), nullptr) << name;
    }
    Options options;
    options.threads = 2;
    options.commit_order = true;
    const Result<Report> report = check(history, asked, options);
    ASSERT_TRUE(report) << report.error().message;
    for (const LevelReport& level : report->levels) {
      SCOPED_TRACE(level.level->name);
      EXPECT_EQ(level.verdict, triangle ? Verdict::violated : Verdict::holds);
      const LevelCheck checked = verify(history, level);
      EXPECT_TRUE(checked.accepted) << checked.objection;
    }
  }
}

TEST(Reductions, NaiveTriangleTestKnowsTheSmallestGraphs) {
  EXPECT_FALSE(has_triangle({3, {{0, 1}, {1, 2}}}));
  EXPECT_TRUE(has_triangle({3, {{0, 1}, {0, 2}, {1, 2}}}));
  EXPECT_FALSE(has_triangle({4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}}));
  EXPECT_FALSE(has_triangle(complete_bipartite(20)));
  EXPECT_TRUE(has_triangle(with_triangle(complete_bipartite(20), 1)));
}

TEST(Reductions, VerdictIsTriangleFreenessOnRandomGraphs) {
  int triangles = 0;
  for (int i = 0; i < kGraphs; ++i) {
    const auto nodes = static_cast<std::uint32_t>(3 + i % 30);
    // About one triangle is to be expected: the cube of density * nodes / 2.
    const double density = (1.0 + i % 3 * 0.5) / nodes;
    const Graph graph =
        random_graph(nodes, density, static_cast<std::uint64_t>(i));
    SCOPED_TRACE(testing::Message() << "graph " << i);
    triangles += has_triangle(graph);
    ASSERT_NO_FATAL_FAILURE(expect_verdict(graph, has_triangle(graph)));
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(triangles, kGraphs / 10);
  EXPECT_LT(triangles, kGraphs * 9 / 10);
}

TEST(Reductions, LargeSparseTriangleFreeGraphHolds) {
  const Graph graph = random_bipartite(kLargeNodes, kLargeNodes * 3, 7);
  ASSERT_FALSE(has_triangle(graph));
  expect_verdict(graph, false);
}

TEST(Reductions, OnePlantedTriangleInALargeGraphIsFound) {
  const Graph graph =
      with_triangle(random_bipartite(kLargeNodes, kLargeNodes * 3, 8), 9);
  ASSERT_TRUE(has_triangle(graph));
  expect_verdict(graph, true);
}

TEST(Reductions, DenseGraphs) {
  const std::uint32_t nodes = kLargeNodes >= 10'000 ? 400 : 60;
  expect_verdict(complete_bipartite(nodes), false);
  expect_verdict(with_triangle(complete_bipartite(nodes), 3), true);
}

}  // namespace
}  // namespace awdit::oracle
