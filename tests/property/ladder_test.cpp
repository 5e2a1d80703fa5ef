// Nothing is masked: two anomalies on transactions of their own are both found,
// whatever kinds they are of; and what was left out to find them changes no
// verdict. That own violations are what they claim to be is asked of every
// random history: judge.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/table.h"
#include "check/check.h"
#include "generate/generate.h"
#include "property/judge.h"
#include "property/shapes.h"
#include "witness/witness.h"

namespace awdit {
namespace {

Report checked(const History& history, bool quick = false) {
  Options options;
  options.threads = 2;
  options.commit_order = true;
  options.only_first_level = quick;
  Result<Report> report = check(history, applicable_levels(history), options);
  EXPECT_TRUE(report) << report.error().message;
  return std::move(*report);
}

// How many violations of each kind the levels call their own.
std::map<Kind, std::size_t> own_kinds(const Report& report) {
  std::map<Kind, std::size_t> kinds;
  for (const LevelReport& level : report.levels) {
    for (std::size_t i = level.inherited; i < level.violations.size(); ++i) {
      ++kinds[level.violations[i].kind];
    }
  }
  return kinds;
}

History planted(std::vector<const Gadget*> gadgets, bool lists,
                std::uint64_t seed) {
  Parameters p;
  p.seed = seed;
  p.sessions = 5;
  p.transactions = 40;
  p.keys = 12;
  p.lists = lists;
  p.by_session = seed % 2 == 1;
  p.plant = std::move(gadgets);
  Result<History> history = generate(p, 1);
  EXPECT_TRUE(history) << history.error().message;
  return std::move(*history);
}

class Pairs : public ::testing::TestWithParam<bool> {};

TEST_P(Pairs, AreBothFound) {
  const bool lists = GetParam();
  std::vector<const Gadget*> rows;
  std::map<const Gadget*, std::set<Kind>> alone;
  for (const Gadget& gadget : gadgets()) {
    if (needs_lists(gadget) && !lists) continue;
    rows.push_back(&gadget);
    for (const auto& [kind, count] :
         own_kinds(checked(planted({&gadget}, lists, 1)))) {
      alone[&gadget].insert(kind);
    }
    EXPECT_FALSE(alone[&gadget].empty()) << gadget.name;
  }
  std::uint64_t seed = 1;
  for (const Gadget* one : rows) {
    for (const Gadget* other : rows) {
      SCOPED_TRACE(std::string(one->name) + " and " + std::string(other->name));
      const History history = planted({one, other}, lists, ++seed);
      const Report report = checked(history);
      const std::map<Kind, std::size_t> found = own_kinds(report);
      std::map<Kind, std::size_t> wanted;
      for (const Gadget* gadget : {one, other}) {
        for (const Kind kind : alone[gadget]) ++wanted[kind];
      }
      for (const auto& [kind, count] : wanted) {
        const auto at = found.find(kind);
        EXPECT_GE(at == found.end() ? 0 : at->second, count)
            << anomaly(kind).name;
      }
      for (const LevelReport& level : report.levels) {
        const LevelCheck check = verify(history, level);
        EXPECT_TRUE(check.accepted)
            << level.level->name << ": " << check.objection;
      }
      const Report quick = checked(history, true);
      for (std::size_t i = 0; i < report.levels.size(); ++i) {
        EXPECT_EQ(report.levels[i].verdict, quick.levels[i].verdict);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfGadgets, Pairs, ::testing::Values(false, true),
                         [](const auto& parameter) {
                           return parameter.param ? "Lists" : "Registers";
                         });

TEST(Ladder, VerdictsDoNotDependOnWhatIsLeftOut) {
  const std::size_t most = property::random_histories() / 20;
  for (std::size_t at = 0; at < property::shapes().size(); ++at) {
    const property::Shape& shape = property::shapes()[at];
    const std::size_t count = property::share_of(shape, most);
    for (std::size_t i = 0; i < count; ++i) {
      property::Random random(at * 1'000'000'000 + 700'000'000 + i);
      const property::Script script = property::generate(
          shape, 2 + static_cast<int>(random() % 24), random);
      const History history = property::to_history(script);
      Options options;
      const auto levels = applicable_levels(history);
      const Result<Report> whole = check(history, levels, options);
      options.only_first_level = true;
      const Result<Report> quick = check(history, levels, options);
      ASSERT_EQ(bool(whole), bool(quick));
      if (!whole) continue;
      for (std::size_t l = 0; l < levels.size(); ++l) {
        ASSERT_EQ(whole->levels[l].verdict, quick->levels[l].verdict)
            << shape.name << ", " << levels[l]->name << "\n"
            << property::to_notation(script);
      }
    }
  }
}

}  // namespace
}  // namespace awdit
