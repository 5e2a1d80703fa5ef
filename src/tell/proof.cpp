// A violation as numbered steps that a person can follow with a finger.
//
// Idea: steps of sessions and reads that follow each other are one step ("t4
// comes before t6: t5 follows t4 in session s2, and t6 read z=1 from t5"). An
// inferred edge that rests on a long chain of dependence is two: the chain as a
// lemma, then the rule. The telling begins after the last inferred edge, so
// that what the clients did comes first and what follows from it last. A circle
// of sessions and reads alone is told edge by edge; where lists show the order
// of versions, each such edge is a step that quotes the list. Circles of
// dependencies above causal are told in dependency_proof.cpp. Cost: that of the
// evidence.
#include "tell/proof.h"

#include <fmt/format.h>

#include <algorithm>

#include "tell/headlines.h"
#include "tell/proof_steps.h"
#include "witness/phrases.h"

namespace awdit {
namespace {

class Teller : ProofTeller {
 public:
  Teller(const History& history, const Level& level, const Violation& violation)
      : ProofTeller(history, level), violation_(violation) {}

  Proof tell() {
    if (const Cycle* const cycle = violation_.cycle()) {
      tell_cycle(*cycle);
    } else {
      tell_reads();
    }
    return std::move(proof_);
  }

 private:
  // -- cycles -----------------------------------------------------------------

  void tell_cycle(const Cycle& cycle) {
    const std::vector<Edge>& edges = cycle.edges;
    const std::size_t n = edges.size();
    std::size_t start = 0;
    bool any_derived = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (is_plain(edges[i].reason)) continue;
      if (edges[i].reason == Reason::inferred || !any_derived) start = i + 1;
      any_derived = true;
    }
    tell_runs(
        edges, start,
        [&](std::vector<Step> run) {
          const TxnId from = run.front().from;
          // "t1 comes after the initial state" needs no reason.
          const bool needs_reason = run.size() != 1 ||
                                    !history_.is_init(from) ||
                                    run.front().reason == Reason::reads_from;
          std::string claim = before(history_, from, run.back().to);
          add_run(std::move(run), std::move(claim), needs_reason);
        },
        [&](const Edge& edge) {
          if (edge.reason == Reason::inferred) {
            add_inferred(edge);
          } else {
            add_version_order(edge, cycle.lemmas);
          }
        });
    contradict();
  }

  void add_inferred(const Edge& edge) {
    if (edge.seen.size() > 1) {
      ProofStep& lemma = add_step(edge.from, edge.reader);
      lemma.claim =
          fmt::format("{} depends on {}", history_.txn_name(edge.reader),
                      history_.txn_name(edge.from));
      lemma.reason =
          describe_path(history_, edge.seen) + "." + unknown_of(edge.seen);
      lemma.path = edge.seen;
      lemma.lemma = true;
      add_ops(lemma, edge.seen);
    }
    ProofStep& step = add_step(edge.from, edge.to);
    step.claim = before(history_, edge.from, edge.to);
    step.edge = edge;
    if (edge.seen.size() == 1) {
      step.reason = describe_step(history_, edge.seen.front()) + ". ";
      add_ops(step, edge.seen);
    }
    step.reason += describe_rule(history_, level_, edge);
    if (edge.seen.size() == 1) step.reason += unknown_of(edge.seen);
    add_op(step, edge.write);
    add_op(step, edge.read);
    add_op(step, edge.other_write);
  }

  // As a list shows it.
  void add_version_order(const Edge& edge, const std::vector<Lemma>& lemmas) {
    ProofStep& step = add_step(edge.from, edge.to);
    step.claim = before(history_, edge.from, edge.to);
    step.edge = edge;
    const auto lemma = std::ranges::find_if(lemmas, [&](const Lemma& it) {
      return it.key == edge.key && it.older == edge.from &&
             it.newer == edge.to && it.shown.valid();
    });
    std::vector<TxnId> who = {edge.from, edge.to};
    if (lemma != lemmas.end()) {
      step.reason = describe_shown(history_, *lemma) + ".";
      add_op(step, lemma->shown);
      who.push_back(history_.txn_of(lemma->shown));
    } else {
      step.reason = describe_dependency(history_, edge) + ".";
    }
    step.reason += unknown_of(who);
    add_op(step, edge.write);
    add_op(step, edge.other_write);
  }

  void contradict() {
    std::vector<std::size_t> numbers;  // of the steps that make the circle
    for (std::size_t i = 0; i < proof_.steps.size(); ++i) {
      if (!proof_.steps[i].lemma) numbers.push_back(i + 1);
    }
    if (numbers.size() == 2) {
      proof_.contradiction = fmt::format(
          "{} and {} contradict each other: no commit order exists.",
          numbers[0], numbers[1]);
      return;
    }
    proof_.contradiction = fmt::format(
        "{} form a cycle: no commit order exists.", numbers_text(numbers));
  }

  // -- one read or two --------------------------------------------------------

  ProofStep& fact(std::string claim, std::initializer_list<OpId> ops) {
    ProofStep& step = add_step();
    step.claim = std::move(claim);
    for (const OpId op : ops) add_op(step, op);
    return step;
  }

  const Finding& finding() const { return *violation_.finding(); }
  std::string reader() const { return name_of(finding().read); }
  std::string name_of(OpId op) const {
    return history_.txn_name(history_.txn_of(op));
  }
  std::string did(OpId write) const {
    return fmt::format("{} {}", name_of(write), wrote(history_, write));
  }
  std::string read_text(OpId read, std::uint32_t place = kNoId) const {
    return fmt::format("{} read {}", name_of(read),
                       quote(history_, read, {place}));
  }
  std::string read_from() const {
    const OpId write = finding().write;
    return describe_read(
        history_, finding().read,
        write.valid() ? history_.txn_of(write) : history_.init_txn());
  }
  std::string element() const {
    return history_.to_string(
        finding().element == kNoId
            ? history_.value(finding().read)
            : history_.element(finding().read, finding().element));
  }

