#include "cli/isolation.h"

#include <fmt/format.h>

#include "base/fit.h"
#include "base/table.h"
#include "cli/values.h"

namespace awdit::cli {
namespace {

// A name of SQL's that is none of ours: what to ask for instead.
Misuse several_levels(const std::string& typed, const SqlLevel& sql) {
  constexpr std::size_t kLine = 80, kCell = 20;
  Misuse wrong{fmt::format(
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

}  // namespace

void Isolation::add(Grammar& grammar, const std::string& text) {
  grammar.options("-i,--isolation", "LEVEL", text, lists_, names_of(levels()));
  grammar.flag("--no-session-order",
               "Ignore the order of transactions within a session: levels\nas "
               "Adya and Elle define them",
               no_session_order_);
}

Wrong Isolation::settle(const Level* claim) {
  const std::span<const Level> table = levels();
  bool all = lists_.empty() && claim == nullptr;
  std::vector<bool> named(table.size(), false);
  for (const std::string& list : lists_) {
    for (const std::string& word : names_in({list})) {
      if (plain_name(word) == "all") {
        all = true;
      } else if (word.empty()) {
        return Misuse{fmt::format("there is an empty name in '{}'", list)};
      } else if (const Level* level = find_named(table, word)) {
        named[static_cast<std::size_t>(level - table.data())] = true;
      } else if (const SqlLevel* sql = find_named(sql_levels(), word)) {
        return several_levels(word, *sql);
      } else {
        return Misuse{unknown_name_message("level", word, table)};
      }
    }
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    const bool claimed =
        lists_.empty() && claim != nullptr && implies(*claim, table[i]);
    if (all || named[i] || claimed) wanted_.push_back({&table[i], named[i]});
  }
  return std::nullopt;
}

void Isolation::use_claim(const Level& claim) {
  if (!lists_.empty()) return;
  std::erase_if(wanted_, [&](const Wanted& wanted) {
    return !implies(claim, *wanted.level);
  });
}

History Isolation::applied_to(History history) const {
  return no_session_order_ ? std::move(history).without_session_order()
                           : std::move(history);
}

std::vector<const Level*> Isolation::asked_of(const History& history) const {
  std::vector<const Level*> asked;
  for (const Wanted& wanted : wanted_) {
    if (wanted.named || applies(*wanted.level, history)) {
      asked.push_back(wanted.level);
    }
  }
  return asked;
}

}  // namespace awdit::cli
