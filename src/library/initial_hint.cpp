#include "library/initial_hint.h"

#include <fmt/format.h>

namespace awdit {
namespace {

// As the header of awdit-jsonl spells it; "": no usual initial value.
std::string spelt(const History& history, Atom value) {
  if (value == Atom::integer(0)) return "0";
  if (value == Atom::nil()) return "null";
  if (value == Atom::absent()) return "{}";
  if (value.kind == Atom::Kind::string && history.to_string(value).empty()) {
    return "\"\"";
  }
  return "";
}

// What can be done about it where this is the initial value.
std::string remedy(const Format& format, const std::string& initial) {
  const std::string header =
      fmt::format("{{\"awdit\": 1, \"initial\": {}}}", initial);
  if (format.name == "awdit-jsonl") {
    return fmt::format("say so in the header, the first line of the file: {}",
                       header);
  }
  if (format.capacity.initial == Capacity::Initial::none) {
    return "let the first transaction write it to every key";
  }
  return fmt::format(
      "convert the history to awdit-jsonl and say so in its first line: {}",
      header);
}

}  // namespace

std::optional<std::string> initial_value_hint(const History& history,
                                              const Format& format,
                                              const Report& report) {
  if (history.has_lists()) return std::nullopt;  // lists begin empty
  for (const LevelReport& level : report.levels) {
    for (const Violation& violation : level.violations) {
      if (violation.kind != Kind::thin_air_read) continue;
      const OpId read = violation.finding()->read;
      const std::string initial = spelt(history, history.value(read));
      if (initial.empty()) continue;
      return fmt::format(
          "{} read {}={}, which nobody wrote. If that is what keys hold before "
          "anybody writes them, {}.",
          history.txn_name(history.txn_of(read)),
          history.key_label(history.key(read)), initial,
          remedy(format, initial));
    }
  }
  return std::nullopt;
}

}  // namespace awdit
