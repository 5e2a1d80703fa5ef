// dbcop's JSON: an object with `data`, or `data` alone, which is an array of
// sessions, each an array of {"events": [...], "committed": true}. See
// docs/formats/dbcop-json.md.
//
// Idea: one walk over the tokens, straight into the builder. The events of a
// transaction wait in a scratch array, because `committed` may stand behind
// them. `data` is cut where something looks like a transaction, and threads
// read the pieces on their own (format/json_pieces.h); a piece counts sessions
// from that in which it begins.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "format/dbcop_parameters.h"
#include "format/json_pieces.h"
#include "format/line.h"
#include "format/rows.h"
#include "history/builder.h"

namespace awdit {
namespace {

constexpr std::string_view kHint =
    "A transaction is {\"events\": [...], \"committed\": true}; an event is "
    "{\"Read\": {\"variable\": 1, \"version\": 10}}, {\"Write\": ...}, "
    "[\"r\", 1, 10] or [\"w\", 1, 10].";

// The shortest event there is.
constexpr std::string_view kShortest = "[\"w\",1,1]";

struct Piece : JsonPiece {
  std::int64_t session = 0;  // how many have ended in here
  std::int64_t txns = 0;
  bool zero_read = false;
  std::vector<std::uint64_t> zero_written = {};  // keys
};

// Reads into a piece: transactions, and what stands behind the last one.
class Reader {
 public:
  // `whole`: `data` is a field of an object. `written`: the keys to which 0 is
  // written, if that is known; sorted.
  Reader(const JsonText& text, bool has_lines, bool whole,
         std::span<const std::uint64_t> written, Piece& piece, const char* from)
      : text_(text),
        json_(text, from),
        has_lines_(has_lines),
        whole_(whole),
        written_(written),
        piece_(piece),
        shard_(*piece.shard) {}

  // See PieceReader::read.
  std::size_t read(std::size_t to) {
    return read_json_piece(
        json_, text_.bytes(), to, piece_, [&] { return transaction(); },
        [&] {
          const std::int64_t session = piece_.session;
          if (json_.next(']') || (!json_.failed() && another_session())) {
            return true;
          }
          if (!json_.failed()) rest();
          if (json_.failed()) piece_.session = session;
          return false;
        });
  }

  // Everything in front of the first transaction; nullptr if there is none, or
  // a mistake.
  const char* find_first() {
    const bool found = whole_ ? find_data() : true;
    if (found && json_.open('[', "an array of sessions")) {
      if (another_session()) return json_.at();
      if (!json_.failed()) rest();
    }
    piece_.mistake = json_.mistake();
    return nullptr;
  }

 private:
  struct Event {
    bool write;
    Atom key, value;
  };

  // Whether a field is the first of its name; `seen` is then true.
  bool once(bool& seen, const char* place, std::string_view name) {
    if (seen) {
      return json_.fail(place,
                        "\"" + std::string(name) + "\" stands here twice");
    }
    return seen = true;
  }

  bool find_data() {
    const char* const start = json_.at();
    std::string_view name;
    json_.open('{', "an object");
    while (json_.field(name)) {
      if (name == "data") return true;
      if (!json_.skip()) return false;
    }
    if (json_.failed()) return false;
    return json_.fail(start,
                      "the object has no \"data\", the array of sessions");
  }

  // Between two sessions: enters the next one that has a transaction. False:
  // there is none, and the end of `data` is passed; or a mistake.
  bool another_session() {
    while (json_.next(']')) {
      ++piece_.session;
      if (!json_.open('[', "a session, an array of transactions")) return false;
      if (json_.next(']')) return true;
      if (json_.failed()) return false;
    }
    return false;
  }

  // What stands behind `data`.
  bool rest() {
    std::string_view name;
    while (whole_ && json_.field(name)) {
      bool seen = true;
      if (name == "data" ? !once(seen, json_.at(), name) : !json_.skip()) {
        return false;
      }
    }
    if (json_.failed()) return false;
    return json_.at_end() || json_.expected("the end of the file");
  }

