// TPC-C, C-Twitter and RUBiS truly compute with what they read: played one
// after the other, their tables stay consistent.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "plain_store.h"
#include "workload/bitmap.h"
#include "workload/fields.h"

namespace awdit {
namespace {

constexpr std::uint32_t kSessions = 5;
const SettingValues kSmallTpcc = {
    {"warehouses", 2}, {"items", 200}, {"customers", 60}, {"orders", 40}};

Fields row(const PlainStore& store, const std::string& key) {
  const auto found = store.rows.find(key);
  EXPECT_NE(found, store.rows.end()) << key;
  return Fields(found == store.rows.end() ? "" : found->second);
}

// -- TPC-C --------------------------------------------------------------------

TEST(Tpcc, LoadsTheTablesOfTheStandard) {
  Play play("tpcc", 1, {{"items", 100}, {"customers", 3000}, {"orders", 50}});
  play.load();
  std::map<std::string, std::size_t> tables;
  for (const auto& [key, payload] : play.store.rows) {
    ++tables[key.substr(0, key.find(':'))];
  }
  EXPECT_EQ(tables["WAREHOUSE"], 1u);
  EXPECT_EQ(tables["DISTRICT"], 10u);
  EXPECT_EQ(tables["CUSTOMER"], 30000u);
  EXPECT_EQ(tables["Lastname2Customer"], 10000u);
  EXPECT_EQ(tables["ORDER"], 500u);
  EXPECT_EQ(tables["NEWORDER"], 10u * 16);  // ids 35 ... 50
  EXPECT_EQ(tables["NewOrderList"], 10u);
  EXPECT_EQ(tables["ITEM"], 100u);
  EXPECT_EQ(tables["STOCK"], 100u);
  EXPECT_NEAR(static_cast<double>(tables["ORDERLINE"]), 5000, 300);
  EXPECT_EQ(tables.size(), 10u);
  EXPECT_TRUE(play.store.rows.contains("Lastname2Customer:BARBARBAR:1:1"));
  EXPECT_TRUE(play.store.rows.contains("Lastname2Customer:EINGEINGEING:1:10"));
}

// Clause 3.3.2 of the standard, as far as it applies: a district's next order
// follows its last one, and an order has the lines that it says.
TEST(Tpcc, OrdersAndLinesStayConsistent) {
  Play play("tpcc", kSessions, kSmallTpcc);
  play.load();
  std::size_t orders = 0;
  std::size_t withdrawn = 0;
  for (const PlayedTransaction& transaction : play.tasks(3000)) {
    if (transaction.label != "new-order") continue;
    ++orders;
    withdrawn += transaction.committed ? 0 : 1;
  }
  EXPECT_NEAR(static_cast<double>(orders), 1350, 120);
  EXPECT_NEAR(static_cast<double>(withdrawn), 13.5, 11);

  std::size_t added = 0;
  std::size_t delivered = 0;
  for (const std::string w : {"1", "2"}) {
    for (int d = 1; d <= 10; ++d) {
      const std::string at = w + ":" + std::to_string(d);
      const std::int64_t next = row(play.store, "DISTRICT:" + at).number(3, 0);
      const Fields list = row(play.store, "NewOrderList:" + at);
      EXPECT_EQ(list.number(1, 0), next - 1);
      added += static_cast<std::size_t>(next - 41);
      delivered += static_cast<std::size_t>(list.number(0, 0) - 28);
      EXPECT_FALSE(
          play.store.rows.contains("ORDER:" + at + ":" + std::to_string(next)));
      for (std::int64_t o = 1; o < next; ++o) {
        const std::string name = at + ":" + std::to_string(o);
        const Fields order = row(play.store, "ORDER:" + name);
        const std::int64_t lines = order.number(2, 0);
        EXPECT_GE(lines, 5);
        EXPECT_LE(lines, 15);
        for (std::int64_t i = 1; i <= lines + 1; ++i) {
          EXPECT_EQ(play.store.rows.contains("ORDERLINE:" + name + ":" +
                                             std::to_string(i)),
                    i <= lines);
        }
        // Delivered ones have a carrier, and no mark.
        const bool done = o < list.number(0, 0);
        EXPECT_EQ(order.number(1, 0) > 0, done);
        if (o >= 28) {
          EXPECT_EQ(play.store.rows["NEWORDER:" + name], done ? "" : "1");
        }
      }
    }
  }
  EXPECT_EQ(added, orders - withdrawn);
  EXPECT_NEAR(static_cast<double>(delivered), 120, 45);
}

TEST(Tpcc, TransactionsTakeTheStepsOfCobra) {
  Play play("tpcc", kSessions, kSmallTpcc);
  play.load();
  std::set<std::string> histories;
  std::size_t by_name = 0;
  std::size_t remote = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::vector<PlayedTransaction> task = play.next();
    const PlayedTransaction& first = task[0];
    const std::size_t reads = first.count(Request::Kind::read);
    const std::size_t writes = first.count(Request::Kind::write);
    EXPECT_EQ(task.size(), first.label == "stock-level" ? 21u : 1u);
    EXPECT_EQ(first.read_only,
              first.label == "stock-level" || first.label == "order-status");
    if (first.label == "new-order" && first.committed) {
      EXPECT_EQ(reads, writes);
      EXPECT_EQ((reads - 4) % 2, 0u);
      const std::string home = first.steps[0].key.substr(10);
      for (const PlayedStep& step : first.steps) {
        remote += step.key.substr(0, 6) == "STOCK:" &&
                          step.kind == Request::Kind::write &&
                          step.key.substr(6, 1) != home
                      ? 1
                      : 0;
      }
    } else if (first.label == "new-order") {
      EXPECT_EQ(first.steps.back().key, "ITEM:-1");
      EXPECT_FALSE(first.steps.back().existed);
    } else if (first.label == "payment") {
      EXPECT_EQ(writes, 2u);
      EXPECT_TRUE(histories.insert(first.steps.back().key).second);
      by_name += first.steps[2].key.substr(0, 8) == "Lastname" ? 1 : 0;
      EXPECT_EQ(first.steps.back().key.substr(0, 8), "HISTORY:");
    } else if (first.label == "delivery" && reads > 1) {
      EXPECT_EQ(reads, writes);
    } else if (first.label == "stock-level") {
      for (std::size_t t = 1; t < task.size(); ++t) {
        const std::size_t steps = task[t].steps.size();
        EXPECT_EQ(task[t].steps[0].key.substr(0, 6), "ORDER:");
        EXPECT_TRUE(steps >= 11 && steps <= 31 && steps % 2 == 1) << steps;
      }
    }
  }
  EXPECT_NEAR(static_cast<double>(histories.size()), 1290, 120);
  EXPECT_NEAR(static_cast<double>(by_name),
              0.6 * static_cast<double>(histories.size()), 80);
  EXPECT_NEAR(static_cast<double>(remote), 135, 50);  // 1 % of the lines
}

// -- C-Twitter ----------------------------------------------------------------

TEST(Twitter, FollowListsAgreeWithTheirMarks) {
  Play play("c-twitter", kSessions, {{"users", 20}});
  play.load();
  EXPECT_EQ(play.store.rows.size(), 20u * 15);
  play.tasks(3000);
  std::size_t follows = 0;
  for (std::uint32_t a = 0; a < 20; ++a) {
    const std::string user = std::to_string(a);
    const Bitmap list(20, play.store.rows["followlist:" + user]);
    std::set<std::uint32_t> in;
    for (const std::uint32_t b : list.first(20)) in.insert(b);
    for (std::uint32_t b = 0; b < 20; ++b) {
      const std::string other = std::to_string(b);
      const std::string one = "following:" + user + ":" + other;
      const std::string two = "followers:" + other + ":" + user;
      EXPECT_EQ(play.store.rows.contains(one), play.store.rows.contains(two));
      if (!play.store.rows.contains(one)) continue;
      EXPECT_EQ(play.store.rows[one], in.contains(b) ? "1" : "0");
      EXPECT_EQ(play.store.rows[one], play.store.rows[two]);
      follows += in.contains(b) ? 1 : 0;
    }
  }
  EXPECT_GT(follows, 100u);
}

TEST(Twitter, ReadersReadWhatTheRowsSay) {
  Play play("c-twitter", kSessions, {{"users", 100}});
  play.load();
  std::set<std::string> tweets;
  std::map<std::string, std::size_t> kinds;
  for (const PlayedTransaction& transaction : play.tasks(6000)) {
    ++kinds[transaction.label];
    const std::vector<PlayedStep>& steps = transaction.steps;
    if (transaction.label == "new-tweet") {
      EXPECT_TRUE(tweets.insert(steps[0].key).second);
      EXPECT_EQ(steps[0].key, "tweet:" + steps[1].payload);
    } else if (transaction.label == "timeline") {
      const Bitmap list(100, steps[0].payload);
      const std::vector<std::uint32_t> follows = list.first(20);
      ASSERT_EQ(steps.size(), 1 + 2 * follows.size());
      for (std::size_t i = 0; i < follows.size(); ++i) {
        EXPECT_EQ(steps[1 + 2 * i].key, "ltweet:" + std::to_string(follows[i]));
        EXPECT_EQ(steps[2 + 2 * i].key, "tweet:" + steps[1 + 2 * i].payload);
        EXPECT_TRUE(steps[2 + 2 * i].existed);
      }
    } else if (transaction.label == "show-tweets") {
      EXPECT_EQ(steps.back().key, "tweet:" + steps[0].payload);
      EXPECT_EQ(steps.size(), steps[0].payload == "9" ? 11u : 12u);
    }
  }
  EXPECT_NEAR(static_cast<double>(kinds["new-tweet"]), 1200, 120);
  EXPECT_NEAR(static_cast<double>(kinds["follow"]), 1200, 120);
  EXPECT_NEAR(static_cast<double>(kinds["unfollow"]), 1200, 120);
  EXPECT_NEAR(static_cast<double>(kinds["timeline"]), 600, 90);
  EXPECT_NEAR(static_cast<double>(kinds["show-follow"]), 600, 90);
  EXPECT_NEAR(static_cast<double>(kinds["show-tweets"]), 1200, 120);
}

// -- RUBiS --------------------------------------------------------------------

TEST(Rubis, PurchasesTakeFromQuantities) {
  Play play("rubis", kSessions, {{"users", 50}});
  play.load();
  EXPECT_EQ(play.store.rows.size(), 62u * 2 + 50 * 3 + 200 + 400);
  std::map<std::string, std::size_t> kinds;
  for (const PlayedTransaction& transaction : play.tasks(4000)) {
    ++kinds[transaction.label];
    const std::vector<PlayedStep>& steps = transaction.steps;
    if (transaction.label == "store-buy-now") {
      ASSERT_EQ(steps.size(), 3u);
      const std::int64_t before = Fields(steps[0].payload).number(2, -1);
      const std::int64_t after = Fields(steps[1].payload).number(2, -1);
      const std::int64_t bought = Fields(steps[2].payload).number(1, -1);
      EXPECT_EQ(steps[0].key, steps[1].key);
      EXPECT_GE(bought, 1);
      EXPECT_LE(bought, 4);
      EXPECT_EQ(after, std::max<std::int64_t>(before - bought, 0));
    } else if (transaction.label == "register-user") {
      ASSERT_EQ(steps.size(), 6u);
      EXPECT_TRUE(steps[0].existed);
      EXPECT_FALSE(steps[1].existed);
      EXPECT_FALSE(steps[2].existed);
    } else if (transaction.label == "browse") {
      ASSERT_EQ(steps.size(), 8u);
      const std::set<std::string> raters = {steps[5].key, steps[6].key,
                                            steps[7].key};
      EXPECT_EQ(raters.size(), 3u);
    }
  }
  EXPECT_NEAR(static_cast<double>(kinds["register-user"]), 400, 80);
  EXPECT_NEAR(static_cast<double>(kinds["register-item"]), 600, 90);
  EXPECT_NEAR(static_cast<double>(kinds["store-buy-now"]), 600, 90);
  EXPECT_NEAR(static_cast<double>(kinds["store-comment"]), 800, 100);
  EXPECT_NEAR(static_cast<double>(kinds["browse"]), 1600, 120);
}

}  // namespace
}  // namespace awdit
