// dbcop's notation for histories in tests: `[x:=1 y==2]` is a transaction, `!`
// behind it means aborted, a line of dashes ends a session. See
// docs/formats/dbcop-hist.md.
//
// A line holds whole transactions, so the file is cut at line ends into pieces
// that threads read on their own. Sessions are numbered by the lines of dashes
// before them, which are counted first.
// Invariant: a piece ends with a newline, which stops every loop; what follows
// the last newline of the file is read from a copy that has one. Should the
// newline go because the file changes, the zeros behind the file do, of which
// there are enough to read numbers and names by eight bytes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "format/leading_digits.h"
#include "format/line.h"
#include "format/numbered_names.h"
#include "format/pieces.h"
#include "format/rows.h"
#include "format/text_place.h"
#include "history/builder.h"

namespace awdit {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool begins_name(char c) {
  const auto lower = static_cast<unsigned char>(c | 0x20);
  return (lower >= 'a' && lower <= 'z') || c == '_';
}
// [byte] -> whether it may stand in a name
constexpr auto kNameBytes = [] {
  std::array<bool, 256> is{};
  for (unsigned c = 0; c < 256; ++c) {
    is[c] = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
            (c >= 'a' && c <= 'z') || c == '_';
  }
  return is;
}();

bool is_name(char c) { return kNameBytes[static_cast<unsigned char>(c)]; }

// REQUIRES: eight bytes may be read.
TextWords words_of(std::string_view name) {
  if (name.size() >= 8) return TextWords(name);
  TextWords words;
  words.words[0] =
      eight_bytes(name.data()) & ((std::uint64_t{1} << (8 * name.size())) - 1);
  words.set_size(name.size());
  return words;
}

// Each has a sign of two bytes: ":=" or "==".
std::size_t count_ops(std::string_view text) {
  std::size_t ops = 0;
  for (std::size_t i = 0; (i = text.find('=', i)) != std::string_view::npos;
       i += 2) {
    ++ops;
  }
  return ops;
}

struct Piece {
  const char* begin;
  const char* end;  // behind a newline
  bool is_copy;     // its newline is not in the file
  std::int64_t first_session = 1;
  Builder::Shard* shard = nullptr;

  // What reading finds out.
  std::int64_t txns = 0;
  std::uint32_t lines = 0;
  bool zero_read = false;
  std::vector<std::string> zero_written = {};  // keys
  std::string wanted = {};                     // not empty: the mistake ...
  bool too_large = false;                      // ... or this ...
  const char* at = nullptr;                    // ... is here
};

// Reads one piece.
class Reader {
 public:
  // `written`: the keys to which 0 is written, if that is known; sorted.
  Reader(Piece& piece, std::span<const std::string> written)
      : piece_(piece),
        shard_(*piece.shard),
        written_(written),
        session_(piece.first_session),
        p_(piece.begin),
        numbered_(static_cast<std::size_t>(piece.end - piece.begin) / 4) {}

  void run() {
    for (; p_ < piece_.end; ++piece_.lines) {
      if (!line()) {
        piece_.at = p_;
        break;
      }
    }
    add_transactions();
    shard_.lines = piece_.lines;
    shard_.close();
  }

 private:
  // Operations: many wait for memory at once, and few enough stay at hand.
  static constexpr std::size_t kTogether = 64;

  struct Txn {
    std::int64_t session;
    std::uint32_t line;
    bool aborted;
    std::size_t ops;  // behind those of the transaction before
  };
  struct Op {
    std::uint32_t number;  // or kNone, and then there are words
    TextWords words;
    std::string_view name;
    Atom value;
    bool write;
  };

  void skip_blanks() {
    while (is_blank(*p_)) ++p_;
  }
  bool expected(std::string_view what) {
    piece_.wanted = what;
    return false;
  }

  bool line() {
    skip_blanks();
    if (p_[0] == '/' && p_[1] == '/') {
      while (p_ < piece_.end && *p_ != '\n') ++p_;
    } else if (*p_ == '-') {
      while (*p_ == '-') ++p_;
      ++session_;
      skip_blanks();
    } else {
      for (; *p_ == '['; skip_blanks()) {
        if (!transaction()) return false;
      }
    }
    if (p_[0] == '\r' && p_[1] == '\n' &&
        !(piece_.is_copy && p_ + 2 == piece_.end)) {
      ++p_;
    }
    if (*p_ != '\n') {
      return expected("a transaction, [...], or the end of the line");
    }
    ++p_;
    return true;
  }

  bool transaction() {
    ++p_;
    const std::size_t before = ops_.size();
    for (skip_blanks(); *p_ != ']'; skip_blanks()) {
      if (!operation()) return false;
    }
    const bool aborted = p_[1] == '!';
    p_ += aborted ? 2 : 1;
    txns_.push_back({session_, piece_.lines, aborted, ops_.size() - before});
    if (ops_.size() + txns_.size() >= kTogether) add_transactions();
    return true;
  }

