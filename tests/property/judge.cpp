#include "property/judge.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "check/check.h"
#include "oracle/oracle.h"
#include "property/forge.h"
#include "witness/witness.h"

namespace awdit::property {
namespace {

using oracle::Facts;
using oracle::Findings;
using oracle::Oracle;

std::vector<const Level*> all_levels() {
  std::vector<const Level*> all;
  for (const Level& level : levels()) all.push_back(&level);
  return all;
}

Findings findings_of(const LevelReport& report) {
  Findings findings;
  for (const Violation& violation : report.violations) {
    findings.insert({violation.kind, violation.read.v});
  }
  return findings;
}

// Kinds and counts only: reads have other numbers after renaming.
std::multiset<Kind> kinds_of(const LevelReport& report) {
  std::multiset<Kind> kinds;
  for (const Violation& violation : report.violations) {
    kinds.insert(violation.kind);
  }
  return kinds;
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
        facts_(oracle::resolve(history_)) {}

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
    for (const LevelReport& level : report.levels) check_level(level);
    check_lattice(report);
    if (complaint_) return complaint_;
    if (scrutiny_.forgeries) try_forgeries(report);
    if (scrutiny_.certificate) check_certificate(report);
    if (scrutiny_.options) try_options(report);
    if (scrutiny_.renaming) try_renaming(report);
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
    return check(history_, all_levels(), options);
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
    const Findings found = findings_of(report);
    if (found != expected) {
      return complain(
          level, "expected " + oracle::to_string(expected) + ", found " +
                     oracle::to_string(found) +
                     (kinds_equal(found, expected) ? " at other reads" : ""));
    }
    for (const Violation& violation : report.violations) {
      if (violation.kind == Kind::incompatible_order &&
          violation.other.v != facts_.longest_list.at(violation.read.v)) {
        return complain(level, "a list compared with another than the longest");
      }
    }
    check_evidence(report, *oracle);
  }

  static bool kinds_equal(const Findings& a, const Findings& b) {
    return oracle::to_string(a) == oracle::to_string(b);
  }

  // One cycle per strongly connected component: no transaction is on two
  // cycles, nor twice on one.
  void check_cycles(const LevelReport& report) {
    std::set<TxnId> visited;
    for (const Violation& violation : report.violations) {
      for (const Edge& edge : violation.edges) {
        if (!visited.insert(edge.from).second) {
          complain(*report.level, "cycles meet, or are not simple");
        }
      }
    }
  }

  void check_evidence(const LevelReport& report, const Oracle& oracle) {
    const Level& level = *report.level;
    check_cycles(report);
    if (report.verdict == Verdict::holds) {
      if (!oracle::satisfies(facts_, oracle, numbers(report.commit_order))) {
        return complain(level, "the commit order is wrong");
      }
    } else if (!report.commit_order.empty()) {
      return complain(level, "a commit order beside violations");
    }
    must_accept(report, "evidence");
  }

  void must_accept(const LevelReport& report, const std::string& what) {
    const LevelCheck checked = verify(history_, report);
    if (!checked.accepted) {
      complain(*report.level, what + " rejected: " + checked.objection);
    }
  }

  void must_reject(const LevelReport& claim, const std::string& what) {
    if (verify(history_, claim).accepted) {
      complain(*claim.level, "accepted: " + what);
    }
  }

  // A malformed history has no verdict, so that no evidence proves one.
  void reject_everything() {
    for (const Level& level : levels()) {
      LevelReport claim;
      claim.level = &level;
      claim.verdict = Verdict::holds;
      for (std::uint32_t t : facts_.live)
        claim.commit_order.push_back(TxnId(t));
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
        for (Violation& violation : claim.violations) {
          violation.kind = other.level->cycle;
        }
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
      LevelReport claim;
      claim.level = level.level;
      claim.verdict = Verdict::holds;
      claim.commit_order = order;
      if (verify(history_, claim).accepted !=
          oracle::satisfies(facts_, *oracle, numbers(order))) {
        complain(*level.level, "the verifier misjudges an order");
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
          findings_of(single->levels[0]) != findings_of(level)) {
        return complain(*level.level, "another answer when asked alone");
      }
      must_accept(single->levels[0], "evidence when asked alone");
    }
  }

  void try_renaming(const Report& report) {
    const History other = renamed(script_, random_);
    Options options;
    options.commit_order = true;
    const Result<Report> result = check(other, all_levels(), options);
    if (!result) return complain("an error after renaming");
    expect_same(report, result, "renaming");
    for (const LevelReport& level : result->levels) {
      const LevelCheck checked = verify(other, level);
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
          kinds_of(other->levels[i]) != kinds_of(report.levels[i])) {
        complain(*report.levels[i].level, "another answer with " + what);
      }
    }
  }

  const Script& script_;
  const Scrutiny& scrutiny_;
  Random random_;
  History history_;
  Facts facts_;
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

}  // namespace awdit::property
