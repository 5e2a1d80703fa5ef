// What the formats of Jepsen share when they are read: operations in pairs.
// Private to format/.
//
// A recorder notes each operation of a process twice: its invocation, and its
// completion, which is ok, fail or info. An OpSource turns each map or object
// of a piece of its file into a frame and hands the frames over in order; here
// they become transactions of a shard, as soon as they complete.
//
// Some things a file tells only on the way: whether all operations have times,
// whether :index orders them, whether reads return lists. They are guessed from
// the first operation; where a later one refutes a guess, the file is read
// again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_index.h"
#include "base/input.h"
#include "base/result.h"
#include "history/builder.h"

namespace awdit {

// A stretch of the file; empty: nothing.
struct Stretch {
  std::size_t from = 0;
  std::size_t size = 0;
  bool empty() const { return size == 0; }
};

// One operation of the file; its value is parsed only where it is needed.
struct OpFrame {
  enum class Type : std::uint8_t { none, invoke, ok, fail, info };
  enum class Who : std::uint8_t { nobody, client, other };
  struct Number {
    enum class Given : std::uint8_t { no, nil, yes };
    Given given = Given::no;
    std::int64_t value = 0;
    bool is_given() const { return given == Given::yes; }
  };
  Type type = Type::none;
  Who who = Who::nobody;     // other: a nemesis
  std::int64_t process = 0;  // of a client
  Number index = {}, time = {};
  // Ours, for what :index cannot say: see docs/formats/jepsen-edn.md.
  Number id = {}, at = {};
  bool registers = false;
  std::size_t offset = 0;  // of the operation
  Stretch value = {};      // empty: nil or none

  // Forgets all; cheaper than a fresh one.
  void begin(std::size_t new_offset) {
    type = Type::none;
    who = Who::nobody;
    registers = false;
    for (Number* number : {&index, &time, &id, &at}) {
      number->given = Number::Given::no;
    }
    offset = new_offset;
    value.size = 0;
  }
};

// The micro-operations of one transaction.
struct MicroOps {
  struct Op {
    OpKind kind = OpKind::read;
    Atom key = {};
    Atom value = Atom::nil();  // read_list: not looked at
    std::size_t first = 0;     // read_list: into elements
    std::size_t size = 0;      // likewise
    std::size_t offset = 0;    // in the file
  };
  std::vector<Op> ops;
  std::vector<Atom> elements;

  void clear() {
    ops.clear();
    elements.clear();
  }
};

// The guesses.
struct OpPlan {
  bool begun = false;  // the first operation has been seen
  Clock clock = Clock::none;
  enum class Numbering : std::uint8_t {
    ascending,  // :index is on each operation and ascends along the file
    unsorted,   // ... is on each operation, all different
    positions,  // ... is not used: it is missing here and there, or repeats
    absent,     // ... is not in the file
  };
  Numbering numbering = Numbering::ascending;
  bool own_ids = true;    // `id` of frames is to be used
  bool processes = true;  // operations name theirs
  enum class Model : std::uint8_t { unknown, lists, registers };
  Model model = Model::unknown;
  bool model_is_certain = false;  // a write told it, not a read

  // Whether places in the file name anything.
  bool counts() const {
    return !own_ids || !processes || numbering == Numbering::positions ||
           numbering == Numbering::absent;
  }
};

class JepsenOps;

// A reader of operations, for one thread at a time.
class OpSource {
 public:
  virtual ~OpSource() = default;
  // Hands operations to `ops`, as PieceReader::read has it, until add() returns
  // false.
  virtual std::size_t read(std::size_t from, std::size_t to,
                           JepsenOps& ops) = 0;
  // Why read() came no further, if that was not the wish of `ops`.
  virtual Outcome error() = 0;
  // The micro-operations of a value that a source of this file saw.
  virtual Outcome read_value(Stretch value, JepsenOps& ops,
                             MicroOps& result) = 0;
};

// What is to be read.
struct OpFile {
  const Input& input;
  std::size_t first = 0;  // place of the first operation, or of what is there
  std::size_t head = 0;   // length of how it begins, up to its first key
  std::size_t end = 0;
  std::function<std::unique_ptr<OpSource>()> source;
};

// Reads the file, as often as needed. Errors have their places in its input.
Result<History> read_jepsen(const OpFile& file, unsigned threads);

// The operations of a piece of the file.
class JepsenOps {
 public:
  // What is wanted of them.
  enum class Aim : std::uint8_t {
    begin,  // the plan that the first one suggests
    count,  // how many there are
    emit,   // transactions
  };
  struct Piece {
    std::size_t from = 0, to = 0;  // places in the file
    std::int64_t position = 0;     // operations before it
  };
  JepsenOps(const OpFile& file, const OpPlan& plan, Aim aim, OpSource& source,
            Builder::Shard& shard, const Piece& piece);

