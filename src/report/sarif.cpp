// The report for code scanning: SARIF 2.1.0 (OASIS), one run. An anomaly is a
// rule, the violations of one kind about the same keys are a result, told by
// the worst group of them, a transaction is a related location.
//
// Nobody looks through thousands of alerts, and viewers refuse large files
// (GitHub: 25,000 results and 1,000 locations each), so results and locations
// are bounded; what is left out is said in a notification or in the properties
// of the result. Of many, each kind has its share. Histories that
// could not be read are notifications, too; since they come at the end of the
// run, they are kept until then.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/json.h"
#include "base/utf8.h"
#include "report/markup.h"
#include "report/rows.h"

namespace awdit {
namespace {

constexpr std::uint32_t kResults = 100;  // of a history, unless --limit 0:
constexpr std::uint32_t kResultsPerKind = 1'000;
constexpr std::size_t kLocations = 100;
constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json";

// A reference to a file: relative paths stay relative, other bytes than
// RFC 3986's unreserved ones and slashes are escaped.
std::string uri_of(std::string_view path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
        (c >= '0' && c <= '9') ||
        std::string_view("/-._~").find(c) != std::string_view::npos;
    if (plain) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

// In messages "{0}" is a placeholder and "[a](b)" a link; braces are doubled,
// and a backslash keeps brackets what they are.
std::string message_of(std::string_view text) {
  static constexpr Escape kEscapes[] = {
      {"{", "{{"}, {"}", "}}"}, {"](", "\\]("}};
  return escaped(visible(text), kEscapes);
}

// Equal for equal kinds and keys, whatever else changes in the file: another
// run has other sessions in the same place.
std::string fingerprint(const History& history, const Story& story) {
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325u;
  const auto mix = [&](std::string_view text) {
    for (const char c : text) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3u;
    }
    hash = (hash ^ 0x1F) * 0x100'0000'01B3u;
  };
  mix(anomaly(story.violation.kind).name);
  for (const KeyId key : story.keys) mix(history.key_label(key));
  return fmt::format("{:016x}", hash);
}

// The read that a reader should look at first.
OpId main_op(const Violation& violation) {
  if (const Finding* const finding = violation.finding()) return finding->read;
  if (const LostUpdate* const lost = violation.lost_update()) return lost->read;
  OpId contested, read, write;  // the last one, the first one, the first one
  for (const Edge& edge : violation.cycle()->edges) {
    if (edge.reason == Reason::inferred ||
        edge.reason == Reason::anti_dependency) {
      contested = edge.read;
    }
    if (!read.valid()) read = edge.read;
    if (!write.valid()) write = edge.other_write;
  }
  return contested.valid() ? contested : read.valid() ? read : write;
}

class Sarif : public ReportWriter {
 public:
  Sarif(const ReportOptions& options, Sink& sink)
      : ReportWriter(options, sink,
                     options.limit == 0 ? kResultsPerKind : kResults),
        most_(options.limit == 0 ? SIZE_MAX : kResults),
        json_(sink) {
    json_.begin_object();
    json_.field("$schema", kSchema);
    json_.field("version", "2.1.0");
    json_.begin_array("runs");
    json_.begin_object();
    write_tool();
    json_.begin_array("results");
  }

  void write(const Subject& subject, const Excerpt& found) override {
    const Report& report = found.all.report;
    const std::vector<Result> results = results_of(subject.history, found);
    std::size_t left_out = 0;
    for (const Result& result : results) {
      if (sink_.closed()) return;
      if (result.shown) {
        write_result(subject, report, result);
      } else {
        ++left_out;
      }
    }
    if (left_out != 0) {
      note(subject.path, "note",
           fmt::format("{} left out (--limit 0 shows all).",
                       count(left_out, "result")));
    }
    for (const Untold::OfKind& rest : found.untold.list()) {
      note(subject.path, "note",
           fmt::format("{} left out: {}.", count(rest.groups, "group"),
                       count(rest.violations, rest.kind)));
    }
    for (const LevelReport& level : report.levels) {
      if (level.verdict != Verdict::undecided) continue;
      note(subject.path, "warning",
           fmt::format("{} is undecided{}.", level.level->name,
                       level.limit == Limit::none
                           ? ""
                           : ": " + limit_text(level.limit)));
    }
    if (const std::string text = session_order_sentence(subject.history);
        !text.empty()) {
      note(subject.path, "note", text);
    }
    for (const std::string& warning : subject.history.warnings()) {
      note(subject.path, "warning", warning);
    }
  }

