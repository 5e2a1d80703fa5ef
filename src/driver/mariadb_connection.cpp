#include "driver/mariadb_connection.h"

#include "driver/list_text.h"
#include "driver/mariadb_answers.h"

namespace awdit {
namespace {

class MariadbConnection final : public Connection {
 public:
  MariadbConnection(MariadbLink link, const MariadbBegin& begin,
                    std::function<void()> gone)
      : link_(std::move(link)),
        begin_(begin),
        gone_(std::move(gone)),
        read_(link_, "SELECT wid, payload FROM awdit_kv WHERE k = ?"),
        locking_read_(
            link_, "SELECT wid, payload FROM awdit_kv WHERE k = ? FOR UPDATE"),
        write_(link_,
               "INSERT INTO awdit_kv (k, wid, payload) VALUES (?, ?, ?) "
               "ON DUPLICATE KEY UPDATE "
               "wid = VALUES(wid), payload = VALUES(payload)"),
        append_(link_,
                "INSERT INTO awdit_lists (k, elements) VALUES (?, ?) "
                "ON DUPLICATE KEY UPDATE "
                "elements = CONCAT(elements, ',', VALUES(elements))"),
        read_list_(link_, "SELECT 0, elements FROM awdit_lists WHERE k = ?") {}
  ~MariadbConnection() override { gone_(); }

  // The statement that the server did not accept, if any.
  const MariadbStatement* rejected() const {
    for (const MariadbStatement* statement :
         {&read_, &locking_read_, &write_, &append_, &read_list_}) {
      if (statement->error() != 0) return statement;
    }
    return nullptr;
  }

  Answer begin(bool read_only) override {
    return say(read_only ? begin_.reading : begin_.writing, false);
  }

  Answer read(std::string_view key, Content& content) override {
    return read_by(read_, key, content);
  }

  Answer read_for_update(std::string_view key, Content& content) override {
    return read_by(locking_read_, key, content);
  }

  Answer write(std::string_view key, WriteId id,
               std::string_view payload) override {
    if (!write_.run(key, id, payload)) return conclude(write_);
    if (write_.affected() == 0) return odd("a write that wrote nothing");
    return Answer::done;
  }

  Answer append(std::string_view key, WriteId element) override {
    if (!append_.run(key, std::nullopt, std::to_string(element)))
      return conclude(append_);
    if (append_.affected() == 0) return odd("an append that appended nothing");
    return Answer::done;
  }

  Answer read_list(std::string_view key,
                   std::vector<WriteId>& elements) override {
    elements.clear();
    if (!read_list_.find(key, found_, text_)) return conclude(read_list_);
    if (!found_.row) return Answer::absent;
    if (!parse_list(text_, elements)) return odd("a list that is not ours");
    return Answer::done;
  }

  Answer commit() override { return say("COMMIT", true); }
  Answer rollback() override { return say("ROLLBACK", false); }

  const Trouble& trouble() const override { return trouble_; }

 private:
  Answer read_by(MariadbStatement& statement, std::string_view key,
                 Content& content) {
    if (!statement.find(key, found_, content.payload)) {
      return conclude(statement);
    }
    content.id = found_.id;
    return found_.row ? Answer::done : Answer::absent;
  }

  Answer say(std::string_view sql, bool committing) {
    const unsigned error = link_.query(sql);
    if (error == 0) return Answer::done;
    trouble_ = {.code = std::to_string(error), .text = link_.message()};
    return answer_of_mariadb(error, committing);
  }

  Answer conclude(const MariadbStatement& statement) {
    trouble_ = {.code = std::to_string(statement.error()),
                .text = statement.message()};
    return answer_of_mariadb(statement.error(), false);
  }

  Answer odd(std::string text) {
    trouble_ = {.code = "odd", .text = std::move(text)};
    return Answer::fatal;
  }

  MariadbLink link_;  // goes after its statements
  const MariadbBegin begin_;
  const std::function<void()> gone_;
  MariadbStatement read_;
  MariadbStatement locking_read_;
  MariadbStatement write_;
  MariadbStatement append_;
  MariadbStatement read_list_;
  MariadbStatement::Found found_;
  std::string text_;
  Trouble trouble_;
};

}  // namespace

Result<std::unique_ptr<Connection>> make_mariadb_connection(
    MariadbLink link, const MariadbBegin& begin, std::function<void()> gone) {
  auto connection = std::make_unique<MariadbConnection>(std::move(link), begin,
                                                        std::move(gone));
  if (const MariadbStatement* rejected = connection->rejected()) {
    return Error{.message = rejected->message()};
  }
  return std::unique_ptr<Connection>(std::move(connection));
}

}  // namespace awdit
