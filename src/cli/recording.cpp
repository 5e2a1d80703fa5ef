#include "cli/recording.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <thread>
#include <utility>

#include "base/json.h"
#include "base/table.h"
#include "base/utf8.h"
#include "cli/destination.h"
#include "cli/live_view.h"
#include "cli/overwrite.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/supervisor.h"
#include "convert/convert.h"
#include "theory/theory.h"

namespace awdit::cli {
namespace {

// The run that Ctrl-C ends; a second one ends us.
std::atomic<Run*> current{nullptr};
std::atomic<bool> out_of_time{false};  // SIGXCPU has come

void stop_current(int signal) {
  if (signal == SIGXCPU) out_of_time.store(true);
  Run* const run = current.exchange(nullptr);
  if (run != nullptr) {
    run->stop();
    return;
  }
  // Comes again with each second of processor time: once is enough.
  if (signal == SIGXCPU) return;
  std::signal(signal, SIG_DFL);
  raise(signal);
}

class StopOnSignals {
 public:
  explicit StopOnSignals(Run& run) {
    current.store(&run);
    for (std::size_t i = 0; i < std::size(kEndingSignals); ++i) {
      struct sigaction action {};
      action.sa_handler = stop_current;
      action.sa_flags = SA_RESTART;
      sigaction(kEndingSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) {
        sigaction(kEndingSignals[i], &action, nullptr);
      }
    }
  }
  ~StopOnSignals() {
    for (std::size_t i = 0; i < std::size(kEndingSignals); ++i) {
      sigaction(kEndingSignals[i], &before_[i], nullptr);
    }
    // There is a last grace to put the history in its place.
    if (out_of_time.load()) std::signal(SIGXCPU, SIG_IGN);
    current.store(nullptr);
  }
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;
  // Whether Ctrl-C was pressed.
  bool stopped() const { return current.load() == nullptr; }

 private:
  struct sigaction before_[std::size(kEndingSignals)]{};
};

// The level that is used, and what is claimed of it: as the driver's row has
// them, or as only the database knows.
std::string level_of(const RecordPlan& plan, const Database& database) {
  return plan.driver->foreign ? database.reported_level()
                              : std::string(plan.database.level->name);
}
std::string claims_of(const RecordPlan& plan, const Database& database) {
  const auto claims = database.claims();
  if (!claims) return std::string(plan.database.level->claims);
  const Level* const level = find_named(levels(), *claims);
  return level == nullptr ? "" : std::string(level->name);
}

Outcome refuse_claim(const Database& database) {
  const std::string claims = database.claims().value_or("");
  if (claims.empty() || find_named(levels(), claims) != nullptr) {
    return std::nullopt;
  }
  return Error{
      .message = "the driver claims what is no level: " +
                 unknown_name_message("level", visible(claims), levels()),
      .hint = "Without \"claims\" in its hello every level is decided."};
}

// JSON members that tell how it was recorded.
std::string about(const RecordPlan& plan, const Database& database) {
  std::string json;
  {
    Sink sink(json);
    JsonWriter writer(sink);
    writer.begin_object();
    writer.field("recorder", "awdit " AWDIT_VERSION);
    writer.field("driver", plan.driver->name);
    writer.field("database", database.describe());
    writer.field("level", level_of(plan, database));
    writer.field("reported", database.reported_level());
    writer.field("claims", claims_of(plan, database));
    writer.field("workload", plan.workload->name);
    writer.key("parameters");
    writer.begin_object();
    for (const Setting& setting : plan.workload->settings) {
      writer.field(setting.name, (*plan.settings)[setting.name]);
    }
    writer.end_object();
    writer.field("sessions", plan.run.sessions);
    writer.field("tasks", plan.run.tasks);
    writer.field("seed", plan.run.seed);
    writer.field("pause", plan.run.pause);
    writer.end_object();
  }
  // Without the braces: the run adds its own.
  return json.substr(1, json.size() - 2);
}

Outcome refuse_faults(const RecordPlan& plan, const Database& database) {
  for (const FaultKind& kind : faults()) {
    for (const Fault fault : plan.run.faults.kinds) {
      if (fault != kind.fault || database.can(fault)) continue;
      return Error{.where = std::string(plan.driver->name),
                   .message = fmt::format("the fault '{}' is not possible here",
                                          kind.name),
                   .hint =
                       "Most faults need a private server (--start); stale "
                       "needs a standby (--set standbys=1)."};
    }
  }
  if (plan.run.hop && database.nodes().size() < 2) {
    return Error{.where = std::string(plan.driver->name),
                 .message = "--hop needs more than one node",
                 .hint =
                     "Name each standby with another --db, or have them "
                     "started: --start --set standbys=1."};
  }
  return std::nullopt;
}

// What only the database could tell about the workload.
Outcome refuse_workload(const RecordPlan& plan, const Database& database) {
  const WorkloadKind& workload = *plan.workload;
  if (workload.lists && !database.lists()) {
    return Error{
        .where = std::string(plan.driver->name),
        .message = fmt::format("{} works on lists, which {} does not support",
                               workload.name, database.describe()),
        .hint =
            "A driver that answers to append says \"lists\" in what it "
            "can; rw-register and mixed do without."};
  }
  if (!workload.decides || !database.whole()) return std::nullopt;
  std::string others;
  for (const WorkloadKind& other : workloads()) {
    if (other.decides || (other.lists && !database.lists())) continue;
    others += (others.empty() ? "" : ", ") + std::string(other.name);
  }
  return Error{
      .where = std::string(plan.driver->name),
      .message = fmt::format(
          "{} decides what it writes by what it has read, and {} takes "
          "transactions only as a whole",
          workload.name, database.describe()),
      .hint = fmt::format("These work: {}. Or have the driver offer "
                          "\"interactive\" transactions.",
                          others)};
}

class Recorder {
 public:
  explicit Recorder(const RecordPlan& plan) : plan_(plan) {}

