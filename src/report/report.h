// Results made readable. Front door.
//
// A report is one row of the table in reports.cpp and one file: it turns what
// was found into bytes. Nothing here prints, knows a file format or looks at a
// terminal; bytes go to a Sink, so that a million findings do not need a
// gigabyte of text in memory.
//
// A document may be about several histories (junit, sarif), each of which is
// gone when the next one comes: hence a writer that is opened, told of one
// history after the other, and ended. What it shows was decided before, once
// for all documents about a history: see tell/stories.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sink.h"
#include "history/history.h"
#include "stats/stats.h"
#include "tell/tell.h"
#include "theory/theory.h"

namespace awdit {

// What was looked at.
struct Subject {
  std::string_view path;    // as the user knows it
  std::string_view format;  // name of the history format
  const History& history;
};

struct ReportOptions {
  bool colour = false;       // text only
  bool blocks = false;       // text only: bars and frames of Unicode
  std::size_t width = 0;     // text only: the terminal's columns; 0: none
  std::uint32_t limit = 3;   // for people: groups told per kind, 0 = all
  bool first = false;        // the search stopped at each level's first finding
  bool several = false;      // the document is about several histories
  bool paged = false;        // text only: a page is written besides
  Known known = {};          // anomalies that are no news
  bool errors_told = false;  // text only: its reader is told of errors anyway
  std::string_view version = "";  // of the program, where a document names it
};

// A document on its way to a sink. Every path of it is told of once.
class ReportWriter {
 public:
  // `groups`: see groups().
  ReportWriter(const ReportOptions& options, Sink& sink, std::uint32_t groups)
      : options_(options), sink_(sink), groups_(groups) {}
  virtual ~ReportWriter() = default;

  // How many groups of each kind it shows: the stories that it is given must
  // tell at least these (kAllGroups: all), or as many as there are.
  std::uint32_t groups() const { return groups_; }

  // The verdicts of a check, with what is told of them.
  void add(const Subject& subject, const Stories& stories) {
    write(subject, excerpt(stories, groups_));
  }
  // That there is no result.
  virtual void add_error(std::string_view path, const Error& error) = 0;
  // Completes the document. To be called once, last.
  virtual void end() {}

 protected:
  virtual void write(const Subject& subject, const Excerpt& shown) = 0;

  const ReportOptions options_;
  Sink& sink_;  // outlives the writer

 private:
  const std::uint32_t groups_;
};

using OpenReport = std::unique_ptr<ReportWriter>(const ReportOptions& options,
                                                 Sink& sink);
using WriteChecks = void(const Subject& subject, std::string_view certificate,
                         std::span<const LevelCheck> checks,
                         const ReportOptions& options, Sink& sink);
using WriteStats = void(const Subject& subject, const Stats& stats,
                        const ReportOptions& options, Sink& sink);
using WriteError = void(std::string_view path, const Error& error, Sink& sink);

struct ReportFormat {
  std::string_view name;
  std::span<const std::string_view> aliases = {};
  std::string_view extension;  // of files, with the dot
  std::string_view summary;
  bool several = true;  // whether a document may be about several histories
  OpenReport* open;
  // What a verifier says about a certificate; nullptr: not in this format.
  WriteChecks* write_checks = nullptr;
  // What a history holds; nullptr: not in this format.
  WriteStats* write_stats = nullptr;
  // That there is no result, for those two.
  WriteError* write_error = nullptr;
};

std::span<const ReportFormat> reports();

// The report that a file's name asks for, or nullptr.
const ReportFormat* report_of_name(std::string_view path);

// -- the dictionary -----------------------------------------------------------

// All that a name means.
struct Meaning {
  std::string remark;  // on whose name it is, if it is not one of ours
  std::vector<const Level*> levels;
  std::vector<const Anomaly*> anomalies;
  const SqlLevel* sql = nullptr;
  const Word* term = nullptr;
  // What others call so, besides.
  std::vector<const Level*> other_levels;
  std::vector<const Anomaly*> other_anomalies;

  bool any() const {
    return !levels.empty() || !anomalies.empty() || sql != nullptr ||
           term != nullptr;
  }
};

// Any name will do that a report prints, in any case, with hyphens or blanks.
Meaning meaning_of(std::string_view typed);
// For people. `examples`: those of what is meant (tell/example.h); nullptr:
// there is none.
void explain_meaning(const Meaning& meaning,
                     std::span<const std::unique_ptr<const Example>> examples,
                     const ReportOptions& options, Sink& sink);
// All that has an entry: levels, anomalies, words.
std::vector<std::string_view> words_to_explain();
// The same and all their other names.
std::vector<std::string_view> names_to_explain();

// "REPEATABLE READ"
std::string sql_name(const SqlLevel& sql);

}  // namespace awdit
