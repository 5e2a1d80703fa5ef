// A circle of dependencies as numbered steps.
//
// Idea: a step says which of two moments came first, in the words of the level:
// whole transactions where one follows the other (serializable), snapshots and
// commits where a transaction has both (prefix, snapshot isolation), and who
// builds on whom (parallel). The steps then form a cycle, which no
// moments can, and nothing need be said about which circles are forbidden.
//
// That one version is older than another is a lemma and told before. Where it
// follows from sessions and reads alone it is told by the step that uses it.
// Else it is one step, "t5 wrote x before t3: otherwise t7, which saw t5's
// effects, could not have read x from t3"; and if even that is not enough, a
// case: suppose the contrary, and see that it leads to a cycle. Only lemmas
// that something rests on are told. Cost: that of the evidence.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tell/phrases.h"
#include "tell/proof_steps.h"

namespace awdit {
namespace {

// Steps of a refutation that still fit into a sentence.
constexpr std::size_t kClauses = 5;

// Which of two versions of a key is the older one.
struct Fact {
  KeyId key;
  TxnId older, newer;
  friend bool operator<(const Fact& a, const Fact& b) {
    return std::tie(a.key.v, a.older.v, a.newer.v) <
           std::tie(b.key.v, b.older.v, b.newer.v);
  }
  friend bool operator==(const Fact& a, const Fact& b) = default;
};

class Teller : ProofTeller {
 public:
  Teller(const History& history, const Level& level, const Cycle& cycle)
      : ProofTeller(history, level), cycle_(cycle) {}

  Proof tell() {
    tell_lemmas(cycle_.lemmas, cycle_.edges, 0);
    const std::vector<std::size_t> circle = tell_circle(cycle_.edges, 0);
    proof_.contradiction = contradiction(circle);
    return std::move(proof_);
  }

 private:
  // -- what versions are known to be older -----------------------------------

  // How a fact is known: by a step, or for a reason that is told with its use.
  struct Known {
    std::size_t number = 0;
    std::string reason = {};
    std::vector<Step> path = {};  // that the reason tells
    OpId shown = OpId();          // or the list that it quotes
  };

  // What an edge rests on besides the history; the key is invalid: nothing.
  Fact fact_of(const Edge& edge) const {
    const TxnId older = edge.reason == Reason::version_order ? edge.from
                        : edge.reason == Reason::anti_dependency
                            ? writer_of(history_, edge.write)
                            : history_.init_txn();
    if (history_.is_init(older)) return {};
    return {edge.key, older, edge.to};
  }

  void collect(const std::vector<Edge>& edges, std::set<Fact>& facts) const {
    for (const Edge& edge : edges) {
      if (const Fact fact = fact_of(edge); fact.key.valid()) facts.insert(fact);
    }
  }
  void collect(const Lemma& lemma, std::set<Fact>& facts) const {
    collect(lemma.cycle, facts);
    walk_lemmas(lemma.under,
                [&](const std::vector<Edge>& cycle) { collect(cycle, facts); });
  }

  void tell_lemmas(const std::vector<Lemma>& lemmas,
                   const std::vector<Edge>& used_by, std::uint32_t depth) {
    std::set<Fact> wanted;
    collect(used_by, wanted);
    std::vector<const Lemma*> needed;
    for (auto lemma = lemmas.rbegin(); lemma != lemmas.rend(); ++lemma) {
      if (!wanted.contains({lemma->key, lemma->older, lemma->newer})) continue;
      needed.push_back(&*lemma);
      collect(*lemma, wanted);
    }
    for (auto lemma = needed.rbegin(); lemma != needed.rend(); ++lemma) {
      if (!known_.contains(fact_of(**lemma))) tell_lemma(**lemma, depth);
    }
  }

  static Fact fact_of(const Lemma& lemma) {
    return {lemma.key, lemma.older, lemma.newer};
  }

