// The same answer however the question is put: by way of a certificate, with
// more threads, for one violation only, one level at a time, with other names
// for everything, with sessions as a hint.
#include <set>
#include <string>
#include <vector>

#include "property/trial.h"

namespace awdit::property {
namespace {

using oracle::Findings;

// Findings of Read Consistency only. Of cycles there is one per component and
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
    kinds.insert(oracle::as_own(*report.level, violation.kind));
  }
  return kinds;
}

// Above causal what is found depends on where the search begins.
bool is_strong(const LevelReport& report) {
  return report.level->cycles != Cycles::by_axiom;
}

class Repeats : TrialPart {
 public:
  using TrialPart::TrialPart;

  void certificate(const Report& report) {
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

  void options(const Report& report) {
    for (unsigned threads : {2u, 7u}) {
      // With several threads even a few operations are shared among them.
      const Result<Report> other =
          ask_all(history_, {.threads = threads, .grain = 1});
      if (!other || write_certificate(history_, *other) !=
                        write_certificate(history_, report)) {
        complain("another answer with " + std::to_string(threads) + " threads");
      }
    }
    const Result<Report> first = ask_all(history_, {.first = true});
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

  void renaming(const Report& report) {
    const History other = renamed(script_, random_);
    const Result<Report> result = ask_all(other);
    if (!result) return complain("an error after renaming");
    for (std::size_t i = 0; i < report.levels.size(); ++i) {
      if (result->levels[i].verdict != report.levels[i].verdict ||
          read_findings_of(result->levels[i]).size() !=
              read_findings_of(report.levels[i]).size()) {
        complain(*report.levels[i].level, "another answer with renaming");
      }
    }
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

  void as_if_large(const Report& report) {
    const Result<Report> other =
        ask_all(history_, {.borrow_above = 0, .tangles_above = 0});
    if (!other) return complain("an error as if it were large");
    for (std::size_t i = 0; i < report.levels.size(); ++i) {
      const LevelReport& level = other->levels[i];
      if (level.verdict != report.levels[i].verdict) {
        complain(*level.level, "another verdict as if it were large");
      }
      must_accept(level, "evidence as if it were large");
    }
  }

  // One window instead of several: other orders, but the same violations.
  void as_if_in_disorder(const Report& report) {
    const Result<Report> other = ask_all(history_, {.disorder_above = 0});
    if (!other) return complain("an error as if it were in disorder");
    Report same = report;
    for (std::size_t i = 0; i < report.levels.size(); ++i) {
      const LevelReport& level = other->levels[i];
      if (level.level->cycles != Cycles::by_axiom) continue;
      must_accept(level, "evidence as if it were in disorder");
      if (level.verdict == Verdict::holds) {
        same.levels[i].commit_order = level.commit_order;
      }
    }
    if (write_certificate(history_, same) !=
        write_certificate(history_, *other)) {
      complain("another answer as if it were in disorder");
    }
  }
};

}  // namespace

void judge_certificate(Trial& trial, const Report& report) {
  Repeats(trial).certificate(report);
}

void judge_options(Trial& trial, const Report& report) {
  Repeats(trial).options(report);
}

void judge_renaming(Trial& trial, const Report& report) {
  Repeats(trial).renaming(report);
}

void judge_as_if_large(Trial& trial, const Report& report) {
  Repeats(trial).as_if_large(report);
}

void judge_as_if_in_disorder(Trial& trial, const Report& report) {
  Repeats(trial).as_if_in_disorder(report);
}

}  // namespace awdit::property
