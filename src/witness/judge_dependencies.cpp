// Whether a cycle of dependencies refutes a level above Causal.
//
// Session order, reads-from and real time are to be seen in the history. The
// order of versions (judge_versions.h) is so only of lists; else it takes a
// lemma: the contrary would close a forbidden cycle. To judge a lemma is to
// assume the contrary, to judge the lemmas under it, then its cycle, and to
// forget what rested on the assumption.
//
// Sound, because every order of versions that satisfies the level puts the two
// one way or the other; and nothing else is used than what was proven before.
// Cost: O(e log e) for evidence of e edges and lemmas, besides the lists that
// it names. No recursion: how deep lemmas nest is up to the certificate.
#include <fmt/format.h>

#include "witness/cycle_shape.h"
#include "witness/judge_versions.h"
#include "witness/judge_violation.h"
#include "witness/phrases.h"

namespace awdit {
namespace {

// Numbers told of the way to a lemma.
constexpr std::size_t kNumbers = 4;

class DependencyJudge {
 public:
  DependencyJudge(const History& history, const Attribution& attribution,
                  const Level& level)
      : history_(history),
        attribution_(attribution),
        level_(level),
        edges_(history, attribution, level),
        versions_(history, attribution, edges_) {}

  std::string objection(Kind kind, const Cycle& cycle) {
    std::string wrong = to_lemmas(cycle.lemmas);
    if (wrong.empty()) wrong = to_cycle(cycle.edges);
    if (!wrong.empty()) return wrong;
    const Kind shown = namer_.kind();
    if (shown == kind) return "";
    return fmt::format("what its cycles show is of kind {}",
                       anomaly(shown).name);
  }

 private:
  // Lemmas that are being judged; each list but the first under an assumption.
  struct Open {
    const std::vector<Lemma>* lemmas;
    std::size_t next;  // to be judged, or whose assumption is made
    std::size_t mark;  // what was known before that
  };

  std::string name(TxnId t) const { return history_.txn_name(t); }

  // -- lemmas
  // -------------------------------------------------------------------

  std::string to_lemmas(const std::vector<Lemma>& lemmas) {
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

  // -- cycles
  // -------------------------------------------------------------------

  std::string to_cycle(std::span<const Edge> edges) {
    const std::string wrong = objection_to_circle(
        edges, [&](const Edge& edge) { return to_edge(edge); });
    if (!wrong.empty()) return wrong;
    namer_.add(edges);
    return why_allowed(level_, edges);
  }

  std::string to_edge(const Edge& edge) const {
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
        return edges_.to_step(step_of(edge));
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

  std::string to_real_time(const Edge& edge) const {
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

  std::string to_anti_dependency(const Edge& edge) const {
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

  const History& history_;
  const Attribution& attribution_;
  const Level& level_;
  const EdgeJudge edges_;
  VersionJudge versions_;
  CycleNamer namer_;
};

}  // namespace

std::string objection_to_dependencies(const History& history,
                                      const Attribution& attribution,
                                      const Level& level, Kind kind,
                                      const Cycle& cycle) {
  return DependencyJudge(history, attribution, level).objection(kind, cycle);
}

}  // namespace awdit
