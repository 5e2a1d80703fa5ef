// How to lie. A report of a level that holds is turned into orders that are no
// commit orders and into violations that never happened; a violated one into
// orders (there is none) and into findings and cycles with one detail changed.
// A change that might leave a valid proof behind is not made: each case below
// says, or checks against the oracle's facts, why the result is wrong.
#include "property/forge.h"

#include <algorithm>
#include <array>

#include "evidence_parts.h"
#include "property/forge_dependencies.h"

namespace awdit::property {
namespace {

constexpr std::array kReadKinds{
    Kind::thin_air_read,      Kind::aborted_read,
    Kind::future_read,        Kind::own_write_ignored,
    Kind::stale_own_write,    Kind::intermediate_read,
    Kind::duplicate_element,  Kind::incompatible_order,
    Kind::non_repeatable_read};
// Of levels by axiom, each with its own.
std::vector<Kind> cycle_kinds() {
  std::vector<Kind> kinds = {Kind::dependency_cycle};
  for (const Level& level : levels()) {
    if (level.cycles == Cycles::by_axiom) kinds.push_back(level.cycle);
  }
  return kinds;
}

LevelReport claim_of(const Level* level, Verdict verdict) {
  LevelReport claim;
  claim.level = level;
  claim.verdict = verdict;
  return claim;
}

Edge session_edge(TxnId from, TxnId to) {
  Edge edge;
  edge.from = from;
  edge.to = to;
  return edge;
}

class Forger {
 public:
  Forger(const History& history, const oracle::Facts& facts,
         const LevelReport& report, Random& random)
      : history_(history), facts_(facts), report_(report), random_(random) {}

