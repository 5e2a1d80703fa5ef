// MariaDB, MySQL and Galera clusters.
//
// Each session has a connection, with the level set and asked back. Several
// addresses are several nodes: of a replicated server the first takes the
// writes; in a Galera cluster (galera://) all do, so that each session is at
// home on one of them, in turn: its node 0 is the place 0, 1 or 2, and so on.
//
// Sources: field reports on InnoDB's REPEATABLE READ (jepsen.io/analyses/
// mysql-8.0.34), MariaDB's documentation of innodb_snapshot_isolation.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>

#include "driver/knobs.h"
#include "driver/mariadb_connection.h"
#include "driver/mariadb_link.h"
#include "driver/mariadb_tables.h"
#include "driver/rows.h"
#include "server/server.h"

namespace awdit {
namespace {

constexpr std::string_view kName = "mariadb";
constexpr unsigned kUnknownVariable = 1193;
constexpr unsigned kNoSuchThread = 1094;

// -- levels -------------------------------------------------------------------

// The level that a session runs at; it has had two names.
unsigned ask_level(MariadbLink& link, std::string& level) {
  const unsigned error = link.ask("SELECT @@tx_isolation", level);
  if (error != kUnknownVariable) return error;
  return link.ask("SELECT @@transaction_isolation", level);
}

// -- who is connected ---------------------------------------------------------

// For those who want to end some connections.
class Roll {
 public:
  using Entry = std::pair<std::size_t, unsigned long>;  // node, id
  void add(const Entry& entry) {
    const std::lock_guard lock(mutex_);
    entries_.insert(entry);
  }
  void remove(const Entry& entry) {
    const std::lock_guard lock(mutex_);
    entries_.erase(entry);
  }
  // Each with probability 1/2, and one at least if there is any.
  std::vector<Entry> draw(Random& random) const {
    const std::lock_guard lock(mutex_);
    std::vector<Entry> chosen(entries_.begin(), entries_.end());
    if (chosen.empty()) return chosen;
    const Entry sure =
        chosen[random.below(static_cast<std::uint32_t>(chosen.size()))];
    std::erase_if(chosen, [&](const Entry& entry) {
      return entry != sure && random.below(2) == 0;
    });
    return chosen;
  }

 private:
  mutable std::mutex mutex_;
  std::set<Entry> entries_;
};

// -- the database -------------------------------------------------------------

class MariadbDatabase final : public Database {
 public:
  MariadbDatabase(std::vector<MariadbAddress> addresses,
                  std::unique_ptr<MariadbServers> servers,
                  const DatabaseOptions& options)
      : servers_(std::move(servers)),
        addresses_(std::move(addresses)),
        sessions_(addresses_),
        cluster_(options.urls.front().starts_with("galera") ||
                 (servers_ && servers_->size() > 1)),
        level_(wanted_level(options, kName).name),
        snapshot_isolation_(knob(options, kName, "snapshot-isolation") == "on"),
        sync_wait_(knob(options, kName, "sync-wait")),
        timeout_(options.timeout_seconds) {
    if (knob(options, kName, "begin") == "snapshot") {
      begin_.writing += " WITH CONSISTENT SNAPSHOT";
      begin_.reading = begin_.writing + ", READ ONLY";
    }
  }

  ~MariadbDatabase() override {
    if (lock_) unlock_mariadb_tables(*lock_);
  }

  // Lets sessions reach servers of our own by way of proxies.
  Outcome interpose(std::uint64_t seed) {
    for (std::size_t node = 0; node < addresses_.size(); ++node) {
      const std::string front = servers_->proxy_socket(node);
      auto proxy = Proxy::start(front, servers_->socket(node),
                                WireProtocol::mariadb, seed + node);
      if (!proxy) return proxy.error();
      proxies_.push_back(std::move(*proxy));
      sessions_[node].socket = front;
    }
    return std::nullopt;
  }

  // Asks the server who it is. REQUIRES: nothing was asked before.
  Outcome open() {
    auto link = prepared_link(addresses_[0]);
    if (!link) return link.error();
    std::string version;
    if (link->ask("SELECT VERSION()", version) != 0) return link->error();
    description_ =
        (version.find("MariaDB") != std::string::npos ? "MariaDB " : "MySQL ") +
        version;
    if (cluster_) description_ += ", Galera";
    if (addresses_.size() > 1) {
      description_ += fmt::format(", {} nodes", addresses_.size());
    }
    description_ += ", " + begin_.writing;
    if (snapshot_isolation_) description_ += ", innodb_snapshot_isolation";
    if (sync_wait_ != "0") description_ += ", wsrep_sync_wait=" + sync_wait_;
    if (servers_) {
      description_ +=
          ", innodb_flush_log_at_trx_commit=" + servers_->wishes().flush_log +
          ", a server of our own";
    }
    if (ask_level(*link, reported_level_) != 0) return link->error();
    return std::nullopt;
  }

