// Histories of Chronos and Aion: a JSON array of committed transactions with
// the database's own start and commit timestamps. See docs/formats/chronos.md.
//
// Idea: one walk over the tokens, straight into the builder. What a transaction
// holds waits in scratch arrays until all of it is known, because its fields
// come in any order. The array is cut where something looks like a transaction,
// and threads read the pieces on their own (format/json_pieces.h). What
// concerns several of them is noted and judged at the end.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "format/json_pieces.h"
#include "format/rows.h"
#include "history/builder.h"

namespace awdit {
namespace {

constexpr std::string_view kHint =
    "A transaction is {\"tid\": 1, \"sid\": 1, \"sts\": {\"p\": 1, \"l\": 0}, "
    "\"cts\": {\"p\": 2, \"l\": 0}, \"ops\": [{\"t\": \"w\", \"k\": 1, \"v\": "
    "10}, ...]}.";

// A hybrid clock: physical time, then a counter.
struct Stamp {
  std::int64_t p = 0, l = 0;
  friend auto operator<=>(const Stamp&, const Stamp&) = default;
};

// The shortest operation there is.
constexpr std::string_view kShortest = "{\"t\":\"r\",\"k\":1}";

struct Piece : JsonPiece {
  std::uint32_t txns = 0;
  bool has_lists = false, has_values = false;
  bool had_lists = false, had_values = false;  // before the last transaction
  bool null_read = false;
  std::vector<std::uint64_t> zero_read = {};  // keys; empty once null was read
  std::vector<std::uint64_t> zero_written = {};
};

using Ids = std::set<std::tuple<std::uint64_t, Atom::Kind, std::int64_t>>;

// Reads transactions into a piece.
class Reader {
 public:
  // `ids`: where every transaction's id is looked for; nullptr: nowhere.
  Reader(const JsonText& text, bool has_lines, Ids* ids, Piece& piece,
         std::size_t from)
      : text_(text),
        json_(text, text.bytes().data() + from),
        has_lines_(has_lines),
        ids_(ids),
        piece_(piece),
        shard_(*piece.shard) {}

  // See PieceReader::read.
  std::size_t read(std::size_t to) {
    if (!piece_.mistake.message.empty() && !piece_.behind) {
      // What could not be read is read again, up to the same mistake.
      piece_.has_lists = piece_.had_lists;
      piece_.has_values = piece_.had_values;
    }
    return read_json_piece(
        json_, text_.bytes(), to, piece_,
        [&] {
          piece_.had_lists = piece_.has_lists;
          piece_.had_values = piece_.has_values;
          return transaction();
        },
        [&] {
          if (json_.next(']')) return true;
          if (!json_.failed() && !json_.at_end()) {
            json_.expected("the end of the file");
          }
          return false;
        });
  }

 private:
  struct Op {
    OpKind kind;
    Atom key, value;
    std::size_t elements = 0;  // read_list: how many of elements_
  };
  struct Txn {
    Atom tid, sid;
    Stamp sts, cts;
    const char* cts_at = nullptr;
  };

  bool transaction() {
    const char* const start = json_.at();
    if (!json_.open('{', "a transaction, an object")) return false;
    ops_.clear();
    elements_.clear();
    Txn txn;
    unsigned seen = 0;  // fields, as bits
    std::string_view name;
    while (json_.field(name)) {
      const std::size_t which = field_named(name);
      if (which == std::size(kFields)) {
        if (!json_.skip()) return false;
        continue;
      }
      if ((seen >> which & 1) != 0) return twice(json_.at(), name);
      seen |= 1u << which;
      if (!field(which, txn)) return false;
    }
    if (json_.failed()) return false;
    for (std::size_t which = 0; which < std::size(kFields); ++which) {
      if ((seen >> which & 1) == 0) {
        return json_.fail(start, fmt::format("the transaction has no \"{}\"",
                                             kFields[which]));
      }
    }
    if (txn.cts < txn.sts) {
      return json_.fail(txn.cts_at,
                        "the transaction commits before it starts: cts must "
                        "not be below sts");
    }
    const auto label = static_cast<std::int64_t>(txn.tid.bits);
    if (ids_ != nullptr &&
        !ids_->emplace(txn.sid.bits, txn.sid.kind, label).second) {
      return json_.fail(
          start,
          fmt::format("its session has a transaction {} already", label));
    }
    ++piece_.txns;
    shard_.select(txn.sid, label);
    if (has_lines_) shard_.txn_line(piece_.lines.line_of(start));
    shard_.times(txn.sts.p, txn.cts.p);
    shard_.ticks(txn.sts.l, txn.cts.l);
    add_operations();
    return true;
  }