  void tell_lemma(const Lemma& lemma, std::uint32_t depth) {
    const Fact fact = fact_of(lemma);
    if (lemma.shown.valid()) {
      known_[fact] = {
          .reason = fmt::format("{} read {}",
                                history_.txn_name(history_.txn_of(lemma.shown)),
                                quote(history_, lemma.shown))};
      return;
    }
    const Fact contrary{lemma.key, lemma.newer, lemma.older};
    std::vector<std::size_t> supposed;
    for (std::size_t i = 0; i < lemma.cycle.size(); ++i) {
      if (fact_of(lemma.cycle[i]) == contrary) supposed.push_back(i);
    }
    if (!lemma.under.empty() || supposed.size() != 1 ||
        lemma.cycle.size() > kClauses + 1) {
      tell_case(lemma, contrary, depth);
      return;
    }
    // From the older version on, to whoever the contrary would contradict.
    std::vector<const Edge*> path;
    for (std::size_t i = 1; i < lemma.cycle.size(); ++i) {
      path.push_back(&lemma.cycle[(supposed[0] + i) % lemma.cycle.size()]);
    }
    const Edge& back = lemma.cycle[supposed[0]];
    const bool plain = std::ranges::all_of(
        path, [](const Edge* edge) { return is_plain(edge->reason); });
    if (back.reason == Reason::version_order && plain) {
      std::vector<Step> steps;
      for (const Edge* edge : path) steps.push_back(step_of(*edge));
      known_[fact] = {.reason = describe_path(history_, steps),
                      .path = std::move(steps)};
      return;
    }
    ProofStep& step = add(fact.older, fact.newer, depth);
    step.lemma = true;
    step.claim = describe_versions(history_, fact.key, fact.older, fact.newer);
    step.reason = back.reason == Reason::version_order
                      ? clauses(path) + "."
                      : otherwise(back, fact, path, plain);
    conclude(step, fact, depth);
    for (const Edge* edge : path) add_parts(step, *edge);
    if (back.reason == Reason::anti_dependency) {
      add_op(step, back.read);
      if (plain && depth == 0) as_inferred(step, back, fact, path);
    }
    step.reason += unknown(path, fact);
    known_[fact] = {.number = number()};
  }

  // "otherwise t7, which saw t5's effects, could not have read x=1 from t3"
  std::string otherwise(const Edge& back, const Fact& fact,
                        const std::vector<const Edge*>& path, bool plain) {
    const std::string older = history_.txn_name(fact.older);
    std::string who, how;
    if (path.size() == 1 && plain) {
      const Edge& only = *path.front();
      who = only.reason == Reason::reads_from
                ? fmt::format("read {} from {}", quote(history_, only.read),
                              older)
            : only.reason == Reason::real_time
                ? fmt::format("began after {} had ended", older)
                : fmt::format("follows {} in session {}", older,
                              history_.session_name(history_.session(only.to)));
    } else {
      const bool seen = std::ranges::all_of(path, [](const Edge* edge) {
        return edge->reason == Reason::session_order ||
               edge->reason == Reason::reads_from;
      });
      who = seen ? fmt::format("saw {}'s effects", older)
                 : fmt::format("comes after {}", older);
      how = ": " + clauses(path);
    }
    return fmt::format(
        "otherwise {}, which {}, could not have read {} from {}{}.",
        history_.txn_name(back.from), who, quote(history_, back.read),
        history_.txn_name(fact.newer), how);
  }

  void tell_case(const Lemma& lemma, const Fact& contrary,
                 std::uint32_t depth) {
    const Fact fact = fact_of(lemma);
    ProofStep& supposition = add_step();
    supposition.claim = fmt::format(
        "Suppose {}", describe_versions(history_, contrary.key, contrary.older,
                                        contrary.newer));
    supposition.lemma = true;
    supposition.depth = depth;
    for (const TxnId txn : {contrary.older, contrary.newer}) {
      add_op(supposition, last_write(history_, txn, fact.key));
    }
    const std::map<Fact, Known> outside = known_;
    known_[contrary] = {.number = number()};
    tell_lemmas(lemma.under, lemma.cycle, depth + 1);
    const std::vector<std::size_t> circle = tell_circle(lemma.cycle, depth + 1);
    known_ = outside;
    ProofStep& step = add(fact.older, fact.newer, depth);
    step.lemma = true;
    step.claim = fmt::format(
        "So {}", describe_versions(history_, fact.key, fact.older, fact.newer));
    step.reason = in_a_circle(circle) + ".";
    conclude(step, fact, depth);
    known_[fact] = {.number = number()};
  }

