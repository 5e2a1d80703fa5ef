// The report for a bug tracker or the summary of a CI job: verdicts as a table,
// every story whole, what not everybody needs folded. Each history is a section
// of its own, so that documents can be appended to one another.
//
// GitHub cuts a summary at 1 MB; long evidence is therefore shown by its ends,
// and the history to try it with only while it is short.
#include <fmt/format.h>

#include "base/utf8.h"
#include "report/markdown_text.h"
#include "report/piece.h"
#include "report/reproducer.h"

namespace awdit {
namespace {

// Rows and steps shown at the beginning and at the end of long evidence.
constexpr std::size_t kEnds = 6;
constexpr std::size_t kReproducerBytes = 16'000;

// The line breaks are ours.
std::string visible_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    result += visible(text.substr(0, end)) + "\n";
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return result;
}

class Section : Piece {
 public:
  using Piece::Piece;

  void write() {
    line("## AWDIT: {}\n", markdown_prose(subject_.path));
    line("**{}**\n", conclusion(report_));
    if (options_.known.any()) {
      if (const std::string text = known_sentence(report_, options_.known);
          !text.empty()) {
        line("{}\n", text);
      }
    }
    if (is_clean(report_)) {
      line("{}\n", extent_sentence(history_, report_));
    }
    write_verdicts();
    line("{} history of {}, {} and {}.", subject_.format,
         count(num_sessions(history_), "session"),
         count(history_.num_txns(), "transaction"),
         count(history_.num_ops(), "operation"));
    for (const std::string& text : recorded_sentences(history_)) {
      line("{}", markdown_prose(text));
    }
    for (const std::string& text : outcome_sentences(history_, report_)) {
      line("{}", text);
    }
    for (const std::string& warning : history_.warnings()) {
      line("Warning: {}", markdown_prose(warning));
    }
    if (const std::string text = set_aside_sentence(history_, report_);
        !text.empty()) {
      line("{}", markdown_prose(text));
    }
    for (const Story* story : shown_.told) {
      if (sink_.closed()) return;
      write_story(*story);
    }
    for (const Untold::OfKind& rest : shown_.untold.list()) {
      line("\n{}.", untold_text(rest.violations, rest.kind));
    }
    line("");
  }

 private:
  template <typename... Parts>
  void line(fmt::format_string<Parts...> pattern, Parts&&... parts) {
    sink_.append(fmt::format(pattern, std::forward<Parts>(parts)...));
    sink_.append('\n');
  }

  void write_verdicts() {
    line("| level | verdict | found |\n|---|---|---|");
    for (std::size_t i = 0; i < report_.levels.size(); ++i) {
      const LevelReport& level = report_.levels[i];
      line("| {} | {} | {} |", level.level->name,
           level.verdict == Verdict::violated ? "**VIOLATED**"
                                              : name(level.verdict),
           verdict_note(level, shown_.all.digests[i], options_.first));
    }
    line("");
  }

  void write_story(const Story& story) {
    line("\n### {}{}\n", markdown_prose(story.title),
         story.count == 1
             ? ""
             : fmt::format(" ({} like this: same keys, same sessions)",
                           story.count));
    line("{}\n", markdown_prose(story.headline));
    write_txns(story);
    write_proof(story.proof);
    line("{}\n", breaks_sentence(story.breaks, story.keeps));
    const Anomaly& row = anomaly(story.violation.kind);
    line("<details><summary>In these words</summary>\n");
    line("- **{}**: {} Elsewhere: {}.", row.name, row.sentence,
         markdown_prose(row.also));
    for (const Word* term : story.terms) {
      line("- **{}**: {}", term->word, term->meaning);
    }
    line("\n</details>");
    write_reproducer(story);
  }

  void write_txns(const Story& story) {
    line("| where | transaction | operations | input |\n|---|---|---|---|");
    const std::size_t n = story.txns.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (n > 2 * kEnds && i == kEnds) {
        line("| … | {} left out | | |", count(n - 2 * kEnds, "transaction"));
        i = n - kEnds;
      }
      write_txn(story.txns[i]);
    }
    line("");
  }

  void write_txn(const StoryTxn& shown) {
    std::string ops;
    const auto add = [&](const std::string& text) {
      if (!ops.empty()) ops += "<br>";
      ops += text;
    };
    for (const Exhibit& exhibit : shown.ops) {
      add(markdown_code(exhibit_text(history_, exhibit)));
    }
    if (shown.omitted != 0) {
      add(fmt::format("… {}", count(shown.omitted, "more operation")));
    }
    if (ops.empty()) ops = "(no operations)";
    if (const std::string status = status_text(history_, report_, shown.txn);
        !status.empty()) {
      add("(" + status + ")");
    }
    for (const std::string& note : notes_of(history_, shown.txn)) {
      add(markdown_prose(note));
    }
    line("| {} | **{}** | {} | {} |",
         markdown_prose(place_text(history_, shown.txn)),
         markdown_prose(history_.txn_name(shown.txn)), ops,
         lines_text(history_, shown.ops));
  }

  void write_proof(const Proof& proof) {
    const std::size_t n = proof.steps.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (n > 2 * kEnds && i == kEnds) {
        line("\n… {} …\n", count(n - 2 * kEnds, "step"));
        i = n - kEnds;
      }
      line("{}. {}", i + 1, markdown_prose(step_text(proof.steps[i])));
    }
    if (n != 0) line("");
    if (!proof.contradiction.empty()) {
      line("**{}**\n", markdown_prose(proof.contradiction));
    }
  }

  void write_reproducer(const Story& story) {
    if (story.txns.size() > 2 * kEnds) return;
    const Reproducer part = reproducer_of(history_, story);
    if (part.text.empty() || part.text.size() > kReproducerBytes) return;
    line("\n<details><summary>These operations as a history ({})</summary>\n",
         part.format);
    sink_.append(markdown_fenced(part.text));
    line("\nSave it and try: <code>awdit check {}FILE</code>\n\n</details>",
         history_.session_order() ? "" : "--no-session-order ");
  }
};

}  // namespace

void write_markdown(const Subject& subject, const Excerpt& shown,
                    const ReportOptions& options, Sink& sink) {
  Section(subject, shown, options, sink).write();
}

void write_error_markdown(std::string_view path, const Error& error,
                          Sink& sink) {
  sink.append(fmt::format("## AWDIT: {}\n\n**No verdict.** {}: {}.\n\n",
                          markdown_prose(path), markdown_prose(error.where),
                          markdown_prose(error.message)));
  if (!error.excerpt.empty()) {
    sink.append(markdown_fenced(visible_lines(error.excerpt)) + "\n");
  }
  if (!error.hint.empty()) {
    sink.append(markdown_prose(error.hint) + "\n\n");
  }
}

}  // namespace awdit
