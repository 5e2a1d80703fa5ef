#include "run/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "run/write_ids.h"

namespace awdit {
namespace {

// A server that is being restarted is waited for so long.
constexpr std::chrono::seconds kPatience{60};
constexpr std::chrono::milliseconds kReconnect{20};

// What takes less is no stall, whatever is usual.
constexpr double kStall = 250e6;  // nanoseconds

void add(std::atomic<std::uint64_t>& counter, std::uint64_t count) {
  // Only this thread writes it.
  counter.store(counter.load(std::memory_order_relaxed) + count,
                std::memory_order_relaxed);
}
void add_one(std::atomic<std::uint64_t>& counter) { add(counter, 1); }

// Seeds of the parts of a run, far apart from one another.
std::uint64_t seed_of(std::uint64_t seed, std::uint32_t number,
                      std::uint64_t purpose) {
  Random random(seed ^ (std::uint64_t{number} + 1) * 0xD1B54A32D192ED03u);
  return random.next() + purpose * 0x9E3779B97F4A7C15u;
}

}  // namespace

std::int64_t RunShared::now() {
  if (simulated) {
    return static_cast<std::int64_t>(
        events.fetch_add(1, std::memory_order_relaxed));
  }
  return epoch + (std::chrono::steady_clock::now() - began) /
                     std::chrono::nanoseconds(1);
}

void RunShared::fail(Error reason) {
  const std::scoped_lock lock(mutex);
  if (!error) error = std::move(reason);
  stop.store(true, std::memory_order_relaxed);
}

bool RunShared::late() const {
  return options.duration && !simulated &&
         std::chrono::steady_clock::now() - began >= *options.duration;
}

Worker::Worker(RunShared& shared, std::uint32_t number,
               std::unique_ptr<Client> client, std::uint64_t tasks_to_do,
               std::unique_ptr<SessionLog> log)
    : shared_(shared),
      client_(std::move(client)),
      left_(tasks_to_do),
      log_(std::move(log)),
      random_(seed_of(shared.options.seed, number, 1)),
      pauses_(seed_of(shared.options.seed, number, 2)),
      retry_(shared.options.retries),
      connections_(shared.nodes.size()) {
  new_session();
}

void Worker::new_session() {
  session_ = shared_.sessions.fetch_add(1, std::memory_order_relaxed) + 1;
  writes_ = 0;
  for (auto& connection : connections_) connection.reset();
  if (session_ > kMaxSession) {
    shared_.fail({.message = fmt::format(
                      "there were more than {} sessions: each unknown outcome "
                      "takes another one",
                      kMaxSession)});
  }
}

void Worker::run() {
  while (step()) {
  }
}

bool Worker::step() {
  if (!task_ && !next_task()) return false;
  const Request* const asked = task_->next();
  if (asked == nullptr) {
    // A body that ends within its transaction leaves it to be withdrawn.
    if (active_) rollback();
    task_.reset();
    return true;
  }
  carry_out(*asked);
  return true;
}

bool Worker::next_task() {
  if (shared_.stop.load(std::memory_order_relaxed) || shared_.late()) {
    return false;
  }
  if (left_ == 0 || client_ == nullptr) return false;
  if (left_ != UINT64_MAX) --left_;
  add_one(tasks);
  task_.emplace(client_->task(retry_.begin(random_.next())));
  return true;
}

void Worker::give(Task task) {
  retry_.begin();
  task_.emplace(std::move(task));
}

void Worker::carry_out(const Request& step) {
  ++requests_;
  if (shared_.database.whole() && step.kind != Request::Kind::begin) {
    return keep(step);
  }
  switch (step.kind) {
    case Request::Kind::begin:
      return begin(step);
    case Request::Kind::read:
      return read(step);
    case Request::Kind::write:
    case Request::Kind::append:
      return write(step);
    case Request::Kind::read_list:
      return read_list(step);
    case Request::Kind::commit:
      return commit();
    case Request::Kind::rollback:
      return rollback();
  }
}

// Whether there is a connection to the node; waits for a server that is down.
bool Worker::connected() {
  std::unique_ptr<Connection>& connection = connections_[node_];
  const Clock::time_point patience = Clock::now() + kPatience;
  while (connection == nullptr) {
    Result<std::unique_ptr<Connection>> opened =
        shared_.database.connect(session_, node_);
    if (opened) {
      connection = std::move(*opened);
      break;
    }
    count({.code = "connect", .text = opened.error().message});
    if (shared_.stop.load(std::memory_order_relaxed) || shared_.late()) {
      return false;
    }
    if (Clock::now() > patience) {
      shared_.fail(std::move(opened.error()));
      return false;
    }
    std::this_thread::sleep_for(kReconnect);
  }
  return true;
}

void Worker::begin(const Request& step) {
  node_ = 0;
  if (shared_.options.hop && step.read_only && connections_.size() > 1) {
    node_ = pauses_.below(static_cast<std::uint32_t>(connections_.size()));
  }
  if (!connected()) return drop_task(false);
  const std::int64_t time = shared_.now();
  const Answer answer = shared_.database.whole()
                            ? Answer::done
                            : connection().begin(step.read_only);
  if (answer != Answer::done) {
    // There is no transaction; nothing is recorded.
    after(answer);
    return drop_task(answer == Answer::refused);
  }
  active_ = true;
  wrote_ = false;
  steps_.clear();
  began_ = time;
  requests_ = 1;
  if (log_) {
    std::string_view node;
    if (connections_.size() > 1) {
      node = shared_.nodes[shared_.database.place(session_, node_)];
    }
    log_->begin(session_, time, node, step.label);
  }
}

// Whether the id is one of this run.
bool Worker::ours(std::string_view key, WriteId id) {
  if (id == 0 || nonce_of(id) == shared_.nonce) return true;
  shared_.fail({.message = fmt::format(
                    "the key {} holds a value that no session of this run "
                    "wrote",
                    key),
                .hint = "Somebody else writes to the same tables, or another "
                        "run is under way. Use a database of its own."});
  return false;
}

void Worker::met(WriteId id) {
  if (id != 0 && session_of(id) != session_ && client_ != nullptr) {
    add_one(tally.met);
  }
}

void Worker::took(std::int64_t nanoseconds) {
  if (shared_.simulated) return;
  const auto all = static_cast<double>(nanoseconds);
  const double each = all / requests_;
  double best = shared_.best.load(std::memory_order_relaxed);
  while (each < best && !shared_.best.compare_exchange_weak(
                            best, each, std::memory_order_relaxed)) {
  }
  const double pauses = 1000.0 * shared_.options.pause * requests_;
  if (all > kStall && each > 20 * best && all > 2 * pauses) {
    add(tally.stalled, static_cast<std::uint64_t>(nanoseconds));
  }
}

std::optional<WriteId> Worker::next_id() {
  if (writes_ == kMaxCount) {
    shared_.fail({.message = "a session made more than 2^31 writes"});
    return std::nullopt;
  }
  return make_write_id(shared_.nonce, session_, ++writes_);
}

void Worker::read(const Request& step) {
  pause();
  const Answer answer = step.locks
                            ? connection().read_for_update(step.key, content_)
                            : connection().read(step.key, content_);
  Row& row = task_->reply();
  row.exists = answer == Answer::done;
  row.payload.clear();
  if (answer == Answer::done) {
    if (!ours(step.key, content_.id)) return give_up(Answer::fatal);
    met(content_.id);
    row.payload.swap(content_.payload);
  } else if (answer != Answer::absent) {
    return give_up(answer);
  }
  add_one(tally.operations);
  if (!log_) return;
  log_->read(step.key, row.exists ? std::optional(content_.id) : std::nullopt);
}

void Worker::write(const Request& step) {
  pause();
  const std::optional<WriteId> id = next_id();
  if (!id) return give_up(Answer::fatal);
  wrote_ = true;
  const bool append = step.kind == Request::Kind::append;
  // First in the log: a write that got no answer may have been seen.
  if (log_) log_->write(append, step.key, *id);
  const Answer answer = append
                            ? connection().append(step.key, *id)
                            : connection().write(step.key, *id, step.payload);
  if (answer != Answer::done) return give_up(answer);
  add_one(tally.operations);
}

void Worker::read_list(const Request& step) {
  pause();
  elements_.clear();
  const Answer answer = connection().read_list(step.key, elements_);
  if (answer != Answer::done && answer != Answer::absent) {
    return give_up(answer);
  }
  for (const WriteId id : elements_) {
    if (!ours(step.key, id)) return give_up(Answer::fatal);
  }
  if (!elements_.empty()) met(elements_.back());
  add_one(tally.operations);
  if (log_) log_->read_list(step.key, elements_);
}

void Worker::commit() {
  pause();
  if (log_) log_->announce();
  const Answer answer = connection().commit();
  if (answer == Answer::done) {
    add_one(tally.committed);
    return end(Status::committed);
  }
  without_commit(answer);
}

void Worker::without_commit(Answer answer) {
  const bool silent = answer == Answer::lost || answer == Answer::ambiguous ||
                      answer == Answer::fatal;
  if (!silent || !wrote_) return give_up(answer);
  after(answer);
  add_one(tally.unknown);
  end(Status::unknown);
  new_session();
  drop_task(false);
}

void Worker::rollback() {
  const Answer answer = connection().rollback();
  if (answer != Answer::done) after(answer);
  add_one(tally.withdrawn);
  trouble_.code.clear();
  end(Status::aborted);
}

void Worker::give_up(Answer answer) {
  after(answer);
  add_one(tally.aborted);
  end(Status::aborted);
  drop_task(answer == Answer::refused && !trouble_.lasts);
}

// What an answer that is not done means for the connection.
void Worker::after(Answer answer) {
  if (answer == Answer::done || answer == Answer::absent) return;
  trouble_ = connection().trouble();
  count(trouble_);
  if (answer == Answer::fatal) {
    shared_.fail({.message = trouble_.text.empty() ? "the database gave up"
                                                   : trouble_.text});
  }
  const bool again =
      answer == Answer::refused && connection().rollback() == Answer::done;
  if (!again) connections_[node_].reset();
}

void Worker::drop_task(bool refused) {
  active_ = false;
  task_.reset();
  if (!refused || shared_.stop.load(std::memory_order_relaxed)) return;
  if (const std::optional<Random> same = retry_.again()) {
    task_.emplace(client_->task(*same));
  }
}

void Worker::end(Status status) {
  active_ = false;
  if (!log_) return;
  const std::int64_t now = shared_.now();
  took(now - began_);
  log_->end(status, now,
            status == Status::committed ? std::string_view() : trouble_.code);
  trouble_.code.clear();
  if (log_->failed()) shared_.fail(*log_->failure());
}

// Half of the time none; otherwise mostly short ones, a few long ones.
void Worker::pause() {
  const std::uint32_t most = shared_.options.pause;
  if (most == 0 || shared_.simulated) return;
  const std::uint64_t draw = pauses_.next();
  if ((draw & 1) != 0) return;
  const double unit = pauses_.unit();
  std::this_thread::sleep_for(std::chrono::nanoseconds(
      static_cast<std::int64_t>(most * 1000.0 * unit * unit * unit)));
}

void Worker::count(const Trouble& trouble) {
  const std::scoped_lock lock(mutex_);
  for (TroubleCount& reason : reasons_) {
    if (reason.code == trouble.code) {
      ++reason.count;
      return;
    }
  }
  reasons_.push_back({trouble.code, trouble.text, 1});
}

void Worker::add_reasons(std::vector<TroubleCount>& reasons) const {
  const std::scoped_lock lock(mutex_);
  for (const TroubleCount& mine : reasons_) {
    const auto known = std::find_if(
        reasons.begin(), reasons.end(),
        [&](const TroubleCount& r) { return r.code == mine.code; });
    if (known == reasons.end()) {
      reasons.push_back(mine);
    } else {
      known->count += mine.count;
    }
  }
}

Outcome Worker::close() {
  for (auto& connection : connections_) connection.reset();
  task_.reset();
  return log_ ? log_->close() : std::nullopt;
}

}  // namespace awdit