  static constexpr std::string_view kFields[] = {"tid", "sid", "sts", "cts",
                                                 "ops"};
  static std::size_t field_named(std::string_view name) {
    const auto word = [](const char* p) {
      return unsigned{static_cast<unsigned char>(p[0])} |
             unsigned{static_cast<unsigned char>(p[1])} << 8 |
             unsigned{static_cast<unsigned char>(p[2])} << 16;
    };
    std::size_t which = std::size(kFields);
    if (name.size() != 3) return which;
    const unsigned wanted = word(name.data());
    for (std::size_t i = 0; i < std::size(kFields); ++i) {
      if (word(kFields[i].data()) == wanted) which = i;
    }
    return which;
  }

  bool field(std::size_t which, Txn& txn) {
    switch (which) {
      case 0:
        return integer(txn.tid, "an id, an integer of -2^63 + 1 ... 2^63 - 1");
      case 1:
        return session(txn.sid);
      case 2:
        return stamp(txn.sts);
      case 3:
        txn.cts_at = json_.at();
        return stamp(txn.cts);
      default:
        return operations();
    }
  }

  void add_operations() {
    std::span<const Atom> elements = elements_;
    for (const Op& op : ops_) {
      shard_.operation(op.kind, op.key, op.value, elements.first(op.elements));
      elements = elements.subspan(op.elements);
    }
  }

  bool twice(const char* place, std::string_view name) {
    return json_.fail(place, fmt::format("\"{}\" stands here twice", name));
  }

  // Perhaps between quotes. The least one means "none" to us.
  bool integer(Atom& atom, std::string_view what) {
    const char* const place = json_.at();
    if (json_.quotable_integer(atom) &&
        static_cast<std::int64_t>(atom.bits) != kNoTime) {
      return true;
    }
    return json_.expected_at(place, what);
  }

  bool session(Atom& atom) {
    constexpr std::string_view kWhat =
        "a session, an integer of 64 bits or a string";
    if (*json_.at() != '"') return json_.integer(atom) || json_.expected(kWhat);
    if (!json_.text(name_, kWhat)) return false;
    atom = shard_.string(name_);
    return true;
  }

  bool stamp(Stamp& stamp) {
    const char* const start = json_.at();
    if (!json_.open('{', "a timestamp, {\"p\": 1, \"l\": 0}")) return false;
    bool has_p = false, has_l = false;
    std::string_view name;
    while (json_.field(name)) {
      if (name != "p" && name != "l") {
        if (!json_.skip()) return false;
        continue;
      }
      const bool p = name == "p";
      Atom atom;
      if (p ? has_p : has_l) return twice(json_.at(), name);
      if (!integer(atom, "a time, an integer of -2^63 + 1 ... 2^63 - 1")) {
        return false;
      }
      (p ? has_p : has_l) = true;
      (p ? stamp.p : stamp.l) = static_cast<std::int64_t>(atom.bits);
    }
    if (json_.failed() || (has_p && has_l)) return !json_.failed();
    return json_.fail(start, "the timestamp needs both \"p\" and \"l\"");
  }

  bool operations() {
    if (!json_.open('[', "an array of operations")) return false;
    while (json_.next(']')) {
      if (!operation()) return false;
    }
    return !json_.failed();
  }

  // What an operation's `v` is; left out is null.
  enum class Shape : std::uint8_t { null, integer, list };

