// The stages of solve(), one by one, on polygraphs of a few transactions: so
// that a failing property test can be traced to one of them. That together they
// find what there is to find is solve_test.cpp.
#include <gtest/gtest.h>

#include <vector>

#include "polygraph/core.h"
#include "polygraph/incremental_order.h"
#include "polygraph/points.h"
#include "polygraph/replay.h"
#include "polygraph/saturate.h"
#include "polygraph/search.h"
#include "polygraph/windows.h"
#include "unit/polygraph/sketch.h"

namespace awdit {
namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr Demand kSerializable = {.forbidden = Forbidden::all};
constexpr Demand kSnapshot = {.forbidden = Forbidden::snapshot};

// t0 and t1 write x, each in a session of its own; t2 reads t0's.
Sketch two_writers(std::uint32_t reader_session) {
  return {.session = {0, 1, reader_session},
          .writes = {{0, 0}, {1, 0}},
          .reads = {{.reader = 2, .key = 0, .writer = 0}},
          .begin = {},
          .end = {},
          .keys = 1};
}

// t0 reads y and writes x, t1 reads x and writes y; both find nothing.
Sketch write_skew() {
  return {.session = {0, 1},
          .writes = {{0, 0}, {1, 1}},
          .reads = {{.reader = 0, .key = 1, .writer = kNoId},
                    {.reader = 1, .key = 0, .writer = kNoId}},
          .begin = {},
          .end = {},
          .keys = 2};
}

// A polygraph, its points and what is inferred, which refer to each other.
struct Stage {
  Stage(const Sketch& sketch, const Demand& demand)
      : polygraph(to_polygraph(sketch)),
        points(polygraph, demand),
        saturation(points, Budget::unlimited()),
        end(saturation.run()) {}

