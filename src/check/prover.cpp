#include "check/prover.h"

#include <algorithm>
#include <map>
#include <queue>
#include <unordered_map>

#include "base/assert.h"
#include "base/budget.h"
#include "check/cycle_states.h"
#include "check/shown_in_lists.h"

namespace awdit {
namespace {

constexpr std::uint32_t kInit = kNoId;  // as a writer

using Arc = DependencyArc;

// `older` wrote `key` before `newer`.
struct Fact {
  std::uint32_t key, older, newer;
  OpId shown;
  std::vector<Arc> cycle;            // if it were the other way round
  std::vector<std::uint32_t> under;  // facts proven under that assumption
  std::uint32_t assumption = kNoId;  // the fact that the opposite was
};

class Prover {
 public:
  Prover(const Index& index, OpFinder& finder, const Level& level,
         std::span<const std::uint32_t> txns)
      : index_(index),
        history_(index.history()),
        finder_(finder),
        level_(level),
        txns_(txns),
        pace_(index.budget()),
        states_(level.cycles),
        out_(txns.size()) {
    for (std::uint32_t i = 0; i < txns_.size(); ++i) local_[txns_[i]] = i;
    find_operations();
    add_known();
  }

  std::optional<Violation> run() {
    std::vector<std::uint32_t> made;
    const std::optional<std::vector<Arc>> cycle = refute(made);
    if (!cycle) return std::nullopt;
    Cycle evidence;
    std::vector<std::uint8_t> needed(facts_.size(), 0);
    need(*cycle, needed);
    need_under(made, needed);
    evidence.edges = edges(*cycle);
    for (const auto* list : {&shown_, &made}) {
      for (const std::uint32_t fact : *list) {
        if (needed[fact] != 0) {
          evidence.lemmas.push_back(lemma(facts_[fact], needed));
        }
      }
    }
    const Kind kind = name_of(evidence.edges);
    return Violation{kind, std::move(evidence)};
  }

 private:
  // -- what is known ----------------------------------------------------------

  std::uint32_t local(std::uint32_t txn) const {
    const auto found = local_.find(txn);
    return found == local_.end() ? kNoId : found->second;
  }

  void find_operations() {
    const std::uint32_t init = history_.init_txn().v;
    for (std::uint32_t i = 0; i < txns_.size(); ++i) {
      for (const OpId op : history_.ops(TxnId(txns_[i]))) {
        const std::uint32_t key = history_.key(op).v;
        Key& entry = keys_[key];
        if (history_.is_write(op)) {
          if (entry.writers.empty() || entry.writers.back() != i) {
            entry.writers.push_back(i);
          }
          continue;
        }
        const std::uint32_t source = index_.sources()[op.v];
        if (!is_external(source)) continue;
        const std::uint32_t writer = source == init ? kInit : local(source);
        if (source != init && writer == kNoId) continue;
        std::vector<std::uint32_t>& readers = entry.readers[writer];
        if (readers.empty() || readers.back() != i) readers.push_back(i);
      }
    }
  }

  void add_known() {
    const auto n = static_cast<std::uint32_t>(txns_.size());
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = 0; b < n; ++b) {
        const TxnId from(txns_[a]), to(txns_[b]);
        if (a == b) continue;
        pace_.step();
        if (history_.session(from) == history_.session(to) && from < to) {
          add({a, b, Reason::session_order});
        } else if (level_.real_time && history_.ended_before(from, to)) {
          add({a, b, Reason::real_time});
        }
      }
    }
    for (const auto& [key, entry] : keys_) {
      for (const auto& [writer, readers] : entry.readers) {
        for (const std::uint32_t reader : readers) {
          if (writer != kInit) {
            add({writer, reader, Reason::reads_from, key});
            continue;
          }
          for (const std::uint32_t other : entry.writers) {
            if (other == reader) continue;
            add({reader, other, Reason::anti_dependency, key, kInit});
          }
        }
      }
    }
    if (!history_.has_lists()) return;
    for (const Shown& pair : shown_in_lists(index_, txns_)) {
      const std::uint32_t older = local(pair.older), newer = local(pair.newer);
      if (is_fact(pair.key, older, newer)) continue;
      facts_.push_back({pair.key, older, newer, pair.read, {}, {}, kNoId});
      shown_.push_back(static_cast<std::uint32_t>(facts_.size() - 1));
      add_fact(shown_.back());
    }
  }