  // Leaves the sessions' files in the directory; "": nothing is recorded.
  Outcome record(const std::string& directory) {
    const std::string name(plan_.driver->name);
    progress_.stage(plan_.database.start ? "starting" : "opening", name);
    Result<std::unique_ptr<Database>> database =
        plan_.driver->open(plan_.database);
    if (!database) return placed(std::move(database.error()));
    if (Outcome failed = refuse_faults(plan_, **database)) return failed;
    if (Outcome failed = refuse_workload(plan_, **database)) return failed;
    if (Outcome failed = refuse_claim(**database)) {
      return placed(std::move(*failed));
    }
    level_ = level_of(plan_, **database);
    claims_ = claims_of(plan_, **database);
    const std::unique_ptr<Workload> workload =
        plan_.workload->make({.settings = *plan_.settings,
                              .seed = plan_.run.seed,
                              .sessions = plan_.run.sessions});
    progress_.stage("loading", name);
    if (Outcome failed = (*database)->reset(
            [&](const PutRow& put) { workload->load(put); })) {
      return placed(std::move(*failed));
    }
    progress_.clear();

    RunOptions options = plan_.run;
    options.directory = directory;
    options.about = about(plan_, **database);
    Run run(**database, *workload, *plan_.driver, options);
    Outcome failed = watch(run);
    view_ = run.view();
    progress_.stage("closing", name);
    // Whatever became of the run; what it recorded is worth more than this.
    const Outcome left = plan_.drop ? (*database)->drop() : std::nullopt;
    database->reset();
    progress_.clear();
    if (left) print_error(placed(*left));
    if (failed) return placed(std::move(*failed));
    return std::nullopt;
  }

