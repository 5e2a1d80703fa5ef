#include "history/text.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <map>

#include "history/builder.h"

namespace awdit {
namespace {

class Parser {
 public:
  Parser(std::string_view text, std::string_view file)
      : text_(text),
        file_(file),
        builder_({.initial_value = Atom::integer(0),
                  .labels_are_ids = true,
                  .has_lines = true}),
        shard_(builder_.add_shard()) {}

  Result<History> run() {
    while (at_ < text_.size()) {
      skip_blanks();
      if (!at_end_of_line() && peek() != '#') {
        if (!session()) return error_;
      }
      skip_line();
    }
    shard_.lines = line_;
    return builder_.finish(1);
  }

 private:
  bool session() {
    const std::string_view name = word();
    skip_blanks();
    if (name.empty()) return fail("the name of a session");
    if (!expect(':')) return false;
    const Atom label = label_of(name);
    for (;;) {
      if (!transaction(label)) return false;
      skip_blanks();
      if (at_end_of_line() || peek() == '#') return true;
      if (!expect('|')) return false;
    }
  }

  // Operations are collected first: the status stands behind them.
  bool transaction(Atom session) {
    struct Op {
      bool write;
      Atom key, value;
    };
    std::vector<Op> ops;
    Status status = Status::committed;
    for (;;) {
      skip_blanks();
      const char kind = peek();
      if (kind == '!' || kind == '?') {
        status = kind == '!' ? Status::aborted : Status::unknown;
        ++at_;
        break;
      }
      if (kind != 'R' && kind != 'W') break;
      ++at_;
      if (!expect('(')) return false;
      const std::string_view key = word();
      if (key.empty()) return fail("a key");
      if (!expect(',')) return false;
      std::int64_t value = 0;
      skip_blanks();
      const std::string_view number = word();
      if (!integer(number, value)) return fail("an integer value");
      if (!expect(')')) return false;
      ops.push_back({kind == 'W', label_of(key), Atom::integer(value)});
    }
    shard_.select(session, ++txns_, status);
    for (const Op& op : ops) {
      shard_.at_line(line_);
      if (op.write) {
        shard_.write(op.key, op.value);
      } else {
        shard_.read(op.key, op.value);
      }
    }
    return true;
  }

  // "s12" and "12" name session 12, so that names survive to_text.
  Atom label_of(std::string_view name) {
    std::int64_t number = 0;
    if (integer(name, number)) return Atom::integer(number);
    return builder_.string(name);
  }

  static bool integer(std::string_view text, std::int64_t& value) {
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
  }

  std::string_view word() {
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
            text_[at_] == '_' || text_[at_] == '-' || text_[at_] == '^')) {
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\n'; }
  bool at_end_of_line() const { return peek() == '\n'; }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\r') ++at_;
  }
  void skip_line() {
    while (!at_end_of_line()) ++at_;
    ++at_;
    ++line_;
    line_start_ = at_;
  }
  bool expect(char wanted) {
    skip_blanks();
    if (peek() != wanted) return fail(fmt::format("'{}'", wanted));
    ++at_;
    return true;
  }
  bool fail(std::string_view wanted) {
    error_ = Error{.where = fmt::format("{}:{}:{}", file_, line_ + 1,
                                        at_ - line_start_ + 1),
                   .message = fmt::format("expected {}", wanted),
                   .excerpt = "",
                   .hint = ""};
    return false;
  }

  std::string_view text_;
  std::string_view file_;
  Builder builder_;
  Builder::Shard& shard_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 0;
  std::int64_t txns_ = 0;
  Error error_;
};

}  // namespace

Result<History> parse_text(std::string_view text, std::string_view file) {
  return Parser(text, file).run();
}

std::string to_text(const History& history, OpId op) {
  return fmt::format("{}({},{})", history.is_write(op) ? 'W' : 'R',
                     history.key_label(history.key(op)),
                     history.to_string(history.value(op)));
}

std::string to_text(const History& history) {
  std::string text;
  for (const SessionId session : history.sessions()) {
    text += history.session_label(session);
    text += ':';
    bool first = true;
    for (const TxnId txn : history.txns(session)) {
      if (!first) text += " |";
      first = false;
      for (const OpId op : history.ops(txn)) {
        text += ' ';
        text += to_text(history, op);
      }
      if (history.status(txn) == Status::aborted) text += " !";
      if (history.status(txn) == Status::unknown) text += " ?";
    }
    text += '\n';
  }
  return text;
}

}  // namespace awdit
