// Viper's logs: a directory with one file per session, one JSON object per
// line, each a committed transaction. See docs/formats/viper.md.
//
// Idea: lines are texts of their own, so files are cut at line ends into pieces
// that threads parse, straight into shards. The initial transaction, wherever
// it stands, is put aside and becomes a session before all others.
// Invariant: a transaction's label is the offset of its line in all files
// together: it grows along the session, whoever parses the piece.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "format/json_text.h"
#include "format/line.h"
#include "format/rows.h"
#include "history/builder.h"

namespace awdit {
namespace {

constexpr std::string_view kHint =
    "A line is a transaction, {\"value\": [op, ...]}; an operation is "
    "[\"r\", key, value, is_dead], [\"w\", key, value, succeeded], "
    "[\"i\" or \"d\", key, value, read_value, is_dead, succeeded].";
constexpr std::string_view kInitial = "initial";
// The shortest operation there is.
constexpr std::string_view kShortest = "[\"w\",1,1]";

struct Op {
  enum class Kind : std::uint8_t { read, write, failed_write, range };
  Kind kind;
  Atom key, value;
  const char* at = nullptr;  // range only
};

// The transaction that defines the initial state.
struct InitialTxn {
  const char* at;
  std::uint32_t line;  // of its piece
  std::vector<Op> writes;
};

// A part of a file that begins and ends at a line's border.
struct Piece {
  const JsonText* text;
  std::size_t from, to;
  std::size_t files_before;  // their bytes
  Atom session;
  std::vector<InitialTxn> initial = {};
  Outcome error = {};
};

class Parser {
 public:
  Parser(Piece& piece, Builder::Shard& shard)
      : piece_(piece), text_(*piece.text), json_(text_), shard_(shard) {}

  void run() {
    const std::string_view bytes = text_.bytes();
    shard_.reserve((piece_.to - piece_.from) / kShortest.size() + 1);
    for (std::size_t at = piece_.from; at < piece_.to; ++shard_.lines) {
      json_.enter_line(bytes.data() + at);
      if (!json_.at_line_end() &&
          !transaction(static_cast<std::int64_t>(piece_.files_before + at))) {
        if (json_.failed()) piece_.error = json_.error();
        return;
      }
      at = static_cast<std::size_t>(json_.at() - bytes.data()) + 1;
    }
  }

 private:
  bool transaction(std::int64_t label) {
    start_ = json_.at();
    if (!json_.open('{', "a transaction, an object")) return false;
    ops_.clear();
    bool has_value = false;
    bool initial = false;
    std::string_view name;
    while (json_.field(name)) {
      if (name == "value") {
        if (has_value) {
          return json_.fail(json_.at(), "\"value\" stands here twice");
        }
        has_value = true;
        if (!operations()) return false;
      } else if (name == "isInitial") {
        if (!json_.boolean(initial)) return false;
      } else if (!json_.skip()) {
        return false;
      }
    }
    if (json_.failed()) return false;
    if (!json_.at_line_end()) return json_.expected("the end of the line");
    if (!has_value) {
      return json_.fail(start_, "the transaction has no \"value\"");
    }
    return initial ? put_aside() : add(label);
  }

  bool operations() {
    if (!json_.open('[', "an array of operations")) return false;
    while (json_.next(']')) {
      const char* const start = json_.at();
      std::string_view name;
      if (!json_.open('[', "an operation, an array")) return false;
      if (!json_.string(name, "the name of an operation")) return false;
      bool fine = false;
      if (name == "r" || name == "w") {
        fine = point(name == "w");
      } else if (name == "i" || name == "d") {
        fine = modification();
      } else if (name == "range") {
        fine = range(start);
      } else {
        return json_.expected_at(name.data() - 1,
                                 "\"r\", \"w\", \"i\", \"d\" or \"range\"");
      }
      if (!fine) return false;
      while (*json_.at() == ',') {  // more than anybody needs
        if (!json_.comma() || !json_.skip()) return false;
      }
      if (!json_.close(']')) return false;
    }
    return !json_.failed();
  }

  // ["r", key, value, is_dead] or ["w", key, value, succeeded]; the last part
  // may be missing.
  bool point(bool write) {
    Atom key, value;
    if (!json_.comma() || !this->key(key)) return false;
    if (!json_.comma() || !this->value(value)) return false;
    bool flag = true;
    if (*json_.at() != ']' && (!json_.comma() || !json_.boolean(flag))) {
      return false;
    }
    ops_.push_back({!write ? Op::Kind::read
                    : flag ? Op::Kind::write
                           : Op::Kind::failed_write,
                    key, value});
    return true;
  }

