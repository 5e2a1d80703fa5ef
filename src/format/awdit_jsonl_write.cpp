// Writes awdit-jsonl, from a history or while recording. Blanks are left away;
// so is what the reader assumes anyway.
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/utf8.h"
#include "format/jsonl_line.h"
#include "format/line.h"
#include "format/rows.h"

namespace awdit {
namespace {

class LineWriter {
 public:
  explicit LineWriter(Sink& sink) : sink_(sink) {}

  // `domain`: of all times that say nothing else; "": none.
  void header(const std::optional<Term>& initial, Clock clock,
              std::string_view domain, const ClockDomains& known = {}) {
    line_.clear();
    line_.add("{\"awdit\":1,\"initial\":");
    if (initial) {
      add(*initial);
    } else {
      line_.add("false");
    }
    line_.add(",\"clock\":\"", name(clock), '"');
    clock_domain(domain);
    if (!known.relations().empty()) relations(known);
    line_.add("}\n");
    sink_.append(line_.text());
  }
  void clock_domain(std::string_view name) {
    if (name.empty()) return;
    line_.add(",\"clock_domain\":");
    text(name);
  }

  void begin(const Term& session) {
    line_.clear();
    line_.add("{\"session\":");
    add(session);
  }
  // Empty: a transaction without id where others have one.
  void id(std::optional<std::int64_t> id) {
    line_.add(",\"id\":");
    integer_or_null(id);
  }
  void status(Status status) {
    if (status == Status::committed) return;
    line_.add(",\"status\":\"", name(status), '"');
  }
  void begin_ops() {
    line_.add(",\"ops\":[");
    first_ = true;
  }
  // Of read_list: see begin_list.
  void op(OpKind kind, const Term& key, const Term& value) {
    constexpr const char* kNames[] = {"r", "w", "append"};
    begin_op(kNames[static_cast<std::size_t>(kind)], key);
    if (value.atom != Atom::absent()) {
      line_.add(',');
      add(value);
    }
    line_.add(']');
  }
  void begin_list(const Term& key) {
    begin_op("r", key);
    line_.add(",[");
    first_ = true;
  }
  void element(const Term& value) {
    if (!first_) line_.add(',');
    first_ = false;
    add(value);
  }
  void end_list() {
    line_.add("]]");
    first_ = false;
  }
  void end_ops() { line_.add(']'); }

  void times(const char* field, const std::optional<History::Times>& times) {
    if (!times) return;
    line_.add(field);
    time(times->begin);
    line_.add(',');
    time(times->end);
    line_.add(']');
  }
  void notes(std::string_view node, std::string_view meta) {
    if (!node.empty()) {
      line_.add(",\"node\":");
      text(node);
    }
    if (meta.empty()) return;
    line_.add(",\"meta\":");
    json(meta);
  }
  void about(std::string_view text) {
    line_.clear();
    line_.add("{\"about\":");
    json(text);
    end();
  }
  // What is on the line so far goes to the sink; the rest will follow.
  void pause() {
    sink_.append(line_.text());
    line_.clear();
  }
  // The field with its first half only: a line that ends here is of unknown
  // outcome.
  void begin_times(std::int64_t begin) {
    line_.add(",\"times\":[");
    time(begin);
    line_.add(',');
  }
  void end_times(std::int64_t end) {
    time(end);
    line_.add(']');
  }
  void end() {
    line_.add("}\n");
    sink_.append(line_.text());
  }

 private:
  void relations(const ClockDomains& known) {
    line_.add(",\"clock_relations\":[");
    bool first = true;
    for (const ClockDomains::Relation& relation : known.relations()) {
      line_.add(first ? "[" : ",[");
      first = false;
      text(known.names()[relation.from]);
      line_.add(',');
      text(known.names()[relation.to]);
      line_.add(',', relation.offset, ',', relation.error, ']');
    }
    line_.add(']');
  }

  // On one line, whoever made it; what is no JSON becomes a text.
  void json(std::string_view value) {
    std::string line = padded_line(value);
    std::replace(line.data(), line.data() + value.size(), '\n', ' ');
    JsonReader reader;
    reader.enter_line(line.data());
    compact_.clear();
    if (reader.skip(&compact_) && reader.at_line_end()) {
      harmless(compact_);
    } else {
      text(value);
    }
  }

  // JSON, whose texts may hold raw what terminals obey: it stands nowhere else.
  void harmless(std::string_view json) {
    constexpr char kHex[] = "0123456789abcdef";
    std::size_t plain = 0;
    for (std::size_t i = 0; i < json.size(); ++i) {
      const int control = utf8_control(json.substr(i, 2));
      if (control < 0) continue;
      line_.add(json.substr(plain, i - plain), "\\u00", kHex[control >> 4],
                kHex[control & 0xF]);
      if (control >= 0x80) ++i;
      plain = i + 1;
    }
    line_.add(json.substr(plain));
  }

  void begin_op(const char* kind, const Term& key) {
    line_.add(first_ ? "[\"" : ",[\"", kind, "\",");
    first_ = false;
    add(key);
  }