  bool transaction() {
    const char* const start = json_.at();
    if (!json_.open('{', "a transaction, an object")) return false;
    bool has_events = false, has_committed = false, committed = false;
    std::string_view name;
    events_.clear();
    while (json_.field(name)) {
      const char* const place = json_.at();
      if (name == "events") {
        if (!once(has_events, place, name) || !events()) return false;
      } else if (name == "committed") {
        if (!once(has_committed, place, name)) return false;
        if (!json_.boolean(committed)) return false;
      } else if (!json_.skip()) {
        return false;
      }
    }
    if (json_.failed()) return false;
    if (!has_events || !has_committed) {
      return json_.fail(start, has_events
                                   ? "the transaction has no \"committed\""
                                   : "the transaction has no \"events\"");
    }
    // Transactions have names of their own; each is longer than a byte.
    const auto label = static_cast<std::int64_t>(piece_.from) + ++piece_.txns;
    shard_.select(Atom::integer(piece_.session), label,
                  committed ? Status::committed : Status::aborted);
    if (has_lines_) shard_.txn_line(piece_.lines.line_of(start));
    for (const Event& event : events_) {
      shard_.access(event.write, event.key, event.value);
    }
    return true;
  }

  bool events() {
    if (!json_.open('[', "an array of events")) return false;
    while (json_.next(']')) {
      if (*json_.at() == '[' ? !triple() : !variant()) return false;
    }
    return !json_.failed();
  }

  // ["r", 1, 10]
  bool triple() {
    Event event{false, {}, Atom::nil()};
    std::string_view kind;
    json_.open('[', "an event");
    if (!json_.string(kind, "\"r\" or \"w\"")) return false;
    event.write = kind == "w";
    if (!event.write && kind != "r") {
      return json_.expected_at(kind.data() - 1, "\"r\" or \"w\"");
    }
    return json_.comma() && natural(event.key) && json_.comma() &&
           version(event) && json_.close(']') && add(event);
  }

  // {"Read": {"variable": 1, "version": 10}}
  bool variant() {
    const char* const start = json_.at();
    if (!json_.open('{', "an event, an object or an array")) return false;
    Event event{false, {}, Atom::nil()};
    bool found = false;
    std::string_view name;
    while (json_.field(name)) {
      event.write = name == "Write";
      if (found || (!event.write && name != "Read")) {
        return json_.expected_at(
            name.data() - 1,
            found ? "the end of the event" : "\"Read\" or \"Write\"");
      }
      found = true;
      if (!body(event)) return false;
    }
    if (json_.failed()) return false;
    if (!found) return json_.fail(start, "the event is empty");
    return add(event);
  }

  bool body(Event& event) {
    const char* const start = json_.at();
    if (!json_.open('{', "an object with \"variable\" and \"version\"")) {
      return false;
    }
    bool has_variable = false, has_version = false;
    std::string_view name;
    while (json_.field(name)) {
      if (name == "variable") {
        if (!once(has_variable, json_.at(), name)) return false;
        if (!natural(event.key)) return false;
      } else if (name == "version") {
        if (!once(has_version, json_.at(), name)) return false;
        if (!version(event)) return false;
      } else if (!json_.skip()) {
        return false;
      }
    }
    if (json_.failed() || (has_variable && has_version)) return !json_.failed();
    return json_.fail(start, has_variable ? "the event has no \"version\""
                                          : "the event has no \"variable\"");
  }

  bool version(Event& event) {
    if (!event.write && json_.word("null")) return true;
    return natural(event.value);
  }

  bool natural(Atom& atom) {
    const bool negative = *json_.at() == '-';
    return (!negative && json_.integer(atom)) ||
           json_.expected("an integer of 0 ... 2^64 - 1");
  }

  // A read of version 0 reads the initial state, unless somebody writes 0 to
  // that key. Who writes what is known at the end only: so at first every such
  // read is taken as initial, and a second pass corrects it in the rare case
  // that 0 is both read and written.
  bool add(Event& event) {
    if (event.value == Atom::integer(0)) {
      const std::uint64_t key = event.key.bits;
      if (event.write) {
        if (written_.empty()) piece_.zero_written.push_back(key);
      } else if (!std::binary_search(written_.begin(), written_.end(), key)) {
        piece_.zero_read = true;
        event.value = Atom::nil();
      }
    }
    events_.push_back(event);
    return true;
  }

  const JsonText& text_;
  JsonReader json_;
  const bool has_lines_;
  const bool whole_;
  const std::span<const std::uint64_t> written_;
  Piece& piece_;
  Builder::Shard& shard_;
  std::vector<Event> events_;
};

class Parser {
 public:
  explicit Parser(const JsonText& text)
      : text_(text), bytes_(text.bytes()), has_lines_(text.has_lines()) {
    JsonReader json(text);
    whole_ = *json.at() == '{';
  }

