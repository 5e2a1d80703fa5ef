#include "in_full.h"

#include "base/input.h"
#include "history/text.h"

namespace awdit {

std::string in_full(const Format& format, std::string_view text,
                    unsigned threads) {
  const Input input = Input::of(text, "big");
  const Result<History> history = format.parse({&input, 1}, threads);
  if (!history) return to_string(history.error());
  std::string result = to_text(*history);
  const auto times = [](const std::optional<History::Times>& t) {
    return t ? std::to_string(t->begin) + ".." + std::to_string(t->end) : "-";
  };
  for (const TxnId txn : history->txns()) {
    result += history->txn_name(txn) + ' ' + times(history->times(txn)) + ' ' +
              times(history->ticks(txn));
    for (const OpId op : history->ops(txn)) {
      result += ' ' + std::to_string(history->place(op).line);
    }
    result += '\n';
  }
  for (const std::uint32_t txn : history->input_order()) {
    result += ' ' + std::to_string(txn);
  }
  for (const SessionId session : history->sessions()) {
    result += ' ' + history->session_label(session);
  }
  for (const std::string& warning : history->warnings()) result += warning;
  return result;
}

}  // namespace awdit
