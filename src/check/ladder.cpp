#include "check/ladder.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <unordered_set>
#include <utility>

#include "base/budget.h"
#include "check/commit_graph.h"
#include "check/engines.h"
#include "check/limits.h"

namespace awdit {
namespace {

// Rounds of a level: cheap ones by axiom, expensive ones by dependencies. A
// session guarantee has only the weakest level below it, which leaves it the
// whole of a large tangle; so there the first round, which tells what is plain,
// has to suffice, and the levels above begin with the rest.
constexpr int kRounds = 8;
constexpr int kExpensiveRounds = 4;
constexpr std::size_t kLarge = std::size_t{1} << 16;  // arcs

struct Rung {
  const Level* level;
  LevelReport report;  // without violations
  // Those found here, which the levels above share.
  std::shared_ptr<Violations::List> own = std::make_shared<Violations::List>();
  // Reads that were left out in the end, ascending.
  std::vector<OpId> aside = {};
  // Nothing more can be found, here or above.
  bool stuck = false;
};

bool is_strong(const Level& level) { return level.cycles != Cycles::by_axiom; }

int most_rounds(const Level& level, std::span<const Tangle> tangles) {
  if (is_strong(level)) return kExpensiveRounds;
  std::size_t arcs = 0;
  for (const Tangle& tangle : tangles) arcs += tangle.arcs.size();
  return is_session_guarantee(level) && arcs > kLarge ? 1 : kRounds;
}

void sort_unique(std::vector<OpId>& reads) {
  std::sort(reads.begin(), reads.end());
  reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
}

std::vector<OpId> merged(std::span<const OpId> a, std::span<const OpId> b) {
  std::vector<OpId> all;
  all.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(),
                 std::back_inserter(all));
  return all;
}

// The transactions of evidence about dependencies; `txns` in no order.
void add_txns(const History& history, const Violation& violation,
              std::vector<std::uint32_t>& txns) {
  walk(
      violation,
      [&](const Edge& edge) {
        if (!history.is_init(edge.from)) txns.push_back(edge.from.v);
      },
      [&](const LostUpdate& lost) {
        txns.push_back(history.txn_of(lost.read).v);
        txns.push_back(history.txn_of(lost.other).v);
      });
}

// One level on its rung: rounds until nothing is found.
class Climb {
 public:
  // Of the levels below that have been looked at: whether there are any, and
  // any that demand repeatable reads. What these tell is not told again.
  Climb(Index& index, const Options& options, Rung& rung, bool findings_told,
        bool repeats_told)
      : index_(index),
        options_(options),
        rung_(rung),
        level_(*rung.level),
        findings_told_(findings_told),
        repeats_told_(repeats_told) {}

  // On the whole history: this decides the verdict.
  void decide() {
    index_.leave_out({});
    index_.settle();
    ::awdit::decide(index_, options_, rung_.report, found_);
    if (rung_.report.verdict == Verdict::violated) go_on();
  }

  // A limit was reached: what was found counts all the same.
  void give_up(Limit limit) {
    if (!is_taken_) take();
    rung_.stuck = true;
    if (rung_.own->empty() && rung_.report.verdict != Verdict::violated) {
      rung_.report = {};
      rung_.report.level = &level_;
      rung_.report.limit = limit;
      return;
    }
    rung_.report.verdict = Verdict::violated;
    rung_.report.limit = Limit::none;
    rung_.report.more = true;
  }

  // What it has besides the violations of weaker levels, that rest on `aside`.
  void decide_without(std::vector<OpId> aside) {
    rung_.report.set_aside = aside;
    rung_.aside = std::move(aside);
    if (search()) go_on();
  }

 private:
  // Returns false if the search was given up.
  bool search() {
    index_.leave_out(rung_.aside);
    index_.settle();
    Options options = options_;
    options.commit_order = false;
    LevelReport again;
    again.level = &level_;
    found_.clear();
    is_taken_ = false;
    ::awdit::decide(index_, options, again, found_);
    rung_.report.more = rung_.report.more || again.more;
    if (again.verdict != Verdict::undecided) return true;
    rung_.report.more = true;
    rung_.stuck = true;
    return false;
  }

