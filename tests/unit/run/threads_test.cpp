// Sessions, faults and somebody who looks on, all at the same time: what a run
// shares between threads. Worth most under ThreadSanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "format/format.h"
#include "run/run.h"

namespace awdit {
namespace {

namespace fs = std::filesystem;

// One lock, held by a transaction from begin to end: serial. While a fault
// lasts nobody can connect, and commits are not answered.
class SerialStore final : public Database {
 public:
  std::string describe() const override { return "a store with one lock"; }
  std::string reported_level() const override { return "serial"; }
  Outcome reset(const Rows&) override { return std::nullopt; }
  Result<std::unique_ptr<Connection>> connect(unsigned, unsigned) override {
    if (down_) return Error{.message = "down"};
    return std::unique_ptr<Connection>(new Session(*this));
  }
  bool can(Fault fault) const override { return fault == Fault::kill; }
  Outcome begin_fault(Fault, Random&) override {
    down_ = true;
    return std::nullopt;
  }
  Outcome end_fault(Fault) override {
    down_ = false;
    return std::nullopt;
  }

 private:
  class Session final : public Connection {
   public:
    explicit Session(SerialStore& store) : store_(store) {}
    Answer begin(bool) override {
      lock_ = std::unique_lock(store_.mutex_);
      before_ = store_.contents_;
      return Answer::done;
    }
    Answer read(std::string_view key, Content& content) override {
      const auto found = store_.contents_.find(std::string(key));
      if (found == store_.contents_.end()) return Answer::absent;
      content = found->second;
      return Answer::done;
    }
    Answer write(std::string_view key, WriteId id,
                 std::string_view payload) override {
      store_.contents_[std::string(key)] = {id, std::string(payload)};
      return Answer::done;
    }
    Answer commit() override {
      lock_.unlock();
      return store_.down_ ? Answer::lost : Answer::done;
    }
    Answer rollback() override {
      if (lock_.owns_lock()) {
        store_.contents_ = before_;
        lock_.unlock();
      }
      return Answer::done;
    }
    const Trouble& trouble() const override { return trouble_; }

   private:
    SerialStore& store_;
    std::unique_lock<std::mutex> lock_;
    std::map<std::string, Content> before_;
    const Trouble trouble_{.code = "lost", .text = "no answer"};
  };

  std::mutex mutex_;
  std::map<std::string, Content> contents_;
  std::atomic<bool> down_{false};
};

class Counters final : public Workload {
 public:
  std::unique_ptr<Client> client(std::uint32_t) override {
    return std::make_unique<Tasks>();
  }
  std::optional<Task> finale() override { return look(); }

 private:
  class Tasks final : public Client {
   public:
    Task task(Random random) override { return run(random); }

   private:
    static Task run(Random random) {
      const std::string key = "x" + std::to_string(random.below(3));
      co_await step::begin("count");
      co_await step::read(key);
      co_await step::write(key);
      if (random.below(10) == 0) {
        co_await step::rollback();
      } else {
        co_await step::commit();
      }
    }
  };
  static Task look() {
    co_await step::begin("look", true);
    for (int i = 0; i < 3; ++i) {
      co_await step::read("x" + std::to_string(i));
    }
    co_await step::commit();
  }
};

TEST(Threads, ShareARun) {
  std::string folder =
      (fs::temp_directory_path() / "awdit-run-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  SerialStore store;
  Counters workload;
  const Driver driver{.name = "serial",
                      .aliases = {},
                      .summary = "",
                      .package = "",
                      .levels = {},
                      .knobs = {}};
  RunOptions options;
  options.sessions = 6;
  options.tasks = 0;
  options.duration = std::chrono::milliseconds(600);
  options.pause = 50;
  options.faults.kinds = {Fault::kill};
  options.faults.calm = std::chrono::milliseconds(60);
  options.faults.trouble = std::chrono::milliseconds(30);
  options.directory = folder;
  class Run run(store, workload, driver, options);
  std::atomic<bool> over{false};
  std::thread onlooker([&] {
    while (!over) {
      const RunView view = run.view();
      EXPECT_LE(view.active, options.sessions);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  const Outcome failed = run.execute();
  over = true;
  onlooker.join();
  EXPECT_FALSE(failed) << to_string(*failed);

  const RunView view = run.view();
  EXPECT_GT(view.committed, 0u);
  EXPECT_GT(view.faults, 0u);
  // Each unknown outcome took another session; and one read at the end.
  EXPECT_EQ(view.sessions, options.sessions + 1 + view.unknown);
  Result<Loaded> loaded = read_history(folder, nullptr, 1);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_EQ(loaded->history.num_txns(),
            view.committed + view.aborted + view.withdrawn + view.unknown);
  EXPECT_EQ(loaded->history.about().size(), 1 + view.faults);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace awdit
