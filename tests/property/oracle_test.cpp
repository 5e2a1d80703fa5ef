// The oracles of the levels above causal against each other: orders of commits
// (axioms), orders of versions (graphs), and the two searches that are meant
// for larger histories. A mistake in a definition would have to be made four
// times.
#include "oracle/oracle.h"

#include <gtest/gtest.h>

#include "oracle/search.h"
#include "property/judge.h"
#include "property/shapes.h"

namespace awdit::property {
namespace {

using oracle::Oracle;

// The first disagreement, or "".
std::string disagreement(const Script& script) {
  const oracle::Facts facts = oracle::resolve(to_history(script));
  if (facts.malformed) return "";
  for (const Oracle& row : oracle::oracles()) {
    if (!row.strong()) continue;
    const bool holds = oracle::brute_force(facts, row);
    const auto told = [&](std::string_view by) {
      return std::string(row.level) + (holds ? " holds" : " is violated") +
             ", but not " + std::string(by) + "\n";
    };
    if (oracle::by_versions(facts, row) != holds) return told("by versions");
    if (oracle::closure_search(facts, row, 100'000) != holds) {
      return told("for the closure search");
    }
    if (row.reads != oracle::Reads::parallel &&
        oracle::frontier_search(facts, row, 1'000'000) != holds) {
      return told("for the frontier search");
    }
  }
  return "";
}

class Oracles : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Oracles, AgreeWithEachOther) {
  const Shape& shape = shapes()[GetParam()];
  const std::size_t count = share_of(shape, random_histories() / 5);
  std::uint64_t seed = GetParam() * 1'000'000'000 + 700'000'000;
  for (std::size_t i = 0; i < count; ++i, ++seed) {
    Random random(seed);
    const Script script =
        generate(shape, static_cast<int>(2 + random() % 5), random);
    if (disagreement(script).empty()) continue;
    const Script least = shrink(script, [](const Script& smaller) {
      return !disagreement(smaller).empty();
    });
    FAIL() << "shape " << shape.name << ", seed " << seed << "\n"
           << disagreement(least) << to_notation(least);
  }
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& parameter) {
  std::string name(shapes()[parameter.param].name);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Shapes, Oracles,
                         ::testing::Range(std::size_t{0}, shapes().size()),
                         name_of);

}  // namespace
}  // namespace awdit::property
