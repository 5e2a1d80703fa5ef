// Random histories of every shape: the checker agrees with its slow twins, its
// evidence is accepted, wrong evidence is not.
//
// Seven of eight histories are small enough to try every commit order; the
// rest has up to forty transactions and is compared with naive saturation. A
// few more have some hundred. AWDIT_RANDOM_HISTORIES sets how many there are
// (200,000 unless told).
#include <gtest/gtest.h>

#include "property/judge.h"
#include "property/shapes.h"

namespace awdit::property {
namespace {

class RandomHistories : public ::testing::TestWithParam<std::size_t> {};

TEST_P(RandomHistories, AgreeWithTheOracles) {
  const Shape& shape = shapes()[GetParam()];
  const std::size_t count =
      share_of(shape, random_histories() / (takes_long() ? 1 : 6));
  std::uint64_t seed = GetParam() * 1'000'000'000;
  for (std::size_t i = 0; i < count; ++i, ++seed) {
    Random random(seed);
    const bool large = i % 8 == 7;
    const int txns =
        static_cast<int>(large ? 7 + random() % 34 : 2 + random() % 5);
    const Scrutiny scrutiny{.brute_force = !large && shape.max_ops <= 10,
                            .forgeries = i % 2 == 1,
                            .certificate = i % 4 < 2,
                            .renaming = i % 8 > 4,
                            .options = i % 32 > 28,
                            .core = i % 16 == 4};
    const std::optional<std::string> wrong =
        explained_complaint(generate(shape, txns, random), scrutiny, seed);
    ASSERT_FALSE(wrong) << "shape " << shape.name << ", " << *wrong;
  }
}

// Naive saturation takes nearly all of the time, with the fourth power of the
// length.
#ifdef AWDIT_CHECKED
constexpr std::uint64_t kLongHistories = 1;
#else
constexpr std::uint64_t kLongHistories = 3;
#endif

TEST_P(RandomHistories, AgreeWithSaturationWhenLong) {
  const Shape& shape = shapes()[GetParam()];
  for (std::uint64_t i = 0; i < kLongHistories; ++i) {
    const std::uint64_t seed = GetParam() * 1'000'000'000 + 900'000'000 + i;
    Random random(seed);
    const Scrutiny scrutiny{.certificate = true,
                            .renaming = i == 0,
                            .options = i == 0,
                            .core = i == 1};
    const int txns =
        static_cast<int>(200 + random() % 120) / (takes_long() ? 1 : 2);
    const std::optional<std::string> wrong =
        complaint(generate(shape, txns, random), scrutiny, seed);
    ASSERT_FALSE(wrong) << "shape " << shape.name << ", " << *wrong;
  }
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& parameter) {
  std::string name(shapes()[parameter.param].name);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Shapes, RandomHistories,
                         ::testing::Range(std::size_t{0}, shapes().size()),
                         name_of);

}  // namespace
}  // namespace awdit::property
