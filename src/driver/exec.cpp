// Any database in any language: a program of the user's speaks to it, and to us
// in lines of JSON. docs/drivers/exec.md is the protocol.
//
// COMMAND is started once for us (hello, reset, the first rows) and once per
// session; one that says that it is multiplexed is started once for all. What
// it promises nobody knows before it has said hello: its levels, what it
// claims, and whether it has lists or takes transactions only whole.
//
// Children never outlive us: each reads the end of its input, is killed with
// its descendants if it stays, and dies with us (server/child_process.h); what
// they leave behind, the supervisor of a recording kills
// (src/cli/supervisor.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "driver/exec_connection.h"
#include "driver/exec_quote.h"
#include "driver/knobs.h"
#include "driver/rows.h"

namespace awdit {
namespace {

constexpr std::string_view kLogKnob = "log";

// Rows that are loaded in one transaction.
constexpr std::size_t kRowsAtOnce = 100;

// A session whose driver broke the protocol while it said hello: asking again
// would not help.
class Broken final : public Connection {
 public:
  explicit Broken(std::string text)
      : trouble_{.code = "protocol", .text = std::move(text)} {}
  Answer begin(bool) override { return Answer::fatal; }
  Answer read(std::string_view, Content&) override { return Answer::fatal; }
  Answer write(std::string_view, WriteId, std::string_view) override {
    return Answer::fatal;
  }
  Answer commit() override { return Answer::fatal; }
  Answer rollback() override { return Answer::fatal; }
  Answer transact(std::vector<WholeStep>&, bool) override {
    return Answer::fatal;
  }
  const Trouble& trouble() const override { return trouble_; }

 private:
  Trouble trouble_;
};

class ExecDatabase final : public Database {
 public:
  explicit ExecDatabase(std::unique_ptr<ExecShared> shared)
      : shared_(std::move(shared)) {}

  // Starts the driver and hears what it can.
  Outcome begin() {
    auto opened = open_session(0, 0);
    if (!opened) return std::move(opened.error());
    first_ = std::move(*opened);
    const ExecHello& hello = first_->hello();
    if (!hello.interactive && !hello.batch) {
      return wrong(
          "\"can\" in its hello has neither \"interactive\" nor \"batch\"");
    }
    if (shared_->level.empty()) {
      if (!hello.levels.empty()) level_ = hello.levels.front();
    } else {
      level_ = shared_->level;
      if (std::ranges::find(hello.levels, level_) == hello.levels.end()) {
        return Error{
            .where = "--level",
            .message = fmt::format("the driver does not offer '{}'",
                                   quoted_line(level_)),
            .hint = fmt::format(
                "It offers: {}.",
                quoted_line(fmt::format("{}", fmt::join(hello.levels, ", "))))};
      }
    }
    return std::nullopt;
  }

  std::string describe() const override {
    const std::string& name = first_->hello().name;
    return name.empty() ? "a driver without a name" : quoted_line(name);
  }
  std::string reported_level() const override { return quoted_line(level_); }
  std::optional<std::string> claims() const override {
    return first_->hello().claims.value_or("");
  }
  bool lists() const override { return first_->hello().lists; }
  bool whole() const override { return !first_->hello().interactive; }

  Outcome reset(const Rows& rows) override {
    if (Outcome failed = first_->reset()) return failed;
    std::vector<std::pair<std::string, std::string>> some;
    Outcome failed;
    const auto flush = [&] {
      if (!failed && !some.empty()) failed = first_->load(some);
      some.clear();
    };
    rows([&](std::string_view key, std::string_view payload) {
      some.emplace_back(key, payload);
      if (some.size() == kRowsAtOnce) flush();
    });
    flush();
    return failed;
  }

  Outcome drop() override { return first_->reset(); }

  Result<std::unique_ptr<Connection>> connect(unsigned session,
                                              unsigned node) override {
    auto opened = open_session(session, node);
    if (opened) return std::unique_ptr<Connection>(std::move(*opened));
    if (!broken_) return std::move(opened.error());
    return std::unique_ptr<Connection>(std::make_unique<Broken>(
        fmt::format("{}; {}", opened.error().message, shared_->log.told())));
  }

 private:
  Error wrong(const std::string& message) {
    return {.where = "exec:" + shared_->command,
            .message = message,
            .hint = "The protocol is in docs/drivers/exec.md."};
  }

  // The process that all share, if there is one and it still runs.
  std::shared_ptr<ExecProcess> common() {
    const std::lock_guard lock(lock_);
    if (common_ && !common_->usable()) common_.reset();
    return common_;
  }

  Result<std::unique_ptr<ExecConnection>> open_session(unsigned session,
                                                       unsigned node) {
    // Whoever finds the common one gone starts the next, and nobody else.
    std::unique_lock<std::mutex> starting(starting_, std::defer_lock);
    if (multiplexed_) starting.lock();
    std::shared_ptr<ExecProcess> process = common();
    const bool joins = process != nullptr;
    if (joins && starting.owns_lock()) starting.unlock();
    if (!joins) {
      auto started = ExecProcess::start(shared_->command, shared_->log);
      if (!started) return std::move(started.error());
      process = std::move(*started);
      // Otherwise it is known only after hello, which names its session anyway.
      if (multiplexed_) process->share();
    }
    auto opened = ExecConnection::open(*shared_, process, session, node);
    if (!opened) {
      if (process->broken()) broken_ = true;
      return opened;
    }
    if (joins || !(*opened)->hello().multiplexed) return opened;
    process->share();
    multiplexed_ = true;
    const std::lock_guard lock(lock_);
    if (!common_) common_ = process;
    return opened;
  }

  const std::unique_ptr<ExecShared> shared_;  // goes last
  std::string level_;
  std::mutex starting_;  // held while the common process is started
  std::mutex lock_;      // guards the process
  std::shared_ptr<ExecProcess> common_;
  std::atomic<bool> multiplexed_{false};
  std::atomic<bool> broken_{false};  // somebody's hello broke the protocol
  std::unique_ptr<ExecConnection> first_;
};

}  // namespace

Result<std::unique_ptr<Database>> open_exec(const DatabaseOptions& options) {
  if (options.urls.size() > 1) {
    return Error{.where = "--db",
                 .message = "an exec driver can be given only once",
                 .hint = "Its sessions may reach several nodes by themselves."};
  }
  const std::string_view command = behind_scheme(options.urls.front());
  if (command.empty()) {
    return Error{.where = "--db",
                 .message = "exec needs a command, as in exec:./mydriver.py",
                 .hint = "docs/drivers/exec.md shows how to write one."};
  }
  std::string log_path;
  std::vector<std::pair<std::string, std::string>> settings;
  for (const auto& [name, value] : options.knobs) {
    if (name == kLogKnob) {
      log_path = value;
    } else {
      settings.emplace_back(name, value);
    }
  }
  auto log = ExecLog::make(log_path);
  if (!log) return std::move(log.error());
  auto shared = std::unique_ptr<ExecShared>(new ExecShared{
      .command = std::string(command),
      .level = std::string(options.level == nullptr ? "" : options.level->name),
      .settings = std::move(settings),
      .seed = options.seed,
      .timeout = std::chrono::seconds(options.timeout_seconds),
      .log = std::move(*log),
      .ids = {}});
  auto database = std::make_unique<ExecDatabase>(std::move(shared));
  if (Outcome failed = database->begin()) return std::move(*failed);
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace awdit
