// dbcop's notation for histories in tests: `[x:=1 y==2]` is a transaction, `!`
// behind it means aborted, a line of dashes ends a session. See
// docs/formats/dbcop-hist.md.
//
// A line holds whole transactions, so one pass with a cursor suffices. Keys are
// names; an index of our own finds their atoms without making strings.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/flat_index.h"
#include "format/line.h"
#include "format/rows.h"
#include "format/text_place.h"
#include "format/version_zero.h"
#include "history/builder.h"

namespace awdit {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) {
  const auto lower = static_cast<unsigned char>(c | 0x20);
  return (lower >= 'a' && lower <= 'z') || c == '_';
}
bool is_name(char c) { return begins_name(c) || is_digit(c); }

// The shortest operation there is, and what separates it.
constexpr std::string_view kShortest = "x:=1 ";

class Parser {
 public:
  Parser(const Input& input, VersionZero& zero)
      : input_(input),
        bytes_(input.bytes()),
        zero_(zero),
        builder_({.initial_value = Atom::nil(), .has_txn_lines = true}),
        shard_(builder_.add_shard()),
        at_(byte_order_mark(bytes_)) {
    shard_.reserve(bytes_.size() / kShortest.size() + 1);
  }

  // Reads everything; the first mistake, or nothing.
  Outcome run() {
    for (; at_ < bytes_.size(); ++line_) {
      if (!line()) return error();
    }
    shard_.lines = line_;
    return std::nullopt;
  }

  Result<History> finish(unsigned threads) { return builder_.finish(threads); }

 private:
  char peek() const { return at_ < bytes_.size() ? bytes_[at_] : '\n'; }
  bool looking_at(std::string_view text) const {
    return bytes_.substr(at_, text.size()) == text;
  }
  void skip_blanks() {
    while (is_blank(peek())) ++at_;
  }
  bool expected(std::string_view what) {
    wanted_ = what;
    return false;
  }

  bool line() {
    skip_blanks();
    if (looking_at("//")) {
      at_ = std::min(bytes_.find('\n', at_), bytes_.size());
    } else if (peek() == '-') {
      while (peek() == '-') ++at_;
      ++session_;
      skip_blanks();
    } else {
      for (; peek() == '['; skip_blanks()) {
        if (!transaction()) return false;
      }
    }
    if (looking_at("\r\n")) ++at_;
    if (peek() != '\n') {
      return expected("a transaction, [...], or the end of the line");
    }
    ++at_;
    return true;
  }

  // The status stands behind the operations, so it is looked for first.
  bool transaction() {
    const std::size_t start = ++at_;
    std::size_t end = start;
    while (end < bytes_.size() && bytes_[end] != ']' && bytes_[end] != '\n') {
      ++end;
    }
    const bool closed = end < bytes_.size() && bytes_[end] == ']';
    const bool aborted =
        closed && end + 1 < bytes_.size() && bytes_[end + 1] == '!';
    shard_.select(Atom::integer(session_), ++txns_,
                  aborted ? Status::aborted : Status::committed);
    shard_.txn_line(line_);
    for (skip_blanks(); peek() != ']'; skip_blanks()) {
      if (!operation()) return false;
    }
    at_ += aborted ? 2 : 1;
    return true;
  }

  bool operation() {
    if (!begins_name(peek())) {
      return expected("an operation, name:=1 or name==1, or \"]\"");
    }
    const Atom key = this->key();
    const bool write = looking_at(":=");
    if (!write && !looking_at("==")) return expected("\":=\" or \"==\"");
    at_ += 2;
    Atom value = Atom::nil();
    if (!write && peek() == '?') {
      ++at_;
    } else if (!number(value)) {
      return write ? expected("a version, a number")
                   : expected("a version, a number or \"?\"");
    } else if (value == Atom::integer(0)) {
      if (write) {
        zero_.write(key);
      } else {
        value = zero_.read(key);
      }
    }
    if (!is_blank(peek()) && peek() != ']') return expected("a blank or \"]\"");
    if (write) {
      shard_.write(key, value);
    } else {
      shard_.read(key, value);
    }
    return true;
  }

  bool number(Atom& atom) {
    const std::size_t start = at_;
    std::size_t i = start;
    std::uint64_t value = 0;
    for (; i < bytes_.size() && is_digit(bytes_[i]); ++i) {
      const auto digit = static_cast<std::uint64_t>(bytes_[i] - '0');
      if (i - start >= 19 && value > (UINT64_MAX - digit) / 10) {
        too_large_ = true;
        return false;
      }
      value = value * 10 + digit;
    }
    at_ = i;
    atom = Atom::natural(value);
    return i != start;
  }

  // REQUIRES: a name begins here.
  Atom key() {
    const std::size_t start = at_;
    std::size_t i = start;
    std::uint64_t hash = 0;
    for (; i < bytes_.size() && is_name(bytes_[i]); ++i) {
      hash = (hash ^ static_cast<unsigned char>(bytes_[i])) * 0x100000001b3u;
    }
    at_ = i;
    const std::string_view name = bytes_.substr(start, i - start);
    const auto fresh = static_cast<std::uint32_t>(keys_.size());
    const std::uint32_t found = index_.find_or_insert(
        mix64(hash + name.size()), fresh,
        [&](std::uint32_t item) { return keys_[item].name == name; });
    if (found == fresh) keys_.push_back({name, builder_.string(name)});
    return keys_[found].atom;
  }

  Error error() const {
    std::string message =
        too_large_ ? std::string("the number does not fit into 64 bits")
                   : fmt::format("expected {}, found {}", wanted_,
                                 found_at(bytes_, at_));
    std::string hint =
        "A transaction is [x:=1 y==2 z==?] on one line, followed by \"!\" if "
        "it was aborted; a line of dashes ends a session.";
    if (looking_at("//")) hint = "A comment needs a line of its own.";
    return error_at(input_, at_, std::move(message), std::move(hint));
  }

  struct Key {
    std::string_view name;
    Atom atom;
  };

  const Input& input_;
  std::string_view bytes_;
  VersionZero& zero_;
  Builder builder_;
  Builder::Shard& shard_;
  std::size_t at_;
  std::uint32_t line_ = 0;
  std::int64_t session_ = 1;
  std::int64_t txns_ = 0;
  std::vector<Key> keys_;
  FlatIndex index_;  // of keys_, by name
  std::string_view wanted_;
  bool too_large_ = false;
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
  VersionZero zero;
  for (;;) {
    Parser parser(files.front(), zero);
    if (Outcome failed = parser.run()) return std::move(*failed);
    if (!zero.needs_second_pass()) return parser.finish(threads);
  }
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
        line.add(history.strings()[history.key_atom(history.key(op)).bits]);
        line.add(history.is_write(op) ? ":=" : "==");
        const Atom value = history.value(op);
        if (value.kind == Atom::Kind::nil) {
          line.add('?');
        } else {
          line.add(value.bits);
        }
      }
      line.add(history.status(txn) == Status::committed ? "]\n" : "]!\n");
      sink.append(line.text());
    }
    if (sink.closed()) return;
  }
}

}  // namespace awdit
