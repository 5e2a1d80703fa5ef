// awdit shrink: read, check, shrink, fit, write.
//
// What is written violates the same level with the same kind when it is read
// again. A target that cannot hold what this takes (aborted transactions,
// perhaps) is refused, not served with something else.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/counted.h"
#include "cli/command.h"
#include "cli/destination.h"
#include "cli/from_to.h"
#include "cli/isolation.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/time_limit.h"
#include "cli/values.h"
#include "library/library.h"
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

std::string size_of(std::uint64_t operations, std::uint64_t transactions) {
  return fmt::format("{} in {}", counted(operations, "operation"),
                     counted(transactions, "transaction"));
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
    options_.work = &current_work();
    // Before the long work, if it is known already.
    const Format* format = ends_.to;
    std::unique_ptr<Destination> destination;
    if (format != nullptr) {
      if (Outcome failed = open(*format, destination, out)) return *failed;
    }
    progress.stage("reading", name_);
    Result<Loaded> loaded = read_history(
        ends_.paths, ends_.from, options_.threads, {.work = &current_work()});
    if (!loaded) return std::move(loaded.error());
    if (format == nullptr) {
      format = loaded->format;
      if (Outcome failed = open(*format, destination, out)) return *failed;
    }
    const History history = isolation_.applied_to(std::move(loaded->history));
    const SmallestPlan plan{
        .levels = isolation_.asked_of(history),
        .kind = kind_,
        .format = format,
        .options = options_,
        .stage = [&](std::string_view name) { progress.stage(name, name_); }};
    std::optional<Smallest> smallest;
    NoneFound none;
    if (const Outcome failed = find_smallest(history, plan, smallest, none)) {
      return placed_in(name_, *failed);
    }
    if (!smallest) {
      progress.clear();
      print_note(name_, none.why);
      return none.undecided ? Exit::undecided : Exit::violated;
    }
    if (Outcome failed =
            write(history, *smallest, *format, *destination, progress)) {
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

  Outcome write(const History& history, const Smallest& smallest,
                const Format& format, Destination& destination,
                Progress& progress) const {
    const History& part = smallest.part;
    const std::string became =
        !smallest.whole
            ? "became " + size_of(smallest.operations, smallest.transactions)
        : smallest.minimal ? "cannot be made smaller"
                           : "stay as they are";
    progress.stage("writing", output_name(ends_.out));
    if (Outcome failed =
            write_history(part, format, destination, options_.threads)) {
      return failed;
    }
    progress.clear();
    print_warnings(name_, history);
    print_losses(name_, format, smallest.losses);
    print_note(
        name_,
        fmt::format("{} {}: {} at {}",
                    size_of(history.num_ops(), history.num_txns()), became,
                    anomaly(smallest.kind).name, smallest.level->name));
    print_note(name_, smallest.headline);
    if (smallest.out_of_time) {
      print_note(name_,
                 "the time limit was reached before everything had been tried; "
                 "a longer --time-limit may shrink it further");
    } else if (!smallest.minimal) {
      print_note(name_, "it is too large to try every operation");
    }
    return std::nullopt;
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
