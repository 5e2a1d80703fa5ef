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

std::string describe_twin(const History& history, OpId a, OpId b) {
  return fmt::format(
      "key {} gets the {} {} twice, by {} and by {}, so that reads of it "
      "cannot be attributed and nothing can be proven",
      history.key_label(history.key(a)),
      history.has_lists() ? "element" : "value",
      history.to_string(history.value(a)), history.txn_name(history.txn_of(a)),
      history.txn_name(history.txn_of(b)));
}

namespace {

// Whether a list ends with what the reader appended itself.
bool has_own(const History& history, OpId read) {
  if (!history.has_lists() || history.list_size(read) == 0) return false;
  const Atom last = history.element(read, history.list_size(read) - 1);
  for (std::uint32_t op = history.ops(history.txn_of(read)).first; op < read.v;
       ++op) {
    if (history.is_write(OpId(op)) &&
        history.key(OpId(op)) == history.key(read) &&
        history.value(OpId(op)) == last) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string describe_read(const History& history, OpId read, TxnId writer) {
  const TxnId txn = history.txn_of(read);
  const std::string reader = history.txn_name(txn);
  const std::string quoted = quote(history, read);
  const bool own = txn != writer && has_own(history, read);
  if (history.is_init(writer)) {
    return fmt::format("{} read {} {}", reader,
                       own ? "only its own" : "the initial", quoted);
  }
  return fmt::format("{} read {} from {}{}", reader, quoted,
                     history.txn_name(writer), own ? " and itself" : "");
}

}  // namespace awdit
