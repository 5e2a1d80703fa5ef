// A cycle of dependencies is the more worth lying about as it rests on lemmas:
// one left out, turned round, or with a gap in its own cycle leaves the rest as
// it was. Every change below takes away something that the proof needs, however
// true it may be that there are other proofs.
#include "property/forge_dependencies.h"

#include <algorithm>
#include <array>

#include "evidence_parts.h"

namespace awdit::property {
namespace {

constexpr std::array kNames{Kind::lost_update,   Kind::dependency_cycle,
                            Kind::read_skew,     Kind::long_fork,
                            Kind::g_nonadjacent, Kind::write_skew,
                            Kind::g2_item,       Kind::real_time_violation};
class Forger {
 public:
  Forger(const History& history, const oracle::Facts& facts, const Level& level,
         const Violation& right, Random& random)
      : history_(history),
        facts_(facts),
        level_(level),
        right_(right),
        random_(random) {}

  std::vector<Forgery> run() {
    other_names();
    if (const LostUpdate* const lost = right_.lost_update()) {
      lost_updates(*lost);
      return std::move(forgeries_);
    }
    cycles();
    for (std::size_t e = 0; e < edges_of(right_).size(); ++e) edges(e);
    lemmas();
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

  void claim(std::string what, Violation violation) {
    LevelReport report;
    report.level = &level_;
    report.verdict = Verdict::violated;
    report.violations = {std::move(violation)};
    forgeries_.push_back({std::move(what), std::move(report)});
  }
  template <typename Change>
  void with(std::string what, Change change) {
    Violation wrong = right_;
    change(wrong);
    claim(std::move(what), std::move(wrong));
  }

  // A cycle has one name only; and none of these is a reading of another.
  void other_names() {
    for (Kind kind : kNames) {
      if (kind == right_.kind) continue;
      with("dependencies by another name",
           [&](Violation& wrong) { wrong.kind = kind; });
    }
    for (const Anomaly& row : anomalies()) {
      if (std::find(kNames.begin(), kNames.end(), row.kind) != kNames.end()) {
        continue;
      }
      with("dependencies by the name of something else",
           [&](Violation& wrong) { wrong.kind = row.kind; });
    }
    with("dependencies that are about a read",
         [&](Violation& wrong) { wrong.evidence = Finding{any_op()}; });
  }

  // -- lost updates -----------------------------------------------------------

  // Whether both read one version; of lists, own elements aside.
  bool reads_alike(OpId a, OpId b) const {
    return a.valid() && b.valid() && !history_.is_write(a) &&
           !history_.is_write(b) && same_version(history_, a, b);
  }

  void lost_updates(const LostUpdate& right) {
    const auto lost_with = [&](const std::string& what, auto change) {
      with(what, [&](Violation& wrong) { change(lost_update_of(wrong)); });
    };
    lost_with("a lost update told the other way round",
              [](LostUpdate& wrong) { std::swap(wrong.read, wrong.other); });
    lost_with("an update that lost itself",
              [](LostUpdate& wrong) { wrong.other = wrong.read; });
    lost_with("a lost update without the other one",
              [](LostUpdate& wrong) { wrong.other = OpId(); });
    lost_with("a lost update without a read",
              [](LostUpdate& wrong) { wrong.read = OpId(); });
    lost_with(
        "a lost update beyond the last operation",
        [&](LostUpdate& wrong) { wrong.other = OpId(history_.num_ops()); });
    const OpId op = any_op();
    if (!reads_alike(op, right.read)) {
      lost_with("a lost update with another read",
                [&](LostUpdate& wrong) { wrong.other = op; });
    }
    if (op != right.write) {
      lost_with("a lost update of another version",
                [&](LostUpdate& wrong) { wrong.write = op; });
    }
    if (right.write.valid()) {
      lost_with("a lost update of no version",
                [](LostUpdate& wrong) { wrong.write = OpId(); });
    }
  }

  // -- cycles -----------------------------------------------------------------

  void cycles() {
    with("a cycle without edges",
         [](Violation& wrong) { edges_of(wrong).clear(); });
    const std::size_t i = below(edges_of(right_).size());
    with("a cycle with a gap", [&](Violation& wrong) {
      edges_of(wrong).erase(edges_of(wrong).begin() + static_cast<long>(i));
    });
    with("a cycle with an edge turned round", [&](Violation& wrong) {
      std::swap(edges_of(wrong)[i].from, edges_of(wrong)[i].to);
      // Of two edges the cycle stays closed, in a way: turn the operations too.
      std::swap(edges_of(wrong)[i].write, edges_of(wrong)[i].other_write);
    });
    with("an edge to nowhere", [&](Violation& wrong) {
      edges_of(wrong)[i].to = TxnId(history_.num_txns() + 3);
    });
    const TxnId other = any_txn();
    if (other != edges_of(right_)[i].to) {
      with("an edge redirected",
           [&](Violation& wrong) { edges_of(wrong)[i].to = other; });
    }
    with("a cycle in a different order", [&](Violation& wrong) {
      if (edges_of(wrong).size() < 3) return edges_of(wrong).pop_back();
      std::swap(edges_of(wrong)[0], edges_of(wrong)[1]);
    });
  }

  void edges(std::size_t e) {
    const Edge& edge = edges_of(right_)[e];
    const auto edge_with = [&](const std::string& what, auto change) {
      with(what, [&](Violation& wrong) { change(edges_of(wrong)[e]); });
    };
    const auto as = [&](Reason reason, const std::string& what) {
      if (edge.reason == reason) return;
      edge_with(what, [&](Edge& wrong) { wrong.reason = reason; });
    };
    if (!facts_.so(edge.from.v, edge.to.v)) {
      as(Reason::session_order, "an edge justified by a session");
    }
    if (!history_.is_init(edge.from) &&
        !history_.ended_before(edge.from, edge.to)) {
      as(Reason::real_time, "an edge justified by real time");
    }
    as(Reason::inferred, "a dependency called inferred");
    // The operations fit one of these only.
    as(Reason::reads_from, "a dependency called a read");
    as(Reason::version_order, "a dependency called an order of versions");
    as(Reason::anti_dependency, "a dependency called an anti-dependency");
    if (edge.reason == Reason::session_order ||
        edge.reason == Reason::real_time) {
      return;
    }
    const OpId op = any_op();
    if (op != edge.write) {
      edge_with("a dependency on another write",
                [&](Edge& wrong) { wrong.write = op; });
    }
    if (edge.reason != Reason::version_order && op != edge.read &&
        !reads_alike(op, edge.read)) {
      edge_with("a dependency with another read",
                [&](Edge& wrong) { wrong.read = op; });
    }
    if (edge.reason == Reason::reads_from) return;
    if (op != edge.other_write) {
      edge_with("a dependency with another overwrite",
                [&](Edge& wrong) { wrong.other_write = op; });
    }
    edge_with("a dependency about another key", [&](Edge& wrong) {
      wrong.key = KeyId((edge.key.v + 1) % (history_.num_keys() + 1));
    });
  }

  // -- lemmas -----------------------------------------------------------------

  struct Order {
    KeyId key;
    TxnId older, newer;
  };

  // What an edge says about the order of versions, if it needs a lemma.
  std::optional<Order> order_of(const Edge& edge) const {
    if (edge.reason == Reason::version_order) {
      return Order{edge.key, edge.from, edge.to};
    }
    if (edge.reason == Reason::anti_dependency && edge.write.valid()) {
      return Order{edge.key, history_.txn_of(edge.write), edge.to};
    }
    return std::nullopt;
  }
  static bool states(const Lemma& lemma, const Order& order) {
    return lemma.key == order.key && lemma.older == order.older &&
           lemma.newer == order.newer;
  }
  static bool is_about(const Lemma& lemma, const Order& order) {
    return states(lemma, order) ||
           states(lemma, {order.key, order.newer, order.older});
  }
  static std::size_t how_many_about(const std::vector<Lemma>& lemmas,
                                    const Order& order) {
    std::size_t count = 0;
    walk_lemmas(lemmas,
                [&](const Lemma& lemma) { count += is_about(lemma, order); });
    return count;
  }

  void lemmas() {
    for (std::size_t e = 0; e < edges_of(right_).size(); ++e) {
      const std::optional<Order> order = order_of(edges_of(right_)[e]);
      if (!order) continue;
      with("no lemmas at all",
           [](Violation& wrong) { lemmas_of(wrong).clear(); });
      with("the lemma of a dependency left out", [&](Violation& wrong) {
        std::erase_if(lemmas_of(wrong), [&](const Lemma& lemma) {
          return states(lemma, *order);
        });
      });
      break;
    }
    if (lemmas_of(right_).empty()) return;
    const std::size_t i = below(lemmas_of(right_).size());
    const Lemma& lemma = lemmas_of(right_)[i];
    const auto lemma_with = [&](const std::string& what, auto change) {
      with(what, [&](Violation& wrong) { change(lemmas_of(wrong)[i]); });
    };
    const Order order{lemma.key, lemma.older, lemma.newer};
    lemma_with("a lemma about one transaction",
               [](Lemma& wrong) { wrong.newer = wrong.older; });
    lemma_with("a lemma about nobody", [&](Lemma& wrong) {
      wrong.older = TxnId(history_.num_txns() + 2);
    });
    lemma_with("a lemma about init",
               [&](Lemma& wrong) { wrong.newer = history_.init_txn(); });
    lemma_with("a lemma about another key", [&](Lemma& wrong) {
      wrong.key = KeyId((lemma.key.v + 1) % (history_.num_keys() + 1));
    });
    if (lemma.shown.valid()) {
      lemma_with("a lemma that nothing shows",
                 [](Lemma& wrong) { wrong.shown = OpId(); });
      lemma_with("a lemma shown the other way round",
                 [](Lemma& wrong) { std::swap(wrong.older, wrong.newer); });
      lemma_with("a lemma shown by a write", [&](Lemma& wrong) {
        for (const OpId op : history_.ops(lemma.older)) {
          if (history_.is_write(op)) wrong.shown = op;
        }
      });
      lemma_with("a lemma shown and proven",
                 [&](Lemma& wrong) { wrong.cycle = edges_of(right_); });
      if (level_.cycles == Cycles::by_axiom) {
        lemma_with("a lemma proven where only lists count", [&](Lemma& wrong) {
          wrong.shown = OpId();
          wrong.cycle = edges_of(right_);
        });
      }
      return;
    }
    if (how_many_about(lemmas_of(right_), order) == 1 && uses(lemma)) {
      lemma_with("a lemma turned round",
                 [](Lemma& wrong) { std::swap(wrong.older, wrong.newer); });
    }
    lemma_with("a lemma without a proof",
               [](Lemma& wrong) { wrong.cycle.clear(); });
    const std::size_t e = below(lemma.cycle.size());
    lemma_with("a lemma whose proof has a gap", [&](Lemma& wrong) {
      wrong.cycle.erase(wrong.cycle.begin() + static_cast<long>(e));
    });
    lemma_with("a lemma whose proof has an edge turned round",
               [&](Lemma& wrong) {
                 std::swap(wrong.cycle[e].from, wrong.cycle[e].to);
                 std::swap(wrong.cycle[e].write, wrong.cycle[e].other_write);
               });
    if (!lemma.under.empty() && needs_under(lemma)) {
      lemma_with("a lemma without what it rests on",
                 [](Lemma& wrong) { wrong.under.clear(); });
    }
    if (!history_.has_lists()) {
      lemma_with("a lemma shown by a read of no list", [&](Lemma& wrong) {
        wrong.shown = any_op();
        wrong.cycle.clear();
        wrong.under.clear();
      });
    }
  }

  // Whether its proof uses what it assumes.
  bool uses(const Lemma& lemma) const {
    const Order assumed{lemma.key, lemma.newer, lemma.older};
    return std::any_of(
        lemma.cycle.begin(), lemma.cycle.end(), [&](const Edge& edge) {
          const std::optional<Order> order = order_of(edge);
          return order && order->key == assumed.key &&
                 order->older == assumed.older && order->newer == assumed.newer;
        });
  }

  // Whether the cycle has an order of versions that nothing but `under` states.
  bool needs_under(const Lemma& lemma) const {
    for (const Edge& edge : lemma.cycle) {
      const std::optional<Order> order = order_of(edge);
      if (!order) continue;
      const bool below =
          std::any_of(lemma.under.begin(), lemma.under.end(),
                      [&](const Lemma& l) { return states(l, *order); });
      if (below && how_many_about(lemmas_of(right_), *order) == 1) return true;
    }
    return false;
  }

  const History& history_;
  const oracle::Facts& facts_;
  const Level& level_;
  const Violation& right_;
  Random& random_;
  std::vector<Forgery> forgeries_;
};

}  // namespace

bool same_version(const History& history, OpId a, OpId b) {
  if (history.key(a) != history.key(b)) return false;
  if (!history.has_lists()) return history.value(a) == history.value(b);
  const auto seen = [&](OpId read) {
    std::size_t own = 0;
    for (const OpId op : history.ops(history.txn_of(read))) {
      own += op < read && history.is_write(op) &&
             history.key(op) == history.key(read);
    }
    return history.list_size(read) - std::min(history.list_size(read), own);
  };
  if (seen(a) != seen(b)) return false;
  for (std::size_t i = 0; i < seen(a); ++i) {
    if (history.element(a, i) != history.element(b, i)) return false;
  }
  return true;
}

std::vector<Forgery> forge_dependencies(const History& history,
                                        const oracle::Facts& facts,
                                        const Level& level,
                                        const Violation& right,
                                        Random& random) {
  return Forger(history, facts, level, right, random).run();
}

Violation invented_dependencies(const History& history, Random& random) {
  const auto any_txn = [&] {
    return TxnId(static_cast<std::uint32_t>(random() % history.num_txns()));
  };
  const auto any_op = [&] {
    return OpId(static_cast<std::uint32_t>(random() % history.num_ops()));
  };
  constexpr std::array kReasons{Reason::session_order, Reason::reads_from,
                                Reason::real_time, Reason::version_order,
                                Reason::anti_dependency};
  const Kind kind = kNames[random() % kNames.size()];
  if (kind == Kind::lost_update) {
    LostUpdate lost{any_op(), any_op()};
    if (random() % 2 == 0) lost.write = any_op();
    return {kind, lost};
  }
  Cycle cycle;
  const TxnId a = any_txn(), b = any_txn();
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    Edge edge;
    edge.from = from;
    edge.to = to;
    edge.reason = kReasons[random() % kReasons.size()];
    if (edge.reason != Reason::session_order &&
        edge.reason != Reason::real_time) {
      if (random() % 3 != 0) edge.write = any_op();
      edge.read = any_op();
      edge.other_write = any_op();
      edge.key = history.key(edge.other_write);
      Lemma lemma;
      lemma.key = edge.key;
      lemma.older = from;
      lemma.newer = to;
      if (random() % 2 == 0) lemma.shown = any_op();
      if (!cycle.edges.empty()) lemma.cycle = cycle.edges;
      cycle.lemmas.push_back(std::move(lemma));
    }
    cycle.edges.push_back(std::move(edge));
  }
  return {kind, std::move(cycle)};
}

}  // namespace awdit::property
