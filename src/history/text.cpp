#include "history/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
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

  struct Op {
    OpKind kind = OpKind::read;
    Atom key = Atom::nil();
    Atom value = Atom::nil();
    std::vector<Atom> list = {};
  };

  // Operations are collected first: times and status stand behind them.
  bool transaction(Atom session) {
    std::vector<Op> ops;
    for (skip_blanks(); peek() == 'R' || peek() == 'W' || peek() == 'A';
         skip_blanks()) {
      if (!operation(ops.emplace_back())) return false;
    }
    std::optional<History::Times> times;
    std::string_view domain;
    if (peek() == '@') {
      ++at_;
      times.emplace();
      const std::size_t start = at_;
      domain = word();
      if (peek() == ':' && !domain.empty()) {
        ++at_;
      } else {
        at_ = start;
        domain = {};
      }
      if (!time(times->begin) || !expect('-')) return false;
      const std::size_t end = at_;
      if (!time(times->end)) return false;
      if (ends_before_it_begins(*times)) {
        at_ = end;
        return fail("an end that is not before its begin");
      }
      builder_.set_clock(Clock::events);
      skip_blanks();
    }
    Status status = Status::committed;
    if (peek() == '!' || peek() == '?') {
      status = peek() == '!' ? Status::aborted : Status::unknown;
      ++at_;
    }
    shard_.select(session, ++txns_, status);
    if (times) shard_.times(times->begin, times->end);
    if (!domain.empty()) shard_.clock_domain(builder_.string(domain));
    for (const Op& op : ops) {
      shard_.at_line(line_);
      if (op.kind == OpKind::append || op.kind == OpKind::read_list) {
        builder_.set_initial_value(Atom::nil());
      }
      shard_.operation(op.kind, op.key, op.value, op.list);
    }
    return true;
  }

  bool operation(Op& op) {
    op.kind = peek() == 'R'   ? OpKind::read
              : peek() == 'A' ? OpKind::append
                              : OpKind::write;
    const bool read = op.kind == OpKind::read;
    if (!read && !is_of_lists(op.kind == OpKind::append)) return false;
    ++at_;
    if (!expect('(')) return false;
    const std::string_view key = word();
    if (key.empty()) return fail("a key");
    op.key = label_of(key);
    if (!expect(',')) return false;
    skip_blanks();
    if (read && peek() == '[') {
      op.kind = OpKind::read_list;
      if (!is_of_lists(true) || !list(op.list)) return false;
    } else {
      const std::size_t start = at_;
      if (!value(op.value)) return false;
      const std::size_t end = std::exchange(at_, start);
      // R(x,nil) may be of either.
      if (read && op.value.kind != Atom::Kind::nil && !is_of_lists(false)) {
        return false;
      }
      at_ = end;
    }
    return expect(')');
  }

  // Whether lists, or other values, fit what the operations so far are of.
  bool is_of_lists(bool lists) {
    if (lists && values_) return fail("no list: this is a history of values");
    if (!lists && lists_) {
      return fail("a list or an append: this is a history of lists");
    }
    (lists ? lists_ : values_) = true;
    return true;
  }

  bool list(std::vector<Atom>& elements) {
    ++at_;
    for (skip_blanks(); peek() != ']'; skip_blanks()) {
      if (!value(elements.emplace_back())) return false;
    }
    ++at_;
    return true;
  }

  // kNoTime if there is none.
  bool time(std::int64_t& at) {
    const std::size_t start = at_;
    while (std::isdigit(static_cast<unsigned char>(peek())) != 0) ++at_;
    at = kNoTime;
    if (at_ == start || integer(text_.substr(start, at_ - start), at)) {
      return true;
    }
    at_ = start;
    return fail("a smaller number");
  }

  bool value(Atom& atom) {
    const std::string_view text = word();
    if (text.empty()) return fail("a value");
    atom = text == "nil" ? Atom::nil() : label_of(text);
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
  // What the operations so far are of: never both.
  bool lists_ = false;
  bool values_ = false;
  Error error_;
};

}  // namespace

Result<History> parse_text(std::string_view text, std::string_view file) {
  return Parser(text, file).run();
}

std::string to_text(const History& history, OpId op) {
  const std::string key = history.key_label(history.key(op));
  if (history.has_lists() && !history.is_write(op)) {
    std::string list;
    for (std::size_t i = 0; i < history.list_size(op); ++i) {
      if (i != 0) list += ' ';
      list += history.to_string(history.element(op, i));
    }
    return fmt::format("R({},[{}])", key, list);
  }
  const char kind =
      history.has_lists() ? 'A' : (history.is_write(op) ? 'W' : 'R');
  return fmt::format("{}({},{})", kind, key,
                     history.to_string(history.value(op)));
}

std::string list_text(const History& history, OpId read,
                      std::initializer_list<std::uint32_t> places) {
  constexpr std::size_t kFew = 9;  // shown whole
  constexpr std::size_t kGap = 4;  // worth being left out
  const std::size_t size = history.list_size(read);
  // The stretches to show, [begin, end).
  std::vector<std::pair<std::size_t, std::size_t>> shown;
  if (size <= kFew) {
    shown = {{0, size}};
  } else {
    for (const std::size_t place : places) {
      if (place >= size) continue;
      shown.push_back({place == 0 ? 0 : place - 1, std::min(place + 2, size)});
    }
    const std::size_t ends = shown.empty() ? 3 : 2;
    shown.push_back({0, ends});
    shown.push_back({size - ends, size});
    std::sort(shown.begin(), shown.end());
  }
  std::string text;
  std::size_t next = 0;
  for (auto [begin, end] : shown) {
    if (begin < next + kGap) {
      begin = next;
    } else {
      text += fmt::format(" ... {} more ...", begin - next);
    }
    for (; begin < end; ++begin) {
      text += ' ' + history.to_string(history.element(read, begin));
    }
    next = std::max(next, end);
  }
  return '[' + (text.empty() ? text : text.substr(1)) + ']';
}

namespace {

// " @1-2", or nothing.
std::string times_text(const History& history, TxnId txn) {
  if (history.clock() != Clock::events) return "";
  const std::optional<History::Times> times = history.times(txn);
  if (!times) return "";
  const auto text = [](std::int64_t time) {
    return time == kNoTime ? std::string() : std::to_string(time);
  };
  std::string domain;
  if (history.clock_domains().size() != 0) {
    domain = history.clock_domains().names()[history.clock_domain(txn)];
  }
  return " @" + domain + (domain.empty() ? "" : ":") + text(times->begin) +
         "-" + text(times->end);
}

}  // namespace

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
      text += times_text(history, txn);
      if (history.status(txn) == Status::aborted) text += " !";
      if (history.status(txn) == Status::unknown) text += " ?";
    }
    text += '\n';
  }
  return text;
}

void write_atom(const History& history, Atom atom, JsonWriter& json) {
  switch (atom.kind) {
    case Atom::Kind::integer:
      return json.value(static_cast<std::int64_t>(atom.bits));
    case Atom::Kind::natural:
      return json.value(atom.bits);
    case Atom::Kind::string:
      return json.value(history.strings()[atom.bits]);
    case Atom::Kind::nil:
      return json.null();
  }
}

}  // namespace awdit
