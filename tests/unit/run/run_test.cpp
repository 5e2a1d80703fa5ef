// What a run records if the database answers this or that: the phase decides.
#include "run/run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "format/format.h"
#include "history/text.h"

namespace awdit {
namespace {

namespace fs = std::filesystem;

// Answers by the book: "commit 3" -> what the third commit of all is answered.
// Everything else is done; reads find what was written last.
struct Book {
  std::map<std::string, Answer> answers;
  std::map<std::string, int> asked;
  std::map<std::string, Content> store;
  std::vector<unsigned> connected;  // sessions, in their order
  std::vector<std::string> nodes = {"primary"};
  std::mutex mutex;

  Answer answer(const std::string& request) {
    const std::string name = request + " " + std::to_string(++asked[request]);
    const auto found = answers.find(name);
    return found == answers.end() ? Answer::done : found->second;
  }
};

class BookConnection final : public Connection {
 public:
  explicit BookConnection(Book& book) : book_(book) {}
  Answer begin(bool) override { return ask("begin"); }
  Answer read(std::string_view key, Content& content) override {
    const Answer answer = ask("read");
    if (answer != Answer::done) return answer;
    const auto found = book_.store.find(std::string(key));
    if (found == book_.store.end()) return Answer::absent;
    content = found->second;
    return Answer::done;
  }
  Answer write(std::string_view key, WriteId id,
               std::string_view payload) override {
    const Answer answer = ask("write");
    // What is not answered may have happened all the same.
    if (answer == Answer::done || answer == Answer::lost) {
      book_.store[std::string(key)] = {id, std::string(payload)};
    }
    return answer;
  }
  Answer commit() override { return ask("commit"); }
  Answer rollback() override { return ask("rollback"); }
  const Trouble& trouble() const override { return trouble_; }

 private:
  Answer ask(const std::string& request) {
    const std::scoped_lock lock(book_.mutex);
    return book_.answer(request);
  }
  Book& book_;
  Trouble trouble_{.code = "40001", .text = "could not serialize"};
};

class BookDatabase final : public Database {
 public:
  explicit BookDatabase(Book& book) : book_(book) {}
  std::string describe() const override { return "a book"; }
  std::string reported_level() const override { return "none"; }
  std::vector<std::string> nodes() const override { return book_.nodes; }
  std::size_t place(unsigned session, unsigned node) const override {
    return (session + node) % book_.nodes.size();
  }
  Outcome reset(const Rows&) override { return std::nullopt; }
  Result<std::unique_ptr<Connection>> connect(unsigned session,
                                              unsigned) override {
    const std::scoped_lock lock(book_.mutex);
    if (book_.answer("connect") != Answer::done) {
      return Error{.message = "connection refused"};
    }
    book_.connected.push_back(session);
    return std::unique_ptr<Connection>(new BookConnection(book_));
  }

 private:
  Book& book_;
};

// Each task writes x and reads it; every third one thinks better of it.
class Writes final : public Workload {
 public:
  std::unique_ptr<Client> client(std::uint32_t) override {
    return std::make_unique<Tasks>();
  }

 private:
  class Tasks final : public Client {
   public:
    Task task(Random) override { return run(++number_ % 3 == 0); }

   private:
    static Task run(bool withdraw) {
      co_await step::begin("write");
      co_await step::write("x");
      co_await step::read("x");
      if (withdraw) {
        co_await step::rollback();
      } else {
        co_await step::commit();
      }
    }
    int number_ = 0;
  };
};

class Reads final : public Workload {
 public:
  std::unique_ptr<Client> client(std::uint32_t) override {
    return std::make_unique<Tasks>();
  }

 private:
  class Tasks final : public Client {
   public:
    Task task(Random) override { return run(); }

