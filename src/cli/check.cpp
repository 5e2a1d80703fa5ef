// awdit check: each history is read, decided, certified and shown before the
// next one is touched, so memory is that of the largest. What goes wrong with
// one does not stop the others.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "base/counted.h"
#include "base/utf8.h"
#include "cli/atomic_file.h"
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/initial_hint.h"
#include "cli/progress.h"
#include "cli/siblings.h"

namespace awdit::cli {
namespace {

std::string shown_path(const std::string& path) {
  return path == "-" ? "<stdin>" : path;
}

// What there is to say about one history.
struct Checked {
  Loaded loaded;
  Report report;
};

// What took how long, for --verbose.
class Stopwatch {
 public:
  // Since it was made or last asked.
  double seconds() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - last_;
    last_ = now;
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point last_ =
      std::chrono::steady_clock::now();
};

std::string peak_memory() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return fmt::format("{} MB", usage.ru_maxrss / 1000);
}

// REQUIRES: the paths are one history.
Result<Checked> check_one(const CheckPlan& plan,
                          std::span<const std::string> paths,
                          const std::string& name, Progress& progress) {
  Stopwatch watch;
  progress.stage("reading", name);
  Result<Loaded> loaded =
      read_history(paths, plan.format, plan.options.threads);
  if (!loaded) return std::move(loaded.error());
  if (!plan.session_order) {
    loaded->history = std::move(loaded->history).without_session_order();
  }
  const std::vector<const Level*> levels =
      asked_of(plan.levels, loaded->history);
  const double reading = watch.seconds();
  progress.stage("checking", name);
  Result<Report> report = check(loaded->history, levels, plan.options);
  if (!report) {
    Error error = std::move(report.error());
    error.where = error.where.empty() ? name : name + ":" + error.where;
    return error;
  }
  if (plan.verbose) {
    progress.clear();
    print_note(
        name,
        fmt::format("read {} in {:.2f} s, checked it at {} in "
                    "{:.2f} s, with {}; {} at the most",
                    counted(loaded->history.num_ops(), "operation"), reading,
                    counted(levels.size(), "level"), watch.seconds(),
                    counted(plan.options.threads, "thread"), peak_memory()));
  }
  return Checked{std::move(*loaded), std::move(*report)};
}

class Command {
 public:
  Command(const CheckPlan& plan, Documents& documents)
      : plan_(plan), documents_(documents), progress_(!plan.documents.quiet) {}

  Exit run() {
    Exit exit = Exit::ok;
    if (plan_.join) return run_one(plan_.paths);
    for (const std::string& path : plan_.paths) {
      if (documents_.closed()) break;
      exit = worse(exit, run_one({&path, 1}));
    }
    return exit;
  }

 private:
  // Memory that runs out is the history's size, not a defect: the tool says so
  // and goes on with the next.
  Exit run_one(std::span<const std::string> paths) {
    std::string name = plan_.name.empty() ? shown_path(paths[0]) : plan_.name;
    for (const std::string& path : paths.subspan(1)) {
      name += ", " + shown_path(path);
    }
    try {
      return try_one(paths, name);
    } catch (const std::bad_alloc&) {
      return fail(name, {.where = name,
                         .message = "not enough memory for this history",
                         .excerpt = "",
                         .hint = "Ask for fewer levels at once (-i), or use "
                                 "a machine with more memory."});
    }
  }

  Exit try_one(std::span<const std::string> paths, const std::string& name) {
    std::optional<AtomicFile> certificate;
    if (!plan_.certificate.empty()) {
      Result<AtomicFile> file =
          AtomicFile::create(plan_.certificate, "the certificate", paths);
      if (!file) return fail(name, file.error());
      certificate.emplace(std::move(*file));
    }
    Result<Checked> checked = check_one(plan_, paths, name, progress_);
    if (!checked) return fail(name, checked.error());
    if (std::optional<std::string> sentence =
            found_in_siblings(checked->loaded, checked->report, paths,
                              plan_.paths, plan_.options.threads)) {
      checked->loaded.history =
          std::move(checked->loaded.history).with_warning(std::move(*sentence));
    }
    if (std::optional<std::string> sentence =
            initial_value_hint(checked->loaded, checked->report)) {
      checked->loaded.history =
          std::move(checked->loaded.history).with_warning(std::move(*sentence));
    }
    const History& history = checked->loaded.history;
    const Report& report = checked->report;

    Exit exit = exit_of(report);
    if (certificate) {
      progress_.stage("certifying", name);
      certificate->write(write_certificate(
          history, report,
          {.paths = {paths.begin(), paths.end()},
           .format = std::string(checked->loaded.format->name),
           .first = plan_.options.first}));
      if (const Outcome failed = certificate->commit()) {
        progress_.clear();
        print_error(*failed);
        exit = Exit::error;
      }
    }
    progress_.clear();
    if (!plan_.documents.quiet) {
      for (const std::string& warning : history.warnings()) {
        print_note(name, "warning: " + warning);
      }
    }
    documents_.add({.path = name,
                    .format = checked->loaded.format->name,
                    .history = history},
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
  Documents& documents_;
  Progress progress_;
};

}  // namespace

Exit exit_of(const Report& report) {
  Exit exit = Exit::ok;
  for (const LevelReport& level : report.levels) {
    if (level.verdict == Verdict::violated) exit = worse(exit, Exit::violated);
    if (level.verdict == Verdict::undecided) {
      exit = worse(exit, Exit::undecided);
    }
  }
  return exit;
}

Exit run_check(const CheckPlan& plan, Output& out) {
  Result<Documents> documents =
      Documents::open(plan.documents, plan.paths, out);
  if (!documents) {
    print_error(documents.error());
    return Exit::error;
  }
  const Exit exit = Command(plan, *documents).run();
  return documents->finish() ? exit : Exit::error;
}

}  // namespace awdit::cli
