#include "base/fit.h"

#include <algorithm>
#include <vector>

#include "base/columns.h"

namespace awdit {
namespace {

// What begins beyond that many columns is a cell of a table, not an indented
// paragraph.
constexpr std::size_t kCell = 20;
// Room that a cell needs to be continued below itself.
constexpr std::size_t kRoom = 24;
// Fewer columns than this are not worth an indentation.
constexpr std::size_t kLeastCell = 12;

std::size_t indent_of(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at == line.npos ? line.size() : at;
}

// The columns at which the cells of a line begin, behind two blanks or more;
// not the first one.
std::vector<std::size_t> cells_of(std::string_view line) {
  std::vector<std::size_t> cells;
  std::size_t at = indent_of(line);
  while ((at = line.find("  ", at)) != line.npos) {
    const std::size_t next = line.find_first_not_of(' ', at);
    if (next == line.npos) break;
    cells.push_back(columns(line.substr(0, next)));
    at = next;
  }
  return cells;
}

// Some lines that were one before they were broken for 80 columns.
struct Group {
  std::size_t lines = 1;
  std::size_t indent = 0;  // of what is continued
};

Group group_at(const std::vector<std::string_view>& lines, std::size_t first,
               std::size_t width) {
  const std::string_view line = lines[first];
  const std::vector<std::size_t> cells = cells_of(line);
  const std::size_t indent = indent_of(line);
  Group group{.lines = 1, .indent = indent == 0 ? 0 : indent + 2};
  for (const std::size_t cell : cells) {
    if (cell + kRoom <= width) group.indent = cell;
  }
  const std::size_t margin = cells.empty() ? indent : cells.back();
  if (margin != 0 && margin < kCell) return group;
  for (std::size_t i = first + 1; i < lines.size(); ++i) {
    if (lines[i].empty() || lines[i - 1].ends_with(':')) break;
    if (indent_of(lines[i]) != margin || !cells_of(lines[i]).empty()) break;
    ++group.lines;
  }
  return group;
}

}  // namespace

std::string wrapped_line(std::string_view line, std::size_t width,
                         std::size_t indent) {
  width = std::max(width, kLeastWidth);
  if (columns(line) <= width) return std::string(line);
  if (indent + kLeastCell > width) indent = 2;
  std::string result;
  std::size_t column = 0;
  const auto begin_line = [&] {
    result += '\n';
    result.append(indent, ' ');
    column = indent;
  };
  while (!line.empty()) {
    const std::size_t blanks = indent_of(line);
    line.remove_prefix(blanks);
    std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    if (word.empty()) break;
    std::size_t size = columns(word);
    // A word that fits on no line begins where it stands.
    const bool fits = column + blanks + size <= width;
    if (fits || (indent + size > width && column + blanks + 4 < width)) {
      result.append(blanks, ' ');
      column += blanks;
    } else {
      begin_line();
    }
    while (column + size > width) {
      const std::string_view part = first_columns(word, width - column);
      result += part;
      word.remove_prefix(part.size());
      size -= columns(part);
      begin_line();
    }
    result += word;
    column += size;
  }
  return result;
}

std::string fit_text(std::string_view text, std::size_t width) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
    if (text.empty()) lines.emplace_back();  // the text ends with a newline
  }
  std::string result;
  for (std::size_t i = 0; i < lines.size();) {
    const Group group = group_at(lines, i, width);
    const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = begin + static_cast<std::ptrdiff_t>(group.lines);
    const bool fits = std::all_of(begin, end, [&](std::string_view line) {
      return columns(line) <= width;
    });
    std::string whole(lines[i]);
    for (auto line = begin + 1; line != end; ++line) {
      if (fits) {
        whole += '\n';
        whole += *line;
      } else {
        whole += ' ';
        whole += line->substr(indent_of(*line));
      }
    }
    if (i != 0) result += '\n';
    result += fits ? whole : wrapped_line(whole, width, group.indent);
    i += group.lines;
  }
  return result;
}

}  // namespace awdit