   private:
    static Task run() {
      co_await step::begin("read", true);
      co_await step::read("x");
      co_await step::commit();
    }
  };
};

class Recorded : public testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (fs::temp_directory_path() / "awdit-run-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  // One session does so many tasks, in one thread.
  Outcome run(Workload& workload, std::uint64_t tasks,
              std::uint32_t retries = 0) {
    BookDatabase database(book_);
    const Driver driver{.name = "book",
                        .aliases = {},
                        .summary = "",
                        .package = "",
                        .levels = {},
                        .knobs = {},
                        .simulated = true};
    RunOptions options;
    options.sessions = 1;
    options.tasks = tasks;
    options.retries = retries;
    options.directory = folder_.string();
    options.about = "\"database\":\"a book\"";
    class Run one(database, workload, driver, options);
    const Outcome outcome = one.execute();
    view_ = one.view();
    return outcome;
  }

  // What is on disk, in the notation of tests.
  std::string recorded() {
    Result<Loaded> loaded = read_history(folder_.string(), nullptr, 1);
    if (!loaded) return to_string(loaded.error());
    return to_text(loaded->history);
  }

  Book book_;
  fs::path folder_;
  RunView view_;
};

TEST_F(Recorded, RecordsWhatHappened) {
  Writes workload;
  EXPECT_FALSE(run(workload, 3));
  EXPECT_EQ(recorded(),
            "1: W(x,100001) R(x,100001) @0-1 | W(x,200001) R(x,200001) @2-3 | "
            "W(x,300001) R(x,300001) @4-5 !\n");
  EXPECT_EQ(view_.committed, 2u);
  EXPECT_EQ(view_.withdrawn, 1u);
  EXPECT_EQ(view_.operations, 6u);
}

TEST_F(Recorded, ARefusedCommitIsAborted) {
  book_.answers = {{"commit 1", Answer::refused}};
  Writes workload;
  EXPECT_FALSE(run(workload, 2));
  EXPECT_EQ(
      recorded(),
      "1: W(x,100001) R(x,100001) @0-1 ! | W(x,200001) R(x,200001) @2-3\n");
  ASSERT_EQ(view_.reasons.size(), 1u);
  EXPECT_EQ(view_.reasons[0].code, "40001");
}

TEST_F(Recorded, ACommitWithoutAnswerIsUnknownAndEndsTheSession) {
  for (const Answer answer : {Answer::lost, Answer::ambiguous}) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    book_.asked.clear();
    book_.connected.clear();
    book_.answers = {{"commit 1", answer}};
    Writes workload;
    EXPECT_FALSE(run(workload, 2));
    EXPECT_EQ(recorded(),
              "1: W(x,100001) R(x,100001) @0-1 ?\n"
              "2: W(x,100002) R(x,100002) @2-3\n");
    EXPECT_EQ(book_.connected, (std::vector<unsigned>{1, 2}));
    EXPECT_EQ(view_.unknown, 1u);
  }
}

TEST_F(Recorded, AReaderWithoutAnswerIsAbortedAndTheSessionGoesOn) {
  book_.answers = {{"commit 1", Answer::lost}};
  Reads workload;
  EXPECT_FALSE(run(workload, 2));
  EXPECT_EQ(recorded(), "1: R(x,absent) @0-1 ! | R(x,absent) @2-3\n");
  EXPECT_EQ(book_.connected, (std::vector<unsigned>{1, 1}));
  EXPECT_EQ(view_.unknown, 0u);
}

TEST_F(Recorded, ALostConnectionBeforeCommitIsAborted) {
  book_.answers = {{"read 1", Answer::lost}};
  Writes workload;
  EXPECT_FALSE(run(workload, 2));
  EXPECT_EQ(recorded(),
            "1: W(x,100001) @0-1 ! | W(x,200001) R(x,200001) @2-3\n");
  EXPECT_EQ(book_.connected, (std::vector<unsigned>{1, 1}));
}

TEST_F(Recorded, AWriteWithoutAnswerIsKept) {
  book_.answers = {{"write 1", Answer::lost}};
  Writes workload;
  EXPECT_FALSE(run(workload, 2));
  EXPECT_EQ(recorded(),
            "1: W(x,100001) @0-1 ! | W(x,200001) R(x,200001) @2-3\n");
}

TEST_F(Recorded, NothingIsRecordedOfATransactionThatDidNotBegin) {
  book_.answers = {{"begin 1", Answer::refused}, {"begin 2", Answer::lost}};
  Writes workload;
  EXPECT_FALSE(run(workload, 4));
  EXPECT_EQ(
      recorded(),
      "1: W(x,100001) R(x,100001) @2-3 ! | W(x,200001) R(x,200001) @4-5\n");
}

TEST_F(Recorded, WaitsForAServerThatIsDown) {
  book_.answers = {{"connect 1", Answer::lost}, {"connect 2", Answer::lost}};
  Reads workload;
  EXPECT_FALSE(run(workload, 1));
  EXPECT_EQ(recorded(), "1: R(x,absent) @0-1\n");
}

TEST_F(Recorded, ARetryIsANewTransactionWithNewValues) {
  book_.answers = {{"commit 1", Answer::refused}};
  Writes workload;
  EXPECT_FALSE(run(workload, 1, 5));
  EXPECT_EQ(
      recorded(),
      "1: W(x,100001) R(x,100001) @0-1 ! | W(x,200001) R(x,200001) @2-3\n");
}

TEST_F(Recorded, AForeignValueEndsTheRun) {
  book_.store["x"] = {WriteId{1} << 47 | 5, ""};
  Reads workload;
  const Outcome failed = run(workload, 1);
  ASSERT_TRUE(failed);
  EXPECT_NE(failed->message.find("the key x holds a value"), std::string::npos);
}

TEST_F(Recorded, AFatalAnswerEndsTheRun) {
  book_.answers = {{"read 1", Answer::fatal}};
  Reads workload;
  const Outcome failed = run(workload, 100);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->message, "could not serialize");
  EXPECT_EQ(view_.tasks, 1u);
}

