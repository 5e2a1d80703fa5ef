// Plume / PolySI text: one operation per line, `r(key,value,session,txn)` or
// `w(...)`. See docs/formats/plume.md.
//
// Idea: the file is cut at line ends into pieces that threads parse on their
// own, straight into the builder's shards. A line in the usual spelling costs
// one pass over its digits; everything else (blanks, signs, CRLF, capital
// letters, blank lines, mistakes) takes the careful path, which is also the
// only one that reports errors.
// Invariant: a piece ends with a newline, so the digit loops need no bounds
// check; a last line without one is parsed from a copy. Eight bytes behind the
// end may be read: inputs are padded, and those that are not are copied. If the
// newline goes because the file changes, the padding's zeros end all loops.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "base/parallel.h"
#include "format/leading_digits.h"
#include "format/line.h"
#include "format/pieces.h"
#include "format/rows.h"
#include "format/text_place.h"
#include "history/builder.h"

namespace awdit {
namespace {

constexpr std::int64_t kAbortedTxn = -1;

struct Mistake {
  const char* at = nullptr;  // nullptr: none
  const char* wanted = "";
  const char* message = nullptr;  // instead of "expected ..., found ..."
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Reads digits at p while there are any; at most 19 fit without a check. Eight
// bytes at once, because where a number ends is a jump guessed wrong.
inline const char* digits(const char* p, std::uint64_t& value) {
  std::uint64_t v = 0;
  const unsigned count = leading_digits(eight_bytes(p), v);
  p += count;
  if (count == 8) {
    for (;; ++p) {
      const unsigned digit = static_cast<unsigned char>(*p) - unsigned{'0'};
      if (digit > 9) break;
      v = v * 10 + digit;
    }
  }
  value = v;
  return p;
}

// The careful path for one field: blanks, a sign, range checks.
const char* careful_integer(const char* p, Atom& atom, Mistake& mistake) {
  while (is_blank(*p)) ++p;
  const char* start = p;
  const bool negative = *p == '-';
  if (negative) ++p;
  if (!is_digit(*p)) {
    mistake = {start, "a number", nullptr};
    return p;
  }
  std::uint64_t value = 0;
  p = all_digits(p, value);
  if (p == nullptr || (negative && value > (std::uint64_t{1} << 63))) {
    mistake = {start, "", "the number does not fit into 64 bits"};
    return start;
  }
  atom = negative ? Atom::integer(static_cast<std::int64_t>(~value + 1))
                  : Atom::natural(value);
  while (is_blank(*p)) ++p;
  return p;
}

const char* careful_char(const char* p, char wanted, const char* name,
                         Mistake& mistake) {
  if (mistake.at != nullptr) return p;
  while (is_blank(*p)) ++p;
  if (*p != wanted) {
    mistake = {p, name, nullptr};
    return p;
  }
  return p + 1;
}

struct Operation {
  bool write = false;
  bool blank = false;
  Atom key, value, session, txn;
};

// Parses one line in any spelling people use. Returns the start of the next
// line, or sets the mistake.
const char* careful_line(const char* p, Operation& line, Mistake& mistake) {
  line = Operation{};
  while (is_blank(*p)) ++p;
  if (*p == '\r' && p[1] == '\n') ++p;
  if (*p == '\n') {
    line.blank = true;
    return p + 1;
  }
  line.write = *p == 'w' || *p == 'W';
  if (!line.write && *p != 'r' && *p != 'R') {
    mistake = {p, "an operation, r(...) or w(...)", nullptr};
    return p;
  }
  p = careful_char(p + 1, '(', "\"(\"", mistake);
  Atom* const fields[] = {&line.key, &line.value, &line.session, &line.txn};
  const char* field = p;
  for (int i = 0; i < 4 && mistake.at == nullptr; ++i) {
    while (is_blank(*p)) ++p;
    field = p;
    p = careful_integer(p, *fields[i], mistake);
    p = i < 3 ? careful_char(p, ',', "\",\"", mistake)
              : careful_char(p, ')', "\")\"", mistake);
  }
  if (mistake.at == nullptr &&
      (line.txn.kind != Atom::Kind::integer ||
       static_cast<std::int64_t>(line.txn.bits) == kNoTxnLabel)) {
    mistake = {field, "",
               "the transaction id is not between -2^63 + 1 and 2^63 - 1"};
  }
  while (mistake.at == nullptr && is_blank(*p)) ++p;
  if (mistake.at == nullptr && *p == '\r') ++p;
  return careful_char(p, '\n', "the end of the line", mistake);
}

inline void add(Builder::Shard& shard, bool write, Atom key, Atom value,
                Atom session, std::int64_t txn) {
  if (txn == kAbortedTxn) {
    shard.select(session, Builder::kNoLabel, Status::aborted);
  } else {
    shard.select(session, txn);
  }
  shard.access(write, key, value);
}

// REQUIRES: [p, end) is empty or ends with a newline.
Mistake parse_lines(const char* p, const char* end, Builder::Shard& shard) {
  Mistake mistake;
  std::uint32_t number = shard.lines;
  while (p < end) {
    // The usual spelling. Up to 18 digits cannot overflow a signed 64-bit
    // number; longer ones go the careful way.
    if ((*p == 'r' || *p == 'w') && p[1] == '(') {
      std::uint64_t key = 0, value = 0, session = 0, txn = 0;
      const char* a = digits(p + 2, key);
      if (*a == ',' && a - p > 2 && a - p <= 20) {
        const char* b = digits(a + 1, value);
        if (*b == ',' && b - a > 1 && b - a <= 19) {
          const char* c = digits(b + 1, session);
          if (*c == ',' && c - b > 1 && c - b <= 19) {
            const char* d = digits(c + 1, txn);
            if (*d == ')' && d[1] == '\n' && d - c > 1 && d - c <= 19) {
              shard.at_line(number++);
              add(shard, *p == 'w', {key, Atom::Kind::integer},
                  {value, Atom::Kind::integer}, {session, Atom::Kind::integer},
                  static_cast<std::int64_t>(txn));
              p = d + 2;
              continue;
            }
          }
        }
      }
    }
    Operation line;
    p = careful_line(p, line, mistake);
    if (mistake.at != nullptr) break;
    if (!line.blank) {
      shard.at_line(number);
      add(shard, line.write, line.key, line.value, line.session,
          static_cast<std::int64_t>(line.txn.bits));
    }
    ++number;
  }
  shard.lines = number;
  return mistake;
}

std::string hint_for(std::string_view found) {
  if (found == "\"nil\"") {
    return "This line is not Plume text. Write 0 for the initial value.";
  }
  return "A line of Plume text is r(key,value,session,txn) or "
         "w(key,value,session,txn), four integers.";
}

Error describe(const Input& input, std::size_t offset, const Mistake& mistake) {
  const std::string found = found_at(input.bytes(), offset);
  std::string message =
      mistake.message != nullptr
          ? std::string(mistake.message)
          : fmt::format("expected {}, found {}", mistake.wanted, found);
  return error_at(input, offset, std::move(message), hint_for(found));
}

// About how many lines the piece has, from its first part.
std::size_t estimate_lines(std::string_view piece) {
  const std::string_view sample = piece.substr(0, std::size_t{1} << 16);
  const auto lines =
      static_cast<std::size_t>(std::count(sample.begin(), sample.end(), '\n'));
  if (lines == 0) return 1;
  return static_cast<std::size_t>(static_cast<double>(piece.size()) * 1.03 *
                                  static_cast<double>(lines) /
                                  static_cast<double>(sample.size())) +
         64;
}

// The lines of these transactions. They are put together in a piece of memory;
// what the lines of a transaction have in common is spelled once.
void spell(const History& history, std::span<const std::uint32_t> txns,
           std::string& lines) {
  constexpr std::size_t kPiece = std::size_t{1} << 15;
  constexpr std::size_t kLongestHead = 2 + 20 + 1 + 20;  // "r(key,value"
  char piece[kPiece];
  char* at = piece;
  const auto number = [&](std::uint64_t word) {
    at = std::to_chars(at, at + 20, word).ptr;
  };
  Line tail;
  for (const std::uint32_t txn_number : txns) {
    const TxnId txn(txn_number);
    tail.clear();
    tail.add(',', history.session_atom(history.session(txn)).bits, ',',
             history.txn_label(txn).value_or(kAbortedTxn), ")\n");
    const std::string_view end = tail.text();
    for (const OpId op : history.ops(txn)) {
      if (at + kLongestHead + end.size() > piece + kPiece) {
        lines.append(piece, static_cast<std::size_t>(at - piece));
        at = piece;
      }
      *at++ = history.is_write(op) ? 'w' : 'r';
      *at++ = '(';
      number(history.key_atom(history.key(op)).bits);
      *at++ = ',';
      number(history.value(op).bits);
      std::memcpy(at, end.data(), end.size());
      at += end.size();
    }
  }
  lines.append(piece, static_cast<std::size_t>(at - piece));
}

}  // namespace

bool sniff_plume(std::string_view head) {
  std::size_t i = byte_order_mark(head);
  while (i < head.size() &&
         (is_blank(head[i]) || head[i] == '\n' || head[i] == '\r')) {
    ++i;
  }
  if (i == head.size() || std::strchr("rRwW", head[i]) == nullptr ||
      head[i] == '\0') {
    return false;
  }
  ++i;
  while (i < head.size() && is_blank(head[i])) ++i;
  return i < head.size() && head[i] == '(';
}

Result<History> parse_plume(std::span<const Input> files, unsigned threads) {
  if (!std::all_of(files.begin(), files.end(), [](const Input& input) {
        return input.padded() || input.bytes().empty();
      })) {
    std::vector<Input> padded;
    for (const Input& input : files) {
      Buffer copy;
      std::memcpy(copy.room(input.bytes().size()), input.bytes().data(),
                  input.bytes().size());
      copy.grow(input.bytes().size());
      padded.push_back(Input::of(std::move(copy), input.name()));
    }
    return parse_plume(padded, threads);
  }
  // A piece of a file, which ends with a newline; or what follows the last
  // newline of a file, parsed from a copy that has one.
  struct Piece {
    const Input* input;
    std::size_t from, to;
    std::string tail = {};  // not empty: the copy, and padding
  };
  constexpr std::size_t kPadding = 8;
  constexpr std::size_t kBite = std::size_t{4} << 20;
  // A line is short; of one that is not, the beginning tells what is wrong.
  constexpr std::size_t kLongestLine = std::size_t{1} << 16;
  // The end of the line that is `length` bytes on; `end` follows a newline.
  const auto next_cut = [](std::string_view bytes, std::size_t from,
                           std::size_t length, std::size_t end) {
    std::size_t cut = std::min(from + length, end);
    while (cut < end && bytes[cut - 1] != '\n') ++cut;
    return cut;
  };
  std::vector<Piece> pieces;
  for (const Input& input : files) {
    const std::string_view bytes = input.bytes();
    const LinePieces cut = cut_at_lines(bytes, std::size_t{threads} * 8);
    for (const auto& [from, to] : cut.whole) {
      pieces.push_back({&input, from, to});
    }
    pieces.push_back({&input, cut.tail, bytes.size(),
                      std::string(bytes.substr(cut.tail, kLongestLine)) + '\n' +
                          std::string(kPadding, '\0')});
  }

  Builder builder({.initial_value = Atom::integer(0),
                   .labels_are_ids = true,
                   .has_lines = files.size() == 1});
  std::vector<Builder::Shard*> shards;
  std::vector<std::size_t> operations;
  for (const Piece& piece : pieces) {
    shards.push_back(&builder.add_shard());
    operations.push_back(piece.tail.empty()
                             ? estimate_lines(piece.input->bytes().substr(
                                   piece.from, piece.to - piece.from))
                             : 1);
  }
  builder.reserve(operations);
  std::vector<Mistake> mistakes(pieces.size());
  parallel_for(pieces.size(), threads, [&](std::size_t i, unsigned) {
    const Piece& piece = pieces[i];
    if (!piece.tail.empty()) {
      const std::string& tail = piece.tail;
      mistakes[i] = parse_lines(
          tail.data(), tail.data() + tail.size() - kPadding, *shards[i]);
      if (mistakes[i].at == nullptr && piece.to - piece.from > kLongestLine) {
        mistakes[i] = {tail.data() + kLongestLine, "",
                       "the line is too long for an operation"};
      }
      return;
    }
    const std::string_view bytes = piece.input->bytes();
    // Bit by bit, so that pages of the file can go as soon as they are read.
    for (std::size_t at = piece.from; at < piece.to;) {
      const std::size_t end = next_cut(bytes, at, kBite, piece.to);
      mistakes[i] =
          parse_lines(bytes.data() + at, bytes.data() + end, *shards[i]);
      if (mistakes[i].at != nullptr) return;
      piece.input->release(at, end);
      at = end;
    }
  });
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (mistakes[i].at == nullptr) continue;
    const Piece& piece = pieces[i];
    const std::size_t offset =
        piece.tail.empty()
            ? static_cast<std::size_t>(mistakes[i].at -
                                       piece.input->bytes().data())
            : piece.from +
                  static_cast<std::size_t>(mistakes[i].at - piece.tail.data());
    return describe(*piece.input, offset, mistakes[i]);
  }
  return builder.finish(threads);
}

// In the order of the input, so that it stays a good guess at a commit order.
// Threads spell runs of transactions, a few runs at a time, which then go to
// the file in their order.
void write_plume(const History& history, const NewFile& file) {
  constexpr std::size_t kRun = std::size_t{1} << 15;  // operations, about
  Sink& sink = file("history.txt");
  const std::span<const std::uint32_t> order = history.input_order();
  std::vector<std::string> runs(std::size_t{file.threads()} * 4);
  std::vector<std::span<const std::uint32_t>> txns(runs.size());
  for (std::size_t at = 0; at < order.size() && !sink.closed();) {
    std::size_t count = 0;
    for (; count < runs.size() && at < order.size(); ++count) {
      const std::size_t from = at;
      std::size_t operations = 0;
      while (at < order.size() && operations < kRun) {
        operations += history.ops(TxnId(order[at++])).size();
      }
      txns[count] = order.subspan(from, at - from);
    }
    parallel_for(count, file.threads(), [&](std::size_t i, unsigned) {
      runs[i].clear();
      spell(history, txns[i], runs[i]);
    });
    for (std::size_t i = 0; i < count; ++i) sink.append(runs[i]);
  }
}

}  // namespace awdit
