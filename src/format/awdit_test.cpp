// The `test` format of the original AWDIT: `r KEY VALUE` and `w KEY VALUE`,
// transactions separated by runs of '-', sessions by runs of '='. See
// docs/formats/awdit-test.md.
//
// Every '-' and '=' separates, wherever it stands, so there are no negative
// numbers; empty transactions and sessions vanish. Nothing is implied: initial
// values are written by a transaction or do not exist.
//
// An operation never goes on in the next line, so the file is cut before lines
// that begin with a separator into pieces that threads read on their own: no
// transaction is in two of them. A session may be. Each piece counts those that
// it opens, and says whether the first was perhaps open before; then their
// numbers are added up in the order of the pieces.
// Invariant: the bytes behind the file are zeros, which end every number; other
// pieces end with a newline, which does so as well.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "format/leading_digits.h"
#include "format/line.h"
#include "format/pieces.h"
#include "format/rows.h"
#include "format/text_place.h"
#include "history/builder.h"

namespace awdit {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_space(char c) { return is_blank(c) || c == '\n' || c == '\r'; }
bool separates(char c) { return c == '-' || c == '='; }

struct Piece {
  const char* begin;
  const char* end;
  std::int64_t first_txn;  // above the names of transactions before it
  Builder::Shard* shard = nullptr;

  // What reading finds out.
  std::int64_t sessions = 0;
  bool continues = false;    // the first is that of the piece before, if open
  bool closes = false;       // there is a '='
  bool open = false;         // at its end, as far as this piece knows
  const char* at = nullptr;  // of the mistake, if there is one
  const char* wanted = "";
  const char* message = nullptr;  // instead of `wanted`
};

class Reader {
 public:
  explicit Reader(Piece& piece)
      : piece_(piece),
        shard_(*piece.shard),
        p_(piece.begin),
        txn_(piece.first_txn) {}

  void run() {
    const auto size = static_cast<std::size_t>(piece_.end - p_);
    shard_.reserve(estimate({p_, size}, [](std::string_view text) {
      return static_cast<std::size_t>(
          std::count(text.begin(), text.end(), '\n'));
    }));
    for (; p_ < piece_.end; skip_space()) {
      const char c = *p_;
      if (c == '-') {
        txn_open_ = false;
        ++p_;
      } else if (c == '=') {
        txn_open_ = piece_.open = false;
        piece_.closes = true;
        ++p_;
      } else if (c == 'r' || c == 'w' || c == 'R' || c == 'W') {
        if (!usual() && !operation(c == 'w' || c == 'W')) break;
      } else if (is_space(c)) {
        continue;
      } else {
        expected("\"r KEY VALUE\", \"w KEY VALUE\", \"---\" or \"===\"");
        break;
      }
    }
    shard_.lines = line_;
  }

 private:
  // An operation that is spelt as nearly all are; its newline is passed. False
  // and nothing was done if it is not.
  bool usual() {
    std::uint64_t key = 0, value = 0;
    if (p_[1] != ' ') return false;
    const char* p = usual_integer(p_ + 2, key);
    if (p == nullptr || *p != ' ') return false;
    p = usual_integer(p + 1, value);
    if (p == nullptr || *p != '\n') return false;
    add((*p_ | 0x20) == 'w', {key, Atom::Kind::integer},
        {value, Atom::Kind::integer});
    ++line_;
    p_ = p + 1;
    return true;
  }

  bool operation(bool write) {
    Atom key, value;
    ++p_;
    if (!number(key, "a key (a number)")) return false;
    if (!number(value, "a value (a number)")) return false;
    if (p_ < piece_.end && !is_space(*p_) && !separates(*p_)) {
      return expected("the end of the line");
    }
    add(write, key, value);
    return true;
  }

  void add(bool write, Atom key, Atom value) {
    if (!txn_open_) {
      if (!piece_.open) {
        if (piece_.sessions++ == 0) piece_.continues = !piece_.closes;
      }
      txn_open_ = piece_.open = true;
      shard_.select(Atom::integer(piece_.sessions), ++txn_);
    }
    shard_.at_line(line_);
    shard_.access(write, key, value);
  }

  bool number(Atom& atom, const char* wanted) {
    const char* const before = p_;
    while (is_blank(*p_)) ++p_;
    if (p_ == before || !is_digit(*p_)) return expected(wanted);
    std::uint64_t value = 0;
    const char* const end = all_digits(p_, value);
    if (end == nullptr) {
      piece_.message = "the number does not fit into 64 bits";
      return expected(wanted);
    }
    p_ = end;
    atom = Atom::natural(value);
    return true;
  }

