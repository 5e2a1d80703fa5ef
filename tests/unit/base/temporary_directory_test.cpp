// Directories that vanish, or are swept; and that nothing else does.
#include "base/temporary_directory.h"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/process_facts.h"
#include "base/remove_tree.h"

namespace awdit {
namespace {

namespace fs = std::filesystem;

// A place of its own for temporary directories, so that tests do not meet.
class Temporary : public testing::Test {
 protected:
  Temporary() {
    const char* before = std::getenv("TMPDIR");
    old_ = before == nullptr ? "" : before;
    std::string name = (fs::temp_directory_path() / "awdit-t-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    home_ = name;
    fs::permissions(home_, fs::perms(0711));
    setenv("TMPDIR", home_.c_str(), 1);
  }
  ~Temporary() override {
    if (old_.empty()) {
      unsetenv("TMPDIR");
    } else {
      setenv("TMPDIR", old_.c_str(), 1);
    }
    fs::remove_all(home_);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(home_)) {
      found.push_back(entry.path().filename().string());
    }
    return found;
  }

  // Somebody who makes a directory, does something in it and is killed.
  // Returns the directory.
  std::string left_by_killed(
      const std::function<void(const TemporaryDirectory&)>& work) const {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      const auto made = TemporaryDirectory::make();
      if (!made) _exit(1);
      work(*made);
      const std::string& path = made->path();
      [[maybe_unused]] const auto told =
          write(ends[1], path.data(), path.size());
      close(ends[1]);
      pause();
    }
    close(ends[1]);
    std::string path(4096, '\0');
    const ssize_t got = read(ends[0], path.data(), path.size());
    path.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    close(ends[0]);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return path;
  }

  fs::path home_;

 private:
  std::string old_;
};

void put(const fs::path& path) { std::ofstream(path) << "precious"; }

// -- removing -----------------------------------------------------------------

TEST_F(Temporary, LinksAreRemovedNotFollowed) {
  fs::create_directories(home_ / "victim/inner");
  put(home_ / "victim/inner/file");
  fs::create_directories(home_ / "tree/a/b/c");
  put(home_ / "tree/a/b/file");
  fs::create_directory_symlink(home_ / "victim", home_ / "tree/link");
  fs::create_directory_symlink(home_ / "victim", home_ / "tree/a/b/c/link");
  fs::create_symlink(home_ / "victim/inner/file", home_ / "tree/a/file");
  EXPECT_TRUE(remove_tree(AT_FDCWD, home_ / "tree"));
  EXPECT_FALSE(fs::exists(home_ / "tree"));
  EXPECT_TRUE(fs::exists(home_ / "victim/inner/file"));
  // Nor is the tree itself.
  fs::create_directory_symlink(home_ / "victim", home_ / "link");
  EXPECT_FALSE(remove_tree(AT_FDCWD, home_ / "link"));
  EXPECT_TRUE(fs::exists(home_ / "victim/inner/file"));
}

TEST_F(Temporary, DepthDoesNotMatter) {
  constexpr int kDepth = 1100;  // more than paths or open files may be
  int at = open(home_.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(mkdirat(at, "tree", 0700), 0);
  std::string name = "tree";
  for (int i = 0; i < kDepth; ++i) {
    const int next = openat(at, name.c_str(), O_RDONLY | O_DIRECTORY);
    ASSERT_GE(next, 0);
    close(at);
    at = next;
    name = "directory";
    ASSERT_EQ(mkdirat(at, name.c_str(), 0700), 0);
  }
  close(at);
  EXPECT_TRUE(remove_tree(AT_FDCWD, home_ / "tree"));
  EXPECT_FALSE(fs::exists(home_ / "tree"));
}

TEST_F(Temporary, WhatIsNotThereIsGone) {
  EXPECT_TRUE(remove_tree(AT_FDCWD, home_ / "nothing"));
}

// -- sweeping -----------------------------------------------------------------

TEST_F(Temporary, WhatTheKilledLeftIsSwept) {
  const std::string path = left_by_killed([](const TemporaryDirectory& place) {
    fs::create_directories(place.file("a/b"));
    put(place.file("a/b/c"));
  });
  ASSERT_TRUE(fs::exists(path + "/a/b/c"));
  EXPECT_EQ(sweep_temporary_directories(), 1U);
  EXPECT_TRUE(names().empty());
}

TEST_F(Temporary, WhatLivesIsNotSwept) {
  const auto place = TemporaryDirectory::make();
  ASSERT_TRUE(place);
  EXPECT_EQ(sweep_temporary_directories(), 0U);
  EXPECT_TRUE(fs::exists(place->path()));
  // Of another process.
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto other = TemporaryDirectory::make();
    [[maybe_unused]] const auto told = write(ends[1], "x", 1);
    pause();
  }
  char byte = 0;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);
  EXPECT_EQ(sweep_temporary_directories(), 0U);
  EXPECT_EQ(names().size(), 2U);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(sweep_temporary_directories(), 1U);
  close(ends[0]);
  close(ends[1]);
}

