#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace awdit {
namespace {

TEST(Result, HoldsAValueOrAnError) {
  Result<int> good = 7;
  EXPECT_TRUE(good);
  EXPECT_EQ(*good, 7);
  Result<int> bad = Error{"f:1:2", "expected a number", "", ""};
  EXPECT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().where, "f:1:2");
}

TEST(Result, CarriesWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = std::move(result.value());
  EXPECT_EQ(*taken, 3);
}

TEST(Error, IsShownWithPlaceExcerptAndHint) {
  EXPECT_EQ(to_string(Error{"", "it broke", "", ""}), "it broke\n");
  EXPECT_EQ(to_string(Error{"f:1:2", "it broke", "", ""}), "f:1:2: it broke\n");
  EXPECT_EQ(to_string(Error{"f:1:2", "it broke", "  r(x\n    ^", "Mend it."}),
            "f:1:2: it broke\n  r(x\n    ^\nMend it.\n");
  EXPECT_EQ(to_string(Error{"f", "it broke", "line\n", "Mend it.\n"}),
            "f: it broke\nline\nMend it.\n");
}

}  // namespace
}  // namespace awdit
