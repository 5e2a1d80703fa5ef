// dbcop's JSON: an object with `data`, or `data` alone, which is an array of
// sessions, each an array of {"events": [...], "committed": true}. See
// docs/formats/dbcop-json.md.
//
// Idea: one walk over the tokens, straight into the builder. The events of a
// transaction wait in a scratch array, because `committed` may stand behind
// them.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "format/dbcop_parameters.h"
#include "format/json_text.h"
#include "format/line.h"
#include "format/rows.h"
#include "format/version_zero.h"
#include "history/builder.h"

namespace awdit {
namespace {

constexpr std::string_view kHint =
    "A transaction is {\"events\": [...], \"committed\": true}; an event is "
    "{\"Read\": {\"variable\": 1, \"version\": 10}}, {\"Write\": ...}, "
    "[\"r\", 1, 10] or [\"w\", 1, 10].";

// The shortest event there is.
constexpr std::string_view kShortest = "[\"w\",1,1]";

class Parser {
 public:
  Parser(const JsonText& text, VersionZero& zero)
      : text_(text),
        json_(text),
        has_lines_(text.has_lines()),
        zero_(zero),
        builder_(
            {.initial_value = Atom::nil(), .has_txn_lines = text.has_lines()}),
        shard_(builder_.add_shard()),
        lines_(text.bytes().data()) {
    shard_.reserve(text.bytes().size() / kShortest.size() + 1);
  }

  // Reads everything; the first mistake, or nothing.
  Outcome run() {
    const bool fine = *json_.at() == '{' ? whole() : data();
    if (fine && !json_.at_end()) json_.expected("the end of the file");
    if (json_.failed()) return json_.error();
    const std::string_view bytes = text_.bytes();
    shard_.lines = lines_.line_of(bytes.data() + bytes.size()) + 1;
    return std::nullopt;
  }

  Result<History> finish(unsigned threads) { return builder_.finish(threads); }

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

  bool whole() {
    const char* const start = json_.at();
    std::string_view name;
    bool found = false;
    json_.open('{', "an object");
    while (json_.field(name)) {
      if (name == "data") {
        if (!once(found, json_.at(), name) || !data()) return false;
      } else if (!json_.skip()) {
        return false;
      }
    }
    if (json_.failed() || found) return !json_.failed();
    return json_.fail(start,
                      "the object has no \"data\", the array of sessions");
  }

  bool data() {
    if (!json_.open('[', "an array of sessions")) return false;
    while (json_.next(']')) {
      ++session_;
      if (!json_.open('[', "a session, an array of transactions")) return false;
      while (json_.next(']')) {
        if (!transaction()) return false;
        json_.release_passed();
      }
      if (json_.failed()) return false;
    }
    return !json_.failed();
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
    shard_.select(Atom::integer(session_), ++txns_,
                  committed ? Status::committed : Status::aborted);
    if (has_lines_) shard_.txn_line(lines_.line_of(start));
    for (const Event& event : events_) {
      if (event.write) {
        shard_.write(event.key, event.value);
      } else {
        shard_.read(event.key, event.value);
      }
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

  bool add(Event& event) {
    if (event.value == Atom::integer(0)) {
      if (event.write) {
        zero_.write(event.key);
      } else {
        event.value = zero_.read(event.key);
      }
    }
    events_.push_back(event);
    return true;
  }

  const JsonText& text_;
  JsonReader json_;
  const bool has_lines_;
  VersionZero& zero_;
  Builder builder_;
  Builder::Shard& shard_;
  LineCounter lines_;
  std::vector<Event> events_;
  std::int64_t session_ = 0;
  std::int64_t txns_ = 0;
};

void add_event(const History& history, OpId op, Line& line) {
  line.add(history.is_write(op) ? "{\"Write\": {\"variable\": "
                                : "{\"Read\": {\"variable\": ");
  line.add(history.key_atom(history.key(op)).bits);
  line.add(", \"version\": ");
  const Atom value = history.value(op);
  if (value.kind == Atom::Kind::nil) {
    line.add("null");
  } else {
    line.add(value.bits);
  }
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
  VersionZero zero;
  for (;;) {
    Parser parser(text, zero);
    if (Outcome failed = parser.run()) return std::move(*failed);
    if (!zero.needs_second_pass()) return parser.finish(threads);
  }
}

// One transaction per line, so that a reader finds its way.
void write_dbcop_json(const History& history, const NewFile& file) {
  Sink& sink = file("history.json");
  Line line;
  const DbcopParameters parameters(history);
  line.add("{\"params\": {\"id\": ");
  line.add(std::uint64_t{parameters.id});
  line.add(", \"n_node\": ");
  line.add(std::uint64_t{parameters.n_node});
  line.add(", \"n_variable\": ");
  line.add(std::uint64_t{parameters.n_variable});
  line.add(", \"n_transaction\": ");
  line.add(std::uint64_t{parameters.n_transaction});
  line.add(", \"n_event\": ");
  line.add(std::uint64_t{parameters.n_event});
  line.add("}, \"info\": \"");
  line.add(DbcopParameters::kInfo);
  line.add("\", \"start\": \"");
  line.add(DbcopParameters::kTime);
  line.add("\", \"end\": \"");
  line.add(DbcopParameters::kTime);
  line.add("\", \"data\": [");
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
