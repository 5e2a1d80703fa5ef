// The report for Graphviz: a box per transaction with a port per operation, so
// that arrows end where they are justified, as in Elle's plots; sessions are
// clusters, and every arrow has the number of its step in the proof.
//
// Text of the history appears in HTML-like labels and in quoted tooltips, never
// in quoted labels, where \\N and the like would be replaced.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/arrows.h"
#include "report/markup.h"
#include "report/piece.h"
#include "report/rows.h"

namespace awdit {
namespace {

// Graphviz needs minutes for more.
constexpr std::size_t kMostTxns = 100;
constexpr std::size_t kOpColumns = 60;
constexpr std::size_t kLineColumns = 90;

// Graphviz reads entities in quoted strings, too, and backslashes besides.
std::string quoted(std::string_view text) {
  static constexpr Escape kEscapes[] = {{"\\", "\\\\"}};
  return "\"" + escaped(xml_text(text), kEscapes) + "\"";
}

// Words on lines of an HTML-like label.
std::string wrapped(std::string_view text) {
  std::string result;
  for (const std::string& line :
       word_lines(clipped(text, 20 * kLineColumns), kLineColumns)) {
    if (!result.empty()) result += "<br/>";
    result += xml_text(line);
  }
  return result;
}

class Graph : Piece {
 public:
  using Piece::Piece;

  void write() {
    std::string head = "<b>" + xml_text(clipped(subject_.path, 200)) +
                       "</b><br/>" + xml_text(conclusion(report_));
    if (const std::string text = session_order_sentence(history_);
        !text.empty()) {
      head += "<br/>" + xml_text(text);
    }
    for (const Untold::OfKind& rest : shown_.untold.list()) {
      head += "<br/>" + xml_text(untold_text(rest.violations, rest.kind));
    }
    line("digraph awdit {{");
    line(
        "  graph [label=<{}>, labelloc=t, fontname=\"Helvetica\", "
        "bgcolor=\"white\"];",
        head);
    line("  rankdir=LR; nodesep=0.3; ranksep=0.8;");
    line("  node [shape=plain, fontname=\"monospace\", fontsize=11];");
    line("  edge [fontname=\"Helvetica\", fontsize=11];");
    for (const Story* story : shown_.told) {
      if (sink_.closed()) return;
      write_story(*story);
      ++number_;
    }
    line("}}");
  }

 private:
  template <typename... Parts>
  void line(fmt::format_string<Parts...> pattern, Parts&&... parts) {
    sink_.append(fmt::format(pattern, std::forward<Parts>(parts)...));
    sink_.append('\n');
  }

  std::string node(TxnId txn) const {
    if (history_.is_init(txn)) return fmt::format("s{}_init", number_);
    return fmt::format("s{}_t{}", number_, txn.v);
  }

  void write_story(const Story& story) {
    const std::vector<Arrow> arrows = arrows_of(history_, story);
    std::map<std::uint32_t, std::vector<const StoryTxn*>> sessions;
    drawn_.clear();
    for (const StoryTxn& txn : story.txns) {
      if (drawn_.size() == kMostTxns) break;
      drawn_.insert(txn.txn.v);
      sessions[history_.session(txn.txn).v].push_back(&txn);
    }
    std::string head =
        "<b>" + wrapped(story.title) + "</b><br/>" + wrapped(story.headline);
    if (drawn_.size() != story.txns.size()) {
      head +=
          fmt::format("<br/>{} left out",
                      count(story.txns.size() - drawn_.size(), "transaction"));
    }
    line("  subgraph cluster_{} {{", number_);
    line("    label=<{}>; labelloc=t; labeljust=l; color=\"#c8ced6\";", head);
    for (auto& [session, txns] : sessions) {
      std::ranges::sort(txns, {}, &StoryTxn::txn);
      line("    subgraph cluster_{}_{} {{", number_, session);
      line(
          "      label=<session {}>; labeljust=l; fontsize=12; "
          "style=\"rounded,filled\"; "
          "color=\"#c8ced6\"; fillcolor=\"#f4f6f8\";",
          xml_text(clipped(history_.session_name(SessionId(session)), 40)));
      for (const StoryTxn* txn : txns) write_txn(story, *txn);
      // Keeps the order of the session where no arrow does.
      for (std::size_t i = 1; i < txns.size(); ++i) {
        line("      {} -> {} [style=invis, weight=10];", node(txns[i - 1]->txn),
             node(txns[i]->txn));
      }
      line("    }}");
    }
    if (has_init(history_, arrows)) {
      line(
          "    {} [label=<<table border=\"0\" cellborder=\"1\" "
          "cellspacing=\"0\" color=\"#6b7480\"><tr><td port=\"t\">initial "
          "state</td></tr></table>>];",
          node(history_.init_txn()));
    }
    for (const Arrow& arrow : arrows) write_arrow(story, arrow);
    line("  }}");
  }

