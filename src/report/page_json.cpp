#include <algorithm>
#include <numeric>
#include <span>

#include "report/page.h"
#include "report/page_text.h"
#include "report/piece.h"

namespace awdit {
namespace {

constexpr int kVersion = 1;
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
  const auto escaped = std::ranges::count_if(
      json, [](char c) { return c == '<' || c == '>' || c == '&'; });
  return json.size() + 5 * static_cast<std::size_t>(escaped);
}

// Stories as JSON, in the order of `told`; empty: there was no room.
std::vector<std::string> write_stories(const History& history,
                                       const Report& report,
                                       std::span<const Story* const> told,
                                       std::int64_t first_time) {
  std::vector<OpId> ops;
  for (const Story* story : told) {
    const std::vector<OpId> mine = page_ops(history, *story);
    ops.insert(ops.end(), mine.begin(), mine.end());
  }
  const VersionsOfKeys versions = versions_of(history, ops);
  const PageFrame frame{history, report, versions, first_time};
  // The first of each kind, then the second of each, ...
  std::vector<std::size_t> order(told.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return told[i]->turn; });
  std::vector<std::string> texts(told.size());
  std::size_t bytes = 0;
  for (const std::size_t i : order) {
    std::string text = page_story(frame, *told[i]);
    const std::size_t size = size_in_page(text);
    if (bytes + size > kStoryBytes) continue;
    bytes += size;
    texts[i] = std::move(text);
    // Room for nothing worth looking for.
    if (bytes + 2'000 > kStoryBytes) break;
  }
  return texts;
}

class Document : Piece {
 public:
  using Piece::Piece;

  void write() {
    const Span span = time_span(history_);
    json_.begin_object();
    json_.field("version", kVersion);
    json_.field("tool", "awdit " AWDIT_VERSION);
    write_history(span);
    json_.field("conclusion", conclusion(report_));
    json_.field("stopped_at_first", options_.first);
    write_levels();
    json_.array("terms", terms_of(shown_), [&](const Word* term) {
      json_.record("word", term->word, "meaning", term->meaning);
    });
    const std::vector<std::string> texts =
        write_stories(history_, report_, shown_.told, span.first);
    write_totals(texts);
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
    json_.begin_object("history");
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
      json_.array("recorded", recorded, [&](const std::string& text) {
        json_.value(cut(text, kWarning));
      });
    }
    json_.begin_array("warnings");
    const std::vector<std::string>& warnings = history_.warnings();
    for (std::size_t i = 0; i < warnings.size() && i < kMostWarnings; ++i) {
      json_.value(cut(warnings[i], kWarning));
    }
    json_.end_array();
    json_.end_object();
  }

  // What was asked, and what follows from it for the other levels: all of the
  // table, so that a page can draw which implies which.
  void write_levels() {
    json_.objects("levels", levels(), [&](const Level& level) {
      json_.field("name", level.name);
      json_.field("title", level.title);
      json_.field("summary", level.summary);
      json_.array("implies", level.implies);
      const auto asked = std::ranges::find_if(
          report_.levels,
          [&](const LevelReport& row) { return row.level == &level; });
      if (asked != report_.levels.end()) {
        const auto at =
            static_cast<std::size_t>(asked - report_.levels.begin());
        json_.field("verdict", name(asked->verdict));
        json_.field("findings", asked->violations.size());
        json_.field("inherited", shown_.all.digests[at].inherited);
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
    });
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

  // How many there are, and of which kinds some are not in `stories`.
  void write_totals(const std::vector<std::string>& texts) {
    Untold rest = shown_.untold;
    std::uint64_t violations = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Story& story = *shown_.told[i];
      if (texts[i].empty()) {
        rest.add({story.violation.kind, 1, story.count});
      } else {
        violations += story.count;
      }
    }
    for (const Untold::OfKind& entry : rest.list()) {
      violations += entry.violations;
    }
    json_.field("groups", shown_.all.groups);
    json_.field("violations", violations);
    json_.array("left_out", rest.list(), [&](const Untold::OfKind& entry) {
      json_.record("kind", anomaly(entry.kind).name, "groups", entry.groups,
                   "violations", entry.violations);
    });
  }

  JsonWriter json_{sink_};
};

}  // namespace

void write_page_json(const Subject& subject, const Excerpt& shown,
                     const ReportOptions& options, Sink& sink) {
  Document(subject, shown, options, sink).write();
}

}  // namespace awdit
