// PostgreSQL and servers of its protocol (CockroachDB, YugabyteDB).
//
// A node is an address: the first takes the writes, others may be standbys,
// which only read and do not know SERIALIZABLE. Servers are either somebody
// else's, or our own (src/server), and then they can be killed and
// paused, and be reached by way of a proxy that loses replies.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "base/assert.h"
#include "driver/knobs.h"
#include "driver/postgres_connection.h"
#include "driver/postgres_link.h"
#include "driver/postgres_tables.h"
#include "driver/rows.h"
#include "driver/url_check.h"
#include "server/server.h"

namespace awdit {
namespace {

constexpr std::string_view kName = "postgres";
constexpr unsigned kAdminTimeout = 60;  // seconds: nobody else waits for it

struct Node {
  std::string name = {};
  std::string target = {};    // for us
  std::string sessions = {};  // for them: maybe by way of the proxy
  PostgresTerms terms = {};
  std::string version = {};  // "PostgreSQL 15.18"
  std::string place = {};    // "host:port/database"
  std::string level = {};    // as the server reports it
  bool may_pause = false;    // its replay
};

// What libpq gets for an argument of --db: URLs as they are (by another scheme
// than its own: translated), words behind "postgres:", nothing for the name.
std::string target_of(const std::string& url) {
  const std::string_view rest = behind_scheme(url);
  if (rest.substr(0, 2) != "//") return std::string(rest);
  return escape_user_part("postgresql:" + std::string(rest));
}

// "PostgreSQL 15.18 (Debian 15.18-0) on x86_64..." without the details.
std::string product_and_version(std::string_view text) {
  return std::string(
      text.substr(0, std::min(text.find(" ("), text.find(" on "))));
}

// Asks a yes-or-no question; no answer is a no.
bool says_yes(PostgresLink& link, const std::string& question) {
  return link.query(question) == Answer::done && link.rows() == 1 &&
         link.cell(0, 0) == "t";
}

// Asks until the answer is yes.
bool await_yes(PostgresLink& link, const std::string& question,
               std::chrono::seconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!says_yes(link, question)) {
    if (link.lost() || std::chrono::steady_clock::now() > deadline) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

class PostgresDatabase final : public Database {
 public:
  PostgresDatabase(const DatabaseOptions& options)
      : promise_(options.level ? options.level->name : "serializable"),
        timeout_(options.timeout_seconds),
        asynchronous_commit_(knob(options, kName, "synchronous-commit") ==
                             "off"),
        fsync_(knob(options, kName, "fsync") == "on") {
    // So that we find our own sessions among others of the same name.
    const auto now =
        std::chrono::system_clock::now().time_since_epoch().count();
    session_name_ = fmt::format("awdit-{}-{:x}", getpid(), now);
  }

  ~PostgresDatabase() override {
    if (lock_) unlock_postgres_tables(*lock_);
  }

  Outcome open(const DatabaseOptions& options) {
    if (options.start) {
      if (Outcome trouble = start(options)) return trouble;
    } else {
      for (const auto& [name, value] : options.knobs) {
        if (name != "standbys" && name != "fsync") continue;
        return Error{.message = name + " can be set only with --start"};
      }
      for (const std::string& url : options.urls) {
        const std::string target = target_of(url);
        if (Outcome trouble = check_postgres_target(target)) return trouble;
        nodes_.push_back({.target = target, .sessions = target});
      }
      if (nodes_.empty()) nodes_.push_back({});
    }
    for (Node& node : nodes_) {
      if (Outcome trouble = survey(node)) return trouble;
    }
    if (nodes_[0].terms.standby) {
      return Error{
          .message = "the first server is a standby: it takes no writes",
          .hint = "Give the primary first, then the standbys."};
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i].name = i == 0                    ? "primary"
                       : nodes_[i].terms.standby ? fmt::format("standby{}", i)
                                                 : fmt::format("node{}", i);
    }
    return std::nullopt;
  }

  std::string describe() const override {
    std::string text = nodes_[0].version;
    if (!servers_) {
      text += " at " + nodes_[0].place;
      for (std::size_t i = 1; i < nodes_.size(); ++i) {
        text += fmt::format(", {} at {}", nodes_[i].name, nodes_[i].place);
      }
    } else {
      const std::size_t standbys = nodes_.size() - 1;
      text += ", started by awdit";
      if (standbys > 0) {
        text +=
            fmt::format(", {} standby{}", standbys, standbys > 1 ? "s" : "");
      }
      text += fsync_ ? ", fsync=on" : ", fsync=off";
    }
    if (asynchronous_commit_) text += ", synchronous_commit=off";
    return text;
  }

  std::string reported_level() const override {
    std::string text = nodes_[0].level;
    for (const Node& node : nodes_) {
      if (node.level == nodes_[0].level) continue;
      text += fmt::format(", {} at {}", node.level, node.name);
    }
    return text;
  }

  std::vector<std::string> nodes() const override {
    std::vector<std::string> names;
    for (const Node& node : nodes_) names.push_back(node.name);
    return names;
  }

  Outcome reset(const Rows& rows) override {
    if (Outcome taken = lock()) return taken;
    auto link = reach(nodes_[0]);
    if (!link) return link.error();
    // What is loaded must survive a kill; how it is committed is no part of the
    // test. Servers that do not know the setting need none.
    (*link)->query("SET synchronous_commit = on");
    if (Outcome trouble =
            reset_postgres_tables(**link, nodes_[0].terms.product, rows)) {
      return trouble;
    }
    return wait_for_standbys();
  }

  Outcome drop() override {
    if (servers_) return std::nullopt;  // they go as a whole
    if (Outcome taken = lock()) return taken;
    auto link = reach(nodes_[0]);
    if (!link) return link.error();
    return drop_postgres_tables(**link);
  }

  Result<std::unique_ptr<Connection>> connect(unsigned,
                                              unsigned node) override {
    AWDIT_ASSERT(node < nodes_.size());
    auto link =
        PostgresLink::open(nodes_[node].sessions, session_name_, timeout_);
    if (!link) return link.error();
    return make_postgres_connection(std::move(*link), nodes_[node].terms);
  }

  bool can(Fault fault) const override {
    switch (fault) {
      case Fault::kill:
      case Fault::pause:
        return servers_ != nullptr;
      case Fault::terminate:
        return nodes_[0].terms.product != PostgresProduct::cockroachdb;
      case Fault::stale:
        return std::any_of(nodes_.begin(), nodes_.end(),
                           [](const Node& node) { return node.may_pause; });
      case Fault::drop_commit:
        return proxy_ != nullptr;
    }
    return false;
  }

  Outcome begin_fault(Fault fault, Random& random) override {
    AWDIT_ASSERT(can(fault));
    switch (fault) {
      case Fault::kill:
        servers_->kill();
        break;
      case Fault::pause:
        servers_->pause();
        break;
      case Fault::terminate:
        return end_sessions(random);
      case Fault::stale:
        return pause_replay(random);
      case Fault::drop_commit:
        proxy_->drop_commits(true);
        break;
    }
    return std::nullopt;
  }

  Outcome end_fault(Fault fault) override {
    switch (fault) {
      case Fault::kill:
        return servers_->restart();
      case Fault::pause:
        servers_->resume();
        break;
      case Fault::terminate:
        break;
      case Fault::stale:
        return resume_replay();
      case Fault::drop_commit:
        proxy_->drop_commits(false);
        break;
    }
    return std::nullopt;
  }

 private:
  Outcome start(const DatabaseOptions& options) {
    const std::string_view standbys = knob(options, kName, "standbys");
    const unsigned count = static_cast<unsigned>(standbys[0] - '0');
    auto servers =
        PostgresServers::start({.standbys = count,
                                .fsync = fsync_,
                                .asynchronous_commit = asynchronous_commit_},
                               postgres_ready);
    if (!servers) return servers.error();
    servers_ = std::move(*servers);
    for (unsigned i = 0; i <= count; ++i) {
      const std::string target = servers_->target(i);
      nodes_.push_back({.target = target, .sessions = target});
    }
    // It costs a little: not for nothing.
    if (std::find(options.faults.begin(), options.faults.end(),
                  Fault::drop_commit) == options.faults.end()) {
      return std::nullopt;
    }
    auto proxy =
        Proxy::start(servers_->proxy_socket(), servers_->primary_socket(),
                     WireProtocol::postgres, options.seed);
    if (!proxy) return proxy.error();
    proxy_ = std::move(*proxy);
    nodes_[0].sessions = servers_->proxy_target();
    return std::nullopt;
  }

  // Learns what a node is, and which level it gives when ours is asked for.
  Outcome survey(Node& node) {
    auto reached = reach(node);
    if (!reached) return reached.error();
    PostgresLink& link = **reached;
    if (link.query("SELECT version()") != Answer::done) {
      return link.error("the server does not tell its version");
    }
    const std::string version(link.cell(0, 0));
    node.version = product_and_version(version);
    node.place =
        fmt::format("{}:{}/{}", link.host(), link.port(), link.database());
    node.terms.product = postgres_product(version);
    // CockroachDB has no standbys, and not all of its versions the function.
    node.terms.standby = says_yes(link, "SELECT pg_is_in_recovery()");
    node.terms.asynchronous_commit =
        asynchronous_commit_ && !node.terms.standby;
    node.terms.level = postgres_level(promise_, node.terms.standby);
    node.terms.sets_deadlock_timeout =
        !node.terms.standby &&
        says_yes(link, "SELECT current_setting('is_superuser') = 'on'");
    // Long before we lose patience.
    node.terms.lock_milliseconds = 200 * timeout_;
    node.may_pause =
        node.terms.standby &&
        says_yes(link,
                 "SELECT has_function_privilege('pg_wal_replay_pause()', "
                 "'execute')");
    if (link.query("BEGIN ISOLATION LEVEL " + node.terms.level) !=
            Answer::done ||
        link.query("SHOW transaction_isolation") != Answer::done) {
      return link.error("the server does not offer " + node.terms.level);
    }
    node.level = link.cell(0, 0);
    link.query("ROLLBACK");
    return std::nullopt;
  }

  Outcome lock() {
    if (servers_ || lock_) return std::nullopt;
    auto link = reach(nodes_[0]);
    if (!link) return link.error();
    if (Outcome taken = lock_postgres_tables(**link, nodes_[0].terms.product)) {
      return taken;
    }
    lock_ = std::move(*link);
    return std::nullopt;
  }

  Result<std::unique_ptr<PostgresLink>> reach(const Node& node) const {
    auto link =
        PostgresLink::open(node.target, session_name_ + "-admin", timeout_);
    if (link) (*link)->set_timeout(kAdminTimeout);
    return link;
  }

  // Returns when they have replayed what is on the primary's disk now.
  Outcome wait_for_standbys() const {
    const auto is_standby = [](const Node& node) { return node.terms.standby; };
    if (std::none_of(nodes_.begin(), nodes_.end(), is_standby)) {
      return std::nullopt;
    }
    auto primary = reach(nodes_[0]);
    if (!primary) return primary.error();
    if ((*primary)->query("SELECT pg_current_wal_flush_lsn()") !=
        Answer::done) {
      return (*primary)->error("the primary does not tell where its log ends");
    }
    const std::string question =
        fmt::format("SELECT pg_last_wal_replay_lsn() >= '{}'::pg_lsn",
                    (*primary)->cell(0, 0));
    for (const Node& node : nodes_) {
      if (!node.terms.standby) continue;
      auto standby = reach(node);
      if (!standby) return standby.error();
      if (!await_yes(**standby, question,
                     std::chrono::seconds(kAdminTimeout))) {
        return Error{.message =
                         node.name + " does not catch up with the primary"};
      }
    }
    return std::nullopt;
  }

  // Ends about half of our sessions, and at least one of each node.
  Outcome end_sessions(Random& random) const {
    for (const Node& node : nodes_) {
      auto reached = reach(node);
      if (!reached) return reached.error();
      PostgresLink& link = **reached;
      if (link.query(fmt::format("SELECT pid FROM pg_stat_activity WHERE "
                                 "application_name = '{}' ORDER BY pid",
                                 session_name_)) != Answer::done) {
        return link.error("cannot list our sessions");
      }
      std::vector<std::string> victims;
      const int count = link.rows();
      const std::uint32_t sure =
          count > 0 ? random.below(static_cast<std::uint32_t>(count)) : 0;
      for (int i = 0; i < count; ++i) {
        if (random.below(2) == 0 || static_cast<std::uint32_t>(i) == sure) {
          victims.emplace_back(link.cell(i, 0));
        }
      }
      for (const std::string& victim : victims) {
        if (link.query("SELECT pg_terminate_backend(" + victim + ")") !=
            Answer::done) {
          return link.error("cannot end one of our sessions");
        }
      }
    }
    return std::nullopt;
  }

  Outcome pause_replay(Random& random) const {
    std::vector<const Node*> candidates;
    for (const Node& node : nodes_) {
      if (node.may_pause) candidates.push_back(&node);
    }
    const Node& node = *candidates[random.below(
        static_cast<std::uint32_t>(candidates.size()))];
    auto link = reach(node);
    if (!link) return link.error();
    if ((*link)->query("SELECT pg_wal_replay_pause()") != Answer::done) {
      return (*link)->error(node.name + " does not stop replaying");
    }
    // It stops a little later; versions before 14 do not tell when.
    await_yes(**link, "SELECT pg_get_wal_replay_pause_state() = 'paused'",
              std::chrono::seconds(1));
    return std::nullopt;
  }

  Outcome resume_replay() const {
    for (const Node& node : nodes_) {
      if (!node.may_pause) continue;
      auto link = reach(node);
      if (!link) return link.error();
      if ((*link)->query("SELECT pg_wal_replay_resume()") != Answer::done) {
        return (*link)->error(node.name + " does not go on replaying");
      }
    }
    return wait_for_standbys();
  }

  std::string promise_;
  std::string session_name_;
  unsigned timeout_;
  bool asynchronous_commit_;
  bool fsync_;
  // The order matters: the proxy ends before the servers do.
  std::unique_ptr<PostgresServers> servers_;  // nullptr: somebody else's
  std::unique_ptr<Proxy> proxy_;
  std::vector<Node> nodes_;
  // Holds the lock on our tables; nullptr: not locked, or nobody else can come.
  std::unique_ptr<PostgresLink> lock_;
};

}  // namespace

Result<std::unique_ptr<Database>> open_postgres(
    const DatabaseOptions& options) {
  if (Outcome wrong = check_knobs(options, kName)) return *wrong;
  auto database = std::make_unique<PostgresDatabase>(options);
  if (Outcome trouble = database->open(options)) return *trouble;
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace awdit
