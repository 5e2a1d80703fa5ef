// awdit shrink: read, check, shrink, fit, write.
//
// What is written violates the same level with the same kind when it is read
// again. A target that cannot hold what this takes (aborted transactions,
// perhaps) is refused, not served with something else.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/counted.h"
#include "cli/check.h"
#include "cli/command.h"
#include "cli/destination.h"
#include "cli/from_to.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/time_limit.h"
#include "cli/values.h"
#include "convert/convert.h"
#include "tell/tell.h"

namespace awdit::cli {
namespace {

std::string shrink_footer() {
  return "Leaves out transactions and operations as long as the rest still "
         "violates the\nlevel in the same way: what is written is a handful of "
         "transactions to look at,\nto send to a vendor, or to keep as a test. "
         "By default it is about the\nweakest violated level and the most "
         "basic kind of violation there; awdit list\nanomalies has the kinds "
         "in that order.\n\n"
         "The output's name says the format; if it does not, the input's is "
         "used. Output whose\nname ends in .gz, .xz or .zst is compressed. "
         "Several inputs are one history.\n\n"
         "Examples:\n"
         "  awdit shrink history.txt story.txt\n"
         "  awdit shrink -i causal --kind causal-violation history.edn "
         "story.edn\n"
         "  awdit shrink --to plume history.awdit - | awdit check -\n\n"
         "Exit codes:\n"
         "  0  written\n"
         "  1  there is no such violation: nothing is written\n"
         "  2  usage, input or output error: nothing is written\n"
         "  3  none is known, but some level is undecided: nothing is written";
}

std::string size_of(const History& history) {
  return fmt::format("{} in {}", counted(history.num_ops(), "operation"),
                     counted(history.num_txns(), "transaction"));
}

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

class Shrink : public Task {
 public:
  explicit Shrink(Grammar& grammar) {
    ends_.add_paths(grammar);
    isolation_.add(grammar, "Default: the weakest level that is violated");
    add_limits(grammar, options_);
    grammar.option("--kind", "KIND",
                   "Kind of violation to keep (default: the most basic)",
                   row_into(anomalies(), "kind", kind_row_));
    ends_.add_formats(grammar,
                      "Default: by the name of the output, or the input's");
    add_quiet(grammar, false);
    add_threads(grammar, options_.threads);
    grammar.footer(shrink_footer);
  }

  Wrong settle() override {
    if (Wrong wrong = ends_.settle()) return wrong;
    name_ = joined_name(ends_.paths);
    if (Wrong wrong = isolation_.settle()) return wrong;
    if (kind_row_ != nullptr) kind_ = kind_row_->kind;
    return std::nullopt;
  }

  Result<Exit> run(Output& out) override {
    Progress progress;
    // Before the long work, if it is known already.
    const Format* format = ends_.to;
    std::unique_ptr<Destination> destination;
    if (format != nullptr) {
      if (Outcome failed = open(*format, destination, out)) return *failed;
    }
    progress.stage("reading", name_);
    Result<Loaded> loaded =
        read_history(ends_.paths, ends_.from, options_.threads);
    if (!loaded) return std::move(loaded.error());
    if (format == nullptr) {
      format = loaded->format;
      if (Outcome failed = open(*format, destination, out)) return *failed;
    }
    const History history = isolation_.applied_to(std::move(loaded->history));
    progress.stage("checking", name_);
    const Result<Report> report =
        check(history, isolation_.asked_of(history), options_);
    if (!report) return placed_in(name_, report.error());
    const std::optional<Claim> claim = choose(*report, kind_);
    if (!claim) {
      progress.clear();
      print_note(name_, nothing_to_shrink(*report, kind_));
      return exit_of(*report) == Exit::undecided ? Exit::undecided
                                                 : Exit::violated;
    }
    progress.stage("shrinking", name_);
    const Shrunk story =
        shrink(history, *claim->level, *claim->violation, options_.time_limit);
    if (!story.stands_alone && story.out_of_time) {
      progress.clear();
      print_note(name_,
                 "the time limit was reached before anything could be left "
                 "out; try a longer --time-limit: nothing is written");
      return Exit::undecided;
    }
    if (!story.stands_alone) {
      return Error{
          .where = name_,
          .message =
              "the operations of the evidence are no violation by themselves",
          .hint =
              "This is a bug in awdit. The evidence itself is sound: see awdit "
              "check."};
    }
    if (Outcome failed =
            write(history, *claim, story, *format, *destination, progress)) {
      return std::move(*failed);
    }
    return Exit::ok;
  }

