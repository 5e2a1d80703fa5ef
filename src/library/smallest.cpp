#include "library/smallest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/counted.h"
#include "convert/convert.h"

namespace awdit {
namespace {

// The weakest level that has such a violation, and its simplest one. What was
// found at a weaker level than those asked for is about that one.
std::optional<Claim> choose(const Report& report, std::optional<Kind> kind) {
  for (const LevelReport& level : report.levels) {
    if (const Violation* violation = simplest(level, kind)) {
      std::size_t at = 0;
      while (&level.violations[at] != violation) ++at;
      const bool inherited =
          at < level.inherited && level.follows_from != nullptr;
      return Claim{inherited ? level.follows_from : level.level, violation};
    }
  }
  return std::nullopt;
}

// "read-atomic and causal"
std::string levels_with(const Report& report, Verdict verdict, bool& several) {
  std::vector<std::string> names;
  for (const LevelReport& level : report.levels) {
    if (level.verdict == verdict) names.emplace_back(level.level->name);
  }
  several = names.size() > 1;
  return listed(names);
}

// "read-atomic and causal hold: there is nothing to shrink"
std::string nothing_to_shrink(const Report& report, std::optional<Kind> kind) {
  std::string found;
  for (const Anomaly& row : anomalies()) {
    for (const LevelReport& level : report.levels) {
      if (simplest(level, row.kind) == nullptr) continue;
      found += fmt::format("{}{} at {}", found.empty() ? "" : ", ", row.name,
                           level.level->name);
      break;
    }
  }
  if (!found.empty()) {
    return fmt::format("no {} was found, only {}; nothing is written",
                       anomaly(*kind).name, found);
  }
  bool several = false;
  const std::string open = levels_with(report, Verdict::undecided, several);
  if (!open.empty()) {
    return fmt::format(
        "{} {} undecided (see --time-limit and --memory-limit), and nothing "
        "is known to be violated: nothing is written",
        open, several ? "are" : "is");
  }
  const std::string held = levels_with(report, Verdict::holds, several);
  return fmt::format(
      "{} {}: there is nothing to shrink, and nothing is written", held,
      several ? "hold" : "holds");
}

// Whether the violation is still there; without session order, if the whole was
// looked at so.
bool shows(const History& part, bool session_order, const Level& level,
           Kind kind, const Options& options) {
  std::vector<OpId> ops;
  for (const OpId op : IdRange<OpId>{0, part.num_ops()}) ops.push_back(op);
  std::vector<TxnId> silent;
  for (const TxnId txn : part.txns()) {
    if (part.ops(txn).size() == 0) silent.push_back(txn);
  }
  History copy = extract(part, ops, silent);
  if (!session_order) copy = std::move(copy).without_session_order();
  const Level* const asked[] = {&level};
  const Result<Report> report = check(copy, asked, options);
  return report && simplest(report->levels[0], kind) != nullptr;
}

bool any_undecided(const Report& report) {
  return std::any_of(report.levels.begin(), report.levels.end(),
                     [](const LevelReport& level) {
                       return level.verdict == Verdict::undecided;
                     });
}

}  // namespace

Outcome find_smallest(const History& history, const SmallestPlan& plan,
                      std::optional<Smallest>& smallest, NoneFound& none) {
  const auto stage = [&](std::string_view name) {
    if (plan.stage) plan.stage(name);
  };
  stage("checking");
  const Result<Report> report = check(history, plan.levels, plan.options);
  if (!report) return report.error();
  const std::optional<Claim> claim = choose(*report, plan.kind);
  if (!claim) {
    none = {any_undecided(*report) &&
                !std::any_of(report->levels.begin(), report->levels.end(),
                             [](const LevelReport& level) {
                               return level.verdict == Verdict::violated;
                             }),
            nothing_to_shrink(*report, plan.kind)};
    return std::nullopt;
  }
  stage("shrinking");
  const Shrunk story = shrink(history, *claim->level, *claim->violation,
                              plan.options.time_limit, plan.options.work);
  if (!story.stands_alone && story.out_of_time) {
    none = {true,
            "the time limit was reached before anything could be left out; try "
            "a longer --time-limit: nothing is written"};
    return std::nullopt;
  }
  if (!story.stands_alone) {
    return Error{
        .message =
            "the operations of the evidence are no violation by themselves",
        .hint =
            "This is a bug in awdit. The evidence itself is sound: see "
            "awdit check."};
  }
  Smallest found{.part = extract_sessions(history, story.ops, story.silent),
                 .level = claim->level,
                 .kind = story.violation.kind,
                 .headline = headline(history, story.violation),
                 .losses = {},
                 .minimal = story.minimal,
                 .out_of_time = story.out_of_time};
  found.operations = found.part.num_ops();
  found.transactions = found.part.num_txns();
  found.whole = found.part.num_ops() == history.num_ops() &&
                found.part.num_txns() == history.num_txns();
  if (plan.format != nullptr) {
    Result<Fitted> fitted = fit(std::move(found.part), *plan.format, {});
    if (!fitted) return std::move(fitted.error());
    found.part = std::move(fitted->history);
    found.losses = std::move(fitted->losses);
    if (!shows(found.part, history.session_order(), *story.level,
               story.violation.kind, plan.options)) {
      return Error{.message = fmt::format(
                       "{} cannot show this: {} at {}", plan.format->name,
                       anomaly(found.kind).name, found.level->name),
                   .hint =
                       "Nothing was written. Choose a format that holds "
                       "everything: awdit-jsonl or awdit."};
    }
  }
  smallest = std::move(found);
  return std::nullopt;
}

}  // namespace awdit