  void tell_reads() {
    if (const LostUpdate* const lost = violation_.lost_update()) {
      tell_lost_update(*lost);
    } else {
      tell_finding();
    }
    std::vector<TxnId> txns = transactions_of(history_, violation_);
    if (!proof_.steps.empty()) {
      std::string unknown = describe_unknown(history_, txns);
      if (!unknown.empty()) proof_.steps.back().reason = unknown.substr(1);
    }
  }

  void tell_finding() {
    const Finding& v = finding();
    const bool lists = history_.has_lists();
    const std::string key = history_.key_label(history_.key(v.read));
    switch (violation_.kind) {
      case Kind::thin_air_read:
        fact(read_text(v.read, v.element), {v.read});
        fact(lists && v.element != kNoId
                 ? fmt::format("Nobody appended {} to {}", element(), key)
                 : fmt::format("Nobody wrote {}={}, and it is not the initial "
                               "value",
                               key, element()),
             {v.read});
        proof_.contradiction = "A value cannot come from nowhere.";
        break;
      case Kind::aborted_read:
        fact(did(v.write) + " and aborted, so that it never took effect",
             {v.write});
        fact(lists ? read_text(v.read, v.element) : read_from(), {v.read});
        proof_.contradiction =
            "What was rolled back must not be seen by anyone.";
        break;
      case Kind::future_read:
        fact(read_text(v.read), {v.read});
        fact(fmt::format("Only after that {} itself {}", reader(),
                         wrote(history_, v.write)),
             {v.write});
        proof_.contradiction = "A read cannot return what is written later.";
        break;
      case Kind::own_write_ignored:
        if (lists) return tell_own_appends();
        fact(did(v.other), {v.other});
        fact("After that " + read_from(), {v.write, v.read});
        proof_.contradiction =
            "A transaction must see its own latest write of a key.";
        break;
      case Kind::stale_own_write:
        if (lists) return tell_own_appends();
        fact(did(v.write), {v.write});
        fact(fmt::format("Then it {}", wrote(history_, v.other)), {v.other});
        fact("After that " + read_text(v.read), {v.read});
        proof_.contradiction =
            "A transaction must see its own latest write of a key.";
        break;
      case Kind::intermediate_read:
        if (lists) return tell_torn();
        fact(did(v.write), {v.write});
        fact(fmt::format("In the same transaction {} then {}", name_of(v.other),
                         wrote(history_, v.other)),
             {v.other});
        fact(read_from(), {v.read});
        proof_.contradiction =
            "Others may see only what a transaction wrote last, all of it at "
            "once.";
        break;
      case Kind::duplicate_element:
        fact(read_text(v.read, v.element), {v.read});
        fact(fmt::format("The list has {} more than once", element()),
             {v.read});
        proof_.contradiction = "One append adds its element once.";
        break;
      case Kind::incompatible_order:
        fact(read_text(v.read, v.element), {v.read});
        fact(read_text(v.other, v.element), {v.other});
        proof_.contradiction =
            "Lists only grow at their end, so one of the two must begin with "
            "the other.";
        break;
      case Kind::non_repeatable_read:
        fact(read_text(v.other), {v.other});
        fact("Later " + read_from(), {v.write, v.read});
        proof_.contradiction = fmt::format(
            "Under {} all reads of a key by one transaction return one version "
            "of it.",
            level_.title);
        break;
      default:
        break;
    }
  }

  void tell_own_appends() {
    const OpId read = finding().read;
    ProofStep& own = fact(fmt::format("{} appended {} to {}", reader(),
                                      own_elements(history_, read),
                                      history_.key_label(history_.key(read))),
                          {});
    own.ops = own_appends(history_, read);
    fact("After that " + read_text(read), {finding().write, read});
    proof_.contradiction =
        "A list that a transaction reads must end with all that it has "
        "appended itself, in that order.";
  }

  // The one of the two appends that came first is told first.
  void tell_torn() {
    const Finding& v = finding();
    const OpId first = std::min(v.write, v.other);
    const OpId second = std::max(v.write, v.other);
    fact(did(first), {first});
    fact(fmt::format("In the same transaction {} then {}", name_of(second),
                     wrote(history_, second)),
         {second});
    fact(fmt::format("{}, which {}", read_text(v.read, v.element),
                     describe_torn(history_, v)),
         {v.read});
    proof_.contradiction =
        "Others must see all that a transaction appends to a list or nothing "
        "of it, side by side and in its order.";
  }

  void tell_lost_update(const LostUpdate& v) {
    const TxnId source = writer_of(history_, v.write);
    for (const OpId read : {v.read, v.other}) {
      const OpId write =
          last_write(history_, history_.txn_of(read), history_.key(read));
      fact(fmt::format("{} and {}", describe_read(history_, read, source),
                       wrote(history_, write)),
           {v.write, read, write});
    }
    proof_.contradiction = fmt::format(
        "Under {}, of two transactions that write a key the later one must "
        "have seen the other's write: neither did.",
        level_.title);
  }

  const Violation& violation_;
};

}  // namespace

Proof proof_of(const History& history, const Level& level,
               const Violation& violation) {
  if (anomaly(violation.kind).form == Form::dependency_cycle &&
      level.cycles != Cycles::by_axiom) {
    return dependency_proof(history, level, violation);
  }
  return Teller(history, level, violation).tell();
}

}  // namespace awdit
