// What a check says, held against the definitions: who is promoted, the verdict
// of each level, of the weak ones also what was found, and that evidence is
// accepted; what a level calls its own is left without what is set aside, and
// what a violation above causal rests on violates the level by itself.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "evidence_parts.h"
#include "oracle/search.h"
#include "property/trial.h"
#include "tell/tell.h"

namespace awdit::property {
namespace {

using oracle::Findings;
using oracle::Oracle;

class Answers : TrialPart {
 public:
  using TrialPart::TrialPart;

  void all(const Report& report) {
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
  }

  void cores(const Report& report) {
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

 private:
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

  void check_findings(const LevelReport& report) {
    const Level& level = *report.level;
    const Oracle* oracle = oracle::find_oracle(level.name);
    const Findings expected = oracle::saturate(facts_, *oracle);
    const Findings found = oracle::as_own(level, findings_of(report));
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
      if (!satisfies(oracle, report.commit_order, report.snapshots)) {
        return complain(level, "the commit order is wrong");
      }
    } else if (!report.commit_order.empty() || !report.snapshots.empty()) {
      return complain(level, "a commit order beside violations");
    }
    must_accept(report, "evidence");
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
};

}  // namespace

void judge_answers(Trial& trial, const Report& report) {
  Answers(trial).all(report);
}

void judge_cores(Trial& trial, const Report& report) {
  Answers(trial).cores(report);
}

}  // namespace awdit::property
