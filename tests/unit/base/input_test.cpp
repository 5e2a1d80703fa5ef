// Files that change while they are read. What the command line makes of it is
// in tests/cli/test_changing_files.py; here nothing is left to chance.
#include "base/input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/parallel.h"

namespace awdit {
namespace {

constexpr std::size_t kSize = (std::size_t{3} << 20) + 1234;

class File {
 public:
  explicit File(std::size_t size, char fill = 'x') {
    descriptor_ = mkstemp(name_.data());
    const std::string bytes(size, fill);
    EXPECT_EQ(pwrite(descriptor_, bytes.data(), size, 0),
              static_cast<ssize_t>(size));
    // Not this very moment: what changes now gets another time.
    const struct timespec old[2] = {{1, 0}, {1, 0}};
    EXPECT_EQ(futimens(descriptor_, old), 0);
  }
  ~File() {
    close(descriptor_);
    unlink(name_.c_str());
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& name() const { return name_; }
  void truncate(std::size_t size) {
    ASSERT_EQ(ftruncate(descriptor_, static_cast<off_t>(size)), 0);
  }
  void write(std::size_t at, std::string_view bytes) {
    ASSERT_EQ(
        pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at)),
        static_cast<ssize_t>(bytes.size()));
  }

 private:
  std::string name_ = testing::TempDir() + "awdit-input-XXXXXX";
  int descriptor_ = -1;
};

std::size_t count(std::string_view bytes, char wanted) {
  std::size_t found = 0;
  for (const char c : bytes) found += c == wanted;
  return found;
}

TEST(ChangingFile, WhatIsCutOffReadsAsZerosAndIsTold) {
  File file(kSize);
  const Result<Input> input = Input::open(file.name());
  ASSERT_TRUE(input);
  EXPECT_FALSE(input->changed());
  file.truncate(5000);
  const std::string_view bytes = input->bytes();
  ASSERT_EQ(bytes.size(), kSize);
  EXPECT_EQ(bytes.front(), 'x');
  EXPECT_EQ(count(bytes, 'x') + count(bytes, '\0'), kSize);
  EXPECT_LT(count(bytes, 'x'), kSize);
  const Outcome changed = input->changed();
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->where, file.name());
  EXPECT_EQ(changed->message, "the file changed while it was read");
  EXPECT_NE(changed->hint, "");
}

TEST(ChangingFile, ThreadsMeetItAtOnce) {
  for (int round = 0; round < 20; ++round) {
    File file(kSize);
    const Result<Input> input = Input::open(file.name());
    ASSERT_TRUE(input);
    file.truncate(0);
    constexpr std::size_t kStep = 4096;
    std::atomic<std::size_t> zeros{0};
    parallel_for(kSize / kStep, 4, [&](std::size_t i, unsigned) {
      zeros += count(input->bytes().substr(i * kStep, kStep), '\0');
    });
    EXPECT_EQ(zeros.load(), kSize / kStep * kStep);
    EXPECT_TRUE(input->changed());
  }
}

TEST(ChangingFile, OverwritingIsTold) {
  File file(kSize);
  const Result<Input> input = Input::open(file.name());
  ASSERT_TRUE(input);
  file.write(kSize / 2, "y");
  EXPECT_TRUE(input->changed());
}

TEST(ChangingFile, BytesBehindTheEndStayZero) {
  File file(kSize);
  const Result<Input> input = Input::open(file.name());
  ASSERT_TRUE(input);
  ASSERT_TRUE(input->padded());
  file.write(kSize, std::string(10000, 'y'));
  const std::string_view behind(input->bytes().data() + kSize, Input::kPadding);
  EXPECT_EQ(count(behind, '\0'), Input::kPadding);
  EXPECT_TRUE(input->changed());
}

TEST(ChangingFile, WhatIsSettledDoesNotChangeAnyMore) {
  File file(kSize);
  const Result<Input> input = Input::open(file.name());
  ASSERT_TRUE(input);
  const Result<Input> settled = input->settled(2);
  ASSERT_TRUE(settled);
  file.write(0, std::string(kSize, 'y'));
  EXPECT_EQ(count(settled->bytes(), 'x'), kSize);
  file.truncate(0);
  EXPECT_EQ(count(settled->bytes(), 'x'), kSize);
}

TEST(ChangingFile, WhatIsCutOffCannotBeSettled) {
  File file(kSize);
  const Result<Input> input = Input::open(file.name());
  ASSERT_TRUE(input);
  file.truncate(kSize - 1);
  const Result<Input> settled = input->settled(2);
  ASSERT_FALSE(settled);
  EXPECT_EQ(settled.error().message, "the file changed while it was read");
}

TEST(ChangingFile, SmallOnesAreCopied) {
  File file(1000);
  const Result<Input> input = Input::open(file.name());
  ASSERT_TRUE(input);
  file.truncate(0);
  EXPECT_EQ(count(input->bytes(), 'x'), 1000u);
  EXPECT_FALSE(input->changed());
}

TEST(ChangingFile, ThereMayBeMoreThanAreMapped) {
  File file(kSize);
  std::vector<Input> inputs;
  for (int i = 0; i < 200; ++i) {
    Result<Input> input = Input::open(file.name());
    ASSERT_TRUE(input);
    inputs.push_back(std::move(*input));
    // Enough to see that they can be read; not all of 600 MB.
    EXPECT_EQ(inputs.back().bytes().back(), 'x');
    if (i > 140) inputs.pop_back();
  }
}

TEST(ChangingFile, OthersKeepTheirBusErrors) {
  File ours(kSize), theirs(kSize);
  const Result<Input> input = Input::open(ours.name());
  ASSERT_TRUE(input);
  EXPECT_DEATH(
      {
        const int descriptor = open(theirs.name().c_str(), O_RDONLY);
        const void* const memory =
            mmap(nullptr, kSize, PROT_READ, MAP_PRIVATE, descriptor, 0);
        theirs.truncate(0);
        std::exit(static_cast<const volatile char*>(memory)[100000]);
      },
      "");
}

TEST(Stream, IsNotReadOnIfNobodyWantsIt) {
  const Result<Input> zeros = Input::open("/dev/zero");
  ASSERT_TRUE(zeros);
  EXPECT_TRUE(zeros->cut());
  EXPECT_GE(zeros->bytes().size(), Input::kHead);
  EXPECT_LT(zeros->bytes().size(), 2 * Input::kHead);
  const Result<Input> noise = Input::open(
      "/dev/urandom", {.wanted = [](std::string_view) { return false; }});
  ASSERT_TRUE(noise);
  EXPECT_TRUE(noise->cut());
}

TEST(Stream, IsNoRegularFile) {
  const Result<Input> zeros = Input::open("/dev/zero", {.regular_only = true});
  ASSERT_FALSE(zeros);
  EXPECT_EQ(zeros.error().message, "this is not a regular file");
}

}  // namespace
}  // namespace awdit