  void go_on() {
    bool cut = false;
    for (int round = 1; take(); ++round) {
      if (is_quick() || rung_.stuck) break;
      const bool cyclic = !index_.acyclic() || !index_.versions_agree();
      if (!cyclic && !is_strong(level_) &&
          !stays_tangled(index_, index_.known().tangles, fresh_)) {
        break;
      }
      const int most = most_rounds(level_, index_.known().tangles);
      if (most == 1) {
        // What it leaves tangled would mask all that stronger levels have of
        // their own: they have rounds enough to go through it themselves.
        rung_.report.more = true;
        break;
      }
      if (round >= most) {
        // Once for cycles of what is known, which hide the others, once for
        // those.
        if (cut) rung_.stuck = true;
        if (rung_.stuck) break;
        leave_out_entangled();
        if (!cyclic && !is_strong(level_)) break;
        cut = !cyclic;
        round = cyclic ? 0 : round;
      }
      if (!search()) break;
    }
    findings_told_ = true;
    repeats_told_ = repeats_told_ || demands_repeatable_reads(level_);
  }

  bool is_quick() const { return options_.first || options_.only_first_level; }

  bool is_told(const Violation& violation) const {
    const Finding* const finding = violation.finding();
    if (finding == nullptr) return false;
    if (violation.kind != Kind::non_repeatable_read) return findings_told_;
    const auto sources = index_.sources();
    return repeats_told_ || !is_external(sources[finding->read.v]) ||
           !is_external(sources[finding->other.v]);
  }

  // Adds what is new to the report, and the reads that it rests on to those
  // left out. Returns false if there is nothing new.
  bool take() {
    is_taken_ = true;
    // Cycles of so and wr first, as if the weakest level had been asked for.
    const bool first_things_first = !index_.acyclic() && !is_quick();
    std::erase_if(found_, [&](const Violation& v) {
      const bool is_first = v.finding() != nullptr
                                ? v.kind != Kind::non_repeatable_read
                                : v.kind == Kind::causality_cycle;
      return is_told(v) || (first_things_first && !is_first);
    });
    fresh_.clear();
    for (const Violation& violation : found_) {
      const std::size_t before = fresh_.size();
      add_reads_of(index_, violation, fresh_);
      const bool can_be_stuck = violation.finding() == nullptr;
      if (can_be_stuck && fresh_.size() == before) rung_.stuck = true;
      rung_.own->push_back(violation);
    }
    findings_told_ = true;
    sort_unique(fresh_);
    rung_.aside = merged(rung_.aside, fresh_);
    rung_.report.more = rung_.report.more || rung_.stuck;
    return !found_.empty();
  }

  void leave_out_entangled() {
    rung_.report.more = true;
    std::vector<std::uint32_t> txns;
    if (is_strong(level_)) {
      const History& history = index_.history();
      for (const Violation& violation : found_) {
        add_txns(history, violation, txns);
      }
    } else {
      std::vector<Tangle> tangles;
      if (index_.acyclic() && index_.versions_agree()) {
        tangles = index_.known().tangles;
      } else {
        find_causality_cycles(index_, &tangles);
        find_dependency_cycles(index_, &tangles);
      }
      for (const Tangle& tangle : tangles) {
        txns.insert(txns.end(), tangle.txns.begin(), tangle.txns.end());
      }
    }
    std::vector<OpId> reads;
    for (const OpId read : index_.reads_around(txns)) {
      add_read(index_, read, reads);
    }
    sort_unique(reads);
    rung_.aside = merged(rung_.aside, reads);
  }

  Index& index_;
  const Options& options_;
  Rung& rung_;
  const Level& level_;
  bool findings_told_;
  bool repeats_told_;
  std::vector<Violation> found_;  // in this round
  bool is_taken_ = false;         // by take()
  std::vector<OpId> fresh_;       // reads that these rest on
};

class Ladder {
 public:
  // `last`: the last rung by axiom, or nullptr.
  Ladder(Index& index, const Options& options, const Level* last)
      : index_(index),
        options_(options),
        limits_(index.history(), options),
        last_(last) {}

  void add(const Level& level) {
    Budget::ask(options_.work);
    if (options_.work != nullptr) {
      options_.work->at.store(&level.name, std::memory_order_relaxed);
    }
    Rung rung{.level = &level, .report = {}};
    rung.report.level = &level;
    std::vector<const Rung*> weaker;
    bool findings_told = false, repeats_told = false;
    for (const Rung& other : rungs_) {
      if (!implies(level, *other.level)) continue;
      findings_told = true;
      repeats_told = repeats_told || demands_repeatable_reads(*other.level);
      if (other.report.verdict == Verdict::violated) weaker.push_back(&other);
    }
    Climb climb(index_, options_, rung, findings_told, repeats_told);
    if (weaker.empty() && is_known_to_hold(level, rung.report)) {
      rung.report.level = &level;
    } else if (const LevelReport* below = given_up_below(level)) {
      rung.report.limit = below->limit;
      rung.stuck = true;
    } else if (weaker.empty()) {
      within_limits(climb, [&] { climb.decide(); });
    } else {
      const LevelReport& first = weaker.front()->report;
      rung.report.verdict = Verdict::violated;
      rung.report.follows_from =
          first.follows_from != nullptr ? first.follows_from : first.level;
      std::vector<OpId> aside;
      for (const Rung* other : weaker) {
        aside = merged(aside, other->aside);
        rung.stuck = rung.stuck || other->stuck;
      }
      if (options_.first || options_.only_first_level || rung.stuck) {
        rung.report.more = !options_.first;
      } else {
        within_limits(climb, [&] { climb.decide_without(std::move(aside)); });
      }
    }
    rungs_.push_back(std::move(rung));
  }

