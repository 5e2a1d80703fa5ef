// Every history of a small scope. Bugs have small examples: what no history of
// three transactions and two keys shows is rarely wrong at all.
//
// Histories that differ only in the names of keys, values or sessions count
// once; so do those that differ only in how sessions are interleaved in the
// input (property/orbit.h), unless AWDIT_LONG is set. Checked builds
// (sanitizers, assertions) take a fixed part of them.
#include <gtest/gtest.h>

#include "property/judge.h"
#include "property/orbit.h"
#include "property/scopes.h"

namespace awdit::property {
namespace {

#ifdef AWDIT_CHECKED
constexpr std::uint64_t kPart = 23;
#else
constexpr std::uint64_t kPart = 1;
#endif

class AllHistories : public ::testing::TestWithParam<Scope> {};

TEST_P(AllHistories, AgreeWithTheOracles) {
  const bool all = takes_long();
  const std::uint64_t stride = all ? 1 : GetParam().stride;
  std::uint64_t seen = 0, told = 0, chosen = 0, judged = 0;
  std::optional<std::string> wrong;
  const std::uint64_t count = for_all_histories(
      GetParam(), kPart, [&](const Script& script, std::uint64_t number) {
        ++seen;
        const Orbit orbit = orbit_of(script);
        if (orbit.chosen) told += orbit.size;
        if (!orbit.chosen && !all) return true;
        if (chosen++ % stride != 0) return true;
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
  ASSERT_FALSE(wrong) << "history " << count << ", " << *wrong;
  RecordProperty("histories", static_cast<int>(judged));
  EXPECT_GT(count, 1000u);
  // Nothing was left out but other ways to tell what was chosen.
  if (kPart == 1) {
    EXPECT_EQ(told, seen);
  }
}

std::string name_of(const ::testing::TestParamInfo<Scope>& parameter) {
  return std::string(parameter.param.name);
}

INSTANTIATE_TEST_SUITE_P(Scopes, AllHistories,
                         ::testing::ValuesIn(scopes().begin(), scopes().end()),
                         name_of);

}  // namespace
}  // namespace awdit::property
