// Evidence as a value: its form, its identity, the walk through it, and lists
// of violations that levels share.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "theory/theory.h"

namespace awdit {
namespace {

Edge edge(std::uint32_t from, std::uint32_t to) {
  Edge result;
  result.from = TxnId(from);
  result.to = TxnId(to);
  return result;
}

// A cycle of two edges, the first with a step; a lemma with one under it.
Violation nested() {
  Cycle cycle{{edge(1, 2), edge(2, 1)}};
  cycle.edges[0].seen.push_back(
      {TxnId(8), TxnId(9), Reason::session_order, OpId(), OpId()});
  Lemma lemma;
  lemma.key = KeyId(5);
  lemma.cycle = {edge(3, 3)};
  Lemma under;
  under.key = KeyId(6);
  under.cycle = {edge(4, 4)};
  lemma.under = {under};
  cycle.lemmas = {lemma};
  return {Kind::read_skew, std::move(cycle)};
}

TEST(Evidence, TheWalkMeetsEverythingInOrder) {
  std::string met;
  const Violation violation = nested();
  walk(
      violation, [&](const Finding&) { met += "finding "; },
      [&](const std::vector<Edge>& cycle) {
        met += "cycle" + std::to_string(cycle.size()) + " ";
      },
      [&](const Edge& e) { met += "edge" + std::to_string(e.from.v) + " "; },
      [&](const Step& s) { met += "step" + std::to_string(s.from.v) + " "; },
      [&](const Lemma& l) { met += "lemma" + std::to_string(l.key.v) + " "; });
  EXPECT_EQ(
      met, "cycle2 edge1 step8 edge2 lemma5 lemma6 cycle1 edge4 cycle1 edge3 ");
  met.clear();
  const Violation update{Kind::lost_update, LostUpdate{OpId(1), OpId(2)}};
  walk(
      update,
      [&](const LostUpdate& lost) { met += std::to_string(lost.other.v); },
      [&](const Edge&) { met += "edge"; });
  EXPECT_EQ(met, "2");
}

TEST(Evidence, TheWalkMayChangeIt) {
  Violation violation = nested();
  walk(violation, [](Edge& e) { e.read = OpId(7); });
  std::size_t changed = 0;
  walk(violation, [&](const Edge& e) { changed += e.read == OpId(7); });
  EXPECT_EQ(changed, 4u);
}

TEST(Evidence, HasTheFormOfItsKind) {
  for (const Anomaly& row : anomalies()) {
    const bool of_cycle =
        row.form == Form::axiom_cycle || row.form == Form::dependency_cycle;
    EXPECT_EQ(has_form_of_kind({row.kind, Finding{}}),
              row.form == Form::finding);
    EXPECT_EQ(has_form_of_kind({row.kind, LostUpdate{}}),
              row.form == Form::lost_update);
    EXPECT_EQ(has_form_of_kind({row.kind, Cycle{}}), of_cycle) << row.name;
  }
  for (const Level& level : levels()) {
    if (level.cycles == Cycles::by_axiom) {
      EXPECT_EQ(anomaly(level.cycle).form, Form::axiom_cycle) << level.name;
      EXPECT_EQ(level.premise == Premise::nobody,
                level.cycle == Kind::causality_cycle);
    }
  }
}

TEST(Evidence, ACycleIsTheSameWhereverItBegins) {
  const Violation one{Kind::read_skew, Cycle{{edge(1, 2), edge(2, 1)}}};
  const Violation other{Kind::read_skew, Cycle{{edge(2, 1), edge(1, 2)}}};
  EXPECT_EQ(identity(one), identity(other));
  const Violation third{Kind::write_skew, Cycle{{edge(1, 2), edge(2, 1)}}};
  EXPECT_NE(identity(one), identity(third));
}

TEST(Violations, AreOneSequence) {
  const auto list = std::make_shared<const Violations::List>(
      Violations::List{{Kind::thin_air_read, Finding{OpId(0)}},
                       {Kind::thin_air_read, Finding{OpId(1)}},
                       {Kind::thin_air_read, Finding{OpId(2)}}});
  Violations all;
  EXPECT_TRUE(all.empty());
  EXPECT_EQ(all.begin(), all.end());
  all.inherit(list, 1, 0);
  EXPECT_TRUE(all.empty());
  all.inherit(list, 1, 2);
  all.inherit(list, 0, 1);
  EXPECT_EQ(all.size(), 3u);
  std::vector<std::uint32_t> reads;
  for (const Violation& violation : all) {
    reads.push_back(violation.finding()->read.v);
  }
  EXPECT_EQ(reads, (std::vector<std::uint32_t>{1, 2, 0}));
  EXPECT_EQ(&all[2], &(*list)[0]);
  EXPECT_EQ(&all.front(), &(*list)[1]);
  const Violations own = {{Kind::thin_air_read, Finding{OpId(4)}}};
  EXPECT_EQ(own.size(), 1u);
}

}  // namespace
}  // namespace awdit