  bool operation() {
    const char* const start = json_.at();
    if (!json_.open('{', "an operation, an object")) return false;
    Op op{OpKind::read, {}, Atom::nil()};
    char kind = '\0';
    bool has_key = false;
    const char* value_at = nullptr;
    Shape shape = Shape::null;
    std::string_view name;
    while (json_.field(name)) {
      const char* const place = json_.at();
      if (name == "t") {
        if (kind != '\0') return twice(place, name);
        if (!this->kind(kind)) return false;
      } else if (name == "k") {
        if (has_key) return twice(place, name);
        has_key = true;
        if (*place == '-' || !json_.signed_integer(op.key)) {
          return json_.expected("a key, an integer of 0 ... 2^63 - 1");
        }
      } else if (name == "v") {
        if (value_at != nullptr) return twice(place, name);
        value_at = place;
        if (!value(op, shape)) return false;
      } else if (!json_.skip()) {
        return false;
      }
    }
    if (json_.failed()) return false;
    if (kind == '\0' || !has_key) {
      return json_.fail(start, kind == '\0' ? "the operation has no \"t\""
                                            : "the operation has no \"k\"");
    }
    if (kind != 'r' && shape != Shape::integer) {
      return json_.fail(value_at == nullptr ? start : value_at,
                        kind == 'w' ? "a write needs a value, an integer"
                                    : "an append needs a value, an integer");
    }
    op.kind = kind == 'w'            ? OpKind::write
              : kind == 'a'          ? OpKind::append
              : shape == Shape::list ? OpKind::read_list
                                     : OpKind::read;
    return add(op, shape, start);
  }

  // 'r', 'w' or 'a', from a letter or a word in whatever case.
  bool kind(char& kind) {
    constexpr std::string_view kWhat =
        "\"r\", \"w\" or \"a\" (or the whole words)";
    const char* const place = json_.at();
    std::string_view told;
    if (!json_.string(told, kWhat)) return false;
    const auto same = [](char a, char b) {
      return a == b || (a >= 'A' && a <= 'Z' && a + ('a' - 'A') == b);
    };
    if (told == "r" || told == "w") {
      kind = told[0];
      return true;
    }
    for (const std::string_view known : {"read", "write", "append"}) {
      if ((told.size() == 1 || told.size() == known.size()) &&
          std::equal(told.begin(), told.end(), known.begin(), same)) {
        kind = known[0];
        return true;
      }
    }
    return json_.expected_at(place, kWhat);
  }

  bool value(Op& op, Shape& shape) {
    if (*json_.at() != '[') {
      if (json_.word("null")) return true;
      shape = Shape::integer;
      return json_.signed_integer(op.value) ||
             json_.expected("a value: an integer of 64 bits, null or a list");
    }
    shape = Shape::list;
    json_.open('[', "a list");
    while (json_.next(']')) {
      Atom element;
      if (!json_.signed_integer(element)) {
        return json_.expected("an element, an integer of 64 bits");
      }
      elements_.push_back(element);
      ++op.elements;
    }
    return !json_.failed();
  }

  bool add(const Op& op, Shape shape, const char* start) {
    // An empty read may be of either kind.
    const bool of_lists =
        op.kind == OpKind::append || op.kind == OpKind::read_list;
    piece_.has_lists |= of_lists;
    piece_.has_values |= !of_lists && shape != Shape::null;
    if (piece_.has_lists && piece_.has_values) {
      return json_.fail(
          start, of_lists ? "this is an operation on a list, but those before "
                            "are on single values"
                          : "this is an operation on a single value, but those "
                            "before are on lists");
    }
    note_zero(op, shape == Shape::null);
    ops_.push_back(op);
    return true;
  }

  // Which keys are read as 0 and to which 0 is written: the initial value is
  // null or 0, by an option of the tool that the file does not tell.
  void note_zero(const Op& op, bool is_null) {
    if (is_null) {
      if (piece_.null_read) return;
      piece_.null_read = true;
      piece_.zero_read = {};
    } else if (op.value == Atom::integer(0)) {
      if (op.kind == OpKind::write) {
        piece_.zero_written.push_back(op.key.bits);
      } else if (op.kind == OpKind::read && !piece_.null_read) {
        piece_.zero_read.push_back(op.key.bits);
      }
    }
  }

  const JsonText& text_;
  JsonReader json_;
  const bool has_lines_;
  Ids* const ids_;
  Piece& piece_;
  Builder::Shard& shard_;
  std::vector<Op> ops_;
  std::vector<Atom> elements_;  // of the lists of ops_
  std::string name_;            // scratch
};

class Parser {
 public:
  // `careful`: compares every transaction's id with all before it.
  Parser(const JsonText& text, bool careful)
      : text_(text),
        bytes_(text.bytes()),
        has_lines_(text.has_lines()),
        careful_(careful),
        builder_({.initial_value = Atom::nil(),
                  .labels_are_ids = true,
                  .has_txn_lines = has_lines_,
                  .clock = Clock::hybrid}) {}

