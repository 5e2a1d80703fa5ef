// What a database can be asked, and what it answers: what drivers implement.
// Front door.
//
// A database gives each session a connection of its own, and says of every
// request what became of it - not what that means for the transaction, which
// src/run concludes from the phase in which it happened.
//
// Contents carry the id of the write that stored them, in a place of its own
// beside the payload, so that a read tells whose write it saw. Id 0 is what was
// loaded before the run. Keys are texts without NUL bytes, at most kMaxKey
// long.
//
// No password ever leaves a database: not in describe(), not in a Trouble, not
// in an Error.
// Threads: a Database may be asked by several threads at once (connect,
// faults); a Connection belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/result.h"

namespace awdit {

// Names a write: the run (16 bits, not 0), the session (16), a count (31). Bit
// 63 is 0, as in other tools' ids. 0: none of the run's writes.
using WriteId = std::uint64_t;

inline constexpr std::size_t kMaxKey = 250;

// -- a session's connection ---------------------------------------------------

// What came back.
enum class Answer : std::uint8_t {
  done,       // as asked
  absent,     // read, read_list: there is no such key
  refused,    // the database said no; the transaction cannot commit any more
  lost,       // no answer: the connection broke, or it took too long
  ambiguous,  // the database does not know itself whether it committed
  fatal,      // it makes no sense to go on: a wrong table, a full disk
};

// Why an answer is none of the first two.
struct Trouble {
  std::string code;    // SQLSTATE or the engine's word: "40001", "busy"
  std::string text;    // for people; one line
  bool lasts = false;  // asking again is in vain
};

// What the code means, in a few words: "serialization failure"; "": it says so
// itself, or nobody knows.
std::string_view trouble_name(std::string_view code);

struct Content {
  WriteId id = 0;
  std::string payload;
};

// A step of a transaction that is sent as a whole.
struct WholeStep {
  enum class Kind : std::uint8_t { read, write, append, read_list };
  Kind kind = Kind::read;
  std::string key = {};
  WriteId id = 0;            // write, append: of this one; read: what it found
  std::string payload = {};  // likewise
  bool exists = false;       // read, read_list: whether there is such a key
  std::vector<WriteId> elements = {};  // read_list
};

class Connection {
 public:
  virtual ~Connection() = default;
  // `read_only`: the transaction will write nothing (a standby accepts it).
  virtual Answer begin(bool read_only) = 0;
  virtual Answer read(std::string_view key, Content& content) = 0;
  // SQL's SELECT ... FOR UPDATE; where there is no such thing: a read.
  virtual Answer read_for_update(std::string_view key, Content& content) {
    return read(key, content);
  }
  // Eager: it has been executed when this returns. Creates the key if need be.
  virtual Answer write(std::string_view key, WriteId id,
                       std::string_view payload) = 0;
  // Of drivers with lists: keys of lists and of contents are apart.
  virtual Answer append(std::string_view key, WriteId element);
  virtual Answer read_list(std::string_view key,
                           std::vector<WriteId>& elements);
  // done: it did commit. refused: it did not.
  virtual Answer commit() = 0;
  // Of databases that take transactions whole: all of it and its commit, whose
  // answer it is; done: the reads have found what they say now.
  virtual Answer transact(std::vector<WholeStep>& steps, bool read_only);
  // Also after `refused`, to be able to begin again; lost: connect anew.
  virtual Answer rollback() = 0;
  // Of the last answer that was neither done nor absent.
  virtual const Trouble& trouble() const = 0;
};

// -- a database ---------------------------------------------------------------

// What can be done to a database while it is used; src/driver names them.
enum class Fault : std::uint8_t {
  kill,         // kill -9 of all its processes; ends with a restart
  pause,        // SIGSTOP of all its processes; ends with SIGCONT
  terminate,    // ends the backends of some sessions
  stale,        // a standby stops replaying; ends with catching up
  drop_commit,  // replies to COMMIT do not reach the client
};

// Rows that are there before the run: calls `put` once for each.
using PutRow =
    std::function<void(std::string_view key, std::string_view payload)>;
using Rows = std::function<void(const PutRow& put)>;

class Database {
 public:
  virtual ~Database() = default;
  // Product and version, and settings that matter: one line, no credentials.
  virtual std::string describe() const = 0;
  // The level that the database says it runs at, in its own words.
  virtual std::string reported_level() const = 0;
  // What it claims to keep, of src/theory's levels, where its row in src/driver
  // cannot know that; "": nothing. Nothing at all: the row knows.
  virtual std::optional<std::string> claims() const { return std::nullopt; }
  // Whether it has lists; drivers without them do not come to be asked.
  virtual bool lists() const { return true; }
  // Transactions are sent whole, by transact(), and in no other way.
  virtual bool whole() const { return false; }
  // Endpoints; the first is the one that takes writes.
  virtual std::vector<std::string> nodes() const { return {"primary"}; }
  // Which of nodes() a session reaches when it connects to `node`: in a cluster
  // whose nodes all take writes, the first node of each session is another.
  virtual std::size_t place(unsigned session, unsigned node) const;
  // Leaves our tables empty, whatever was there; then loads the rows with id 0.
  // What is called like ours but is not marked as such stays untouched, and is
  // an error; so is another run that uses them. From then on they are locked
  // against other runs, until the database is closed.
  virtual Outcome reset(const Rows& rows) = 0;
  // Takes away what reset() made, and nothing else. REQUIRES: no session is
  // connected any more, and none will be. The default: it goes by itself.
  virtual Outcome drop();
  virtual Result<std::unique_ptr<Connection>> connect(unsigned session,
                                                      unsigned node) = 0;
  // Whether this very database can suffer it (one that we did not start cannot
  // be killed).
  virtual bool can(Fault) const { return false; }
  // Both return when the fault has taken effect, or is over.
  virtual Outcome begin_fault(Fault fault, Random& random);
  virtual Outcome end_fault(Fault fault);
};

}  // namespace awdit
