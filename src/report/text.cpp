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

namespace awdit {
namespace {

Screen screen(const ReportOptions& options, Sink& sink) {
  return Screen(sink, options.colour, options.blocks, options.width);
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
                   const std::vector<LevelDigest>& digests, const Screen& to) {
  // Room that a note needs to go on below itself.
  constexpr std::size_t kRoom = 36;
  std::size_t width = 0;
  for (const LevelReport& level : report.levels) {
    width = std::max(width, level.level->name.size());
  }
  for (std::size_t i = 0; i < report.levels.size(); ++i) {
    const LevelReport& level = report.levels[i];
    std::string line = "  " + padded(level.level->name, width + 3);
    if (level.verdict == Verdict::violated) {
      line += fmt::format("{}VIOLATED{}", to.bad, to.off);
    } else {
      const bool holds = level.verdict == Verdict::holds;
      line += fmt::format("{}{}{}", holds ? to.good : "", name(level.verdict),
                          holds ? to.off : "");
    }
    std::size_t indent = 0;
    const std::string note = verdict_note(level, digests[i], options.first);
    if (!note.empty()) {
      line += level.verdict == Verdict::holds ? "      " : "   ";
      indent = columns(line);
      line += note;
    }
    to.line(line, indent + kRoom <= to.width ? indent : 6);
  }
}

void append_findings(const Excerpt& found, const Screen& to) {
  for (const Story* story : found.told) {
    if (to.sink.closed()) return;
    append_block(found.all.history, found.all.report, *story, to);
  }
  for (const Untold::OfKind& rest : found.untold.list()) {
    to.prose(
        untold_text(rest.violations, rest.kind) + " (--limit 0 shows all).",
        "\n", "");
  }
}

// A line for each term that some shown sentence uses.
void append_glossary(const Excerpt& found, const Screen& to) {
  const std::vector<const Word*> used = terms_of(found);
  std::size_t width = 0;
  for (const Word* term : used) width = std::max(width, columns(term->word));
  if (used.empty()) return;
  to.sink.append(to.faint);
  to.sink.append("\nIn these words:\n");
  for (const Word* term : used) {
    to.prose(term->meaning, "  " + padded(term->word, width + 2),
             std::string(width + 4, ' '));
  }
  to.sink.append(to.off);
}

// With what is known of it, if anything is.
std::string told_conclusion(const Report& report,
                            const ReportOptions& options) {
  std::string text = conclusion(report);
  if (!options.known.any()) return text;
  const std::string known = known_sentence(report, options.known);
  return known.empty() ? text : text + " " + known;
}

void write_text(const Subject& subject, const Excerpt& found,
                const ReportOptions& options, Sink& sink) {
  const Report& report = found.all.report;
  const Screen to = screen(options, sink);
  // Of several histories a person wants the verdicts; the evidence of one can
  // be had by naming it alone.
  if (options.several) {
    to.line(fmt::format("{}: {}", visible(subject.path),
                        told_conclusion(report, options)),
            4);
    return;
  }
  const History& history = subject.history;
  to.line(visible(header_text(subject)), 4);
  for (const std::string& sentence : recorded_sentences(history)) {
    to.prose(visible(sentence));
  }
  for (const std::string& sentence : outcome_sentences(history, report)) {
    to.prose(sentence);
  }
  to.blank();
  append_ladder(report, options, found.all.digests, to);
  if (const std::string text = set_aside_sentence(history, report);
      !text.empty()) {
    to.prose(visible(text), "\n", "");
  }
  append_findings(found, to);
  append_glossary(found, to);
  to.blank();
  if (is_clean(report)) {
    to.line(extent_sentence(history, report));
  }
  if (!found.told.empty()) {
    to.line(fmt::format("{}Learn more: awdit explain {}",
                        options.paged ? "" : "See it: --report out.html   ",
                        anomaly(found.told.front()->violation.kind).name));
  }
  // For scripts, one line whatever its length.
  to.line(told_conclusion(report, options));
}

}  // namespace

void write_checks_text(const Subject& subject, std::string_view certificate,
                       std::span<const LevelCheck> checks,
                       const ReportOptions& options, Sink& sink) {
  const Screen to = screen(options, sink);
  to.line(visible(header_text(subject)), 4);
  to.line(fmt::format("{}  certificate", visible(certificate)), 4);
  to.blank();
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
      to.line(fmt::format("{}{}accepted{}", row, to.good, to.off), 4);
    } else {
      to.prose(visible(check.objection),
               fmt::format("{}{}REJECTED:{} ", row, to.bad, to.off),
               std::string(columns(row), ' '));
    }
  }
  to.blank();
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
      screen(options_, sink_)
          .line(fmt::format("{}: no verdict: {}.", visible(path),
                            visible(error.message)),
                4);
    }
  };
  return std::make_unique<Text>(options, sink,
                                options.several ? 0 : asked_groups(options));
}

// People are told about errors on another channel.
void write_error_text(std::string_view /*path*/, const Error& /*error*/,
                      Sink& /*sink*/) {}

}  // namespace awdit