  std::vector<Forgery> run() {
    if (report_.verdict == Verdict::holds) {
      wrong_orders();
      invented_findings();
      invented_cycles();
    } else {
      orders_for_the_impossible();
      for (const Violation& violation : report_.violations) {
        const Form form = anomaly(violation.kind).form;
        if (form == Form::lost_update || form == Form::dependency_cycle) {
          for (Forgery& forgery : forge_dependencies(
                   history_, facts_, *report_.level, violation, random_)) {
            forgeries_.push_back(std::move(forgery));
          }
        } else if (report_.level->cycles != Cycles::by_axiom ||
                   is_of_weaker_level(violation.kind)) {
          // A weaker level's evidence, about which that level's report lies.
          // By another name it may be right, as that of a third one.
        } else if (form == Form::finding) {
          wrong_findings(violation);
        } else {
          wrong_cycles(violation);
        }
      }
      one_lie_among_truths();
    }
    return std::move(forgeries_);
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  TxnId any_txn() {
    return TxnId(static_cast<std::uint32_t>(below(history_.num_txns())));
  }
  OpId any_op() {
    return OpId(static_cast<std::uint32_t>(below(history_.num_ops())));
  }

  bool in(OpId op, TxnId txn) const {
    return op.valid() && !history_.is_init(txn) &&
           history_.ops(txn).contains(op);
  }
  // Both read the same version, or both write the same value, of the same key.
  bool alike(OpId a, OpId b) const {
    if (!a.valid() || !b.valid() ||
        history_.is_write(a) != history_.is_write(b)) {
      return false;
    }
    if (!history_.is_write(a)) return same_version(history_, a, b);
    return history_.key(a) == history_.key(b) &&
           history_.value(a) == history_.value(b);
  }

  void claim_order(std::string what, std::vector<TxnId> order) {
    LevelReport claim = claim_of(report_.level, Verdict::holds);
    claim.commit_order = std::move(order);
    if (speaks_of_snapshots(*report_.level)) {
      for (std::uint32_t i = 0; i < claim.commit_order.size(); ++i) {
        claim.snapshots.push_back(
            i < report_.snapshots.size() ? report_.snapshots[i] : i);
      }
    }
    forgeries_.push_back({std::move(what), std::move(claim)});
  }
  void claim_violation(std::string what, Violation violation) {
    LevelReport claim = claim_of(report_.level, Verdict::violated);
    claim.violations = {std::move(violation)};
    forgeries_.push_back({std::move(what), std::move(claim)});
  }

  // -- orders ---------------------------------------------------------------

  void wrong_orders() {
    const std::vector<TxnId>& right = report_.commit_order;
    std::vector<TxnId> order = right;
    order.push_back(history_.init_txn());
    claim_order("init listed", order);
    for (TxnId t : history_.txns()) {
      if (facts_.live.contains(t.v)) continue;
      order.back() = t;
      claim_order("a transaction listed that does not count", order);
      break;
    }
    if (right.empty()) return;
    const std::size_t i = below(right.size());
    order = right;
    order.erase(order.begin() + static_cast<long>(i));
    claim_order("a transaction left out", order);
    order = right;
    order.push_back(right[i]);
    claim_order("a transaction listed twice", order);
    order = right;
    order[i] = TxnId(history_.num_txns() + 7);
    claim_order("a transaction that does not exist", order);
    swap_dependents(right);
  }

  void swap_dependents(std::vector<TxnId> order) {
    for (std::size_t tries = 0; tries < 4; ++tries) {
      const std::size_t b = below(order.size());
      const std::set<std::uint32_t>& first = facts_.directly_before[order[b].v];
      for (std::size_t a = 0; a < b; ++a) {
        if (!first.contains(order[a].v)) continue;
        std::swap(order[a], order[b]);
        claim_order("two dependent transactions swapped", order);
        return;
      }
    }
  }

  void orders_for_the_impossible() {
    std::vector<TxnId> order;
    for (std::uint32_t t : facts_.live) order.push_back(TxnId(t));
    claim_order("holds, in the order of the ids", order);
    std::shuffle(order.begin(), order.end(), random_);
    claim_order("holds, in any order", order);
    claim_order("holds, without an order", {});
    forgeries_.push_back({"violated, without evidence",
                          claim_of(report_.level, Verdict::violated)});
  }

  // Evidence is rejected as a whole.
  void one_lie_among_truths() {
    const Forgery& lie = forgeries_[below(forgeries_.size())];
    if (lie.claim.violations.empty()) return;
    LevelReport claim = report_;
    std::vector<Violation> told(report_.violations.begin(),
                                report_.violations.end());
    told.push_back(lie.claim.violations.front());
    claim.violations = std::move(told);
    forgeries_.push_back({"among truths, " + lie.what, std::move(claim)});
  }

  // -- findings ---------------------------------------------------------------

  void invented_findings() {
    forgeries_.push_back({"violated, without evidence",
                          claim_of(report_.level, Verdict::violated)});
    if (history_.num_ops() == 0) return;
    for (Kind kind : kReadKinds) {
      Finding finding{any_op()};
      if (below(2) == 0) finding.write = any_op();
      if (below(2) == 0) finding.other = any_op();
      if (below(2) == 0) finding.element = below(2) == 0 ? 0 : 1;
      claim_violation("an invented finding", {kind, finding});
    }
  }

  // Each read has one finding at most, and kind and read determine the rest, up
  // to writes alike, which aborted transactions may have; any two lists that
  // contradict each other prove it, and any two appends that a list tears
  // apart.
  void wrong_findings(const Violation& right) {
    for (Kind kind : kReadKinds) {
      if (kind == right.kind) continue;
      Violation wrong = right;
      wrong.kind = kind;
      claim_violation("another kind of finding", wrong);
    }
    const Finding& finding = finding_of(right);
    Violation wrong = right;
    wrong.kind = Kind::causality_cycle;
    claim_violation("a finding called a cycle", wrong);
    wrong.evidence = Cycle();
    claim_violation("a cycle without edges", wrong);

    wrong = right;
    finding_of(wrong).read = any_op();
    if (!has_finding(right.kind, finding_of(wrong).read) &&
        finding_of(wrong).read != finding.read && !contradict(wrong)) {
      claim_violation("a finding at another operation", wrong);
    }
    wrong = right;
    finding_of(wrong).read = OpId();
    claim_violation("a finding at no operation", wrong);
    finding_of(wrong).read = OpId(history_.num_ops());
    claim_violation("a finding beyond the last operation", wrong);

    if (finding.write.valid()) {
      wrong = right;
      finding_of(wrong).write = any_op();
      if (!alike(finding_of(wrong).write, finding.write) && !torn(wrong)) {
        claim_violation("a finding with another write", wrong);
      }
      finding_of(wrong).write = OpId();
      claim_violation("a finding without its write", wrong);
    }
    if (finding.other.valid()) {
      wrong = right;
      finding_of(wrong).other = any_op();
      if (finding_of(wrong).other != finding.other && !contradict(wrong) &&
          !torn(wrong)) {
        claim_violation("a finding compared with another operation", wrong);
      }
      finding_of(wrong).other = OpId();
      claim_violation("a finding compared with nothing", wrong);
    }
    wrong = right;
    finding_of(wrong).element =
        finding.element == kNoId ? 0 : finding.element + 1;
    if (!torn(wrong)) claim_violation("a finding at another element", wrong);
    if (finding.element != kNoId) {
      finding_of(wrong).element = kNoId;
      claim_violation("a finding at no element", wrong);
    }
  }

  // Whether it says intermediate_read and that is so, of a list that is one:
  // the number of appends from `write` to `other` in their transaction is not
  // that of places from `element` to the other element, before own ones.
  bool torn(const Violation& violation) const {
    const Finding& finding = finding_of(violation);
    const OpId read = finding.read;
    if (violation.kind != Kind::intermediate_read || !history_.has_lists() ||
        !history_.is_write(finding.write) ||
        !history_.is_write(finding.other)) {
      return false;
    }
    const KeyId key = history_.key(read);
    const TxnId maker = history_.txn_of(finding.write);
    if (history_.key(finding.write) != key ||
        history_.key(finding.other) != key ||
        history_.txn_of(finding.other) != maker ||
        !facts_.live.contains(maker.v)) {
      return false;
    }
    std::vector<Atom> seen;
    for (std::size_t i = 0; i < history_.list_size(read); ++i) {
      seen.push_back(history_.element(read, i));
    }
    for (OpId op : history_.ops(history_.txn_of(read))) {
      if (op < read && history_.is_write(op) && history_.key(op) == key) {
        seen.pop_back();
      }
    }
    std::vector<Atom> block;
    std::size_t a = 0, b = 0;
    for (OpId op : history_.ops(maker)) {
      if (!history_.is_write(op) || history_.key(op) != key) continue;
      if (op == finding.write) a = block.size();
      if (op == finding.other) b = block.size();
      block.push_back(history_.value(op));
    }
    if (finding.element >= seen.size() || seen[finding.element] != block[a]) {
      return false;
    }
    const std::size_t at = finding.element + b - a;  // may wrap
    return at >= seen.size() || seen[at] != block[b];
  }

  // Whether it says incompatible_order and that is so.
  bool contradict(const Violation& violation) const {
    if (violation.kind != Kind::incompatible_order) return false;
    const Finding& finding = finding_of(violation);
    for (OpId read : {finding.read, finding.other}) {
      if (history_.is_write(read) ||
          history_.key(read) != history_.key(finding.read) ||
          !facts_.live.contains(history_.txn_of(read).v)) {
        return false;
      }
      for (Kind kind : kReadKinds) {
        if (kind != violation.kind &&
            facts_.read_findings.contains({kind, read.v})) {
          return false;
        }
      }
    }
    const std::size_t size = std::min(history_.list_size(finding.read),
                                      history_.list_size(finding.other));
    for (std::size_t i = 0; i < size; ++i) {
      if (history_.element(finding.read, i) !=
          history_.element(finding.other, i)) {
        return i == finding.element;
      }
    }
    return false;
  }

  bool has_finding(Kind kind, OpId read) const {
    if (kind != Kind::non_repeatable_read) {
      return facts_.read_findings.contains({kind, read.v});
    }
    return std::any_of(facts_.reads.begin(), facts_.reads.end(),
                       [&](const oracle::Read& r) {
                         return r.op == read.v && r.repeats_differently;
                       });
  }

  // -- cycles
  // -------------------------------------------------------------------

  // The level holds, so that no cycle whatsoever proves the contrary.
  void invented_cycles() {
    if (history_.num_txns() < 2 || history_.num_ops() == 0) return;
    for (Kind kind : cycle_kinds()) {
      const TxnId a = any_txn(), b = any_txn();
      Cycle cycle{{random_edge(a, b), random_edge(b, a)}};
      claim_violation("an invented cycle", {kind, std::move(cycle)});
    }
    if (report_.level->cycles != Cycles::by_axiom) {
      for (int i = 0; i < 4; ++i) {
        claim_violation("invented dependencies",
                        invented_dependencies(history_, random_));
      }
    }
    if (history_.has_lists()) {
      for (int i = 0; i < 8; ++i) invented_versions();
    }
    const TxnId a = any_txn();
    claim_violation("a loop",
                    {Kind::causality_cycle, Cycle{{session_edge(a, a)}}});
  }

  OpId last_append(KeyId key, TxnId txn) const {
    OpId last;
    for (OpId op : history_.ops(txn)) {
      if (history_.is_write(op) && history_.key(op) == key) last = op;
    }
    return last;
  }

  // Two transactions that each come first, because some list is said to show
  // it, or their session.
  void invented_versions() {
    Cycle cycle;
    const TxnId a = any_txn(), b = any_txn();
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
      const OpId read = any_op();
      Edge edge = session_edge(from, to);
      if (cycle.edges.empty() || below(2) == 0) {
        edge.reason = Reason::version_order;
        edge.key = history_.key(read);
        edge.write = last_append(edge.key, from);
        edge.other_write = last_append(edge.key, to);
        cycle.lemmas.push_back({edge.key, from, to, read, {}, {}});
      }
      cycle.edges.push_back(edge);
    }
    claim_violation("invented versions",
                    {Kind::dependency_cycle, std::move(cycle)});
  }

