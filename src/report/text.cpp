// The report for people: the verdicts as a ladder, weakest level first; then
// each finding once, under the weakest level that it breaks; last one plain
// sentence.
#include <fmt/format.h>

#include <algorithm>

#include "base/columns.h"
#include "base/utf8.h"
#include "report/block.h"
#include "report/layout.h"
#include "report/rows.h"
#include "tell/tell.h"

namespace awdit {
namespace {

// Without frames: those are for operations.
Palette looks(const ReportOptions& options) {
  return palette(options.colour, false, options.width);
}

// "causal.txt  plume  4 sessions  7 transactions  11 operations"
std::string header_text(const Subject& subject) {
  const History& history = subject.history;
  return fmt::format("{}  {}  {}  {}  {}", subject.path, subject.format,
                     count(num_sessions(history), "session"),
                     count(history.num_txns(), "transaction"),
                     count(history.num_ops(), "operation"));
}

void append_ladder(const Report& report, const ReportOptions& options,
                   const std::vector<LevelDigest>& digests, Sink& sink) {
  // Room that a note needs to go on below itself.
  constexpr std::size_t kRoom = 36;
  const Palette colours = looks(options);
  std::size_t width = 0;
  for (const LevelReport& level : report.levels) {
    width = std::max(width, level.level->name.size());
  }
  for (std::size_t i = 0; i < report.levels.size(); ++i) {
    const LevelReport& level = report.levels[i];
    std::string line = "  " + padded(level.level->name, width + 3);
    if (level.verdict == Verdict::violated) {
      line += fmt::format("{}VIOLATED{}", colours.bad, colours.off);
    } else {
      const bool holds = level.verdict == Verdict::holds;
      line += fmt::format("{}{}{}", holds ? colours.good : "",
                          name(level.verdict), holds ? colours.off : "");
    }
    std::size_t indent = 0;
    const std::string note = verdict_note(level, digests[i], options.first);
    if (!note.empty()) {
      line += level.verdict == Verdict::holds ? "      " : "   ";
      indent = columns(line);
      line += note;
    }
    append_line(line, indent + kRoom <= colours.width ? indent : 6, colours,
                sink);
  }
}

void append_findings(const Excerpt& found, const ReportOptions& options,
                     Sink& sink) {
  const Palette colours =
      palette(options.colour, options.blocks, options.width);
  for (const Story* story : found.told) {
    if (sink.closed()) return;
    append_block(found.all.history, found.all.report, *story, colours, sink);
  }
  for (const Untold::OfKind& rest : found.untold.list()) {
    append_wrapped(
        untold_text(rest.violations, rest.kind) + " (--limit 0 shows all).",
        "\n", "", colours, sink);
  }
}

// A line for each term that some shown sentence uses.
void append_glossary(const Excerpt& found, const Palette& colours, Sink& sink) {
  const std::vector<const Word*> used = terms_of(found);
  std::size_t width = 0;
  for (const Word* term : used) width = std::max(width, columns(term->word));
  if (used.empty()) return;
  sink.append(colours.faint);
  sink.append("\nIn these words:\n");
  for (const Word* term : used) {
    append_wrapped(term->meaning, "  " + padded(term->word, width + 2),
                   std::string(width + 4, ' '), colours, sink);
  }
  sink.append(colours.off);
}

void write_text(const Subject& subject, const Excerpt& found,
                const ReportOptions& options, Sink& sink) {
  const Report& report = found.all.report;
  // Of several histories a person wants the verdicts; the evidence of one can
  // be had by naming it alone.
  if (options.several) {
    append_line(
        fmt::format("{}: {}", visible(subject.path), conclusion(report)), 4,
        looks(options), sink);
    return;
  }
  const History& history = subject.history;
  const Palette look = looks(options);
  append_line(visible(header_text(subject)), 4, look, sink);
  for (const std::string& sentence : recorded_sentences(history)) {
    append_wrapped(visible(sentence), "", "", look, sink);
  }
  for (const std::string& sentence : outcome_sentences(history, report)) {
    append_wrapped(sentence, "", "", look, sink);
  }
  sink.append('\n');
  append_ladder(report, options, found.all.digests, sink);
  if (const std::string text = set_aside_sentence(history, report);
      !text.empty()) {
    append_wrapped(visible(text), "\n", "", look, sink);
  }
  append_findings(found, options, sink);
  append_glossary(found, look, sink);
  sink.append('\n');
  if (is_clean(report)) {
    append_line(extent_sentence(history, report), 0, look, sink);
  }
  if (!found.told.empty()) {
    append_line(fmt::format("{}Learn more: awdit explain {}",
                            options.paged ? "" : "See it: --report out.html   ",
                            anomaly(found.told.front()->violation.kind).name),
                0, look, sink);
  }
  // For scripts, one line whatever its length.
  append_line(conclusion(report), 0, look, sink);
}

}  // namespace

void write_checks_text(const Subject& subject, std::string_view certificate,
                       std::span<const LevelCheck> checks,
                       const ReportOptions& options, Sink& sink) {
  const Palette colours = looks(options);
  append_line(visible(header_text(subject)), 4, colours, sink);
  append_line(fmt::format("{}  certificate", visible(certificate)), 4, colours,
              sink);
  sink.append('\n');
  std::size_t width = 0, verdict_width = 0, rejected = 0;
  for (const LevelCheck& check : checks) {
    width = std::max(width, check.level->name.size());
    verdict_width = std::max(verdict_width, name(check.verdict).size());
    rejected += check.accepted ? 0 : 1;
  }
  for (const LevelCheck& check : checks) {
    const std::string row = "  " + padded(check.level->name, width + 3) +
                            padded(name(check.verdict), verdict_width + 3);
    if (check.accepted) {
      append_line(fmt::format("{}{}accepted{}", row, colours.good, colours.off),
                  4, colours, sink);
    } else {
      append_wrapped(
          visible(check.objection),
          fmt::format("{}{}REJECTED:{} ", row, colours.bad, colours.off),
          std::string(columns(row), ' '), colours, sink);
    }
  }
  sink.append('\n');
  if (checks.empty()) {
    sink.append("The certificate claims nothing.\n");
  } else if (rejected == 0) {
    sink.append("The history proves every verdict of the certificate.\n");
  } else {
    sink.append(fmt::format("{} of {} not proven by the history.\n", rejected,
                            count(checks.size(), "verdict")));
  }
}

std::unique_ptr<ReportWriter> open_text(const ReportOptions& options,
                                        Sink& sink) {
  class Text : public ReportWriter {
   public:
    using ReportWriter::ReportWriter;
    void write(const Subject& subject, const Excerpt& shown) override {
      write_text(subject, shown, options_, sink_);
    }
    void add_error(std::string_view path, const Error& error) override {
      if (options_.errors_told) return;
      append_line(fmt::format("{}: no verdict: {}.", visible(path),
                              visible(error.message)),
                  4, looks(options_), sink_);
    }
  };
  return std::make_unique<Text>(options, sink,
                                options.several ? 0 : asked_groups(options));
}

// People are told about errors on another channel.
void write_error_text(std::string_view /*path*/, const Error& /*error*/,
                      Sink& /*sink*/) {}

}  // namespace awdit
