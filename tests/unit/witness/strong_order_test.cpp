// Commit orders and snapshots of the levels above Causal: one rejection per way
// to be wrong, and agreement with the axioms read literally for every order and
// all snapshots of many small histories.
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "unit/witness/case.h"
#include "witness/attribution.h"
#include "witness/axioms.h"
#include "witness/replay.h"

namespace awdit {
namespace {

constexpr std::string_view kPsi = "parallel-snapshot-isolation";
constexpr std::string_view kSi = "snapshot-isolation";
constexpr std::string_view kStrongSi = "strong-snapshot-isolation";
constexpr std::string_view kStrict = "strict-serializable";

TEST(StrongOrder, SerialReadsReturnTheNewestVersion) {
  const Case story("s1: W(x,1)\ns2: W(x,2)\ns3: R(x,1)");
  expect_accepted(story.judge_order("serializable", {1, 3, 2}));
  expect_accepted(story.judge_order("serializable", {2, 1, 3}));
  expect_rejected(story.judge_order("serializable", {1, 2, 3}),
                  "t3 read x=1 from t1, but the commit order puts t2, which "
                  "also wrote x, between them");
  expect_rejected(story.judge_order("serializable", {3, 1, 2}),
                  "t3 read x=1 from t1, but the commit order puts t3 first");
  expect_rejected(story.judge_order("serializable", {1, 2}),
                  "the commit order leaves out t3");
  const Case initial("s1: W(x,1)\ns2: R(x,0)");
  expect_accepted(initial.judge_order("serializable", {2, 1}));
  expect_rejected(initial.judge_order("serializable", {1, 2}),
                  "t2 read the initial x=0, but the commit order puts t1, "
                  "which also wrote x, between them");
}

TEST(StrongOrder, WriteSkewHasSnapshotsButNoSerialOrder) {
  const Case story("s1: R(x,0) W(y,1)\ns2: R(y,0) W(x,1)");
  for (const std::string_view level : {std::string_view("prefix"), kSi}) {
    expect_accepted(story.judge_snapshots(level, {1, 2}, {0, 0}));
    expect_rejected(story.judge_snapshots(level, {1, 2}, {0, 1}),
                    "t2 read the initial y=0, but its snapshot contains t1, "
                    "which also wrote y and which the commit order puts after "
                    "init");
  }
  expect_accepted(story.judge_order(kPsi, {1, 2}));
  for (const auto& order : {std::vector{1u, 2u}, std::vector{2u, 1u}}) {
    EXPECT_FALSE(story.judge_order("serializable", order).accepted);
  }
}

TEST(StrongOrder, SnapshotsContainWhatTheirTransactionsDependOn) {
  const Case sessions("s1: W(x,1) | W(y,1)");
  const Case reads("s1: W(x,1)\ns2: R(x,1)");
  for (const std::string_view level : {std::string_view("prefix"), kSi}) {
    expect_accepted(sessions.judge_snapshots(level, {1, 2}, {0, 1}));
    expect_rejected(sessions.judge_snapshots(level, {1, 2}, {0, 0}),
                    "the snapshot of t2 does not contain t1, which precedes it "
                    "in session s1");
    expect_accepted(reads.judge_snapshots(level, {1, 2}, {0, 1}));
    expect_rejected(reads.judge_snapshots(level, {1, 2}, {0, 0}),
                    "the snapshot of t2 does not contain t1, but t2 read x=1 "
                    "from t1");
    expect_rejected(reads.judge_snapshots(level, {1, 2}, {0}),
                    "there are 1 snapshots of 2 transactions in the commit "
                    "order");
    expect_rejected(reads.judge_snapshots(level, {1, 2}, {}),
                    "there are 0 snapshots of 2 transactions in the commit "
                    "order");
    expect_rejected(reads.judge_snapshots(level, {1, 2}, {0, 1, 2}),
                    "there are 3 snapshots of 2 transactions in the commit "
                    "order");
    expect_rejected(reads.judge_snapshots(level, {1, 2}, {1, 1}),
                    "the snapshot of t1 contains 1 transactions, but only 0 "
                    "commit before it");
    expect_rejected(reads.judge_snapshots(level, {1, 2}, {0, kNoId - 1}),
                    "the snapshot of t2 contains 4294967294 transactions, but "
                    "only 1 commit before it");
    expect_rejected(reads.judge_snapshots(level, {2, 1}, {0, 1}),
                    "t2 read x=1 from t1, but the commit order puts t2 first");
  }
}

TEST(StrongOrder, OnlySnapshotIsolationForbidsOverlappingWriters) {
  const Case story("s1: R(x,0) W(x,1)\ns2: R(x,0) W(x,2)");
  expect_accepted(story.judge_snapshots("prefix", {1, 2}, {0, 0}));
  expect_rejected(story.judge_snapshots(kSi, {1, 2}, {0, 0}),
                  "the snapshot of t2 does not contain t1, which commits "
                  "before it and also wrote x");
  expect_rejected(story.judge_snapshots(kSi, {1, 2}, {0, 1}),
                  "t2 read the initial x=0, but its snapshot contains t1, "
                  "which also wrote x and which the commit order puts after "
                  "init");
  expect_rejected(story.judge_order(kPsi, {1, 2}),
                  "t2 read the initial x=0 although it had seen t1, which also "
                  "wrote x and which the commit order puts after init");
  // A transaction may write a key twice.
  const Case twice("s1: W(x,1) W(x,2)\ns2: R(x,2) W(x,3) W(x,4)");
  expect_accepted(twice.judge_snapshots(kSi, {1, 2}, {0, 1}));
}

TEST(StrongOrder, ParallelSnapshotsMayForkButNotForget) {
  const Case fork(
      "s1: W(x,1)\ns2: W(y,1)\ns3: R(x,1) R(y,0)\ns4: R(x,0) R(y,1)");
  expect_accepted(fork.judge_order(kPsi, {1, 2, 3, 4}));
  expect_rejected(fork.judge_snapshots("prefix", {1, 3, 2, 4}, {0, 1, 1, 3}),
                  "t4 read the initial x=0, but its snapshot contains t1, "
                  "which also wrote x and which the commit order puts after "
                  "init");
  // t3 overwrote t1's y, so that it depends on t1; t4 read from t3, but missed
  // what t1 had written to x. That is the only way from t1 to t4.
  const Case forgets(
      "s1: W(x,1) W(y,1)\ns2: W(z,1)\ns3: R(z,1) W(y,2) W(u,1)\n"
      "s4: R(u,1) R(x,0)");
  expect_accepted(forgets.judge_order("causal", {1, 2, 3, 4}));
  expect_rejected(forgets.judge_order(kPsi, {1, 2, 3, 4}),
                  "t4 read the initial x=0 although it had seen t1, which also "
                  "wrote x and which the commit order puts after init");
  expect_accepted(forgets.judge_order(kPsi, {2, 3, 4, 1}));
  // In this order t1's y is the newer one.
  expect_accepted(forgets.judge_order(kPsi, {2, 3, 1, 4}));
}

TEST(StrongOrder, RealTime) {
  const std::string_view text = "s1: W(x,1)\ns2: R(x,0)\ns3: W(y,1)";
  const Case apart(text, {{1, 2}, {3, 4}, {1, 9}});
  for (const std::string_view level : {kSi, kStrongSi}) {
    const LevelCheck check = apart.judge_snapshots(level, {1, 3, 2}, {0, 0, 0});
    if (level == kSi) {
      expect_accepted(check);
    } else {
      expect_rejected(check,
                      "the snapshot of t2 does not contain t1, which had ended "
                      "before it began");
    }
  }
  expect_rejected(apart.judge_snapshots(kStrongSi, {2, 1, 3}, {0, 0, 0}),
                  "the snapshot of t2 does not contain t1, which had ended "
                  "before it began");
  expect_accepted(apart.judge_order("serializable", {3, 2, 1}));
  expect_rejected(apart.judge_order(kStrict, {3, 2, 1}),
                  "the commit order puts t2 before t1, which had ended before "
                  "it began");
  // Whoever overlaps may come in any order; equal times show nothing.
  for (const std::int64_t begin : {1, 2}) {
    const Case overlap(text, {{1, 2}, {begin, 4}, {1, 9}});
    expect_accepted(overlap.judge_order(kStrict, {2, 1, 3}));
    expect_accepted(overlap.judge_snapshots(kStrongSi, {2, 1, 3}, {0, 0, 0}));
    expect_accepted(overlap.judge_snapshots(kStrongSi, {1, 2, 3}, {0, 0, 2}));
  }
  // Times that are not known show nothing either, nor does an odd clock show
  // anything about a transaction itself.
  for (const History::Times odd :
       {History::Times{kNoTime, 4}, History::Times{2, kNoTime},
        History::Times{2, 1}, History::Times{kNoTime, kNoTime}}) {
    const Case story(text, {{1, 2}, odd, {1, 9}});
    expect_accepted(story.judge_order(kStrict, {2, 1, 3}));
    expect_accepted(story.judge_snapshots(kStrongSi, {2, 1, 3}, {0, 0, 0}));
  }
  const Case timeless(text);
  for (const std::string_view level : {kStrongSi, kStrict}) {
    EXPECT_FALSE(timeless.judge_order(level, {2, 1, 3}).accepted);
  }
  expect_rejected(timeless.judge_order(kStrict, {2, 1, 3}),
                  "Strict Serializability looks at real time, but the history "
                  "has no times");
}

TEST(StrongOrder, WhoseOutcomeIsUnknownMayTakeEffectLater) {
  // t1 gave up at time 2; t3 saw its write, so that it took effect at last.
  const std::string_view text = "s1: W(x,1)?\ns2: R(x,0)\ns3: R(x,1)";
  const Case story(text, {{1, 2}, {3, 4}, {5, 6}});
  expect_accepted(story.judge_order(kStrict, {2, 1, 3}));
  expect_accepted(story.judge_snapshots(kStrongSi, {2, 1, 3}, {0, 1, 2}));
  // What began later cannot come before, whatever its outcome.
  const Case late(text, {{5, 6}, {1, 2}, {3, 4}});
  expect_rejected(late.judge_order(kStrict, {2, 1, 3}),
                  "the commit order puts t1 before t3, which had ended before "
                  "it began");
}

TEST(StrongOrder, WhatDoesNotBelongIsRejected) {
  const Case story("s1: W(x,1)\ns2: R(x,1)");
  for (const std::string_view level :
       {std::string_view("causal"), kPsi, std::string_view("serializable")}) {
    expect_rejected(story.judge_snapshots(level, {1, 2}, {0, 1}),
                    std::string(find_row(levels(), level)->title) +
                        " does not speak of snapshots, but some are given");
  }
  LevelReport claim;
  claim.level = find_row(levels(), "prefix");
  claim.verdict = Verdict::holds;
  claim.commit_order = {story.t(1), story.t(2)};
  claim.snapshots = {0, 1};
  claim.follows_from = find_row(levels(), kSi);
  expect_accepted(verify(story.history, claim));
  claim.follows_from = find_row(levels(), "causal");
  expect_rejected(verify(story.history, claim),
                  "it is said to follow from Causal Consistency, which does "
                  "not imply it");
  claim.verdict = Verdict::violated;
  claim.commit_order.clear();
  expect_rejected(verify(story.history, claim),
                  "a level that is violated has no snapshots, but some are "
                  "given");
  claim.snapshots.clear();
  claim.follows_from = find_row(levels(), kSi);
  expect_rejected(verify(story.history, claim),
                  "it is said to follow from Snapshot Isolation, which it does "
                  "not imply");
  claim.follows_from = find_row(levels(), "causal");
  expect_rejected(verify(story.history, claim), "no violation is given");
}

TEST(StrongOrder, ListsShowTheOrderOfVersions) {
  // Nobody read between the two appends, but t3's list has them in this order.
  const Case story("s1: A(x,1)\ns2: A(x,2)\ns3: R(x,[1 2])\ns4: A(x,3)");
  const std::vector<std::uint32_t> serial = {0, 1, 2, 3};
  expect_accepted(story.judge_order("serializable", {1, 2, 3, 4}));
  expect_accepted(story.judge_order(kPsi, {1, 2, 4, 3}));
  for (const std::string_view level : {std::string_view("prefix"), kSi}) {
    expect_accepted(story.judge_snapshots(level, {1, 2, 3, 4}, serial));
  }
  EXPECT_FALSE(story.judge_order("serializable", {2, 1, 3, 4}).accepted);
  EXPECT_FALSE(story.judge_order("serializable", {4, 1, 2, 3}).accepted);
  expect_rejected(
      story.judge_order(kPsi, {1, 4, 2, 3}),
      "by the commit order t4 appends 3 to x where t3's read of x=[1 2] has 2");
  // t2's list ends with its own element, so that t1's comes before.
  const Case own("s1: A(x,1)\ns2: A(x,2) R(x,[1 2])");
  expect_accepted(own.judge_order("serializable", {1, 2}));
  expect_rejected(
      own.judge_order("serializable", {2, 1}),
      "by the commit order t2 appends 2 to x where t2's read of x=[1 2] has 1");
}

TEST(StrongOrder, NonRepeatableReadsEndThemAll) {
  const Case story("s1: W(x,1)\ns2: W(x,2)\ns3: R(x,1) R(x,2)");
  for (const std::string_view level : kStrongLevels) {
    expect_rejected(story.judge_order(level, {1, 2, 3}),
                    "t3's read of x=2 is a violation (non-repeatable-read)");
  }
}

// -- against the definitions ----------------------------------------------

struct Made {
  std::string text;
  std::vector<std::uint32_t> serial;  // numbers, in the order of the run
};

// Committed transactions that ran one after another, but read versions that may
// be two writers old, so that some histories satisfy something.
Made random_history(std::mt19937& random, std::size_t txns) {
  const auto below = [&](std::size_t n) { return random() % n; };
  const std::size_t sessions = 1 + below(txns);
  const std::size_t keys = 1 + below(3);
  std::vector<std::string> lines(sessions);
  std::vector<std::vector<std::size_t>> versions(keys, {0});
  std::size_t next = 1;
  std::vector<std::size_t> session_of;
  for (std::size_t t = 0; t < txns; ++t) {
    session_of.push_back(below(sessions));
    std::string& line = lines[session_of.back()];
    if (!line.empty()) line += " |";
    std::vector<bool> written(keys, false);
    std::vector<bool> read(keys, false);
    for (std::size_t i = 1 + below(4); i > 0; --i) {
      const std::size_t key = below(keys);
      if (below(2) == 0) {
        if (!written[key]) versions[key].push_back(0);
        versions[key].back() = next;
        written[key] = true;
        line += fmt::format(" W({},{})", key, next++);
      } else if (!written[key] && !read[key]) {
        read[key] = true;
        const std::size_t age =
            below(std::min<std::size_t>(3, versions[key].size()));
        line += fmt::format(" R({},{})", key,
                            versions[key][versions[key].size() - 1 - age]);
      }
    }
    // It needs an operation to be there.
    if (line.empty() || line.back() == '|') line += fmt::format(" W(9,{})", t);
  }
  Made made;
  made.serial.resize(txns);
  std::uint32_t number = 0;
  for (std::size_t s = 0; s < sessions; ++s) {
    if (!lines[s].empty()) made.text += fmt::format("{}:{}\n", s, lines[s]);
    for (std::size_t t = 0; t < txns; ++t) {
      if (session_of[t] == s) made.serial[t] = ++number;
    }
  }
  return made;
}

// The axioms of Biswas and Enea, OOPSLA 2019, for one commit order; and the
// dependency graph of parallel snapshot isolation.
class Definition {
 public:
  Definition(const History& history, const Attribution& attribution,
             const std::vector<TxnId>& order)
      : n_(order.size() + 1) {
    // Number 0 is init, then the order.
    number_.assign(history.num_txns() + std::size_t{1}, 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      number_[order[i].v] = i + 1;
    }
    writes_.resize(n_);
    for (const TxnId txn : order) {
      for (const OpId op : history.ops(txn)) {
        const std::uint32_t key = history.key(op).v;
        if (history.is_write(op)) writes_[number_[txn.v]].insert(key);
        keys_.insert(key);
        if (attribution.source[op.v] == Attribution::kNone) continue;
        const TxnId writer = attribution.writer(history, op.v);
        reads_.push_back({number_[writer.v], number_[txn.v], key});
      }
    }
    writes_[0] = keys_;
    direct_.assign(n_, std::vector<bool>(n_, false));
    for (const auto& [from, to, key] : reads_) direct_[from][to] = true;
    for (std::size_t t = 1; t < n_; ++t) direct_[0][t] = true;
    for (const SessionId session : history.sessions()) {
      for (const TxnId a : history.txns(session)) {
        for (const TxnId b : history.txns(session)) {
          if (a < b) direct_[number_[a.v]][number_[b.v]] = true;
        }
      }
    }
  }

