#include "property/simulated_run.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "base/table.h"
#include "driver/driver.h"
#include "history/builder.h"

namespace awdit::property {
namespace {

struct Request {
  bool write;
  std::uint32_t key;
};

// What one transaction does. All bugs and levels find what they need in the
// mixture: pairs that are written and read together, updates, rewrites, keys
// read twice, own writes read.
std::vector<Request> draw_steps(const SimulatedPlan& plan, Random& random) {
  std::vector<Request> steps;
  const auto key = [&] { return random.below(plan.keys); };
  switch (random.below(6)) {
    case 0: {  // updates
      for (std::uint32_t i = 0; i <= random.below(2); ++i) {
        const std::uint32_t k = key();
        steps.push_back({false, k});
        if (random.below(3) == 0) steps.push_back({false, key()});
        steps.push_back({true, k});
      }
      break;
    }
    case 1: {  // a pair is written
      const std::uint32_t k = key();
      steps = {{true, k}, {true, (k + 1) % plan.keys}};
      break;
    }
    case 2: {  // neighbours are read, one of them twice
      const std::uint32_t k = key();
      for (std::uint32_t i = 0; i < 3; ++i) {
        steps.push_back({false, (k + i) % plan.keys});
      }
      std::swap(steps[0], steps[random.below(3)]);
      steps.push_back(steps[random.below(3)]);
      break;
    }
    case 3: {  // a key is written twice, and read
      const std::uint32_t k = key();
      steps = {{true, k}, {true, k}};
      if (random.below(2) == 0) steps.push_back({false, k});
      break;
    }
    default: {
      const std::uint32_t length = 1 + random.below(plan.longest);
      for (std::uint32_t i = 0; i < length; ++i) {
        const bool again = !steps.empty() && random.below(4) == 0;
        steps.push_back(
            {random.below(2) == 0, again ? steps.back().key : key()});
      }
    }
  }
  return steps;
}

class Simulation {
 public:
  explicit Simulation(const SimulatedPlan& plan)
      : plan_(plan),
        random_(plan.seed * 7919 + 1),
        builder_({.initial_value = plan.lists ? Atom::nil() : Atom::integer(0),
                  .clock = plan.timed ? Clock::events : Clock::none}),
        shard_(builder_.add_shard()) {}

  SimulatedRun run() {
    const Driver& driver = *driver_of("simulated");
    DatabaseOptions options;
    options.urls = {"simulated"};
    options.level = find_row(driver.levels, plan_.level);
    options.knobs = plan_.knobs;
    options.seed = plan_.seed;
    Result<std::unique_ptr<Database>> database = driver.open(options);
    if (!database) {
      std::fprintf(stderr, "%s\n", database.error().message.c_str());
      std::abort();
    }
    database_ = database->get();
    (void)database_->reset([&](const PutRow& put) {
      for (std::uint32_t k = 0; plan_.loaded && k < plan_.keys; k += 2) {
        put(name_of(k), "loaded");
      }
    });
    std::vector<Session> sessions(plan_.sessions);
    for (Session& session : sessions) open(session);
    std::uint32_t left = plan_.transactions;
    while (!sessions.empty()) {
      const std::uint32_t turn =
          random_.below(static_cast<std::uint32_t>(sessions.size()));
      Session& session = sessions[turn];
      if (!session.running && left == 0) {
        sessions.erase(sessions.begin() + turn);
        continue;
      }
      if (!session.running) --left;
      take_turn(session);
    }
    Result<History> history = builder_.finish(1);
    return {std::move(*history), std::move(committed_), refused_, lost_};
  }

 private:
  struct Operation {
    bool write;
    std::uint32_t key;
    std::uint64_t value;
    std::vector<WriteId> list;
  };
  struct Session {
    std::unique_ptr<Connection> connection;
    std::uint32_t number = 0;
    std::uint32_t writes = 0;
    bool running = false;
    bool withdraws = false;
    std::int64_t begun = 0;
    std::vector<Request> steps;
    std::vector<Operation> done;
  };