// As in a container that shares the directory: the process cannot be seen.
TEST_F(Temporary, WhatIsLockedIsNotSwept) {
  const std::string path = left_by_killed([](const TemporaryDirectory&) {});
  const int lock = open(path.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(lock, LOCK_SH), 0);
  EXPECT_EQ(sweep_temporary_directories(), 0U);
  EXPECT_TRUE(fs::exists(path));
  close(lock);
  EXPECT_EQ(sweep_temporary_directories(), 1U);
}

TEST_F(Temporary, WhatIsNotOursIsNotSwept) {
  // A process number that is not in use: the kernel has at most 2^22.
  const char* kForeign[] = {"awdit-thesis",          "awdit-XXXXXX",
                            "awdit-4194305-7-",      "awdit-4194305-7-abc",
                            "awdit-4194305-abcdef",  "awdit-run-abcdef",
                            "awdit-x-7-abcdef",      "awdit-4194305-7-abcdefg",
                            "awdit--4194305-7-abcde"};
  for (const char* name : kForeign) {
    fs::create_directory(home_ / name);
    fs::permissions(home_ / name, fs::perms(0700));
  }
  // The right name, but open to others, a link, a file.
  fs::create_directory(home_ / "awdit-4194305-7-aaaaaa");
  fs::permissions(home_ / "awdit-4194305-7-aaaaaa", fs::perms(0777));
  fs::create_directory_symlink(home_ / "awdit-thesis",
                               home_ / "awdit-4194305-7-bbbbbb");
  put(home_ / "awdit-4194305-7-cccccc");
  const std::size_t before = names().size();
  EXPECT_EQ(sweep_temporary_directories(), 0U);
  EXPECT_EQ(names().size(), before);
  if (geteuid() == 0) {  // somebody else's
    fs::create_directory(home_ / "awdit-4194305-7-dddddd");
    fs::permissions(home_ / "awdit-4194305-7-dddddd", fs::perms(0700));
    ASSERT_EQ(chown((home_ / "awdit-4194305-7-dddddd").c_str(), 65534, 65534),
              0);
    EXPECT_EQ(sweep_temporary_directories(), 0U);
    EXPECT_EQ(names().size(), before + 1);
  }
}

TEST_F(Temporary, WhatStillRunsThereIsEnded) {
  const std::string path = left_by_killed([](const TemporaryDirectory& place) {
    const pid_t orphan = fork();
    if (orphan != 0) {
      std::ofstream(place.file("orphan")) << orphan;
      while (!fs::exists(place.file("there"))) usleep(1000);
      return;
    }
    setsid();
    if (chdir(place.path().c_str()) != 0) _exit(1);
    // Not by an inherited lock.
    for (int file = 3; file < 64; ++file) close(file);
    put("there");
    signal(SIGTERM, SIG_IGN);
    raise(SIGSTOP);
    for (;;) pause();
  });
  int orphan = 0;
  std::ifstream(path + "/orphan") >> orphan;
  ASSERT_GT(orphan, 0);
  ASSERT_TRUE(process_facts(orphan));
  EXPECT_EQ(sweep_temporary_directories(), 1U);
  const auto facts = process_facts(orphan);
  EXPECT_TRUE(!facts || !facts->alive());
  EXPECT_TRUE(names().empty());
}

