#include "witness/phrases.h"

#include <fmt/format.h>

namespace awdit {

std::string quote(const History& history, OpId op) {
  return fmt::format("{}={}", history.key_label(history.key(op)),
                     history.to_string(history.value(op)));
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
