#include "base/counted.h"

#include <gtest/gtest.h>

namespace awdit {
namespace {

TEST(Counted, ThousandsAreSeparated) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(123456), "123,456");
  EXPECT_EQ(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(0, "key"), "0 keys");
  EXPECT_EQ(counted(1, "key"), "1 key");
  EXPECT_EQ(counted(1234, "key"), "1,234 keys");
}

}  // namespace
}  // namespace awdit
