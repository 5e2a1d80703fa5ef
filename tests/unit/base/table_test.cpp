#include "base/table.h"

#include <gtest/gtest.h>

#include <array>

namespace awdit {
namespace {

struct Row {
  std::string_view name;
  std::span<const std::string_view> aliases;
};

constexpr std::array<std::string_view, 2> kAliases = {"cc", "tcc"};
constexpr std::array<Row, 2> kRows = {
    {{"read-committed", {}}, {"causal", kAliases}}};

TEST(Table, FindsByNameAndAlias) {
  const std::span<const Row> rows(kRows);
  EXPECT_EQ(find_row(rows, "causal"), &kRows[1]);
  EXPECT_EQ(find_row(rows, "tcc"), &kRows[1]);
  EXPECT_EQ(find_row(rows, "read-committed"), &kRows[0]);
  EXPECT_EQ(find_row(rows, "Causal"), nullptr);
  EXPECT_EQ(find_row(rows, ""), nullptr);
}

TEST(Table, SuggestsTheNearestName) {
  const std::array<std::string_view, 3> names = {"read-committed",
                                                 "read-atomic", "causal"};
  EXPECT_EQ(nearest_name("casual", names), "causal");
  EXPECT_EQ(nearest_name("read-atomc", names), "read-atomic");
  EXPECT_EQ(nearest_name("serializable", names), "");
  EXPECT_EQ(nearest_name(std::string(1 << 20, 'x'), names), "");
  EXPECT_EQ(nearest_name("causal", {}), "");
}

TEST(Table, SaysWhatIsKnown) {
  const std::span<const Row> rows(kRows);
  EXPECT_EQ(unknown_name_message("level", "casual", rows),
            "unknown level 'casual'; did you mean 'causal'? Known: "
            "read-committed, causal");
}

}  // namespace
}  // namespace awdit