  Result<History> run(unsigned threads) {
    for (;;) {
      Builder builder(
          {.initial_value = Atom::nil(), .has_txn_lines = has_lines_});
      if (Outcome mistake = read(builder, threads)) return std::move(*mistake);
      // Who writes 0 is known now; that matters if somebody reads it.
      bool zero_read = false;
      std::vector<std::uint64_t> written;
      if (!pieces_) return builder.finish(threads);
      for (const Piece& piece : pieces_->all) {
        zero_read |= piece.zero_read;
        written.insert(written.end(), piece.zero_written.begin(),
                       piece.zero_written.end());
      }
      if (!written_.empty() || !zero_read || written.empty()) {
        return builder.finish(threads);
      }
      std::sort(written.begin(), written.end());
      written_ = std::move(written);
    }
  }

 private:
  Reader reader(Piece& piece, std::size_t from) const {
    return {text_, has_lines_, whole_, written_, piece, bytes_.data() + from};
  }

  // The first mistake, or nothing.
  Outcome read(Builder& builder, unsigned threads) {
    pieces_.reset();
    Piece front;
    front.shard = &builder.add_shard();
    const char* const first = reader(front, 0).find_first();
    if (first == nullptr) {
      if (front.mistake.message.empty()) return std::nullopt;
      return text_.error(front.mistake);
    }
    pieces_.emplace(text_, static_cast<std::size_t>(first - bytes_.data()),
                    kShortest.size(), false, builder);
    const std::optional<std::size_t> failed = pieces_->read(
        threads, [&](Piece& piece, std::size_t from, std::size_t to) {
          return reader(piece, from).read(to);
        });
    if (failed) return text_.error(pieces_->all[*failed].mistake);
    // Sessions are numbered through, from that of the first transaction.
    std::int64_t session = front.session;
    for (Piece& piece : pieces_->all) {
      piece.shard->shift_sessions(session);
      session += piece.session;
    }
    if (has_lines_) pieces_->count_lines();
    return std::nullopt;
  }

  const JsonText& text_;
  const std::string_view bytes_;
  const bool has_lines_;
  bool whole_;
  std::vector<std::uint64_t> written_;       // known in the second pass
  std::optional<JsonPieces<Piece>> pieces_;  // empty: no transaction
};

void add_event(const History& history, OpId op, Line& line) {
  line.add(history.is_write(op) ? "{\"Write\": {\"variable\": "
                                : "{\"Read\": {\"variable\": ",
           history.key_atom(history.key(op)).bits, ", \"version\": ");
  if (!line.add_number(history.value(op))) line.add("null");
  line.add("}}");
}

}  // namespace

bool sniff_dbcop_json(std::string_view head) {
  const std::string_view key = first_json_key(head, "{");
  for (const std::string_view own :
       {"params", "info", "start", "end", "data"}) {
    if (key == own) return true;
  }
  const std::string_view inner = first_json_key(head, "[[{");
  return inner == "events" || inner == "committed";
}

Result<History> parse_dbcop_json(std::span<const Input> files,
                                 unsigned threads) {
  const JsonText text(files.front(), kHint);
  return Parser(text).run(threads);
}

// One transaction per line, so that a reader finds its way.
void write_dbcop_json(const History& history, const NewFile& file) {
  Sink& sink = file("history.json");
  Line line;
  const DbcopParameters parameters(history);
  line.add("{\"params\": {\"id\": ", parameters.id,
           ", \"n_node\": ", parameters.n_node,
           ", \"n_variable\": ", parameters.n_variable,
           ", \"n_transaction\": ", parameters.n_transaction,
           ", \"n_event\": ", parameters.n_event, "}, \"info\": \"",
           DbcopParameters::kInfo, "\", \"start\": \"", DbcopParameters::kTime,
           "\", \"end\": \"", DbcopParameters::kTime, "\", \"data\": [");
  sink.append(line.text());
  bool first_session = true;
  for (const SessionId session : history.sessions()) {
    sink.append(first_session ? "\n[" : ",\n[");
    first_session = false;
    bool first_txn = true;
    for (const TxnId txn : history.txns(session)) {
      line.clear();
      line.add(first_txn ? "{\"events\": [" : ",\n{\"events\": [");
      first_txn = false;
      bool first_op = true;
      for (const OpId op : history.ops(txn)) {
        if (!first_op) line.add(", ");
        first_op = false;
        add_event(history, op, line);
      }
      line.add(history.status(txn) == Status::committed
                   ? "], \"committed\": true}"
                   : "], \"committed\": false}");
      sink.append(line.text());
    }
    sink.append("]");
    if (sink.closed()) return;
  }
  sink.append("\n]}\n");
}

}  // namespace awdit