  // Finding a key is waiting for memory, so the keys of several transactions
  // are waited for at once.
  void add_transactions() {
    for (const Op& op : ops_) {
      if (op.number == NumberedNames::kNone) shard_.expect_more(op.words);
    }
    const Op* op = ops_.data();
    for (const Txn& txn : txns_) {
      shard_.select(Atom::integer(txn.session), ++piece_.txns,
                    txn.aborted ? Status::aborted : Status::committed);
      shard_.txn_line(txn.line);
      for (const Op* const end = op + txn.ops; op != end; ++op) {
        const Atom key = op->number == NumberedNames::kNone
                             ? shard_.string(op->words, op->name)
                             : numbered_.atom(op->number, op->name, shard_);
        shard_.access(op->write, key, op->value);
      }
    }
    ops_.clear();
    txns_.clear();
  }

  bool operation() {
    if (!begins_name(*p_)) {
      return expected("an operation, name:=1 or name==1, or \"]\"");
    }
    const char* const name = p_;
    std::uint32_t numbered = NumberedNames::kNone;
    if (const char* const end = numbered_.find(p_, numbered)) {
      p_ = end;
      numbered_.expect(numbered);
    } else {
      while (is_name(*p_)) ++p_;
    }
    const std::string_view key(name, static_cast<std::size_t>(p_ - name));
    TextWords words;
    if (numbered == NumberedNames::kNone) {
      words = words_of(key);
      shard_.expect(words);
    }
    const bool write = p_[0] == ':' && p_[1] == '=';
    if (!write && !(p_[0] == '=' && p_[1] == '=')) {
      return expected("\":=\" or \"==\"");
    }
    p_ += 2;
    Atom value = Atom::nil();
    if (!write && *p_ == '?') {
      ++p_;
    } else if (!number(value)) {
      return write ? expected("a version, a number")
                   : expected("a version, a number or \"?\"");
    } else if (value == Atom::integer(0)) {
      value = zero(write, key);
    }
    if (!is_blank(*p_) && *p_ != ']') return expected("a blank or \"]\"");
    ops_.push_back({numbered, words, key, value, write});
    return true;
  }

  // A read of version 0 reads the initial state, unless somebody writes 0 to
  // that key. Who writes what is known at the end only: so at first every such
  // read is taken as initial, and a second pass corrects it in the rare case
  // that 0 is both read and written.
  Atom zero(bool write, std::string_view key) {
    if (write) {
      if (written_.empty()) piece_.zero_written.emplace_back(key);
      return Atom::integer(0);
    }
    if (std::binary_search(written_.begin(), written_.end(), key)) {
      return Atom::integer(0);
    }
    piece_.zero_read = true;
    return Atom::nil();
  }

  bool number(Atom& atom) {
    std::uint64_t value = 0;
    const char* end = usual_integer(p_, value);
    if (end == nullptr) end = all_digits(p_, value);
    if (end == nullptr) {
      piece_.too_large = true;
      return false;
    }
    atom = Atom::natural(value);
    return std::exchange(p_, end) != end;
  }

  Piece& piece_;
  Builder::Shard& shard_;
  const std::span<const std::string> written_;
  std::int64_t session_;
  const char* p_;
  NumberedNames numbered_;
  // Not yet in the shard.
  std::vector<Txn> txns_;
  std::vector<Op> ops_;
};

// How many lines of dashes there are.
std::int64_t count_ends(const Piece& piece) {
  std::int64_t ends = 0;
  for (const char* p = piece.begin; p < piece.end;) {
    while (is_blank(*p)) ++p;
    ends += *p == '-';
    if (p >= piece.end) break;
    const void* const newline =
        std::memchr(p, '\n', static_cast<std::size_t>(piece.end - p));
    if (newline == nullptr) break;
    p = static_cast<const char*>(newline) + 1;
  }
  return ends;
}

class Parser {
 public:
  Parser(const Input& input, unsigned threads)
      : input_(input), bytes_(input.bytes()), threads_(threads) {
    cut();
  }

  Result<History> run() {
    std::vector<std::string> written;
    for (;;) {
      Builder builder({.initial_value = Atom::nil(), .has_txn_lines = true});
      std::vector<Piece> pieces = pieces_;
      std::vector<std::size_t> operations;
      for (Piece& piece : pieces) {
        piece.shard = &builder.add_shard();
        operations.push_back(estimate(
            {piece.begin, static_cast<std::size_t>(piece.end - piece.begin)},
            count_ops));
      }
      builder.reserve(operations);
      parallel_for(pieces.size(), threads_, [&](std::size_t i, unsigned) {
        Reader(pieces[i], written).run();
      });
      bool read = false;
      std::vector<std::string> found;
      for (const Piece& piece : pieces) {
        if (piece.at != nullptr) return error(piece);
        read |= piece.zero_read;
        found.insert(found.end(), piece.zero_written.begin(),
                     piece.zero_written.end());
      }
      // Who writes 0 is known now; that matters if somebody reads it.
      if (!written.empty() || !read || found.empty()) {
        return builder.finish(threads_);
      }
      std::sort(found.begin(), found.end());
      written = std::move(found);
    }
  }