  Error out_of_memory() const override {
    Error error = too_large(name_);
    error.hint = "Ask for one level (-i), or use a machine with more memory.";
    return error;
  }

 private:
  Outcome open(const Format& format, std::unique_ptr<Destination>& destination,
               Output& out) const {
    if (format.write == nullptr) {
      return Error{.where = name_,
                   .message = fmt::format("{} can only be read, not written",
                                          format.name),
                   .hint = "Choose the format to write with --to."};
    }
    Result<std::unique_ptr<Destination>> opened =
        open_destination(ends_.out, format, ends_.paths, out);
    if (!opened) return std::move(opened.error());
    destination = std::move(*opened);
    return std::nullopt;
  }

  Outcome write(const History& history, const Claim& claim, const Shrunk& story,
                const Format& format, Destination& destination,
                Progress& progress) const {
    History part = extract_sessions(history, story.ops, story.silent);
    const bool whole = part.num_ops() == history.num_ops() &&
                       part.num_txns() == history.num_txns();
    const std::string became = !whole          ? "became " + size_of(part)
                               : story.minimal ? "cannot be made smaller"
                                               : "stay as they are";
    const std::string_view kind = anomaly(story.violation.kind).name;
    const std::string_view level = claim.level->name;
    const Result<Fitted> fitted = fit(std::move(part), format, {});
    if (!fitted) return placed_in(name_, fitted.error());
    if (!shows(fitted->history, {story.level, &story.violation})) {
      return Error{.where = name_,
                   .message = fmt::format("{} cannot show this: {} at {}",
                                          format.name, kind, level),
                   .hint =
                       "Nothing was written. Choose a format that holds "
                       "everything: awdit-jsonl or awdit."};
    }
    progress.stage("writing", output_name(ends_.out));
    if (Outcome failed = write_history(fitted->history, format, destination,
                                       options_.threads)) {
      return failed;
    }
    progress.clear();
    print_warnings(name_, history);
    print_losses(name_, format, fitted->losses);
    print_note(name_, fmt::format("{} {}: {} at {}", size_of(history), became,
                                  kind, level));
    print_note(name_, headline(history, story.violation));
    if (story.out_of_time) {
      print_note(name_,
                 "the time limit was reached before everything had been tried; "
                 "a longer --time-limit may shrink it further");
    } else if (!story.minimal) {
      print_note(name_, "it is too large to try every operation");
    }
    return std::nullopt;
  }

  // Whether the violation is still there.
  bool shows(const History& history, const Claim& claim) const {
    std::vector<OpId> ops;
    for (const OpId op : IdRange<OpId>{0, history.num_ops()}) ops.push_back(op);
    std::vector<TxnId> silent;
    for (const TxnId txn : history.txns()) {
      if (history.ops(txn).size() == 0) silent.push_back(txn);
    }
    const History copy = isolation_.applied_to(extract(history, ops, silent));
    const Level* const asked[] = {claim.level};
    const Result<Report> report = check(copy, asked, options_);
    return report &&
           simplest(report->levels[0], claim.violation->kind) != nullptr;
  }

  FromTo ends_;
  Isolation isolation_;  // the weakest violated level of it is meant
  Options options_;
  const Anomaly* kind_row_ = nullptr;
  std::optional<Kind> kind_;  // empty: the most basic one
  std::string name_;          // of the input
};

}  // namespace

const Command kShrinkCommand = {
    "shrink", "Write the smallest part that still shows a violation",
    make<Shrink>};

}  // namespace awdit::cli
