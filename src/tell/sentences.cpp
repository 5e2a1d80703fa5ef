#include "tell/sentences.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/make_set.h"
#include "history/text.h"

namespace awdit {

std::vector<std::string_view> level_names(
    const std::vector<const Level*>& levels) {
  std::vector<std::string_view> names;
  for (const Level* level : levels) names.push_back(level->name);
  return names;
}

std::string names_of(const std::vector<const Level*>& levels) {
  return fmt::format("{}", fmt::join(level_names(levels), ", "));
}

namespace {

std::string unknown_sentence(const Report& report, std::uint64_t unknown) {
  const std::size_t promoted = report.promoted.size();
  std::string text =
      fmt::format("{} with unknown outcome: ", count(unknown, "transaction"));
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
  return text + ".";
}

// "1 fractured read (from read-atomic)"
std::string shares_text(const std::vector<LevelDigest::Share>& shares) {
  constexpr std::size_t kFew = 2;
  std::string text;
  if (shares.size() > kFew) {
    std::uint64_t all = 0;
    for (const LevelDigest::Share& share : shares) all += share.count;
    return fmt::format("{} (from other levels)", count(all, "violation"));
  }
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (i != 0) text += ", ";
    text += count(shares[i].count, shares[i].kind);
    if (i + 1 != shares.size() && shares[i + 1].level == shares[i].level) {
      continue;
    }
    // Levels that do not imply each other may have the same one.
    text += fmt::format(" ({} {})", shares[i].implied ? "from" : "as at",
                        shares[i].level->name);
  }
  return text;
}

// "1 fractured read (from read-atomic); 22 long forks of its own"
std::string findings_text(const LevelDigest& digest) {
  const std::string text = shares_text(digest.shares);
  std::string own;
  for (std::size_t kind = 0; kind < digest.of_kind.size(); ++kind) {
    if (digest.of_kind[kind] == 0) continue;
    own += own.empty() ? (digest.more ? "at least " : "") : ", ";
    own += count(digest.of_kind[kind], static_cast<Kind>(kind));
  }
  if (text.empty() || own.empty()) return text + own;
  return text + "; " + own + " of its own";
}

}  // namespace

std::vector<std::string> outcome_sentences(const History& history,
                                           const Report& report) {
  const Tally counts = tally(history, report);
  std::vector<std::string> sentences;
  if (counts.aborted != 0) {
    sentences.push_back(
        fmt::format("{} aborted; nobody may read what {} wrote.",
                    count(counts.aborted, "transaction"),
                    counts.aborted == 1 ? "it" : "they"));
  }
  if (counts.unknown != 0) {
    sentences.push_back(unknown_sentence(report, counts.unknown));
  }
  if (!history.session_order()) {
    sentences.push_back(session_order_sentence(history));
  }
  return sentences;
}

std::string limit_text(Limit limit) {
  static constexpr const char* kTexts[] = {
      // [limit]
      "",
      "the time limit was reached; --time-limit gives it longer",
      ("it needs more memory than it may take; --memory-limit says how much "
       "that is"),
      ("there is no such order, but no proof of that either which could be "
       "verified"),
  };
  return kTexts[static_cast<std::size_t>(limit)];
}

std::string verdict_note(const LevelReport& level, const LevelDigest& digest,
                         bool first) {
  const Level* const from = level.follows_from;
  switch (level.verdict) {
    case Verdict::holds:
      return from == nullptr ? "" : fmt::format("because {} does", from->name);
    case Verdict::undecided:
      return limit_text(level.limit);
    case Verdict::violated:
      break;
  }
  // Nothing of its own was looked for.
  const bool has_own = std::ranges::any_of(
      digest.of_kind, [](auto count) { return count != 0; });
  if (from != nullptr && (digest.more || first) && !has_own) {
    return fmt::format("because {} is", from->name);
  }
  return findings_text(digest) + (first ? " (stopped at the first)" : "");
}