  // Reads everything; the first mistake, or nothing.
  Outcome run(unsigned threads) {
    JsonReader json(text_);
    if (!json.open('[', "an array of transactions")) return json.error();
    if (!json.next(']')) {
      if (!json.failed() && !json.at_end())
        json.expected("the end of the file");
      if (json.failed()) return json.error();
      return std::nullopt;
    }
    pieces_.emplace(text_, static_cast<std::size_t>(json.at() - bytes_.data()),
                    kShortest.size(), careful_, builder_);
    const std::optional<std::size_t> failed = pieces_->read(
        threads, [&](Piece& piece, std::size_t from, std::size_t to) {
          return reader(piece, from).read(to);
        });
    if (Outcome mistake = judge(failed)) return mistake;
    if (has_lines_) pieces_->count_lines();
    settle_zero();
    return std::nullopt;
  }

  Result<History> finish(unsigned threads) { return builder_.finish(threads); }
  std::uint32_t num_txns() const { return txns_; }

 private:
  Reader reader(Piece& piece, std::size_t from) {
    return {text_, has_lines_, careful_ ? &ids_ : nullptr, piece, from};
  }

  // The first mistake of all. Lists and values do not mix, within a piece nor
  // with those before.
  Outcome judge(std::optional<std::size_t> failed) {
    bool has_lists = false, has_values = false;
    for (std::size_t i = 0; i < pieces_->all.size(); ++i) {
      Piece& piece = pieces_->all[i];
      const bool mixed =
          (has_lists && piece.has_values) || (has_values && piece.has_lists);
      // Read on as if there were no pieces, up to the mistake (there is one,
      // unless the file changed: then any will do).
      if (mixed) {
        pieces_->clear(i);
        piece.has_lists = has_lists;
        piece.has_values = has_values;
        reader(piece, piece.from).read(bytes_.size());
      }
      if (mixed || failed == i) return text_.error(piece.mistake);
      has_lists |= piece.has_lists;
      has_values |= piece.has_values;
      txns_ += piece.txns;
    }
    return std::nullopt;
  }

  void settle_zero() {
    std::vector<std::uint64_t> written;
    for (const Piece& piece : pieces_->all) {
      if (piece.null_read) return;
      written.insert(written.end(), piece.zero_written.begin(),
                     piece.zero_written.end());
    }
    std::sort(written.begin(), written.end());
    for (const Piece& piece : pieces_->all) {
      for (const std::uint64_t key : piece.zero_read) {
        if (std::binary_search(written.begin(), written.end(), key)) continue;
        builder_.set_initial_value(Atom::integer(0));
        builder_.warn(fmt::format(
            "no read returns null, but one of key {} returns 0, which nobody "
            "writes to it; so 0 is taken as the initial value.",
            key));
        return;
      }
    }
  }

  const JsonText& text_;
  const std::string_view bytes_;
  const bool has_lines_;
  const bool careful_;
  Builder builder_;
  std::optional<JsonPieces<Piece>> pieces_;  // empty: no transaction
  Ids ids_;
  std::uint32_t txns_ = 0;
};

}  // namespace

bool sniff_chronos(std::string_view head) {
  const std::string_view key = first_json_key(head, "[{");
  for (const std::string_view own :
       {"tid", "sid", "sts", "cts", "ops", "rtts"}) {
    if (key == own) return true;
  }
  return false;
}

Result<History> parse_chronos(std::span<const Input> files, unsigned threads) {
  const JsonText text(files.front(), kHint);
  Parser parser(text, false);
  if (Outcome failed = parser.run(threads)) return std::move(*failed);
  const std::uint32_t txns = parser.num_txns();
  Result<History> history = parser.finish(threads);
  if (history && history->num_txns() != txns) {
    // Two of them became one: the same session has an id twice. Find it.
    Parser careful(text, true);
    if (Outcome failed = careful.run(1)) return std::move(*failed);
  }
  return history;
}

}  // namespace awdit
