// Columns, as terminals count them.
#include "base/columns.h"

#include <gtest/gtest.h>

#include <string>

namespace awdit {
namespace {

TEST(Columns, LettersTakeOneWideCharactersTwoAccentsNone) {
  EXPECT_EQ(columns(""), 0u);
  EXPECT_EQ(columns("abc"), 3u);
  EXPECT_EQ(columns("Møldrup"), 7u);
  EXPECT_EQ(columns("漢字"), 4u);
  EXPECT_EQ(columns("\uFF21"), 2u);      // fullwidth A
  EXPECT_EQ(columns("\U0001F600"), 2u);  // an emoji
  EXPECT_EQ(columns("e\u0301"), 1u);     // e and an accent
  EXPECT_EQ(columns("\u0300"), 0u);      // the first of its list
  EXPECT_EQ(columns("\u02FF"), 1u);      // just before it
  EXPECT_EQ(columns("─│╭"), 3u);
  EXPECT_EQ(columns("\xff\xfe"), 2u);
}

TEST(Columns, ColoursTakeNone) {
  EXPECT_EQ(columns("\x1b[1;31mVIOLATED\x1b[0m"), 8u);
  EXPECT_EQ(columns("\x1b[2J"), 4u);  // not a colour
}

TEST(FirstColumns, WholeCharactersOnly) {
  EXPECT_EQ(first_columns("abcdef", 3), "abc");
  EXPECT_EQ(first_columns("abc", 9), "abc");
  EXPECT_EQ(first_columns("漢字", 3), "漢");
  EXPECT_EQ(first_columns("e\u0301e", 1), "e\u0301");
  EXPECT_EQ(first_columns("\x1b[1mab", 1), "\x1b[1ma");
  EXPECT_EQ(first_columns("漢", 0), "");
}

}  // namespace
}  // namespace awdit
