// The words of the progress line; what writes them is a signal handler.
#include "cli/progress.h"

#include <gtest/gtest.h>

#include <string>

namespace awdit::cli {
namespace {

std::string text(std::uint64_t done, std::uint64_t total,
                 std::uint64_t quarters) {
  char out[128];
  return {out, progress_text({}, done, total, quarters, out)};
}

constexpr std::uint64_t kMega = 1'000'000;

TEST(ProgressLine, CountsSecondsWhereNothingElseIsKnown) {
  EXPECT_EQ(text(0, 0, 4), "... 1 s");
  EXPECT_EQ(text(0, 700 * kMega, 13), "... 3 s");
}

TEST(ProgressLine, HasShareRateAndTimeLeft) {
  EXPECT_EQ(text(1'100 * kMega, 2'700 * kMega, 8),
            " ########............  40%  1.1 of 2.7 GB  550 MB/s  3 s left");
  EXPECT_EQ(text(45 * kMega, 90 * kMega, 4),
            " ##########..........  50%  45 of 90 MB  45 MB/s  1 s left");
}

TEST(ProgressLine, IsFullAtTheEnd) {
  EXPECT_EQ(text(90 * kMega, 90 * kMega, 8),
            " ####################  100%  90 of 90 MB  45 MB/s  0 s left");
}

TEST(ProgressLine, OfWorkWithoutAnEndHasNoShare) {
  EXPECT_EQ(text(845 * kMega, 0, 8), " 845 MB  422 MB/s  2 s");
}

TEST(ProgressLine, SaysWhichLevelIsSearched) {
  char out[128];
  EXPECT_EQ(std::string(out, progress_text("serializable", 0, 0, 30, out)),
            "at serializable ... 7 s");
  // Cut rather than too long.
  const std::string long_name(200, 'x');
  EXPECT_EQ(std::string(out, progress_text(long_name, 0, 0, 4, out)),
            "at " + std::string(32, 'x') + " ... 1 s");
}

TEST(ProgressLine, FitsWhateverTheNumbersAre) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 58;
  EXPECT_LE(text(kMost, kMost, 1).size(), 92u);
  EXPECT_LE(text(kMost, 0, 1).size(), 92u);
}

}  // namespace
}  // namespace awdit::cli
