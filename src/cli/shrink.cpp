// awdit shrink: read, check, shrink, fit, write.
//
// What is written violates the same level with the same kind when it is read
// again. A target that cannot hold what this takes (aborted transactions,
// perhaps) is refused, not served with something else.
#include <fmt/format.h>

#include <memory>
#include <new>
#include <optional>

#include "base/counted.h"
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/destination.h"
#include "cli/progress.h"
#include "convert/convert.h"
#include "tell/tell.h"

namespace awdit::cli {
namespace {

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
std::string names_of(const Report& report, Verdict verdict, bool& several) {
  std::vector<std::string_view> names;
  for (const LevelReport& level : report.levels) {
    if (level.verdict == verdict) names.push_back(level.level->name);
  }
  several = names.size() > 1;
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
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
  const std::string open = names_of(report, Verdict::undecided, several);
  if (!open.empty()) {
    return fmt::format(
        "{} {} undecided (see --time-limit and --memory-limit), and nothing "
        "is known to be violated: nothing is written",
        open, several ? "are" : "is");
  }
  const std::string held = names_of(report, Verdict::holds, several);
  return fmt::format("{} {}: there is nothing to shrink, nothing is written",
                     held, several ? "hold" : "holds");
}

class Command {
 public:
  Command(const ShrinkPlan& plan, Output& out)
      : plan_(plan), out_(out), name_(joined_name(plan.paths)) {}

  Exit run() {
    Result<Exit> done = [&]() -> Result<Exit> {
      try {
        return try_run();
      } catch (const std::bad_alloc&) {
        return Error{.where = name_,
                     .message = "not enough memory for this history",
                     .excerpt = "",
                     .hint =
                         "Ask for one level (-i), or use a machine with "
                         "more memory."};
      }
    }();
    progress_.clear();
    if (done) return *done;
    print_error(done.error());
    return Exit::error;
  }

 private:
  Result<Exit> try_run() {
    // Before the long work, if it is known already.
    const Format* format = plan_.to;
    std::unique_ptr<Destination> destination;
    if (format != nullptr) {
      if (Outcome failed = open(*format, destination)) return *failed;
    }
    progress_.stage("reading", name_);
    Result<Loaded> loaded =
        read_history(plan_.paths, plan_.from, plan_.options.threads);
    if (!loaded) return loaded.error();
    if (!plan_.session_order) {
      loaded->history = std::move(loaded->history).without_session_order();
    }
    if (format == nullptr) {
      format = loaded->format;
      if (Outcome failed = open(*format, destination)) return *failed;
    }
    const History& history = loaded->history;
    progress_.stage("checking", name_);
    const Result<Report> report =
        check(history, asked_of(plan_.levels, history), plan_.options);
    if (!report) return here(report.error());
    const std::optional<Claim> claim = choose(*report, plan_.kind);
    if (!claim) {
      progress_.clear();
      print_note(name_, nothing_to_shrink(*report, plan_.kind));
      return exit_of(*report) == Exit::undecided ? Exit::undecided
                                                 : Exit::violated;
    }
    progress_.stage("shrinking", name_);
    const Shrunk story = shrink(history, *claim->level, *claim->violation,
                                plan_.options.time_limit);
    if (!story.stands_alone && story.out_of_time) {
      progress_.clear();
      print_note(name_,
                 "the time limit was reached before anything could be left "
                 "out; --time-limit gives it longer: nothing is written");
      return Exit::undecided;
    }
    if (!story.stands_alone) {
      return Error{.where = name_,
                   .message =
                       "what the evidence rests on is no violation by "
                       "itself",
                   .excerpt = "",
                   .hint =
                       "This is a defect of awdit. The evidence is right: "
                       "see awdit check."};
    }
    if (Outcome failed = write(history, *claim, story, *format, *destination)) {
      return *failed;
    }
    return Exit::ok;
  }

  Outcome open(const Format& format,
               std::unique_ptr<Destination>& destination) {
    if (format.write == nullptr) {
      return Error{.where = name_,
                   .message = fmt::format("{} can be read only", format.name),
                   .excerpt = "",
                   .hint = "Choose the format to write with --to."};
    }
    Result<std::unique_ptr<Destination>> opened =
        open_destination(plan_.out, format, plan_.paths, out_);
    if (!opened) return std::move(opened.error());
    destination = std::move(*opened);
    return std::nullopt;
  }

  Outcome write(const History& history, const Claim& claim, const Shrunk& story,
                const Format& format, Destination& destination) {
    History part = extract_sessions(history, story.ops, story.silent);
    const bool whole = part.num_ops() == history.num_ops() &&
                       part.num_txns() == history.num_txns();
    const std::string became = !whole          ? "became " + size_of(part)
                               : story.minimal ? "cannot be made smaller"
                                               : "stay as they are";
    const std::string_view kind = anomaly(story.violation.kind).name;
    const std::string_view level = claim.level->name;
    Result<Fitted> fitted = fit(std::move(part), format, {});
    if (!fitted) return here(fitted.error());
    if (!shows(fitted->history, {story.level, &story.violation})) {
      return Error{.where = name_,
                   .message = fmt::format("{} cannot show this: {} at {}",
                                          format.name, kind, level),
                   .excerpt = "",
                   .hint =
                       "Nothing was written. Choose a format that holds "
                       "everything: awdit-jsonl or awdit."};
    }
    progress_.stage("writing", plan_.out == "-" ? "<stdout>" : plan_.out);
    format.write(fitted->history, {[&](std::string_view file) -> Sink& {
                                     return destination.new_file(file);
                                   },
                                   plan_.options.threads});
    if (Outcome failed = destination.commit()) return failed;
    progress_.clear();
    for (const std::string& warning : history.warnings()) {
      print_note(name_, "warning: " + warning);
    }
    for (const std::string& loss : fitted->losses) {
      print_note(name_, fmt::format("lost in {}: {}", format.name, loss));
    }
    print_note(name_, fmt::format("{} {}: {} at {}", size_of(history), became,
                                  kind, level));
    print_note(name_, headline(history, story.violation));
    if (story.out_of_time) {
      print_note(name_,
                 "the time limit was reached before each was tried to leave "
                 "out; --time-limit gives it longer");
    } else if (!story.minimal) {
      print_note(name_, "that is too much to try whether each is needed");
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
    History copy = extract(history, ops, silent);
    if (!plan_.session_order) copy = std::move(copy).without_session_order();
    const Level* const asked[] = {claim.level};
    const Result<Report> report = check(copy, asked, plan_.options);
    return report &&
           simplest(report->levels[0], claim.violation->kind) != nullptr;
  }

  Error here(Error error) const {
    error.where = error.where.empty() ? name_ : name_ + ":" + error.where;
    return error;
  }

  const ShrinkPlan& plan_;
  Output& out_;
  const std::string name_;
  Progress progress_;
};

}  // namespace

Exit run_shrink(const ShrinkPlan& plan, Output& out) {
  return Command(plan, out).run();
}

}  // namespace awdit::cli
