#include "property/judge.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "check/check.h"
#include "evidence_parts.h"
#include "oracle/oracle.h"
#include "oracle/search.h"
#include "property/forge.h"
#include "tell/tell.h"
#include "witness/witness.h"

namespace awdit::property {
namespace {

using oracle::Facts;
using oracle::Findings;
using oracle::Oracle;

Findings findings_of(const LevelReport& report) {
  Findings findings;
  for (const Violation& violation : report.violations) {
    findings.insert({violation.kind, read_of(violation).v});
  }
  return findings;
}

bool is_read_consistency(Kind kind) {
  return anomaly(kind).form == Form::finding &&
         kind != Kind::non_repeatable_read;
}

// A cycle is called after the weakest level that has it, and which cycle of a
// component is told may depend on names: each counts as the level's own.
Kind as_own(const Level& level, Kind kind) {
  for (const Level& weaker : levels()) {
    if (weaker.premise != Premise::nobody && weaker.cycle == kind &&
        implies(level, weaker)) {
      return level.cycle;
    }
  }
  return kind;
}

// The same, Read Consistency only. Of cycles there is one per component and
// round, and which one may depend on names and on what else was asked; and so
// may which reads are left out, of those that are not repeatable.
Findings read_findings_of(const LevelReport& report) {
  Findings findings;
  for (const oracle::Finding& finding : findings_of(report)) {
    if (is_read_consistency(finding.first)) findings.insert(finding);
  }
  return findings;
}

// Kinds and counts only: reads have other numbers after renaming.
std::multiset<Kind> kinds_of(const LevelReport& report) {
  std::multiset<Kind> kinds;
  for (const Violation& violation : report.violations) {
    kinds.insert(as_own(*report.level, violation.kind));
  }
  return kinds;
}

// Above causal what is found depends on where the search begins.
bool is_strong(const LevelReport& report) {
  return report.level->cycles != Cycles::by_axiom;
}

std::vector<std::uint32_t> numbers(const std::vector<TxnId>& txns) {
  std::vector<std::uint32_t> result;
  for (TxnId t : txns) result.push_back(t.v);
  return result;
}

class Judge {
 public:
  Judge(const Script& script, const Scrutiny& scrutiny, std::uint64_t seed)
      : script_(script),
        scrutiny_(scrutiny),
        random_(seed),
        history_(to_history(script)),
        facts_(oracle::resolve(history_)),
        verifier_(history_) {}

  std::optional<std::string> run() {
    const Result<Report> result = ask(1, false);
    if (facts_.malformed) {
      if (result) complain("a value written twice was not noticed");
      reject_everything();
      return complaint_;
    }
    if (!result) {
      complain("an error: " + result.error().message);
      return complaint_;
    }
    const Report& report = *result;
    check_promotion(report);
    for (const LevelReport& level : report.levels) {
      check_level(level);
      check_own(report, level);
    }
    for (const LevelReport& level : quick_reports(history_)) {
      check_findings(level);
      check_names(level, report);
    }
    check_lattice(report);
    if (complaint_) return complaint_;
    if (scrutiny_.forgeries) try_forgeries(report);
    if (scrutiny_.certificate) check_certificate(report);
    if (scrutiny_.core) check_cores(report);
    if (scrutiny_.options) try_options(report);
    if (scrutiny_.renaming) try_renaming(report);
    if (!history_.session_order() && random_() % 3 == 0) try_borrowing(report);
    return complaint_;
  }

 private:
  void complain(std::string text) {
    if (!complaint_) complaint_ = std::move(text);
  }
  void complain(const Level& level, const std::string& text) {
    complain(std::string(level.name) + ": " + text);
  }

  Result<Report> ask(unsigned threads, bool first) const {
    Options options;
    options.threads = threads;
    // With several threads even a few operations are shared among them.
    if (threads > 1) options.grain = 1;
    options.first = first;
    options.commit_order = true;
    return check(history_, applicable_levels(history_), options);
  }

  void check_promotion(const Report& report) {
    const std::vector<std::uint32_t> promoted(facts_.promoted.begin(),
                                              facts_.promoted.end());
    if (numbers(report.promoted) != promoted) {
      complain("other transactions were promoted");
    }
    std::uint32_t dropped = 0;
    for (TxnId t : history_.txns()) {
      dropped +=
          history_.status(t) == Status::unknown && !facts_.live.contains(t.v);
    }
    if (report.dropped != dropped) complain("a wrong number of dropped ones");
  }

