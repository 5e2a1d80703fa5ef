// Writing histories of Chronos and Aion; reading them is format/chronos.cpp.
#include <cstdint>

#include "base/json.h"
#include "format/line.h"
#include "format/rows.h"

namespace awdit {

// One transaction per line. A history without the times of a hybrid clock gets
// 1, 2, 3, ... in the order of its input.
void write_chronos(const History& history, const NewFile& file) {
  Sink& sink = file("history.json");
  Line line;
  const auto add_stamp = [&](const char* name, std::int64_t p, std::int64_t l) {
    line.add(name);
    line.add("{\"p\": ");
    line.add_signed(p);
    line.add(", \"l\": ");
    line.add_signed(l);
    line.add("}");
  };
  const auto add_integer = [&](Atom atom) {
    if (atom.kind == Atom::Kind::nil) {
      line.add("null");
    } else {
      line.add_signed(static_cast<std::int64_t>(atom.bits));
    }
  };
  std::int64_t position = 0;
  for (const std::uint32_t number : history.input_order()) {
    const TxnId txn(number);
    const Atom session = history.session_atom(history.session(txn));
    sink.append(position++ == 0 ? "[{\"tid\": " : ",\n{\"tid\": ");
    line.clear();
    line.add_signed(history.txn_label(txn).value_or(position));
    line.add(", \"sid\": ");
    sink.append(line.text());
    line.clear();
    if (session.kind == Atom::Kind::string) {
      append_json_string(history.strings()[session.bits], sink);
    } else if (session.kind == Atom::Kind::natural) {
      line.add(session.bits);
    } else {
      line.add_signed(static_cast<std::int64_t>(session.bits));
    }
    History::Times times{position, position};
    History::Times ticks{0, 0};
    if (history.clock() == Clock::hybrid && history.times(txn)) {
      times = *history.times(txn);
      ticks = history.ticks(txn).value_or(ticks);
      if (times.begin == kNoTime) times.begin = times.end;
      if (times.end == kNoTime) times.end = times.begin;
    }
    add_stamp(", \"sts\": ", times.begin, ticks.begin);
    add_stamp(", \"cts\": ", times.end, ticks.end);
    line.add(", \"ops\": [");
    bool first_op = true;
    for (const OpId op : history.ops(txn)) {
      const bool write = history.is_write(op);
      if (!first_op) line.add(", ");
      first_op = false;
      line.add(!write                ? "{\"t\": \"r\", \"k\": "
               : history.has_lists() ? "{\"t\": \"a\", \"k\": "
                                     : "{\"t\": \"w\", \"k\": ");
      line.add(history.key_atom(history.key(op)).bits);
      line.add(", \"v\": ");
      if (history.has_lists() && !write) {
        line.add('[');
        for (std::size_t i = 0; i < history.list_size(op); ++i) {
          if (i != 0) line.add(", ");
          add_integer(history.element(op, i));
        }
        line.add(']');
      } else {
        add_integer(history.value(op));
      }
      line.add("}");
    }
    line.add("]}");
    sink.append(line.text());
    if (sink.closed()) return;
  }
  sink.append(position == 0 ? "[]\n" : "]\n");
}

}  // namespace awdit