  Edge random_edge(TxnId from, TxnId to) {
    Edge edge = session_edge(from, to);
    edge.reason = Reason(below(3));
    if (edge.reason == Reason::session_order) return edge;
    edge.read = any_op();
    edge.write = any_op();
    if (edge.reason == Reason::reads_from) return edge;
    edge.other_write = any_op();
    edge.reader = any_txn();
    edge.key = history_.key(edge.read);
    edge.seen.push_back({from, edge.reader, Reason::session_order, {}, {}});
    return edge;
  }

  bool is_of_weaker_level(Kind kind) const {
    if (kind == Kind::causality_cycle) return false;
    return std::any_of(levels().begin(), levels().end(), [&](const Level& row) {
      return row.cycles == Cycles::by_axiom && row.cycle == kind &&
             &row != report_.level && implies(*report_.level, row);
    });
  }

  void wrong_cycles(const Violation& right) {
    for (Kind kind : kReadKinds) {
      Violation wrong = right;
      wrong.kind = kind;
      claim_violation("a cycle called a finding", wrong);
    }
    for (Kind kind : cycle_kinds()) {
      if (kind == right.kind) continue;
      Violation wrong = right;
      wrong.kind = kind;
      claim_violation("a cycle by another name", wrong);
    }
    Violation wrong = right;
    wrong.evidence = Finding{any_op()};
    claim_violation("a cycle that is about a read", wrong);
    wrong = right;
    edges_of(wrong).clear();
    claim_violation("a cycle without edges", wrong);

    const std::size_t i = below(edges_of(right).size());
    wrong = right;
    edges_of(wrong).erase(edges_of(wrong).begin() + static_cast<long>(i));
    claim_violation("a cycle with a gap", wrong);
    wrong = right;
    edges_of(wrong)[i].to = any_txn();
    if (edges_of(wrong)[i].to != edges_of(right)[i].to) {
      claim_violation("an edge redirected", wrong);
    }
    edges_of(wrong)[i].to = TxnId(history_.num_txns() + 3);
    claim_violation("an edge to nowhere", wrong);
    exchanged_node(right, i);
    for (std::size_t e = 0; e < edges_of(right).size(); ++e)
      wrong_edge(right, e);
    wrong_lemmas(right);
  }

