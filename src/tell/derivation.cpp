#include "tell/derivation.h"

#include <fmt/format.h>

#include "history/text.h"
#include "tell/proof.h"
#include "witness/phrases.h"

namespace awdit {
namespace {

std::string who(const History& history, TxnId txn) {
  return fmt::format("{} (session {})", history.txn_name(txn),
                     history.session_name(history.session(txn)));
}

// "t3 (session s1) read z=2 from t6, and t7 read y=1 from t3"
std::string how(const History& history, const Edge& edge) {
  constexpr std::size_t kMost = 4;
  const std::vector<Step>& seen = edge.seen;
  std::string text;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen.size() > kMost && i == kMost - 1) {
      text += fmt::format(", then {} more steps", seen.size() - kMost);
      i = seen.size() - 1;
    }
    if (i != 0) text += i + 1 == seen.size() ? ", and " : ", ";
    const std::string to = seen[i].to == edge.reader
                               ? history.txn_name(seen[i].to)
                               : who(history, seen[i].to);
    const std::string from = history.txn_name(seen[i].from);
    if (seen[i].reason == Reason::reads_from) {
      text += fmt::format("{} read {} from {}", to,
                          quote(history, seen[i].read), from);
    } else {
      text += fmt::format("{} ran after {} in the same session",
                          history.txn_name(seen[i].to), from);
    }
  }
  return text;
}

std::string session_of(const History& history, TxnId txn) {
  return history.session_name(history.session(txn));
}

// "Sessions s1 and s2", "Session s1 twice"
std::string both(const History& history, TxnId a, TxnId b) {
  const std::string first = session_of(history, a);
  const std::string second = session_of(history, b);
  if (first == second)
    return fmt::format("Two transactions of session {}", first);
  return fmt::format("Sessions {} and {}", first, second);
}

std::string plain_lost_update(const History& history, const LostUpdate& lost) {
  return fmt::format(
      "{} both started from {} and both put something in its place. "
      "Whoever was second replaced the other's work without having seen it.",
      both(history, history.txn_of(lost.read), history.txn_of(lost.other)),
      quote(history, lost.read));
}

// Above causal.
std::string plain_dependencies(const History& history, Kind kind,
                               const std::vector<Edge>& edges) {
  switch (kind) {
    case Kind::write_skew:
      return fmt::format(
          "{} each relied on something that the other one was changing. Had "
          "one run after the other, the second would have seen what the first "
          "did.",
          both(history, edges[0].from, edges[1].from));
    case Kind::long_fork: {
      const std::size_t at = edges[0].reason == Reason::anti_dependency ? 0 : 1;
      const TxnId a = edges[at].from, b = edges[(at + 2) % 4].from;
      const std::string x = history.txn_name(edges[at].to);
      const std::string y = history.txn_name(edges[(at + 2) % 4].to);
      return fmt::format(
          "To {} it looked as if {} had happened and {} not yet; to {} it was "
          "the other way round. At no moment was the database in both of these "
          "states.",
          who(history, a), y, x, who(history, b));
    }
    case Kind::real_time_violation:
      for (const Edge& edge : edges) {
        if (edges.size() != 2 || edge.reason != Reason::anti_dependency) {
          continue;
        }
        return fmt::format(
            "When {} began, {} had already ended. Still it was shown the state "
            "before that.",
            who(history, edge.from), who(history, edge.to));
      }
      return {};
    default:
      return {};
  }
}

}  // namespace

std::string plain_words(const History& history, const Violation& violation) {
  if (const LostUpdate* const lost = violation.lost_update()) {
    return plain_lost_update(history, *lost);
  }
  const Cycle* const cycle = violation.cycle();
  if (cycle == nullptr) return {};
  if (anomaly(violation.kind).form == Form::dependency_cycle) {
    return plain_dependencies(history, violation.kind, cycle->edges);
  }
  const Edge* inferred = nullptr;
  for (const Edge& edge : cycle->edges) {
    if (edge.reason != Reason::inferred) continue;
    if (inferred != nullptr) return {};
    inferred = &edge;
  }
  if (inferred == nullptr || history.is_init(inferred->from)) return {};
  const Edge& edge = *inferred;
  const std::string key = history.key_label(edge.key);
  const std::string other = history.to_string(history.value(edge.other_write));
  const std::string session =
      history.session_name(history.session(edge.reader));
  const std::string reader = history.txn_name(edge.reader);
  if (history.has_lists()) {
    return fmt::format(
        "Session {} was shown an old list of key {}: {} did not find {} in it, "
        "although {} had already appended that. It had to see it, because it "
        "depends on {}: {}.",
        session, key, reader, other, who(history, edge.from),
        history.txn_name(edge.from), how(history, edge));
  }
  return fmt::format(
      "Session {} was shown an old value of key {}: {} read {}={}, although {} "
      "had already replaced it with {}={}. It had to see that, because it "
      "depends on {}: {}.",
      session, key, reader, key, history.to_string(history.value(edge.read)),
      who(history, edge.from), key, other, history.txn_name(edge.from),
      how(history, edge));
}

Derivation derivation_of(const History& history, const Level& level,
                         const Edge& edge) {
  constexpr std::size_t kMostSeen = 12;  // steps told, from both ends
  const std::string t1 = history.is_init(edge.to) ? "the initial state"
                                                  : history.txn_name(edge.to);
  const std::string t2 = history.txn_name(edge.from);
  const std::string t3 = history.txn_name(edge.reader);
  const std::string key = history.key_label(edge.key);
  const std::string other = history.to_string(history.value(edge.other_write));
  const bool lists = history.has_lists();
  Derivation why;
  why.read = explain(history, Step{.from = edge.to,
                                   .to = edge.reader,
                                   .reason = Reason::reads_from,
                                   .write = edge.write,
                                   .read = edge.read});
  why.wrote =
      lists ? fmt::format("{} appended {} to {}.", t2, other, key)
            : fmt::format("{} also wrote key {}: {}={}.", t2, key, key, other);
  for (std::size_t i = 0; i < edge.seen.size(); ++i) {
    if (edge.seen.size() > kMostSeen && i == kMostSeen / 2) {
      const std::size_t left_out = edge.seen.size() - kMostSeen;
      why.seen.push_back(fmt::format("({} more steps)", left_out));
      i += left_out;
    }
    why.seen.push_back(explain(history, edge.seen[i]));
  }
  why.rule = fmt::format("{} promises: {}.", level.title, level.summary);
  why.alternative = fmt::format(
      "Suppose it were the other way round, {} "
      "before {}.",
      t1, t2);
  const bool through_others = edge.seen.size() > 1;
  const std::string known =
      fmt::format("{} had already seen {}{}", t3, t2,
                  through_others ? " through others" : "");
  if (lists) {
    why.refuted = fmt::format(
        "Then {} was added after what {} read. But {}, so it would have had "
        "to find {} in {}. It read {}.",
        other, t3, known, other, key, list_text(history, edge.read));
  } else {
    const std::string got = history.to_string(history.value(edge.read));
    why.refuted = fmt::format(
        "Then {}={} had replaced {}={}. But {}, so it would have had to read "
        "{}={} or something newer. It read {}={}.",
        key, other, key, got, known, key, other, key, got);
  }
  why.conclusion =
      history.is_init(edge.to)
          ? fmt::format(
                "So {} comes before the initial state, which nothing "
                "can.",
                t2)
          : fmt::format("So {} comes before {}.", t2, t1);
  return why;
}

}  // namespace awdit
