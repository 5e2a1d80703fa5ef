// What `generate` promises, held against the checker: a planted gadget breaks
// what its row says and nothing else, whatever surrounds it; without one every
// level holds. And that the numbers asked for are the numbers delivered.
#include "generate/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/random.h"
#include "base/table.h"
#include "check/check.h"
#include "generate/key_chooser.h"
#include "history/text.h"
#include "oracle/oracle.h"
#include "witness/witness.h"

namespace awdit {
namespace {

#ifdef AWDIT_CHECKED
constexpr std::uint64_t kSeeds = 12;
#else
constexpr std::uint64_t kSeeds = 300;
#endif

// Other parameters for every seed.
Parameters mixed(std::uint64_t seed) {
  Random random(seed * 7919);
  Parameters p;
  p.seed = seed;
  p.sessions = 2 + random.below(9);
  p.transactions = 1 + random.below(120);
  p.min_txn_ops = 1 + random.below(4);
  p.max_txn_ops = p.min_txn_ops + random.below(8);
  p.keys = 1 + random.below(40);
  p.reads = random.below(11) / 10.0;
  p.distribution.kind = static_cast<Distribution::Kind>(random.below(3));
  p.distribution.theta = random.below(30) / 10.0;
  p.distribution.hot_keys = random.below(11) / 10.0;
  p.aborted = random.below(3) == 0 ? 0.3 : 0;
  p.unknown = random.below(3) == 0 ? 0.4 : 0;
  p.by_session = random.below(4) == 0;
  if (random.below(4) == 0) p.operations = 1 + random.below(500);
  return p;
}

History made(const Parameters& parameters, unsigned threads = 2) {
  Result<History> history = generate(parameters, threads);
  EXPECT_TRUE(history) << history.error().message;
  return std::move(*history);
}

Report checked(const History& history) {
  Options options;
  options.threads = 2;
  options.commit_order = true;
  Result<Report> report = check(history, applicable_levels(history), options);
  EXPECT_TRUE(report) << report.error().message;
  return std::move(*report);
}

// Those that `breaks` says are violated, and no others.
template <typename Breaks>
void expect_verdicts(const History& history, const Report& report,
                     Breaks&& breaks) {
  for (const LevelReport& level : report.levels) {
    SCOPED_TRACE(level.level->name);
    EXPECT_EQ(level.verdict,
              breaks(*level.level) ? Verdict::violated : Verdict::holds);
    const LevelCheck proof = verify(history, level);
    EXPECT_TRUE(proof.accepted) << proof.objection;
  }
}

// The weakest level that should not hold has just this finding. Two lists of a
// key show which of them is older; so who read both has a fractured read, too.
void expect_planted(const Report& report, const Gadget& gadget, bool lists) {
  bool weakest = true;
  for (const LevelReport& level : report.levels) {
    if (level.verdict == Verdict::holds) continue;
    if (weakest) {
      std::multiset<std::string_view> expected = {gadget.name};
      if (lists && gadget.name == "non-repeatable-read") {
        expected.insert("fractured-read");
      }
      std::multiset<std::string_view> found;
      for (const Violation& violation : level.violations) {
        found.insert(anomaly(violation.kind).name);
      }
      EXPECT_EQ(found, expected);
    }
    weakest = false;
  }
}

TEST(Generate, EveryLevelHoldsIfNothingIsPlanted) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Parameters parameters = mixed(seed);
    for (const bool lists : {false, true}) {
      parameters.lists = lists;
      parameters.list_length = static_cast<std::uint32_t>(1 + seed % 7);
      const History history = made(parameters);
      expect_verdicts(history, checked(history),
                      [](const Level&) { return false; });
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST(Generate, AGadgetBreaksWhatItsRowSaysAndNothingElse) {
  for (const Gadget& gadget : gadgets()) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      SCOPED_TRACE(testing::Message() << gadget.name << ", seed " << seed);
      Parameters parameters = mixed(seed);
      parameters.plant = {&gadget};
      parameters.sessions = std::max(parameters.sessions, sessions_of(gadget));
      for (const bool lists : {false, true}) {
        if (needs_lists(gadget) && !lists) continue;
        parameters.lists = lists;
        const History history = made(parameters);
        const Report report = checked(history);
        expect_verdicts(history, report, [&](const Level& level) {
          return breaks(gadget, level);
        });
        expect_planted(report, gadget, lists);
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

TEST(Generate, AGadgetIsAllThereIsInASmallHistory) {
  for (const Gadget& gadget : gadgets()) {
    SCOPED_TRACE(gadget.name);
    Parameters parameters;
    parameters.sessions = sessions_of(gadget);
    parameters.lists = needs_lists(gadget);
    parameters.plant = {&gadget};
    parameters.operations = 1;
    const History history = made(parameters);
    const Report report = checked(history);
    expect_verdicts(history, report,
                    [&](const Level& level) { return breaks(gadget, level); });
    --parameters.sessions;
    EXPECT_TRUE(invalid(parameters));
  }
}

TEST(Generate, ACeilingIsTheStrongestLevelThatHolds) {
  for (const Level& strongest : levels()) {
    if (strongest.real_time) continue;
    SCOPED_TRACE(strongest.name);
    for (const Level& level : levels()) {
      if (level.real_time) continue;
      bool holds = true;
      for (const Gadget* gadget : gadgets_above(strongest)) {
        ASSERT_NE(gadget, nullptr);
        holds = holds && !breaks(*gadget, level);
      }
      EXPECT_EQ(holds, implies(strongest, level)) << level.name;
    }
  }
}

TEST(Generate, EveryAnomalyHasAGadget) {
  for (const Anomaly& row : anomalies()) {
    // Made histories have no times.
    EXPECT_EQ(find_row(gadgets(), row.name) == nullptr,
              row.kind == Kind::real_time_violation)
        << row.name;
  }
}

TEST(Generate, SeveralGadgetsBreakWhatTheWeakestOfThemBreaks) {
  const auto gadget = [](std::string_view name) {
    return find_row(gadgets(), name);
  };
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Parameters parameters = mixed(seed);
    parameters.plant = {gadget("causal-violation"), gadget("fractured-read"),
                        gadget("long-fork"), gadget("fractured-read")};
    parameters.sessions = std::max(parameters.sessions, 4u);
    const History history = made(parameters);
    const Report report = checked(history);
    const Level* const atomic = find_row(levels(), "read-atomic");
    expect_verdicts(history, report, [&](const Level& level) {
      return implies(level, *atomic);
    });
    for (const LevelReport& level : report.levels) {
      if (level.level->name == "read-atomic") {
        EXPECT_EQ(level.violations.size(), 2u);
      } else if (level.level->name == "causal") {
        EXPECT_EQ(level.violations.size(), 3u);
      }
    }
    ASSERT_FALSE(HasFailure());
  }
}

TEST(Generate, PlantingChangesNothingElse) {
  Parameters parameters = mixed(3);
  parameters.by_session = false;
  const History plain = made(parameters);
  parameters.plant = {find_row(gadgets(), "non-monotonic-read")};
  const History planted = made(parameters);
  EXPECT_EQ(planted.num_ops(), plain.num_ops() + 5);
  EXPECT_EQ(planted.num_txns(), plain.num_txns() + 3);
  // Operations on the old keys are the same, up to the numbers of writes.
  std::vector<std::string> before, after;
  const auto collect = [&](const History& history,
                           std::vector<std::string>& all) {
    for (std::uint32_t op = 0; op < history.num_ops(); ++op) {
      const Atom key = history.key_atom(history.key(OpId(op)));
      if (key.bits > parameters.keys) continue;
      all.push_back((history.is_write(OpId(op)) ? "W" : "R") +
                    history.to_string(key));
    }
  };
  collect(plain, before);
  collect(planted, after);
  EXPECT_EQ(before, after);
}

// -- levels that are not decided yet ------------------------------------------

// The axioms of the strong levels, tried on every commit order. For all x,
// t1 wr_x t3 and t2 != t1 that writes x: premise(t2, t3) implies t2 co t1.
class StrongLevels {
 public:
  explicit StrongLevels(const History& history)
      : facts_(oracle::resolve(history)) {}

  bool prefix() {
    return some_order([&] { return obeys(&StrongLevels::seen_prefix); });
  }
  bool snapshot_isolation() {
    return some_order([&] {
      return obeys(&StrongLevels::seen_prefix) &&
             obeys(&StrongLevels::before_a_conflict);
    });
  }
  bool serializable() {
    return some_order([&] { return obeys(&StrongLevels::before); });
  }

 private:
  template <typename Obeyed>
  bool some_order(Obeyed obeyed) {
    order_.assign(facts_.live.begin(), facts_.live.end());
    std::erase(order_, facts_.init);
    std::sort(order_.begin(), order_.end());
    order_.insert(order_.begin(), facts_.init);
    do {
      for (std::size_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
      if (has_so_wr() && obeyed()) return true;
    } while (std::next_permutation(order_.begin() + 1, order_.end()));
    return false;
  }
  bool before(std::uint32_t a, std::uint32_t b) { return rank_[a] < rank_[b]; }
  bool so_or_wr(std::uint32_t a, std::uint32_t b) {
    return b != facts_.init && facts_.directly_before[b].contains(a);
  }
  bool has_so_wr() {
    for (const std::uint32_t b : order_) {
      for (const std::uint32_t a : order_) {
        if (so_or_wr(a, b) && !before(a, b)) return false;
      }
    }
    return true;
  }
  bool seen_prefix(std::uint32_t t2, std::uint32_t t3) {
    return std::any_of(order_.begin(), order_.end(), [&](std::uint32_t t4) {
      return (t2 == t4 || before(t2, t4)) && so_or_wr(t4, t3);
    });
  }
  bool before_a_conflict(std::uint32_t t2, std::uint32_t t3) {
    return std::any_of(order_.begin(), order_.end(), [&](std::uint32_t t4) {
      if ((t2 != t4 && !before(t2, t4)) || !before(t4, t3)) return false;
      return std::any_of(
          facts_.writers.begin(), facts_.writers.end(), [&](const auto& entry) {
            return entry.second.contains(t4) && entry.second.contains(t3);
          });
    });
  }
  bool obeys(bool (StrongLevels::*premise)(std::uint32_t, std::uint32_t)) {
    for (const oracle::Read& read : facts_.reads) {
      for (const std::uint32_t t2 : facts_.writers[read.key]) {
        if (t2 == read.writer || t2 == read.reader) continue;
        if ((this->*premise)(t2, read.reader) && !before(t2, read.writer)) {
          return false;
        }
      }
    }
    return true;
  }

  oracle::Facts facts_;
  std::vector<std::uint32_t> order_;
  std::map<std::uint32_t, std::size_t> rank_;
};

TEST(Generate, GadgetsBreakTheStrongLevelsTheyAreKnownFor) {
  struct Row {
    std::string_view gadget;
    bool prefix, snapshot_isolation, serializable;
  };
  for (const Row& row : {Row{"long-fork", false, false, false},
                         Row{"lost-update", true, false, false},
                         Row{"write-skew", true, true, false}}) {
    SCOPED_TRACE(row.gadget);
    const Result<History> script =
        parse_text(find_row(gadgets(), row.gadget)->script);
    ASSERT_TRUE(script);
    StrongLevels levels(*script);
    EXPECT_EQ(levels.prefix(), row.prefix);
    EXPECT_EQ(levels.snapshot_isolation(), row.snapshot_isolation);
    EXPECT_EQ(levels.serializable(), row.serializable);
  }
}

// -- the run ------------------------------------------------------------------

// Executes a history without unknown outcomes in the order of its input.
void expect_serial(const History& history) {
  std::map<std::uint32_t, std::vector<Atom>> store;  // versions, by key
  for (const std::uint32_t number : history.input_order()) {
    const TxnId txn(number);
    std::map<std::uint32_t, std::vector<Atom>> own = store;
    for (const OpId op : history.ops(txn)) {
      std::vector<Atom>& versions = own[history.key(op).v];
      if (history.is_write(op)) {
        versions.push_back(history.value(op));
        continue;
      }
      const Atom expected =
          versions.empty() ? *history.initial_value() : versions.back();
      ASSERT_EQ(history.to_string(history.value(op)),
                history.to_string(expected));
      if (!history.has_lists()) continue;
      ASSERT_EQ(history.list_size(op), versions.size());
      for (std::size_t i = 0; i < versions.size(); ++i) {
        ASSERT_EQ(history.element(op, i), versions[i]);
      }
    }
    if (history.status(txn) == Status::committed) store = std::move(own);
  }
}

TEST(Generate, ARunIsSerialInTheOrderOfTheInput) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Parameters parameters = mixed(seed);
    parameters.unknown = 0;
    parameters.by_session = false;
    for (const bool lists : {false, true}) {
      parameters.lists = lists;
      parameters.list_length = static_cast<std::uint32_t>(1 + seed % 5);
      expect_serial(made(parameters));
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST(Generate, ListsDoNotGrowBeyondTheLengthAskedFor) {
  Parameters parameters;
  parameters.lists = true;
  parameters.list_length = 3;
  parameters.keys = 2;
  parameters.aborted = 0.3;
  const History history = made(parameters);
  std::size_t longest = 0;
  for (std::uint32_t op = 0; op < history.num_ops(); ++op) {
    if (!history.is_write(OpId(op))) {
      longest = std::max(longest, history.list_size(OpId(op)));
    }
  }
  EXPECT_EQ(longest, 3u);
  EXPECT_GT(history.num_keys(), 100u);
}

TEST(Generate, EveryWriteHasANumberOfItsOwn) {
  Parameters parameters = mixed(5);
  parameters.reads = 0.2;
  for (const Gadget& gadget : gadgets()) {
    if (needs_lists(gadget)) continue;
    parameters.plant.push_back(&gadget);
    parameters.sessions = std::max(parameters.sessions, sessions_of(gadget));
  }
  const History history = made(parameters);
  std::set<std::uint64_t> numbers;
  for (std::uint32_t op = 0; op < history.num_ops(); ++op) {
    if (!history.is_write(OpId(op))) continue;
    EXPECT_TRUE(numbers.insert(history.value(OpId(op)).bits).second);
  }
  EXPECT_FALSE(numbers.contains(0));
}

TEST(Generate, NumbersAreAsAskedFor) {
  Parameters parameters;
  parameters.sessions = 7;
  parameters.transactions = 20'000;
  parameters.min_txn_ops = 2;
  parameters.max_txn_ops = 5;
  parameters.keys = 300;
  parameters.reads = 0.7;
  parameters.aborted = 0.1;
  parameters.unknown = 0.2;
  const History history = made(parameters);
  EXPECT_EQ(history.num_sessions(), 7u);
  EXPECT_EQ(history.num_txns(), 20'000u);
  EXPECT_EQ(history.num_keys(), 300u);
  std::map<std::uint32_t, int> sizes;
  std::map<Status, int> statuses;
  int reads = 0;
  for (const TxnId txn : history.txns()) {
    ++sizes[history.ops(txn).size()];
    ++statuses[history.status(txn)];
    for (const OpId op : history.ops(txn)) reads += !history.is_write(op);
  }
  ASSERT_EQ(sizes.size(), 4u);
  EXPECT_EQ(sizes.begin()->first, 2u);
  for (const auto& [size, count] : sizes) EXPECT_NEAR(count, 5000, 300) << size;
  EXPECT_NEAR(statuses[Status::aborted], 2000, 200);
  EXPECT_NEAR(statuses[Status::unknown], 4000, 250);
  EXPECT_NEAR(reads / double(history.num_ops()), 0.7, 0.01);
}

TEST(Generate, OperationsAreExact) {
  for (const std::uint64_t operations : {1, 2, 9, 1000, 1001}) {
    Parameters parameters;
    parameters.operations = operations;
    EXPECT_EQ(made(parameters).num_ops(), operations);
  }
}

TEST(Generate, EqualParametersGiveEqualHistories) {
  Parameters parameters = mixed(11);
  const std::string text = to_text(made(parameters, 1));
  EXPECT_EQ(text, to_text(made(parameters, 2)));
  EXPECT_EQ(text, to_text(made(parameters, 1)));
  ++parameters.seed;
  EXPECT_NE(text, to_text(made(parameters, 1)));
}

TEST(Generate, SessionAfterSessionIsTheSameHistory) {
  Parameters parameters;
  const History by_time = made(parameters);
  parameters.by_session = true;
  const History by_session = made(parameters);
  // The notation has session after session anyway, but sessions are numbered
  // by appearance.
  const auto lines = [](const History& history) {
    std::set<std::string> all;
    const std::string text = to_text(history);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      all.insert(text.substr(at, end - at));
      at = end + 1;
    }
    return all;
  };
  EXPECT_EQ(lines(by_time), lines(by_session));
  for (std::uint32_t rank = 0; rank < by_session.num_txns(); ++rank) {
    EXPECT_EQ(by_session.input_order()[rank], rank);
  }
}

TEST(Generate, SomeUnknownOnesTakeEffectAndSomeDoNot) {
  Parameters parameters;
  parameters.unknown = 0.3;
  parameters.keys = 20;
  const Report report = checked(made(parameters));
  EXPECT_GT(report.promoted.size(), 50u);
  EXPECT_GT(report.dropped, 50u);
}

// -- keys ---------------------------------------------------------------------

std::vector<double> shares(const Distribution& distribution, std::uint32_t keys,
                           int draws) {
  const KeyChooser choose(distribution, keys);
  Random random(42);
  std::vector<double> share(keys, 0);
  for (int i = 0; i < draws; ++i) share[choose(random)] += 1.0 / draws;
  return share;
}

TEST(Keys, ZipfWeightsFollowTheLaw) {
  for (const double theta : {0.0, 0.3, 0.99, 1.0, 1.0000001, 1.5, 3.0, 10.0}) {
    for (const std::uint32_t keys : {1u, 2u, 7u, 100u}) {
      SCOPED_TRACE(testing::Message() << theta << ", " << keys << " keys");
      Distribution distribution;
      distribution.kind = Distribution::Kind::zipf;
      distribution.theta = theta;
      const std::vector<double> found = shares(distribution, keys, 200'000);
      double total = 0;
      for (std::uint32_t k = 1; k <= keys; ++k) total += std::pow(k, -theta);
      for (std::uint32_t k = 1; k <= keys; ++k) {
        // Five standard deviations of 200,000 draws at most.
        EXPECT_NEAR(found[k - 1], std::pow(k, -theta) / total, 0.006) << k;
      }
    }
  }
}

TEST(Keys, ZipfOverABillionKeysStaysInRange) {
  Distribution distribution;
  distribution.kind = Distribution::Kind::zipf;
  distribution.theta = 0.5;
  const KeyChooser choose(distribution, 1'000'000'000);
  Random random(1);
  std::uint32_t highest = 0;
  for (int i = 0; i < 100'000; ++i) highest = std::max(highest, choose(random));
  EXPECT_LT(highest, 1'000'000'000u);
  EXPECT_GT(highest, 990'000'000u);
}

TEST(Keys, AHotspotGetsItsShare) {
  Distribution distribution;
  distribution.kind = Distribution::Kind::hotspot;
  const std::vector<double> found = shares(distribution, 50, 200'000);
  double hot = 0;
  for (int k = 0; k < 10; ++k) hot += found[static_cast<std::size_t>(k)];
  EXPECT_NEAR(hot, 0.8, 0.01);
  EXPECT_NEAR(found[0], 0.08, 0.006);
  EXPECT_NEAR(found[49], 0.005, 0.002);
}

// -- reductions ---------------------------------------------------------------

TEST(Reductions, HoldUnlessThereIsATriangle) {
  const std::map<std::string_view, std::vector<std::string_view>> proven = {
      {"range", {"read-committed", "read-atomic", "causal"}},
      {"ra", {"read-atomic"}},
      {"rc", {"read-committed"}}};
  ASSERT_EQ(reductions().size(), proven.size());
  for (const Reduction& reduction : reductions()) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      Parameters parameters;
      parameters.seed = seed;
      parameters.reduction = &reduction;
      parameters.graph.nodes = static_cast<std::uint32_t>(3 + seed % 30);
      if (seed % 3 != 0) parameters.graph.edges = seed % 7;
      if (parameters.graph.edges > most_edges(parameters.graph.nodes)) continue;
      for (const bool triangle : {false, true}) {
        SCOPED_TRACE(testing::Message() << reduction.name << ", seed " << seed);
        parameters.graph.triangle = triangle;
        const History history = made(parameters);
        const Report report = checked(history);
        for (const std::string_view name : proven.at(reduction.name)) {
          const Level* const level = find_row(levels(), name);
          EXPECT_EQ(
              report.levels[static_cast<std::size_t>(level - &levels()[0])]
                  .verdict,
              triangle ? Verdict::violated : Verdict::holds);
        }
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

TEST(Reductions, HaveAsManyOperationsAsTheGraphDemands) {
  for (const Reduction& reduction : reductions()) {
    for (const std::uint64_t edges : {0, 5, 700, 2400, 2500}) {
      Parameters parameters;
      parameters.reduction = &reduction;
      parameters.graph.edges = edges;
      EXPECT_EQ(made(parameters).num_ops(),
                100 + edges * (reduction.edge_keys ? 8 : 4));
    }
  }
}

}  // namespace
}  // namespace awdit
