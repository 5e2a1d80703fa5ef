// awdit check: each history is read, decided, certified and shown before the
// next one is touched, so memory is that of the largest. What goes wrong with
// one does not stop the others.
#include "cli/check.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "base/counted.h"
#include "cli/atomic_file.h"
#include "cli/command.h"
#include "cli/help_text.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/siblings.h"
#include "cli/time_limit.h"
#include "cli/values.h"
#include "library/library.h"
#include "witness/witness.h"

namespace awdit::cli {
namespace {

double seconds_since(std::chrono::steady_clock::time_point then) {
  const auto now = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(now - then).count();
}

std::string peak_memory() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return fmt::format("{} MB", usage.ru_maxrss / 1000);
}

class Checker {
 public:
  Checker(const CheckPlan& plan, Expected& expected, Documents& documents)
      : plan_(plan), expected_(expected), documents_(documents) {}

  Exit run(std::optional<Loaded> loaded) {
    if (plan_.join || loaded) return run_one(plan_.paths, std::move(loaded));
    Exit exit = Exit::ok;
    for (const std::string& path : plan_.paths) {
      if (documents_.closed()) break;
      exit = worse(exit, run_one({&path, 1}, std::nullopt));
    }
    return exit;
  }

 private:
  // Memory that runs out is the history's size, not a defect: the tool says so
  // and goes on with the next.
  Exit run_one(std::span<const std::string> paths,
               std::optional<Loaded> loaded) {
    const std::string name =
        plan_.name.empty() ? joined_name(paths) : plan_.name;
    try {
      return try_one(paths, std::move(loaded), name);
    } catch (const std::bad_alloc&) {
      return fail(name, {.where = name,
                         .message = "not enough memory for this history",
                         .hint = "Ask for fewer levels at once (-i), or use "
                                 "a machine with more memory."});
    }
  }

  Exit try_one(std::span<const std::string> paths, std::optional<Loaded> ready,
               const std::string& name) {
    std::optional<AtomicFile> certificate;
    if (!plan_.certificate.empty()) {
      Result<AtomicFile> file =
          AtomicFile::create(plan_.certificate, "the certificate", paths);
      if (!file) return fail(name, file.error());
      certificate.emplace(std::move(*file));
    }
    const auto began = std::chrono::steady_clock::now();
    progress_.stage("reading", name);
    if (!ready) {
      Result<Loaded> read =
          read_history(paths, plan_.format, plan_.options.threads,
                       {.work = &current_work()});
      if (!read) return fail(name, read.error());
      ready.emplace(std::move(*read));
    }
    Loaded loaded{plan_.isolation.applied_to(std::move(ready->history)),
                  ready->format};
    const std::vector<const Level*> levels =
        plan_.isolation.asked_of(loaded.history);
    const double reading = seconds_since(began);
    progress_.stage("checking", name);
    Options options = plan_.options;
    options.work = &current_work();
    const Result<Report> checked = check(loaded.history, levels, options);
    if (!checked) return fail(name, placed_in(name, checked.error()));
    const Report& report = *checked;
    if (plan_.verbose) {
      progress_.clear();
      print_note(
          name,
          fmt::format("read {} in {:.2f} s and checked {} in {:.2f} s with {}; "
                      "peak memory {}",
                      counted(loaded.history.num_ops(), "operation"), reading,
                      counted(levels.size(), "level"),
                      seconds_since(began) - reading,
                      counted(plan_.options.threads, "thread"), peak_memory()));
    }
    for (std::optional<std::string> sentence :
         {found_in_siblings(loaded, report, paths, plan_.paths,
                            plan_.options.threads),
          initial_value_hint(loaded.history, *loaded.format, report)}) {
      if (!sentence) continue;
      loaded.history =
          std::move(loaded.history).with_warning(std::move(*sentence));
    }
    const History& history = loaded.history;

    expected_.note(report);
    Exit exit = exit_of(report, &expected_);
    if (certificate) {
      progress_.stage("certifying", name);
      certificate->write(
          write_certificate(history, report,
                            {.paths = {paths.begin(), paths.end()},
                             .format = std::string(loaded.format->name),
                             .first = plan_.options.first}));
      if (const Outcome failed = certificate->commit()) {
        progress_.clear();
        print_error(*failed);
        exit = Exit::error;
      }
    }
    progress_.clear();
    print_warnings(name, history);
    documents_.add(
        {.path = name, .format = loaded.format->name, .history = history},
        report);
    return exit;
  }

  Exit fail(const std::string& name, const Error& error) {
    progress_.clear();
    print_error(error);
    documents_.add_error(name, error);
    return Exit::error;
  }

