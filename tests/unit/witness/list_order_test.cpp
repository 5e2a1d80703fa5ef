// Commit orders of lists: what each level accepts, and agreement with the
// definition taken literally, for every order of many small histories: the
// versions are made one after another, and every read must return one of them.
// What a list is said to show must be so in every order that makes it.
#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include "unit/witness/case.h"
#include "witness/attribution.h"
#include "witness/judge_edge.h"
#include "witness/judge_versions.h"

namespace awdit {
namespace {

using List = std::vector<Atom>;

// -- the definition -----------------------------------------------------------

// States along an order of the committed transactions.
class States {
 public:
  States(const History& history, const std::vector<TxnId>& order)
      : history_(history), order_(order) {
    for (std::size_t i = 0; i < order.size(); ++i) place_[order[i]] = i + 1;
    place_[history.init_txn()] = 0;
  }

  // Whether it contains session order, and every read returns the version it
  // may return.
  bool run() {
    for (const SessionId session : history_.sessions()) {
      std::size_t last = 0;
      for (const TxnId txn : history_.txns(session)) {
        if (!place_.contains(txn)) continue;
        if (place_[txn] < last) return false;
        last = place_[txn];
      }
    }
    for (const TxnId txn : order_) {
      if (!run(txn)) return false;
    }
    return true;
  }

  bool satisfies(std::string_view level) {
    if (level == "adya-read-committed") return true;
    if (level != "read-committed" && !repeatable()) return false;
    close(level == "parallel-snapshot-isolation");
    for (const Read& read : reads_) {
      for (const auto& [maker, list] : versions_[history_.key(read.op)]) {
        if (maker == read.source || maker == read.reader ||
            place_[maker] < place_[read.source]) {
          continue;
        }
        if (level == "serializable" ? place_[maker] < place_[read.reader]
                                    : saw(level, read, maker)) {
          return false;
        }
      }
    }
    return true;
  }

  std::size_t place(TxnId txn) { return place_[txn]; }
  TxnId source(OpId read) const {
    for (const Read& it : reads_) {
      if (it.op == read) return it.source;
    }
    return TxnId();
  }

 private:
  struct Read {
    OpId op;
    TxnId reader, source;
  };
  struct Version {
    TxnId maker;
    List list;
  };

  std::vector<Version>& versions(KeyId key) {
    std::vector<Version>& all = versions_[key];
    if (all.empty()) all.push_back({history_.init_txn(), {}});
    return all;
  }

  bool run(TxnId txn) {
    std::map<KeyId, List> own;
    for (const OpId op : history_.ops(txn)) {
      const KeyId key = history_.key(op);
      if (history_.is_write(op)) {
        own[key].push_back(history_.value(op));
        continue;
      }
      List list;
      for (std::size_t i = 0; i < history_.list_size(op); ++i) {
        list.push_back(history_.element(op, i));
      }
      std::optional<TxnId> source;
      if (own.contains(key)) {
        List mine = versions(key).back().list;
        mine.insert(mine.end(), own[key].begin(), own[key].end());
        if (list == mine) source = versions(key).back().maker;
      } else {
        for (const Version& version : versions(key)) {
          if (version.list == list) source = version.maker;
        }
      }
      if (!source) return false;
      reads_.push_back({op, txn, *source});
    }
    for (const auto& [key, mine] : own) {
      List list = versions(key).back().list;
      list.insert(list.end(), mine.begin(), mine.end());
      versions_[key].push_back({txn, list});
    }
    return true;
  }

  bool repeatable() const {
    for (const Read& a : reads_) {
      for (const Read& b : reads_) {
        if (a.reader == b.reader && history_.key(a.op) == history_.key(b.op) &&
            a.source != b.source) {
          return false;
        }
      }
    }
    return true;
  }

  bool in_session(TxnId a, TxnId b) const {
    return history_.session(a) == history_.session(b) && a < b;
  }