  void skip_space() {
    for (; p_ < piece_.end && is_space(*p_); ++p_) line_ += *p_ == '\n';
  }

  bool expected(const char* wanted) {
    piece_.wanted = wanted;
    piece_.at = p_;
    return false;
  }

  Piece& piece_;
  Builder::Shard& shard_;
  const char* p_;
  std::int64_t txn_;
  std::uint32_t line_ = 0;
  bool txn_open_ = false;
};

class Parser {
 public:
  // REQUIRES: the input is padded.
  explicit Parser(const Input& input)
      : input_(input),
        bytes_(input.bytes()),
        builder_({.initial_value = std::nullopt,
                  .labels_are_ids = false,
                  .has_lines = true}) {}

  Result<History> run(unsigned threads) {
    cut(std::size_t{threads} * 2);
    for (Piece& piece : pieces_) piece.shard = &builder_.add_shard();
    parallel_for(pieces_.size(), threads,
                 [&](std::size_t i, unsigned) { Reader(pieces_[i]).run(); });
    std::int64_t sessions = 0;
    bool open = false;
    for (const Piece& piece : pieces_) {
      if (piece.at != nullptr) return error(piece);
      const std::int64_t before = sessions - (piece.continues && open ? 1 : 0);
      piece.shard->shift_sessions(before);
      sessions = before + piece.sessions;
      open = piece.open || (open && !piece.closes && piece.sessions == 0);
    }
    return builder_.finish(threads);
  }

 private:
  // Names of transactions need only ascend: each is longer than a byte.
  void cut(std::size_t most) {
    const auto add = [&](std::size_t from, std::size_t to) {
      pieces_.push_back({bytes_.data() + from, bytes_.data() + to,
                         static_cast<std::int64_t>(from)});
    };
    std::size_t from = byte_order_mark(bytes_);
    for (const std::size_t at : cut_before(bytes_, from, most, separates)) {
      add(from, at);
      from = at;
    }
    add(from, bytes_.size());
  }

  Error error(const Piece& piece) const {
    const auto at = static_cast<std::size_t>(piece.at - bytes_.data());
    std::string message = piece.message != nullptr
                              ? std::string(piece.message)
                              : fmt::format("expected {}, found {}",
                                            piece.wanted, found_at(bytes_, at));
    std::string hint =
        "A line of this format is \"r KEY VALUE\" or \"w KEY VALUE\"; \"---\" "
        "ends a transaction, \"===\" a session.";
    if (bytes_.substr(at, 1) == "-") {
      hint =
          "'-' separates transactions here, so there are no negative numbers; "
          "use plume text for them.";
    }
    return error_at(input_, at, std::move(message), std::move(hint));
  }

  const Input& input_;
  const std::string_view bytes_;
  Builder builder_;
  std::vector<Piece> pieces_;
};

}  // namespace

bool sniff_awdit_test(std::string_view head) {
  std::size_t i = byte_order_mark(head);
  while (i < head.size() &&
         (is_space(head[i]) || head[i] == '-' || head[i] == '=')) {
    ++i;
  }
  if (i + 2 >= head.size() || head[i] == '\0' ||
      std::strchr("rRwW", head[i]) == nullptr) {
    return false;
  }
  std::size_t j = i + 1;
  while (j < head.size() && (head[j] == ' ' || head[j] == '\t')) ++j;
  return j > i + 1 && j < head.size() && is_digit(head[j]);
}

Result<History> parse_awdit_test(std::span<const Input> files,
                                 unsigned threads) {
  if (const auto padded = padded_copies(files)) {
    return parse_awdit_test(*padded, threads);
  }
  return Parser(files.front()).run(threads);
}

void write_awdit_test(const History& history, const NewFile& file) {
  Sink& sink = file("history.txt");
  Line line;
  bool first_session = true;
  for (const SessionId session : history.sessions()) {
    if (!first_session) sink.append("=====\n");
    first_session = false;
    bool first_txn = true;
    for (const TxnId txn : history.txns(session)) {
      if (!first_txn) sink.append("-----\n");
      first_txn = false;
      for (const OpId op : history.ops(txn)) {
        line.clear();
        line.add(history.is_write(op) ? "w " : "r ",
                 history.key_atom(history.key(op)).bits, ' ',
                 history.value(op).bits, '\n');
        sink.append(line.text());
      }
    }
    if (sink.closed()) return;
  }
}

}  // namespace awdit