  const Polygraph polygraph;
  const Points points;
  Saturation saturation;
  const Saturation::End end;
};

TEST(Points, OfSnapshotsAreTwoPerTransaction) {
  const Polygraph polygraph = to_polygraph(two_writers(1));
  const Points one(polygraph, kSerializable);
  EXPECT_FALSE(one.split());
  EXPECT_EQ(one.size(), 3U);
  EXPECT_EQ(one.snapshot(2), one.commit(2));
  EXPECT_EQ(one.previous(2), 1U);
  const Points two(polygraph, kSnapshot);
  EXPECT_TRUE(two.split());
  EXPECT_EQ(two.size(), 6U);
  EXPECT_EQ(two.previous(two.commit(2)), two.snapshot(2));
  EXPECT_EQ(two.previous(two.snapshot(2)), two.commit(1));
  // Reads-from leads from a commit to a snapshot.
  ASSERT_EQ(two.sources(two.snapshot(2)).size(), 1U);
  EXPECT_EQ(two.sources(two.snapshot(2))[0], two.commit(0));
}

TEST(Points, AnOldVersionPutsItsReadersBeforeTheNewOne) {
  const Polygraph polygraph = to_polygraph(two_writers(2));
  const Points points(polygraph, kSerializable);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  points.for_each_edge(0, 1, [&](std::uint32_t from, std::uint32_t to) {
    edges.emplace_back(from, to);
  });
  const decltype(edges) expected = {{0, 1}, {2, 1}};  // ww, then rw
  EXPECT_EQ(edges, expected);
}

TEST(Saturation, InfersAnOrderWhoseOppositeWouldCloseACycle) {
  // t2 follows t1 in its session, yet reads what t0 wrote.
  const Stage stage(two_writers(1), kSerializable);
  EXPECT_EQ(stage.end, Saturation::End::fixed_point);
  ASSERT_EQ(stage.saturation.facts().size(), 1U);
  const Saturation::Fact& fact = stage.saturation.facts()[0];
  EXPECT_EQ(stage.polygraph.writer[fact.older], 1U);
  EXPECT_EQ(stage.polygraph.writer[fact.newer], 0U);
  EXPECT_EQ(fact.trigger, 2U);
  EXPECT_TRUE(stage.saturation.leads(1, 0));
  EXPECT_FALSE(stage.saturation.leads(0, 1));
}

TEST(Saturation, LeavesOpenWhatEitherOrderAllows) {
  const Stage stage(two_writers(2), kSerializable);
  EXPECT_EQ(stage.end, Saturation::End::fixed_point);
  EXPECT_TRUE(stage.saturation.facts().empty());
  EXPECT_FALSE(stage.saturation.leads(0, 1));
  EXPECT_FALSE(stage.saturation.leads(1, 0));
}

TEST(Saturation, WriteSkewIsACycleUnlessSnapshotsMayOverlap) {
  EXPECT_EQ(Stage(write_skew(), kSerializable).end, Saturation::End::cycle);
  EXPECT_EQ(Stage(write_skew(), kSnapshot).end, Saturation::End::fixed_point);
}

TEST(Core, OfACycleIsTheTransactionsOnIt) {
  Sketch sketch = write_skew();
  sketch.session = {0, 1, 2};  // t2 has nothing to do with it
  const Stage stage(sketch, kSerializable);
  ASSERT_EQ(stage.end, Saturation::End::cycle);
  const auto cores = cores_of_cycles(stage.saturation, 9);
  ASSERT_EQ(cores.size(), 1U);
  EXPECT_EQ(cores[0], (Numbers{0, 1}));
}

TEST(Core, OfAnInferredStepHoldsWhatItFollowsFrom) {
  const Stage stage(two_writers(1), kSerializable);
  Core core(stage.saturation);
  core.add_path(1, 0);
  EXPECT_EQ(core.take(), (Numbers{0, 1, 2}));
}

TEST(Replay, StumblesOverAVersionThatAReaderMissed) {
  const Stage stage(two_writers(2), kSerializable);
  const Stumbles stumbles = replay(stage.saturation, Numbers{0, 1, 2});
  ASSERT_EQ(stumbles.pairs.size(), 1U);
  EXPECT_EQ(stage.polygraph.writer[stumbles.pairs[0].older], 0U);
  EXPECT_EQ(stage.polygraph.writer[stumbles.pairs[0].newer], 1U);
  EXPECT_TRUE(stumbles.clashes.empty());
  EXPECT_TRUE(replay(stage.saturation, Numbers{0, 2, 1}).none());
  EXPECT_TRUE(replay(stage.saturation, Numbers{1, 0, 2}).none());
}

TEST(IncrementalOrder, MovesWhatAnArcDemandsAndRefusesCycles) {
  const Stage stage({.session = {0, 1, 2},
                     .writes = {},
                     .reads = {},
                     .begin = {},
                     .end = {},
                     .keys = 0},
                    kSerializable);
  IncrementalOrder order(stage.saturation);
  EXPECT_TRUE(order.add(2, 1, 7));
  EXPECT_TRUE(order.add(1, 0, 8));
  EXPECT_LT(order.place(2), order.place(1));
  EXPECT_LT(order.place(1), order.place(0));
  EXPECT_FALSE(order.add(0, 2, 9));
  // The way that the arc would close, with the labels of its arcs.
  std::vector<std::uint32_t> labels;
  for (const auto& step : order.path(2, 0)) labels.push_back(step.label);
  EXPECT_EQ(labels, (Numbers{7, 8}));
  order.take_away(1, 0);
  EXPECT_TRUE(order.add(0, 2, 9));
  EXPECT_LT(order.place(0), order.place(2));
}

TEST(Search, DecidesAPairSoThatNobodyMissesAVersion) {
  const Stage stage(two_writers(2), kSerializable);
  Search search(stage.saturation);
  EXPECT_TRUE(search.add({.older = 0, .newer = 1}));
  EXPECT_FALSE(search.add({.older = 1, .newer = 0}));  // the same pair
  EXPECT_EQ(search.variables(), 1U);
  ASSERT_EQ(search.run(1000), Search::End::order);
  EXPECT_TRUE(is_serial(stage.polygraph, search.order()));
}

TEST(Windows, BeginWhereTheGuessGoesWrong) {
  // t2 skips t1's version; t3 and t4 are as guessed.
  Sketch sketch = two_writers(2);
  sketch.session = {0, 1, 2, 3, 4};
  sketch.keys = 2;
  sketch.writes.insert({3, 1});
  sketch.reads.push_back({.reader = 4, .key = 1, .writer = 3});
  const Polygraph polygraph = to_polygraph(sketch);
  const auto borders = [&](bool wide) {
    Numbers places;
    for (const Window& window : find_windows(polygraph, false, wide)) {
      places.push_back(window.first);
      places.push_back(window.last);
    }
    return places;
  };
  EXPECT_EQ(borders(false), (Numbers{1, 2}));
  EXPECT_EQ(borders(true), (Numbers{0, 2}));
  sketch.reads[0].writer = 1;
  EXPECT_TRUE(find_windows(to_polygraph(sketch), false, false).empty());
}

TEST(Windows, ThatOverlapOrTouchBecomeOne) {
  std::vector<Window> windows = {{8, 9}, {0, 1}, {2, 4}, {3, 3}};
  merge(windows);
  ASSERT_EQ(windows.size(), 2U);
  EXPECT_EQ(windows[0].first, 0U);
  EXPECT_EQ(windows[0].last, 4U);
  EXPECT_EQ(windows[1].first, 8U);
}

TEST(Windows, CutsAPartThatStandsByItself) {
  const Polygraph polygraph = to_polygraph(two_writers(2));
  Cutter cutter(polygraph, Budget::unlimited());
  const Polygraph part = cutter.cut({.first = 1, .last = 2}, false);
  EXPECT_EQ(part.txns, 2U);
  // What t2 reads lies outside: without borders, it is not there.
  EXPECT_EQ(part.writer, (Numbers{0}));
}

}  // namespace
}  // namespace awdit