  // An atom for a text of the piece.
  Atom string(std::string_view text) { return shard_.string(text); }
  // Whether [1 2] as what a read returned is a value, not a list of values.
  bool lists_are_values() const {
    return plan_.model == OpPlan::Model::registers;
  }
  bool wants_values() const { return aim_ == Aim::emit; }

  // Takes the next operation. `ops`: its micro-operations, where the source has
  // parsed them; otherwise nullptr. False: no more are wanted.
  bool add(const OpFrame& frame, const MicroOps* ops);
  bool wants_more() const { return !error_ && !refuted_ && !found_; }

 private:
  friend class JepsenPieces;

  struct Moment {
    std::int64_t time = kNoTime;
    std::int64_t mark = kNoTime;  // its place among all moments
  };
  struct Invocation {
    Moment moment = {};
    std::int64_t label = 0;
    std::uint32_t line = 0;
    std::size_t offset = 0;
    Stretch value = {};
  };
  struct Client {
    std::int64_t process = 0;
    bool begins = false;  // its first operation in the piece is an invocation
    bool open = false;    // `last` has not completed
    bool fresh = true;
    Invocation last = {};
  };
  // The first operation of a client in the piece, if it is a completion: its
  // invocation may stand in a piece before.
  struct Pending {
    std::int64_t process = 0;
    std::int64_t label = 0;
    Status status = {};
    Moment end = {};
    bool has_value = false;
    std::size_t offset = 0;  // of the completion
  };

  void guess(const OpFrame& frame);
  bool examine(const OpFrame& frame);
  bool examine_index(const OpFrame& frame);
  bool examine(const MicroOps::Op& op);
  bool is_usual(const MicroOps::Op& op) const;
  bool refute() {
    refuted_ = true;
    return false;
  }
  bool fail(std::size_t offset, std::string message, std::string hint);
  bool use_positions();
  bool use_model(OpPlan::Model model, bool certain);
  std::int64_t label_of(const OpFrame& frame) const;
  Moment moment_of(const OpFrame& frame) const;
  Client& client_of(std::int64_t process);
  bool complete(const OpFrame& frame, Client* client, const MicroOps* ops);
  bool read_value(Stretch value);
  bool settle(const Pending& pending, const Invocation* begun);
  bool abandon(Client& client);
  bool emit(const MicroOps& ops, bool keep_nil);
  void select(Atom session, std::int64_t label, Status status,
              std::uint32_t line);
  bool note_times(Moment begin, Moment end, std::size_t offset);
  std::uint32_t line_of(std::size_t offset);
  void reserve();
  bool follow(JepsenOps& piece);
  bool close();

  const OpFile& file_;
  OpPlan plan_;
  Aim aim_;
  OpSource& source_;
  Builder::Shard& shard_;
  MicroOps scratch_;
  std::vector<Client> clients_;
  static constexpr std::size_t kDirectClients = 1024;
  std::vector<std::uint32_t> slots_;  // [process] -> client, of small ones
  FlatIndex client_index_;            // of the others
  std::vector<Pending> pending_;
  std::vector<std::int64_t> indices_;  // all, with Numbering::unsorted
  std::int64_t first_index_ = kNoTime;
  std::int64_t last_index_ = kNoTime;
  std::int64_t position_;      // of the operation in the file
  std::uint32_t emitted_ = 0;  // transactions
  std::size_t elements_ = 0;   // of the lists in them
  bool any_time_ = false;
  bool any_at_ = false;      // given, if only as nil
  bool any_scalar_ = false;  // read; neither nil nor a list
  bool ignored_invocations_ = false;
  bool flagged_ = false;  // an operation told the model
  Piece piece_;
  std::size_t counted_;  // the place up to which lines are counted
  std::uint32_t line_ = 0;
  bool refuted_ = false;
  bool found_ = false;  // Aim::begin has been reached
  Outcome error_;
};

}  // namespace awdit
