// awdit explain: an entry of the dictionary. The example is not prose: it is a
// history that is checked here and now, so that it cannot be untrue.
//
// Whatever name a report prints is in the tables of levels, anomalies, terms
// and Elle's models, and is looked up there: first as one of ours, then as one
// of others, of which several things may have the same.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/table.h"
#include "base/utf8.h"
#include "report/block.h"
#include "report/edn_models.h"
#include "report/layout.h"
#include "report/report.h"
#include "tell/tell.h"

namespace awdit {
namespace {

class Entry {
 public:
  Entry(const Palette& colours, Sink& sink) : colours_(colours), sink_(sink) {}

  void title(std::string_view name, std::string_view also) {
    if (!std::exchange(first_, false)) blank();
    append_line(
        fmt::format("{}{}{}{}", colours_.strong, name, colours_.off, also), 2,
        colours_, sink_);
  }
  void paragraph(std::string_view text) {
    append_wrapped(text, "  ", "  ", colours_, sink_);
  }
  // A remark about the entries, not part of one.
  void remark(std::string_view text) {
    append_wrapped(text, "", "", colours_, sink_);
  }
  void field(std::string_view name, std::string_view text,
             std::size_t width = 14) {
    if (text.empty()) return;
    append_wrapped(text, fmt::format("  {:<{}}", name, width),
                   std::string(width + 2, ' '), colours_, sink_);
  }
  void blank() { sink_.append('\n'); }

  // The example, and the story that is told of it: the one of this kind, or
  // the first.
  void example(std::string_view text, const Kind* kind) {
    const std::unique_ptr<const Example> example = example_of(text, kind);
    if (example == nullptr) return;
    paragraph("Example (a line is a session, | separates its transactions):");
    blank();
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      append_line(fmt::format("    {}", text.substr(0, end)), 8, colours_,
                  sink_);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    append_block(example->history, example->report, example->story, colours_,
                 sink_);
  }

 private:
  const Palette colours_;
  Sink& sink_;
  bool first_ = true;  // no entry has begun
};

std::string also(std::span<const std::string_view> aliases) {
  std::string text;
  for (const std::string_view alias : aliases) {
    text += text.empty() ? "  (also: " : ", ";
    text += alias;
  }
  return text.empty() ? text : text + ")";
}

// What SQL's name promises in each database.
void append_meanings(const SqlLevel& sql, Entry& entry) {
  for (std::size_t i = 0; i < sql.meanings.size(); ++i) {
    const SqlLevel::Meaning& meaning = sql.meanings[i];
    entry.field(sql_databases()[i],
                meaning.level.empty()
                    ? std::string(meaning.how)
                    : fmt::format("{}: {}", meaning.level, meaning.how),
                16);
  }
}

void explain_level(const Level& level, Entry& entry) {
  entry.title(level.name, also(level.aliases));
  entry.paragraph(fmt::format("{}: {}.", level.title, level.summary));
  entry.blank();
  entry.paragraph(level.rule);
  entry.blank();
  std::vector<const Level*> weaker, stronger;
  for (const Level& other : levels()) {
    if (&other == &level) continue;
    if (implies(level, other)) weaker.push_back(&other);
    if (implies(other, level)) stronger.push_back(&other);
  }
  entry.field("Stronger than", names_of(weaker));
  entry.field("Weaker than", names_of(stronger));
  entry.field("Source", level.source);
  entry.blank();
  entry.example(level.example, nullptr);
  if (const SqlLevel* sql = find_row(sql_levels(), level.name)) {
    entry.blank();
    entry.paragraph(
        fmt::format("SQL's {} is, depending on the database:", sql_name(*sql)));
    entry.blank();
    append_meanings(*sql, entry);
  }
}

void explain_anomaly(const Anomaly& row, Entry& entry) {
  entry.title(row.name, "");
  entry.paragraph(row.sentence);
  entry.blank();
  entry.field("Also known as", row.also);
  entry.blank();
  entry.example(row.example, &row.kind);
}

void explain_term(const Word& term, Entry& entry) {
  entry.title(term.word, "");
  entry.paragraph(fmt::format("{}.", term.meaning));
}

void explain_sql(const SqlLevel& sql, Entry& entry) {
  entry.title(sql.name, also(sql.aliases));
  entry.paragraph(fmt::format("{}: what it promises depends on the database.",
                              sql_name(sql)));
  entry.blank();
  append_meanings(sql, entry);
}

// All that a word may mean.
struct Found {
  std::vector<const Level*> levels;
  std::vector<const Anomaly*> anomalies;
  const SqlLevel* sql = nullptr;
  const Word* term = nullptr;

  bool any() const {
    return !levels.empty() || !anomalies.empty() || sql != nullptr ||
           term != nullptr;
  }
};

// Those that are called so here. `word` is plain.
Found found_here(const std::string& word) {
  Found found;
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
Found found_elsewhere(std::string_view word) {
  Found found;
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

// Entries one below the other.
void explain_all(const Found& found, Entry& entry) {
  for (const Level* level : found.levels) explain_level(*level, entry);
  for (const Anomaly* row : found.anomalies) explain_anomaly(*row, entry);
  if (found.term != nullptr) explain_term(*found.term, entry);
  // A level of ours tells of SQL's itself.
  if (found.sql != nullptr && found.levels.empty()) {
    explain_sql(*found.sql, entry);
  }
}

// What else is called so, of which there is an entry as well.
template <typename Row>
void mention_others(std::string_view who, const std::vector<const Row*>& here,
                    const std::vector<const Row*>& elsewhere, Entry& entry) {
  for (const Row* row : elsewhere) {
    if (std::ranges::find(here, row) != here.end()) continue;
    entry.blank();
    entry.remark(fmt::format("{0} {1} by this name: awdit explain {1}.", who,
                             row->name));
  }
}

}  // namespace

std::string sql_name(const SqlLevel& sql) {
  std::string name(sql.name);
  for (char& c : name) {
    c = c == '-' ? ' ' : static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

bool explain_word(std::string_view typed, const ReportOptions& options,
                  Sink& sink) {
  if (typed.starts_with(':')) typed.remove_prefix(1);  // Elle's keywords
  const std::string word = plain_name(typed);
  const Found here = found_here(word);
  const Found elsewhere = found_elsewhere(word);
  if (!here.any() && !elsewhere.any()) return false;
  Entry entry(palette(options.colour, options.blocks, options.width), sink);
  if (here.any()) {
    explain_all(here, entry);
    mention_others("Elle calls", here.levels, elsewhere.levels, entry);
    mention_others("Others call", here.anomalies, elsewhere.anomalies, entry);
    return true;
  }
  if (elsewhere.levels.size() + elsewhere.anomalies.size() > 1) {
    entry.remark(fmt::format("Of these, each is called {} by some:", typed));
    entry.blank();
  } else if (const ModelOf model = model_named(word); model.level != nullptr) {
    entry.remark(fmt::format("Elle's name of {}{}:", model.level->name,
                             model.sessions || model.level->real_time
                                 ? ""
                                 : " without the order of sessions"));
    entry.blank();
  }
  explain_all(elsewhere, entry);
  return true;
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
