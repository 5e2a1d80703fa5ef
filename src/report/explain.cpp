// awdit explain: entries of the dictionary, one below the other. The examples
// are no prose: they are histories that were checked and told like any other
// (tell/example.h), so that they cannot be untrue.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/table.h"
#include "report/block.h"
#include "report/layout.h"
#include "report/report.h"

namespace awdit {
namespace {

class Entry {
 public:
  explicit Entry(const Screen& to) : to_(to) {}

  void title(std::string_view name, std::string_view also) {
    if (!std::exchange(first_, false)) blank();
    to_.line(fmt::format("{}{}{}{}", to_.strong, name, to_.off, also), 2);
  }
  void paragraph(std::string_view text) { to_.prose(text, "  ", "  "); }
  // A remark about the entries, not part of one.
  void remark(std::string_view text) { to_.prose(text); }
  void field(std::string_view name, std::string_view text,
             std::size_t width = 14) {
    if (text.empty()) return;
    to_.prose(text, fmt::format("  {:<{}}", name, width),
              std::string(width + 2, ' '));
  }
  void blank() { to_.blank(); }

  // The notation of an example, and the story that is told of it.
  void example(std::string_view text, const Example* example) {
    if (example == nullptr) return;
    paragraph("Example (a line is a session, | separates its transactions):");
    blank();
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      to_.line(fmt::format("    {}", text.substr(0, end)), 8);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    append_block(example->history, example->report, example->story, to_);
  }

 private:
  const Screen to_;
  bool first_ = true;  // no entry has begun
};

std::string also(std::span<const std::string_view> aliases) {
  if (aliases.empty()) return "";
  return fmt::format("  (also: {})", fmt::join(aliases, ", "));
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

void explain_level(const Level& level, const Example* example, Entry& entry) {
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
  entry.example(level.example, example);
  if (const SqlLevel* sql = find_row(sql_levels(), level.name)) {
    entry.blank();
    entry.paragraph(
        fmt::format("SQL's {} is, depending on the database:", sql_name(*sql)));
    entry.blank();
    append_meanings(*sql, entry);
  }
}

void explain_anomaly(const Anomaly& row, const Example* example, Entry& entry) {
  entry.title(row.name, "");
  entry.paragraph(row.sentence);
  entry.blank();
  entry.field("Also known as", row.also);
  entry.blank();
  entry.example(row.example, example);
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

// What else is called so, of which there is an entry as well.
template <typename Row>
void mention(std::string_view who, const std::vector<const Row*>& others,
             Entry& entry) {
  for (const Row* row : others) {
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

void explain_meaning(const Meaning& meaning,
                     std::span<const std::unique_ptr<const Example>> examples,
                     const ReportOptions& options, Sink& sink) {
  Entry entry(Screen(sink, options.colour, options.blocks, options.width));
  if (!meaning.remark.empty()) {
    entry.remark(meaning.remark);
    entry.blank();
  }
  auto example = examples.begin();
  for (const Level* level : meaning.levels) {
    explain_level(*level, (example++)->get(), entry);
  }
  for (const Anomaly* row : meaning.anomalies) {
    explain_anomaly(*row, (example++)->get(), entry);
  }
  if (meaning.term != nullptr) explain_term(*meaning.term, entry);
  // A level of ours tells of SQL's itself.
  if (meaning.sql != nullptr && meaning.levels.empty()) {
    explain_sql(*meaning.sql, entry);
  }
  mention("Elle calls", meaning.other_levels, entry);
  mention("Others call", meaning.other_anomalies, entry);
}

}  // namespace awdit
