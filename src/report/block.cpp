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
#include "tell/tell.h"

namespace awdit {
namespace {

// Rows and steps shown at the beginning and at the end of long evidence.
constexpr std::size_t kEnds = 6;
// Suppositions within suppositions that are indented.
constexpr std::uint32_t kDeepest = 8;

// A transaction's row: what stands in its three columns.
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
// `usual` of 80, and so many more or fewer as the terminal is wider or
// narrower. 0: too few.
std::size_t op_columns(const std::vector<Row>& rows, std::size_t usual,
                       std::size_t around, const Palette& look,
                       Widths& widths) {
  for (const Row& row : rows) {
    widths.place = std::max(widths.place, columns(row.place));
    widths.name = std::max(widths.name, columns(row.name));
    widths.lines = std::max(widths.lines, columns(row.lines));
  }
  std::size_t most = usual;
  if (look.width != 0) {
    const std::size_t taken =
        around + widths.place + widths.name + widths.lines;
    if (taken + kLeastWidth > look.width) return 0;
    most = std::min(look.width - (kWidth - usual), look.width - taken);
    if (most < kLeastWidth) most = look.width - taken;
  }
  for (const Row& row : rows) {
    for (const std::string& line : op_lines(row, most, look.width != 0)) {
      widths.ops = std::max(widths.ops, columns(line));
    }
  }
  return most;
}

// Each transaction as a paragraph, where columns have no room side by side.
void append_stacked_rows(const std::vector<Row>& rows, std::size_t left_out,
                         const Palette& look, Sink& sink) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (left_out != 0 && i == kEnds) {
      append_line(fmt::format("    ... {} ...", count(left_out, "transaction")),
                  4, look, sink);
    }
    const Row& row = rows[i];
    append_line(
        fmt::format("  {}  {}{}{}  {}{}{}", row.place, look.strong, row.name,
                    look.off, look.faint, row.lines, look.off),
        4, look, sink);
    for (const std::string& op : row.ops) {
      append_line("      " + op, 8, look, sink);
    }
    for (const std::string& note : row.notes) {
      append_wrapped(note, "      ", "      ", look, sink);
    }
  }
}

void append_plain_rows(const std::vector<Row>& rows, std::size_t left_out,
                       const Palette& colours, Sink& sink) {
  constexpr std::size_t kOpColumns = 46;
  constexpr std::size_t kAround = 4 + 2 + 2 + 2;
  Widths widths;
  const std::size_t most =
      op_columns(rows, kOpColumns, kAround, colours, widths);
  if (most == 0) {
    append_stacked_rows(rows, left_out, colours, sink);
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (left_out != 0 && i == kEnds) {
      sink.append(
          fmt::format("    ... {} ...\n", count(left_out, "transaction")));
    }
    const Row& row = rows[i];
    const std::vector<std::string> lines =
        op_lines(row, most, colours.width != 0);
    for (std::size_t j = 0; j < lines.size(); ++j) {
      sink.append("    ");
      sink.append(padded(j == 0 ? row.place : "", widths.place + 2));
      if (widths.name != 0) {
        sink.append(colours.strong);
        sink.append(padded(j == 0 ? row.name : "", widths.name + 2));
        sink.append(colours.off);
      }
      if (j == 0 && !row.lines.empty()) {
        sink.append(padded(lines[j], widths.ops + 2));
        sink.append(colours.faint);
        sink.append(row.lines);
        sink.append(colours.off);
      } else {
        sink.append(lines[j]);
      }
      sink.append('\n');
    }
    const std::string margin(
        4 + widths.place + 2 + (widths.name == 0 ? 0 : widths.name + 2), ' ');
    for (const std::string& note : row.notes) {
      append_wrapped(note, margin, margin, colours, sink);
    }
  }
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

// The same in a frame, for terminals that have the characters.
class Frame {
 public:
  // Where there is no room for one, it is not valid().
  Frame(const std::vector<Row>& rows, std::string gap, const Palette& colours,
        Sink& sink)
      : colours_(colours), sink_(sink) {
    most_ = op_columns(rows, kOpColumns, kAround, colours, widths_);
    gap_ = std::move(gap);
    widths_.ops = std::max(widths_.ops, std::min(columns(gap_), most_));
    for (const Row& row : rows) {
      for (const std::string& note : row.notes) {
        widths_.ops = std::max(widths_.ops, std::min(columns(note), most_));
      }
    }
    cells_ = {widths_.place};
    if (widths_.name != 0) cells_.push_back(widths_.name);
    cells_.push_back(widths_.ops);
    if (widths_.lines != 0) cells_.push_back(widths_.lines);
  }

  bool valid() const { return most_ != 0; }

  void border(std::string_view left, std::string_view cross,
              std::string_view right) {
    std::string line = "  ";
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      line += i == 0 ? left : cross;
      line += repeated("─", cells_[i] + 2);
    }
    sink_.append(
        fmt::format("{}{}{}{}\n", colours_.faint, line, right, colours_.off));
  }

  void row(const Row& row) {
    const bool terminal = colours_.width != 0;
    const std::vector<std::string> lines = op_lines(row, most_, terminal);
    for (std::size_t j = 0; j < lines.size(); ++j) {
      line(j == 0 ? row.place : "", j == 0 ? row.name : "", lines[j],
           j == 0 ? row.lines : "");
    }
    for (const std::string& note : row.notes) {
      std::vector<std::string> parts;
      append_broken(note, widths_.ops, 0, parts);
      for (const std::string& part : parts) line("", "", part, "");
    }
  }

  // What stands for rows that are left out.
  void gap() { line("", "", first_columns(gap_, widths_.ops), ""); }

 private:
  static constexpr std::size_t kOpColumns = 42;
  static constexpr std::size_t kAround = 2 + 4 * 3 + 1;

  void line(std::string_view place, std::string_view name, std::string_view ops,
            std::string_view lines) {
    const std::string bar = fmt::format("{}│{}", colours_.faint, colours_.off);
    sink_.append(fmt::format("  {} {} ", bar, padded(place, widths_.place)));
    if (widths_.name != 0) {
      sink_.append(fmt::format("{} {}{}{} ", bar, colours_.strong,
                               padded(name, widths_.name), colours_.off));
    }
    sink_.append(fmt::format("{} {} ", bar, padded(ops, widths_.ops)));
    if (widths_.lines != 0) {
      sink_.append(fmt::format("{} {}{}{} ", bar, colours_.faint,
                               padded(lines, widths_.lines), colours_.off));
    }
    sink_.append(bar);
    sink_.append('\n');
  }

  const Palette& colours_;
  Sink& sink_;
  Widths widths_;
  std::size_t most_ = 0;
  std::string gap_;
  std::vector<std::size_t> cells_;
};