  void check_level(const LevelReport& report) {
    const Level& level = *report.level;
    const Oracle* oracle = oracle::find_oracle(level.name);
    if (oracle == nullptr) return complain(level, "has no oracle");
    if (oracle->strong()) return check_strong_level(report, *oracle);
    const Findings expected = oracle::saturate(facts_, *oracle);
    const bool holds = expected.empty();
    if (scrutiny_.brute_force &&
        oracle::brute_force(facts_, *oracle) != holds) {
      return complain(level, "the oracles disagree");
    }
    const Verdict verdict = holds ? Verdict::holds : Verdict::violated;
    if (report.verdict != verdict) {
      return complain(level, "should be " + std::string(name(verdict)));
    }
    check_evidence(report, *oracle);
  }

  // The weak levels by themselves, nothing left out: one cycle per component.
  static std::vector<LevelReport> quick_reports(const History& history) {
    std::vector<LevelReport> reports;
    for (const Level* level : applicable_levels(history)) {
      if (level->cycles != Cycles::by_axiom) continue;
      Options options;
      options.only_first_level = true;
      const Level* const alone[] = {level};
      Result<Report> report = check(history, alone, options);
      if (report) reports.push_back(std::move(report->levels[0]));
    }
    return reports;
  }

  void check_findings(const LevelReport& report) {
    const Level& level = *report.level;
    const Oracle* oracle = oracle::find_oracle(level.name);
    const Findings expected = oracle::saturate(facts_, *oracle);
    Findings found;
    for (const auto& [kind, read] : findings_of(report)) {
      found.insert({as_own(level, kind), read});
    }
    if (found != expected) {
      return complain(
          level, "expected " + oracle::to_string(expected) + ", found " +
                     oracle::to_string(found) +
                     (kinds_equal(found, expected) ? " at other reads" : ""));
    }
    for (const Violation& violation : report.violations) {
      if (violation.kind == Kind::incompatible_order &&
          violation.finding()->other.v !=
              facts_.longest_list.at(read_of(violation).v)) {
        return complain(level, "a list compared with another than the longest");
      }
    }
    check_cycles(report);
  }

  // What is called after a weaker level breaks that one.
  void check_names(const LevelReport& alone, const Report& report) {
    for (const Violation& violation : alone.violations) {
      for (const LevelReport& other : report.levels) {
        if (other.level->premise != Premise::nobody &&
            other.level->cycle == violation.kind &&
            other.verdict != Verdict::violated) {
          complain(*alone.level, "a violation called after " +
                                     std::string(other.level->name));
        }
      }
    }
  }

  // What a level calls its own is a violation without what others rest on, and
  // rests on none of it.
  void check_own(const Report& report, const LevelReport& level) {
    if (level.verdict != Verdict::violated) {
      if (level.inherited != 0 || level.more || !level.set_aside.empty()) {
        complain(*level.level, "something set aside without a violation");
      }
      return;
    }
    if (level.inherited > level.violations.size()) {
      return complain(*level.level, "more inherited than there are");
    }
    const std::set<OpId> aside(level.set_aside.begin(), level.set_aside.end());
    for (std::size_t i = level.inherited; i < level.violations.size(); ++i) {
      const Violation& violation = level.violations[i];
      bool rests_on_it = aside.contains(read_of(violation));
      walk(violation, [&](const Edge& edge) {
        rests_on_it = rests_on_it || aside.contains(edge.read);
      });
      if (rests_on_it) {
        complain(*level.level, "an own violation rests on what is set aside");
      }
    }
    if (level.inherited == 0 || level.inherited == level.violations.size() ||
        history_.has_unknown()) {
      return;
    }
    check_without(report, level);
  }

  // The history without what was set aside violates the level and none below
  // that was asked for.
  void check_without(const Report& report, const LevelReport& level) {
    std::set<OpId> left_out(level.set_aside.begin(), level.set_aside.end());
    for (const Violation& violation : level.violations) {
      if (is_read_consistency(violation.kind)) {
        left_out.insert(read_of(violation));
      }
    }
    std::vector<OpId> ops;
    std::vector<TxnId> silent;
    for (const TxnId txn : history_.txns()) {
      const std::size_t before = ops.size();
      for (const OpId op : history_.ops(txn)) {
        if (!left_out.contains(op)) ops.push_back(op);
      }
      if (ops.size() == before) silent.push_back(txn);
    }
    std::sort(ops.begin(), ops.end());
    const History part = extract(history_, ops, silent);
    Options options;
    options.only_first_level = true;
    std::vector<const Level*> asked;
    for (const LevelReport& other : report.levels) {
      if (implies(*level.level, *other.level)) asked.push_back(other.level);
    }
    const Result<Report> again = check(part, asked, options);
    if (!again) return complain("an error without what was set aside");
    for (const LevelReport& other : again->levels) {
      const Verdict expected =
          other.level == level.level ? Verdict::violated : Verdict::holds;
      if (other.verdict != expected) {
        complain(*level.level, "without what is set aside " +
                                   std::string(other.level->name) +
                                   " should be " + std::string(name(expected)));
      }
    }
  }