  std::string describe() const override { return description_; }
  std::string reported_level() const override { return reported_level_; }

  std::vector<std::string> nodes() const override {
    if (addresses_.size() == 1) return {"primary"};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
      names.push_back(cluster_ ? fmt::format("node{}", i + 1)
                               : addresses_[i].text());
    }
    return names;
  }

  std::size_t place(unsigned session, unsigned node) const override {
    return cluster_ ? (session + node) % sessions_.size() : node;
  }

  Outcome drop() override {
    if (servers_) return std::nullopt;  // they go as a whole
    if (Outcome taken = lock()) return taken;
    auto link = prepared_link(addresses_[0]);
    if (!link) return link.error();
    return drop_mariadb_tables(*link);
  }

  Outcome reset(const Rows& rows) override {
    if (Outcome taken = lock()) return taken;
    auto link = prepared_link(addresses_[0]);
    if (!link) return link.error();
    const auto token = reset_mariadb_tables(*link, rows);
    if (!token) return token.error();
    for (std::size_t node = 1; node < addresses_.size(); ++node) {
      auto other = prepared_link(addresses_[node]);
      if (!other) return other.error();
      if (Outcome failed = await_mariadb_tables(*other, *token)) return failed;
    }
    return std::nullopt;
  }

  Result<std::unique_ptr<Connection>> connect(unsigned session,
                                              unsigned node) override {
    const std::size_t at = place(session, node);
    auto link = prepared_link(sessions_[at]);
    if (!link) return link.error();
    const Roll::Entry entry(at, link->id());
    roll_.add(entry);
    return make_mariadb_connection(std::move(*link), begin_,
                                   [this, entry] { roll_.remove(entry); });
  }

  bool can(Fault fault) const override {
    switch (fault) {
      case Fault::kill:
      case Fault::pause:
        return servers_ != nullptr;
      case Fault::terminate:
        return true;  // everybody may end connections of their own
      case Fault::drop_commit:
        return !proxies_.empty();
      case Fault::stale:
        return false;
    }
    return false;
  }

  // Of a cluster one node suffers, drawn anew each time.
  Outcome begin_fault(Fault fault, Random& random) override {
    if (fault == Fault::stale) return Database::begin_fault(fault, random);
    if (fault == Fault::terminate) return end_some(random);
    if (fault == Fault::drop_commit) {
      for (const auto& proxy : proxies_) proxy->drop_commits(true);
      return std::nullopt;
    }
    victim_ = random.below(static_cast<std::uint32_t>(servers_->size()));
    if (fault == Fault::kill) servers_->kill(victim_);
    if (fault == Fault::pause) servers_->pause(victim_);
    return std::nullopt;
  }

  Outcome end_fault(Fault fault) override {
    if (fault == Fault::kill) return servers_->restart(victim_);
    if (fault == Fault::pause) servers_->resume(victim_);
    if (fault == Fault::drop_commit) {
      for (const auto& proxy : proxies_) proxy->drop_commits(false);
    }
    return std::nullopt;
  }

 private:
  Outcome lock() {
    if (servers_ || lock_) return std::nullopt;
    auto link = MariadbLink::open(addresses_[0], timeout_);
    if (!link) return link.error();
    if (Outcome taken = lock_mariadb_tables(*link)) return taken;
    lock_.emplace(std::move(*link));
    return std::nullopt;
  }

  // A link with the level of the run.
  Result<MariadbLink> prepared_link(const MariadbAddress& address) const {
    auto link = MariadbLink::open(address, timeout_);
    if (!link) return link;
    std::string reported;
    if (link->query("SET SESSION TRANSACTION ISOLATION LEVEL " +
                    sql_level(level_)) != 0 ||
        ask_level(*link, reported) != 0 ||
        // Locks that do not come free are refused before we lose patience.
        link->query(fmt::format("SET SESSION innodb_lock_wait_timeout = {}",
                                std::max(1U, timeout_ / 5))) != 0) {
      return link->error();
    }
    if (reported != sql_level(level_, '-')) {
      return Error{.where = address.text(),
                   .message = "the server runs at " + reported +
                              " although it was told " + sql_level(level_)};
    }
    if (Outcome failed = set_snapshot_isolation(*link)) return *failed;
    if (sync_wait_ != "0" &&
        link->query("SET SESSION wsrep_sync_wait = " + sync_wait_) != 0) {
      return link->error();
    }
    return link;
  }