  // -- arcs
  // ---------------------------------------------------------------------

  void add(const Arc& arc) { out_[arc.from].push_back(arc); }

  // The dependencies that follow from the fact.
  template <typename Visit>
  void for_each_arc(const Fact& fact, std::uint32_t number,
                    Visit&& visit) const {
    visit(Arc{fact.older, fact.newer, Reason::version_order, fact.key, kNoId,
              number});
    const Key& entry = keys_.at(fact.key);
    const auto readers = entry.readers.find(fact.older);
    if (readers == entry.readers.end()) return;
    for (const std::uint32_t reader : readers->second) {
      if (reader == fact.newer) continue;
      visit(Arc{reader, fact.newer, Reason::anti_dependency, fact.key,
                fact.older, number});
    }
  }
  void add_fact(std::uint32_t number) {
    const Fact& fact = facts_[number];
    is_fact_[{fact.key, fact.older, fact.newer}] = number;
    trail_.push_back(number);
    for_each_arc(fact, number, [&](const Arc& arc) { add(arc); });
  }
  void take_back(std::size_t size) {
    while (trail_.size() > size) {
      const std::uint32_t number = trail_.back();
      const Fact& fact = facts_[number];
      trail_.pop_back();
      is_fact_.erase({fact.key, fact.older, fact.newer});
      std::vector<Arc> arcs;
      for_each_arc(fact, number, [&](const Arc& arc) { arcs.push_back(arc); });
      for (std::size_t i = arcs.size(); i-- > 0;) out_[arcs[i].from].pop_back();
    }
  }
  bool is_fact(std::uint32_t key, std::uint32_t older,
               std::uint32_t newer) const {
    return is_fact_.contains({key, older, newer});
  }

  // -- searching
  // ----------------------------------------------------------------

  // Who read what is easier to follow than who came when; what needs a lemma is
  // the hardest.
  static std::uint32_t cost(const Arc& arc) {
    if (arc.fact != kNoId) return 10;
    if (arc.reason == Reason::real_time)
      return 30;  // only if nothing else does
    return arc.reason == Reason::reads_from ? 4 : 5;
  }

