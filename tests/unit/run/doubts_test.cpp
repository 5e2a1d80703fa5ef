// When a run is said to mean little.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "run/run.h"

namespace awdit {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

RunView good() {
  RunView view;
  view.sessions = 8;
  view.committed = 8000;
  view.aborted = 2000;
  view.met = 9000;
  view.elapsed = seconds(10);
  return view;
}

// The only doubt; "" if there is none.
std::string only(const RunView& view, const RunOptions& options = {}) {
  const std::vector<std::string> found = doubts(view, options);
  EXPECT_LE(found.size(), 1u);
  return found.empty() ? "" : found.front();
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Doubts, AGoodRunHasNone) { EXPECT_EQ(only(good()), ""); }

TEST(Doubts, MostWereRefused) {
  RunView view = good();
  view.aborted = 100000;
  view.reasons = {{"40001", "could not serialize", 99000}, {"busy", "", 1000}};
  EXPECT_TRUE(holds(only(view),
                    "only 8000 of 108,000 transactions committed, "
                    "most often because of 40001 serialization "
                    "failure; "));
}

TEST(Doubts, MostOfTheTimeNothingMoved) {
  RunView view = good();
  view.stalled = seconds(60);  // of 80
  EXPECT_TRUE(holds(only(view), "collapsed: sessions spent 75 %"))
      << only(view);
  // What faults are for.
  RunOptions options;
  options.faults.kinds = {Fault::pause};
  EXPECT_EQ(only(view, options), "");
  view.stalled = seconds(39);
  EXPECT_EQ(only(view), "");
}

TEST(Doubts, TooSmall) {
  RunView view = good();
  view.committed = 99;
  view.aborted = 0;
  EXPECT_TRUE(holds(only(view), "99 transactions committed: too few"));
  view.committed = 1000;
  view.met = 99;
  EXPECT_TRUE(holds(only(view), "only 99 reads returned what another"));
  RunOptions options;
  options.sessions = 1;
  EXPECT_TRUE(holds(only(view, options), "more --sessions"));
}

// A database that takes its time now and then.
class Slow final : public Database, public Connection {
 public:
  std::string describe() const override { return ""; }
  std::string reported_level() const override { return ""; }
  Outcome reset(const Rows&) override { return std::nullopt; }
  Result<std::unique_ptr<Connection>> connect(unsigned, unsigned) override {
    return std::unique_ptr<Connection>(std::make_unique<Slow>());
  }
  Answer begin(bool) override { return Answer::done; }
  Answer read(std::string_view, Content&) override { return Answer::absent; }
  Answer write(std::string_view, WriteId, std::string_view) override {
    if (++writes_ % 20 == 0) std::this_thread::sleep_for(milliseconds(300));
    return Answer::done;
  }
  Answer commit() override { return Answer::done; }
  Answer rollback() override { return Answer::done; }
  const Trouble& trouble() const override { return trouble_; }

 private:
  int writes_ = 0;
  Trouble trouble_;
};

class Writes final : public Workload, public Client {
 public:
  std::unique_ptr<Client> client(std::uint32_t) override {
    return std::make_unique<Writes>();
  }
  Task task(Random) override { return run(); }

 private:
  static Task run() {
    co_await step::begin("write");
    co_await step::write("x");
    co_await step::commit();
  }
};

TEST(Doubts, StallsAreMeasured) {
  std::string folder = testing::TempDir() + "awdit-doubts-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  Slow database;
  Writes workload;
  const Driver driver{.name = "slow",
                      .aliases = {},
                      .summary = "",
                      .package = "",
                      .levels = {},
                      .knobs = {}};
  RunOptions options;
  options.sessions = 1;
  options.tasks = 60;
  options.directory = folder;
  class Run run(database, workload, driver, options);
  const Outcome failed = run.execute();
  EXPECT_FALSE(failed);
  EXPECT_GE(run.view().stalled, milliseconds(900));
  EXPECT_LE(run.view().stalled, run.view().elapsed);
  EXPECT_EQ(run.view().met, 0u);
  const std::vector<std::string> found = doubts(run.view(), options);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(holds(found[0], "collapsed"));
  EXPECT_TRUE(holds(found[1], "too few"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace awdit