  // Its default depends on the version: say it either way.
  Outcome set_snapshot_isolation(MariadbLink& link) const {
    const unsigned error =
        link.query(fmt::format("SET SESSION innodb_snapshot_isolation = {}",
                               snapshot_isolation_ ? "ON" : "OFF"));
    if (error == 0) return std::nullopt;
    if (error != kUnknownVariable) return link.error();
    if (!snapshot_isolation_) return std::nullopt;  // what is not there is off
    return Error{.message =
                     "this server does not have "
                     "innodb_snapshot_isolation",
                 .hint =
                     "MariaDB has it from 10.6.18, 10.11.8 and 11.4.2 on; "
                     "MySQL does not."};
  }

  Outcome end_some(Random& random) {
    for (const auto& [node, id] : roll_.draw(random)) {
      auto link = MariadbLink::open(addresses_[node], timeout_);
      if (!link) return link.error();
      const unsigned error = link->query(fmt::format("KILL {}", id));
      if (error != 0 && error != kNoSuchThread) return link->error();
    }
    return std::nullopt;
  }

  const std::unique_ptr<MariadbServers> servers_;  // nullptr: not our own
  std::vector<std::unique_ptr<Proxy>> proxies_;    // by node; end before them
  const std::vector<MariadbAddress> addresses_;    // by node
  std::vector<MariadbAddress> sessions_;           // likewise, maybe a proxy's
  const bool cluster_;
  const std::string level_;
  const bool snapshot_isolation_;
  const std::string sync_wait_;
  const unsigned timeout_;
  std::size_t victim_ = 0;  // of a fault; faults come one by one
  MariadbBegin begin_;
  std::string description_;
  std::string reported_level_;
  Roll roll_;
  // Holds the lock on our tables; empty: not locked, or nobody else can come.
  std::optional<MariadbLink> lock_;
};

// As --db says.
Result<std::vector<MariadbAddress>> addresses_of(
    const DatabaseOptions& options) {
  for (const auto& [name, value] : options.knobs) {
    if (name != "flush-log" && name != "nodes") continue;
    return Error{.message = name + " is for servers that --start starts"};
  }
  std::vector<MariadbAddress> addresses;
  for (const std::string& url : options.urls) {
    auto parsed = parse_mariadb_url(url);
    if (!parsed) return parsed.error();
    addresses.insert(addresses.end(), parsed->begin(), parsed->end());
  }
  return addresses;
}

// A cluster has three unless another number is asked for.
unsigned nodes_to_start(const DatabaseOptions& options) {
  if (!is_set(options, "nodes") && options.urls.front().starts_with("galera")) {
    return 3;
  }
  return static_cast<unsigned>(knob(options, kName, "nodes").front() - '0');
}

}  // namespace

Result<std::unique_ptr<Database>> open_mariadb(const DatabaseOptions& options) {
  if (Outcome wrong = check_knobs(options, kName)) return *wrong;
  std::vector<MariadbAddress> addresses;
  std::unique_ptr<MariadbServers> servers;
  if (options.start) {
    MariadbServers::Wishes wishes;
    wishes.nodes = nodes_to_start(options);
    wishes.flush_log = knob(options, kName, "flush-log");
    auto started = MariadbServers::start(wishes, mariadb_ready);
    if (!started) return started.error();
    servers = std::move(*started);
    for (std::size_t node = 0; node < servers->size(); ++node) {
      addresses.push_back(own_mariadb(servers->socket(node)));
    }
  } else {
    auto parsed = addresses_of(options);
    if (!parsed) return parsed.error();
    addresses = std::move(*parsed);
  }
  auto database = std::make_unique<MariadbDatabase>(
      std::move(addresses), std::move(servers), options);
  if (options.start && drops_commits(options)) {
    if (Outcome failed = database->interpose(options.seed)) return *failed;
  }
  if (Outcome failed = database->open()) return *failed;
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace awdit
