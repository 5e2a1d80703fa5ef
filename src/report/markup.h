// Text of unknown origin inside XML and other markup: JUnit, SVG, the HTML-like
// labels of Graphviz. Private to src/report.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awdit {

// What stands for a text that markup would take for something else.
struct Escape {
  std::string_view text, escaped;
};
// `text`, and at each place the first of the escapes that fits.
std::string escaped(std::string_view text, std::span<const Escape> escapes);

// `text` as the content of an element or of an attribute in double quotes,
// whatever its bytes are: what a terminal or XML 1.0 cannot bear becomes
// visible as \n, \x1b, \xff or \u{202e}. One line.
std::string xml_text(std::string_view text);

// The same for text of several lines.
std::string xml_lines(std::string_view text);

// visible(text), and no more than `width` columns of it: "abcd…".
std::string clipped(std::string_view text, std::size_t width);

// The words of a visible text on lines of at most `width` columns, unless a
// word is longer.
std::vector<std::string> word_lines(std::string_view shown, std::size_t width);

}  // namespace awdit
