// The `test` format of the original AWDIT: `r KEY VALUE` and `w KEY VALUE`,
// transactions separated by runs of '-', sessions by runs of '='. See
// docs/formats/awdit-test.md.
//
// Every '-' and '=' separates, wherever it stands, so there are no negative
// numbers; empty transactions and sessions vanish. Nothing is implied: initial
// values are written by a transaction or do not exist.
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "format/leading_digits.h"
#include "format/line.h"
#include "format/rows.h"
#include "format/text_place.h"
#include "history/builder.h"

namespace awdit {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

class Parser {
 public:
  explicit Parser(const Input& input)
      : input_(input),
        bytes_(input.bytes()),
        builder_({.initial_value = std::nullopt,
                  .labels_are_ids = false,
                  .has_lines = true}),
        shard_(builder_.add_shard()),
        at_(byte_order_mark(bytes_)) {}

  Result<History> run(unsigned threads) {
    for (skip_space(); at_ < bytes_.size(); skip_space()) {
      const char c = bytes_[at_];
      if (c == '-') {
        txn_open_ = false;
        ++at_;
      } else if (c == '=') {
        txn_open_ = false;
        session_open_ = false;
        ++at_;
      } else if (c == 'r' || c == 'w' || c == 'R' || c == 'W') {
        if (!operation(c == 'w' || c == 'W')) return error();
      } else {
        wanted_ = "\"r KEY VALUE\", \"w KEY VALUE\", \"---\" or \"===\"";
        return error();
      }
    }
    shard_.lines = line_ + 1;
    return builder_.finish(threads);
  }

 private:
  bool operation(bool write) {
    const std::uint32_t line = line_;
    Atom key, value;
    ++at_;
    if (!number(key, "a key (a number)")) return false;
    if (!number(value, "a value (a number)")) return false;
    if (at_ < bytes_.size() && !is_space(bytes_[at_]) && bytes_[at_] != '-' &&
        bytes_[at_] != '=') {
      wanted_ = "the end of the line";
      return false;
    }
    if (!session_open_) ++session_;
    if (!txn_open_) ++txn_;
    session_open_ = txn_open_ = true;
    shard_.select(Atom::integer(session_), txn_);
    shard_.at_line(line);
    shard_.access(write, key, value);
    return true;
  }

  bool number(Atom& atom, const char* wanted) {
    const std::size_t before = at_;
    while (at_ < bytes_.size() && (bytes_[at_] == ' ' || bytes_[at_] == '\t')) {
      ++at_;
    }
    if (at_ == before || at_ == bytes_.size() || !is_digit(bytes_[at_])) {
      wanted_ = wanted;
      return false;
    }
    const std::size_t start = at_;
    std::uint64_t v = 0;
    for (; at_ < bytes_.size() && is_digit(bytes_[at_]); ++at_) {
      const auto digit = static_cast<std::uint64_t>(bytes_[at_] - '0');
      if (v > (UINT64_MAX - digit) / 10) {
        at_ = start;
        message_ = "the number does not fit into 64 bits";
        return false;
      }
      v = v * 10 + digit;
    }
    atom = Atom::natural(v);
    return true;
  }

  void skip_space() {
    for (; at_ < bytes_.size() && is_space(bytes_[at_]); ++at_) {
      if (bytes_[at_] == '\n') ++line_;
    }
  }

  Error error() const {
    std::string message = message_ != nullptr
                              ? std::string(message_)
                              : fmt::format("expected {}, found {}", wanted_,
                                            found_at(bytes_, at_));
    std::string hint =
        "A line of this format is \"r KEY VALUE\" or \"w KEY VALUE\"; \"---\" "
        "ends a transaction, \"===\" a session.";
    if (at_ < bytes_.size() && bytes_[at_] == '-') {
      hint =
          "'-' separates transactions here, so there are no negative numbers; "
          "use plume text for them.";
    }
    return error_at(input_, at_, std::move(message), std::move(hint));
  }

  const Input& input_;
  std::string_view bytes_;
  Builder builder_;
  Builder::Shard& shard_;
  std::size_t at_;
  std::uint32_t line_ = 0;
  std::int64_t session_ = 0;
  std::int64_t txn_ = 0;
  bool session_open_ = false;
  bool txn_open_ = false;
  const char* wanted_ = "";
  const char* message_ = nullptr;
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
