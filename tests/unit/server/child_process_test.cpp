// Children that we start: what they get, how they end, and that none stays.
#include "server/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "base/descendants.h"
#include "base/temporary_directory.h"
#include "server/client_environment.h"
#include "server/free_port.h"

namespace awdit {
namespace {

using namespace std::chrono_literals;

TemporaryDirectory directory() {
  auto made = TemporaryDirectory::make();
  EXPECT_TRUE(made) << to_string(made.error());
  return std::move(*made);
}

Launch shell(const TemporaryDirectory& place, const std::string& script) {
  return {.words = {"/bin/sh", "-c", script},
          .environment = {{"AWDIT_TEST_WORD", "from us"}},
          .directory = place.path(),
          .log = place.file("log"),
          .account = std::nullopt};
}

// Whether the process exists and is no zombie.
bool alive(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string stat;
  if (!std::getline(file, stat)) return false;
  return stat.substr(stat.rfind(')') + 2, 1) != "Z";
}

// Waits as long as it takes: ctest has the patience to end a test that hangs.
void wait_for(const std::function<bool()>& condition) {
  while (!condition()) std::this_thread::sleep_for(5ms);
}

TEST(ChildProcess, WritesToItsLogInItsDirectoryWithItsEnvironment) {
  const TemporaryDirectory place = directory();
  const auto trouble =
      run_program(shell(place, "echo $AWDIT_TEST_WORD; pwd >&2"), 60s);
  EXPECT_FALSE(trouble) << to_string(*trouble);
  EXPECT_EQ(last_lines(place.file("log")),
            "from us\n" + std::filesystem::canonical(place.path()).string());
}

TEST(ChildProcess, InheritsNoOpenFile) {
  const TemporaryDirectory place = directory();
  const int open_here = dup(0);
  ASSERT_GE(open_here, 3);
  const auto trouble = run_program(
      shell(place, "test ! -e /proc/$$/fd/" + std::to_string(open_here)), 60s);
  close(open_here);
  EXPECT_FALSE(trouble) << to_string(*trouble);
}

TEST(ChildProcess, FailureQuotesTheLog) {
  const TemporaryDirectory place = directory();
  const auto trouble =
      run_program(shell(place, "echo the disk is wet; exit 3"), 60s);
  ASSERT_TRUE(trouble);
  EXPECT_NE(trouble->message.find("exit code 3"), std::string::npos);
  EXPECT_EQ(trouble->excerpt, "the disk is wet");
}

TEST(ChildProcess, AProgramThatIsNotThereIsAnError) {
  const TemporaryDirectory place = directory();
  Launch launch = shell(place, "");
  launch.words = {"/no/such/program"};
  const auto child = ChildProcess::start(launch);
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().where, "/no/such/program");
}

TEST(ChildProcess, EndsWhileGettingReady) {
  const TemporaryDirectory place = directory();
  const auto child = ChildProcess::start(shell(place, "echo no port; exit 1"));
  ASSERT_TRUE(child);
  const auto trouble = wait_until_ready(
      *child, [] { return false; }, 60s);
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->excerpt, "no port");
  EXPECT_FALSE(child->running());
}

// Descendants with sessions of their own, as PostgreSQL's backends have them.
TEST(ChildProcess, TheOwnerTakesAllDescendantsAlong) {
  const TemporaryDirectory place = directory();
  std::vector<int> all;
  {
    const auto child = ChildProcess::start(
        shell(place, "setsid sh -c 'sleep 1000 & wait' & sleep 1000 & wait"));
    ASSERT_TRUE(child);
    wait_for([&] { return descendants(child->id()).size() == 3; });
    all = descendants(child->id());
    all.push_back(child->id());
    for (const int process : all) EXPECT_TRUE(alive(process));
  }
  for (const int process : all) {
    wait_for([&] { return !alive(process); });
  }
}

TEST(ChildProcess, PausesAndGoesOn) {
  const TemporaryDirectory place = directory();
  const auto child = ChildProcess::start(
      shell(place, "while :; do echo tick; sleep 0.01; done"));
  ASSERT_TRUE(child);
  const auto size = [&] {
    std::error_code ignored;
    return std::filesystem::file_size(place.file("log"), ignored);
  };
  wait_for([&] { return size() > 0; });
  child->signal_all(SIGSTOP);
  wait_for([&] {
    std::ifstream file("/proc/" + std::to_string(child->id()) + "/stat");
    std::string stat;
    std::getline(file, stat);
    // D: the shell was about to start a process, which is stopped by now, and
    // waits for it as vfork does.
    const std::string state = stat.substr(stat.rfind(')') + 2, 1);
    return state == "T" || state == "D";
  });
  std::this_thread::sleep_for(100ms);  // what was being written is
  const auto before = size();
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(size(), before);
  EXPECT_TRUE(child->running());
  child->signal_all(SIGCONT);
  wait_for([&] { return size() > before; });
  child->stop(SIGTERM, 60s);
  EXPECT_EQ(child->wait(0ms), "signal 15");
}

// The kernel ends a child with the thread that forked it: not with this one.
TEST(ChildProcess, OutlivesTheThreadThatAskedForIt) {
  const TemporaryDirectory place = directory();
  std::optional<ChildProcess> child;
  std::thread([&] {
    auto started = ChildProcess::start(shell(place, "sleep 1000"));
    ASSERT_TRUE(started);
    child.emplace(std::move(*started));
  }).join();
  ASSERT_TRUE(child);
  EXPECT_FALSE(child->wait(100ms));
}

