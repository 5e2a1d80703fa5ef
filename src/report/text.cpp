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
  for (std::size_t kind = 0; kind < digest.fresh.size(); ++kind) {
    if (digest.fresh[kind] == 0) continue;
    if (!text.empty()) text += ", ";
    text += count(digest.fresh[kind], static_cast<Kind>(kind));
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
                     const ReportOptions& options,
                     const std::vector<LevelDigest>& digests, Sink& sink) {
  const Palette colours = palette(options.colour);
  for (std::size_t i = 0; i < report.levels.size(); ++i) {
    const Level& level = *report.levels[i].level;
    for (std::size_t kind = 0; kind < digests[i].fresh.size(); ++kind) {
      const std::vector<const Violation*>& shown = digests[i].shown[kind];
      for (const Violation* violation : shown) {
        if (sink.closed()) return;
        append_block(history, report, level, *violation, colours, sink);
      }
      if (shown.size() < digests[i].fresh[kind]) {
        sink.append(
            fmt::format("\n... and {} more like this (--limit 0 shows all).\n",
                        digests[i].fresh[kind] - shown.size()));
      }
    }
  }
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
  const std::vector<LevelDigest> digests = digest(report, options.limit);
  sink.append(header(subject));
  append_outcomes(report, counts, sink);
  sink.append('\n');
  append_ladder(report, options, digests, sink);
  append_findings(history, report, options, digests, sink);
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
