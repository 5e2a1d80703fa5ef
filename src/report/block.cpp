// Evidence can be long: a cycle may pass through every transaction of the
// input, a transaction may have a million operations. A person follows a dozen
// steps at most, so the middle is left out and counted; --json and certificates
// have all of it.
#include "report/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "report/digest.h"
#include "report/sentences.h"

namespace awdit {
namespace {

// Rows and steps shown at the beginning and at the end of long evidence.
constexpr std::size_t kEnds = 6;

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

// Operations side by side, as many to a line as fit.
std::vector<std::string> op_lines(const Row& row, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string& op : row.ops) {
    if (!lines.empty() && columns(lines.back()) + 3 + columns(op) <= width) {
      lines.back() += "   " + op;
    } else {
      lines.push_back(op);
    }
  }
  if (lines.empty()) lines.emplace_back("(no operations)");
  return lines;
}

void append_rows(const std::vector<Row>& rows, std::size_t left_out,
                 const Palette& colours, Sink& sink) {
  constexpr std::size_t kOpColumns = 46;
  std::size_t place_width = 0, name_width = 0, op_width = 0;
  for (const Row& row : rows) {
    place_width = std::max(place_width, columns(row.place));
    name_width = std::max(name_width, columns(row.name));
    for (const std::string& line : op_lines(row, kOpColumns)) {
      op_width = std::max(op_width, columns(line));
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (left_out != 0 && i == kEnds) {
      sink.append(
          fmt::format("    ... {} ...\n", count(left_out, "transaction")));
    }
    const Row& row = rows[i];
    const std::vector<std::string> lines = op_lines(row, kOpColumns);
    for (std::size_t j = 0; j < lines.size(); ++j) {
      sink.append("    ");
      sink.append(padded(j == 0 ? row.place : "", place_width + 2));
      if (name_width != 0) {
        sink.append(colours.strong);
        sink.append(padded(j == 0 ? row.name : "", name_width + 2));
        sink.append(colours.off);
      }
      if (j == 0 && !row.lines.empty()) {
        sink.append(padded(lines[j], op_width + 2));
        sink.append(colours.faint);
        sink.append(row.lines);
        sink.append(colours.off);
      } else {
        sink.append(lines[j]);
      }
      sink.append('\n');
    }
    const std::string margin(
        4 + place_width + 2 + (name_width == 0 ? 0 : name_width + 2), ' ');
    for (const std::string& note : row.notes) {
      append_wrapped(note, margin, margin, sink);
    }
  }
}

void append_proof(const Proof& proof, Sink& sink) {
  const std::size_t n = proof.steps.size();
  const std::size_t number_width = fmt::formatted_size("{}", n);
  const std::string rest(number_width + 4, ' ');
  for (std::size_t i = 0; i < n; ++i) {
    if (n > 2 * kEnds && i == kEnds) {
      sink.append(fmt::format("  ... {} ...\n", count(n - 2 * kEnds, "step")));
      i = n - kEnds;
    }
    append_wrapped(visible(step_text(proof.steps[i])),
                   fmt::format("  {:>{}}. ", i + 1, number_width), rest, sink);
  }
  append_wrapped(visible(proof.contradiction), "  ", "  ", sink);
}

}  // namespace

void append_block(const History& history, const Report& report,
                  const Story& story, const Palette& colours, Sink& sink) {
  sink.append(fmt::format(
      "\n{}{}{}{}\n", colours.strong, visible(story.title), colours.off,
      story.count == 1 ? ""
                       : fmt::format("  ({} like this: same keys, same "
                                     "sessions)",
                                     story.count)));
  sink.append(colours.faint);
  append_wrapped(fmt::format("{}; {}", anomaly(story.violation.kind).name,
                             anomaly(story.violation.kind).also),
                 "", "", sink);
  sink.append(colours.off);
  sink.append('\n');
  append_wrapped(visible(story.headline), "  ", "  ", sink);
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
  append_proof(story.proof, sink);
  sink.append('\n');
  append_wrapped(breaks_sentence(story.breaks, story.keeps), "  ", "  ", sink);
}

}  // namespace awdit
