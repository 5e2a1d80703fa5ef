#include "driver/postgres_link.h"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/assert.h"
#include "base/password.h"
#include "driver/url_check.h"

namespace awdit {
namespace {

constexpr const char* kLost = "08006";     // connection_failure
constexpr const char* kTimeout = "HYT00";  // as ODBC calls it

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool gap = c == '\n' || c == '\t' || c == '\r' || c == ' ';
    if (!gap) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string or_nothing(const char* text) { return text ? text : ""; }

Trouble trouble_of(const PGresult* result) {
  const char* message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  return {.code = or_nothing(PQresultErrorField(result, PG_DIAG_SQLSTATE)),
          .text = one_line(message ? message : PQresultErrorMessage(result))};
}

std::string severity_of(const PGresult* result) {
  const char* plain = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  // Servers that are not PostgreSQL may send only the other one.
  return or_nothing(plain ? plain
                          : PQresultErrorField(result, PG_DIAG_SEVERITY));
}

bool is_good(const PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ||
         status == PGRES_COPY_IN;
}

// What libpq uses as passwords for this connection, or would.
std::vector<std::string> secrets_of(PGconn* connection) {
  std::vector<std::string> secrets;
  const auto add = [&](const char* secret) {
    if (secret && *secret) secrets.emplace_back(secret);
  };
  add(PQpass(connection));
  if (PQconninfoOption* all = PQconninfo(connection)) {
    for (const PQconninfoOption* o = all; o->keyword; ++o) {
      // '*': to be hidden when it is typed.
      if (o->dispchar && *o->dispchar == '*') add(o->val);
    }
    PQconninfoFree(all);
  }
  return secrets;
}

}  // namespace

// -- the connection -----------------------------------------------------------

void PostgresLink::FreeResult::operator()(pg_result* result) const {
  PQclear(result);
}

PostgresLink::PostgresLink(pg_conn* connection, unsigned timeout_seconds)
    : connection_(connection),
      timeout_(timeout_seconds),
      secrets_(secrets_of(connection)) {}

PostgresLink::~PostgresLink() { PQfinish(connection_); }

Result<std::unique_ptr<PostgresLink>> PostgresLink::open(
    const std::string& target, const std::string& name,
    unsigned timeout_seconds) {
  const std::string timeout = std::to_string(std::max(timeout_seconds, 2u));
  // The later ones win: a target may ask for a timeout of its own, but not for
  // another name or encoding.
  constexpr std::array<const char*, 5> keywords = {"connect_timeout", "dbname",
                                                   "application_name",
                                                   "client_encoding", nullptr};
  const std::array<const char*, 5> values = {timeout.c_str(), target.c_str(),
                                             name.c_str(), "UTF8", nullptr};
  PGconn* raw = PQconnectdbParams(keywords.data(), values.data(), 1);
  if (!raw) return Error{.message = "out of memory"};
  std::unique_ptr<PostgresLink> link(new PostgresLink(raw, timeout_seconds));
  if (PQstatus(raw) != CONNECTION_OK) {
    return Error{.message = link->scrubbed(one_line(PQerrorMessage(raw)))};
  }
  PQsetnonblocking(raw, 1);
  PQsetNoticeReceiver(raw, keep_notice, link.get());
  return link;
}

// Notices are no news, but for the last words to an idle connection.
void PostgresLink::keep_notice(void* self, const pg_result* notice) {
  const std::string severity = severity_of(notice);
  if (severity != "FATAL" && severity != "PANIC") return;
  static_cast<PostgresLink*>(self)->farewell_ = trouble_of(notice);
}

bool PostgresLink::idle() const {
  return connection_ && PQtransactionStatus(connection_) == PQTRANS_IDLE;
}

std::string PostgresLink::host() const {
  return connection_ ? or_nothing(PQhost(connection_)) : "";
}
std::string PostgresLink::port() const {
  return connection_ ? or_nothing(PQport(connection_)) : "";
}
std::string PostgresLink::database() const {
  return connection_ ? or_nothing(PQdb(connection_)) : "";
}

std::string PostgresLink::scrubbed(std::string_view text) const {
  return without_secrets(without_password(text), secrets_);
}

Answer PostgresLink::lose(std::string code, std::string_view text) {
  trouble_ = {.code = std::move(code), .text = scrubbed(text)};
  result_.reset();
  PQfinish(std::exchange(connection_, nullptr));
  return Answer::lost;
}

Answer PostgresLink::say_no(std::string code, std::string text) {
  trouble_ = {.code = std::move(code), .text = std::move(text)};
  return Answer::refused;
}

Error PostgresLink::error(const std::string& what) const {
  return {.message =
              fmt::format("{}: {} ({})", what, trouble_.text, trouble_.code)};
}

// -- sending and waiting ------------------------------------------------------

void PostgresLink::start() {
  result_.reset();
  timed_out_ = false;
  deadline_ = Clock::now() + timeout_;
}

// Whether something happened before the deadline.
bool PostgresLink::wait(short events) {
  pollfd one = {.fd = PQsocket(connection_), .events = events, .revents = 0};
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
    if (left.count() <= 0) {
      timed_out_ = true;
      return false;
    }
    const int ready = poll(&one, 1, static_cast<int>(left.count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

// Sends what libpq holds back. The server may have to be listened to first.
bool PostgresLink::flush() {
  for (;;) {
    const int left = PQflush(connection_);
    if (left == 0) return true;
    if (left < 0 || !wait(POLLIN | POLLOUT)) return false;
    if (!PQconsumeInput(connection_)) return false;
  }
}

// Awaits all results of a request. The one that is kept is the first error, or
// else the last.
Answer PostgresLink::finish(bool sent, Phase phase) {
  // Even if sending failed there may be an answer: the server's last words.
  if (sent) flush();
  while (!timed_out_) {
    while (PQisBusy(connection_) && wait(POLLIN) &&
           PQconsumeInput(connection_)) {
    }
    if (timed_out_) break;
    // Does not block: there is a result, or no connection.
    PGresult* next = PQgetResult(connection_);
    if (!next) break;
    const bool open_end = PQresultStatus(next) == PGRES_COPY_IN;
    if (result_ && !is_good(result_.get())) {
      PQclear(next);
    } else {
      result_.reset(next);
    }
    if (open_end || PQstatus(connection_) == CONNECTION_BAD) break;
  }
  return judge(phase);
}

Answer PostgresLink::judge(Phase phase) {
  if (timed_out_) {
    return lose(kTimeout, fmt::format("no answer for {} s", timeout_.count()));
  }
  if (result_ && is_good(result_.get())) return Answer::done;
  const Trouble said = result_ ? trouble_of(result_.get()) : Trouble{};
  if (said.code.empty()) {  // it is libpq that speaks: no connection
    if (!farewell_.code.empty()) return lose(farewell_.code, farewell_.text);
    return lose(kLost, one_line(said.text.empty() ? PQerrorMessage(connection_)
                                                  : said.text));
  }
  const Answer answer =
      postgres_answer(severity_of(result_.get()), said.code, phase, product_);
  if (answer == Answer::lost) return lose(said.code, said.text);
  trouble_ = {.code = said.code, .text = scrubbed(said.text)};
  return answer;
}

// -- requests -----------------------------------------------------------------

Answer PostgresLink::query(const std::string& sql, Phase phase) {
  if (lost()) return Answer::lost;
  start();
  return finish(PQsendQuery(connection_, sql.c_str()) == 1, phase);
}

Answer PostgresLink::prepare(const char* name, const char* sql) {
  if (lost()) return Answer::lost;
  start();
  return finish(PQsendPrepare(connection_, name, sql, 0, nullptr) == 1,
                Phase::body);
}

namespace {

// Parameters as libpq wants them.
struct Binary {
  std::vector<const char*> starts;
  std::vector<int> lengths;
  std::vector<int> formats;

  explicit Binary(std::span<const std::string_view> values)
      : formats(values.size(), 1) {
    for (const std::string_view value : values) {
      // A null pointer would be NULL.
      starts.push_back(value.data() ? value.data() : "");
      lengths.push_back(static_cast<int>(value.size()));
    }
  }
  int count() const { return static_cast<int>(starts.size()); }
};

}  // namespace

Answer PostgresLink::execute(const char* name,
                             std::span<const std::string_view> values) {
  AWDIT_ASSERT(values.size() <= 3);  // of our statements
  if (lost()) return Answer::lost;
  start();
  std::array<const char*, 3> starts{};
  std::array<int, 3> lengths{};
  constexpr std::array<int, 3> formats = {1, 1, 1};
  for (std::size_t i = 0; i < values.size(); ++i) {
    starts[i] = values[i].data() ? values[i].data() : "";  // null means NULL
    lengths[i] = static_cast<int>(values[i].size());
  }
  return finish(PQsendQueryPrepared(
                    connection_, name, static_cast<int>(values.size()),
                    starts.data(), lengths.data(), formats.data(), 1) == 1,
                Phase::body);
}

Answer PostgresLink::execute_text(const std::string& sql,
                                  std::span<const std::string_view> values) {
  if (lost()) return Answer::lost;
  start();
  const Binary binary(values);
  return finish(
      PQsendQueryParams(connection_, sql.c_str(), binary.count(), nullptr,
                        binary.starts.data(), binary.lengths.data(),
                        binary.formats.data(), 0) == 1,
      Phase::body);
}

Answer PostgresLink::begin_copy(const std::string& sql) { return query(sql); }

Answer PostgresLink::copy(std::string_view piece) {
  if (lost()) return Answer::lost;
  deadline_ = Clock::now() + timeout_;
  for (;;) {
    const int taken = PQputCopyData(connection_, piece.data(),
                                    static_cast<int>(piece.size()));
    if (taken == 1) return Answer::done;
    if (taken < 0 || !wait(POLLIN | POLLOUT)) break;
    if (!PQconsumeInput(connection_)) break;
  }
  return timed_out_ ? judge(Phase::body)
                    : lose(kLost, one_line(PQerrorMessage(connection_)));
}

Answer PostgresLink::end_copy() {
  if (lost()) return Answer::lost;
  start();
  for (;;) {
    const int taken = PQputCopyEnd(connection_, nullptr);
    if (taken != 0) return finish(taken == 1, Phase::body);
    if (!wait(POLLIN | POLLOUT)) return finish(false, Phase::body);
  }
}

// -- results ------------------------------------------------------------------

int PostgresLink::rows() const { return PQntuples(result_.get()); }

std::string_view PostgresLink::cell(int row, int column) const {
  AWDIT_ASSERT(row < rows() && column < PQnfields(result_.get()));
  return {PQgetvalue(result_.get(), row, column),
          static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

std::string_view PostgresLink::tag() const {
  return PQcmdStatus(result_.get());
}

std::uint64_t PostgresLink::affected_rows() const {
  const std::string_view digits = PQcmdTuples(result_.get());
  std::uint64_t count = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), count);
  return count;
}

// -- targets ------------------------------------------------------------------

Outcome check_postgres_target(const std::string& target) {
  if (Outcome odd = check_url(target, "~/.pgpass or PGPASSWORD")) return odd;
  char* complaint = nullptr;
  PQconninfoOption* parsed = PQconninfoParse(target.c_str(), &complaint);
  if (parsed) {
    PQconninfoFree(parsed);
    return std::nullopt;
  }
  std::string text = one_line(or_nothing(complaint));
  PQfreemem(complaint);
  const std::size_t first = text.find('"');
  const std::size_t last = text.rfind('"');
  if (first != last) text.replace(first, last - first + 1, "\"...\"");
  return Error{.message = "libpq does not understand this address: " + text,
               .hint =
                   "It looks like postgres://user@host:5432/database. Write "
                   "characters like @, : and % in a password as %40, %3A "
                   "and %25, or put it into ~/.pgpass or PGPASSWORD."};
}

bool postgres_ready(const std::string& target) {
  return PostgresLink::open(target, "awdit-start", 5).has_value();
}

}  // namespace awdit
