// Keys and values of EDN as texts, and back again.
#include "format/edn_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace awdit {
namespace {

// "text ...", "integer ...", "natural ...", "nil" or "problem".
std::string read(std::string_view form) {
  EdnReader reader(form);
  const EdnAtom atom = edn_atom(reader);
  if (atom.problem != nullptr) return "problem";
  if (reader.next() != EdnReader::Form::end) return "more than one form";
  if (atom.is_text) return "text " + atom.text;
  switch (atom.atom.kind) {
    case Atom::Kind::integer:
      return "integer " +
             std::to_string(static_cast<std::int64_t>(atom.atom.bits));
    case Atom::Kind::natural:
      return "natural " + std::to_string(atom.atom.bits);
    default:
      return "nil";
  }
}

TEST(EdnText, ReadsEachKindOfForm) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"nil", "nil"},
      {"0", "integer 0"},
      {"-0", "integer 0"},
      {"+7", "integer 7"},
      {"7N", "integer 7"},
      {"9223372036854775807", "integer 9223372036854775807"},
      {"-9223372036854775808", "integer -9223372036854775808"},
      {"9223372036854775808", "natural 9223372036854775808"},
      {"18446744073709551615N", "natural 18446744073709551615"},
      {"18446744073709551616", "text 18446744073709551616"},
      {"+18446744073709551616N", "text 18446744073709551616"},
      {"-9223372036854775809", "text -9223372036854775809"},
      {"1.50", "text 1.50"},
      {"+1e10", "text 1e10"},
      {"-2.5M", "text -2.5M"},
      {"1/3", "text 1/3"},
      {"##NaN", "text ##NaN"},
      {"true", "text true"},
      {":x", "text :x"},
      {":a/b", "text :a/b"},
      {"x", "text 'x"},
      {"-", "text '-"},
      {"-x", "text '-x"},
      {"\\newline", "text \\newline"},
      {"\"x\"", "text x"},
      {"\"\"", "text "},
      {"\"5\"", "text 5"},
      {"\"nil\"", "text nil"},
      {"\"a\\n\\t\\\"\\\\\\/\"", "text a\n\t\"\\/"},
      {"\"\\u00e9\\uD83D\\uDE00\\101\"",
       "text \xC3\xA9\xF0\x9F\x98\x80"
       "A"},
      {"[ :anti,3 ;c\n]", "text [:anti 3]"},
      {"(1 #_2 +3N)", "text (1 3)"},
      {"{:a {} :b #{x \"y\"}}", "text {:a {} :b #{x \"y\"}}"},
      {"#inst   \"2020\"", "text #inst \"2020\""},
      {"[#a #b nil]", "text [#a #b nil]"},
      // Strings that look like the text of something else.
      {"\":x\"", "text \":x\""},
      {"\"'x\"", "text \"'x\""},
      {"\"1.5\"", "text \"1.5\""},
      {"\"true\"", "text \"true\""},
      {"\"[1]\"", "text \"[1]\""},
      {"\"\\\":x\\\"\"", "text \"\\\":x\\\"\""},
      // Strings that only nearly do.
      {"\": x\"", "text : x"},
      {"\"[1  2]\"", "text [1  2]"},
      {"\"[1\"", "text [1"},
      {"\"\\\"x\\\"\"", "text \"x\""},
      // Malformed.
      {"", "problem"},
      {"]", "problem"},
      {"[1", "problem"},
      {"[1}", "problem"},
      {"{:a}", "problem"},
      {"[#a]", "problem"},
      {":", "problem"},
      {"\\", "problem"},
      {"@x", "problem"},
      {"'x", "problem"},
      {"1x", "problem"},
      {"007", "problem"},
      {"1.e", "problem"},
      {"\"\\q\"", "problem"},
      {"\"\\u12\"", "problem"},
      {"\"x", "problem"},
  };
  for (const auto& [form, expected] : cases) {
    EXPECT_EQ(read(form), expected) << form;
  }
}

TEST(EdnText, WritesTheFormThatWasRead) {
  for (const std::string form :
       {":x", "x", "\"x\"", "\":x\"", "\"\\\":x\\\"\"", "[1 2.5 \"a\"]", "1.50",
        "true", "\"true\"", "\"5\"", "18446744073709551616", "#{}", "#t [1]",
        "\\a", "\"\"", "\"line\\nend\""}) {
    ASSERT_EQ(read(form).substr(0, 5), "text ") << form;
    EXPECT_EQ(edn_form(read(form).substr(5)), form);
  }
}

TEST(EdnText, AnyTextSurvives) {
  std::mt19937 random(1);
  const std::string alphabet = ":'\"\\[](){}#_ 1.xtrue,;\n+-N";
  for (int round = 0; round < 200'000; ++round) {
    std::string text;
    for (std::size_t size = random() % 8; size > 0; --size) {
      text += alphabet[random() % alphabet.size()];
    }
    // Quotes within quotes, too.
    for (std::size_t level = random() % 3; level > 0; --level) {
      text = edn_form(text);
    }
    ASSERT_EQ(read(edn_form(text)), "text " + text) << edn_form(text);
  }
}

TEST(EdnText, DoesNotMindDepth) {
  constexpr std::size_t kDepth = 300'000;
  const std::string deep = std::string(kDepth, '[') + std::string(kDepth, ']');
  EXPECT_EQ(read(deep), "text " + deep);
  EXPECT_EQ(read(std::string(kDepth, '[')), "problem");
  EXPECT_EQ(edn_form(deep), deep);
}

}  // namespace
}  // namespace awdit