void append_rows(const std::vector<Row>& rows, std::size_t left_out,
                 const Palette& colours, Sink& sink) {
  if (!colours.frames) {
    append_plain_rows(rows, left_out, colours, sink);
    return;
  }
  Frame frame(rows,
              left_out == 0
                  ? ""
                  : fmt::format("... {} ...", count(left_out, "transaction")),
              colours, sink);
  if (!frame.valid()) {
    append_stacked_rows(rows, left_out, colours, sink);
    return;
  }
  frame.border("╭", "┬", "╮");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (left_out != 0 && i == kEnds) {
      frame.gap();
    }
    frame.row(rows[i]);
  }
  frame.border("╰", "┴", "╯");
}

void append_proof(const Proof& proof, const Palette& look, Sink& sink) {
  const std::size_t n = proof.steps.size();
  const std::size_t number_width = fmt::formatted_size("{}", n);
  const std::string rest(number_width + 4, ' ');
  for (std::size_t i = 0; i < n; ++i) {
    if (n > 2 * kEnds && i == kEnds) {
      sink.append(fmt::format("  ... {} ...\n", count(n - 2 * kEnds, "step")));
      i = n - kEnds;
    }
    const std::string inner(2 * std::min(proof.steps[i].depth, kDeepest), ' ');
    append_wrapped(visible(step_text(proof.steps[i])),
                   fmt::format("  {}{:>{}}. ", inner, i + 1, number_width),
                   inner + rest, look, sink);
  }
  append_wrapped(visible(proof.contradiction), "  ", "  ", look, sink);
}

}  // namespace

void append_block(const History& history, const Report& report,
                  const Story& story, const Palette& colours, Sink& sink) {
  sink.append('\n');
  append_line(
      fmt::format("{}{}{}{}", colours.strong, visible(story.title), colours.off,
                  story.count == 1
                      ? ""
                      : fmt::format("  ({} like this: same keys, same "
                                    "sessions)",
                                    story.count)),
      2, colours, sink);
  sink.append(colours.faint);
  append_wrapped(fmt::format("{}; {}", anomaly(story.violation.kind).name,
                             anomaly(story.violation.kind).also),
                 "", "", colours, sink);
  sink.append(colours.off);
  sink.append('\n');
  append_wrapped(visible(story.headline), "  ", "  ", colours, sink);
  sink.append('\n');

  std::vector<Row> rows;
  const std::size_t txns = story.txns.size();
  const std::size_t left_out = txns > 2 * kEnds ? txns - 2 * kEnds : 0;
  for (std::size_t i = 0; i < txns; ++i) {
    if (left_out != 0 && i == kEnds) i += left_out;
    rows.push_back(row_of(history, report, story.txns[i]));
  }
  append_rows(rows, left_out, colours, sink);
  sink.append('\n');
  append_proof(story.proof, colours, sink);
  sink.append('\n');
  append_wrapped(breaks_sentence(story.breaks, story.keeps), "  ", "  ",
                 colours, sink);
}

}  // namespace awdit
