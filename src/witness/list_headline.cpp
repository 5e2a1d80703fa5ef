#include "witness/list_headline.h"

#include <fmt/format.h>

#include "witness/phrases.h"

namespace awdit {
namespace {

// "twice", "3 times"; `first` becomes the first place of the element.
std::string how_often(const History& history, const Violation& v,
                      std::uint32_t& first) {
  const Atom element = history.element(v.read, v.element);
  std::size_t count = 0;
  for (std::size_t i = history.list_size(v.read); i-- > 0;) {
    if (history.element(v.read, i) != element) continue;
    first = static_cast<std::uint32_t>(i);
    ++count;
  }
  return count == 2 ? "twice" : fmt::format("{} times", count);
}

}  // namespace

std::string list_headline(const History& history, const Violation& v) {
  const TxnId txn = history.txn_of(v.read);
  const std::string reader = history.txn_name(txn);
  const std::string read = quote(history, v.read, {v.element});
  const auto element = [&] {
    return history.to_string(history.element(v.read, v.element));
  };
  const auto value = [&](OpId write) {
    return history.to_string(history.value(write));
  };
  const auto read_it = [&] {
    return describe_read(
        history, v.read,
        v.write.valid() ? history.txn_of(v.write) : history.init_txn());
  };
  switch (v.kind) {
    case Kind::thin_air_read:
      if (v.element == kNoId) {
        return fmt::format("{} read {}, which nobody wrote", reader, read);
      }
      return fmt::format("{} read {}, but nobody appended {}", reader, read,
                         element());
    case Kind::aborted_read:
      return fmt::format(
          "{} read {}, but {} was appended by {}, which was "
          "aborted",
          reader, read, element(), history.txn_name(history.txn_of(v.write)));
    case Kind::future_read:
      return fmt::format("{} read {} before it appended {} itself", reader,
                         read, value(v.write));
    case Kind::own_write_ignored:
      return fmt::format("{} although it had itself appended {} before",
                         read_it(), value(v.other));
    case Kind::stale_own_write:
      return fmt::format("{} read its own {} although it had since appended {}",
                         reader, read, value(v.other));
    case Kind::intermediate_read:
      return fmt::format("{}, which went on to append {} before it committed",
                         read_it(), value(v.other));
    case Kind::duplicate_element: {
      std::uint32_t first = 0;
      const std::string often = how_often(history, v, first);
      return fmt::format("{} read {}, in which {} occurs {}", reader,
                         quote(history, v.read, {first, v.element}), element(),
                         often);
    }
    case Kind::incompatible_order: {
      const TxnId other = history.txn_of(v.other);
      return fmt::format("{} read {} and {}{}: no order of appends gives both",
                         reader, read,
                         other == txn ? "" : history.txn_name(other) + " read ",
                         quote(history, v.other, {v.element}));
    }
    default:
      return "";
  }
}

}  // namespace awdit
