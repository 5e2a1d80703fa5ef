// The report for people: the verdicts as a ladder, weakest level first; then
// each finding once, under the weakest level that it breaks; last one plain
// sentence.
#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "report/block.h"
#include "report/digest.h"
#include "report/layout.h"
#include "report/story.h"

namespace awdit {
namespace {

std::string header(const Subject& subject) {
  const History& history = subject.history;
  return fmt::format("{}  {}  {}  {}  {}\n", visible(subject.path),
                     subject.format, count(history.num_sessions(), "session"),
                     count(history.num_txns(), "transaction"),
                     count(history.num_ops(), "operation"));
}

// What a verdict rests on besides the committed transactions.
void append_outcomes(const Report& report, const Tally& counts, Sink& sink) {
  if (counts.aborted != 0) {
    append_wrapped(fmt::format("{} aborted; nobody may read what {} wrote.",
                               count(counts.aborted, "transaction"),
                               counts.aborted == 1 ? "it" : "they"),
                   "", "", sink);
  }
  if (counts.unknown == 0) return;
  const std::size_t promoted = report.promoted.size();
  std::string text = fmt::format("{} with unknown outcome: ",
                                 count(counts.unknown, "transaction"));
  if (promoted != 0) {
    text += fmt::format(
        "{} as committed, because a committed transaction read from {}",
        promoted == 1 ? "1 counts" : fmt::format("{} count", promoted),
        promoted == 1 ? "it" : "them");
  }
  if (report.dropped != 0) {
    if (promoted != 0) text += "; ";
    text += fmt::format(
        "{} left out, because nobody did",
        report.dropped == 1 ? "1 is" : fmt::format("{} are", report.dropped));
    if (promoted == 0) {
      text.resize(text.size() - std::string_view("nobody did").size());
      text += fmt::format("nobody read from {}",
                          report.dropped == 1 ? "it" : "them");
    }
  }
  append_wrapped(text + ".", "", "", sink);
}

// "the same 3 findings, 1 fractured read"
std::string findings_text(const LevelDigest& digest) {
  std::string text;
  if (digest.inherited == 1) {
    text = "the same finding";
  } else if (digest.inherited > 1) {
    text = fmt::format("the same {} findings", digest.inherited);
  }
  for (std::size_t kind = 0; kind < digest.of_kind.size(); ++kind) {
    if (digest.of_kind[kind] == 0) continue;
    if (!text.empty()) text += ", ";
    text += count(digest.of_kind[kind], static_cast<Kind>(kind));
  }
  return text;
}

void append_ladder(const Report& report, const ReportOptions& options,
                   const std::vector<LevelDigest>& digests, Sink& sink) {
  const Palette colours = palette(options.colour);
  std::size_t width = 0;
  for (const LevelReport& level : report.levels) {
    width = std::max(width, level.level->name.size());
  }
  for (std::size_t i = 0; i < report.levels.size(); ++i) {
    const LevelReport& level = report.levels[i];
    sink.append("  ");
    sink.append(padded(level.level->name, width + 3));
    switch (level.verdict) {
      case Verdict::holds:
        sink.append(fmt::format("{}holds{}\n", colours.good, colours.off));
        break;
      case Verdict::undecided:
        sink.append("undecided\n");
        break;
      case Verdict::violated:
        sink.append(
            fmt::format("{}VIOLATED{}   {}{}\n", colours.bad, colours.off,
                        findings_text(digests[i]),
                        options.first ? " (stopped at the first)" : ""));
        break;
    }
  }
}

void append_findings(const History& history, const Report& report,
                     const ReportOptions& options, const Stories& found,
                     Sink& sink) {
  const Palette colours = palette(options.colour);
  for (const Story& story : found.told) {
    if (sink.closed()) return;
    append_block(history, report, story, colours, sink);
  }
  for (const Stories::Untold& rest : found.untold) {
    append_wrapped(
        fmt::format("... and {} on other keys or in other sessions (--limit 0 "
                    "shows all).",
                    count(rest.violations, rest.kind)),
        "\n", "", sink);
  }
}

// A line for each term that some shown sentence uses.
void append_glossary(const Stories& found, const Palette& colours, Sink& sink) {
  std::size_t width = 0;
  std::vector<const Term*> used;
  for (const Term& term : terms()) {
    const bool is_used = std::any_of(
        found.told.begin(), found.told.end(), [&](const Story& story) {
          return std::find(story.terms.begin(), story.terms.end(), &term) !=
                 story.terms.end();
        });
    if (!is_used) continue;
    used.push_back(&term);
    width = std::max(width, columns(term.word));
  }
  if (used.empty()) return;
  sink.append(colours.faint);
  sink.append("\nIn these words:\n");
  for (const Term* term : used) {
    append_wrapped(term->meaning, "  " + padded(term->word, width + 2),
                   std::string(width + 4, ' '), sink);
  }
  sink.append(colours.off);
}

// How much a clean verdict rests on: what is not read cannot be seen to break.
void append_extent(const History& history, const Report& report,
                   const Tally& counts, Sink& sink) {
  const std::string who =
      count(counts.committed + report.promoted.size(), "committed transaction");
  if (counts.reads == 0) {
    sink.append(fmt::format(
        "Checked: {} without a single read, so nothing could be seen to "
        "break.\n",
        who));
  } else {
    sink.append(fmt::format("Checked: {} by {} on {}.\n",
                            count(counts.reads, "read"), who,
                            count(history.num_keys(), "key")));
  }
}

}  // namespace

void write_text(const Subject& subject, const Report& report,
                const ReportOptions& options, Sink& sink) {
  const History& history = subject.history;
  const Tally counts = tally(history, report);
  const Stories found = stories(history, report, options.limit);
  sink.append(header(subject));
  append_outcomes(report, counts, sink);
  sink.append('\n');
  append_ladder(report, options, found.digests, sink);
  append_findings(history, report, options, found, sink);
  append_glossary(found, palette(options.colour), sink);
  sink.append('\n');
  const bool clean = std::all_of(
      report.levels.begin(), report.levels.end(),
      [](const LevelReport& level) { return level.verdict == Verdict::holds; });
  if (clean) append_extent(history, report, counts, sink);
  // One line whatever its length: it is what scripts and eyes look for.
  sink.append(conclusion(report));
  sink.append('\n');
}

void write_checks_text(const Subject& subject, std::string_view certificate,
                       std::span<const LevelCheck> checks,
                       const ReportOptions& options, Sink& sink) {
  const Palette colours = palette(options.colour);
  sink.append(header(subject));
  sink.append(fmt::format("{}  certificate\n\n", visible(certificate)));
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
      sink.append(
          fmt::format("{}{}accepted{}\n", row, colours.good, colours.off));
    } else {
      append_wrapped(
          visible(check.objection),
          fmt::format("{}{}REJECTED:{} ", row, colours.bad, colours.off),
          std::string(columns(row), ' '), sink);
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

// People are told about errors on another channel.
void write_error_text(std::string_view /*path*/, const Error& /*error*/,
                      Sink& /*sink*/) {}

}  // namespace awdit
