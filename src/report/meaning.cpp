// What a name means: whatever name a report prints is in the tables of levels,
// anomalies, terms and Elle's models, and is looked up there, first as one of
// ours, then as one of others, of which several things may have the same.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/table.h"
#include "base/utf8.h"
#include "report/edn_models.h"
#include "report/report.h"

namespace awdit {
namespace {

// Those that are called so here. `word` is plain.
Meaning found_here(const std::string& word) {
  Meaning found;
  if (const Level* level = find_named(levels(), word)) {
    found.levels.push_back(level);
  } else {
    for (const Level& row : levels()) {
      if (plain_name(row.title) == word) found.levels.push_back(&row);
    }
  }
  for (const Anomaly& row : anomalies()) {
    if (plain_name(row.name) == word) found.anomalies.push_back(&row);
  }
  found.sql = find_named(sql_levels(), word);
  for (const Word& term : terms()) {
    if (plain_name(term.word) == word) found.term = &term;
  }
  return found;
}

std::vector<const Anomaly*> anomalies_called(std::string_view word) {
  std::vector<const Anomaly*> found;
  for (const Anomaly& row : anomalies()) {
    const bool called = std::ranges::any_of(
        names_of(row), [&](auto name) { return plain_name(name) == word; });
    if (called) found.push_back(&row);
  }
  return found;
}

// Takes an ending off, if it is there.
bool cut(std::string_view ending, std::string_view& word) {
  const std::string plain = plain_name(ending);
  if (!word.ends_with(plain)) return false;
  word.remove_suffix(plain.size());
  return true;
}

// Those that others call so.
Meaning found_elsewhere(std::string_view word) {
  Meaning found;
  if (const Level* level = model_named(word).level) {
    found.levels.push_back(level);
  }
  const bool realtime = cut(kElleRealtime, word);
  if (!realtime) cut(kElleProcess, word);
  cut("-cycle", word);  // "G2-item cycle", in titles
  found.anomalies = anomalies_called(word);
  if (realtime && !found.anomalies.empty()) {
    found.anomalies = {&anomaly(Kind::real_time_violation)};
  }
  return found;
}

// Those of `all` that are not among `some`.
template <typename Row>
std::vector<const Row*> others(std::vector<const Row*> all,
                               const std::vector<const Row*>& some) {
  std::erase_if(all, [&](const Row* row) {
    return std::ranges::find(some, row) != some.end();
  });
  return all;
}

}  // namespace

Meaning meaning_of(std::string_view typed) {
  if (typed.starts_with(':')) typed.remove_prefix(1);  // Elle's keywords
  const std::string word = plain_name(typed);
  Meaning here = found_here(word);
  Meaning elsewhere = found_elsewhere(word);
  if (here.any()) {
    here.other_levels = others(std::move(elsewhere.levels), here.levels);
    here.other_anomalies =
        others(std::move(elsewhere.anomalies), here.anomalies);
    return here;
  }
  if (elsewhere.levels.size() + elsewhere.anomalies.size() > 1) {
    elsewhere.remark =
        fmt::format("Of these, each is called {} by some:", typed);
  } else if (const ModelOf model = model_named(word); model.level != nullptr) {
    elsewhere.remark = fmt::format("Elle's name of {}{}:", model.level->name,
                                   model.sessions || model.level->real_time
                                       ? ""
                                       : " without the order of sessions");
  }
  return elsewhere;
}

std::vector<std::string_view> words_to_explain() {
  std::vector<std::string_view> words;
  for (const Level& level : levels()) words.push_back(level.name);
  for (const SqlLevel& sql : sql_levels()) {
    if (!found_here(plain_name(sql.name)).levels.empty()) continue;
    words.push_back(sql.name);
  }
  for (const Anomaly& row : anomalies()) words.push_back(row.name);
  for (const Word& term : terms()) {
    if (find_named(sql_levels(), term.word) == nullptr) {
      words.push_back(term.word);
    }
  }
  return words;
}

std::vector<std::string_view> names_to_explain() {
  std::vector<std::string_view> names = words_to_explain();
  for (const Level& level : levels()) {
    names.insert(names.end(), level.aliases.begin(), level.aliases.end());
    names.push_back(level.title);
  }
  for (const SqlLevel& sql : sql_levels()) {
    names.insert(names.end(), sql.aliases.begin(), sql.aliases.end());
  }
  for (const Anomaly& row : anomalies()) {
    const std::vector<std::string_view> all = names_of(row);
    names.insert(names.end(), all.begin(), all.end());
  }
  const std::vector<std::string_view> models = model_names();
  names.insert(names.end(), models.begin(), models.end());
  return names;
}

}  // namespace awdit