  // ["i", key, value, read_value, is_dead, succeeded]
  bool modification() {
    Atom key, value, before;
    bool dead = false, succeeded = false;
    if (!json_.comma() || !this->key(key)) return false;
    if (!json_.comma() || !this->value(value)) return false;
    if (!json_.comma() || !this->value(before)) return false;
    if (!json_.comma() || !json_.boolean(dead)) return false;
    if (!json_.comma() || !json_.boolean(succeeded)) return false;
    ops_.push_back({Op::Kind::read, key, before});
    if (succeeded) ops_.push_back({Op::Kind::write, key, value});
    return true;
  }

  // ["range", from, to, rows, dead rows]; its rows become writes, for the
  // initial transaction.
  bool range(const char* start) {
    bool unbounded = true;
    for (int i = 0; i < 2; ++i) {
      Atom bound;
      std::string_view nil;
      if (!json_.comma()) return false;
      if (*json_.at() != '"') {
        unbounded = false;
        if (!key(bound)) return false;
      } else {
        if (!json_.string(nil, "a bound")) return false;
        if (nil != "nil") {
          return json_.expected_at(nil.data() - 1, "a key or \"nil\"");
        }
      }
    }
    for (int i = 0; i < 2; ++i) {
      if (!json_.comma() || !rows()) return false;
    }
    ops_.push_back(
        {Op::Kind::range, Atom::integer(unbounded ? 1 : 0), {}, start});
    return true;
  }

  // [{"id": 1, "val": 10}, ...]
  bool rows() {
    if (!json_.open('[', "an array of rows")) return false;
    while (json_.next(']')) {
      const char* const start = json_.at();
      if (!json_.open('{', "a row, an object")) return false;
      Op op{Op::Kind::write, {}, {}};
      bool has_id = false, has_val = false;
      std::string_view name;
      while (json_.field(name)) {
        if (name == "id") {
          has_id = true;
          if (!key(op.key)) return false;
        } else if (name == "val") {
          has_val = true;
          if (!value(op.value)) return false;
        } else if (!json_.skip()) {
          return false;
        }
      }
      if (json_.failed()) return false;
      if (!has_id || !has_val) {
        return json_.fail(start, "the row has no \"id\" or no \"val\"");
      }
      ops_.push_back(op);
    }
    return !json_.failed();
  }

  bool key(Atom& atom) {
    return json_.signed_integer(atom) ||
           json_.expected("a key, an integer of 64 bits");
  }

  bool value(Atom& atom) {
    if (json_.word("null")) {
      atom = Atom::integer(0);
      return true;
    }
    return json_.signed_integer(atom) ||
           json_.expected("a value, an integer of 64 bits");
  }

  bool add(std::int64_t label) {
    shard_.select(piece_.session, label);
    shard_.txn_line(shard_.lines);
    bool lost_writes = false;
    for (const Op& op : ops_) {
      switch (op.kind) {
        case Op::Kind::read:
          shard_.read(op.key, op.value);
          break;
        case Op::Kind::write:
          shard_.write(op.key, op.value);
          break;
        case Op::Kind::failed_write:
          lost_writes = true;
          break;
        case Op::Kind::range:
          piece_.error = text_.error(op.at, "range reads are not supported");
          piece_.error->hint = "Record a workload of point reads and writes.";
          return false;
      }
    }
    if (!lost_writes) return true;
    shard_.select(piece_.session, Builder::kNoLabel, Status::aborted);
    for (const Op& op : ops_) {
      if (op.kind == Op::Kind::failed_write) shard_.write(op.key, op.value);
    }
    return true;
  }

  bool put_aside() {
    std::vector<Op> writes;
    for (const Op& op : ops_) {
      if (op.kind == Op::Kind::write) {
        writes.push_back(op);
      } else if (op.kind == Op::Kind::read) {
        return json_.fail(start_, "the initial transaction reads a single key");
      } else if (op.kind == Op::Kind::range && op.key == Atom::integer(0)) {
        return json_.fail(op.at,
                          "the initial transaction's range has bounds, so it "
                          "does not tell the whole state");
      }
    }
    piece_.initial.push_back({start_, shard_.lines, std::move(writes)});
    return true;
  }