  // With the violations of weaker levels. Once per level.
  LevelReport take_report(const Level& level) {
    Violations all;
    std::unordered_set<std::uint64_t> known;
    for (Rung& rung : rungs_) {
      if (!implies(level, *rung.level)) continue;
      const std::size_t inherited = all.size();
      add(rung, known, all);
      if (rung.level != &level) continue;
      LevelReport result = std::move(rung.report);
      result.inherited = inherited;
      if (result.verdict == Verdict::violated) {
        result.violations = std::move(all);
      }
      return result;
    }
    return {};
  }

 private:
  // What a level inherits from a rung below, or has on its own.
  void add(const Rung& rung, std::unordered_set<std::uint64_t>& known,
           Violations& all) const {
    const Violations::List& own = *rung.own;
    if (options_.first) {
      if (all.empty() && !own.empty()) all.inherit(rung.own, 0, 1);
      return;
    }
    std::size_t first = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (known.insert(identity(own[i])).second) continue;
      all.inherit(rung.own, first, i - first);
      first = i + 1;
    }
    all.inherit(rung.own, first, own.size() - first);
  }

  // A session guarantee mostly holds because the last rung by axiom does, which
  // is looked at anyway: so that one is decided before its turn. It is not, if
  // it is violated because a rung below is.
  bool is_known_to_hold(const Level& level, LevelReport& report) {
    if (last_ == nullptr || !implies(*last_, level)) return false;
    if (is_session_guarantee(level) && ahead_.level == nullptr &&
        std::none_of(rungs_.begin(), rungs_.end(), [&](const Rung& rung) {
          return rung.report.verdict == Verdict::violated &&
                 implies(*last_, *rung.level);
        })) {
      ahead_.level = last_;
      Options options = options_;
      options.first = true;
      std::vector<Violation> found;
      limits_.within(index_, [&] {
        index_.leave_out({});
        index_.settle();
        ::awdit::decide(index_, options, ahead_, found);
      });
    }
    if (ahead_.verdict != Verdict::holds ||
        (!is_session_guarantee(level) && &level != last_)) {
      return false;
    }
    report = ahead_;
    return true;
  }

  void within_limits(Climb& climb, const std::function<void()>& body) {
    const Limit limit = limits_.within(index_, body);
    if (limit != Limit::none) climb.give_up(limit);
  }

  // A level above causal is decided on what is causal; if that was given up, so
  // would this be.
  const LevelReport* given_up_below(const Level& level) const {
    if (!is_strong(level)) return nullptr;
    for (const Rung& rung : rungs_) {
      if (rung.level == &strongest_by_axiom() &&
          rung.report.verdict == Verdict::undecided) {
        return &rung.report;
      }
    }
    return nullptr;
  }

  Index& index_;
  const Options& options_;
  const Limits limits_;
  const Level* const last_;
  LevelReport ahead_;  // of last_; without level: not looked at yet
  std::vector<Rung> rungs_;
};

}  // namespace

std::vector<LevelReport> climb(Index& index,
                               std::span<const Level* const> asked,
                               const Options& options) {
  // From below: rows of the table come after those they imply.
  std::vector<const Level*> rungs(asked.begin(), asked.end());
  // The levels above causal are decided on what is causal.
  if (std::any_of(asked.begin(), asked.end(),
                  [](const Level* level) { return is_strong(*level); })) {
    rungs.push_back(&strongest_by_axiom());
  }
  std::sort(rungs.begin(), rungs.end());
  rungs.erase(std::unique(rungs.begin(), rungs.end()), rungs.end());
  const Level* last = nullptr;
  for (const Level* level : rungs) {
    if (!is_strong(*level)) last = level;
  }
  Ladder ladder(index, options, last);
  for (const Level* level : rungs) ladder.add(*level);
  std::vector<LevelReport> reports(asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto before =
        std::find(asked.begin(), asked.begin() + std::ptrdiff_t(i), asked[i]);
    const auto at = static_cast<std::size_t>(before - asked.begin());
    reports[i] = at == i ? ladder.take_report(*asked[i]) : reports[at];
  }
  return reports;
}

}  // namespace awdit
