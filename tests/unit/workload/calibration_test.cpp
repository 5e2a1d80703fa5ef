// Workloads of other tools do as much as those tools': operations per
// transaction, transactions per task and keys as published for AWDIT's own
// histories (262,144 tasks of 50 sessions).
#include <gtest/gtest.h>

#include <unordered_set>

#include "plain_store.h"

namespace awdit {
namespace {

constexpr std::uint32_t kSessions = 50;

struct Count {
  double tasks = 0;
  double transactions = 0;  // committed
  double operations = 0;    // of these
  std::unordered_set<std::string> keys;
};

Count count(Play& play, std::size_t tasks) {
  Count count;
  for (std::size_t i = 0; i < tasks; ++i) {
    count.tasks += 1;
    for (PlayedTransaction& transaction : play.next()) {
      if (!transaction.committed) continue;
      count.transactions += 1;
      count.operations += static_cast<double>(transaction.steps.size());
      for (PlayedStep& step : transaction.steps) {
        count.keys.insert(std::move(step.key));
      }
    }
  }
  ::testing::Test::RecordProperty(
      "operations_per_transaction",
      std::to_string(count.operations / count.transactions));
  ::testing::Test::RecordProperty(
      "transactions_per_task",
      std::to_string(count.transactions / count.tasks));
  ::testing::Test::RecordProperty("keys", std::to_string(count.keys.size()));
  return count;
}

TEST(Calibration, Twitter) {
  Play play("c-twitter", kSessions);
  play.load();
  const Count done = count(play, 262144);
  EXPECT_EQ(done.transactions, done.tasks);
  EXPECT_NEAR(done.operations / done.transactions, 7.66, 7.66 * 0.02);
  // Were users drawn by the exact law it would be 185,351, without Cobra's
  // approximation of it.
  EXPECT_NEAR(static_cast<double>(done.keys.size()), 181461, 181461 * 0.03);
}

TEST(Calibration, Rubis) {
  Play play("rubis", kSessions);
  play.load();
  const Count done = count(play, 65536);
  EXPECT_EQ(done.transactions, done.tasks);
  EXPECT_NEAR(done.operations / done.transactions, 5.15, 5.15 * 0.02);
}

// The number of items does not change how many operations there are.
TEST(Calibration, Tpcc) {
  Play play("tpcc", kSessions, {{"items", 1000}});
  play.load();
  const Count done = count(play, 20000);
  EXPECT_NEAR(done.transactions / done.tasks, 1.79, 1.79 * 0.02);
  EXPECT_NEAR(done.operations / done.transactions, 25.3, 25.3 * 0.02);
}

// The paper's count: events = (transactions - 1) * size + keys, where one
// transaction is the initial one, which writes each key.
TEST(Calibration, BlindwEvents) {
  for (const std::uint32_t size : {10u, 30u, 100u}) {
    Play play("blindw", kSessions, {{"size", size}, {"keys", 1000}});
    play.load();
    const std::size_t keys = play.store.rows.size();
    EXPECT_EQ(keys, (1000 + size - 1) / size * size);
    const Count done = count(play, 2000);
    EXPECT_EQ(static_cast<double>(keys) + done.operations,
              done.transactions * size + static_cast<double>(keys));
    EXPECT_EQ(done.transactions, 2000);
    EXPECT_EQ(play.store.rows.size(), keys);
  }
}

}  // namespace
}  // namespace awdit