TEST_F(Recorded, SaysHowItWasRecorded) {
  Reads workload;
  EXPECT_FALSE(run(workload, 1));
  Result<Loaded> loaded = read_history(folder_.string(), nullptr, 1);
  ASSERT_TRUE(loaded);
  ASSERT_EQ(loaded->history.about().size(), 1u);
  EXPECT_EQ(loaded->history.about()[0].substr(0, 21),
            "{\"database\":\"a book\",");
}

// At every byte at which a recorder may have died: the file loads, and whoever
// committed is not aborted.
// In a cluster each session is at home elsewhere; the history names the place.
TEST_F(Recorded, NodesAreNamedByWhereTheyAre) {
  book_.nodes = {"node1", "node2", "node3"};
  Reads reads;
  ASSERT_FALSE(run(reads, 2));
  std::ifstream file(folder_ / "session-0001.jsonl");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_NE(text.find("\"node\":\"node2\""), std::string::npos) << text;
  EXPECT_EQ(text.find("node1"), std::string::npos) << text;
}

TEST_F(Recorded, EveryPrefixOfAFileLoads) {
  Writes workload;
  EXPECT_FALSE(run(workload, 2));
  const fs::path file = folder_ / "session-0001.jsonl";
  std::ifstream stream(file, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(stream)), {});
  const std::size_t head = whole.find('\n') + 1;
  bool pending = false;
  for (std::size_t size = head; size <= whole.size(); ++size) {
    std::ofstream(file, std::ios::binary)
        << whole.substr(0, size) << std::string(64, '\0');
    Result<Loaded> loaded = read_history(folder_.string(), nullptr, 1);
    ASSERT_TRUE(loaded) << size << ": " << to_string(loaded.error());
    for (const TxnId txn : loaded->history.txns()) {
      EXPECT_NE(loaded->history.status(txn), Status::aborted) << size;
      pending |= loaded->history.status(txn) == Status::unknown;
    }
  }
  EXPECT_TRUE(pending);
}

TEST(WriteIds, AreReadable) {
  EXPECT_EQ(value_of(std::uint64_t{77} << 47 | std::uint64_t{3} << 31 | 834),
            83400003);
}

}  // namespace
}  // namespace awdit