std::string set_aside_sentence(const History& history, const Report& report) {
  constexpr std::size_t kNamed = 3;
  std::vector<OpId> reads;
  for (const LevelReport& level : report.levels) {
    reads.insert(reads.end(), level.set_aside.begin(), level.set_aside.end());
  }
  if (reads.empty()) return "";
  make_set(reads);
  std::string text;
  for (std::size_t i = 0; i < reads.size() && i < kNamed; ++i) {
    if (i != 0) text += i + 1 == reads.size() ? " and " : ", ";
    text += fmt::format("{} of {}", op_text(history, reads[i]),
                        history.txn_name(history.txn_of(reads[i])));
  }
  if (reads.size() > kNamed) {
    text += fmt::format(" and {}", count(reads.size() - kNamed, "other read"));
  }
  return fmt::format("Set aside to look further at stronger levels: {}.", text);
}

std::string session_order_sentence(const History& history) {
  if (history.session_order()) return "";
  return "Session order does not count here: the transactions of a session may "
         "take effect in any order.";
}

bool is_clean(const Report& report) {
  return std::ranges::all_of(report.levels, [](const LevelReport& level) {
    return level.verdict == Verdict::holds;
  });
}

std::string extent_sentence(const History& history, const Report& report) {
  const Tally counts = tally(history, report);
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
                     history.input_position(txn) + 1);
}

bool is_promoted(const Report& report, TxnId txn) {
  return std::ranges::binary_search(report.promoted, txn);
}

std::string status_text(const History& history, const Report& report,
                        TxnId txn) {
  if (history.status(txn) == Status::aborted) return "aborted";
  if (is_promoted(report, txn)) {
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
  // The reasoning of a rule ends in the words of the claim.
  if (step.edge && step.edge->reason == Reason::inferred && !step.lemma) {
    return step.reason;
  }
  if (step.reason.empty()) return step.claim + ".";
  return step.claim + (step.from.valid() ? ": " : ". ") + step.reason;
}

namespace {

// The one level that is not among the ends.
const Level* all_but(const std::vector<const Level*>& ends,
                     const std::vector<const Level*>& all) {
  return *std::ranges::find_if(all, [&](const Level* level) {
    return std::ranges::find(ends, level) == ends.end();
  });
}

// "prefix and all stronger levels", "prefix, causal", "prefix"
std::string ends_text(const std::vector<const Level*>& ends,
                      const std::vector<const Level*>& all,
                      std::string_view rest) {
  if (all.size() == ends.size()) return names_of(ends);
  return fmt::format(
      "{} and {}", names_of(ends),
      all.size() == ends.size() + 1 ? all_but(ends, all)->name : rest);
}

}  // namespace

std::string breaks_sentence(const std::vector<const Level*>& breaks,
                            const std::vector<const Level*>& keeps) {
  std::string text =
      fmt::format("Breaks {}.",
                  ends_text(weakest_of(breaks), breaks, "all stronger levels"));
  if (!keeps.empty()) {
    text += fmt::format(" Allowed by {}.", ends_text(strongest_of(keeps), keeps,
                                                     "all weaker levels"));
  }
  return text;
}

std::string untold_text(std::uint64_t violations, Kind kind) {
  return fmt::format("... and {} on other keys or in other sessions",
                     count(violations, kind));
}

std::string op_text(const History& history, OpId op, std::uint32_t element) {
  const std::string key = history.key_label(history.key(op));
  const std::string value = history.to_string(history.value(op));
  if (!history.has_lists()) {
    return fmt::format("{} {}={}", history.is_write(op) ? 'W' : 'R', key,
                       value);
  }
  if (history.is_write(op)) return fmt::format("append {} to {}", value, key);
  return fmt::format("read {}={}", key, list_text(history, op, {element}));
}

std::string lines_text(const History& history,
                       const std::vector<Exhibit>& shown) {
  std::vector<std::uint32_t> lines;
  for (const Exhibit& exhibit : shown) {
    const std::uint32_t line = history.place(exhibit.op).line;
    if (line != 0) lines.push_back(line);
  }
  make_set(lines);
  if (lines.empty()) return {};
  std::string text = lines.size() == 1 ? "line " : "lines ";
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i;
    while (end + 1 < lines.size() && lines[end + 1] == lines[end] + 1) ++end;
    if (i != 0) text += ", ";
    text += fmt::format("{}", lines[i]);
    if (end != i) text += fmt::format("-{}", lines[end]);
    i = end + 1;
  }
  return text;
}

}  // namespace awdit
