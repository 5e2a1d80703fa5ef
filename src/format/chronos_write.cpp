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
  const auto add_value = [&](Atom atom) {
    if (!line.add_number(atom)) line.add("null");
  };
  std::int64_t position = 0;
  for (const std::uint32_t number : history.input_order()) {
    const TxnId txn(number);
    const Atom session = history.session_atom(history.session(txn));
    line.clear();
    line.add(position++ == 0 ? "[{\"tid\": " : ",\n{\"tid\": ");
    line.add(history.txn_label(txn).value_or(position), ", \"sid\": ");
    if (!line.add_number(session)) {
      sink.append(line.text());
      line.clear();
      append_json_string(history.strings()[session.bits], sink);
    }
    History::Times times{position, position};
    History::Times ticks{0, 0};
    if (history.clock() == Clock::hybrid && history.times(txn)) {
      times = *history.times(txn);
      ticks = history.ticks(txn).value_or(ticks);
      if (times.begin == kNoTime) times.begin = times.end;
      if (times.end == kNoTime) times.end = times.begin;
    }
    line.add(", \"sts\": {\"p\": ", times.begin, ", \"l\": ", ticks.begin,
             "}, \"cts\": {\"p\": ", times.end, ", \"l\": ", ticks.end,
             "}, \"ops\": [");
    bool first_op = true;
    for (const OpId op : history.ops(txn)) {
      const bool write = history.is_write(op);
      if (!first_op) line.add(", ");
      first_op = false;
      line.add(!write                ? "{\"t\": \"r\", \"k\": "
               : history.has_lists() ? "{\"t\": \"a\", \"k\": "
                                     : "{\"t\": \"w\", \"k\": ",
               history.key_atom(history.key(op)).bits, ", \"v\": ");
      if (history.has_lists() && !write) {
        line.add('[');
        for (std::size_t i = 0; i < history.list_size(op); ++i) {
          if (i != 0) line.add(", ");
          add_value(history.element(op, i));
        }
        line.add(']');
      } else {
        add_value(history.value(op));
      }
      line.add('}');
    }
    line.add("]}");
    sink.append(line.text());
    if (sink.closed()) return;
  }
  sink.append(position == 0 ? "[]\n" : "]\n");
}

}  // namespace awdit
