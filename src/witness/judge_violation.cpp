// Findings are looked up among those that attribution.cpp made; two lists that
// are said to contradict each other are compared; a cycle is walked edge by
// edge (judge_edge.cpp, judge_versions.cpp). A closed walk through justified
// edges needs no more: no total order contains it. Cycles of dependencies are
// judged in judge_dependencies.cpp. A level above Causal is refuted by whatever
// refutes a level that it implies, judged as that level judges it.
#include "witness/judge_violation.h"

#include <fmt/format.h>

#include "base/table.h"
#include "witness/judge_versions.h"
#include "witness/list_reads.h"
#include "witness/phrases.h"

namespace awdit {
namespace {

std::string objection_to_finding(const History& history,
                                 const Attribution& attribution,
                                 const Level& level, Kind kind,
                                 const Finding& finding) {
  const OpId read = finding.read;
  if (read.v >= history.num_ops() || history.is_write(read)) {
    return "it names no read of this history";
  }
  const bool repeated = kind == Kind::non_repeatable_read;
  if (repeated && !demands_repeatable_reads(level)) {
    return fmt::format("{} allows it", level.title);
  }
  const ReadFinding* found = find_finding(
      repeated ? attribution.unrepeatable : attribution.findings, read);
  const std::string quoted = fmt::format(
      "{}'s read of {}", history.txn_name(TxnId(attribution.op_txn[read.v])),
      quote(history, read));
  if (found == nullptr) {
    return fmt::format("{} is not of that kind", quoted);
  }
  if (found->kind != kind) {
    return fmt::format("{} is of kind {}", quoted, anomaly(found->kind).name);
  }
  if (kind == Kind::intermediate_read && history.has_lists()) {
    if (shows_torn_block(history, attribution, read, finding.element,
                         finding.write, finding.other)) {
      return "";
    }
    return fmt::format(
        "the element and the appends it names do not show that {} tears a "
        "transaction's appends apart",
        quoted);
  }
  if (finding.element != found->element) {
    return fmt::format(
        "the element it names does not show what is wrong with "
        "{}",
        quoted);
  }
  // Several aborted transactions may have written the value: any will do.
  const OpId write = finding.write;
  const bool another_aborted_write =
      kind == Kind::aborted_read && write.v < history.num_ops() &&
      history.is_write(write) && history.key(write) == history.key(read) &&
      history.value(write) == (found->element == kNoId
                                   ? history.value(read)
                                   : history.element(read, found->element)) &&
      history.status(TxnId(attribution.op_txn[write.v])) == Status::aborted;
  if (write != found->write && !another_aborted_write) {
    return fmt::format("{} did not return the write it names", quoted);
  }
  if (finding.other != found->other) {
    return fmt::format(
        "the other operation it names does not show what is wrong with {}",
        quoted);
  }
  return "";
}

// Any two reads of a key prove it, whichever of them the lists are measured by.
std::string objection_to_order(const History& history,
                               const Attribution& attribution,
                               const Finding& finding) {
  if (!history.has_lists()) return "the values of this history are no lists";
  if (finding.write.valid()) return "it is about two reads, yet names a write";
  for (const OpId read : {finding.read, finding.other}) {
    if (read.v >= history.num_ops() || history.is_write(read)) {
      return "it does not name two reads of this history";
    }
    const std::string quoted = fmt::format(
        "{}'s read of {}", history.txn_name(TxnId(attribution.op_txn[read.v])),
        quote(history, read));
    if (attribution.counts[attribution.op_txn[read.v]] == 0) {
      return fmt::format("{} is not of a committed transaction", quoted);
    }
    const ReadFinding* found = find_finding(attribution.findings, read);
    if (found != nullptr && found->kind != Kind::incompatible_order) {
      return fmt::format("{} is of kind {}", quoted, anomaly(found->kind).name);
    }
  }
  if (history.key(finding.read) != history.key(finding.other)) {
    return "the two reads it names are of different keys";
  }
  const std::uint32_t place =
      first_difference(history, finding.read, finding.other);
  if (place == kNoId) {
    return "of the two lists it names one is a beginning of the other";
  }
  if (finding.element != place) {
    return "the two lists it names do not differ first where it says";
  }
  return "";
}

// A cycle of sessions, reads, what the level's axiom demands, and the order of
// versions that lists show: these are in every commit order.
class CycleJudge {
 public:
  CycleJudge(const History& history, const Attribution& attribution,
             const Level& level)
      : level_(level),
        edges_(history, attribution, level),
        versions_(history, attribution, edges_) {}

