// Results made readable. Front door.
//
// A report format is one row of the table in reports.cpp and one file: pure
// functions from what was found to bytes. Nothing here prints, knows a file
// format or looks at a terminal; bytes go to a Sink, so that a million findings
// do not need a gigabyte of text in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sink.h"
#include "check/check.h"
#include "history/history.h"
#include "stats/stats.h"
#include "witness/witness.h"

namespace awdit {

// What was looked at.
struct Subject {
  std::string_view path;    // as the user knows it
  std::string_view format;  // name of the history format
  const History& history;
};

struct ReportOptions {
  bool colour = false;      // text only
  bool blocks = false;      // text only: bars of Unicode's block elements
  std::uint32_t limit = 3;  // text only: findings shown per kind, 0 = all
  bool first = false;       // the search stopped at each level's first finding
};

struct ReportFormat {
  std::string_view name;
  std::span<const std::string_view> aliases;
  std::string_view summary;
  // The verdicts of a check, with their evidence.
  void (*write)(const Subject& subject, const Report& report,
                const ReportOptions& options, Sink& sink);
  // What a verifier says about a certificate.
  void (*write_checks)(const Subject& subject, std::string_view certificate,
                       std::span<const LevelCheck> checks,
                       const ReportOptions& options, Sink& sink);
  // What a history holds.
  void (*write_stats)(const Subject& subject, const Stats& stats,
                      const ReportOptions& options, Sink& sink);
  // That there is no result, for readers of the output proper; the error is
  // told to people elsewhere. May write nothing.
  void (*write_error)(std::string_view path, const Error& error, Sink& sink);
};

std::span<const ReportFormat> reports();

// -- the dictionary -----------------------------------------------------------

// What a level, an anomaly or a word of the explanations means, for people,
// with an example; false: it is none of them.
bool explain_word(std::string_view word, const ReportOptions& options,
                  Sink& sink);
// All that it knows: levels, anomalies, words.
std::vector<std::string_view> words_to_explain();

// -- the plain sentence -------------------------------------------------------

// The asked levels that hold and that no other holding one implies, and those
// violated ones that imply no other violated one: in a chain one each, in a
// lattice perhaps several.
std::vector<const Level*> strongest_holding(const Report& report);
std::vector<const Level*> weakest_violated(const Report& report);

// "Strongest level that holds: read-atomic. Weakest that breaks: causal."
std::string conclusion(const Report& report);

}  // namespace awdit