TEST_F(Temporary, SharedMemoryOfTheDeadIsRemoved) {
  const std::string path = left_by_killed([](const TemporaryDirectory& place) {
    const int segment = shmget(IPC_PRIVATE, 56, IPC_CREAT | 0600);
    std::ofstream(place.guarded(kProcessRoll)) << getpid() << "\n";
    std::ofstream(place.file("segment")) << segment;
  });
  int segment = -1;
  std::ifstream(path + "/segment") >> segment;
  ASSERT_GE(segment, 0);
  // Of nobody who is on the roll.
  const int mine = shmget(IPC_PRIVATE, 56, IPC_CREAT | 0600);
  ASSERT_GE(mine, 0);
  EXPECT_EQ(sweep_temporary_directories(), 1U);
  shmid_ds about{};
  EXPECT_NE(shmctl(segment, IPC_STAT, &about), 0);
  EXPECT_EQ(shmctl(mine, IPC_STAT, &about), 0);
  shmctl(mine, IPC_RMID, nullptr);
}

// -- an owner who is not to be trusted ----------------------------------------

// What the account tries; returns its exit code.
int as_account(const Account& account, const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    if (setgroups(0, nullptr) != 0 || setgid(account.group) != 0 ||
        setuid(account.user) != 0) {
      _exit(99);
    }
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

class Owned : public Temporary {
 protected:
  void SetUp() override {
    const passwd* entry = getpwnam("nobody");
    if (geteuid() != 0 || entry == nullptr) {
      GTEST_SKIP() << "only root can give directories away";
    }
    nobody_ = {.user = entry->pw_uid, .group = entry->pw_gid, .name = "nobody"};
    fs::create_directory(home_ / "victim");
    put(home_ / "victim/file");
  }
  std::string precious() const {
    std::string text;
    std::ifstream(home_ / "victim/file") >> text;
    return text;
  }
  Account nobody_;
};

TEST_F(Owned, CanPlantNothingWhereWeWrite) {
  const auto place = TemporaryDirectory::make(nobody_);
  ASSERT_TRUE(place) << to_string(place.error());
  const std::string victim = home_ / "victim/file";
  const int failed = as_account(nobody_, [&] {
    int wrong = 0;
    // In its own directory it may do what it likes,
    if (symlink(victim.c_str(), place->file("log").c_str()) != 0) wrong |= 1;
    // but in ours neither make nor replace anything, nor list it.
    if (symlink(victim.c_str(), place->guarded("log").c_str()) == 0) wrong |= 2;
    if (rename(place->path().c_str(), place->guarded("e").c_str()) == 0) {
      wrong |= 4;
    }
    if (open(place->guarded("").c_str(), O_RDONLY) >= 0) wrong |= 8;
    return wrong;
  });
  EXPECT_EQ(failed, 0);
  // What we write for it, it can read and not change.
  EXPECT_FALSE(place->write_guarded("rules", "all\n"));
  const std::string rules = place->guarded("rules");
  EXPECT_EQ(as_account(nobody_,
                       [&] {
                         if (open(rules.c_str(), O_RDONLY) < 0) return 1;
                         if (open(rules.c_str(), O_WRONLY) >= 0) return 2;
                         return unlink(rules.c_str()) == 0 ? 3 : 0;
                       }),
            0);
  EXPECT_EQ(precious(), "precious");
}

TEST_F(Owned, CannotMakeUsRemoveAnythingElse) {
  {
    const auto place = TemporaryDirectory::make(nobody_);
    ASSERT_TRUE(place);
    // A process of the account swaps a directory and a link all the time.
    const pid_t child = fork();
    if (child == 0) {
      if (setgroups(0, nullptr) != 0 || setgid(nobody_.group) != 0 ||
          setuid(nobody_.user) != 0 || chdir(place->path().c_str()) != 0) {
        _exit(99);
      }
      if (symlink((home_ / "victim").c_str(), "link") != 0) _exit(98);
      put("there");
      for (;;) {
        mkdir("data", 0700);
        put("data/file");
        renameat2(AT_FDCWD, "data", AT_FDCWD, "link", RENAME_EXCHANGE);
      }
    }
    while (!fs::exists(place->file("there"))) usleep(1000);
    usleep(20000);
    // Ends while we remove: the account can keep us busy for a while only.
    const pid_t killer = fork();
    if (killer == 0) {
      usleep(200000);
      kill(child, SIGKILL);
      _exit(0);
    }
    EXPECT_TRUE(remove_tree(AT_FDCWD, place->guarded("")) ||
                fs::exists(place->guarded("")));
    waitpid(killer, nullptr, 0);
    waitpid(child, nullptr, 0);
  }
  EXPECT_EQ(precious(), "precious");
  EXPECT_EQ(names(), std::vector<std::string>{"victim"});
}

}  // namespace
}  // namespace awdit