  // Above causal many cycles may prove the same: only the verdict is compared.
  void check_strong_level(const LevelReport& report, const Oracle& oracle) {
    const Level& level = *report.level;
    std::optional<bool> expected;
    if (scrutiny_.brute_force) {
      expected = oracle::brute_force(facts_, oracle);
    } else if (facts_.live.size() <= 60) {
      expected = oracle::closure_search(facts_, oracle, 200);
      if (!expected && oracle.reads != oracle::Reads::parallel) {
        expected = oracle::frontier_search(facts_, oracle, 20'000);
      }
    }
    if (report.verdict == Verdict::undecided) {
      return complain(level, "is undecided without a limit");
    }
    const bool holds = report.verdict == Verdict::holds;
    if (expected && *expected != holds) {
      return complain(
          level,
          "should be " + std::string(name(*expected ? Verdict::holds
                                                    : Verdict::violated)));
    }
    if (holds != report.violations.empty()) {
      return complain(level, "a verdict without what proves it");
    }
    check_evidence(report, oracle);
  }

  static bool kinds_equal(const Findings& a, const Findings& b) {
    return oracle::to_string(a) == oracle::to_string(b);
  }

  // One cycle per strongly connected component: no transaction is on two
  // cycles, nor twice on one.
  void check_cycles(const LevelReport& report) {
    std::set<TxnId> visited;
    for (const Violation& violation : report.violations) {
      if (violation.cycle() == nullptr) continue;
      for (const Edge& edge : violation.cycle()->edges) {
        if (!visited.insert(edge.from).second) {
          complain(*report.level, "cycles meet, or are not simple");
        }
      }
    }
  }

  void check_evidence(const LevelReport& report, const Oracle& oracle) {
    const Level& level = *report.level;
    if (report.verdict == Verdict::holds) {
      if (!satisfies(oracle, numbers(report.commit_order), report.snapshots)) {
        return complain(level, "the commit order is wrong");
      }
    } else if (!report.commit_order.empty() || !report.snapshots.empty()) {
      return complain(level, "a commit order beside violations");
    }
    must_accept(report, "evidence");
  }

  bool satisfies(const Oracle& oracle, const std::vector<std::uint32_t>& order,
                 const std::vector<std::uint32_t>& snapshots) const {
    if (oracle.has_snapshots()) {
      return oracle::replays(facts_, oracle, order, snapshots);
    }
    return snapshots.empty() && oracle::satisfies(facts_, oracle, order);
  }

  void must_accept(const LevelReport& report, const std::string& what) {
    const LevelCheck checked = verifier_.judge(report);
    if (!checked.accepted) {
      complain(*report.level, what + " rejected: " + checked.objection);
    }
  }

  void must_reject(const LevelReport& claim, const std::string& what) {
    if (verifier_.judge(claim).accepted) {
      complain(*claim.level, "accepted: " + what);
    }
  }

  // A malformed history has no verdict, so that no evidence proves one.
  void reject_everything() {
    for (const Level* level : applicable_levels(history_)) {
      LevelReport claim;
      claim.level = level;
      claim.verdict = Verdict::holds;
      for (std::uint32_t t : facts_.live) {
        if (speaks_of_snapshots(*level)) {
          claim.snapshots.push_back(
              static_cast<std::uint32_t>(claim.commit_order.size()));
        }
        claim.commit_order.push_back(TxnId(t));
      }
      must_reject(claim, "a commit order of a malformed history");
    }
  }

  void check_lattice(const Report& report) {
    for (const LevelReport& strong : report.levels) {
      for (const LevelReport& weak : report.levels) {
        if (implies(*strong.level, *weak.level) &&
            strong.verdict == Verdict::holds &&
            weak.verdict != Verdict::holds) {
          complain(*strong.level, "holds without a level it implies");
        }
      }
    }
  }

  void try_forgeries(const Report& report) {
    for (const LevelReport& level : report.levels) {
      for (const Forgery& forgery : forge(history_, facts_, level, random_)) {
        must_reject(forgery.claim, forgery.what);
      }
      try_shuffled_orders(level);
    }
    // What proves one verdict does not prove the other one elsewhere.
    for (const LevelReport& one : report.levels) {
      for (const LevelReport& other : report.levels) {
        if (one.verdict == other.verdict) continue;
        LevelReport claim = one;
        claim.level = other.level;
        must_reject(claim, "evidence of " + std::string(one.level->name));
        std::vector<Violation> renamed(one.violations.begin(),
                                       one.violations.end());
        for (Violation& violation : renamed) {
          violation.kind = other.level->cycle;
        }
        claim.violations = std::move(renamed);
        must_reject(claim, "renamed evidence of another level");
      }
    }
  }

  // The verifier accepts an order exactly if the definition does.
  void try_shuffled_orders(const LevelReport& level) {
    const Oracle* oracle = oracle::find_oracle(level.level->name);
    std::vector<TxnId> order;
    for (std::uint32_t t : facts_.live) order.push_back(TxnId(t));
    for (int tries = 0; tries < 3; ++tries) {
      if (tries != 0) std::shuffle(order.begin(), order.end(), random_);
      judge_order(level, *oracle, order, "an order");
    }
    if (level.verdict == Verdict::holds && level.commit_order.size() > 1) {
      // A small change to a right one: often it is right as well.
      order = level.commit_order;
      const std::size_t i = random_() % (order.size() - 1);
      std::swap(order[i], order[i + 1]);
      judge_order(level, *oracle, order, "two swapped");
    }
  }

  void judge_order(const LevelReport& level, const Oracle& oracle,
                   const std::vector<TxnId>& order, const std::string& what) {
    LevelReport claim;
    claim.level = level.level;
    claim.verdict = Verdict::holds;
    claim.commit_order = order;
    const auto judge = [&](const std::string& of) {
      const bool right =
          satisfies(oracle, numbers(claim.commit_order), claim.snapshots);
      if (verifier_.judge(claim).accepted != right) {
        complain(*level.level, "the verifier misjudges " + of);
      }
    };
    if (!oracle.has_snapshots()) return judge(what);
    claim.snapshots =
        oracle::smallest_snapshots(facts_, oracle, numbers(order));
    judge(what + " with the smallest snapshots");
    if (claim.snapshots.empty()) return;
    const std::size_t i = random_() % claim.snapshots.size();
    claim.snapshots[i] = static_cast<std::uint32_t>(random_() % (i + 2));
    judge(what + " with another snapshot");
    claim.snapshots.pop_back();
    judge(what + " with a snapshot too few");
  }

  // What a violation rests on violates the level by itself.
  void check_cores(const Report& report) {
    for (const LevelReport& level : report.levels) {
      const Oracle* oracle = oracle::find_oracle(level.level->name);
      if (!oracle->strong() || level.verdict != Verdict::violated) continue;
      for (const Violation& violation : level.violations) {
        const Shrunk story = shrink(history_, *level.level, violation);
        if (!story.stands_alone) {
          return complain(*level.level, "the core alone is no violation");
        }
        LevelReport claim;
        claim.level = level.level;
        claim.verdict = Verdict::violated;
        claim.violations = {story.violation};
        must_accept(claim, "the core's evidence");
        const History part = extract(history_, story.ops, story.silent);
        const oracle::Facts facts = oracle::resolve(part);
        if (facts.live.size() <= 8 && oracle::brute_force(facts, *oracle)) {
          return complain(*level.level, "the core holds by brute force");
        }
        const Level* const alone[] = {level.level};
        const Result<Report> again = check(part, alone, {});
        if (!again || again->levels[0].verdict != Verdict::violated) {
          return complain(*level.level, "the core holds when checked alone");
        }
        if (level.violations.size() > 3) break;
      }
    }
  }

  void check_certificate(const Report& report) {
    const std::string text = write_certificate(history_, report);
    const Result<Certificate> read = read_certificate(text, "certificate");
    if (!read) return complain("certificate: " + read.error().message);
    if (read->sessions != history_.num_sessions() ||
        read->transactions != history_.num_txns() ||
        read->operations != history_.num_ops() ||
        read->levels.size() != report.levels.size()) {
      return complain("the certificate is about something else");
    }
    for (std::size_t i = 0; i < read->levels.size(); ++i) {
      const LevelReport& copy = read->levels[i];
      if (copy.level != report.levels[i].level ||
          copy.verdict != report.levels[i].verdict ||
          copy.commit_order != report.levels[i].commit_order ||
          copy.snapshots != report.levels[i].snapshots ||
          findings_of(copy) != findings_of(report.levels[i])) {
        return complain(*report.levels[i].level, "changed in the certificate");
      }
      must_accept(copy, "certificate");
    }
  }

  void try_options(const Report& report) {
    for (unsigned threads : {2u, 7u}) {
      const Result<Report> other = ask(threads, false);
      if (!other || write_certificate(history_, *other) !=
                        write_certificate(history_, report)) {
        complain("another answer with " + std::to_string(threads) + " threads");
      }
    }
    const Result<Report> first = ask(1, true);
    if (!first) return complain("an error with --first");
    for (std::size_t i = 0; i < report.levels.size(); ++i) {
      const LevelReport& level = first->levels[i];
      if (level.verdict != report.levels[i].verdict ||
          level.violations.size() > 1) {
        complain(*level.level, "another verdict with --first");
      }
      must_accept(level, "evidence of --first");
    }
    for (const LevelReport& level : report.levels) {
      Options options;
      options.commit_order = true;
      const Level* const alone[] = {level.level};
      const Result<Report> single = check(history_, alone, options);
      if (!single || single->levels.size() != 1 ||
          single->levels[0].verdict != level.verdict ||
          (!is_strong(level) &&
           read_findings_of(single->levels[0]) != read_findings_of(level))) {
        return complain(*level.level, "another answer when asked alone");
      }
      must_accept(single->levels[0], "evidence when asked alone");
    }
  }

  // Sessions as a hint, which a history of this size would not need.
  void try_borrowing(const Report& report) {
    Options options;
    options.commit_order = true;
    options.borrow_above = 0;
    const Result<Report> other =
        check(history_, applicable_levels(history_), options);
    if (!other) return complain("an error with borrowed chains");
    for (std::size_t i = 0; i < report.levels.size(); ++i) {
      const LevelReport& level = other->levels[i];
      if (level.verdict != report.levels[i].verdict) {
        complain(*level.level, "another verdict with borrowed chains");
      }
      must_accept(level, "evidence with borrowed chains");
    }
  }

  void try_renaming(const Report& report) {
    const History other = renamed(script_, random_);
    Options options;
    options.commit_order = true;
    const Result<Report> result =
        check(other, applicable_levels(other), options);
    if (!result) return complain("an error after renaming");
    expect_same(report, result, "renaming");
    const std::vector<LevelReport> before = quick_reports(history_);
    const std::vector<LevelReport> after = quick_reports(other);
    for (std::size_t i = 0; i < before.size() && i < after.size(); ++i) {
      if (kinds_of(before[i]) != kinds_of(after[i])) {
        complain(*before[i].level, "other kinds after renaming");
      }
    }
    const Verifier verifier(other);
    for (const LevelReport& level : result->levels) {
      const LevelCheck checked = verifier.judge(level);
      if (!checked.accepted) {
        complain(*level.level,
                 "evidence rejected after renaming: " + checked.objection);
      }
    }
  }

  void expect_same(const Report& report, const Result<Report>& other,
                   const std::string& what) {
    if (!other) return complain("an error with " + what);
    for (std::size_t i = 0; i < report.levels.size(); ++i) {
      if (other->levels[i].verdict != report.levels[i].verdict ||
          read_findings_of(other->levels[i]).size() !=
              read_findings_of(report.levels[i]).size()) {
        complain(*report.levels[i].level, "another answer with " + what);
      }
    }
  }

  const Script& script_;
  const Scrutiny& scrutiny_;
  Random random_;
  History history_;
  Facts facts_;
  const Verifier verifier_;
  std::optional<std::string> complaint_;
};

}  // namespace

std::optional<std::string> complaint(const Script& script,
                                     const Scrutiny& scrutiny,
                                     std::uint64_t seed) {
  return Judge(script, scrutiny, seed).run();
}

std::optional<std::string> explained_complaint(const Script& script,
                                               const Scrutiny& scrutiny,
                                               std::uint64_t seed) {
  const std::optional<std::string> first = complaint(script, scrutiny, seed);
  if (!first) return std::nullopt;
  const Script small = shrink(script, [&](const Script& smaller) {
    return complaint(smaller, scrutiny, seed).has_value();
  });
  return "seed " + std::to_string(seed) + ": " + *first + "\n" +
         "shrunk: " + *complaint(small, scrutiny, seed) + "\n" +
         to_notation(small);
}

std::size_t random_histories() {
  const char* text = std::getenv("AWDIT_RANDOM_HISTORIES");
  return text == nullptr ? 200'000 : std::strtoul(text, nullptr, 10);
}

bool takes_long() { return std::getenv("AWDIT_LONG") != nullptr; }

}  // namespace awdit::property
