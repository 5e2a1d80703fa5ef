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
#include "history/text.h"
#include "report/digest.h"
#include "report/exhibit.h"
#include "witness/witness.h"

namespace awdit {
namespace {

// Transactions of up to this many operations are shown whole; larger ones show
// at most this many besides those that the evidence names.
constexpr std::uint32_t kFewOps = 8;
// Transactions larger than this are not searched for further operations on the
// keys concerned.
constexpr std::uint32_t kSearchedOps = 10'000;
// Rows and steps shown at the beginning and at the end of long evidence.
constexpr std::size_t kEnds = 6;

// A transaction's row: what stands in its three columns.
struct Row {
  std::string place;  // "s3.1"
  std::string name;   // "t6", or "id 1" where ids are ambiguous
  std::vector<std::string> ops;
  std::string lines;
};

// "R x=3"; of lists "append 3 to x" and "read x=[1 2 3]": the letters would
// leave open what is done to x.
std::string op_text(const History& history, OpId op, std::uint32_t element) {
  const std::string key = visible(history.key_label(history.key(op)));
  const std::string value = visible(history.to_string(history.value(op)));
  if (!history.has_lists()) {
    return fmt::format("{} {}={}", history.is_write(op) ? 'W' : 'R', key,
                       value);
  }
  if (history.is_write(op)) return fmt::format("append {} to {}", value, key);
  return fmt::format("read {}={}", key,
                     visible(list_text(history, op, {element})));
}

std::string op_text(const History& history, const Exhibit& exhibit) {
  std::string text = op_text(history, exhibit.op, exhibit.element);
  if (exhibit.source == Source::unsaid) return text;
  std::string what;
  if (exhibit.element != kNoId) {
    what = visible(history.to_string(
               history.element(exhibit.op, exhibit.element))) +
           " ";
  }
  return text + fmt::format(" ({}from {})", what,
                            exhibit.source == Source::nobody
                                ? "nobody"
                                : visible(history.txn_name(exhibit.from)));
}

// What a row shows of a transaction: all of a small one; of a large one what
// the evidence names and a few more operations on the same keys.
std::vector<Exhibit> chosen_ops(const History& history, TxnId txn,
                                const std::vector<Exhibit>& exhibits) {
  const std::vector<Exhibit> named = exhibits_in(history, txn, exhibits);
  const IdRange<OpId> ops = history.ops(txn);
  if (ops.size() > kSearchedOps) return named;
  std::vector<KeyId> keys;
  for (const Exhibit& exhibit : named) keys.push_back(history.key(exhibit.op));
  std::vector<Exhibit> chosen;
  std::size_t extra = 0;
  auto next = named.begin();
  for (OpId op : ops) {
    if (next != named.end() && next->op == op) {
      chosen.push_back(*next++);
      continue;
    }
    const bool related =
        ops.size() <= kFewOps ||
        (extra < kFewOps &&
         std::find(keys.begin(), keys.end(), history.key(op)) != keys.end());
    if (!related) continue;
    ++extra;
    chosen.push_back({.op = op});
  }
  return chosen;
}

// "line 5", "lines 7-9", "lines 3, 7-9"; empty where places are unknown.
std::string lines_text(const History& history,
                       const std::vector<Exhibit>& shown) {
  std::vector<std::uint32_t> lines;
  for (const Exhibit& exhibit : shown) {
    const std::uint32_t line = history.place(exhibit.op).line;
    if (line != 0) lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  if (lines.empty()) return {};
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i;
    while (end + 1 < lines.size() && lines[end + 1] == lines[end] + 1) ++end;
    if (i != 0) text += ", ";
    text += fmt::format("{}", lines[i]);
    if (end != i) text += fmt::format("-{}", lines[end]);
    i = end + 1;
  }
  return text;
}

Row row_of(const History& history, const Report& report, TxnId txn,
           const std::vector<Exhibit>& exhibits) {
  Row row;
  row.place =
      fmt::format("{}.{}", visible(history.session_name(history.session(txn))),
                  history.position(txn) + 1);
  row.name = visible(history.txn_name(txn));
  if (row.name == row.place) {
    const auto label = history.txn_label(txn);
    row.name = label ? fmt::format("id {}", *label) : "";
  }
  const std::vector<Exhibit> shown = chosen_ops(history, txn, exhibits);
  for (const Exhibit& exhibit : shown) {
    row.ops.push_back(op_text(history, exhibit));
  }
  const std::uint64_t omitted = history.ops(txn).size() - shown.size();
  if (omitted != 0) {
    row.ops.push_back(fmt::format("... {} more operation{}", omitted,
                                  omitted == 1 ? "" : "s"));
  }
  if (history.status(txn) == Status::aborted) {
    row.ops.push_back("(aborted)");
  } else if (std::binary_search(report.promoted.begin(), report.promoted.end(),
                                txn)) {
    row.ops.push_back("(outcome unknown, but read from: counts as committed)");
  }
  row.lines = lines_text(history, shown);
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
  }
}

// The steps, beginning after the last inferred one: what the clients did comes
// first, what follows from it last.
void append_steps(const History& history, const Level& level,
                  const std::vector<Edge>& edges, Sink& sink) {
  const std::size_t n = edges.size();
  std::size_t start = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (edges[i].reason == Reason::inferred) start = i + 1;
  }
  const std::size_t number_width = fmt::formatted_size("{}", n);
  const std::string rest(number_width + 4, ' ');
  for (std::size_t i = 0; i < n; ++i) {
    if (n > 2 * kEnds && i == kEnds) {
      sink.append(fmt::format("  ... {} ...\n", count(n - 2 * kEnds, "step")));
      i = n - kEnds;
    }
    const Edge& edge = edges[(start + i) % n];
    std::string text = visible(explain(history, level, edge));
    // The reasoning behind an inferred step ends in these words anyway.
    if (edge.reason != Reason::inferred) {
      text = fmt::format("{} comes before {}: {}",
                         visible(history.txn_name(edge.from)),
                         visible(history.txn_name(edge.to)), text);
    }
    append_wrapped(text, fmt::format("  {:>{}}. ", i + 1, number_width), rest,
                   sink);
  }
  sink.append(n == 2 ? "  1 and 2 contradict each other"
                     : fmt::format("  1 to {} lead round in a circle", n));
  sink.append(": no commit order exists.\n");
}