  const CheckPlan& plan_;
  Expected& expected_;
  Documents& documents_;
  Progress progress_;
};

std::string check_footer() {
  std::vector<std::pair<std::string_view, std::string>> known, readable;
  for (const Level& level : levels()) {
    known.emplace_back(
        level.name,
        also(level.aliases) + (level.real_time ? "; needs times" : ""));
  }
  for (const Format& format : formats()) {
    readable.emplace_back(format.name, also(format.aliases));
  }
  return fmt::format(
      "Levels, weakest first; awdit explain \"repeatable read\" is about SQL's "
      "own:\n{}"
      "If a history has no times, all leaves out the levels that need them. "
      "Levels above\ncausal may need a search; if it reaches a limit, the "
      "level is undecided.\n\n"
      "Formats:\n{}\n"
      "Reports, and how the names of their files end:\n{}\n"
      "Examples:\n"
      "  awdit check history.txt               every level, with evidence\n"
      "  awdit check -i cc history.txt         causal consistency only\n"
      "  awdit check -i si,ser --time-limit 10m --memory-limit 16G h.txt\n"
      "  awdit check --no-session-order h.edn  as Elle reads it by default\n"
      "  awdit check -i rc,ra --json *.txt     one JSON object per line\n"
      "  awdit check --report out.svg h.txt    a picture as well as the text\n"
      "  awdit check -o all.xml *.txt          for a CI server\n"
      "  recorder | awdit check -              read standard input\n\n"
      "With several histories the text shows conclusions only; check one by "
      "itself\nto see its evidence.\n\n{}",
      two_columns(known), two_columns(readable), reports_text(), kExitCodes);
}

class Check : public Task {
 public:
  explicit Check(Grammar& grammar) {
    plan_.isolation.add(
        grammar, "Levels to decide, separated by commas, or all (default)");
    add_limits(grammar, plan_.options);
    add_format(grammar, plan_.format);
    grammar.flag("--join", "Treat all paths as parts of one history",
                 plan_.join);
    outputs_.add(grammar, "What to print: text (default), json, ..., see below",
                 true);
    grammar.flag("-v,--verbose",
                 "Report on standard error how long everything took",
                 plan_.verbose);
    grammar.flag("--first", "Stop at each level's first finding",
                 plan_.options.first);
    grammar.flag("--only-first-level",
                 "Do not search levels above one that is violated",
                 plan_.options.only_first_level);
    outputs_.add_limit(grammar);
    expected_.add(grammar);
    add_threads(grammar, plan_.options.threads);
    add_certificate(grammar, plan_.certificate);
    grammar.arguments("PATH", "Histories; - is standard input", plan_.paths);
    grammar.footer(check_footer);
  }

  Wrong settle() override {
    if (plan_.paths.empty()) return no_history();
    if (Wrong wrong = plan_.isolation.settle()) return wrong;
    if (quiet() && plan_.verbose) {
      return Misuse{"--quiet and --verbose cannot be combined"};
    }
    plan_.join = plan_.join && plan_.paths.size() > 1;
    const std::size_t histories = plan_.join ? 1 : plan_.paths.size();
    if (Wrong wrong = outputs_.settle(histories, plan_.documents)) return wrong;
    if (!plan_.certificate.empty() && histories > 1) {
      return Misuse{"--certificate takes one history at a time"};
    }
    if (Wrong wrong = expected_.settle(plan_.options.first, plan_.expected)) {
      return wrong;
    }
    std::vector<std::string> read = plan_.paths;
    read.push_back(plan_.expected.path);
    if (Wrong wrong = unless_read_once(read)) return wrong;
    std::vector<std::string> places = outputs_.files();
    places.insert(places.end(), {plan_.certificate, plan_.expected.baseline});
    if (Wrong wrong = unless_apart(places)) return wrong;
    plan_.documents.options.first = plan_.options.first;
    plan_.options.commit_order = !plan_.certificate.empty();
    return std::nullopt;
  }

  Result<Exit> run(Output& out) override { return check_histories(plan_, out); }

 private:
  CheckPlan plan_;
  Outputs outputs_;
  ExpectedOptions expected_;
};

}  // namespace

void add_certificate(Grammar& grammar, std::string& path) {
  grammar.option("--certificate", "FILE",
                 "Write the evidence to this file, for awdit verify", path);
}

Exit exit_of(const Report& report, const Expected* expected) {
  Exit exit = Exit::ok;
  for (const LevelReport& level : report.levels) {
    if (level.verdict == Verdict::violated &&
        (expected == nullptr || !expected->expects(report, level))) {
      exit = worse(exit, Exit::violated);
    }
    if (level.verdict == Verdict::undecided) {
      exit = worse(exit, Exit::undecided);
    }
  }
  return exit;
}

Result<Exit> check_histories(const CheckPlan& plan, Output& out,
                             std::optional<Loaded> loaded) {
  Result<Expected> expected = Expected::open(plan.expected, plan.paths);
  if (!expected) return std::move(expected.error());
  DocumentsPlan shown = plan.documents;
  shown.options.known = expected->known();
  Result<Documents> documents = Documents::open(shown, plan.paths, out);
  if (!documents) return std::move(documents.error());
  Exit exit = Checker(plan, *expected, *documents).run(std::move(loaded));
  if (!documents->finish()) exit = Exit::error;
  if (exit == Exit::error) return exit;
  if (const Outcome failed = expected->finish(exit != Exit::undecided)) {
    print_error(*failed);
    exit = Exit::error;
  }
  return exit;
}

const Command kCheckCommand = {
    "check", "Decide which isolation levels histories satisfy", make<Check>};

}  // namespace awdit::cli
