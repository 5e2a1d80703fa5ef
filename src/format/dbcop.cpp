// DBCop's history.bincode: little-endian numbers of fixed width, no magic. See
// docs/formats/dbcop.md.
//
//   u64 id, n_node, n_variable, n_transaction, n_event     what was asked for
//   str info, start, end                                   str = u64 length +
//   it u64 sessions; each: u64 txns; each: u64 events; the events; u8 success
//   event: u8 write, u64 variable, u64 value, u8 success   18 bytes, or 50 with
//          u128 start, u128 end
//
// Idea: a skim over the counts finds where transactions begin; then threads
// fill shards from pieces of the file on their own. Nothing tells the two
// layouts of events apart, so both are tried: the one that ends where the file
// ends, with every flag 0 or 1, is meant.
// Invariant: a count is believed only as far as the remaining bytes reach, and
// the file's parameters never.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "format/dbcop_parameters.h"
#include "format/rows.h"
#include "history/builder.h"

namespace awdit {
namespace {

constexpr std::size_t kParameters = 5;
constexpr std::size_t kStrings = 3;
constexpr std::size_t kPlainEvent = 18;
constexpr std::size_t kTimedEvent = 50;
constexpr std::size_t kSuccess = 17;  // its place in an event

std::uint64_t word_at(std::string_view bytes, std::size_t at) {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return word;
}

struct Mistake {
  std::size_t at = 0;
  std::string message = {};  // "": none
  explicit operator bool() const { return !message.empty(); }
};

Mistake cut_off(std::size_t at, std::string_view what) {
  return {at, fmt::format("the file ends inside {}", what)};
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

Mistake too_many(std::size_t at, std::uint64_t count, std::string_view what,
                 std::size_t left) {
  return {at, fmt::format("{} should follow, but the file has only {} more",
                          counted(count, what), counted(left, "byte"))};
}

// Passes the parameters and the strings; `at` is then where the data begins.
Mistake pass_header(std::string_view bytes, std::size_t& at) {
  at = 8 * kParameters;
  if (bytes.size() < at) return cut_off(bytes.size(), "the parameters");
  for (const std::string_view name : {"info", "start", "end"}) {
    if (bytes.size() - at < 8) {
      return cut_off(bytes.size(), fmt::format("the string \"{}\"", name));
    }
    const std::uint64_t length = word_at(bytes, at);
    if (length > bytes.size() - at - 8) {
      return too_many(at, length, "byte", bytes.size() - at - 8);
    }
    at += 8 + length;
  }
  return {};
}

// A run of whole transactions, with session borders between them.
struct Piece {
  std::size_t from = 0, to = 0;
  std::int64_t session = 0;  // counts from 1; 0: none has begun yet
  std::uint64_t txns = 0;    // that are still to come of it
  std::int64_t label = 0;    // of the transaction before
};

// Finds the pieces, about `step` bytes each.
Mistake skim(std::string_view bytes, std::size_t at, std::size_t event,
             std::size_t step, std::vector<Piece>& pieces) {
  const std::size_t size = bytes.size();
  pieces.clear();
  if (size - at < 8) return cut_off(size, "the number of sessions");
  std::uint64_t sessions = word_at(bytes, at);
  if (sessions > (size - at - 8) / 8) {
    return too_many(at, sessions, "session", size - at - 8);
  }
  at += 8;
  Piece here{at, 0, 0, 0, 0};
  Piece piece = here;
  for (; sessions > 0; --sessions) {
    if (size - at < 8) return cut_off(size, "the number of transactions");
    here.txns = word_at(bytes, at);
    if (here.txns > (size - at - 8) / 9) {
      return too_many(at, here.txns, "transaction", size - at - 8);
    }
    at += 8;
    ++here.session;
    for (; here.txns > 0; --here.txns) {
      if (at - piece.from >= step) {
        piece.to = here.from = at;
        pieces.push_back(piece);
        piece = here;
      }
      if (size - at < 9) return cut_off(size, "a transaction");
      const std::uint64_t events = word_at(bytes, at);
      if (events > (size - at - 9) / event) {
        return events <= size ? cut_off(size, "a transaction")
                              : too_many(at, events, "event", size - at - 8);
      }
      at += 8 + events * event + 1;
      ++here.label;
    }
  }
  if (at != size) {
    return {at, counted(size - at, "byte") + " too many: the data ends here"};
  }
  piece.to = at;
  pieces.push_back(piece);
  return {};
}

// What a piece tells besides its operations.
struct Told {
  Mistake mistake = {};
  Mistake backwards = {};     // an interval that ends before it begins
  bool txns = false;          // there are some
  bool success = false;       // some flag says so
  bool times = false;         // some transaction has them
  std::size_t odd_times = 0;  // transactions whose times we cannot hold
};

class Filler {
 public:
  Filler(std::string_view bytes, std::size_t event, Builder::Shard& shard)
      : bytes_(bytes), event_(event), shard_(shard) {}

  // REQUIRES: skim has found the piece. Counts are looked at again: the file
  // may have changed since.
  Told fill(const Piece& piece) {
    std::size_t at = piece.from;
    std::int64_t session = piece.session;
    std::uint64_t txns = piece.txns;
    std::int64_t label = piece.label;
    shard_.reserve((piece.to - piece.from) / event_ + 1);
    while (at < piece.to && !told_.mistake) {
      if (txns == 0) {
        txns = at + 8 <= bytes_.size() ? word_at(bytes_, at) : 0;
        at += 8;
        ++session;
      } else {
        at = transaction(at, Atom::integer(session), ++label);
        --txns;
      }
    }
    return std::move(told_);
  }

 private:
  std::size_t transaction(std::size_t at, Atom session, std::int64_t label) {
    const std::size_t left = bytes_.size() - std::min(at + 9, bytes_.size());
    const std::uint64_t events =
        at + 8 < bytes_.size() ? word_at(bytes_, at) : 0;
    if (at + 8 >= bytes_.size() || events > left / event_) {
      told_.mistake = cut_off(bytes_.size(), "a transaction");
      return bytes_.size();
    }
    const std::size_t first = at + 8;
    const std::size_t last = first + events * event_;
    const bool committed = bytes_[last] != 0;
    shard_.select(session, label,
                  committed ? Status::committed : Status::aborted);
    if (event_ == kTimedEvent && events != 0) times(first, last - event_);
    unsigned flags = byte(last);
    unsigned successes = flags;
    bool lost_writes = false;
    for (at = first; at < last; at += event_) {
      const unsigned write = byte(at);
      const unsigned success = byte(at + kSuccess);
      flags |= write | success;
      successes |= success;
      if (write != 0 && (success != 0 || !committed)) {
        shard_.write(number(at + 1), number(at + 9));
      } else if (success != 0) {
        shard_.read(number(at + 1), number(at + 9));
      }
      lost_writes |= write != 0 && success == 0;
    }
    if (lost_writes && committed) {
      shard_.select(session, Builder::kNoLabel, Status::aborted);
      for (at = first; at < last; at += event_) {
        if (byte(at) != 0 && byte(at + kSuccess) == 0) {
          shard_.write(number(at + 1), number(at + 9));
        }
      }
    }
    told_.txns = true;
    told_.success |= successes != 0;
    if (flags > 1) find_bad_flag(first, last);
    return last + 1;
  }

  void find_bad_flag(std::size_t first, std::size_t last) {
    const auto test = [&](std::size_t at, std::string_view what) {
      if (byte(at) > 1 && !told_.mistake) {
        told_.mistake = {at, fmt::format("expected {}, 0 or 1, found 0x{:02x}",
                                         what, byte(at))};
      }
    };
    for (std::size_t at = first; at < last; at += event_) {
      test(at, "\"write\" of an event");
      test(at + kSuccess, "\"success\" of an event");
    }
    test(last, "\"success\" of a transaction");
  }

  unsigned byte(std::size_t at) const {
    return static_cast<unsigned char>(bytes_[at]);
  }

  Atom number(std::size_t at) const {
    return Atom::natural(word_at(bytes_, at));
  }

  void times(std::size_t first_event, std::size_t last_event) {
    const std::size_t begin = first_event + kPlainEvent;
    const std::size_t end = last_event + kPlainEvent + 16;
    const std::uint64_t low[] = {word_at(bytes_, begin), word_at(bytes_, end)};
    if ((word_at(bytes_, begin + 8) | word_at(bytes_, end + 8)) != 0 ||
        (low[0] | low[1]) >> 63 != 0) {
      ++told_.odd_times;
      return;
    }
    History::Times times{static_cast<std::int64_t>(low[0]),
                         static_cast<std::int64_t>(low[1])};
    // An event that never ran has none: its transaction was given up before.
    if (times.end == 0 && times.begin != 0) times.end = kNoTime;
    if (ends_before_it_begins(times) && !told_.backwards) {
      told_.backwards = {end, "this transaction ends before it begins"};
    }
    told_.times = true;
    shard_.times(times.begin, times.end);
  }

  std::string_view bytes_;
  std::size_t event_;
  Builder::Shard& shard_;
  Told told_;
};

void warn_of_odd_times(Builder& builder, std::size_t count) {
  if (count == 0) return;
  builder.warn(
      fmt::format("the times of {} do not fit into 63 bits; they are left out.",
                  counted(count, "transaction")));
}

}  // namespace

// There is no magic: an id below 2^24, modest parameters, three short texts. No
// text looks like that unless it has a zero byte within its first four; and
// what begins with two bytes of text, or like a log of Cobra, is left to the
// others.
bool sniff_dbcop(std::string_view head) {
  constexpr std::uint64_t kModest = std::uint64_t{1} << 40;
  constexpr std::uint64_t kLargestId = (std::uint64_t{1} << 24) - 1;
  constexpr std::string_view kCobraRecords = "SCAWR";
  std::size_t at = 8 * kParameters;
  if (head.size() < at || word_at(head, 0) > kLargestId) return false;
  const auto is_text = [](char c) {
    return (c >= ' ' && c <= '~') || (c >= '\t' && c <= '\r');
  };
  if (is_text(head[0]) && is_text(head[1])) return false;
  if (head[0] == 'S' &&
      (kCobraRecords.find(head[9]) != std::string_view::npos ||
       kCobraRecords.find(head[17]) != std::string_view::npos)) {
    return false;
  }
  for (std::size_t i = 0; i < kParameters; ++i) {
    if (word_at(head, 8 * i) >= kModest) return false;
  }
  for (std::size_t i = 0; i < kStrings; ++i) {
    if (head.size() - at < 8) return false;
    const std::uint64_t length = word_at(head, at);
    at += 8;
    if (length > head.size() - at) return false;
    for (std::size_t j = 0; j < length; ++j) {
      if (static_cast<unsigned char>(head[at + j]) < ' ') return false;
    }
    at += length;
  }
  if (head.size() - at < 8) return false;
  const std::uint64_t sessions = word_at(head, at);
  return sessions > 0 && sessions < kModest;
}

Result<History> parse_dbcop(std::span<const Input> files, unsigned threads) {
  const Input& input = files.front();
  const std::string_view bytes = input.bytes();
  const auto error = [&](const Mistake& mistake, std::string hint) {
    return Error{.where = fmt::format("{}:byte {}", input.name(), mistake.at),
                 .message = mistake.message,
                 .hint = std::move(hint)};
  };
  const std::string broken =
      "This is not DBCop's history.bincode, or it was cut off or damaged.";
  std::size_t data = 0;
  if (const Mistake mistake = pass_header(bytes, data)) {
    return error(mistake, broken);
  }
  constexpr std::size_t kSmallest = std::size_t{1} << 20;
  const std::size_t step =
      std::max(kSmallest, bytes.size() / (std::size_t{threads} * 8) + 1);

  Mistake worst;
  std::vector<Piece> pieces;
  for (const std::size_t event : {kPlainEvent, kTimedEvent}) {
    if (Mistake mistake = skim(bytes, data, event, step, pieces)) {
      if (!worst) worst = std::move(mistake);
      continue;
    }
    Builder builder({.initial_value = Atom::integer(0)});
    std::vector<Builder::Shard*> shards;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      shards.push_back(&builder.add_shard());
    }
    std::vector<Told> told(pieces.size());
    parallel_for(pieces.size(), threads, [&](std::size_t i, unsigned) {
      told[i] = Filler(bytes, event, *shards[i]).fill(pieces[i]);
      input.release(pieces[i].from, pieces[i].to);
    });
    Told all;
    for (Told& some : told) {
      if (!all.mistake) all.mistake = std::move(some.mistake);
      if (!all.backwards) all.backwards = std::move(some.backwards);
      all.txns |= some.txns;
      all.success |= some.success;
      all.times |= some.times;
      all.odd_times += some.odd_times;
    }
    if (all.mistake) {
      // Whoever ends where the file ends is the better guess.
      worst = std::move(all.mistake);
      continue;
    }
    if (all.txns && !all.success) {
      return error({data, "no transaction and no event here succeeded"},
                   "This workload was generated but never run: it holds no "
                   "committed transaction. Check the history.bincode that the "
                   "run against a database wrote.");
    }
    if (all.backwards) {
      return error(all.backwards, std::string(kIntervalRemedy));
    }
    if (all.times) builder.set_clock(Clock::nanoseconds);
    warn_of_odd_times(builder, all.odd_times);
    return builder.finish(threads);
  }
  return error(worst, broken);
}

void write_dbcop(const History& history, const NewFile& file) {
  Sink& sink = file("history.bincode");
  const auto word = [&](std::uint64_t value) {
    std::array<char, 8> bytes;
    for (unsigned i = 0; i < 8; ++i) {
      bytes[i] = static_cast<char>(value >> (8 * i) & 0xff);
    }
    sink.append(std::string_view(bytes.data(), bytes.size()));
  };
  const DbcopParameters parameters(history);
  for (const std::uint32_t parameter :
       {parameters.id, parameters.n_node, parameters.n_variable,
        parameters.n_transaction, parameters.n_event}) {
    word(parameter);
  }
  for (const std::string_view text :
       {DbcopParameters::kInfo, DbcopParameters::kTime,
        DbcopParameters::kTime}) {
    word(text.size());
    sink.append(text);
  }
  word(history.num_sessions());
  for (const SessionId session : history.sessions()) {
    word(history.txns(session).size());
    for (const TxnId txn : history.txns(session)) {
      word(history.ops(txn).size());
      for (const OpId op : history.ops(txn)) {
        sink.append(history.is_write(op) ? '\1' : '\0');
        word(history.key_atom(history.key(op)).bits);
        word(history.value(op).bits);
        sink.append('\1');
      }
      sink.append(history.status(txn) == Status::committed ? '\1' : '\0');
      if (sink.closed()) return;
    }
  }
}

}  // namespace awdit
