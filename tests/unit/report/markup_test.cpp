// Text of unknown origin inside XML and Markdown.
#include "report/markup.h"

#include <gtest/gtest.h>

#include "base/columns.h"
#include "base/utf8.h"
#include "report/markdown_text.h"

namespace awdit {
namespace {

TEST(Xml, EscapesMarkupAndWhatXmlCannotBear) {
  EXPECT_EQ(xml_text("<a b=\"c\">&amp;"), "&lt;a b=&quot;c&quot;&gt;&amp;amp;");
  EXPECT_EQ(xml_text("a\nb\x1b\xff"), "a\\nb\\x1b\\xff");
  EXPECT_EQ(xml_text("\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBD"),
            "\\u{fffe}\\u{ffff}\xEF\xBF\xBD");
  EXPECT_EQ(xml_lines("a<\nb\n"), "a&lt;\nb\n");
}

TEST(Clipped, CountsCharactersAndNeverCutsOne) {
  EXPECT_EQ(clipped("abc", 3), "abc");
  EXPECT_EQ(clipped("abcd", 3), "ab…");
  EXPECT_EQ(clipped("äöüß", 3), "äö…");
  const std::string cut = clipped(std::string(100'000, 'x') + "\xff", 20);
  EXPECT_EQ(columns(cut), 20u);
  EXPECT_EQ(clipped("中文中文中文中文中文", 5), "中文…");
  EXPECT_EQ(clipped("中文中文中文中文中文", 6), "中文…");
}

TEST(Markdown, ProseIsNoMarkup) {
  EXPECT_EQ(markdown_prose("a_b*c`d`[e](f)<g>|h\\"),
            "a\\_b\\*c\\`d\\`\\[e\\](f)\\<g\\>\\|h\\\\");
  EXPECT_EQ(markdown_prose("@me #12 #x"), "@<!-- -->me #<!-- -->12 #x");
  EXPECT_EQ(markdown_prose("- a"), "\\- a");
  EXPECT_EQ(markdown_prose("12. a"), "12\\. a");
  EXPECT_EQ(markdown_prose("# a"), "\\# a");
  EXPECT_EQ(markdown_prose("t7 read x=3."), "t7 read x=3.");
}

TEST(Markdown, CodeKeepsTablesWhole) {
  EXPECT_EQ(markdown_code("W x=3"), "`W x=3`");
  EXPECT_EQ(markdown_code("a*b_c"), "`a*b_c`");
  EXPECT_EQ(markdown_code("a|b"), "<code>a&#124;b</code>");
  EXPECT_EQ(markdown_code("a`b\\"), "<code>a&#96;b&#92;</code>");
  EXPECT_EQ(markdown_code(""), "");
}

TEST(Markdown, FencesAreLongerThanWhatTheyHold) {
  EXPECT_EQ(markdown_fenced("a\n"), "```text\na\n```\n");
  EXPECT_EQ(markdown_fenced("````"), "`````text\n````\n`````\n");
}

}  // namespace
}  // namespace awdit
