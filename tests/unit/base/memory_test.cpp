// What control groups tell is read from files made for the purpose.
#include "base/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace awdit {
namespace {

class Groups : public testing::Test {
 protected:
  Groups() {
    root_ =
        std::filesystem::path(testing::TempDir()) /
        ("awdit-groups-" +
         std::string(
             testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(root_);
  }
  ~Groups() override { std::filesystem::remove_all(root_); }

  void file(const std::string& path, const std::string& text) {
    const std::filesystem::path full = root_ / path;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }
  std::uint64_t memory() const { return memory_of_groups(root_.string()); }

 private:
  std::filesystem::path root_;
};

TEST_F(Groups, AreNotThere) { EXPECT_EQ(memory(), 0u); }

TEST_F(Groups, OfVersionTwo) {
  file("proc/self/cgroup", "0::/user.slice/job.scope\n");
  file("sys/fs/cgroup/user.slice/job.scope/memory.max", "536870912\n");
  EXPECT_EQ(memory(), 536870912u);
}

TEST_F(Groups, AnyAboveMayBeTheNarrowest) {
  file("proc/self/cgroup", "0::/user.slice/job.scope\n");
  file("sys/fs/cgroup/user.slice/job.scope/memory.max", "max\n");
  file("sys/fs/cgroup/user.slice/memory.max", "1000000\n");
  EXPECT_EQ(memory(), 1000000u);
}

TEST_F(Groups, OfAContainerAreTheirOwnRoot) {
  file("proc/self/cgroup", "0::/\n");
  file("sys/fs/cgroup/memory.max", "2000000\n");
  EXPECT_EQ(memory(), 2000000u);
}

TEST_F(Groups, WithoutALimit) {
  file("proc/self/cgroup", "0::/\n");
  file("sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(memory(), 0u);
}

TEST_F(Groups, OfVersionOne) {
  file("proc/self/cgroup", "12:cpu,cpuacct:/a\n5:memory:/docker/0af\n");
  file("sys/fs/cgroup/cpu,cpuacct/a/memory.limit_in_bytes", "1\n");
  // What is mounted there is the container's group, by no path.
  file("sys/fs/cgroup/memory/memory.limit_in_bytes", "3000000\n");
  EXPECT_EQ(memory(), 3000000u);
  file("sys/fs/cgroup/memory/docker/0af/memory.limit_in_bytes", "2500000\n");
  EXPECT_EQ(memory(), 2500000u);
}

TEST_F(Groups, OfBothVersions) {
  file("proc/self/cgroup", "3:memory:/a\n0::/b\n\nnonsense\n");
  file("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
  file("sys/fs/cgroup/unified/b/memory.max", "4000000\n");
  EXPECT_EQ(memory(), 4000000u);
}

// Sanitizers have terabytes mapped, and no more to be had under such a limit.
constexpr bool kSanitized =
#if defined(__SANITIZE_ADDRESS__)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

TEST(Memory, OfTheProcessIsNoMoreThanItsLimits) {
  if (kSanitized) GTEST_SKIP();
  const std::uint64_t before = memory_of_process();
  ASSERT_GT(before, 0u);
  struct rlimit limit {};
  ASSERT_EQ(getrlimit(RLIMIT_DATA, &limit), 0);
  const rlim_t was = limit.rlim_cur;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, before / 2);
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &limit), 0);
  EXPECT_EQ(memory_of_process(), limit.rlim_cur);
  limit.rlim_cur = was;
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &limit), 0);
}

TEST(Memory, InUseGrows) {
  const std::uint64_t before = memory_in_use();
  ASSERT_GT(before, 0u);
  const std::string much(std::size_t{64} << 20, 'x');
  EXPECT_GT(memory_in_use(), before + much.size() / 2);
}

}  // namespace
}  // namespace awdit