  // Writes the whole as one file. Returns what reading that would give, if the
  // file holds it to the last line; otherwise a report could speak of places
  // that are none.
  Result<std::optional<Loaded>> gather(const std::string& directory,
                                       Output& out) {
    progress_.stage("writing", plan_.out);
    Result<std::unique_ptr<Destination>> destination =
        open_destination(plan_.out, *plan_.format, {}, out);
    if (!destination) return std::move(destination.error());
    Result<Loaded> loaded = read_history(directory, nullptr, plan_.threads);
    if (!loaded) return std::move(loaded.error());
    Result<Fitted> fitted = fit(std::move(loaded->history), *plan_.format,
                                {.threads = plan_.threads});
    if (!fitted) return std::move(fitted.error());
    if (Outcome failed = write_history(fitted->history, *plan_.format,
                                       **destination, plan_.threads)) {
      return std::move(*failed);
    }
    progress_.clear();
    print_losses(plan_.out, *plan_.format, fitted->losses);
    std::optional<Loaded> same;
    if (plan_.format->exact) {
      same = Loaded{std::move(fitted->history), plan_.format};
    }
    return same;
  }

  const RunView& view() const { return view_; }
  const std::string& claims() const { return claims_; }
  bool stopped() const { return stopped_; }

 private:
  Error placed(Error error) const {
    if (error.where.empty()) error.where = std::string(plan_.driver->name);
    return error;
  }

  // Executes the run in a thread of its own and shows how it goes.
  Outcome watch(Run& run) {
    LiveView live(fmt::format("{} on {} at {}", plan_.workload->name,
                              plan_.driver->name, level_),
                  {.tasks = plan_.run.tasks,
                   .duration = plan_.run.duration.value_or(
                       std::chrono::milliseconds(0))});
    const StopOnSignals stop(run);
    std::atomic<bool> over{false};
    Outcome outcome;
    std::thread thread([&] {
      // Signals are for us, not for sessions in the middle of a request; their
      // threads inherit this.
      const SignalsHeld held;
      outcome = run.execute();
      over.store(true, std::memory_order_release);
    });
    for (int tick = 0; !over.load(std::memory_order_acquire); ++tick) {
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
      if (tick % 10 == 9) live.draw(run.view());
    }
    thread.join();
    stopped_ = stop.stopped();
    return outcome;
  }

  const RecordPlan& plan_;
  Progress progress_;
  RunView view_;
  std::string level_;
  std::string claims_;
  bool stopped_ = false;
};

// Where the sessions' files are while the recording lasts.
std::string workplace_of(const RecordPlan& plan) {
  return plan.format == nullptr ? plan.out : plan.out + ".recording";
}

}  // namespace

Result<Recorded> record(const RecordPlan& plan, Output& out) {
  if (Outcome failed = supervise(plan.record ? workplace_of(plan) : "")) {
    return std::move(*failed);
  }
  Recorder recorder(plan);
  Recorded recorded;
  if (plan.format != nullptr) {
    if (Outcome refused = refuse_to_replace(plan.out, "the history", {})) {
      return std::move(*refused);
    }
  }
  if (plan.record) {
    Result<Workplace> made = Workplace::create(workplace_of(plan));
    if (!made) return std::move(made.error());
    recorded.path = made->path();
    recorded.place.emplace(std::move(*made));
  }
  if (Outcome failed = recorder.record(recorded.path)) {
    return std::move(*failed);
  }
  recorded.claims = recorder.claims();
  if (plan.format != nullptr) {
    Result<std::optional<Loaded>> loaded = recorder.gather(recorded.path, out);
    if (!loaded) return std::move(loaded.error());
    recorded.loaded = std::move(*loaded);
    recorded.place->remove();
    recorded.path = plan.out;
  }
  print_note(
      plan.out.empty() ? std::string(plan.driver->name) : recorded.path,
      summary_text(recorder.view()) + (recorder.stopped() ? "; stopped" : ""));
  for (const std::string& doubt : doubts(recorder.view(), plan.run)) {
    print_note("warning", doubt);
  }
  return recorded;
}

Error too_much_to_record() {
  return {.where = "awdit",
          .message = "not enough memory for this run",
          .hint = "Ask for fewer transactions, sessions or keys."};
}

}  // namespace awdit::cli