  // That the fact is what the step states.
  void conclude(ProofStep& step, const Fact& fact, std::uint32_t depth) {
    Edge edge;
    edge.from = fact.older;
    edge.to = fact.newer;
    edge.reason = Reason::version_order;
    edge.key = fact.key;
    edge.write = last_write(history_, fact.older, fact.key);
    edge.other_write = last_write(history_, fact.newer, fact.key);
    add_op(step, edge.write);
    add_op(step, edge.other_write);
    if (depth == 0) step.edge = edge;
  }

  // The same as the rule of causal would have it.
  void as_inferred(ProofStep& step, const Edge& back, const Fact& fact,
                   const std::vector<const Edge*>& path) {
    Edge edge;
    edge.from = fact.older;
    edge.to = fact.newer;
    edge.reason = Reason::inferred;
    edge.write = back.write;
    edge.read = back.read;
    edge.other_write = last_write(history_, fact.older, fact.key);
    edge.reader = back.from;
    edge.key = fact.key;
    for (const Edge* part : path) edge.seen.push_back(step_of(*part));
    step.edge = edge;
  }

  // -- the circle -------------------------------------------------------------

  // The numbers of its steps.
  std::vector<std::size_t> tell_circle(const std::vector<Edge>& edges,
                                       std::uint32_t depth) {
    std::vector<std::size_t> numbers;
    tell_runs(
        edges, start_of(edges),
        [&](std::vector<Step> run) {
          std::string claim =
              claim_of(run.front().from, run.back().to, Reason::reads_from);
          within(add_run(std::move(run), std::move(claim), true), depth);
          numbers.push_back(number());
        },
        [&](const Edge& edge) {
          add_derived(edge, depth);
          numbers.push_back(number());
        });
    return numbers;
  }

  void add_derived(const Edge& edge, std::uint32_t depth) {
    ProofStep& step = add(edge.from, edge.to, depth);
    const bool missed = edge.reason == Reason::anti_dependency;
    const bool parallel = level_.cycles == Cycles::parallel;
    step.claim = missed && parallel
                     ? fmt::format("{} missed {}", history_.txn_name(edge.from),
                                   describe_missed(history_, edge.other_write))
                     : claim_of(edge.from, edge.to, edge.reason);
    step.reason = missed && parallel
                      ? describe_read(history_, edge.read,
                                      writer_of(history_, edge.write))
                      : describe_dependency(history_, edge);
    if (const Fact fact = fact_of(edge); fact.key.valid()) {
      if (missed) {
        step.reason +=
            parallel ? fmt::format(", and {} is newer",
                                   describe_missed(history_, edge.other_write))
                     : ", which is newer";
      }
      const Known& known = known_[fact];
      if (!missed && known.number != 0) {
        step.reason =
            describe_missed(history_, edge.other_write) + " is the newer one";
      }
      step.reason += known.number != 0 ? fmt::format(" (step {})", known.number)
                     : missed          ? ": " + known.reason
                                       : fmt::format(" ({})", known.reason);
    }
    step.reason += ".";
    const TxnId who[] = {edge.from, edge.to,
                         missed ? writer_of(history_, edge.write) : edge.from};
    step.reason += unknown_of(who);
    reasons_[number()] = edge.reason;
    if (depth == 0) step.edge = edge;
    for (const OpId op : {edge.write, edge.read, edge.other_write}) {
      add_op(step, op);
    }
  }

  std::string claim_of(TxnId from, TxnId to, Reason reason) const {
    const std::string a = history_.txn_name(from), b = history_.txn_name(to);
    switch (level_.cycles) {
      case Cycles::parallel:
        return fmt::format("{} builds on {}", b, a);
      case Cycles::prefix:
      case Cycles::snapshot:
        if (reason == Reason::anti_dependency) {
          return fmt::format("{}'s snapshot came before {}'s commit", a, b);
        }
        if (reason == Reason::version_order &&
            level_.cycles == Cycles::prefix) {
          return fmt::format("{} committed before {}", a, b);
        }
        return fmt::format("{} committed before {}'s snapshot", a, b);
      case Cycles::by_axiom:
      case Cycles::all:
        break;
    }
    return before(history_, from, to);
  }

