#include "driver/postgres_connection.h"

#include <array>
#include <utility>

#include "driver/list_text.h"

namespace awdit {
namespace {

constexpr const char* kRead = "awdit_read";
constexpr const char* kLockingRead = "awdit_locking_read";
constexpr const char* kWrite = "awdit_write";
constexpr const char* kAppend = "awdit_append";
constexpr const char* kReadList = "awdit_read_list";

constexpr const char* kReadSql =
    "SELECT wid, payload FROM awdit_kv WHERE k = $1";
constexpr const char* kLockingReadSql =
    "SELECT wid, payload FROM awdit_kv WHERE k = $1 FOR UPDATE";
constexpr const char* kWriteSql =
    "INSERT INTO awdit_kv (k, wid, payload) VALUES ($1, $2, $3) "
    "ON CONFLICT (k) DO UPDATE SET wid = excluded.wid, "
    "payload = excluded.payload";
// CockroachDB's own word; it does not read the row first.
constexpr const char* kUpsertSql =
    "UPSERT INTO awdit_kv (k, wid, payload) VALUES ($1, $2, $3)";
constexpr const char* kAppendSql =
    "INSERT INTO awdit_lists (k, elements) VALUES ($1, $2) "
    "ON CONFLICT (k) DO UPDATE SET "
    "elements = awdit_lists.elements || ',' || excluded.elements";
constexpr const char* kReadListSql =
    "SELECT elements FROM awdit_lists WHERE k = $1";

// BIGINT on the wire.
std::array<char, 8> to_wire(WriteId id) {
  std::array<char, 8> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(id >> (56 - 8 * i));
  }
  return bytes;
}

WriteId from_wire(std::string_view bytes) {
  WriteId id = 0;
  for (const char byte : bytes) id = id << 8 | static_cast<unsigned char>(byte);
  return id;
}

class PostgresConnection final : public Connection {
 public:
  PostgresConnection(std::unique_ptr<PostgresLink> link,
                     const PostgresTerms& terms)
      : link_(std::move(link)),
        begin_("BEGIN ISOLATION LEVEL " + terms.level),
        begin_read_only_(begin_ + " READ ONLY") {
    if (terms.standby) begin_ = begin_read_only_;
  }

  Answer begin(bool read_only) override {
    return link_->query(read_only ? begin_read_only_ : begin_);
  }

  Answer read(std::string_view key, Content& content) override {
    return read_by(kRead, key, content);
  }

  Answer read_for_update(std::string_view key, Content& content) override {
    return read_by(kLockingRead, key, content);
  }

  Answer write(std::string_view key, WriteId id,
               std::string_view payload) override {
    const std::array<char, 8> wire = to_wire(id);
    const std::array<std::string_view, 3> values = {
        key, std::string_view(wire.data(), wire.size()), payload};
    return expect_one_row(link_->execute(kWrite, values));
  }

  Answer append(std::string_view key, WriteId element) override {
    const std::string digits = std::to_string(element);
    const std::array<std::string_view, 2> values = {key, digits};
    return expect_one_row(link_->execute(kAppend, values));
  }

  Answer read_list(std::string_view key,
                   std::vector<WriteId>& elements) override {
    elements.clear();
    const std::array<std::string_view, 1> values = {key};
    const Answer answer = link_->execute(kReadList, values);
    if (answer != Answer::done) return answer;
    if (link_->rows() == 0) return Answer::absent;
    if (parse_list(link_->cell(0, 0), elements)) return Answer::done;
    link_->say_no("22023", "a list holds something that is no list of ours");
    return Answer::fatal;
  }

  Answer commit() override {
    // Without a transaction (somebody between us and the server ended it)
    // COMMIT is answered by a warning and the same tag.
    if (link_->idle()) return link_->say_no("25P01", "there is no transaction");
    const Answer answer = link_->query("COMMIT", Phase::commit);
    if (answer != Answer::done || link_->tag() == "COMMIT") return answer;
    // The transaction had failed before: this is how PostgreSQL puts it.
    return link_->say_no("25P02",
                         "COMMIT was answered by " + std::string(link_->tag()));
  }

  Answer rollback() override {
    if (link_->idle()) return Answer::done;
    return link_->query("ROLLBACK");
  }

  const Trouble& trouble() const override { return link_->trouble(); }

 private:
  Answer read_by(const char* statement, std::string_view key,
                 Content& content) {
    const std::array<std::string_view, 1> values = {key};
    const Answer answer = link_->execute(statement, values);
    if (answer != Answer::done) return answer;
    if (link_->rows() == 0) return Answer::absent;
    content.id = from_wire(link_->cell(0, 0));
    content.payload.assign(link_->cell(0, 1));
    return Answer::done;
  }

  // A write that touched no row did not happen (a trigger, a rule), and must
  // not be recorded as one.
  Answer expect_one_row(Answer answer) {
    if (answer != Answer::done || link_->affected_rows() == 1) return answer;
    return link_->say_no("02000", "the write touched " +
                                      std::to_string(link_->affected_rows()) +
                                      " rows instead of one");
  }

  std::unique_ptr<PostgresLink> link_;
  std::string begin_;
  std::string begin_read_only_;
};
}  // namespace

std::string postgres_level(std::string_view promise, bool standby) {
  if (standby && promise == "serializable") promise = "repeatable-read";
  std::string level;
  for (const char c : promise) {
    level += c == '-' ? ' ' : static_cast<char>(c - 'a' + 'A');
  }
  return level;
}

Result<std::unique_ptr<Connection>> make_postgres_connection(
    std::unique_ptr<PostgresLink> link, const PostgresTerms& terms) {
  link->set_product(terms.product);
  if (terms.asynchronous_commit &&
      link->query("SET synchronous_commit = off") != Answer::done) {
    return link->error("the server does not turn synchronous_commit off");
  }
  // A second, as servers have it, is an eternity for those who wait behind two
  // that wait for each other. Those who do not know the settings need none.
  if (terms.sets_deadlock_timeout) link->query("SET deadlock_timeout = 100");
  if (terms.lock_milliseconds != 0) {
    link->query("SET lock_timeout = " +
                std::to_string(terms.lock_milliseconds));
  }
  const bool upsert = terms.product == PostgresProduct::cockroachdb;
  const std::pair<const char*, const char*> statements[] = {
      {kRead, kReadSql},
      {kLockingRead, kLockingReadSql},
      {kWrite, upsert ? kUpsertSql : kWriteSql},
      {kAppend, kAppendSql},
      {kReadList, kReadListSql}};
  for (const auto& [name, sql] : statements) {
    if (link->prepare(name, sql) != Answer::done) {
      return link->error("the server does not prepare our statements");
    }
  }
  return std::unique_ptr<Connection>(
      std::make_unique<PostgresConnection>(std::move(link), terms));
}

}  // namespace awdit
