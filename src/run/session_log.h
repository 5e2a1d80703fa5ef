// What a session did, on its way to a file. Private to run/.
//
// A transaction is gathered operation by operation in buffers that are used
// again and again; it is announced before its commit is sent and completed when
// the outcome is known.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sink.h"
#include "driver/driver.h"
#include "format/format.h"
#include "run/recording_file.h"

namespace awdit {

class SessionLog {
 public:
  // The file of a worker; its transactions have times in `clock`, of `domain`
  // ("": nobody's in particular).
  static Result<std::unique_ptr<SessionLog>> create(const std::string& path,
                                                    Clock clock,
                                                    std::string_view domain);

  void begin(std::uint32_t session, std::int64_t time, std::string_view node,
             std::string_view label);
  // Of a key that does not exist: id is empty.
  void read(std::string_view key, std::optional<WriteId> id);
  void write(bool append, std::string_view key, WriteId id);
  void read_list(std::string_view key, std::span<const WriteId> ids);
  // It is about to commit.
  void announce();
  // What was announced was only its writes; all that it did follows. The
  // announcement is taken back.
  void retract();
  // `code`: why it did not commit; "": it did, or nobody knows.
  void end(Status status, std::int64_t time, std::string_view code);
  void about(std::string_view json);

  Outcome close();
  bool failed() const { return file_->failure().has_value(); }
  const Outcome& failure() const { return file_->failure(); }

 private:
  // Keys lie in one buffer, which may move while it grows.
  struct Key {
    std::size_t begin;
    std::size_t size;
  };
  SessionLog() = default;
  void clear();
  void add(OpKind kind, std::string_view key, Atom value);
  Record record();

  std::unique_ptr<RecordingFile> file_;
  std::unique_ptr<Sink> sink_;
  std::unique_ptr<Recording> recording_;
  std::size_t announced_ = 0;  // where in the file the announcement begins
  std::uint32_t session_ = 0;
  std::int64_t begin_ = 0;
  std::string_view node_, label_;
  std::string keys_;
  std::vector<Key> key_of_;  // [op]
  std::vector<Record::Op> ops_;
  std::vector<Term> elements_;      // of all lists
  std::vector<std::size_t> lists_;  // [op] -> elements before it
};

}  // namespace awdit