  bool contains_so_and_wr() const {
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        if (direct_[a][b]) return false;
      }
    }
    return true;
  }
  bool serializable() const {
    return axiom([](std::size_t t2, std::size_t t3) { return t2 < t3; });
  }
  bool prefix() const {
    return axiom([&](std::size_t t2, std::size_t t3) {
      for (std::size_t t4 = t2; t4 < n_; ++t4) {
        if (direct_[t4][t3]) return true;
      }
      return false;
    });
  }
  bool conflict() const {
    return axiom([&](std::size_t t2, std::size_t t3) {
      for (std::size_t t4 = t2; t4 < t3; ++t4) {
        for (const std::uint32_t key : writes_[t4]) {
          if (writes_[t3].contains(key)) return true;
        }
      }
      return false;
    });
  }
  bool parallel() const {
    std::vector<std::vector<bool>> reaches = direct_;
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t b = a + 1; b < n_; ++b) {
        for (const std::uint32_t key : writes_[a]) {
          if (writes_[b].contains(key)) reaches[a][b] = true;
        }
      }
    }
    for (std::size_t via = 0; via < n_; ++via) {
      for (std::size_t a = 0; a < n_; ++a) {
        for (std::size_t b = 0; b < n_; ++b) {
          if (reaches[a][via] && reaches[via][b]) reaches[a][b] = true;
        }
      }
    }
    return axiom(
        [&](std::size_t t2, std::size_t t3) { return reaches[t2][t3]; });
  }

 private:
  struct ReadFrom {
    std::size_t writer;
    std::size_t reader;
    std::uint32_t key;
  };
  template <typename Premise>
  bool axiom(Premise premise) const {
    for (const auto& [t1, t3, key] : reads_) {
      for (std::size_t t2 = 0; t2 < n_; ++t2) {
        if (t2 != t1 && t2 != t3 && writes_[t2].contains(key) &&
            premise(t2, t3) && t2 > t1) {
          return false;
        }
      }
    }
    return true;
  }

  std::size_t n_;
  std::vector<std::size_t> number_;  // [txn]
  std::vector<std::set<std::uint32_t>> writes_;
  std::set<std::uint32_t> keys_;
  std::vector<ReadFrom> reads_;
  std::vector<std::vector<bool>> direct_;  // so u wr
};