  void time(std::int64_t time) {
    integer_or_null(time == kNoTime ? std::nullopt : std::optional(time));
  }
  void integer_or_null(std::optional<std::int64_t> number) {
    if (number) {
      line_.add(*number);
    } else {
      line_.add("null");
    }
  }

  void add(const Term& term) {
    if (line_.add_number(term.atom)) return;
    if (term.atom.kind == Atom::Kind::string) return text(term.text);
    line_.add(term.atom == Atom::nil() ? "null" : "{}");
  }

  // What needs no escapes, as nearly all keys.
  static bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
      return c >= ' ' && c <= '~' && c != '"' && c != '\\';
    });
  }

  void text(std::string_view text) {
    if (is_plain(text)) return line_.add('"', text, '"');
    line_.add(json_string(text));
  }

  Sink& sink_;
  Line line_;
  std::string compact_;
  bool first_ = true;
};

class JsonlRecording final : public Recording {
 public:
  JsonlRecording(Sink& sink, const RecordingOptions& options)
      : sink_(sink), writer_(sink), clock_(options.clock) {
    writer_.header(options.initial_value, options.clock, options.clock_domain);
  }

  void add(const Record& record) override {
    if (!announced_) begin(record);
    announced_ = false;
    if (timed(record)) writer_.end_times(record.times->end);
    writer_.status(record.status);
    writer_.notes("", record.meta);
    writer_.end();
  }

  void announce(const Record& record) override {
    // Without times there is no mark at which a reader could go on.
    if (!timed(record)) return;
    begin(record);
    writer_.pause();
    sink_.flush();
    announced_ = true;
  }

  void retract() override { announced_ = false; }

  void about(std::string_view json) override { writer_.about(json); }

  void flush() override { sink_.flush(); }

 private:
  bool timed(const Record& record) const {
    return clock_ != Clock::none && record.times.has_value();
  }

  // All that is known before the transaction commits; times come last. Notes
  // may tell how it ended.
  void begin(const Record& record) {
    writer_.begin(record.session);
    if (record.id) writer_.id(record.id);
    writer_.begin_ops();
    for (const Record::Op& op : record.ops) {
      if (op.kind == OpKind::read_list) {
        writer_.begin_list(op.key);
        for (const Term& element : op.list) writer_.element(element);
        writer_.end_list();
      } else {
        writer_.op(op.kind, op.key, op.value);
      }
    }
    writer_.end_ops();
    writer_.times(",\"ticks\":[", record.ticks);
    writer_.notes(record.node, "");
    if (timed(record)) writer_.begin_times(record.times->begin);
  }

  Sink& sink_;
  LineWriter writer_;
  Clock clock_;
  bool announced_ = false;  // the line has been begun
};

}  // namespace

// In the order of the input, so that it stays a good guess at a commit order.
void write_awdit_jsonl(const History& history, const NewFile& file) {
  Sink& sink = file("history.jsonl");
  LineWriter writer(sink);
  const auto term = [&](Atom atom) {
    return Term{atom, atom.kind == Atom::Kind::string
                          ? history.strings()[atom.bits]
                          : std::string_view()};
  };
  std::optional<Term> initial;
  if (history.initial_value()) initial = term(*history.initial_value());
  // What the header says of all may be said otherwise of some, but not unsaid:
  // no name there if some have none.
  const ClockDomains& domains = history.clock_domains();
  const bool all_named =
      domains.size() != 0 &&
      std::none_of(domains.names().begin(), domains.names().end(),
                   [](const std::string& name) { return name.empty(); });
  const std::string_view usual =
      all_named ? std::string_view(domains.names()[0]) : std::string_view();
  writer.header(initial, history.clock(), usual, domains);
  for (const std::string& json : history.about()) writer.about(json);
  for (const std::uint32_t number : history.input_order()) {
    const TxnId txn(number);
    writer.begin(term(history.session_atom(history.session(txn))));
    if (history.has_ids()) writer.id(history.txn_label(txn));
    writer.status(history.status(txn));
    writer.begin_ops();
    for (const OpId op : history.ops(txn)) {
      const Term key = term(history.key_atom(history.key(op)));
      if (history.kind(op) != OpKind::read_list) {
        writer.op(history.kind(op), key, term(history.value(op)));
      } else {
        writer.begin_list(key);
        for (std::size_t i = 0; i < history.list_size(op); ++i) {
          writer.element(term(history.element(op, i)));
        }
        writer.end_list();
      }
    }
    writer.end_ops();
    if (history.clock() != Clock::none) {
      writer.times(",\"times\":[", history.times(txn));
    }
    writer.times(",\"ticks\":[", history.ticks(txn));
    if (!history.has_one_clock()) {
      const std::string& domain = domains.names()[history.clock_domain(txn)];
      if (domain != usual) writer.clock_domain(domain);
    }
    writer.notes(history.node(txn), history.meta(txn));
    writer.end();
    if (sink.closed()) return;
  }
}

std::unique_ptr<Recording> record_awdit_jsonl(Sink& sink,
                                              const RecordingOptions& options) {
  return std::make_unique<JsonlRecording>(sink, options);
}

}  // namespace awdit
