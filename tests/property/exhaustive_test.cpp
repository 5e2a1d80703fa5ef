// Every history of a small scope. Bugs have small examples: what no history of
// three transactions and two keys shows is rarely wrong at all.
//
// Histories that differ only in the names of keys, values or sessions count
// once. Checked builds (sanitizers, assertions) take a fixed part of them.
#include <gtest/gtest.h>

#include "property/judge.h"
#include "property/scopes.h"

namespace awdit::property {
namespace {

#ifdef AWDIT_CHECKED
constexpr std::uint64_t kStride = 23;
#else
constexpr std::uint64_t kStride = 1;
#endif

class AllHistories : public ::testing::TestWithParam<Scope> {};

TEST_P(AllHistories, AgreeWithTheOracles) {
  std::uint64_t judged = 0;
  std::optional<std::string> wrong;
  const std::uint64_t all = for_all_histories(
      GetParam(), kStride, [&](const Script& script, std::uint64_t number) {
        const std::uint64_t turn = judged++;
        const Scrutiny scrutiny{.brute_force = true,
                                .forgeries = turn % 3 == 0,
                                .certificate = turn % 5 == 0,
                                .renaming = turn % 7 == 0,
                                .options = turn % 31 == 0,
                                .core = turn % 11 == 0};
        wrong = explained_complaint(script, scrutiny, number);
        return !wrong;
      });
  ASSERT_FALSE(wrong) << "history " << all << ", " << *wrong;
  RecordProperty("histories", static_cast<int>(judged));
  EXPECT_GT(all, 1000u);
}

std::string name_of(const ::testing::TestParamInfo<Scope>& parameter) {
  return std::string(parameter.param.name);
}

INSTANTIATE_TEST_SUITE_P(Scopes, AllHistories,
                         ::testing::ValuesIn(scopes().begin(), scopes().end()),
                         name_of);

}  // namespace
}  // namespace awdit::property