std::string title_of(const History& history, const Violation& violation) {
  std::string text = title(violation.kind);
  const std::vector<KeyId> keys = keys_of(history, violation);
  if (keys.size() > 3) {
    text += fmt::format(" on {} keys", keys.size());
  } else {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      text += i == 0 ? (keys.size() == 1 ? " on key " : " on keys ")
              : i + 1 == keys.size() ? " and "
                                     : ", ";
      text += visible(history.key_label(keys[i]));
    }
  }
  return text;
}

}  // namespace

void append_block(const History& history, const Report& report,
                  const Level& level, const Violation& violation,
                  const Palette& colours, Sink& sink) {
  sink.append(fmt::format("\n{}{}{}\n\n", colours.strong,
                          title_of(history, violation), colours.off));
  append_wrapped(visible(headline(history, violation)), "  ", "  ", sink);
  sink.append('\n');

  const std::vector<Exhibit> exhibits = exhibits_of(history, violation);
  std::vector<TxnId> txns = transactions_of(history, violation);
  std::size_t left_out = 0;
  if (txns.size() > 2 * kEnds) {
    left_out = txns.size() - 2 * kEnds;
    const auto first = txns.begin() + static_cast<std::ptrdiff_t>(kEnds);
    txns.erase(first, first + static_cast<std::ptrdiff_t>(left_out));
  }
  std::vector<Row> rows;
  for (TxnId txn : txns) {
    rows.push_back(row_of(history, report, txn, exhibits));
  }
  append_rows(rows, left_out, colours, sink);
  if (!violation.edges.empty()) {
    sink.append('\n');
    append_steps(history, level, violation.edges, sink);
  }
}

}  // namespace awdit