  void add_error(std::string_view path, const Error& error) override {
    failed_ = true;
    note(path, "error",
         fmt::format("{}: {}.{}", error.where, error.message,
                     error.hint.empty() ? "" : " " + error.hint));
  }

  void end() override {
    json_.end_array();
    json_.begin_array("invocations");
    json_.begin_object();
    json_.field("executionSuccessful", !failed_);
    if (!notes_.empty()) {
      json_.objects("toolExecutionNotifications", notes_,
                    [&](const Note& note) { write_note(note); });
    }
    json_.end_object();
    json_.end_array();
    json_.end_object();
    json_.end_array();
    json_.end_object();
    sink_.append('\n');
  }

 private:
  // Groups of one kind about the same keys.
  struct Result {
    const Story* story;  // the worst of them
    std::string fingerprint;
    std::uint64_t violations;
    std::size_t turn = 0;  // results of its kind before it
    bool shown = true;
  };

  // Worst first. Of too many those are shown that come first among their kind.
  std::vector<Result> results_of(const History& history,
                                 const Excerpt& found) const {
    std::vector<Result> results;
    std::unordered_map<std::string, std::size_t> at;
    std::vector<std::size_t> of_kind(anomalies().size(), 0);
    for (const Story* story : found.told) {
      std::string print = fingerprint(history, *story);
      const auto [place, is_new] = at.emplace(print, results.size());
      if (!is_new) {
        results[place->second].violations += story->count;
        continue;
      }
      results.push_back(
          {.story = story,
           .fingerprint = std::move(print),
           .violations = story->count,
           .turn = of_kind[static_cast<std::size_t>(story->violation.kind)]++});
    }
    if (results.size() <= most_) return results;
    std::vector<std::size_t> order(results.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return results[i].turn; });
    for (std::size_t i = most_; i < order.size(); ++i) {
      results[order[i]].shown = false;
    }
    return results;
  }

  struct Note {
    std::string path;
    std::string_view level;
    std::string text;
  };

  void note(std::string_view path, std::string_view level, std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    notes_.push_back({std::string(path), level, std::move(text)});
  }

  void write_message(std::string_view field, std::string_view text) {
    json_.record_field(field, "text", text);
  }

  void write_tool() {
    json_.begin_object("tool");
    json_.begin_object("driver");
    json_.field("name", "AWDIT");
    if (!options_.version.empty()) json_.field("version", options_.version);
    json_.objects("rules", anomalies(), [&](const Anomaly& row) {
      json_.field("id", row.name);
      json_.field("name", title(row.kind));
      write_message("shortDescription", title(row.kind) + ".");
      write_message("fullDescription", row.sentence);
      write_message("help",
                    fmt::format("{} Elsewhere: {}.", row.sentence, row.also));
      json_.record_field("defaultConfiguration", "level", "error");
    });
    json_.end_object();
    json_.end_object();
  }

