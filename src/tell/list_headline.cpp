#include <fmt/format.h>

#include "base/counted.h"
#include "tell/headlines.h"
#include "tell/phrases.h"

namespace awdit {
namespace {

constexpr std::size_t kElements = 5;  // told before the rest is counted

std::string text_of(const History& history, OpId write) {
  return history.to_string(history.value(write));
}

// How often a list has an element, and where first.
struct Occurrence {
  std::uint32_t count = 0;
  std::uint32_t first = 0;
};
Occurrence find(const History& history, OpId read, Atom element) {
  Occurrence result;
  for (std::size_t i = history.list_size(read); i-- > 0;) {
    if (history.element(read, i) != element) continue;
    result.first = static_cast<std::uint32_t>(i);
    ++result.count;
  }
  return result;
}

// The list does not end with the reader's own appends.
std::string own_headline(const History& history, Kind kind, const Finding& v) {
  const std::string reader = history.txn_name(history.txn_of(v.read));
  if (find(history, v.read, history.value(v.other)).count != 0) {
    return fmt::format(
        "{} read {}, which does not end with the {} that it had appended "
        "itself",
        reader, quote(history, v.read), own_elements(history, v.read));
  }
  if (kind == Kind::stale_own_write) {
    return fmt::format("{} read {}{} although it had since appended {}", reader,
                       history.list_size(v.read) == 1 ? "its own " : "",
                       quote(history, v.read), text_of(history, v.other));
  }
  const TxnId writer = writer_of(history, v.write);
  return fmt::format("{} although it had itself appended {} before",
                     describe_read(history, v.read, writer),
                     text_of(history, v.other));
}

}  // namespace

std::vector<OpId> own_appends(const History& history, OpId read) {
  std::vector<OpId> own;
  for (const OpId op : history.ops(history.txn_of(read))) {
    if (op >= read) break;
    if (history.is_write(op) && history.key(op) == history.key(read)) {
      own.push_back(op);
    }
  }
  return own;
}

std::string own_elements(const History& history, OpId read) {
  std::vector<std::string> elements;
  for (const OpId op : own_appends(history, read)) {
    elements.push_back(text_of(history, op));
  }
  return listed(elements, kElements);
}

std::string describe_torn(const History& history, const Finding& v) {
  const std::string maker = history.txn_name(history.txn_of(v.write));
  const std::string here = text_of(history, v.write);
  const std::string there = text_of(history, v.other);
  const Occurrence element = find(history, v.read, history.value(v.write));
  const Occurrence other = find(history, v.read, history.value(v.other));
  if (other.count == 0) {
    return fmt::format("has {}'s {} but not the {} that {} appended as well",
                       maker, here, there, maker);
  }
  const bool forwards = v.write < v.other;
  const std::string both = fmt::format("{} and {}", forwards ? here : there,
                                       forwards ? there : here);
  if (element.count == 1 && other.count == 1 &&
      (element.first < other.first) != forwards) {
    return fmt::format("has the {} that {} appended in the wrong order", both,
                       maker);
  }
  return fmt::format("has the {} that {} appended, but not as {} appended them",
                     both, maker, maker);
}

std::string list_headline(const History& history, Kind kind, const Finding& v) {
  const TxnId txn = history.txn_of(v.read);
  const std::string reader = history.txn_name(txn);
  const std::string read = quote(history, v.read, {v.element});
  const auto element = [&] {
    return history.to_string(history.element(v.read, v.element));
  };
  switch (kind) {
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
                         read, text_of(history, v.write));
    case Kind::own_write_ignored:
    case Kind::stale_own_write:
      return own_headline(history, kind, v);
    case Kind::intermediate_read:
      return fmt::format("{} read {}, which {}", reader, read,
                         describe_torn(history, v));
    case Kind::duplicate_element: {
      const Occurrence there =
          find(history, v.read, history.element(v.read, v.element));
      return fmt::format(
          "{} read {}, in which {} occurs {}", reader,
          quote(history, v.read, {there.first, v.element}), element(),
          there.count == 2 ? "twice" : fmt::format("{} times", there.count));
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
