// A run from its first connection to its last file.
#include "run/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <thread>
#include <utility>

#include "run/disturber.h"
#include "run/session_log.h"
#include "run/worker.h"

namespace awdit {
namespace {

// Which run it is: never 0. A simulation's is drawn from its seed.
std::uint16_t draw_nonce(bool simulated, std::uint64_t seed) {
  std::uint64_t draw = Random(seed).next();
  if (!simulated) {
    std::random_device device;
    draw = std::uint64_t{device()} << 32 | device();
  }
  return static_cast<std::uint16_t>(1 + draw % 0xFFFF);
}

// Names the clock of this run: another run, be it on the same machine, anchors
// its own, and wall clocks are set now and then.
std::string name_clock(std::int64_t epoch) {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  return fmt::format("{}/{}", host[0] == '\0' ? "host" : host, epoch);
}

}  // namespace

struct Run::State {
  State(Database& database, Workload& chosen, const Driver& driver,
        const RunOptions& wanted)
      : options(wanted),
        workload(chosen),
        shared{.database = database,
               .options = options,
               .simulated = driver.simulated,
               .nonce = draw_nonce(driver.simulated, wanted.seed),
               .nodes = database.nodes()},
        disturber(shared, [this](const std::string& json) { note(json); }) {}

  RunOptions options;
  Workload& workload;
  RunShared shared;
  std::string clock_domain;  // "": a simulation's
  std::unique_ptr<SessionLog> notes;
  std::vector<std::unique_ptr<Worker>> workers;  // never moves
  std::atomic<std::uint32_t> active{0};
  std::atomic<bool> running{false};
  std::atomic<bool> finished{false};
  std::chrono::steady_clock::duration took{};
  Disturber disturber;

  Clock clock() const {
    return shared.simulated ? Clock::events : Clock::nanoseconds;
  }
  void note(const std::string& json) {
    if (notes) notes->about(json);
  }
  std::uint64_t tasks_of(std::uint32_t session) const {
    if (options.tasks == 0) return UINT64_MAX;
    const std::uint64_t each = options.tasks / options.sessions;
    return each + (session < options.tasks % options.sessions ? 1 : 0);
  }

  Result<std::unique_ptr<SessionLog>> open_log(const std::string& name) const {
    if (options.directory.empty()) return std::unique_ptr<SessionLog>();
    return SessionLog::create(fmt::format("{}/{}", options.directory, name),
                              clock(), clock_domain);
  }

  Outcome prepare() {
    using std::chrono::system_clock;
    shared.began = std::chrono::steady_clock::now();
    shared.epoch = shared.simulated ? 0
                                    : system_clock::now().time_since_epoch() /
                                          std::chrono::nanoseconds(1);
    if (!shared.simulated) clock_domain = name_clock(shared.epoch);
    Result<std::unique_ptr<SessionLog>> log = open_log("run.jsonl");
    if (!log) return std::move(log.error());
    notes = std::move(*log);
    note(fmt::format("{{{}{}\"nonce\":{}}}", options.about,
                     options.about.empty() ? "" : ",", shared.nonce));
    workers.reserve(options.sessions + 1);
    for (std::uint32_t i = 0; i < options.sessions; ++i) {
      if (Outcome failed = add_worker(fmt::format("session-{:04}.jsonl", i + 1),
                                      i, workload.client(i), tasks_of(i))) {
        return failed;
      }
    }
    return std::nullopt;
  }

  Outcome add_worker(const std::string& name, std::uint32_t number,
                     std::unique_ptr<Client> client, std::uint64_t tasks) {
    Result<std::unique_ptr<SessionLog>> log = open_log(name);
    if (!log) return std::move(log.error());
    workers.push_back(std::make_unique<Worker>(
        shared, number, std::move(client), tasks, std::move(*log)));
    return std::nullopt;
  }