  std::string objection(Kind kind, const Cycle& cycle) {
    if (kind != Kind::causality_cycle && kind != Kind::dependency_cycle &&
        kind != level_.cycle) {
      return fmt::format("{} knows no such cycle", level_.title);
    }
    if (kind == Kind::causality_cycle && !cycle.lemmas.empty()) {
      return "a causality cycle rests on no lemmas";
    }
    std::string wrong = to_lemmas(cycle.lemmas);
    if (wrong.empty()) wrong = to_edges(cycle.edges);
    if (!wrong.empty()) return wrong;
    const bool inferred = has(cycle.edges, Reason::inferred);
    const bool versions = has(cycle.edges, Reason::version_order);
    switch (kind) {
      case Kind::causality_cycle:
        if (inferred) return "a causality cycle has no inferred edges";
        if (versions)
          return "with an order of versions it is a dependency cycle";
        return "";
      case Kind::dependency_cycle:
        if (inferred) return "a dependency cycle has no inferred edges";
        if (!versions) {
          return "without an order of versions it is a causality cycle";
        }
        return "";
      default:
        if (!inferred) {
          return fmt::format("without an inferred edge it is a {} cycle",
                             versions ? "dependency" : "causality");
        }
        return to_name(cycle.edges);
    }
  }

 private:
  // It is called after the weakest level that has its edges.
  std::string to_name(std::span<const Edge> edges) const {
    for (const Level& weaker : levels()) {
      if (&weaker != &level_ && implies(level_, weaker) &&
          show_enough_for(weaker, edges)) {
        return fmt::format("it is a {}", anomaly(weaker.cycle).name);
      }
    }
    return "";
  }

  static bool has(const std::vector<Edge>& edges, Reason reason) {
    for (const Edge& edge : edges) {
      if (edge.reason == reason) return true;
    }
    return false;
  }

  std::string to_lemmas(const std::vector<Lemma>& lemmas) {
    for (std::size_t i = 0; i < lemmas.size(); ++i) {
      const Lemma& lemma = lemmas[i];
      std::string wrong = versions_.to_statement(lemma);
      if (wrong.empty()) {
        wrong = lemma.shown.valid()
                    ? versions_.to_shown(lemma)
                    : fmt::format(
                          "under {} only a list shows which version is "
                          "older, and it names none",
                          level_.title);
      }
      if (!wrong.empty()) return fmt::format("lemma {}: {}", i + 1, wrong);
      versions_.facts().add(lemma.key, lemma.older, lemma.newer);
    }
    return "";
  }

  std::string to_edges(const std::vector<Edge>& edges) const {
    return objection_to_circle(edges, [&](const Edge& edge) {
      if (edge.reason != Reason::version_order) return edges_.objection(edge);
      const std::string wrong = edges_.to_dependency(edge);
      return wrong.empty() ? versions_.to_version_order(edge) : wrong;
    });
  }

