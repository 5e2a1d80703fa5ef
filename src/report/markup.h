// Text of unknown origin inside XML: JUnit, SVG, and the HTML-like labels of
// Graphviz. Private to src/report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace awdit {

// `text` as the content of an element or of an attribute in double quotes,
// whatever its bytes are: what a terminal or XML 1.0 cannot bear becomes
// visible as \n, \x1b, \xff or \u{202e}. One line.
std::string xml_text(std::string_view text);

// The same for text of several lines.
std::string xml_lines(std::string_view text);

// visible(text), and no more than `width` columns of it: "abcd…".
std::string clipped(std::string_view text, std::size_t width);

}  // namespace awdit
