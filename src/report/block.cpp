// Evidence can be long: a cycle may pass through every transaction of the
// input, a transaction may have a million operations. A person follows a dozen
// steps at most, so the middle is left out and counted; --json and certificates
// have all of it.
#include "report/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/columns.h"
#include "base/fit.h"
#include "base/utf8.h"

namespace awdit {
namespace {

// Rows and steps shown at the beginning and at the end of long evidence.
constexpr std::size_t kEnds = 6;
// Suppositions within suppositions that are indented.
constexpr std::uint32_t kDeepest = 8;

// A transaction's row: its three columns.
struct Row {
  std::string place;  // "s3.1"
  std::string name;   // "t6", or "id 1" where ids are ambiguous
  std::vector<std::string> ops;
  std::string lines;
  std::vector<std::string> notes;  // below the operations
};

Row row_of(const History& history, const Report& report,
           const StoryTxn& shown) {
  const TxnId txn = shown.txn;
  Row row;
  row.place = visible(place_text(history, txn));
  row.name = visible(history.txn_name(txn));
  if (row.name == row.place) {
    const auto label = history.txn_label(txn);
    row.name = label ? fmt::format("id {}", *label) : "";
  }
  for (const Exhibit& exhibit : shown.ops) {
    row.ops.push_back(visible(exhibit_text(history, exhibit)));
  }
  if (shown.omitted != 0) {
    row.ops.push_back("... " + count(shown.omitted, "more operation"));
  }
  if (const std::string status = status_text(history, report, txn);
      !status.empty()) {
    row.ops.push_back("(" + status + ")");
  }
  row.lines = lines_text(history, shown.ops);
  for (const std::string& note : notes_of(history, txn)) {
    row.notes.push_back(visible(note));
  }
  return row;
}

// `text` on lines of `width` columns.
void append_broken(std::string_view text, std::size_t width, std::size_t indent,
                   std::vector<std::string>& lines) {
  const std::string broken = wrapped_line(text, width, indent);
  for (std::size_t at = 0; at <= broken.size();) {
    const std::size_t end = std::min(broken.find('\n', at), broken.size());
    lines.push_back(broken.substr(at, end - at));
    at = end + 1;
  }
}

// Operations side by side, as many to a line as fit. One that is longer than
// that is broken only where a terminal ends.
std::vector<std::string> op_lines(const Row& row, std::size_t width,
                                  bool terminal) {
  std::vector<std::string> lines;
  for (const std::string& op : row.ops) {
    if (!lines.empty() && columns(lines.back()) + 3 + columns(op) <= width) {
      lines.back() += "   " + op;
    } else if (terminal && columns(op) > width) {
      append_broken(op, width, 2, lines);
    } else {
      lines.push_back(op);
    }
  }
  if (lines.empty()) lines.emplace_back("(no operations)");
  return lines;
}

// The widest of each column.
struct Widths {
  std::size_t place = 0, name = 0, ops = 0, lines = 0;
};

// Columns that operations may take if `around` others do not belong to them:
// `usual` of 80, and as many more or fewer as the terminal is wider or
// narrower. 0: too few.
std::size_t op_columns(const std::vector<Row>& rows, std::size_t usual,
                       std::size_t around, const Screen& to, Widths& widths) {
  for (const Row& row : rows) {
    widths.place = std::max(widths.place, columns(row.place));
    widths.name = std::max(widths.name, columns(row.name));
    widths.lines = std::max(widths.lines, columns(row.lines));
  }
  std::size_t most = usual;
  if (to.width != 0) {
    const std::size_t taken =
        around + widths.place + widths.name + widths.lines;
    if (taken + kLeastWidth > to.width) return 0;
    most = std::min(to.width - (kWidth - usual), to.width - taken);
    if (most < kLeastWidth) most = to.width - taken;
  }
  for (const Row& row : rows) {
    for (const std::string& line : op_lines(row, most, to.width != 0)) {
      widths.ops = std::max(widths.ops, columns(line));
    }
  }
  return most;
}

// A transaction as a paragraph, where columns have no room side by side.
void append_stacked(const Row& row, const Screen& to) {
  to.line(fmt::format("  {}  {}{}{}  {}{}{}", row.place, to.strong, row.name,
                      to.off, to.faint, row.lines, to.off),
          4);
  for (const std::string& op : row.ops) {
    to.line("      " + op, 8);
  }
  for (const std::string& note : row.notes) {
    to.prose(note, "      ", "      ");
  }
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

// Rows in columns; in a frame, for terminals that have the characters.
class Table {
 public:
  // `gap` stands for rows that are left out. Where there is no room for
  // columns, it is not valid().
  Table(const std::vector<Row>& rows, std::string gap, const Screen& to)
      : to_(to), gap_(std::move(gap)) {
    most_ = to.frames ? op_columns(rows, 42, 2 + 4 * 3 + 1, to, widths_)
                      : op_columns(rows, 46, 4 + 2 + 2 + 2, to, widths_);
    if (!to.frames) return;
    widths_.ops = std::max(widths_.ops, std::min(columns(gap_), most_));
    for (const Row& row : rows) {
      for (const std::string& note : row.notes) {
        widths_.ops = std::max(widths_.ops, std::min(columns(note), most_));
      }
    }
  }

  bool valid() const { return most_ != 0; }

  void border(std::string_view left, std::string_view cross,
              std::string_view right) {
    if (!to_.frames) return;
    std::string line = "  ";
    for (const std::size_t width :
         {widths_.place, widths_.name, widths_.ops, widths_.lines}) {
      if (width == 0 && line.size() > 2) continue;
      line += line.size() == 2 ? left : cross;
      line += repeated("─", width + 2);
    }
    to_.sink.append(fmt::format("{}{}{}{}\n", to_.faint, line, right, to_.off));
  }

  void row(const Row& row) {
    const std::vector<std::string> lines = op_lines(row, most_, to_.width != 0);
    line(row.place, row.name, lines[0], row.lines);
    for (std::size_t i = 1; i < lines.size(); ++i) line("", "", lines[i], "");
    const std::string margin(
        4 + widths_.place + 2 + (widths_.name == 0 ? 0 : widths_.name + 2),
        ' ');
    for (const std::string& note : row.notes) {
      if (!to_.frames) {
        to_.prose(note, margin, margin);
        continue;
      }
      std::vector<std::string> parts;
      append_broken(note, widths_.ops, 0, parts);
      for (const std::string& part : parts) line("", "", part, "");
    }
  }

  void gap() {
    if (to_.frames) {
      line("", "", first_columns(gap_, widths_.ops), "");
    } else {
      to_.sink.append(fmt::format("    {}\n", gap_));
    }
  }

 private:
  void line(std::string_view place, std::string_view name, std::string_view ops,
            std::string_view lines) {
    std::string text;
    if (to_.frames) {
      const std::string bar = fmt::format("{}│{}", to_.faint, to_.off);
      text = fmt::format("  {} {} ", bar, padded(place, widths_.place));
      if (widths_.name != 0) {
        text += fmt::format("{} {}{}{} ", bar, to_.strong,
                            padded(name, widths_.name), to_.off);
      }
      text += fmt::format("{} {} ", bar, padded(ops, widths_.ops));
      if (widths_.lines != 0) {
        text += fmt::format("{} {}{}{} ", bar, to_.faint,
                            padded(lines, widths_.lines), to_.off);
      }
      text += bar;
    } else {
      text = fmt::format("    {}", padded(place, widths_.place + 2));
      if (widths_.name != 0) {
        text += fmt::format("{}{}{}", to_.strong,
                            padded(name, widths_.name + 2), to_.off);
      }
      text += lines.empty()
                  ? std::string(ops)
                  : fmt::format("{}{}{}{}", padded(ops, widths_.ops + 2),
                                to_.faint, lines, to_.off);
    }
    to_.sink.append(text + "\n");
  }

  const Screen& to_;
  std::string gap_;
  Widths widths_;
  std::size_t most_ = 0;
};

void append_rows(const std::vector<Row>& rows, std::size_t left_out,
                 const Screen& to) {
  const std::string gap =
      left_out == 0 ? ""
                    : fmt::format("... {} ...", count(left_out, "transaction"));
  Table table(rows, gap, to);
  if (table.valid()) table.border("╭", "┬", "╮");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool after_gap = left_out != 0 && i == kEnds;
    if (!table.valid()) {
      if (after_gap) to.line("    " + gap, 4);
      append_stacked(rows[i], to);
    } else {
      if (after_gap) table.gap();
      table.row(rows[i]);
    }
  }
  if (table.valid()) table.border("╰", "┴", "╯");
}

void append_proof(const Proof& proof, const Screen& to) {
  const std::size_t n = proof.steps.size();
  const std::size_t number_width = fmt::formatted_size("{}", n);
  const std::string rest(number_width + 4, ' ');
  for (std::size_t i = 0; i < n; ++i) {
    if (n > 2 * kEnds && i == kEnds) {
      to.sink.append(
          fmt::format("  ... {} ...\n", count(n - 2 * kEnds, "step")));
      i = n - kEnds;
    }
    const std::string inner(2 * std::min(proof.steps[i].depth, kDeepest), ' ');
    to.prose(visible(step_text(proof.steps[i])),
             fmt::format("  {}{:>{}}. ", inner, i + 1, number_width),
             inner + rest);
  }
  to.prose(visible(proof.contradiction), "  ", "  ");
}

}  // namespace

void append_block(const History& history, const Report& report,
                  const Story& story, const Screen& to) {
  to.blank();
  to.line(fmt::format("{}{}{}{}", to.strong, visible(story.title), to.off,
                      story.count == 1
                          ? ""
                          : fmt::format("  ({} like this: same keys, same "
                                        "sessions)",
                                        story.count)),
          2);
  to.sink.append(to.faint);
  to.prose(fmt::format("{}; {}", anomaly(story.violation.kind).name,
                       anomaly(story.violation.kind).also));
  to.sink.append(to.off);
  to.blank();
  to.prose(visible(story.headline), "  ", "  ");
  to.blank();

  std::vector<Row> rows;
  const std::size_t txns = story.txns.size();
  const std::size_t left_out = txns > 2 * kEnds ? txns - 2 * kEnds : 0;
  for (std::size_t i = 0; i < txns; ++i) {
    if (left_out != 0 && i == kEnds) i += left_out;
    rows.push_back(row_of(history, report, story.txns[i]));
  }
  append_rows(rows, left_out, to);
  to.blank();
  append_proof(story.proof, to);
  to.blank();
  to.prose(breaks_sentence(story.breaks, story.keeps), "  ", "  ");
}

}  // namespace awdit