  // The cheapest forbidden cycle that begins with `first`, below `bound`.
  std::optional<std::vector<Arc>> cycle_with(const Arc& first,
                                             std::uint32_t& bound) const {
    const std::uint32_t per = states_.per_txn();
    struct Visit {
      std::uint32_t cost = kNoId;
      std::uint32_t parent = kNoId;
      Arc arc{};
    };
    std::vector<Visit> visits(txns_.size() * per);
    pace_.step(visits.size());
    using Entry = std::pair<std::uint32_t, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const std::uint32_t start = first.to * per + states_.after(first);
    visits[start] = {cost(first), kNoId, first};
    queue.emplace(cost(first), start);
    while (!queue.empty()) {
      const std::uint32_t total = queue.top().first;
      const std::uint32_t node = queue.top().second;
      queue.pop();
      if (total >= bound) break;
      if (total > visits[node].cost) continue;
      if (node / per == first.from && states_.closes(first, node % per)) {
        bound = total;
        std::vector<Arc> cycle;
        for (std::uint32_t at = node; at != kNoId; at = visits[at].parent) {
          cycle.push_back(visits[at].arc);
        }
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      pace_.step(out_[node / per].size());
      for (const Arc& arc : out_[node / per]) {
        states_.follow(arc, node % per, [&](std::uint32_t state) {
          const std::uint32_t to = arc.to * per + state;
          const std::uint32_t sum = total + cost(arc);
          if (visits[to].cost <= sum) return;
          visits[to] = {sum, node, arc};
          queue.emplace(sum, to);
        });
      }
    }
    return std::nullopt;
  }

  // A forbidden cycle if the fact were so.
  std::optional<std::vector<Arc>> cycle_if(const Fact& fact) const {
    std::uint32_t bound = kNoId;
    std::optional<std::vector<Arc>> best;
    for_each_arc(fact, static_cast<std::uint32_t>(facts_.size()),
                 [&](const Arc& arc) {
                   if (auto found = cycle_with(arc, bound)) {
                     best = std::move(found);
                   }
                 });
    return best;
  }

  // The cheapest forbidden cycle there is. One that needs no fact would be a
  // cycle of so, wr, real time and misses of init's versions.
  std::optional<std::vector<Arc>> any_cycle() const {
    std::uint32_t bound = kNoId;
    std::optional<std::vector<Arc>> best;
    for (const std::vector<Arc>& arcs : out_) {
      for (const Arc& arc : arcs) {
        if (arc.reason == Reason::session_order ||
            arc.reason == Reason::reads_from) {
          continue;  // so u wr has no cycle: another arc is in it
        }
        if (auto found = cycle_with(arc, bound)) best = std::move(found);
      }
    }
    return best;
  }

  // -- proving
  // ------------------------------------------------------------------

  // Adds facts until there is a forbidden cycle, which is returned; `made` are
  // the facts added, in their order. Empty: there is none.
  std::optional<std::vector<Arc>> refute(std::vector<std::uint32_t>& made) {
    for (;;) {
      if (auto cycle = any_cycle()) return cycle;
      const std::size_t before = made.size();
      std::optional<Fact> open;  // a pair that may be so or so
      for (const auto& [key, entry] : keys_) {
        for (std::size_t i = 0; i < entry.writers.size(); ++i) {
          for (std::size_t j = i + 1; j < entry.writers.size(); ++j) {
            pace_.step();
            const std::uint32_t a = entry.writers[i], b = entry.writers[j];
            if (is_fact(key, a, b) || is_fact(key, b, a)) continue;
            if (!learn(key, a, b, made) && !learn(key, b, a, made) && !open) {
              open = Fact{key, a, b, OpId(), {}, {}, kNoId};
            }
          }
        }
      }
      if (made.size() != before) continue;
      if (!open || depth_ + 1 >= kDeepestLemma) return std::nullopt;
      if (!split(*open, made)) return std::nullopt;
    }
  }

  // "a before b", if the opposite is refuted at once.
  bool learn(std::uint32_t key, std::uint32_t a, std::uint32_t b,
             std::vector<std::uint32_t>& made) {
    auto cycle = cycle_if({key, b, a, OpId(), {}, {}, kNoId});
    if (!cycle) return false;
    const auto assumption = static_cast<std::uint32_t>(facts_.size());
    facts_.push_back({key, b, a, OpId(), {}, {}, kNoId});
    facts_.push_back({key, a, b, OpId(), std::move(*cycle), {}, assumption});
    made.push_back(assumption + 1);
    add_fact(assumption + 1);
    return true;
  }

  // "newer before older" is assumed and refuted, so that the fact holds.
  bool split(const Fact& fact, std::vector<std::uint32_t>& made) {
    const std::size_t size = trail_.size();
    const auto assumption = static_cast<std::uint32_t>(facts_.size());
    facts_.push_back({fact.key, fact.newer, fact.older, OpId(), {}, {}, kNoId});
    add_fact(assumption);
    std::vector<std::uint32_t> under;
    ++depth_;
    const auto cycle = refute(under);
    --depth_;
    take_back(size);
    if (!cycle) return false;
    const auto proven = static_cast<std::uint32_t>(facts_.size());
    facts_.push_back({fact.key, fact.older, fact.newer, OpId(), *cycle,
                      std::move(under), assumption});
    made.push_back(proven);
    add_fact(proven);
    return true;
  }

  // -- evidence
  // -----------------------------------------------------------------

  // Marks what a cycle rests on.
  void need(const std::vector<Arc>& cycle,
            std::vector<std::uint8_t>& needed) const {
    for (const Arc& arc : cycle) {
      if (arc.fact != kNoId) needed[arc.fact] = 1;
    }
  }
  // Backwards through a list of facts: those needed need others before them.
  void need_under(const std::vector<std::uint32_t>& made,
                  std::vector<std::uint8_t>& needed) const {
    for (std::size_t i = made.size(); i-- > 0;) {
      const Fact& fact = facts_[made[i]];
      if (needed[made[i]] == 0) continue;
      need(fact.cycle, needed);
      need_under(fact.under, needed);
    }
  }

  Lemma lemma(const Fact& fact, const std::vector<std::uint8_t>& needed) {
    Lemma result;
    result.key = KeyId(fact.key);
    result.older = TxnId(txns_[fact.older]);
    result.newer = TxnId(txns_[fact.newer]);
    result.shown = fact.shown;
    for (const std::uint32_t number : fact.under) {
      if (needed[number] != 0) {
        result.under.push_back(lemma(facts_[number], needed));
      }
    }
    result.cycle = edges(fact.cycle);
    return result;
  }

  std::vector<Edge> edges(const std::vector<Arc>& cycle) {
    std::vector<Edge> result;
    for (const Arc& arc : cycle) {
      Edge& edge = result.emplace_back();
      const std::uint32_t from = txns_[arc.from], to = txns_[arc.to];
      edge.from = TxnId(from);
      edge.to = TxnId(to);
      edge.reason = arc.reason;
      switch (arc.reason) {
        case Reason::reads_from:
          edge.read = finder_.read(to, arc.key, from);
          edge.write = finder_.last_write(from, arc.key);
          break;
        case Reason::version_order:
          edge.key = KeyId(arc.key);
          edge.write = finder_.last_write(from, arc.key);
          edge.other_write = finder_.last_write(to, arc.key);
          break;
        case Reason::anti_dependency: {
          const std::uint32_t source =
              arc.writer == kInit ? history_.init_txn().v : txns_[arc.writer];
          edge.key = KeyId(arc.key);
          edge.read = finder_.read(from, arc.key, source);
          if (arc.writer != kInit) {
            edge.write = finder_.last_write(source, arc.key);
          }
          edge.other_write = finder_.last_write(to, arc.key);
          break;
        }
        default:
          break;
      }
    }
    weigh(result);
    return result;
  }

  // What the cycles of the proof have in common decides its name: the weakest
  // level that they all refute.
  void weigh(std::span<const Edge> cycle) {
    std::size_t misses = 0;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const Reason next = cycle[(i + 1) % cycle.size()].reason;
      needs_time_ = needs_time_ || next == Reason::real_time;
      if (cycle[i].reason != Reason::anti_dependency) continue;
      ++misses;
      adjacent_ = adjacent_ || next == Reason::anti_dependency;
    }
    several_ = several_ || misses > 1;
  }