// Whether some snapshots are accepted with this order.
bool some_snapshots(const Case& story, std::string_view level,
                    const std::vector<std::uint32_t>& numbers) {
  std::vector<std::uint32_t> snapshots(numbers.size(), 0);
  while (true) {
    if (story.judge_snapshots(level, numbers, snapshots).accepted) return true;
    std::size_t i = 0;
    while (i < snapshots.size() && snapshots[i] == i) snapshots[i++] = 0;
    if (i == snapshots.size()) return false;
    ++snapshots[i];
  }
}

TEST(StrongOrder, EveryOrderOfSmallHistoriesIsJudgedAsDefined) {
  std::mt19937 random(19112026);
  std::size_t accepted[4] = {};
  std::size_t separated = 0;  // prefix and parallel, but not snapshot isolation
  for (int round = 0; round < 500; ++round) {
    const std::string text = random_history(random, 2 + random() % 3).text;
    SCOPED_TRACE(text);
    const Case story(text);
    const Attribution attribution = attribute_reads(story.history);
    if (!attribution.findings.empty()) continue;
    std::vector<std::uint32_t> numbers;
    for (const TxnId txn : story.history.txns()) numbers.push_back(txn.v + 1);
    do {
      std::vector<TxnId> order;
      for (const std::uint32_t number : numbers) {
        order.push_back(TxnId(number - 1));
      }
      const Definition is(story.history, attribution, order);
      const bool sound = is.contains_so_and_wr();
      const bool expected[] = {sound && is.prefix(), sound && is.parallel(),
                               sound && is.prefix() && is.conflict(),
                               sound && is.serializable()};
      const bool found[] = {
          some_snapshots(story, "prefix", numbers),
          story.judge_order(kPsi, numbers).accepted,
          some_snapshots(story, kSi, numbers),
          story.judge_order("serializable", numbers).accepted};
      for (std::size_t i = 0; i < 4; ++i) {
        ASSERT_EQ(found[i], expected[i])
            << kStrongLevels[i] << " "
            << fmt::format("{}", fmt::join(numbers, " "));
        accepted[i] += expected[i] ? 1 : 0;
      }
      separated += expected[0] && expected[1] && !expected[2] ? 1 : 0;
    } while (std::next_permutation(numbers.begin(), numbers.end()));
  }
  for (const std::size_t count : accepted) EXPECT_GT(count, 300u);
  EXPECT_GT(separated, 0u);
}

