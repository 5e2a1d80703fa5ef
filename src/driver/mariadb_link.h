// A connection to a MariaDB server, by MariaDB Connector/C: opening it, asking
// for one value, and prepared statements of the few shapes that we need.
//
// Failures are numbers (mariadb_answers.h) with a text; 0 is success. No text
// holds the password, be it the URL's or that of MYSQL_PWD.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "driver/driver.h"
#include "driver/mariadb_url.h"

struct st_mysql;
struct st_mysql_stmt;

namespace awdit {

class MariadbLink {
 public:
  static Result<MariadbLink> open(const MariadbAddress& address,
                                  unsigned timeout_seconds);

  // 0, or the number of the error.
  unsigned query(std::string_view sql);
  // Likewise, with the first column of the first row, "" if there is none.
  unsigned ask(std::string_view sql, std::string& value);
  // Of the last error.
  std::string message() const;
  Error error() const;

  unsigned long id() const;  // what KILL wants
  st_mysql* handle() const { return handle_.get(); }
  const std::vector<std::string>& secrets() const { return secrets_; }

 private:
  struct Close {
    void operator()(st_mysql* handle) const;
  };
  MariadbLink(std::unique_ptr<st_mysql, Close> handle,
              const MariadbAddress& address);

  std::unique_ptr<st_mysql, Close> handle_;
  std::string where_;
  std::vector<std::string> secrets_;
};

// Of a server of our own, which lets everybody in who reaches the socket.
MariadbAddress own_mariadb(const std::string& socket);

// What such a server is asked until it is ready; see MariadbServers::Ready.
bool mariadb_ready(const std::string& socket, bool in_cluster);

// "Text" stands for bytes here.
class MariadbStatement {
 public:
  // Not prepared, with `error()` set, if the server does not accept it.
  MariadbStatement(const MariadbLink& link, std::string_view sql);

  unsigned error() const { return error_; }
  const std::string& message() const { return message_; }

  // Statements without a result.
  bool run(std::string_view key, std::string_view text);
  bool run(std::string_view key, WriteId id, std::string_view text);
  unsigned long long affected() const;

  // Statements that give one row or none; false: see error().
  struct Found {
    bool row = false;
    WriteId id = 0;
  };
  // Columns: the text alone, or an id and the text.
  bool find_text(std::string_view key, Found& found, std::string& text);
  bool find_pair(std::string_view key, Found& found, std::string& text);

 private:
  struct Close {
    void operator()(st_mysql_stmt* handle) const;
  };
  bool failed();
  bool find(std::string_view key, bool with_id, Found& found,
            std::string& text);

  std::unique_ptr<st_mysql_stmt, Close> handle_;
  std::vector<std::string> secrets_;
  unsigned error_ = 0;
  std::string message_;
};

}  // namespace awdit