  std::string in_a_circle(const std::vector<std::size_t>& numbers) const {
    std::string text = fmt::format(
        "{} {}", numbers_text(numbers),
        numbers.size() == 2 ? "contradict each other" : "form a cycle");
    if (level_.cycles != Cycles::prefix && level_.cycles != Cycles::snapshot) {
      return text;
    }
    // From a transaction's snapshot on to its commit.
    const auto derived = [&](std::size_t number) {
      const auto found = reasons_.find(number);
      return found == reasons_.end() ? Reason::reads_from : found->second;
    };
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Reason here = derived(numbers[i]);
      const Reason next = derived(numbers[(i + 1) % numbers.size()]);
      const bool at_snapshot =
          here != Reason::anti_dependency &&
          !(here == Reason::version_order && level_.cycles == Cycles::prefix);
      if (at_snapshot && next != Reason::anti_dependency) {
        return text + ", as every transaction commits after its snapshot";
      }
    }
    return text;
  }

  std::string contradiction(const std::vector<std::size_t>& circle) const {
    const auto& edges = cycle_.edges;
    if (level_.cycles == Cycles::parallel) {
      const auto missed = std::ranges::find_if(edges, [](const Edge& edge) {
        return edge.reason == Reason::anti_dependency;
      });
      if (missed == edges.end()) {
        return in_a_circle(circle) + ": no transaction can build on itself.";
      }
      return fmt::format("{}: {}, which builds on {}, must have seen {}.",
                         in_a_circle(circle), history_.txn_name(missed->from),
                         history_.txn_name(missed->to),
                         describe_missed(history_, missed->other_write));
    }
    const bool timed = std::ranges::any_of(edges, [](const Edge& edge) {
      return edge.reason == Reason::real_time;
    });
    return fmt::format("{}: no {}{} exists.", in_a_circle(circle),
                       level_.cycles == Cycles::all
                           ? "serial order"
                           : "order of snapshots and commits",
                       timed ? " that agrees with the times" : "");
  }

  // -- words ------------------------------------------------------------------

  static ProofStep& within(ProofStep& step, std::uint32_t depth) {
    step.depth = depth;
    step.lemma = depth != 0;
    return step;
  }
  ProofStep& add(TxnId from, TxnId to, std::uint32_t depth) {
    return within(add_step(from, to), depth);
  }

  // Edges one after the other, each with how it is known.
  std::string clauses(const std::vector<const Edge*>& path) {
    std::string text;
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (i != 0) text += i + 1 == path.size() ? ", and " : ", ";
      text += describe_dependency(history_, *path[i]);
      const Fact fact = fact_of(*path[i]);
      if (!fact.key.valid()) continue;
      const Known& known = known_[fact];
      text += known.number != 0 ? fmt::format(" (step {})", known.number)
                                : fmt::format(" ({})", known.reason);
    }
    return text;
  }

  void add_parts(ProofStep& step, const Edge& edge) {
    if (is_plain(edge.reason)) step.path.push_back(step_of(edge));
    for (const OpId op : {edge.write, edge.read, edge.other_write}) {
      add_op(step, op);
    }
  }

  std::string unknown(const std::vector<const Edge*>& path, const Fact& fact) {
    std::vector<TxnId> txns = {fact.older, fact.newer};
    for (const Edge* edge : path) txns.push_back(edge->to);
    return unknown_of(txns);
  }

  const Cycle& cycle_;
  std::map<Fact, Known> known_;
  std::map<std::size_t, Reason> reasons_;  // [number] of steps that are no path
};

}  // namespace

Proof dependency_proof(const History& history, const Level& level,
                       const Violation& violation) {
  return Teller(history, level, *violation.cycle()).tell();
}

}  // namespace awdit