  // Beside an inferred edge there may be orders of versions that lists show.
  void wrong_lemmas(const Violation& right) {
    if (lemmas_of(right).empty()) return;
    Violation wrong = right;
    lemmas_of(wrong).clear();
    const bool used = std::any_of(
        edges_of(right).begin(), edges_of(right).end(),
        [](const Edge& edge) { return edge.reason == Reason::version_order; });
    if (used) claim_violation("no lemmas at all", wrong);
    const std::size_t i = below(lemmas_of(right).size());
    const auto with = [&](const std::string& what, auto change) {
      wrong = right;
      change(lemmas_of(wrong)[i]);
      claim_violation(what, wrong);
    };
    with("a lemma that nothing shows",
         [](Lemma& lemma) { lemma.shown = OpId(); });
    with("a lemma shown the other way round",
         [](Lemma& lemma) { std::swap(lemma.older, lemma.newer); });
    with("a lemma about one transaction",
         [](Lemma& lemma) { lemma.newer = lemma.older; });
    with("a lemma shown by nobody",
         [&](Lemma& lemma) { lemma.shown = OpId(history_.num_ops()); });
    with("a lemma shown and proven",
         [&](Lemma& lemma) { lemma.cycle = edges_of(right); });
    with("a lemma about another key", [&](Lemma& lemma) {
      lemma.key = KeyId((lemma.key.v + 1) % (history_.num_keys() + 1));
    });
  }