  void close(bool with_versions) {
    before_.clear();
    for (const TxnId a : order_) {
      for (const TxnId b : order_) {
        if (in_session(a, b)) before_[{a, b}] = true;
      }
    }
    for (const Read& read : reads_) before_[{read.source, read.reader}] = true;
    if (with_versions) {
      for (const auto& [key, all] : versions_) {
        for (std::size_t i = 1; i < all.size(); ++i) {
          before_[{all[i - 1].maker, all[i].maker}] = true;
        }
      }
    }
    for (const TxnId via : order_) {
      for (const TxnId a : order_) {
        for (const TxnId b : order_) {
          if (before_.contains({a, via}) && before_.contains({via, b})) {
            before_[{a, b}] = true;
          }
        }
      }
    }
  }

  bool saw(std::string_view level, const Read& read, TxnId maker) const {
    if (level == "causal" || level == "parallel-snapshot-isolation") {
      return before_.contains({maker, read.reader});
    }
    for (const Read& other : reads_) {
      if (other.reader == read.reader && other.source == maker &&
          (level == "read-atomic" || other.op < read.op)) {
        return true;
      }
    }
    return level == "read-atomic" && in_session(maker, read.reader);
  }

  const History& history_;
  const std::vector<TxnId>& order_;
  std::map<TxnId, std::size_t> place_;
  std::map<KeyId, std::vector<Version>> versions_;
  std::vector<Read> reads_;
  std::map<std::pair<TxnId, TxnId>, bool> before_;
};

// -- histories ----------------------------------------------------------------

std::string text_of(const std::vector<int>& list) {
  std::string text = "[";
  for (const int element : list) {
    if (text.size() > 1) text += ' ';
    text += std::to_string(element);
  }
  return text + "]";
}

// Transactions that ran one after another, but read what may be older, or have
// an element too few or at the wrong place.
std::string random_lists(std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % n; };
  const std::size_t sessions = 1 + below(4);
  const std::size_t keys = 1 + below(2);
  std::vector<std::string> lines(sessions);
  std::vector<std::vector<std::vector<int>>> versions(keys, {{}});
  int next = 0;
  for (std::size_t t = 0; t < 2 + below(3); ++t) {
    std::vector<std::vector<int>> own(keys);
    std::string ops;
    for (std::size_t i = 0; i < 1 + below(3); ++i) {
      const std::size_t key = below(keys);
      const std::string name(1, static_cast<char>('x' + key));
      if (below(2) == 0) {
        own[key].push_back(++next);
        ops += "A(" + name + "," + std::to_string(next) + ") ";
        continue;
      }
      const auto& all = versions[key];
      std::vector<int> list =
          below(4) == 0 ? all[below(all.size())] : all.back();
      list.insert(list.end(), own[key].begin(), own[key].end());
      if (!list.empty() && below(8) == 0) {
        list.erase(list.begin() + static_cast<long>(below(list.size())));
      }
      if (!list.empty() && below(8) == 0) {
        std::swap(list[below(list.size())], list.back());
      }
      ops += "R(" + name + "," + text_of(list) + ") ";
    }
    const bool aborted = below(12) == 0;
    for (std::size_t key = 0; key < keys && !aborted; ++key) {
      if (own[key].empty()) continue;
      std::vector<int> list = versions[key].back();
      list.insert(list.end(), own[key].begin(), own[key].end());
      versions[key].push_back(list);
    }
    std::string& line = lines[below(sessions)];
    line += (line.empty() ? "" : "| ") + ops;
    line.back() = aborted ? '!' : ' ';
    if (aborted) line += ' ';
  }
  std::string text;
  for (std::size_t s = 0; s < sessions; ++s) {
    if (lines[s].empty()) continue;
    text += "s" + std::to_string(s + 1) + ": " + lines[s] + "\n";
  }
  return text;
}

std::vector<TxnId> committed(const History& history) {
  std::vector<TxnId> order;
  for (const TxnId txn : history.txns()) {
    if (history.status(txn) == Status::committed) order.push_back(txn);
  }
  return order;
}

TEST(ListOrder, AgreesWithTheDefinition) {
  std::mt19937 random(15);
  int accepted = 0, refused = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::string text = random_lists(random);
    SCOPED_TRACE(text);
    const Case story(text);
    std::vector<TxnId> order = committed(story.history);
    const Attribution attribution = attribute_reads(story.history);
    do {
      States states(story.history, order);
      const bool possible = states.run();
      std::vector<std::uint32_t> numbers;
      for (const TxnId txn : order) numbers.push_back(txn.v + 1);
      for (const std::string_view level :
           {"adya-read-committed", "read-committed", "read-atomic", "causal",
            "parallel-snapshot-isolation", "serializable"}) {
        const bool expected = possible && states.satisfies(level);
        const LevelCheck check = story.judge_order(level, numbers);
        ASSERT_EQ(check.accepted, expected) << level << ": " << check.objection;
        ++(expected ? accepted : refused);
      }
      if (!possible) continue;
      ASSERT_TRUE(attribution.findings.empty());
      for (std::uint32_t op = 0; op < story.history.num_ops(); ++op) {
        const TxnId source = states.source(OpId(op));
        if (!source.valid()) continue;
        ASSERT_EQ(attribution.writer(story.history, op), source);
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
  EXPECT_GT(accepted, 20000);
  EXPECT_GT(refused, 20000);
}

// Whatever the verifier takes as shown by a list, or as a cycle that refutes
// the weakest level, is so in every order that makes the lists.
TEST(ListOrder, WhatIsShownIsSoInEveryOrder) {
  std::mt19937 random(51);
  int shown = 0, refuted = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::string text = random_lists(random);
    SCOPED_TRACE(text);
    const Case story(text);
    const History& history = story.history;
    const Attribution attribution = attribute_reads(history);
    const EdgeJudge edges(history, attribution, levels().front());
    VersionJudge versions(history, attribution, edges);
    std::vector<Lemma> lemmas;
    for (std::uint32_t read = 0; read < history.num_ops(); ++read) {
      const KeyId key = history.key(OpId(read));
      for (const TxnId older : history.txns()) {
        for (const TxnId newer : history.txns()) {
          const Lemma lemma{key, older, newer, OpId(read), {}, {}};
          if (versions.to_statement(lemma).empty() &&
              versions.to_shown(lemma).empty()) {
            lemmas.push_back(lemma);
          }
        }
      }
    }
    shown += static_cast<int>(lemmas.size());
    // Two versions of a key, or a version and a session, against each other.
    const auto last = [&](KeyId key, TxnId txn) {
      OpId result;
      for (const OpId op : history.ops(txn)) {
        if (history.is_write(op) && history.key(op) == key) result = op;
      }
      return result;
    };
    const auto edge = [&](const Lemma& lemma) {
      return story.ww(lemma.older.v + 1, lemma.newer.v + 1,
                      last(lemma.key, lemma.older),
                      last(lemma.key, lemma.newer));
    };
    bool contradiction = false;
    for (const Lemma& a : lemmas) {
      Violation v =
          cycle(Kind::dependency_cycle,
                {edge(a), story.so(a.newer.v + 1, a.older.v + 1)}, {a});
      contradiction |= story.judge("adya-read-committed", {v}).accepted;
      for (const Lemma& b : lemmas) {
        v = cycle(Kind::dependency_cycle, {edge(a), edge(b)}, {a, b});
        contradiction |= story.judge("adya-read-committed", {v}).accepted;
      }
    }
    refuted += contradiction ? 1 : 0;
    std::vector<TxnId> order = committed(history);
    do {
      States states(history, order);
      if (!states.run()) continue;
      ASSERT_FALSE(contradiction);
      for (const Lemma& lemma : lemmas) {
        ASSERT_LT(states.place(lemma.older), states.place(lemma.newer));
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
  EXPECT_GT(shown, 1000);
  EXPECT_GT(refuted, 20);
}

// -- the table of the specification -------------------------------------------

void expect_no_order(const Case& story, std::size_t txns) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t t = 1; t <= txns; ++t) order.push_back(t);
  do {
    EXPECT_FALSE(story.judge_order("adya-read-committed", order).accepted);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(ListOrder, AnOwnReadSeesTheVersionBeforeItsReader) {
  const Case story("s1: A(x,1) | A(x,2) | A(x,3) R(x,[1 3])");
  expect_rejected(story.judge_order("adya-read-committed", {1, 2, 3}),
                  "by the commit order t2 appends 2 to x where t3's read of "
                  "x=[1 3] has 3");
  expect_no_order(story, 3);
  const Case behind(
      "s1: A(x,1)\ns2: A(x,2)\ns3: A(x,3) R(x,[1 2 3])\n"
      "s4: A(x,4) R(x,[1 2 3 4])");
  for (const std::string_view level : kAllLevels) {
    expect_accepted(behind.judge_order(level, {1, 2, 3, 4}));
    expect_rejected(behind.judge_order(level, {1, 2, 4, 3}),
                    "by the commit order t4 appends 4 to x where t4's read of "
                    "x=[1 2 3 4] has 3");
  }
}

TEST(ListOrder, NoOrderAtAnyLevel) {
  expect_no_order(Case("s1: A(x,1) | A(x,2) | R(x,[2])"), 3);
  expect_no_order(Case("s1: A(x,1) A(x,2) R(x,[2])"), 1);
  expect_no_order(Case("s1: A(x,1) A(x,2)\ns2: R(x,[2])"), 2);
  expect_no_order(Case("s1: A(x,1) A(x,2)\ns2: A(x,3)\ns3: R(x,[1 3])"), 3);
  expect_no_order(Case("s1: A(x,1) A(x,2)\ns2: A(x,3)\ns3: R(x,[2 1 3])"), 3);
  expect_no_order(Case("s1: A(x,1) A(y,1)\ns2: A(x,2) A(y,2)\n"
                       "s3: R(x,[1 2]) R(y,[2 1])"),
                  3);
  expect_no_order(Case("s1: R(x,[]) A(x,1)\n"
                       "s2: R(x,[]) A(x,2) R(x,[2]) | A(x,3) R(x,[1 2 3])"),
                  3);
}

TEST(ListOrder, AnOwnReadIsAReadOfTheVersionBefore) {
  // t2's own read makes t1 a source: from read-atomic on its first read may not
  // have been another one.
  const Case story("s1: A(x,1)\ns2: R(x,[]) A(x,2) R(x,[1 2])");
  expect_accepted(story.judge_order("read-committed", {1, 2}));
  expect_rejected(story.judge_order("read-atomic", {1, 2}),
                  "t2's read of x=[1 2] is a violation (non-repeatable-read)");
  expect_accepted(story.judge(
      "read-atomic", {finding(Kind::non_repeatable_read, story.op(2, 2),
                              story.op(1, 0), story.op(2, 0))}));
  // ... and what that one wrote elsewhere must be seen.
  const Case fractured("s1: A(x,1) A(y,1)\ns2: A(x,2) R(x,[1 2]) R(y,[])");
  expect_accepted(fractured.judge_order("adya-read-committed", {1, 2}));
  expect_rejected(fractured.judge_order("read-committed", {1, 2}),
                  "t2 read the initial y=[] although it had seen t1, which "
                  "also wrote y and which the commit order puts after init");
  const Case serial("s1: A(x,1)\ns2: A(y,1)\ns3: A(x,2) R(x,[1 2]) R(y,[])");
  expect_accepted(serial.judge_snapshots("prefix", {1, 3, 2}, {0, 1, 2}));
  expect_rejected(serial.judge_snapshots("prefix", {1, 3, 2}, {0, 0, 2}),
                  "the snapshot of t3 does not contain t1, but t3 read x=[1 2] "
                  "from t1 and itself");
}

TEST(ListOrder, WrongVersions) {
  const Case story("s1: A(x,1)\ns2: A(x,2)\ns3: R(x,[1])\ns4: A(x,3) R(x,[3])");
  EXPECT_FALSE(story.judge_order("causal", {1, 2, 3, 4}).accepted);
  const Case early("s1: A(x,1)\ns2: R(x,[1])\ns3: A(x,3) R(x,[1 3])");
  expect_rejected(early.judge_order("causal", {2, 1, 3}),
                  "t2 read x=[1] from t1, but the commit order puts t2 first");
  const Case between("s1: A(x,1)\ns2: A(x,2) R(x,[1 2])\ns3: A(x,3)");
  expect_accepted(between.judge_order("causal", {1, 2, 3}));
  expect_rejected(between.judge_order("causal", {1, 3, 2}),
                  "by the commit order t3 appends 3 to x where t2's read of "
                  "x=[1 2] has 2");
}

}  // namespace
}  // namespace awdit