  void write_txn(const Story& story, const StoryTxn& shown) {
    const bool aborted = history_.status(shown.txn) == Status::aborted;
    const bool unknown = history_.status(shown.txn) == Status::unknown;
    std::string rows = fmt::format(
        "<tr><td port=\"t\" bgcolor=\"{}\"><font color=\"white\"><b>{}</b>{}"
        "</font></td></tr>",
        aborted   ? "#A50053"
        : unknown ? "#AC6E00"
                  : "#0058AD",
        xml_text(clipped(history_.txn_name(shown.txn), 40)),
        aborted   ? " aborted"
        : unknown ? " outcome unknown"
                  : "");
    for (const Exhibit& exhibit : shown.ops) {
      const bool wrong = is_contested(story, exhibit.op);
      rows += fmt::format(
          "<tr><td port=\"o{}\" align=\"left\"{}>{}</td></tr>", exhibit.op.v,
          wrong ? " bgcolor=\"#ffd9d1\"" : "",
          xml_text(clipped(op_text(history_, exhibit.op, exhibit.element),
                           kOpColumns)));
    }
    if (shown.omitted != 0) {
      rows += fmt::format("<tr><td align=\"left\">… {}</td></tr>",
                          count(shown.omitted, "more operation"));
    }
    line(
        "      {} [label=<<table border=\"0\" cellborder=\"1\" "
        "cellspacing=\"0\" color=\"#6b7480\">{}</table>>, tooltip={}];",
        node(shown.txn), rows,
        quoted(clipped(place_text(history_, shown.txn) + " " +
                           lines_text(history_, shown.ops),
                       200)));
  }

  std::string port(TxnId txn, OpId op) const {
    const bool shown = op.valid() && !history_.is_init(txn);
    return shown ? fmt::format("{}:o{}", node(txn), op.v) : node(txn) + ":t";
  }

  void write_arrow(const Story& story, const Arrow& arrow) {
    for (const TxnId end : {arrow.from, arrow.to}) {
      if (!history_.is_init(end) && !drawn_.contains(end.v)) return;
    }
    const ArrowStyle& style = style_of(arrow.kind);
    std::string more;
    if (arrow.step != 0) {
      more += fmt::format(
          ", label=\" {}\", tooltip={}", arrow.step,
          quoted(clipped(step_text(story.proof.steps[arrow.step - 1]), 1'000)));
    }
    line("    {} -> {} [color=\"{}\", fontcolor=\"{}\"{}{}];",
         port(arrow.from, arrow.at_from), port(arrow.to, arrow.at_to),
         style.light, style.light, more, style.dot);
  }

  std::size_t number_ = 0;         // of the story
  std::set<std::uint32_t> drawn_;  // its transactions
};

}  // namespace

void write_dot(const Subject& subject, const Excerpt& shown,
               const ReportOptions& options, Sink& sink) {
  Graph(subject, shown, options, sink).write();
}

void write_error_dot(std::string_view path, const Error& error, Sink& sink) {
  sink.append(fmt::format(
      "digraph awdit {{\n  graph [label=<<b>{}</b><br/>no verdict: {}>, "
      "labelloc=t, fontname=\"Helvetica\"];\n}}\n",
      xml_text(clipped(path, 200)), wrapped(error.message)));
}

}  // namespace awdit