  // Another transaction takes the place of the one between two edges. Edges
  // with operations name operations of the old one; two session steps are
  // wrong unless the new one lies between, too.
  void exchanged_node(const Violation& right, std::size_t i) {
    const std::size_t next = (i + 1) % edges_of(right).size();
    const Edge& in = edges_of(right)[i];
    const Edge& out = edges_of(right)[next];
    const TxnId other = any_txn();
    if (other == in.to || next == i) return;
    const bool sessions = in.reason == Reason::session_order &&
                          out.reason == Reason::session_order;
    if (sessions && facts_.so(in.from.v, other.v) &&
        facts_.so(other.v, out.to.v)) {
      return;
    }
    Violation wrong = right;
    edges_of(wrong)[i].to = other;
    edges_of(wrong)[next].from = other;
    claim_violation("a transaction of the cycle exchanged", wrong);
  }

  void wrong_edge(const Violation& right, std::size_t e) {
    const Edge& edge = edges_of(right)[e];
    const auto with = [&](const std::string& what, auto change) {
      Violation wrong = right;
      change(edges_of(wrong)[e]);
      claim_violation(what, wrong);
    };
    const bool so = facts_.so(edge.from.v, edge.to.v);
    if (edge.reason != Reason::session_order && !so) {
      with("an edge justified by a session",
           [](Edge& wrong) { wrong = session_edge(wrong.from, wrong.to); });
    }
    if (edge.reason == Reason::session_order) {
      with("a session edge justified by no read",
           [](Edge& wrong) { wrong.reason = Reason::reads_from; });
      return;
    }
    const OpId op = any_op();
    if (op != edge.read &&
        !(in(op, edge.reason == Reason::inferred ? edge.reader : edge.to) &&
          alike(op, edge.read))) {
      with("an edge with another read", [&](Edge& wrong) { wrong.read = op; });
    }
    if (op != edge.write) {
      with("an edge with another write",
           [&](Edge& wrong) { wrong.write = op; });
    }
    if (edge.reason == Reason::inferred) wrong_inference(edge, op, with);
    if (edge.reason == Reason::version_order) {
      if (op != edge.other_write) {
        with("an order of versions with another overwrite",
             [&](Edge& wrong) { wrong.other_write = op; });
      }
      with("an order of versions of another key", [&](Edge& wrong) {
        wrong.key = KeyId((edge.key.v + 1) % (history_.num_keys() + 1));
      });
      with("an order of versions called inferred",
           [](Edge& wrong) { wrong.reason = Reason::inferred; });
    }
  }

  template <typename With>
  void wrong_inference(const Edge& edge, OpId op, With with) {
    const bool also_writes = in(op, edge.from) && history_.is_write(op) &&
                             history_.key(op) == edge.key;
    if (!also_writes) {
      with("an inference with another overwrite",
           [&](Edge& wrong) { wrong.other_write = op; });
    }
    const TxnId reader = any_txn();
    if (reader != edge.reader) {
      with("an inference from another reader",
           [&](Edge& wrong) { wrong.reader = reader; });
    }
    with("an inference about another key", [&](Edge& wrong) {
      wrong.key = KeyId((edge.key.v + 1) % (history_.num_keys() + 1));
    });
    with("an inference from nothing seen",
         [](Edge& wrong) { wrong.seen.clear(); });
    const std::size_t s = below(edge.seen.size());
    with("an inference with a step left out", [&](Edge& wrong) {
      wrong.seen.erase(wrong.seen.begin() + static_cast<long>(s));
    });
    with("an inference with a step reversed",
         [&](Edge& wrong) { std::swap(wrong.seen[s].from, wrong.seen[s].to); });
    const TxnId other = any_txn();
    if (other != edge.seen[s].to) {
      with("an inference with a step redirected",
           [&](Edge& wrong) { wrong.seen[s].to = other; });
    }
    if (edge.seen[s].reason == Reason::reads_from && op != edge.seen[s].write) {
      with("an inference with a step from another write",
           [&](Edge& wrong) { wrong.seen[s].write = op; });
    }
    if (report_.level->premise == Premise::read_before) {
      with("an inference from what was seen only later",
           [&](Edge& wrong) { wrong.seen[0].read = edge.read; });
    }
  }

  const History& history_;
  const oracle::Facts& facts_;
  const LevelReport& report_;
  Random& random_;
  std::vector<Forgery> forgeries_;
};

}  // namespace

std::vector<Forgery> forge(const History& history, const oracle::Facts& facts,
                           const LevelReport& report, Random& random) {
  return Forger(history, facts, report, random).run();
}

}  // namespace awdit::property
