#include "witness/judge_dependencies.h"

#include <fmt/format.h>

#include "witness/cycle_shape.h"
#include "witness/phrases.h"

namespace awdit {
namespace {

// Numbers told of the way to a lemma.
constexpr std::size_t kNumbers = 4;

}  // namespace

DependencyJudge::DependencyJudge(const History& history,
                                 const Attribution& attribution,
                                 const Level& level)
    : history_(history),
      attribution_(attribution),
      level_(level),
      edges_(history, attribution, level),
      versions_(history, attribution, edges_) {}

std::string DependencyJudge::objection(Kind kind, const Cycle& cycle) {
  std::string wrong = to_lemmas(cycle.lemmas);
  if (wrong.empty()) wrong = to_cycle(cycle.edges);
  if (!wrong.empty()) return wrong;
  const Kind shown = namer_.kind();
  if (shown == kind) return "";
  return fmt::format("what its cycles show is of kind {}", anomaly(shown).name);
}

// -- lemmas -------------------------------------------------------------------

std::string DependencyJudge::to_lemmas(const std::vector<Lemma>& lemmas) {
  std::vector<Open> open = {{&lemmas, 0, 0}};
  const auto complain = [&](const std::string& what) {
    std::string place;
    for (std::size_t i = 0; i < open.size() && i < kNumbers; ++i) {
      place += fmt::format("{}{}", i == 0 ? "" : ".", open[i].next + 1);
    }
    return fmt::format("lemma {}{}: {}", place,
                       open.size() > kNumbers ? "..." : "", what);
  };
  while (true) {
    Open& list = open.back();
    if (list.next < list.lemmas->size()) {
      const Lemma& lemma = (*list.lemmas)[list.next];
      std::string wrong = versions_.to_statement(lemma);
      if (!wrong.empty()) return complain(wrong);
      if (lemma.shown.valid()) {
        wrong = versions_.to_shown(lemma);
        if (!wrong.empty()) return complain(wrong);
        versions_.facts().add(lemma.key, lemma.older, lemma.newer);
        ++list.next;
        continue;
      }
      if (open.size() > kDeepestLemma) {
        return complain(
            fmt::format("more than {} assumptions are made one "
                        "within the other",
                        kDeepestLemma));
      }
      list.mark = versions_.facts().mark();
      versions_.facts().add(lemma.key, lemma.newer, lemma.older);
      open.push_back({&lemma.under, 0, 0});
      continue;
    }
    open.pop_back();
    if (open.empty()) return "";
    Open& above = open.back();
    const Lemma& lemma = (*above.lemmas)[above.next];
    const std::string wrong = to_cycle(lemma.cycle);
    if (!wrong.empty()) return complain(wrong);
    versions_.facts().undo(above.mark);
    versions_.facts().add(lemma.key, lemma.older, lemma.newer);
    ++above.next;
  }
}

// -- cycles -------------------------------------------------------------------

std::string DependencyJudge::to_cycle(std::span<const Edge> edges) {
  const std::string wrong = objection_to_circle(
      edges, [&](const Edge& edge) { return to_edge(edge); });
  if (!wrong.empty()) return wrong;
  namer_.add(edges);
  return why_allowed(level_, edges);
}

std::string DependencyJudge::to_edge(const Edge& edge) const {
  if (std::string wrong = edges_.to_dependency(edge); !wrong.empty()) {
    return wrong;
  }
  const bool about_versions = edge.reason == Reason::version_order ||
                              edge.reason == Reason::anti_dependency;
  if (!about_versions && (edge.key.valid() || edge.other_write.valid())) {
    return "only an edge between versions has a key and another write";
  }
  switch (edge.reason) {
    case Reason::session_order:
    case Reason::reads_from:
      return edges_.to_step(
          {edge.from, edge.to, edge.reason, edge.write, edge.read});
    case Reason::real_time:
      return to_real_time(edge);
    case Reason::version_order:
      return versions_.to_version_order(edge);
    case Reason::anti_dependency:
      return to_anti_dependency(edge);
    case Reason::inferred:
      break;
  }
  return "its reason does not fit";
}

std::string DependencyJudge::to_real_time(const Edge& edge) const {
  if (!level_.real_time) {
    return fmt::format("{} does not look at real time", level_.title);
  }
  if (edge.write.valid() || edge.read.valid()) {
    return "real time rests on no operation, yet it names one";
  }
  if (history_.is_init(edge.from)) return "init has no times";
  if (edge.from == edge.to) return "it leads from a transaction to itself";
  if (!history_.ended_before(edge.from, edge.to)) {
    return fmt::format("nothing shows that {} had ended when {} began",
                       name(edge.from), name(edge.to));
  }
  return "";
}

std::string DependencyJudge::to_anti_dependency(const Edge& edge) const {
  const std::string wrong = versions_.to_newer_write(edge);
  if (!wrong.empty()) return wrong;
  const OpId read = edge.read;
  if (read.v >= history_.num_ops() || history_.is_write(read) ||
      history_.key(read) != edge.key ||
      attribution_.op_txn[read.v] != edge.from.v) {
    return fmt::format("it names no read of {} by {}",
                       history_.key_label(edge.key), name(edge.from));
  }
  if (attribution_.source[read.v] == Attribution::kNone) {
    return fmt::format(
        "{}'s read of {} returned no valid version of another transaction",
        name(edge.from), quote(history_, read));
  }
  if (find_finding(attribution_.unrepeatable, read) != nullptr) {
    return fmt::format(
        "{}'s read of {} differs from its first one and is "
        "judged as a non-repeatable read only",
        name(edge.from), history_.key_label(edge.key));
  }
  const TxnId writer = attribution_.writer(history_, read.v);
  const bool initial = history_.is_init(writer);
  if (edge.write != (initial ? OpId() : OpId(attribution_.source[read.v]))) {
    return fmt::format("the write it names is not what {}'s read returned",
                       name(edge.from));
  }
  if (initial) return "";
  if (writer == edge.to) {
    return fmt::format("{} did read what {} wrote", name(edge.from),
                       name(edge.to));
  }
  return versions_.to_fact(edge.key, writer, edge.to);
}

}  // namespace awdit
