// Lines that fit.
#include "base/fit.h"

#include <gtest/gtest.h>

#include <string>

#include "base/columns.h"

namespace awdit {
namespace {

TEST(WrappedLine, BreaksAtBlanksAndGoesOnIndented) {
  EXPECT_EQ(wrapped_line("as it is", 20, 2), "as it is");
  EXPECT_EQ(wrapped_line("one two three four five six", 20, 2),
            "one two three four\n  five six");
  EXPECT_EQ(wrapped_line("  a   b  and two blanks stay", 20, 4),
            "  a   b  and two\n    blanks stay");
}

TEST(WrappedLine, BreaksAWordOnlyIfItIsTooLongByItself) {
  const std::string path(50, 'x');
  EXPECT_EQ(wrapped_line(path, 20, 2), std::string(20, 'x') + "\n  " +
                                           std::string(18, 'x') + "\n  " +
                                           std::string(12, 'x'));
  EXPECT_EQ(wrapped_line("漢字漢字漢字漢字漢字漢字", 21, 0),
            "漢字漢字漢字漢字漢字\n漢字");
}

TEST(FitText, LeavesAloneWhatFits) {
  const std::string text = "Some words\nand more.\n\n  a  table\n";
  EXPECT_EQ(fit_text(text, 20), text);
  EXPECT_EQ(fit_text("", 20), "");
}

TEST(FitText, AParagraphIsOneAgainBeforeItIsBrokenAnew) {
  EXPECT_EQ(fit_text("A paragraph that was broken for\n"
                     "more columns than there are.\n\nOther.\n",
                     24),
            "A paragraph that was\nbroken for more columns\nthan there are."
            "\n\nOther.\n");
}

TEST(FitText, ARowGoesOnBelowItsLastCell) {
  EXPECT_EQ(fit_text("Options:\n"
                     "  -i,--isolation LEVEL      Levels to decide: names\n"
                     "                            or all\n"
                     "  -f,--format FORMAT        As it looks\n",
                     52),
            "Options:\n"
            "  -i,--isolation LEVEL      Levels to decide: names\n"
            "                            or all\n"
            "  -f,--format FORMAT        As it looks\n");
  EXPECT_EQ(fit_text("  -i,--isolation LEVEL      Levels to decide: names "
                     "with\n"
                     "                            commas, or all\n",
                     52),
            "  -i,--isolation LEVEL      Levels to decide: names\n"
            "                            with commas, or all\n");
}

TEST(FitText, FieldsOfAListStayApart) {
  EXPECT_EQ(fit_text("name\n    Title: a summary of it\n    Implies: x\n", 24),
            "name\n    Title: a summary of\n      it\n    Implies: x\n");
}

TEST(FitText, NoLineIsLongerThanTheWidth) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += std::string(static_cast<std::size_t>(i), ' ') +
            std::string(static_cast<std::size_t>(3 * i), 'w') + " and so on\n";
  }
  for (std::size_t width = kLeastWidth; width < 200; ++width) {
    std::string fitted = fit_text(text, width);
    for (std::string_view rest = fitted; !rest.empty();) {
      const std::size_t end = rest.find('\n');
      EXPECT_LE(columns(rest.substr(0, end)), width);
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
  }
}

}  // namespace
}  // namespace awdit
