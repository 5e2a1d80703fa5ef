#include "report/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/budget.h"
#include "base/table.h"
#include "history/text.h"
#include "report/broken.h"

namespace awdit {
namespace {

// Transactions of up to this many operations are shown whole; larger ones show
// at most this many besides those that the evidence names.
constexpr std::uint32_t kFewOps = 8;
// Transactions larger than this are not searched for further operations on the
// keys concerned.
constexpr std::uint32_t kSearchedOps = 10'000;

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E37'79B9'7F4A'7C15u;
  return hash ^ hash >> 29;
}

std::vector<SessionId> sessions_of(const History& history,
                                   const Violation& violation) {
  std::vector<SessionId> sessions;
  for (const TxnId txn : transactions_of(history, violation)) {
    sessions.push_back(history.session(txn));
  }
  std::sort(sessions.begin(), sessions.end());
  // Where their order does not count, sessions are told apart by name.
  sessions.erase(std::unique(sessions.begin(), sessions.end(),
                             [&](SessionId a, SessionId b) {
                               return history.session_atom(a) ==
                                      history.session_atom(b);
                             }),
                 sessions.end());
  return sessions;
}

// Equal for violations of one group; 64 bits, so that others practically never
// meet. Those of two levels are two groups: what is told of a level adds up to
// what its verdict says.
std::uint64_t group_of(const History& history, std::size_t level,
                       const Violation& violation) {
  std::uint64_t hash = mix(level, static_cast<std::uint64_t>(violation.kind));
  for (const KeyId key : keys_of(history, violation)) hash = mix(hash, key.v);
  hash = mix(hash, kNoId);
  for (const SessionId session : sessions_of(history, violation)) {
    const Atom label = history.session_atom(session);
    hash = mix(mix(hash, label.bits), static_cast<std::uint64_t>(label.kind));
  }
  return hash;
}

// How much there is to read.
std::size_t weight(const Violation& violation) {
  std::size_t steps = 0;
  walk(
      violation, [&](const Edge&) { ++steps; },
      [&](const Step&) { steps += 2; }, [&](const Lemma&) { ++steps; });
  return steps;
}

struct Group {
  const Violation* speaker;
  std::size_t level;  // of the report: the weakest that it breaks
  std::uint64_t count;
};

std::string title_of(const History& history, const Violation& violation,
                     const std::vector<KeyId>& keys) {
  std::string text = title(violation.kind);
  if (keys.size() > 3) {
    return text + fmt::format(" on {} keys", keys.size());
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    text += i == 0 ? (keys.size() == 1 ? " on key " : " on keys ")
            : i + 1 == keys.size() ? " and "
                                   : ", ";
    text += history.key_label(keys[i]);
  }
  return text;
}

// All of a small transaction; of a large one what the evidence names and a few
// more operations on the same keys.
StoryTxn show_whole(const History& history, TxnId txn,
                    const std::vector<Exhibit>& exhibits) {
  StoryTxn shown{.txn = txn, .ops = exhibits_in(history, txn, exhibits)};
  const IdRange<OpId> ops = history.ops(txn);
  if (ops.size() <= kSearchedOps) {
    const std::vector<Exhibit> named = std::move(shown.ops);
    shown.ops.clear();
    std::vector<KeyId> keys;
    for (const Exhibit& exhibit : named) {
      keys.push_back(history.key(exhibit.op));
    }
    std::size_t extra = 0;
    auto next = named.begin();
    for (const OpId op : ops) {
      if (next != named.end() && next->op == op) {
        shown.ops.push_back(*next++);
        continue;
      }
      const bool related =
          ops.size() <= kFewOps ||
          (extra < kFewOps &&
           std::find(keys.begin(), keys.end(), history.key(op)) != keys.end());
      if (!related) continue;
      ++extra;
      shown.ops.push_back({.op = op});
    }
  }
  shown.omitted = ops.size() - shown.ops.size();
  return shown;
}

// Who wrote what a read returned, if that is in the story.
void add_source(const History& history, const std::vector<OpId>& ops,
                Exhibit& exhibit) {
  constexpr std::size_t kMostSearched = 200;
  if (history.has_lists() || history.is_write(exhibit.op) ||
      ops.size() > kMostSearched) {
    return;
  }
  for (const OpId op : ops) {
    if (!history.is_write(op) || history.key(op) != history.key(exhibit.op) ||
        history.value(op) != history.value(exhibit.op)) {
      continue;
    }
    exhibit.source = Source::txn;
    exhibit.from = history.txn_of(op);
    return;
  }
}

// The transactions of the smallest story: those of the evidence in its order;
// before them writers of what else was read, after them whoever else it needs
// (say, who proves that an unknown one committed).
std::vector<StoryTxn> show_smallest(const History& history,
                                    const Shrunk& smallest,
                                    const std::vector<Exhibit>& exhibits) {
  std::vector<StoryTxn> shown;
  std::unordered_map<std::uint32_t, std::size_t> place;  // txn -> in `shown`
  const auto entry = [&](TxnId txn) -> StoryTxn& {
    const auto [at, added] = place.emplace(txn.v, shown.size());
    if (added) {
      shown.push_back({.txn = txn, .omitted = history.ops(txn).size()});
    }
    return shown[at->second];
  };
  for (const TxnId txn : transactions_of(history, smallest.violation)) {
    entry(txn);
  }
  const std::size_t of_evidence = shown.size();
  auto exhibit = exhibits.begin();
  for (const OpId op : smallest.ops) {
    while (exhibit != exhibits.end() && exhibit->op < op) ++exhibit;
    const bool named = exhibit != exhibits.end() && exhibit->op == op;
    StoryTxn& txn = entry(history.txn_of(op));
    txn.ops.push_back(named ? *exhibit : Exhibit{.op = op});
    if (txn.ops.back().source == Source::unsaid) {
      add_source(history, smallest.ops, txn.ops.back());
    }
    --txn.omitted;
  }
  const auto others = shown.begin() + static_cast<std::ptrdiff_t>(of_evidence);
  const auto readers =
      std::stable_partition(others, shown.end(), [&](const StoryTxn& txn) {
        return std::all_of(
            txn.ops.begin(), txn.ops.end(),
            [&](const Exhibit& e) { return history.is_write(e.op); });
      });
  std::rotate(shown.begin(), others, readers);
  return shown;
}

void add_terms(Story& story) {
  std::string all = story.headline + " " + story.proof.contradiction;
  // Later steps use no other words.
  constexpr std::size_t kLooked = 50;
  for (std::size_t i = 0; i < story.proof.steps.size() && i < kLooked; ++i) {
    all += " " + story.proof.steps[i].claim + " " + story.proof.steps[i].reason;
  }
  for (const Word& term : terms()) {
    if (all.find(term.word) != std::string::npos) story.terms.push_back(&term);
  }
}

Story tell(const History& history, const Report& report, const Group& group,
           const Budget& budget, Shrunk smallest) {
  Story story;
  if (smallest.violation.kind != group.speaker->kind) {
    smallest.violation = *group.speaker;
    smallest.stands_alone = false;
  }
  story.violation = smallest.violation;
  story.level = report.levels[group.level].level;
  story.count = group.count;
  story.keys = keys_of(history, story.violation);
  story.sessions = sessions_of(history, story.violation);
  story.title = title_of(history, story.violation, story.keys);
  story.headline = headline(history, story.violation);
  const std::vector<Exhibit> exhibits = exhibits_of(history, story.violation);
  if (smallest.stands_alone) {
    story.txns = show_smallest(history, smallest, exhibits);
    story.ops = std::move(smallest.ops);
    story.silent = std::move(smallest.silent);
  } else {
    for (const TxnId txn : transactions_of(history, story.violation)) {
      story.txns.push_back(show_whole(history, txn, exhibits));
    }
  }
  Broken broken = broken_by(history, report, *story.level, story.violation,
                            story.ops, story.silent, budget.seconds_left());
  story.breaks = std::move(broken.breaks);
  story.keeps = std::move(broken.keeps);
  story.proof = proof_of(history, *story.level, story.violation);
  add_terms(story);
  return story;
}

}  // namespace