// Cutting the table of visibility.h into the smallest pieces changes nothing.
TEST(StrongOrder, ParallelAnswersDoNotDependOnTheSizeOfBlocks) {
  std::mt19937 random(11);
  int breaches = 0;
  int none = 0;
  for (int round = 0; round < 600; ++round) {
    const Made made = random_history(random, 9);
    const Case story(made.text);
    const Attribution attribution = attribute_reads(story.history);
    std::vector<TxnId> order;
    for (const std::uint32_t number : made.serial) {
      order.push_back(story.t(number));
    }
    const Replay played = replay(story.history, attribution, order);
    ASSERT_EQ(played.objection, "");
    const std::string breach =
        breach_of_parallel(story.history, attribution, played);
    const Definition is(story.history, attribution, order);
    EXPECT_EQ(breach.empty(), is.parallel());
    (breach.empty() ? none : breaches) += 1;
    for (const VisibilityLimits& limits :
         {VisibilityLimits{.column = 1}, VisibilityLimits{.width = 1},
          VisibilityLimits{.cells = 1},
          VisibilityLimits{.column = 2, .width = 2, .cells = 8}}) {
      EXPECT_EQ(breach_of_parallel(story.history, attribution, played, limits)
                    .empty(),
                breach.empty());
    }
  }
  EXPECT_GT(breaches, 50);
  EXPECT_GT(none, 50);
}

}  // namespace
}  // namespace awdit