  void run_threads() {
    std::vector<std::thread> threads;
    disturber.start();
    for (const std::unique_ptr<Worker>& worker : workers) {
      threads.emplace_back([&worker, this] {
        worker->run();
        active.fetch_sub(1, std::memory_order_relaxed);
      });
    }
    for (std::thread& thread : threads) thread.join();
    disturber.stop();
  }

  // One after the other, in an order drawn from the seed.
  void run_simulated() {
    Random random(options.seed ^ 0x8BB84B93962EACC9u);
    std::vector<Worker*> waiting;
    for (const auto& worker : workers) waiting.push_back(worker.get());
    while (!waiting.empty()) {
      const std::uint32_t turn =
          random.below(static_cast<std::uint32_t>(waiting.size()));
      if (waiting[turn]->step()) continue;
      waiting[turn] = waiting.back();
      waiting.pop_back();
      active.fetch_sub(1, std::memory_order_relaxed);
    }
  }

  // What should be read when everybody has finished, in a session of its own.
  Outcome read_last() {
    if (!options.finale || shared.error) return std::nullopt;
    std::optional<Task> task = workload.finale();
    if (!task) return std::nullopt;
    if (Outcome failed =
            add_worker("session-last.jsonl", options.sessions, nullptr, 0)) {
      return failed;
    }
    workers.back()->give(std::move(*task));
    workers.back()->run();
    return std::nullopt;
  }

  Outcome execute() {
    Outcome failed = prepare();
    active.store(static_cast<std::uint32_t>(workers.size()));
    if (!failed) {
      running.store(true, std::memory_order_release);
      if (shared.simulated) {
        run_simulated();
      } else {
        run_threads();
      }
      failed = read_last();
    }
    if (notes) {
      if (Outcome error = notes->close(); error && !failed) failed = error;
    }
    for (const auto& worker : workers) {
      if (Outcome error = worker->close(); error && !failed) failed = error;
    }
    took = std::chrono::steady_clock::now() - shared.began;
    finished.store(true, std::memory_order_release);
    return shared.error ? shared.error : failed;
  }
};

Run::Run(Database& database, Workload& workload, const Driver& driver,
         const RunOptions& options)
    : state_(std::make_unique<State>(database, workload, driver, options)) {}

Run::~Run() = default;

Outcome Run::execute() { return state_->execute(); }

void Run::stop() { state_->shared.stop.store(true, std::memory_order_relaxed); }

RunView Run::view() const {
  RunView view;
  // Workers are added before this is set; the one that comes last is not seen
  // before the end.
  if (!state_->running.load(std::memory_order_acquire)) return view;
  const bool finished = state_->finished.load(std::memory_order_acquire);
  const std::size_t count =
      finished ? state_->workers.size() : state_->options.sessions;
  for (std::size_t i = 0; i < count; ++i) {
    const Worker& worker = *state_->workers[i];
    view.tasks += worker.tasks.load(std::memory_order_relaxed);
    view.committed += worker.tally.committed.load(std::memory_order_relaxed);
    view.aborted += worker.tally.aborted.load(std::memory_order_relaxed);
    view.withdrawn += worker.tally.withdrawn.load(std::memory_order_relaxed);
    view.unknown += worker.tally.unknown.load(std::memory_order_relaxed);
    view.operations += worker.tally.operations.load(std::memory_order_relaxed);
    view.met += worker.tally.met.load(std::memory_order_relaxed);
    view.stalled += std::chrono::nanoseconds(
        worker.tally.stalled.load(std::memory_order_relaxed));
    worker.add_reasons(view.reasons);
  }
  std::stable_sort(view.reasons.begin(), view.reasons.end(),
                   [](const TroubleCount& a, const TroubleCount& b) {
                     return a.count > b.count;
                   });
  view.sessions = state_->shared.sessions.load(std::memory_order_relaxed);
  view.active = state_->active.load(std::memory_order_relaxed);
  view.elapsed = finished
                     ? state_->took
                     : std::chrono::steady_clock::now() - state_->shared.began;
  view.fault = state_->disturber.lasting();
  view.faults = state_->disturber.begun();
  return view;
}

}  // namespace awdit
