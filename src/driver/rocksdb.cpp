// RocksDB, inside this process.
//
// What its transactions promise depends on how they are used, and the levels
// are just that. The trap that many fall into: set_snapshot makes *writes* be
// checked against the snapshot; Get returns the newest committed version all
// the same unless ReadOptions::snapshot says otherwise.
//
// A content is eight bytes of id and then the payload, under 'k' and its key; a
// list is all its ids, eight bytes each, under 'l'. Appending reads and writes
// the whole list, with the key locked (or validated at commit).
//
// Source: rocksdb/utilities/{transaction,transaction_db,
// optimistic_transaction_db}.h of 7.8.
#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/utilities/optimistic_transaction_db.h>
#include <rocksdb/utilities/transaction.h>
#include <rocksdb/utilities/transaction_db.h>
#include <rocksdb/version.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "base/table.h"
#include "driver/knobs.h"
#include "driver/rows.h"
#include "server/server.h"

namespace awdit {
namespace {

constexpr std::string_view kName = "rocksdb";

// How reads are done; the names are those of the levels.
enum class Reads { snapshot, plain_get, get_for_update };

Reads reads_of(std::string_view level) {
  if (level == "plain-get") return Reads::plain_get;
  if (level == "get-for-update") return Reads::get_for_update;
  return Reads::snapshot;
}

// -- bytes --------------------------------------------------------------------

constexpr std::size_t kIdBytes = 8;

void put_id(std::string& bytes, WriteId id) {
  for (int shift = 56; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(id >> shift & 0xFF);
  }
}

// REQUIRES: eight bytes are there.
WriteId id_at(std::string_view bytes) {
  WriteId id = 0;
  for (std::size_t i = 0; i < kIdBytes; ++i) {
    id = id << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return id;
}

void set_key(std::string& place, char kind, std::string_view key) {
  place.assign(1, kind);
  place += key;
}

// -- statuses -----------------------------------------------------------------

std::string code_of(const rocksdb::Status& status) {
  if (status.IsDeadlock()) return "deadlock";
  if (status.IsBusy()) return "busy";
  if (status.IsTimedOut()) return "timed-out";
  if (status.IsTryAgain()) return "try-again";
  if (status.IsExpired()) return "expired";
  if (status.IsAborted()) return "aborted";
  if (status.IsNoSpace()) return "no-space";
  if (status.IsIOError()) return "io-error";
  if (status.IsCorruption()) return "corruption";
  return fmt::format("status-{}", static_cast<int>(status.code()));
}

Error error_of(const rocksdb::Status& status, const std::string& where) {
  // RocksDB locks its directory by a file LOCK, and says so in many words.
  const std::string text = status.ToString();
  if (status.IsIOError() &&
      (text.find("lock hold by current process") != std::string::npos ||
       text.find("/LOCK: Resource temporarily unavailable") !=
           std::string::npos)) {
    return Error{.where = where,
                 .message =
                     "another run of awdit, or another program, uses "
                     "this directory",
                 .hint = "Wait for it to end, or name another directory."};
  }
  return Error{.where = where, .message = text};
}

// -- the two kinds of databases -----------------------------------------------

struct Engine {
  std::unique_ptr<rocksdb::StackableDB> database;
  // One of them is `database`.
  rocksdb::TransactionDB* pessimistic = nullptr;
  rocksdb::OptimisticTransactionDB* optimistic = nullptr;

  // Reuses `old` if there is one.
  rocksdb::Transaction* begin(const rocksdb::WriteOptions& write,
                              bool set_snapshot,
                              rocksdb::Transaction* old) const {
    if (optimistic != nullptr) {
      rocksdb::OptimisticTransactionOptions options;
      options.set_snapshot = set_snapshot;
      return optimistic->BeginTransaction(write, options, old);
    }
    rocksdb::TransactionOptions options;
    options.set_snapshot = set_snapshot;
    options.deadlock_detect = true;
    return pessimistic->BeginTransaction(write, options, old);
  }

  // Past all concurrency control: nobody else is there, and no key is twice.
  rocksdb::Status load(rocksdb::WriteBatch& batch) const {
    rocksdb::WriteOptions write;
    write.disableWAL = true;  // a flush follows
    if (optimistic != nullptr) return optimistic->Write(write, &batch);
    rocksdb::TransactionDBWriteOptimizations alone;
    alone.skip_concurrency_control = true;
    alone.skip_duplicate_key_check = true;
    return pessimistic->Write(write, alone, &batch);
  }
};

// -- a session ----------------------------------------------------------------

class RocksdbConnection final : public Connection {
 public:
  RocksdbConnection(const Engine& engine, Reads reads, bool sync)
      : engine_(engine), reads_(reads) {
    write_options_.sync = sync;
  }

  Answer begin(bool) override {
    // An empty transaction, or the rest of one that failed, is overwritten.
    transaction_.reset(engine_.begin(write_options_, reads_ != Reads::plain_get,
                                     transaction_.release()));
    read_options_.snapshot = transaction_->GetSnapshot();
    return Answer::done;
  }

  Answer read(std::string_view key, Content& content) override {
    return read(key, content, reads_ == Reads::get_for_update);
  }

  Answer read_for_update(std::string_view key, Content& content) override {
    return read(key, content, true);
  }

  Answer read(std::string_view key, Content& content, bool for_update) {
    set_key(key_, 'k', key);
    const Answer answer = conclude(get(for_update));
    if (answer != Answer::done) return answer;
    if (value_.size() < kIdBytes) return foreign();
    content.id = id_at(value_);
    content.payload.assign(value_, kIdBytes);
    return Answer::done;
  }

  Answer write(std::string_view key, WriteId id,
               std::string_view payload) override {
    set_key(key_, 'k', key);
    value_.clear();
    put_id(value_, id);
    value_ += payload;
    return conclude(transaction_->Put(key_, value_));
  }

  Answer append(std::string_view key, WriteId element) override {
    set_key(key_, 'l', key);
    const rocksdb::Status found = get(true);
    if (found.IsNotFound()) {
      value_.clear();
    } else if (!found.ok()) {
      return conclude(found);
    }
    put_id(value_, element);
    return conclude(transaction_->Put(key_, value_));
  }

  Answer read_list(std::string_view key,
                   std::vector<WriteId>& elements) override {
    elements.clear();
    set_key(key_, 'l', key);
    const Answer answer = conclude(get(reads_ == Reads::get_for_update));
    if (answer != Answer::done) return answer;
    if (value_.size() % kIdBytes != 0) return foreign();
    for (std::size_t at = 0; at < value_.size(); at += kIdBytes) {
      elements.push_back(id_at(std::string_view(value_).substr(at)));
    }
    return Answer::done;
  }

  Answer commit() override {
    const rocksdb::Status status = transaction_->Commit();
    const Answer answer = conclude(status);
    // What reached the log before the disk failed is there after a restart.
    return status.IsIOError() ? Answer::lost : answer;
  }

  Answer rollback() override { return conclude(transaction_->Rollback()); }

  const Trouble& trouble() const override { return trouble_; }

 private:
  // Of key_, into value_.
  rocksdb::Status get(bool for_update) {
    return for_update ? transaction_->GetForUpdate(read_options_, key_, &value_)
                      : transaction_->Get(read_options_, key_, &value_);
  }

  Answer conclude(const rocksdb::Status& status) {
    if (status.ok()) return Answer::done;
    if (status.IsNotFound()) return Answer::absent;
    trouble_ = {.code = code_of(status), .text = status.ToString()};
    return status.IsBusy() || status.IsTimedOut() || status.IsTryAgain() ||
                   status.IsExpired() || status.IsAborted()
               ? Answer::refused
               : Answer::fatal;
  }

  Answer foreign() {
    trouble_ = {.code = "foreign", .text = "a value that awdit did not write"};
    return Answer::fatal;
  }

  const Engine& engine_;
  const Reads reads_;
  rocksdb::WriteOptions write_options_;
  rocksdb::ReadOptions read_options_;
  std::unique_ptr<rocksdb::Transaction> transaction_;
  std::string key_;
  std::string value_;
  Trouble trouble_;
};

// -- the database -------------------------------------------------------------

class RocksdbDatabase final : public Database {
 public:
  // `keeps`: the directory was there before, or goes by itself.
  RocksdbDatabase(OwnedDirectory directory, bool keeps,
                  const DatabaseOptions& options)
      : directory_(std::move(directory)),
        keeps_(keeps),
        data_(directory_.path() + "/data"),
        optimistic_(knob(options, kName, "transactions") == "optimistic"),
        prepared_(knob(options, kName, "write-policy") == "prepared"),
        unordered_(knob(options, kName, "unordered-write") == "on"),
        sync_(knob(options, kName, "sync") == "on"),
        lock_milliseconds_(std::int64_t{100} * options.timeout_seconds),
        reads_(reads_of(wanted_level(options, kName).name)) {}

  std::string describe() const override {
    return fmt::format(
        "RocksDB {}, {}{}{}, sync {}", rocksdb::GetRocksVersionAsString(),
        optimistic_ ? "OptimisticTransactionDB" : "TransactionDB",
        prepared_ ? ", WRITE_PREPARED" : "",
        unordered_ ? ", unordered_write" : "", sync_ ? "on" : "off");
  }

  std::string reported_level() const override {
    constexpr std::string_view kNames[] = {
        "Get with ReadOptions::snapshot, set_snapshot",
        "Get without a snapshot", "GetForUpdate, set_snapshot"};
    return std::string(name_of(reads_, kNames));
  }

  Outcome open() {
    std::error_code ignored;
    fresh_ = !std::filesystem::exists(data_, ignored);
    rocksdb::Options options;
    options.create_if_missing = true;
    options.unordered_write = unordered_;
    // What makes snapshots immutable again with WRITE_PREPARED.
    options.two_write_queues = prepared_;
    rocksdb::Status status;
    if (optimistic_) {
      status = rocksdb::OptimisticTransactionDB::Open(options, data_,
                                                      &engine_.optimistic);
      engine_.database.reset(engine_.optimistic);
    } else {
      rocksdb::TransactionDBOptions transactions;
      transactions.transaction_lock_timeout = lock_milliseconds_;
      if (prepared_) transactions.write_policy = rocksdb::WRITE_PREPARED;
      status = rocksdb::TransactionDB::Open(options, transactions, data_,
                                            &engine_.pessimistic);
      engine_.database.reset(engine_.pessimistic);
    }
    if (!status.ok()) return error_of(status, directory_.path());
    return std::nullopt;
  }

  Outcome reset(const Rows& rows) override {
    if (!fresh_) {
      engine_ = {};
      const rocksdb::Status gone =
          rocksdb::DestroyDB(data_, rocksdb::Options());
      if (!gone.ok()) return error_of(gone, directory_.path());
      if (Outcome failed = open()) return failed;
    }
    fresh_ = false;
    constexpr std::size_t kBatchBytes = 1 << 20;
    rocksdb::WriteBatch batch;
    rocksdb::Status status;
    std::string name;
    std::string value;
    rows([&](std::string_view key, std::string_view payload) {
      set_key(name, 'k', key);
      value.clear();
      put_id(value, 0);
      value += payload;
      batch.Put(name, value);
      if (batch.GetDataSize() < kBatchBytes || !status.ok()) return;
      status = engine_.load(batch);
      batch.Clear();
    });
    if (status.ok()) status = engine_.load(batch);
    if (status.ok()) status = engine_.database->Flush(rocksdb::FlushOptions());
    if (!status.ok()) return error_of(status, directory_.path());
    return std::nullopt;
  }

  // The database and the marker; and the directory, if it was not there before.
  Outcome drop() override {
    engine_ = {};
    const rocksdb::Status gone = rocksdb::DestroyDB(data_, rocksdb::Options());
    if (!gone.ok()) return error_of(gone, directory_.path());
    return directory_.release(keeps_);
  }

  Result<std::unique_ptr<Connection>> connect(unsigned, unsigned) override {
    fresh_ = false;
    return std::unique_ptr<Connection>(
        std::make_unique<RocksdbConnection>(engine_, reads_, sync_));
  }

 private:
  const OwnedDirectory directory_;  // goes last
  const bool keeps_;
  const std::string data_;
  const bool optimistic_;
  const bool prepared_;
  const bool unordered_;
  const bool sync_;
  // 1000, which is RocksDB's own, unless the user has another timeout.
  const std::int64_t lock_milliseconds_;
  const Reads reads_;
  std::atomic<bool> fresh_ = false;  // made by us, and nobody has been there
  Engine engine_;
};

}  // namespace

Result<std::unique_ptr<Database>> open_rocksdb(const DatabaseOptions& options) {
  if (Outcome wrong = check_knobs(options, kName)) return *wrong;
  const std::string_view path = behind_scheme(options.urls.front());
  std::error_code ignored;
  const bool keeps = path.empty() || std::filesystem::exists(path, ignored);
  auto directory = OwnedDirectory::claim(path);
  if (!directory) return directory.error();
  auto database =
      std::make_unique<RocksdbDatabase>(std::move(*directory), keeps, options);
  if (Outcome failed = database->open()) return *failed;
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace awdit
