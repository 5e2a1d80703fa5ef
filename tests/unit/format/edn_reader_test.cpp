// The forms of EDN, one after the other, where samples of histories do not
// reach.
#include "format/edn_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace awdit {
namespace {

using Form = EdnReader::Form;

// "map vector word:1 close close", as far as the reader gets.
std::string forms(std::string_view text) {
  EdnReader reader(text);
  std::string found;
  for (;;) {
    const Form form = reader.next();
    if (!found.empty()) found += ' ';
    std::string_view literal;
    switch (form) {
      case Form::end:
        return found + "end";
      case Form::broken:
        return found + "broken@" + std::to_string(reader.at());
      case Form::map:
      case Form::vector:
      case Form::list:
      case Form::set:
        found += form == Form::map      ? "map"
                 : form == Form::vector ? "vector"
                 : form == Form::list   ? "list"
                                        : "set";
        reader.enter();
        break;
      case Form::close:
        found += reader.closer();
        reader.enter();
        break;
      case Form::string:
        if (!reader.string(literal)) return found + "endless";
        found += literal;
        break;
      default:
        found += reader.token();
    }
  }
}

TEST(EdnReader, TellsFormsApart) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "end"},
      {" ,\t\r\n\f", "end"},
      {"{:a 1}", "map :a 1 } end"},
      {"[1,2]", "vector 1 2 ] end"},
      {"(a b/c)", "list a b/c ) end"},
      {"#{1 2}", "set 1 2 } end"},
      {"#inst \"2020\"", "#inst \"2020\" end"},
      {"#a.b/C{:x nil}", "#a.b/C map :x nil } end"},
      {"##NaN ##-Inf", "##NaN ##-Inf end"},
      {"\"a;b\" ; c\nd", "\"a;b\" d end"},
      {"\"a\\\"]\"]", "\"a\\\"]\" ] end"},
      {"\\a \\( \\newline \\\\", "\\a \\( \\newline \\\\ end"},
      {"[\\]]", "vector \\] ] end"},
      {"-1 +2 -x 1.5e3 1/2 5N", "-1 +2 -x 1.5e3 1/2 5N end"},
      {";only a comment", "end"},
      {"a;b", "a end"},
      {"\xC3\xA9t\xC3\xA9", "\xC3\xA9t\xC3\xA9 end"},
      {"\x01", "broken@0"},
      {"#", "broken@0"},
      {"# a", "broken@0"},
      {"\"a", "endless"},
      {"\"a\\", "endless"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(forms(text), expected) << text;
  }
  EXPECT_EQ(forms(std::string_view("a \0", 3)), "a broken@2");
}

TEST(EdnReader, DiscardsWhatIsMarked) {
  EXPECT_EQ(forms("#_a b"), "b end");
  EXPECT_EQ(forms("#_ #_ a b c"), "c end");
  EXPECT_EQ(forms("#_a #_b c"), "c end");
  EXPECT_EQ(forms("#_{:a [1 \"}\" ; }\n]} b"), "b end");
  EXPECT_EQ(forms("#_#tag [1] b"), "b end");
  EXPECT_EQ(forms("#_#{1} b"), "b end");
  EXPECT_EQ(forms("#_\\} b"), "b end");
  EXPECT_EQ(forms("[1 #_2]"), "vector 1 ] end");
  EXPECT_EQ(forms("[#_]"), "vector broken@3");
  EXPECT_EQ(forms("a #_"), "a broken@2");
}

// What is left when one form is skipped; "!" and the place where it fails.
std::string rest(std::string_view text) {
  EdnReader reader(text);
  if (!reader.skip()) return "!" + std::to_string(reader.at());
  return std::string(text.substr(reader.at()));
}

TEST(EdnReader, SkipsOneForm) {
  EXPECT_EQ(rest("a b"), " b");
  EXPECT_EQ(rest(" {:a {:b [()]}} c"), " c");
  EXPECT_EQ(rest("#a #b [1] c"), " c");
  EXPECT_EQ(rest("#object[a.B 0x1f \"]\"] c"), " c");
  EXPECT_EQ(rest("#\"re\\\"gex\" c"), " c");
  EXPECT_EQ(rest("[\\[ \\\" \\;] c"), " c");
  EXPECT_EQ(rest("[1 ; ]\n] c"), " c");
  EXPECT_EQ(rest("##Inf c"), " c");
  EXPECT_EQ(rest("#_a b c"), " c");
  EXPECT_EQ(rest("]"), "!0");
  EXPECT_EQ(rest(" [1 2"), "!1");
  EXPECT_EQ(rest("[1 }"), "!3");
  EXPECT_EQ(rest("[\"a"), "!1");
  EXPECT_EQ(rest("[\\"), "!0");
  EXPECT_EQ(rest("#tag ]"), "!5");
  EXPECT_EQ(rest("; nothing"), "!9");
}

TEST(EdnReader, DoesNotMindDepth) {
  constexpr std::size_t kDepth = 1'000'000;
  const std::string open(kDepth, '['), close(kDepth, ']');
  EXPECT_EQ(rest(open + close + "x"), "x");
  EXPECT_EQ(rest(open), "!0");
  std::string discards;
  for (std::size_t i = 0; i < kDepth; ++i) discards += "#_";
  EXPECT_EQ(forms(discards), "broken@0");
  std::string tags;
  for (std::size_t i = 0; i < kDepth; ++i) tags += "#a ";
  EXPECT_EQ(rest(tags + "b c"), " c");
}

TEST(EdnReader, ReadsSmallIntegersOnly) {
  const auto integer = [](std::string_view text) -> std::string {
    EdnReader reader(text);
    std::int64_t value = 0;
    if (!reader.small_integer(value)) return "no";
    return std::to_string(value) + std::string(text.substr(reader.at()));
  };
  EXPECT_EQ(integer("0]"), "0]");
  EXPECT_EQ(integer("-17 "), "-17 ");
  EXPECT_EQ(integer("123456789012345678"), "123456789012345678");
  for (const char* text :
       {"", "-", "x", "1234567890123456789", "007", "1N", "1.5", "+1", "1a"}) {
    EXPECT_EQ(integer(text), "no") << text;
  }
  EXPECT_EQ(integer("1[2"), "1[2");
}

TEST(EdnReader, TakesATokenOnlyWhole) {
  EdnReader reader(":value 1");
  EXPECT_FALSE(reader.take(":val"));
  EXPECT_FALSE(reader.take(":values"));
  EXPECT_TRUE(reader.take(":value"));
  EXPECT_EQ(reader.at(), 6u);
}

}  // namespace
}  // namespace awdit
