#include "driver/mariadb_link.h"

#include <errmsg.h>
#include <mysql.h>

#include <array>
#include <cstdlib>
#include <mutex>

#include "base/password.h"

namespace awdit {
namespace {

const char* or_null(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

MYSQL_BIND bytes_parameter(std::string_view bytes) {
  MYSQL_BIND bind{};
  bind.buffer_type = MYSQL_TYPE_BLOB;
  // The library only reads from it.
  bind.buffer = const_cast<char*>(bytes.data() ? bytes.data() : "");
  bind.buffer_length = bytes.size();
  return bind;
}

MYSQL_BIND id_place(WriteId& id) {
  MYSQL_BIND bind{};
  bind.buffer_type = MYSQL_TYPE_LONGLONG;
  bind.buffer = &id;
  bind.is_unsigned = 1;
  return bind;
}

}  // namespace

// -- links --------------------------------------------------------------------

void MariadbLink::Close::operator()(st_mysql* handle) const {
  mysql_close(handle);
}

MariadbLink::MariadbLink(std::unique_ptr<st_mysql, Close> handle,
                         const MariadbAddress& address)
    : handle_(std::move(handle)), where_(address.text()) {
  if (!address.password.empty()) secrets_.push_back(address.password);
  const char* const usual = std::getenv("MYSQL_PWD");
  if (usual != nullptr && *usual != '\0') secrets_.emplace_back(usual);
}

Result<MariadbLink> MariadbLink::open(const MariadbAddress& address,
                                      unsigned timeout_seconds) {
  static std::once_flag initialised;  // not safe in several threads
  std::call_once(initialised, [] { mysql_library_init(0, nullptr, nullptr); });

  MariadbLink link(std::unique_ptr<st_mysql, Close>(mysql_init(nullptr)),
                   address);
  MYSQL* const handle = link.handle();
  if (handle == nullptr) return Error{.message = "out of memory"};
  if (address.option_files) {
    // Also reads [client].
    mysql_options(handle, MYSQL_READ_DEFAULT_GROUP, "awdit");
  }
  mysql_options(handle, MYSQL_OPT_CONNECT_TIMEOUT, &timeout_seconds);
  // A little longer: what the server refuses in time must reach us.
  const unsigned read_timeout = timeout_seconds + 2;
  mysql_options(handle, MYSQL_OPT_READ_TIMEOUT, &read_timeout);
  mysql_options(handle, MYSQL_OPT_WRITE_TIMEOUT, &timeout_seconds);
  // Keys and payloads are bytes.
  mysql_options(handle, MYSQL_SET_CHARSET_NAME, "binary");
  if (!address.tls_authority.empty() || !address.tls_certificate.empty()) {
    mysql_ssl_set(handle, or_null(address.tls_key),
                  or_null(address.tls_certificate),
                  or_null(address.tls_authority), nullptr, nullptr);
  }
  if (address.tls || address.tls_verify) {
    const my_bool on = 1;
    mysql_options(handle, MYSQL_OPT_SSL_ENFORCE, &on);
    if (address.tls_verify) {
      mysql_options(handle, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &on);
    }
  }
  // What is null comes from option files and, the password, from MYSQL_PWD: not
  // for servers of our own, which have none.
  const char* const password = address.option_files ? or_null(address.password)
                                                    : address.password.c_str();
  if (mysql_real_connect(handle, or_null(address.host), or_null(address.user),
                         password, or_null(address.database), address.port,
                         or_null(address.socket), 0) == nullptr) {
    return link.error();
  }
  return link;
}

unsigned MariadbLink::query(std::string_view sql) {
  std::string ignored;
  return ask(sql, ignored);
}

unsigned MariadbLink::ask(std::string_view sql, std::string& value) {
  value.clear();
  if (mysql_real_query(handle_.get(), sql.data(), sql.size()) != 0) {
    return mysql_errno(handle_.get());
  }
  MYSQL_RES* const result = mysql_store_result(handle_.get());
  if (result == nullptr) return mysql_errno(handle_.get());
  const MYSQL_ROW row = mysql_fetch_row(result);
  if (row != nullptr && row[0] != nullptr) {
    value.assign(row[0], mysql_fetch_lengths(result)[0]);
  }
  mysql_free_result(result);
  return 0;
}

std::string MariadbLink::message() const {
  return without_secrets(mysql_error(handle_.get()), secrets_);
}

Error MariadbLink::error() const {
  return Error{.where = where_, .message = message()};
}

unsigned long MariadbLink::id() const { return mysql_thread_id(handle_.get()); }

// -- servers of our own -------------------------------------------------------

MariadbAddress own_mariadb(const std::string& socket) {
  MariadbAddress address;
  address.socket = socket;
  address.user = "root";
  address.database = "awdit";
  address.option_files = false;
  return address;
}

bool mariadb_ready(const std::string& socket, bool in_cluster) {
  MariadbAddress address = own_mariadb(socket);
  address.database.clear();
  auto link = MariadbLink::open(address, 5);
  if (!link) return false;
  std::string state;
  if (in_cluster &&
      (link->ask("SELECT variable_value FROM information_schema.global_status "
                 "WHERE variable_name = 'wsrep_local_state_comment'",
                 state) != 0 ||
       state != "Synced")) {
    return false;
  }
  return link->query("CREATE DATABASE IF NOT EXISTS awdit") == 0;
}

// -- statements ---------------------------------------------------------------

void MariadbStatement::Close::operator()(st_mysql_stmt* handle) const {
  mysql_stmt_close(handle);
}

MariadbStatement::MariadbStatement(const MariadbLink& link,
                                   std::string_view sql)
    : handle_(mysql_stmt_init(link.handle())), secrets_(link.secrets()) {
  if (handle_ == nullptr) {
    error_ = CR_OUT_OF_MEMORY;
    message_ = "out of memory";
  } else if (mysql_stmt_prepare(handle_.get(), sql.data(), sql.size()) != 0) {
    failed();
  }
}

// Takes note of the error; always false.
bool MariadbStatement::failed() {
  error_ = mysql_stmt_errno(handle_.get());
  message_ = without_secrets(mysql_stmt_error(handle_.get()), secrets_);
  return false;
}

bool MariadbStatement::run(std::string_view key, std::string_view text) {
  std::array<MYSQL_BIND, 2> parameters = {bytes_parameter(key),
                                          bytes_parameter(text)};
  return (!mysql_stmt_bind_param(handle_.get(), parameters.data()) &&
          !mysql_stmt_execute(handle_.get())) ||
         failed();
}

bool MariadbStatement::run(std::string_view key, WriteId id,
                           std::string_view text) {
  std::array<MYSQL_BIND, 3> parameters = {bytes_parameter(key), id_place(id),
                                          bytes_parameter(text)};
  return (!mysql_stmt_bind_param(handle_.get(), parameters.data()) &&
          !mysql_stmt_execute(handle_.get())) ||
         failed();
}

unsigned long long MariadbStatement::affected() const {
  return mysql_stmt_affected_rows(handle_.get());
}

bool MariadbStatement::find(std::string_view key, bool with_id, Found& found,
                            std::string& text) {
  found = {};
  MYSQL_BIND parameter = bytes_parameter(key);
  unsigned long length = 0;
  if (text.capacity() < 64) text.reserve(64);
  text.resize(text.capacity());
  std::array<MYSQL_BIND, 2> columns{};
  MYSQL_BIND& text_column = columns[with_id ? 1 : 0];
  if (with_id) columns[0] = id_place(found.id);
  text_column.buffer_type = MYSQL_TYPE_BLOB;
  text_column.buffer = text.data();
  text_column.buffer_length = text.size();
  text_column.length = &length;
  MYSQL_STMT* const handle = handle_.get();
  if (mysql_stmt_bind_param(handle, &parameter) != 0 ||
      mysql_stmt_execute(handle) != 0 ||
      mysql_stmt_bind_result(handle, columns.data()) != 0 ||
      mysql_stmt_store_result(handle) != 0) {
    failed();
    mysql_stmt_free_result(handle);
    return false;
  }
  const int fetched = mysql_stmt_fetch(handle);
  found.row = fetched == 0 || fetched == MYSQL_DATA_TRUNCATED;
  bool good = found.row || fetched == MYSQL_NO_DATA || failed();
  if (fetched == MYSQL_DATA_TRUNCATED) {
    text.resize(length);
    text_column.buffer = text.data();
    text_column.buffer_length = text.size();
    good = mysql_stmt_fetch_column(handle, &text_column, with_id ? 1 : 0, 0) ==
               0 ||
           failed();
  }
  text.resize(found.row ? length : 0);
  mysql_stmt_free_result(handle);
  return good;
}

bool MariadbStatement::find_text(std::string_view key, Found& found,
                                 std::string& text) {
  return find(key, false, found, text);
}

bool MariadbStatement::find_pair(std::string_view key, Found& found,
                                 std::string& text) {
  return find(key, true, found, text);
}

}  // namespace awdit
