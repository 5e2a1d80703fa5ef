// The lines of the exec protocol that a driver answers with, taken apart.
// Private to driver/.
//
// Nothing is guessed: what is no reply is a mistake with a message that tells
// the author what was expected. docs/drivers/exec.md is what authors read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/exec_value.h"

namespace awdit {

// What a driver says of itself and its database.
struct ExecHello {
  std::string name;
  std::vector<std::string> levels;
  std::optional<std::string> claims;  // nothing: it does not say
  bool interactive = false;
  bool batch = false;
  bool lists = false;
  bool multiplexed = false;
};

// An operation of a transaction that was sent as a whole.
struct ExecOp {
  std::string kind;
  std::string key;
  ExecValue value;
};

struct ExecReply {
  std::uint64_t session = 0;
  std::uint64_t id = 0;  // 0: it answers to hello
  bool ok = true;
  std::string outcome = {};  // of what is not ok: "aborted", "unknown", ""
  bool retry = true;
  std::string why = {};
  std::optional<ExecValue> value = {};
  std::optional<std::vector<ExecOp>> ops = {};
  std::optional<ExecHello> hello = {};
};

class ExecReader {
 public:
  ExecReader();
  ~ExecReader();
  // Nothing: mistake() says what is wrong with the line.
  std::optional<ExecReply> read(std::string_view line);
  const std::string& mistake() const { return mistake_; }

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::string mistake_;
};

}  // namespace awdit
