// Small workloads make the accesses that they are there for: without them the
// anomalies that they should expose cannot happen.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plain_store.h"

namespace awdit {
namespace {

constexpr std::uint32_t kSessions = 4;

std::set<std::string> keys_of(const PlayedTransaction& transaction) {
  std::set<std::string> keys;
  for (const PlayedStep& step : transaction.steps) keys.insert(step.key);
  return keys;
}

// -- mixed --------------------------------------------------------------------

struct MixedCount {
  double operations = 0;
  double writing = 0;  // transactions
  double withdrawn = 0;
  double rewriting = 0;
  double reading_own = 0;
};

MixedCount count_mixed(Play& play) {
  MixedCount count;
  for (const PlayedTransaction& transaction : play.tasks(4000)) {
    std::set<std::string> written;
    bool rewrote = false;
    bool read_own = false;
    for (const PlayedStep& step : transaction.steps) {
      if (step.kind == Request::Kind::write) {
        rewrote |= !written.insert(step.key).second;
      } else {
        read_own |= written.contains(step.key);
      }
    }
    EXPECT_EQ(transaction.read_only, written.empty());
    EXPECT_TRUE(transaction.committed || !written.empty());
    count.operations += static_cast<double>(transaction.steps.size());
    count.writing += written.empty() ? 0 : 1;
    count.withdrawn += transaction.committed ? 0 : 1;
    count.rewriting += rewrote ? 1 : 0;
    count.reading_own += read_own ? 1 : 0;
  }
  return count;
}

TEST(Mixed, RewritesReadsItsOwnWritesAndRollsBack) {
  Play play("mixed", kSessions);
  play.load();
  const MixedCount count = count_mixed(play);
  EXPECT_NEAR(count.operations / 4000, 6.5, 0.3);
  EXPECT_NEAR(count.withdrawn / count.writing, 0.08, 0.015);
  EXPECT_GT(count.rewriting, 400);
  EXPECT_GT(count.reading_own, 400);
}

TEST(Mixed, DoesNoneOfThemIfToldSo) {
  // So many keys that none is drawn twice by chance.
  Play play("mixed", kSessions,
            {{"keys", 1000000},
             {"distribution", 0},
             {"rewrites", 0},
             {"own-reads", 0},
             {"aborts", 0}});
  const MixedCount count = count_mixed(play);
  EXPECT_GT(count.writing, 0);
  EXPECT_EQ(count.withdrawn, 0);
  EXPECT_EQ(count.rewriting, 0);
  EXPECT_EQ(count.reading_own, 0);
}

// -- fracture -----------------------------------------------------------------

TEST(Fracture, GroupsAreWrittenAndReadAsAWhole) {
  Play play("fracture", kSessions, {{"size", 3}});
  play.load();
  std::set<std::vector<std::string>> orders;
  std::size_t readers = 0;
  std::size_t twice = 0;
  for (const PlayedTransaction& transaction : play.tasks(2000)) {
    const std::set<std::string> keys = keys_of(transaction);
    ASSERT_EQ(keys.size(), 3u);
    const std::string group = keys.begin()->substr(0, 7);
    for (const std::string& key : keys) EXPECT_EQ(key.substr(0, 7), group);
    if (!transaction.read_only) {
      EXPECT_EQ(transaction.count(Request::Kind::write), 3u);
      continue;
    }
    EXPECT_EQ(transaction.count(Request::Kind::write), 0u);
    ++readers;
    twice += transaction.steps.size() == 4 ? 1 : 0;
    if (group != "group:0") continue;
    std::vector<std::string> order;
    for (std::size_t i = 0; i < 3; ++i) {
      order.push_back(transaction.steps[i].key);
    }
    orders.insert(order);
  }
  EXPECT_NEAR(static_cast<double>(readers), 1000, 100);
  EXPECT_NEAR(static_cast<double>(twice), 500, 80);
  EXPECT_EQ(orders.size(), 6u);
}

TEST(Fracture, SomeReadsLockIfToldSo) {
  Play play("fracture", kSessions, {{"locks", 30}});
  play.load();
  double reads = 0;
  double locks = 0;
  for (const PlayedTransaction& transaction : play.tasks(1000)) {
    EXPECT_FALSE(transaction.read_only);
    for (const PlayedStep& step : transaction.steps) {
      reads += step.kind == Request::Kind::read ? 1 : 0;
      locks += step.locks ? 1 : 0;
    }
  }
  EXPECT_NEAR(locks / reads, 0.3, 0.04);
}

// -- session ------------------------------------------------------------------

TEST(Session, ReadsWhatItJustWrote) {
  Play play("session", kSessions, {{"reads", 2}});
  play.load();
  std::size_t shared = 0;
  for (std::size_t i = 0; i < 400; ++i) {
    const std::string own = "own:" + std::to_string(i % kSessions) + ":";
    const std::vector<PlayedTransaction> task = play.next();
    ASSERT_EQ(task.size(), 3u);
    ASSERT_EQ(task[0].count(Request::Kind::write), 1u);
    const std::string key = task[0].steps.back().key;
    // One writer, or a reader first: the order of values is known.
    if (key.substr(0, own.size()) != own) {
      ++shared;
      EXPECT_EQ(key.substr(0, 7), "shared:");
      EXPECT_EQ(task[0].steps.front().kind, Request::Kind::read);
      EXPECT_EQ(task[0].steps.front().key, key);
    }
    for (const std::size_t reader : {1u, 2u}) {
      EXPECT_TRUE(task[reader].read_only);
      EXPECT_EQ(task[reader].steps.front().key, key);
      EXPECT_EQ(keys_of(task[reader]), keys_of(task[1]));
    }
  }
  EXPECT_NEAR(static_cast<double>(shared), 200, 40);
}

// -- chain --------------------------------------------------------------------

TEST(Chain, LinksLeadFromTheCauseToWhoLooks) {
  for (const std::uint32_t hops : {2u, 8u}) {
    Play play("chain", kSessions, {{"hops", hops}, {"chains", 1}});
    play.load();
    const auto key = [](std::uint32_t i) {
      return "chain:0:" + std::to_string(i);
    };
    std::map<std::string, std::size_t> links;  // by key written
    std::size_t cause_first = 0;
    std::size_t cause_last = 0;
    for (const PlayedTransaction& transaction : play.tasks(2000)) {
      ASSERT_EQ(transaction.steps.size(), 2u);
      const PlayedStep& first = transaction.steps[0];
      const PlayedStep& last = transaction.steps[1];
      EXPECT_EQ(first.kind, Request::Kind::read);
      if (transaction.label == "look") {
        EXPECT_TRUE(transaction.read_only);
        ++(first.key == key(0) ? cause_first : cause_last);
        EXPECT_EQ(keys_of(transaction),
                  (std::set<std::string>{key(0), key(hops - 1)}));
        continue;
      }
      EXPECT_EQ(last.kind, Request::Kind::write);
      ++links[last.key];
      for (std::uint32_t i = 0; i < hops; ++i) {
        if (last.key != key(i)) continue;
        EXPECT_EQ(first.key, key(i == 0 ? 0 : i - 1));
        EXPECT_EQ(transaction.label, i == 0 ? "cause" : "link");
      }
    }
    EXPECT_EQ(links.size(), hops);
    EXPECT_GT(cause_first, 20u);
    EXPECT_GT(cause_last, 20u);
  }
}

// -- bank ---------------------------------------------------------------------

TEST(Bank, AccountsAreWrittenInOneOrder) {
  for (const bool ordered : {true, false}) {
    Play play("bank", kSessions, {{"ordered", ordered ? 100 : 0}});
    play.load();
    std::size_t backwards = 0;
    for (const PlayedTransaction& transaction : play.tasks(500)) {
      std::vector<std::string> written;
      for (const PlayedStep& step : transaction.steps) {
        if (step.kind == Request::Kind::write) written.push_back(step.key);
      }
      if (written.empty()) continue;
      ASSERT_EQ(written.size(), 2u);
      backwards += written[0] < written[1] ? 0 : 1;
    }
    if (ordered) {
      EXPECT_EQ(backwards, 0u);
    } else {
      EXPECT_GT(backwards, 20u);
    }
  }
}

TEST(Bank, KeepsTheTotalIfNobodyInterferes) {
  Play play("bank", kSessions, {{"total", 103}});
  play.load();
  std::size_t looks = 0;
  std::size_t transfers = 0;
  for (const PlayedTransaction& transaction : play.tasks(3000)) {
    if (!transaction.read_only) {
      EXPECT_EQ(keys_of(transaction).size(), 2u);
      transfers += transaction.count(Request::Kind::write) == 2 ? 1 : 0;
      continue;
    }
    ++looks;
    EXPECT_EQ(transaction.steps.size(), 8u);
    int total = 0;
    for (const PlayedStep& step : transaction.steps) {
      const int balance = std::stoi(step.payload);
      EXPECT_GE(balance, 0);
      total += balance;
    }
    EXPECT_EQ(total, 103);
  }
  EXPECT_NEAR(static_cast<double>(looks), 1500, 120);
  EXPECT_GT(transfers, 1000u);
}

// -- long-fork ----------------------------------------------------------------

TEST(LongFork, FreshKeysAreWrittenOnceAndReadInGroups) {
  Play play("long-fork", kSessions, {{"group", 3}});
  std::set<std::string> written;
  std::size_t watches = 0;
  std::size_t partly = 0;  // groups of which some keys were there
  for (std::size_t i = 0; i < 1000; ++i) {
    const std::vector<PlayedTransaction> task = play.next();
    const PlayedTransaction& reader = task.back();
    if (task.size() == 1) {
      ++watches;
    } else {
      ASSERT_EQ(task.size(), 2u);
      ASSERT_EQ(task[0].steps.size(), 1u);
      const PlayedStep& write = task[0].steps[0];
      EXPECT_EQ(write.kind, Request::Kind::write);
      EXPECT_TRUE(written.insert(write.key).second);
      EXPECT_TRUE(keys_of(reader).contains(write.key));
    }
    EXPECT_TRUE(reader.read_only);
    ASSERT_EQ(keys_of(reader).size(), 3u);
    std::set<int> groups;
    std::size_t there = 0;
    for (const PlayedStep& step : reader.steps) {
      groups.insert(std::stoi(step.key.substr(5)) / 3);
      there += step.existed ? 1 : 0;
    }
    EXPECT_EQ(groups.size(), 1u);
    partly += there > 0 && there < 3 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(watches), 500, 80);
  EXPECT_GT(partly, 300u);
}

// -- write-skew ---------------------------------------------------------------

TEST(WriteSkew, WhoFindsBothAbsentWritesOneOfThem) {
  Play play("write-skew", kSessions);
  for (std::size_t i = 0; i < 100; ++i) {
    const std::string pair = "skew:" + std::to_string(i / 2);
    const std::vector<PlayedTransaction> task = play.next();
    ASSERT_EQ(task.size(), 1u);
    EXPECT_EQ(keys_of(task[0]),
              (std::set<std::string>{pair + ":a", pair + ":b"}));
    EXPECT_EQ(task[0].count(Request::Kind::read), 2u);
    // One after the other: only the first of two may.
    EXPECT_EQ(task[0].count(Request::Kind::write), i % 2 == 0 ? 1u : 0u);
  }
}

TEST(WriteSkew, WhoFindsEitherWritesNothing) {
  for (const char taken : {'a', 'b'}) {
    Play play("write-skew", kSessions);
    play.store.answer = [taken](std::string_view key) {
      return Row{.exists = key.back() == taken, .payload = {}};
    };
    for (const PlayedTransaction& transaction : play.tasks(4)) {
      EXPECT_EQ(transaction.count(Request::Kind::write), 0u) << taken;
    }
  }
}

// At the same time, both may: on different sides.
TEST(WriteSkew, TwoAtATimeWriteDifferentKeys) {
  Play play("write-skew", 2);
  std::set<std::string> written;
  for (const std::uint32_t session : {0u, 1u}) {
    const std::unique_ptr<Client> client = play.workload().client(session);
    Task task = client->task(Random(session));
    while (const Request* step = task.next()) {
      if (step->kind == Request::Kind::write) written.emplace(step->key);
    }
  }
  EXPECT_EQ(written, (std::set<std::string>{"skew:0:a", "skew:0:b"}));
}

// -- rw-register and list-append ----------------------------------------------

TEST(Registers, KeysRotateAndTheFirstIsTheMostPopular) {
  for (const std::string_view name : {"rw-register", "list-append"}) {
    Play play(name, kSessions, {{"keys", 5}, {"writes-per-key", 20}});
    std::map<std::string, std::size_t> writes;
    std::size_t by_place[5] = {};
    std::size_t all = 0;
    for (const PlayedTransaction& transaction : play.tasks(4000)) {
      EXPECT_LE(transaction.steps.size(), 4u);
      for (const PlayedStep& step : transaction.steps) {
        ++by_place[std::stoull(step.key.substr(1)) % 5];
        ++all;
        const bool writes_it = step.kind == Request::Kind::write ||
                               step.kind == Request::Kind::append;
        if (writes_it) ++writes[step.key];
      }
    }
    EXPECT_GT(writes.size(), 100u);
    std::size_t most = 0;
    for (const auto& [key, count] : writes) most = std::max(most, count);
    EXPECT_LE(most, 20u);
    EXPECT_GT(most, 10u);
    for (std::size_t i = 0; i < 5; ++i) {
      const double share =
          static_cast<double>(by_place[i]) / static_cast<double>(all);
      EXPECT_NEAR(share, static_cast<double>(16 >> i) / 31, 0.02) << i;
    }
  }
}

// In one order, so that no two wait for each other; the popular ones last.
TEST(Registers, AreWrittenInOneOrder) {
  for (const std::string_view name : {"mixed", "rw-register", "list-append"}) {
    for (const bool ordered : {true, false}) {
      Play play(name, kSessions,
                {{"keys", 7},
                 {"writes-per-key", 20},
                 {"ordered", ordered ? 100 : 0}});
      std::size_t out_of_order = 0;
      for (const PlayedTransaction& transaction : play.tasks(1000)) {
        std::vector<std::string> written;
        for (const PlayedStep& step : transaction.steps) {
          const bool writes = step.kind == Request::Kind::write ||
                              step.kind == Request::Kind::append;
          const auto known =
              std::find(written.begin(), written.end(), step.key);
          if (writes && known == written.end()) written.push_back(step.key);
        }
        for (std::size_t i = 1; i < written.size(); ++i) {
          const auto before = std::stoull(written[i - 1].substr(1));
          const auto after = std::stoull(written[i].substr(1));
          const auto rank = [](std::uint64_t key) {
            return std::pair(6 - key % 7, key);
          };
          out_of_order += rank(before) < rank(after) ? 0 : 1;
        }
      }
      if (ordered) {
        EXPECT_EQ(out_of_order, 0u) << name;
      } else {
        EXPECT_GT(out_of_order, 100u) << name;
      }
    }
  }
}

TEST(Registers, StayTheSameIfTheyAreNotReplaced) {
  Play play("rw-register", kSessions,
            {{"keys", 5}, {"writes-per-key", 0}, {"distribution", 0}});
  std::set<std::string> keys;
  for (const PlayedTransaction& transaction : play.tasks(500)) {
    keys.merge(keys_of(transaction));
  }
  EXPECT_EQ(keys, (std::set<std::string>{"x0", "x1", "x2", "x3", "x4"}));
}

TEST(Registers, DistributionsAreAsUnevenAsTheySay) {
  // The share of accesses that go to the first fifth of the keys.
  const std::pair<std::uint64_t, double> expected[] = {
      {0, 0.2}, {1, 0.69}, {2, 0.8}, {3, 1.0}};
  for (const auto& [distribution, share] : expected) {
    Play play(
        "rw-register", kSessions,
        {{"keys", 100}, {"writes-per-key", 0}, {"distribution", distribution}});
    double hot = 0;
    double all = 0;
    for (const PlayedTransaction& transaction : play.tasks(4000)) {
      for (const PlayedStep& step : transaction.steps) {
        hot += std::stoi(step.key.substr(1)) < 20 ? 1 : 0;
        all += 1;
      }
    }
    EXPECT_NEAR(hot / all, share, 0.02) << distribution;
  }
}

// -- blindw -------------------------------------------------------------------

TEST(Blindw, TransactionsAreOfOneKindAndOfDistinctKeys) {
  Play play("blindw", kSessions,
            {{"size", 6}, {"keys", 20}, {"rmw", 50}, {"insert", 50}});
  play.load();
  EXPECT_EQ(play.store.rows.size(), 24u);
  std::map<std::string, std::size_t> kinds;
  std::set<std::string> inserted;
  for (const PlayedTransaction& transaction : play.tasks(800)) {
    ++kinds[transaction.label];
    ASSERT_EQ(transaction.steps.size(), 6u);
    const std::size_t reads = transaction.count(Request::Kind::read);
    const std::set<std::string> keys = keys_of(transaction);
    if (transaction.label == "rmw") {
      EXPECT_EQ(keys.size(), 3u);
      EXPECT_EQ(reads, 3u);
    } else {
      EXPECT_EQ(keys.size(), 6u);
      EXPECT_EQ(reads, transaction.label == "read" ? 6u : 0u);
    }
    if (transaction.label != "insert") continue;
    for (const std::string& key : keys) {
      EXPECT_TRUE(inserted.insert(key).second) << key;
      EXPECT_GT(std::stoi(key.substr(3)), 24);
    }
  }
  EXPECT_EQ(kinds.size(), 4u);
  for (const auto& [kind, count] : kinds) {
    EXPECT_NEAR(static_cast<double>(count), 200, 60) << kind;
  }
}

}  // namespace
}  // namespace awdit