  static std::string name_of(std::uint32_t key) {
    return "k" + std::to_string(key);
  }

  void open(Session& session) {
    session.number = ++sessions_;
    session.writes = 0;
    connect(session);
  }
  void connect(Session& session) {
    session.connection = std::move(*database_->connect(session.number, 0));
  }

  // Like src/run: what wrote nothing can have had no effect, and the session
  // goes on; otherwise another one does.
  void lose(Session& session) {
    ++lost_;
    const bool wrote =
        std::any_of(session.steps.begin(), session.steps.end(),
                    [](const Request& step) { return step.write; });
    end(session, wrote ? Status::unknown : Status::aborted);
    wrote ? open(session) : connect(session);
  }

  void take_turn(Session& session) {
    if (!session.running) {
      session.running = true;
      session.begun = ++now_;
      session.withdraws = random_.unit() < plan_.rollbacks;
      session.steps = draw_steps(plan_, random_);
      session.done.clear();
      (void)session.connection->begin(false);
      return;
    }
    if (session.done.size() < session.steps.size()) {
      const Request step = session.steps[session.done.size()];
      if (perform(session, step) == Answer::refused) {
        (void)session.connection->rollback();
        end(session, Status::aborted);
        ++refused_;
      }
      return;
    }
    if (session.withdraws) {
      (void)session.connection->rollback();
      return end(session, Status::aborted);
    }
    switch (session.connection->commit()) {
      case Answer::done:
        return end(session, Status::committed);
      case Answer::lost:
        return lose(session);
      default:
        (void)session.connection->rollback();
        ++refused_;
        return end(session, Status::aborted);
    }
  }

  Answer perform(Session& session, const Request& step) {
    Operation operation{step.write, step.key, 0, {}};
    const std::string key = name_of(step.key);
    Connection& connection = *session.connection;
    Answer answer = Answer::done;
    if (step.write) {
      operation.value = std::uint64_t{7} << 47 |
                        std::uint64_t{session.number} << 31 | ++session.writes;
      answer = plan_.lists ? connection.append(key, operation.value)
                           : connection.write(key, operation.value, "p");
    } else if (plan_.lists) {
      answer = connection.read_list(key, operation.list);
      if (answer == Answer::absent) operation.list.clear();
    } else {
      Content content;
      answer = connection.read(key, content);
      operation.value = answer == Answer::absent ? 0 : content.id;
    }
    if (answer != Answer::refused) session.done.push_back(operation);
    return answer;
  }

  void end(Session& session, Status status) {
    session.running = false;
    if (session.done.empty()) return;
    shard_.select(Atom::integer(session.number), ++transactions_, status);
    if (plan_.timed) {
      shard_.times(session.begun, status == Status::unknown ? kNoTime : ++now_);
    }
    for (const Operation& operation : session.done) {
      const Atom key = Atom::integer(operation.key);
      const Atom value = Atom::natural(operation.value);
      if (operation.write) {
        plan_.lists ? shard_.append(key, value) : shard_.write(key, value);
        if (status == Status::committed) {
          committed_[value.bits] = static_cast<std::uint64_t>(transactions_);
        }
      } else if (plan_.lists) {
        std::vector<Atom> elements;
        for (const WriteId id : operation.list) {
          elements.push_back(Atom::natural(id));
        }
        shard_.read_list(key, elements);
      } else {
        shard_.read(key, value);
      }
    }
  }

  const SimulatedPlan& plan_;
  Random random_;
  Builder builder_;
  Builder::Shard& shard_;
  Database* database_ = nullptr;
  std::map<std::uint64_t, std::uint64_t> committed_;
  std::uint32_t sessions_ = 0;
  std::int64_t transactions_ = 0;
  std::int64_t now_ = 0;
  std::uint32_t refused_ = 0;
  std::uint32_t lost_ = 0;
};

}  // namespace

SimulatedRun simulate(const SimulatedPlan& plan) {
  return Simulation(plan).run();
}

}  // namespace awdit::property
