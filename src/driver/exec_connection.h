// One session of a driver: requests become lines, replies become answers.
// Private to driver/.
//
// The phase decides what silence means, as everywhere (src/run): so a reply
// that does not come is `lost`, whatever it was the answer to. Two more answers
// are the protocol's own: "unknown" to a commit is `ambiguous`, and what breaks
// the protocol is `fatal`, with the line.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "driver/exec_log.h"
#include "driver/exec_process.h"
#include "driver/exec_value.h"

namespace awdit {

// What all sessions of a run have in common.
struct ExecShared {
  std::string command;
  std::string level;  // as asked for; "": the driver's first
  std::vector<std::pair<std::string, std::string>> settings;
  std::uint64_t seed;
  std::chrono::seconds timeout;
  ExecLog log;
  ExecIds ids;
};

class ExecConnection final : public Connection {
 public:
  // Has said hello, or an error with its place and a remedy.
  static Result<std::unique_ptr<ExecConnection>> open(
      ExecShared& shared, std::shared_ptr<ExecProcess> process,
      unsigned session, unsigned node);
  ~ExecConnection() override;

  const ExecHello& hello() const { return hello_; }
  // Empties the database.
  Outcome reset();
  // Writes rows, in one transaction.
  Outcome load(const std::vector<std::pair<std::string, std::string>>& rows);

  Answer begin(bool read_only) override;
  Answer read(std::string_view key, Content& content) override;
  Answer read_for_update(std::string_view key, Content& content) override;
  Answer write(std::string_view key, WriteId id,
               std::string_view payload) override;
  Answer append(std::string_view key, WriteId element) override;
  Answer read_list(std::string_view key,
                   std::vector<WriteId>& elements) override;
  Answer commit() override;
  Answer rollback() override;
  Answer transact(std::vector<WholeStep>& steps, bool read_only) override;
  const Trouble& trouble() const override { return trouble_; }

 private:
  using Got = ExecProcess::Got;

  ExecConnection(ExecShared& shared, std::shared_ptr<ExecProcess> process,
                 unsigned session)
      : shared_(shared), process_(std::move(process)), session_(session) {}

  Outcome say_hello(unsigned node);
  // "{" and what every request begins with.
  std::string head();
  // `rest`: members of the request, each with a comma before it.
  Answer ask(std::string_view request, const std::string& rest,
             bool commits = false);
  Answer conclude(Got got);
  Answer no(const ExecReply& reply, bool commits);
  Answer fatal(const std::string& mistake);
  Answer take_content(std::string_view key, Content& content);
  bool take_list(std::string_view key, const ExecValue& value,
                 std::vector<WriteId>& elements);
  Answer take_step(const ExecOp& op, WholeStep& step);
  Error error(std::string message) const;

  ExecShared& shared_;
  const std::shared_ptr<ExecProcess> process_;
  const std::uint64_t session_;
  ExecHello hello_;
  ExecReply reply_;
  std::uint64_t id_ = 0;  // of the last request
  bool open_ = false;     // a transaction is
  bool lost_ = false;     // a reply is missing: it could come as another's
  Trouble trouble_;
};

}  // namespace awdit
