#include "witness/phrases.h"

#include <fmt/format.h>

#include "history/text.h"

namespace awdit {

std::string quote(const History& history, OpId op,
                  std::initializer_list<std::uint32_t> places) {
  const bool list = history.has_lists() && !history.is_write(op);
  return fmt::format("{}={}", history.key_label(history.key(op)),
                     list ? list_text(history, op, places)
                          : history.to_string(history.value(op)));
}

std::string wrote(const History& history, OpId write) {
  if (!history.has_lists()) return "wrote " + quote(history, write);
  return written(history, write);
}

std::string written(const History& history, OpId write) {
  if (!history.has_lists()) return "written " + quote(history, write);
  return fmt::format("appended {} to {}",
                     history.to_string(history.value(write)),
                     history.key_label(history.key(write)));
}

std::string overwritten(const History& history, OpId write) {
  if (history.has_lists()) return written(history, write);
  return "overwritten it with " + quote(history, write);
}

std::string describe_read(const History& history, OpId read, TxnId writer) {
  const std::string reader = history.txn_name(history.txn_of(read));
  if (history.is_init(writer)) {
    return fmt::format("{} read the initial {}", reader, quote(history, read));
  }
  return fmt::format("{} read {} from {}", reader, quote(history, read),
                     history.txn_name(writer));
}

std::string describe_step(const History& history, const Step& step) {
  if (step.reason == Reason::reads_from) {
    return describe_read(history, step.read, step.from);
  }
  if (history.is_init(step.from)) {
    return fmt::format("{} comes after the initial state",
                       history.txn_name(step.to));
  }
  return fmt::format("{} follows {} in session {}", history.txn_name(step.to),
                     history.txn_name(step.from),
                     history.session_name(history.session(step.to)));
}

std::string list(std::span<const std::string> items, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i == most) {
      return text + fmt::format(" and {} more", items.size() - most);
    }
    if (i != 0) {
      text += i + 1 == items.size() && items.size() <= most ? " and " : ", ";
    }
    text += items[i];
  }
  return text;
}

}  // namespace awdit
