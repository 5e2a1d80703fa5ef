// What is wrong, in one sentence; and who is in it.
#include <fmt/format.h>

#include <unordered_set>

#include "base/counted.h"
#include "tell/headlines.h"
#include "tell/phrases.h"
#include "tell/proof.h"
#include "tell/proof_steps.h"

namespace awdit {
namespace {

// Names told before the rest is counted.
constexpr std::size_t kNames = 5;

std::string finding_headline(const History& history, Kind kind,
                             const Finding& v) {
  if (history.has_lists() && kind != Kind::non_repeatable_read) {
    return list_headline(history, kind, v);
  }
  const TxnId txn = history.txn_of(v.read);
  const std::string reader = history.txn_name(txn);
  const std::string read = quote(history, v.read);
  const std::string key = history.key_label(history.key(v.read));
  const auto read_it = [&] {
    return describe_read(history, v.read, writer_of(history, v.write));
  };
  const auto other = [&] { return quote(history, v.other); };
  switch (kind) {
    case Kind::thin_air_read:
      return fmt::format("{} read {}, which nobody wrote", reader, read);
    case Kind::aborted_read:
      return fmt::format("{}, which was aborted", read_it());
    case Kind::future_read:
      return fmt::format("{} read {} before it wrote {} itself", reader, read,
                         read);
    case Kind::own_write_ignored:
      return fmt::format("{} although it had itself {} before", read_it(),
                         written(history, v.other));
    case Kind::stale_own_write:
      return fmt::format(
          "{} read its own {} although it had since overwritten it with {}",
          reader, read, other());
    case Kind::intermediate_read:
      return fmt::format("{}, which overwrote it with {} before it committed",
                         read_it(), other());
    case Kind::non_repeatable_read:
      if (!v.write.valid()) {
        return fmt::format(
            "{} read {} twice and got two answers: {}, then "
            "the initial {}",
            reader, key, other(), read);
      }
      return fmt::format(
          "{} read {} twice and got two answers: {}, then {} from {}", reader,
          key, other(), read, history.txn_name(history.txn_of(v.write)));
    default:
      return "";
  }
}

// " ...; the outcome of t5 is unknown, but it counts as committed because it
// was read from"
std::string unknown_outcomes(const History& history, const Violation& v) {
  if (!history.has_unknown()) return "";
  std::string text;
  for (const TxnId txn : transactions_of(history, v)) {
    if (history.status(txn) != Status::unknown) continue;
    text += fmt::format(
        "; the outcome of {} is unknown, but it counts as committed because "
        "it was read from",
        history.txn_name(txn));
  }
  return text;
}

std::string circle_headline(const History& history, const Violation& v) {
  std::vector<std::string> names;
  for (const TxnId txn : transactions_of(history, v)) {
    names.push_back(history.txn_name(txn));
  }
  const std::vector<Edge>& edges = v.cycle()->edges;
  if (edges.size() != 2) {
    return fmt::format("{} depend on each other in a circle",
                       listed(names, kNames));
  }
  return fmt::format("{} depend on each other: {}, and {}",
                     listed(names, kNames),
                     describe_step(history, step_of(edges[0])),
                     describe_step(history, step_of(edges[1])));
}

// "which had overwritten it with x=2"; shorter if `step` quotes that already.
std::string replaced_by(const History& history, const Edge& edge,
                        const Step& step) {
  const bool quoted =
      !history.has_lists() && history.key(step.read) == edge.key;
  return quoted ? "which had overwritten it"
                : "which had " + overwritten(history, edge.other_write);
}

// What a session had seen or written, told along the two or three steps.
std::string guarantee_headline(const History& history, const Edge& edge) {
  const std::string read = describe_read(history, edge.read, edge.to);
  const std::string from = history.txn_name(edge.from);
  const Step& first = edge.seen.front();
  const Step& last = edge.seen.back();
  const auto session = [&](TxnId txn) {
    return history.session_name(history.session(txn));
  };
  if (last.reason == Reason::session_order) {
    return fmt::format(
        "{} although {}, before it in session {}, had read {} from {}, {}",
        read, history.txn_name(last.from), session(edge.reader),
        quote(history, first.read), from, replaced_by(history, edge, first));
  }
  const std::string seen =
      fmt::format("{} although it {}read {} from {}", read,
                  last.read < edge.read ? "had already " : "also ",
                  quote(history, last.read), history.txn_name(last.from));
  if (first.reason == Reason::session_order) {
    return fmt::format("{}, and {}, before that in session {}, had {}", seen,
                       from, session(last.from),
                       overwritten(history, edge.other_write));
  }
  return fmt::format("{}, {} had read {} from {}, {}", seen,
                     edge.seen.size() == 2 ? "which" : "whose session",
                     quote(history, first.read), from,
                     replaced_by(history, edge, first));
}

// The rest of the cycle rests on sessions and reads alone, so that `from` did
// overwrite what the reader got.
std::string overwritten_headline(const History& history, Kind kind,
                                 const Edge& edge) {
  const std::string read = describe_read(history, edge.read, edge.to);
  const std::string from = history.txn_name(edge.from);
  const std::string newer = overwritten(history, edge.other_write);
  const Step& step = edge.seen.front();
  if (kind != Kind::causal_violation && edge.seen.size() > 1) {
    return guarantee_headline(history, edge);
  }
  if (edge.seen.size() > 1) {
    return fmt::format("{} although it depends on {}, which had {}", read, from,
                       newer);
  }
  if (step.reason == Reason::session_order) {
    return fmt::format("{} although {}, before it in session {}, had {}", read,
                       from, history.session_name(history.session(edge.reader)),
                       newer);
  }
  return fmt::format("{} although it {}read {} from {}, {}", read,
                     step.read < edge.read ? "had already " : "also ",
                     quote(history, step.read), from,
                     replaced_by(history, edge, step));
}

std::string conflict_headline(const History& history, const Violation& v) {
  std::vector<const Edge*> inferred;
  for (const Edge& edge : v.cycle()->edges) {
    if (edge.reason == Reason::inferred) inferred.push_back(&edge);
  }
  if (inferred.size() == 1) {
    return overwritten_headline(history, v.kind, *inferred.front());
  }
  std::vector<std::string> reads;
  for (const Edge* edge : inferred) {
    if (reads.size() == 2) break;
    reads.push_back(fmt::format("{} having seen {}, which {}",
                                describe_read(history, edge->read, edge->to),
                                history.txn_name(edge->from),
                                wrote(history, edge->other_write)));
  }
  if (inferred.size() == 2) {
    return fmt::format("{}, while {}: no order of commits allows both",
                       reads[0], reads[1]);
  }
  return fmt::format(
      "{}, while {}, and so on with {} more: no order of "
      "commits allows them all",
      reads[0], reads[1],
      inferred.size() == 3 ? "one read"
                           : fmt::format("{} reads", inferred.size() - 2));
}

}  // namespace

std::string headline(const History& history, const Violation& violation) {
  switch (anomaly(violation.kind).form) {
    case Form::finding:
      return finding_headline(history, violation.kind, *violation.finding()) +
             unknown_outcomes(history, violation) + ".";
    case Form::axiom_cycle:
      return (violation.kind == Kind::causality_cycle
                  ? circle_headline(history, violation)
                  : conflict_headline(history, violation)) +
             ".";
    case Form::lost_update:
    case Form::dependency_cycle:
      break;
  }
  return dependency_headline(history, violation) +
         unknown_outcomes(history, violation) + ".";
}

std::vector<TxnId> transactions_of(const History& history,
                                   const Violation& violation) {
  std::vector<TxnId> met;
  const auto meet_op = [&](OpId op) {
    if (op.valid()) met.push_back(history.txn_of(op));
  };
  if (const Finding* const finding = violation.finding()) {
    meet_op(finding->write);
    meet_op(finding->read);
    if (violation.kind == Kind::incompatible_order) meet_op(finding->other);
  } else if (const LostUpdate* const lost = violation.lost_update()) {
    meet_op(lost->write);
    meet_op(lost->read);
    meet_op(lost->other);
  } else {
    // The story begins with the version that was read, which is where an
    // inferred edge ends, or with what clients did before somebody missed
    // something.
    const std::vector<Edge>& edges = violation.cycle()->edges;
    const std::size_t start = start_of(edges);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Edge& edge = edges[(start + i) % edges.size()];
      if (edge.reason == Reason::anti_dependency) meet_op(edge.write);
      met.push_back(edge.from);
      for (const Step& step : edge.seen) met.push_back(step.to);
    }
    walk_lemmas(
        violation.cycle()->lemmas,
        [&](const Lemma& lemma) {
          met.push_back(lemma.older);
          met.push_back(lemma.newer);
          meet_op(lemma.shown);
        },
        [&](const Edge& edge) { met.push_back(edge.from); });
  }
  std::unordered_set<std::uint32_t> known;
  std::erase_if(met, [&](TxnId txn) {
    return history.is_init(txn) || !known.insert(txn.v).second;
  });
  return met;
}

}  // namespace awdit