  void write_result(const Subject& subject, const Report& report,
                    const Result& result) {
    const History& history = subject.history;
    const Story& story = *result.story;
    json_.begin_object();
    json_.field("ruleId", anomaly(story.violation.kind).name);
    json_.field("ruleIndex", static_cast<std::uint32_t>(story.violation.kind));
    const bool known = options_.known.has(story.violation.kind);
    json_.field("level", known ? "note" : "error");
    if (options_.known.any()) {
      json_.field("baselineState", known ? "unchanged" : "new");
    }
    write_message("message", message_of(text_of(story)));
    json_.begin_array("locations");
    const OpId op = main_op(story.violation);
    const std::uint32_t line = op.valid() ? history.place(op).line : 0;
    json_.begin_object();
    write_place(subject.path, line, line);
    if (op.valid()) write_logical(history, history.txn_of(op));
    json_.end_object();
    json_.end_array();
    write_related(subject, report, story);
    json_.record_field("partialFingerprints", "awditGroup/v2",
                       result.fingerprint);
    json_.field("occurrenceCount", result.violations);
    json_.begin_object("properties");
    json_.array("breaks", level_names(story.breaks));
    json_.array("keeps", level_names(story.keeps));
    if (story.txns.size() > kLocations) {
      json_.field("transactionsOmitted", story.txns.size() - kLocations);
    }
    json_.end_object();
    json_.end_object();
  }

  // The sentence, the proof while it is short, and what breaks.
  static std::string text_of(const Story& story) {
    constexpr std::size_t kSteps = 12;
    std::string text = story.title + ": " + story.headline;
    if (story.proof.steps.size() <= kSteps) {
      std::size_t number = 0;
      for (const ProofStep& step : story.proof.steps) {
        text += fmt::format(" ({}) {}", ++number, step_text(step));
      }
      if (!story.proof.contradiction.empty()) {
        text += " " + story.proof.contradiction;
      }
    }
    return text + " " + breaks_sentence(story.breaks, story.keeps);
  }

  void write_related(const Subject& subject, const Report& report,
                     const Story& story) {
    const History& history = subject.history;
    json_.begin_array("relatedLocations");
    const std::size_t shown = std::min(story.txns.size(), kLocations);
    for (std::size_t i = 0; i < shown; ++i) {
      const StoryTxn& txn = story.txns[i];
      std::uint32_t first = 0, last = 0;
      std::string text = history.txn_name(txn.txn) + ":";
      for (const Exhibit& exhibit : txn.ops) {
        const std::uint32_t line = history.place(exhibit.op).line;
        first = first == 0 ? line : std::min(first, line);
        last = std::max(last, line);
        text += " " + exhibit_text(history, exhibit) + ";";
      }
      text.pop_back();
      if (txn.omitted != 0) {
        text += fmt::format(" and {}", count(txn.omitted, "more operation"));
      }
      if (const std::string status = status_text(history, report, txn.txn);
          !status.empty()) {
        text += " (" + status + ")";
      }
      json_.begin_object();
      json_.field("id", i + 1);
      write_place(subject.path, first, last);
      write_logical(history, txn.txn);
      write_message("message", message_of(text));
      json_.end_object();
    }
    json_.end_array();
  }

  void write_place(std::string_view path, std::uint32_t first,
                   std::uint32_t last) {
    json_.begin_object("physicalLocation");
    json_.record_field("artifactLocation", "uri", uri_of(path));
    if (first != 0) {
      json_.begin_object("region");
      json_.field("startLine", first);
      if (last != first) json_.field("endLine", last);
      json_.end_object();
    }
    json_.end_object();
  }

  void write_logical(const History& history, TxnId txn) {
    const std::string session =
        visible(history.session_name(history.session(txn)));
    const std::string name = visible(history.txn_name(txn));
    const auto location = [&](std::string_view kind, std::string_view own,
                              std::string_view qualified) {
      json_.record("name", own, "fullyQualifiedName", qualified, "kind", kind);
    };
    json_.begin_array("logicalLocations");
    location("transaction", name, session + "/" + name);
    location("session", session, session);
    json_.end_array();
  }

  void write_note(const Note& note) {
    json_.field("level", note.level);
    write_message("message", message_of(note.text));
    json_.begin_array("locations");
    json_.begin_object();
    write_place(note.path, 0, 0);
    json_.end_object();
    json_.end_array();
  }

  const std::size_t most_;  // results
  JsonWriter json_;
  std::vector<Note> notes_;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<ReportWriter> open_sarif(const ReportOptions& options,
                                         Sink& sink) {
  return std::make_unique<Sarif>(options, sink);
}

}  // namespace awdit
