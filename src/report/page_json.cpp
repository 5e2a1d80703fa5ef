#include "report/page_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "report/digest.h"
#include "report/page_story.h"
#include "report/page_text.h"
#include "report/recorded.h"
#include "report/sentences.h"
#include "report/shown_times.h"
#include "report/story.h"

namespace awdit {
namespace {

constexpr int kVersion = 1;
// Groups of a kind that are told at most: more would hardly find room.
constexpr std::uint32_t kMostOfKind = 200;
constexpr std::size_t kStoryBytes = 700'000;
constexpr std::size_t kMostWarnings = 20;
constexpr std::size_t kWarning = 400;  // code points

struct Span {
  bool known = false;
  std::int64_t first = 0, last = 0;
};

Span time_span(const History& history) {
  Span span;
  if (history.clock() == Clock::none) return span;
  for (const TxnId txn : history.txns()) {
    const auto times = shown_times(history, txn);
    if (!times) continue;
    for (const std::int64_t at : {times->begin, times->end}) {
      if (at == kNoTime) continue;
      span.first = span.known ? std::min(span.first, at) : at;
      span.last = span.known ? std::max(span.last, at) : at;
      span.known = true;
    }
  }
  return span;
}

// In a page `<`, `>` and `&` are six bytes each, see html.cpp.
std::size_t size_in_page(std::string_view json) {
  const auto escaped = std::count_if(json.begin(), json.end(), [](char c) {
    return c == '<' || c == '>' || c == '&';
  });
  return json.size() + 5 * static_cast<std::size_t>(escaped);
}

// Stories as JSON, in the order of `told`; empty: there was no room.
std::vector<std::string> write_stories(const History& history,
                                       const Report& report,
                                       const std::vector<Story>& told,
                                       std::int64_t first_time) {
  std::vector<OpId> ops;
  for (const Story& story : told) {
    const std::vector<OpId> mine = page_ops(history, story);
    ops.insert(ops.end(), mine.begin(), mine.end());
  }
  const auto versions = versions_of(history, ops);
  // The first of each kind, then the second of each, ...
  std::vector<std::size_t> turn(told.size()), order(told.size());
  std::vector<std::size_t> of_kind(anomalies().size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    turn[i] = of_kind[static_cast<std::size_t>(told[i].violation.kind)]++;
    order[i] = i;
  }
  std::stable_sort(
      order.begin(), order.end(),
      [&](std::size_t a, std::size_t b) { return turn[a] < turn[b]; });
  std::vector<std::string> texts(told.size());
  std::size_t bytes = 0;
  for (const std::size_t i : order) {
    std::string text =
        page_story(history, report, told[i], versions, first_time);
    const std::size_t size = size_in_page(text);
    if (bytes + size > kStoryBytes) continue;
    bytes += size;
    texts[i] = std::move(text);
    // Room for nothing worth looking for.
    if (bytes + 2'000 > kStoryBytes) break;
  }
  return texts;
}

class Document {
 public:
  Document(const Subject& subject, const Report& report,
           const ReportOptions& options, Sink& sink)
      : history_(subject.history),
        subject_(subject),
        report_(report),
        options_(options),
        sink_(sink),
        json_(sink) {}

  void write() {
    const Span span = time_span(history_);
    const Stories found = stories(history_, report_, kMostOfKind);
    json_.begin_object();
    json_.field("version", kVersion);
    json_.field("tool", "awdit " AWDIT_VERSION);
    write_history(span);
    json_.field("conclusion", conclusion(report_));
    json_.field("stopped_at_first", options_.first);
    write_levels(found);
    write_terms(found);
    const std::vector<std::string> texts =
        write_stories(history_, report_, found.told, span.first);
    write_totals(found, texts);
    json_.key("stories");
    // The stories are JSON already.
    sink_.append('[');
    bool first = true;
    for (const std::string& text : texts) {
      if (text.empty()) continue;
      if (!first) sink_.append(',');
      first = false;
      sink_.append(text);
    }
    sink_.append("]}");
  }

 private:
  void write_history(const Span& span) {
    const Tally counts = tally(history_, report_);
    std::uint64_t writes = 0;
    for (const std::uint32_t word : history_.op_words()) writes += word & 1u;
    json_.key("history");
    json_.begin_object();
    json_.field("path", cut(subject_.path, 300));
    json_.field("format", subject_.format);
    json_.field("lists", history_.has_lists());
    json_.field("sessions", num_sessions(history_));
    json_.field("transactions", history_.num_txns());
    json_.field("operations", history_.num_ops());
    json_.field("keys", history_.num_keys());
    json_.field("writes", writes);
    json_.field("reads", history_.num_ops() - writes);
    json_.field("judged_reads", report_.reads);
    json_.field("committed", counts.committed);
    json_.field("aborted", counts.aborted);
    json_.field("unknown", counts.unknown);
    json_.field("promoted", report_.promoted.size());
    json_.field("dropped", report_.dropped);
    if (const std::string text = session_order_sentence(history_);
        !text.empty()) {
      json_.field("session_order", text);
    }
    if (span.known) {
      json_.field("clock", name(history_.clock()));
      json_.field("time_span",
                  time_text(history_.clock(), span.first, span.last));
    }
    const std::vector<std::string> recorded = recorded_sentences(history_);
    if (!recorded.empty()) {
      json_.key("recorded");
      json_.begin_array();
      for (const std::string& text : recorded) json_.value(cut(text, kWarning));
      json_.end_array();
    }
    json_.key("warnings");
    json_.begin_array();
    const std::vector<std::string>& warnings = history_.warnings();
    for (std::size_t i = 0; i < warnings.size() && i < kMostWarnings; ++i) {
      json_.value(cut(warnings[i], kWarning));
    }
    json_.end_array();
    json_.end_object();
  }

  // What was asked, and what follows from it for the other levels: all of the
  // table, so that a page can draw which implies which.
  void write_levels(const Stories& found) {
    json_.key("levels");
    json_.begin_array();
    for (const Level& level : levels()) {
      json_.begin_object();
      json_.field("name", level.name);
      json_.field("title", level.title);
      json_.field("summary", level.summary);
      json_.key("implies");
      json_.begin_array();
      for (const std::string_view weaker : level.implies) json_.value(weaker);
      json_.end_array();
      const auto asked = std::find_if(
          report_.levels.begin(), report_.levels.end(),
          [&](const LevelReport& row) { return row.level == &level; });
      if (asked != report_.levels.end()) {
        const auto at =
            static_cast<std::size_t>(asked - report_.levels.begin());
        json_.field("verdict", name(asked->verdict));
        json_.field("findings", asked->violations.size());
        json_.field("inherited", found.digests[at].inherited);
        if (asked->more) json_.field("more", true);
        if (asked->follows_from != nullptr) {
          json_.field("because", asked->follows_from->name);
        }
        if (asked->limit != Limit::none) {
          json_.field("limit", limit_text(asked->limit));
        }
      } else {
        write_implied(level);
      }
      if (!applies(level, history_)) {
        json_.field(level.real_time ? "needs_times" : "needs_sessions", true);
      }
      json_.end_object();
    }
    json_.end_array();
    write_set_aside();
  }

  void write_set_aside() {
    const std::string text = set_aside_sentence(history_, report_);
    if (text.empty()) return;
    // It names the first few of all; they are among the first few of each.
    constexpr std::size_t kNamed = 3;
    Shortener shorten;
    for (const LevelReport& level : report_.levels) {
      const std::size_t named = std::min(kNamed, level.set_aside.size());
      for (std::size_t i = 0; i < named; ++i) {
        const OpId read = level.set_aside[i];
        shorten.add(history_, read);
        shorten.add_name(history_.txn_name(history_.txn_of(read)));
      }
    }
    json_.field("set_aside", shorten(text));
  }

  void write_implied(const Level& level) {
    for (const LevelReport& row : report_.levels) {
      const bool breaks =
          row.verdict == Verdict::violated && implies(level, *row.level);
      const bool holds =
          row.verdict == Verdict::holds && implies(*row.level, level);
      if (!breaks && !holds) continue;
      json_.field("verdict", name(row.verdict));
      json_.field("because", row.level->name);
      return;
    }
    json_.field("verdict", "not asked");
  }

  void write_terms(const Stories& found) {
    json_.key("terms");
    json_.begin_array();
    for (const Word& term : terms()) {
      const bool used = std::any_of(
          found.told.begin(), found.told.end(), [&](const Story& story) {
            return std::find(story.terms.begin(), story.terms.end(), &term) !=
                   story.terms.end();
          });
      if (!used) continue;
      json_.begin_object();
      json_.field("word", term.word);
      json_.field("meaning", term.meaning);
      json_.end_object();
    }
    json_.end_array();
  }

  // How many there are, and of which kinds some are not in `stories`.
  void write_totals(const Stories& found,
                    const std::vector<std::string>& texts) {
    std::vector<Stories::Untold> rest;
    for (const Anomaly& row : anomalies()) rest.push_back({row.kind, 0, 0});
    for (const Stories::Untold& untold : found.untold) {
      rest[static_cast<std::size_t>(untold.kind)] = untold;
    }
    std::uint64_t violations = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Story& story = found.told[i];
      violations += story.count;
      if (!texts[i].empty()) continue;
      Stories::Untold& entry =
          rest[static_cast<std::size_t>(story.violation.kind)];
      ++entry.groups;
      entry.violations += story.count;
    }
    for (const Stories::Untold& untold : found.untold) {
      violations += untold.violations;
    }
    json_.field("groups", found.groups);
    json_.field("violations", violations);
    json_.key("left_out");
    json_.begin_array();
    for (const Stories::Untold& entry : rest) {
      if (entry.groups == 0) continue;
      json_.begin_object();
      json_.field("kind", anomaly(entry.kind).name);
      json_.field("groups", entry.groups);
      json_.field("violations", entry.violations);
      json_.end_object();
    }
    json_.end_array();
  }

  const History& history_;
  const Subject& subject_;
  const Report& report_;
  const ReportOptions& options_;
  Sink& sink_;
  JsonWriter json_;
};

}  // namespace

void write_page_json(const Subject& subject, const Report& report,
                     const ReportOptions& options, Sink& sink) {
  Document(subject, report, options, sink).write();
}

}  // namespace awdit