 private:
  void cut() {
    const LinePieces cut = cut_at_lines(bytes_, std::size_t{threads_});
    for (const auto& [from, to] : cut.whole) {
      pieces_.push_back({bytes_.data() + from, bytes_.data() + to, false});
    }
    if (cut.tail < bytes_.size()) {
      tail_ = std::string(bytes_.substr(cut.tail)) + '\n';
      const std::size_t size = tail_.size();
      tail_.append(Input::kPadding, '\0');
      pieces_.push_back({tail_.data(), tail_.data() + size, true});
    }
    std::vector<std::int64_t> ends(pieces_.size());
    parallel_for(pieces_.size(), threads_, [&](std::size_t i, unsigned) {
      ends[i] = count_ends(pieces_[i]);
    });
    for (std::size_t i = 1; i < pieces_.size(); ++i) {
      pieces_[i].first_session = pieces_[i - 1].first_session + ends[i - 1];
    }
    // Transactions of a session have names of their own; each is longer than
    // two bytes.
    for (Piece& piece : pieces_) {
      piece.txns = static_cast<std::int64_t>(offset(piece, piece.begin));
    }
  }

  std::size_t offset(const Piece& piece, const char* p) const {
    return piece.is_copy
               ? bytes_.size() - static_cast<std::size_t>(piece.end - 1 - p)
               : static_cast<std::size_t>(p - bytes_.data());
  }

  Error error(const Piece& piece) const {
    const std::size_t at = offset(piece, piece.at);
    std::string message =
        piece.too_large ? std::string("the number does not fit into 64 bits")
                        : fmt::format("expected {}, found {}", piece.wanted,
                                      found_at(bytes_, at));
    std::string hint =
        "A transaction is [x:=1 y==2 z==?] on one line, followed by \"!\" if "
        "it was aborted; a line of dashes ends a session.";
    if (bytes_.substr(at, 2) == "//") {
      hint = "A comment needs a line of its own.";
    }
    return error_at(input_, at, std::move(message), std::move(hint));
  }

  const Input& input_;
  const std::string_view bytes_;
  const unsigned threads_;
  std::string tail_;
  std::vector<Piece> pieces_;  // as they are before reading
};

}  // namespace

// The first transaction that holds something shows what it is.
bool sniff_dbcop_hist(std::string_view head) {
  std::size_t i = byte_order_mark(head);
  const auto peek = [&] { return i < head.size() ? head[i] : '\0'; };
  const auto skip = [&](auto is) {
    while (i < head.size() && is(head[i])) ++i;
  };
  const auto is_space = [](char c) {
    return is_blank(c) || c == '\n' || c == '\r';
  };
  for (;;) {
    skip(is_space);
    if (head.substr(i, 2) == "//") {
      skip([](char c) { return c != '\n'; });
    } else if (peek() == '-') {
      ++i;
    } else if (peek() == '[') {
      ++i;
      skip(is_blank);
      if (peek() != ']') break;
      ++i;
      if (peek() == '!') ++i;
    } else {
      return false;
    }
  }
  if (!begins_name(peek())) return false;
  skip(is_name);
  const std::string_view sign = head.substr(i, 2);
  i += 2;
  return (sign == ":=" || sign == "==") && (is_digit(peek()) || peek() == '?');
}

Result<History> parse_dbcop_hist(std::span<const Input> files,
                                 unsigned threads) {
  if (const auto padded = padded_copies(files)) {
    return parse_dbcop_hist(*padded, threads);
  }
  return Parser(files.front(), threads).run();
}

void write_dbcop_hist(const History& history, const NewFile& file) {
  Sink& sink = file("history.hist");
  Line line;
  bool first_session = true;
  for (const SessionId session : history.sessions()) {
    if (!first_session) sink.append("---\n");
    first_session = false;
    for (const TxnId txn : history.txns(session)) {
      line.clear();
      line.add('[');
      bool first_op = true;
      for (const OpId op : history.ops(txn)) {
        if (!first_op) line.add(' ');
        first_op = false;
        line.add(history.strings()[history.key_atom(history.key(op)).bits],
                 history.is_write(op) ? ":=" : "==");
        if (!line.add_number(history.value(op))) line.add('?');
      }
      line.add(history.status(txn) == Status::committed ? "]\n" : "]!\n");
      sink.append(line.text());
    }
    if (sink.closed()) return;
  }
}

}  // namespace awdit