  const Level& level_;
  const EdgeJudge edges_;
  VersionJudge versions_;
};

// The first read of a key by its transaction, of those that returned another's
// version.
bool is_first_read(const Attribution& attribution, KeyId key, OpId read) {
  const TxnId txn(attribution.op_txn[read.v]);
  for (const std::uint32_t op : attribution.ops_on(key, txn)) {
    if (attribution.source[op] != Attribution::kNone) return op == read.v;
  }
  return false;
}

bool writes(const History& history, const Attribution& attribution, TxnId txn,
            KeyId key) {
  for (const std::uint32_t op : attribution.ops_on(key, txn)) {
    if (history.is_write(OpId(op))) return true;
  }
  return false;
}

// Whichever of the two comes first, the other one missed it.
std::string objection_to_lost_update(const History& history,
                                     const Attribution& attribution,
                                     const Level& level,
                                     const LostUpdate& lost) {
  if (level.cycles == Cycles::by_axiom || level.cycles == Cycles::prefix) {
    return fmt::format("{} allows it", level.title);
  }
  for (const OpId read : {lost.read, lost.other}) {
    if (read.v >= history.num_ops() || history.is_write(read)) {
      return "it does not name two reads of this history";
    }
    if (attribution.source[read.v] == Attribution::kNone) {
      return fmt::format(
          "{}'s read of {} returned no valid version of another transaction",
          history.txn_name(TxnId(attribution.op_txn[read.v])),
          quote(history, read));
    }
  }
  const KeyId key = history.key(lost.read);
  if (history.key(lost.other) != key) {
    return "the two reads it names are of different keys";
  }
  if (attribution.op_txn[lost.read.v] == attribution.op_txn[lost.other.v]) {
    return "the two reads it names are of one transaction";
  }
  if (lost.other < lost.read) {
    return "the two reads it names are in the wrong order";
  }
  const std::uint32_t source = attribution.source[lost.read.v];
  if (attribution.source[lost.other.v] != source) {
    return "the two reads it names returned different versions";
  }
  if (lost.write != (source == Attribution::kInit ? OpId() : OpId(source))) {
    return "the two reads did not return the write it names";
  }
  for (const OpId read : {lost.read, lost.other}) {
    const TxnId txn(attribution.op_txn[read.v]);
    if (!is_first_read(attribution, key, read)) {
      return fmt::format("{} had read {} before", history.txn_name(txn),
                         history.key_label(key));
    }
    if (!writes(history, attribution, txn, key)) {
      return fmt::format("{} did not write {}", history.txn_name(txn),
                         history.key_label(key));
    }
  }
  return "";
}

// The level by whose axiom such a cycle is judged, or nullptr: what refutes a
// weaker level refutes this one.
const Level* level_of_cycle(const Level& level, Kind kind) {
  if (level.cycles == Cycles::by_axiom &&
      (level.cycle == kind || kind == Kind::causality_cycle)) {
    return &level;
  }
  for (const Level& below : levels()) {
    if (below.cycles == Cycles::by_axiom && below.cycle == kind &&
        implies(level, below)) {
      return &below;
    }
  }
  return nullptr;
}

// Evidence that has what its kind cannot have, whatever the history.
std::string objection_to_form(const Violation& violation) {
  if (has_form_of_kind(violation)) return "";
  switch (anomaly(violation.kind).form) {
    case Form::finding:
      return "it is about one read, yet its evidence is not";
    case Form::lost_update:
      return "it is about two reads, yet its evidence is not";
    case Form::axiom_cycle:
    case Form::dependency_cycle:
      break;
  }
  return "it is a cycle, yet names an operation outside its edges";
}

}  // namespace

std::string objection_to_violation(const History& history,
                                   const Attribution& attribution,
                                   const Level& level,
                                   const Violation& violation) {
  const Kind kind = violation.kind;
  if (static_cast<std::size_t>(kind) >= anomalies().size()) {
    return "its kind is unknown";
  }
  if (std::string wrong = objection_to_form(violation); !wrong.empty()) {
    return wrong;
  }
  const bool by_axiom = level.cycles == Cycles::by_axiom;
  switch (anomaly(kind).form) {
    case Form::finding:
      if (kind == Kind::incompatible_order) {
        return objection_to_order(history, attribution, *violation.finding());
      }
      return objection_to_finding(history, attribution, level, kind,
                                  *violation.finding());
    case Form::lost_update:
      return objection_to_lost_update(history, attribution, level,
                                      *violation.lost_update());
    case Form::axiom_cycle:
      if (const Level* below = level_of_cycle(level, kind)) {
        return CycleJudge(history, attribution, *below)
            .objection(kind, *violation.cycle());
      }
      break;
    case Form::dependency_cycle:
      if (!by_axiom) {
        return objection_to_dependencies(history, attribution, level, kind,
                                         *violation.cycle());
      }
      if (kind == Kind::dependency_cycle) {
        return CycleJudge(history, attribution, level)
            .objection(kind, *violation.cycle());
      }
      break;
  }
  return fmt::format("{} knows no such cycle", level.title);
}

}  // namespace awdit
