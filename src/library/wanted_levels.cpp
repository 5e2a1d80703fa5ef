#include "library/wanted_levels.h"

#include <fmt/format.h>

#include "base/fit.h"
#include "base/table.h"

namespace awdit {
namespace {

// A name of SQL's that is none of ours: what to ask for instead.
NotALevel several_levels(std::string_view typed, const SqlLevel& sql) {
  constexpr std::size_t kLine = 80, kCell = 20;
  NotALevel wrong{fmt::format(
      "'{}' does not name one level: what it promises depends on the database",
      typed)};
  for (std::size_t i = 0; i < sql.meanings.size(); ++i) {
    const SqlLevel::Meaning& meaning = sql.meanings[i];
    std::string line = fmt::format("  {:<{}}", sql_databases()[i], kCell - 2);
    if (!meaning.level.empty()) line += fmt::format("-i {}: ", meaning.level);
    line += meaning.how;
    wrong.details += wrapped_line(line, kLine, kCell) + "\n";
  }
  return wrong;
}

// The next name of a list with commas, and the rest of it.
std::string_view take_name(std::string_view& rest, bool& more) {
  const std::size_t comma = rest.find(',');
  const std::string_view name = rest.substr(0, comma);
  more = comma != std::string_view::npos;
  rest.remove_prefix(more ? comma + 1 : rest.size());
  return name;
}

}  // namespace

std::optional<NotALevel> WantedLevels::choose(
    std::span<const std::string> lists, const Level* claim) {
  const std::span<const Level> table = levels();
  bool all = lists.empty() && claim == nullptr;
  std::vector<bool> named(table.size(), false);
  for (const std::string& list : lists) {
    std::string_view rest = list;
    for (bool more = true; more;) {
      const std::string_view word = take_name(rest, more);
      if (plain_name(word) == "all") {
        all = true;
      } else if (word.empty()) {
        return NotALevel{fmt::format("there is an empty name in '{}'", list)};
      } else if (const Level* level = find_named(table, word)) {
        named[static_cast<std::size_t>(level - table.data())] = true;
      } else if (const SqlLevel* sql = find_named(sql_levels(), word)) {
        return several_levels(word, *sql);
      } else {
        return NotALevel{unknown_name_message("level", word, table)};
      }
    }
  }
  wanted_.clear();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const bool claimed =
        lists.empty() && claim != nullptr && implies(*claim, table[i]);
    if (all || named[i] || claimed) wanted_.push_back({&table[i], named[i]});
  }
  return std::nullopt;
}

std::vector<const Level*> WantedLevels::asked_of(const History& history) const {
  std::vector<const Level*> asked;
  for (const Wanted& wanted : wanted_) {
    if (wanted.named || applies(*wanted.level, history)) {
      asked.push_back(wanted.level);
    }
  }
  return asked;
}

}  // namespace awdit
