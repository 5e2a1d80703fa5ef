#include "report/sentences.h"

#include <fmt/format.h>

#include <algorithm>

namespace awdit {

std::string names_of(const std::vector<const Level*>& levels) {
  std::string text;
  for (const Level* level : levels) {
    if (!text.empty()) text += ", ";
    text += level->name;
  }
  return text;
}

std::string header_text(const Subject& subject) {
  const History& history = subject.history;
  return fmt::format("{}  {}  {}  {}  {}", subject.path, subject.format,
                     count(history.num_sessions(), "session"),
                     count(history.num_txns(), "transaction"),
                     count(history.num_ops(), "operation"));
}

std::vector<std::string> outcome_sentences(const Report& report,
                                           const Tally& counts) {
  std::vector<std::string> sentences;
  if (counts.aborted != 0) {
    sentences.push_back(
        fmt::format("{} aborted; nobody may read what {} wrote.",
                    count(counts.aborted, "transaction"),
                    counts.aborted == 1 ? "it" : "they"));
  }
  if (counts.unknown == 0) return sentences;
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
        "{} left out, because nobody {}",
        report.dropped == 1 ? "1 is" : fmt::format("{} are", report.dropped),
        promoted != 0
            ? "did"
            : fmt::format("read from {}", report.dropped == 1 ? "it" : "them"));
  }
  sentences.push_back(text + ".");
  return sentences;
}

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

bool is_clean(const Report& report) {
  return std::all_of(
      report.levels.begin(), report.levels.end(),
      [](const LevelReport& level) { return level.verdict == Verdict::holds; });
}

std::string extent_sentence(const History& history, const Report& report,
                            const Tally& counts) {
  const std::string who =
      count(counts.committed + report.promoted.size(), "committed transaction");
  if (counts.reads == 0) {
    return fmt::format(
        "Checked: {} without a single read, so nothing could be seen to break.",
        who);
  }
  return fmt::format("Checked: {} by {} on {}.", count(counts.reads, "read"),
                     who, count(history.num_keys(), "key"));
}

std::string exhibit_text(const History& history, const Exhibit& exhibit) {
  const std::string text = op_text(history, exhibit.op, exhibit.element);
  if (exhibit.source == Source::unsaid) return text;
  std::string what;
  if (exhibit.element != kNoId) {
    what =
        history.to_string(history.element(exhibit.op, exhibit.element)) + " ";
  }
  return text + fmt::format(" ({}from {})", what,
                            exhibit.source == Source::nobody
                                ? "nobody"
                                : history.txn_name(exhibit.from));
}

std::string place_text(const History& history, TxnId txn) {
  return fmt::format("{}.{}", history.session_name(history.session(txn)),
                     history.position(txn) + 1);
}

std::string status_text(const History& history, const Report& report,
                        TxnId txn) {
  if (history.status(txn) == Status::aborted) return "aborted";
  if (std::binary_search(report.promoted.begin(), report.promoted.end(), txn)) {
    return "outcome unknown, but read from: counts as committed";
  }
  return "";
}

std::vector<std::string> notes_of(const History& history, TxnId txn) {
  constexpr std::size_t kNoteBytes = 400;
  std::vector<std::string> notes;
  if (const std::string_view node = history.node(txn); !node.empty()) {
    notes.push_back("on " + std::string(node.substr(0, kNoteBytes)));
  }
  if (const std::string_view meta = history.meta(txn); !meta.empty()) {
    notes.push_back(std::string(meta.substr(0, kNoteBytes)) +
                    (meta.size() > kNoteBytes ? " ..." : ""));
  }
  return notes;
}

std::string step_text(const ProofStep& step) {
  // The reasoning of an inferred step ends in the words of the claim.
  if (step.edge != kNoId) return step.reason;
  if (step.reason.empty()) return step.claim + ".";
  return step.claim + (step.from.valid() ? ": " : ". ") + step.reason;
}

std::string breaks_sentence(const std::vector<const Level*>& breaks,
                            const std::vector<const Level*>& keeps) {
  return fmt::format(
      "Breaks {}.{}", names_of(breaks),
      keeps.empty() ? "" : fmt::format(" Allowed by {}.", names_of(keeps)));
}

std::string untold_text(std::uint64_t violations, Kind kind) {
  return fmt::format("... and {} on other keys or in other sessions",
                     count(violations, kind));
}

}  // namespace awdit