Stories stories(const History& history, const Report& report,
                std::uint32_t limit) {
  Stories result;
  result.digests = digest(report);
  std::vector<Group> groups;
  std::unordered_map<std::uint64_t, std::size_t> known;  // hash -> group
  for (std::size_t level = 0; level < report.levels.size(); ++level) {
    for (const Violation* violation : result.digests[level].fresh) {
      const auto [at, added] =
          known.emplace(group_of(history, level, *violation), groups.size());
      if (added) {
        groups.push_back({violation, level, 1});
        continue;
      }
      Group& group = groups[at->second];
      ++group.count;
      if (weight(*violation) < weight(*group.speaker)) {
        group.speaker = violation;
      }
    }
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) {
                     if (a.level != b.level) return a.level < b.level;
                     if (a.speaker->kind != b.speaker->kind) {
                       return a.speaker->kind < b.speaker->kind;
                     }
                     return a.count > b.count;
                   });
  result.groups = groups.size();
  std::vector<Group> chosen;
  std::vector<Claim> claims;
  std::vector<Stories::Untold> untold;
  std::vector<std::uint32_t> told(anomalies().size(), 0);
  for (const Anomaly& row : anomalies()) untold.push_back({row.kind, 0, 0});
  for (const Group& group : groups) {
    const auto kind = static_cast<std::size_t>(group.speaker->kind);
    if (limit != 0 && told[kind] == limit) {
      ++untold[kind].groups;
      untold[kind].violations += group.count;
      continue;
    }
    ++told[kind];
    chosen.push_back(group);
    claims.push_back({report.levels[group.level].level, group.speaker});
  }
  std::vector<Shrunk> smallest = shrink(history, claims, report.time_limit);
  const Budget budget(report.time_limit / 10, 0, 0);  // of all that is left
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    result.told.push_back(
        tell(history, report, chosen[i], budget, std::move(smallest[i])));
  }
  for (const Stories::Untold& entry : untold) {
    if (entry.groups != 0) result.untold.push_back(entry);
  }
  return result;
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
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
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