  // `cycle`: the one without an assumption.
  Kind name_of(std::span<const Edge> cycle) const {
    std::size_t misses = 0;
    bool alternating = cycle.size() == 4;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      if (cycle[i].reason != Reason::anti_dependency) continue;
      ++misses;
      const Reason next = cycle[(i + 1) % cycle.size()].reason;
      alternating = alternating && (next == Reason::reads_from ||
                                    next == Reason::session_order);
    }
    if (needs_time_) return Kind::real_time_violation;
    if (adjacent_) {
      return misses == 2 && cycle.size() == 2 ? Kind::write_skew
                                              : Kind::g2_item;
    }
    if (several_) {
      return misses == 2 && alternating ? Kind::long_fork : Kind::g_nonadjacent;
    }
    return misses == 0 ? Kind::dependency_cycle : Kind::read_skew;
  }

  struct Key {
    std::vector<std::uint32_t> writers;
    std::map<std::uint32_t, std::vector<std::uint32_t>> readers;  // by writer
  };
  struct FactName {
    std::uint32_t key, older, newer;
    friend auto operator<=>(const FactName&, const FactName&) = default;
  };

  const Index& index_;
  const History& history_;
  OpFinder& finder_;
  const Level& level_;
  const std::span<const std::uint32_t> txns_;
  mutable Pace pace_;
  std::uint32_t depth_ = 0;  // suppositions
  const CycleStates states_;
  std::unordered_map<std::uint32_t, std::uint32_t> local_;
  std::map<std::uint32_t, Key> keys_;
  std::vector<std::vector<Arc>> out_;  // [txn]
  std::vector<Fact> facts_;
  std::vector<std::uint32_t> shown_;
  std::vector<std::uint32_t> trail_;  // facts whose arcs are there
  std::map<FactName, std::uint32_t> is_fact_;
  // Somewhere in the proof: real time, two misses in a row, several misses.
  bool needs_time_ = false, adjacent_ = false, several_ = false;
};

}  // namespace

std::optional<Violation> prove_violation(const Index& index, OpFinder& finder,
                                         const Level& level,
                                         std::span<const std::uint32_t> txns) {
  return Prover(index, finder, level, txns).run();
}

}  // namespace awdit