  Piece& piece_;
  const JsonText& text_;
  JsonReader json_;
  Builder::Shard& shard_;
  const char* start_ = nullptr;  // of the current transaction
  std::vector<Op> ops_;
};

// What the sessions are called: "J24" for logs/J24.log; if that is taken, too,
// "J24.log"; if that is taken, the whole path.
std::vector<std::string_view> names_of(std::span<const Input> files) {
  const auto file_name = [](std::string_view path) {
    return path.substr(path.rfind('/') + 1);
  };
  const auto stem = [&](std::string_view path) {
    const std::string_view name = file_name(path);
    return name.substr(0, std::max(name.rfind('.'), std::size_t{1}));
  };
  std::map<std::string_view, int> stems{{kInitial, 1}};
  std::map<std::string_view, int> names = stems;
  for (const Input& file : files) {
    ++stems[stem(file.name())];
    ++names[file_name(file.name())];
  }
  std::vector<std::string_view> result;
  for (const Input& file : files) {
    const std::string_view path = file.name();
    result.push_back(stems[stem(path)] == 1        ? stem(path)
                     : names[file_name(path)] == 1 ? file_name(path)
                                                   : path);
  }
  return result;
}

// Puts the initial transaction into `shard`. If it writes nothing but the
// initial value, it says nothing.
Outcome settle_initial(std::span<const Piece> pieces, Builder& builder,
                       Builder::Shard& shard) {
  const InitialTxn* found = nullptr;
  for (const Piece& piece : pieces) {
    for (const InitialTxn& txn : piece.initial) {
      if (found != nullptr) {
        return piece.text->error(txn.at, "a second initial transaction");
      }
      const std::string_view before = piece.text->bytes().substr(
          0, static_cast<std::size_t>(txn.at - piece.text->bytes().data()));
      if (before.find_first_not_of(" \t\r\n") != std::string_view::npos) {
        return piece.text->error(
            txn.at, "the initial transaction is not the first of its file");
      }
      found = &txn;
    }
  }
  if (found == nullptr ||
      std::all_of(found->writes.begin(), found->writes.end(),
                  [](const Op& op) { return op.value == Atom::integer(0); })) {
    return std::nullopt;
  }
  shard.select(builder.string(kInitial), 0);
  shard.txn_line(found->line);
  for (const Op& op : found->writes) shard.write(op.key, op.value);
  return std::nullopt;
}

}  // namespace

bool sniff_viper(std::string_view head) {
  const std::string_view key = first_json_key(head, "{");
  return key == "value" || key == "isInitial";
}

Result<History> parse_viper(std::span<const Input> files, unsigned threads) {
  constexpr std::size_t kSmallest = std::size_t{1} << 20;
  Builder builder(
      {.initial_value = Atom::integer(0), .has_txn_lines = files.size() == 1});
  Builder::Shard& first = builder.add_shard();
  std::deque<JsonText> texts;
  std::vector<Piece> pieces;
  std::size_t bytes_before = 1;
  const std::vector<std::string_view> names = names_of(files);
  for (std::size_t f = 0; f < files.size(); ++f) {
    const JsonText& text = texts.emplace_back(files[f], kHint);
    const std::string_view bytes = text.bytes();
    const Atom session = builder.string(names[f]);
    const std::size_t step =
        std::max(kSmallest, bytes.size() / (std::size_t{threads} * 8) + 1);
    for (std::size_t from = 0; from < bytes.size(); from = pieces.back().to) {
      const std::size_t newline = bytes.find('\n', from + step - 1);
      const std::size_t to =
          newline == std::string_view::npos ? bytes.size() : newline + 1;
      pieces.push_back({&text, from, to, bytes_before, session});
    }
    bytes_before += bytes.size() + 1;
  }
  std::vector<Builder::Shard*> shards;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    shards.push_back(&builder.add_shard());
  }
  parallel_for(pieces.size(), threads, [&](std::size_t i, unsigned) {
    Parser(pieces[i], *shards[i]).run();
    pieces[i].text->input().release(pieces[i].from, pieces[i].to);
  });
  for (Piece& piece : pieces) {
    if (piece.error) return std::move(*piece.error);
  }
  if (Outcome failed = settle_initial(pieces, builder, first)) {
    return std::move(*failed);
  }
  return builder.finish(threads);
}

void write_viper(const History& history, const NewFile& file) {
  Line line;
  for (const SessionId session : history.sessions()) {
    line.clear();
    line.add('J', session.v + 1, ".log");
    Sink& sink = file(line.text());
    for (const TxnId txn : history.txns(session)) {
      line.clear();
      line.add("{\"value\": [");
      bool first_op = true;
      for (const OpId op : history.ops(txn)) {
        const bool write = history.is_write(op);
        if (!first_op) line.add(", ");
        first_op = false;
        line.add(write ? "[\"w\", " : "[\"r\", ");
        line.add_number(history.key_atom(history.key(op)));
        line.add(", ");
        line.add_number(history.value(op));
        line.add(write ? ", true]" : ", false]");
      }
      line.add("]}\n");
      sink.append(line.text());
    }
    if (sink.closed()) return;
  }
}

}  // namespace awdit