TEST(ChildProcess, DiesWithUs) {
  const TemporaryDirectory place = directory();
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t victim = fork();
  if (victim == 0) {
    auto child = ChildProcess::start(shell(place, "exec sleep 1000"));
    const int process = child ? child->id() : 0;
    [[maybe_unused]] const auto told =
        write(pipe_ends[1], &process, sizeof(process));
    pause();
  }
  int process = 0;
  ASSERT_EQ(read(pipe_ends[0], &process, sizeof(process)),
            static_cast<ssize_t>(sizeof(process)));
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  ASSERT_GT(process, 0);
  EXPECT_TRUE(alive(process));
  kill(victim, SIGKILL);
  waitpid(victim, nullptr, 0);
  wait_for([&] { return !alive(process); });
}

TEST(ChildProcess, RootStartsItAsSomebodyElse) {
  const auto account = unprivileged_account({});
  if (!account) GTEST_SKIP() << "only root can be somebody else";
  auto place = TemporaryDirectory::make(account);
  ASSERT_TRUE(place);
  Launch launch = shell(*place, "id -u; touch mine; exec sleep 1000");
  launch.log = place->guarded("log");
  launch.account = account;
  int process = 0;
  {
    const auto child = ChildProcess::start(launch);
    ASSERT_TRUE(child) << to_string(child.error());
    process = child->id();
    wait_for([&] { return std::filesystem::exists(place->file("mine")); });
  }
  EXPECT_FALSE(alive(process));
  EXPECT_EQ(last_lines(place->guarded("log")), std::to_string(account->user));
}

// Nothing of ours: no password, no library to load first.
TEST(ChildProcess, GetsAnEnvironmentOfItsOwn) {
  const TemporaryDirectory place = directory();
  for (const char* name :
       {"PGPASSWORD", "MYSQL_PWD", "LD_LIBRARY_PATH", "AWDIT_TEST_SECRET"}) {
    setenv(name, "secret", 1);
  }
  const auto trouble = run_program(shell(place, "exec env"), 60s);
  for (const char* name :
       {"PGPASSWORD", "MYSQL_PWD", "LD_LIBRARY_PATH", "AWDIT_TEST_SECRET"}) {
    unsetenv(name);
  }
  EXPECT_FALSE(trouble) << to_string(*trouble);
  std::set<std::string> names;
  std::istringstream lines(last_lines(place.file("log")));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(line.find("secret"), std::string::npos) << line;
    names.insert(line.substr(0, line.find('=')));
  }
  // PWD and the like are the shell's.
  for (const char* own : {"PWD", "OLDPWD", "SHLVL", "_"}) names.erase(own);
  EXPECT_EQ(names, (std::set<std::string>{"AWDIT_TEST_WORD", "HOME", "LANG",
                                          "LC_ALL", "PATH", "TMPDIR", "TZ"}));
}

// What we ignore (a closed pipe), or whoever started us (nohup).
TEST(ChildProcess, TakesSignalsAsAnyProgram) {
  const TemporaryDirectory place = directory();
  const auto hangup = signal(SIGHUP, SIG_IGN);
  const auto large = signal(SIGXFSZ, SIG_IGN);
  const auto trouble =
      run_program(shell(place, "grep SigIgn /proc/$$/status"), 60s);
  signal(SIGHUP, hangup);
  signal(SIGXFSZ, large);
  EXPECT_FALSE(trouble) << to_string(*trouble);
  EXPECT_EQ(last_lines(place.file("log")), "SigIgn:\t0000000000000000");
}

TEST(ChildProcess, ItsLogIsNoLink) {
  const TemporaryDirectory place = directory();
  std::ofstream(place.file("precious")) << "precious";
  std::filesystem::create_symlink(place.file("precious"), place.file("log"));
  EXPECT_TRUE(run_program(shell(place, "echo overwritten"), 60s));
  EXPECT_EQ(last_lines(place.file("precious")), "precious");
}

TEST(ChildProcess, IsOnTheRoll) {
  const TemporaryDirectory place = directory();
  Launch launch = shell(place, "echo $$");
  launch.roll = place.guarded(kProcessRoll);
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(run_program(launch, 60s));
  const std::string roll = last_lines(launch.roll);
  EXPECT_EQ(std::count(roll.begin(), roll.end(), '\n'), 1);
  EXPECT_EQ(roll, last_lines(launch.log));
}

TEST(ClientEnvironment, IsForgotten) {
  setenv("PGPASSWORD", "x", 1);
  setenv("MYSQL_PWD", "x", 1);
  setenv("MARIADB_TLS_DISABLE_PEER_VERIFICATION", "1", 1);
  setenv("AWDIT_TEST_WORD", "x", 1);
  forget_client_environment();
  EXPECT_EQ(std::getenv("PGPASSWORD"), nullptr);
  EXPECT_EQ(std::getenv("MYSQL_PWD"), nullptr);
  EXPECT_EQ(std::getenv("MARIADB_TLS_DISABLE_PEER_VERIFICATION"), nullptr);
  EXPECT_STREQ(std::getenv("AWDIT_TEST_WORD"), "x");
  unsetenv("AWDIT_TEST_WORD");
}

TEST(TemporaryDirectory, IsPrivateAndVanishes) {
  std::string path;
  {
    const TemporaryDirectory place = directory();
    path = place.path();
    struct stat about {};
    ASSERT_EQ(stat(path.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0700U);
    std::filesystem::create_directories(place.file("a/b"));
    std::ofstream(place.file("a/b/c")) << "something";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(FreePort, IsOne) {
  const auto port = free_port();
  ASSERT_TRUE(port);
  EXPECT_GT(*port, 0U);
  EXPECT_LT(*port, 65536U);
}

TEST(FindProgram, LooksInPathAndElsewhere) {
  EXPECT_TRUE(find_program("sh", {}));
  EXPECT_FALSE(find_program("awdit-no-such-program", {"/bin"}));
}

}  // namespace
}  // namespace awdit
