// awdit explain: an entry of the dictionary. The example is not prose: it is a
// history that is checked here and now, so that it cannot be untrue.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/table.h"
#include "base/utf8.h"
#include "history/text.h"
#include "report/block.h"
#include "report/layout.h"
#include "report/report.h"
#include "report/sentences.h"
#include "report/story.h"
#include "report/terms.h"

namespace awdit {
namespace {

class Entry {
 public:
  Entry(const Palette& colours, Sink& sink) : colours_(colours), sink_(sink) {}

  void title(std::string_view name, std::string_view also) {
    append_line(
        fmt::format("{}{}{}{}", colours_.strong, name, colours_.off, also), 2,
        colours_, sink_);
  }
  void paragraph(std::string_view text) {
    append_wrapped(text, "  ", "  ", colours_, sink_);
  }
  void field(std::string_view name, std::string_view text) {
    if (text.empty()) return;
    append_wrapped(text, fmt::format("  {:<14}", name), std::string(16, ' '),
                   colours_, sink_);
  }
  void blank() { sink_.append('\n'); }

  // The example, and the story that is told of it: the one of this kind, or
  // the first.
  void example(std::string_view text, const Kind* kind) {
    Result<History> history = parse_text(text);
    if (!history) return;
    const std::vector<const Level*> asked = applicable_levels(*history);
    Result<Report> report = check(*history, asked, {});
    if (!report) return;
    paragraph("Example (a line is a session, | separates its transactions):");
    blank();
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      append_line(fmt::format("    {}", text.substr(0, end)), 8, colours_,
                  sink_);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    const Stories found = stories(*history, *report, 0);
    for (const Story& story : found.told) {
      if (kind != nullptr && story.violation.kind != *kind) continue;
      append_block(*history, *report, story, colours_, sink_);
      return;
    }
  }

 private:
  const Palette colours_;
  Sink& sink_;
};

std::string also(std::span<const std::string_view> aliases) {
  std::string text;
  for (const std::string_view alias : aliases) {
    text += text.empty() ? "  (also: " : ", ";
    text += alias;
  }
  return text.empty() ? text : text + ")";
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

// "Depends-on" -> "depends on"
std::string plain(std::string_view word) {
  std::string text(word);
  for (char& c : text) {
    if (c == '-' || c == '_') c = ' ';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

const Anomaly* find_anomaly(std::string_view word) {
  for (const Anomaly& row : anomalies()) {
    if (plain(row.name) == plain(word)) return &row;
  }
  return nullptr;
}

}  // namespace

bool explain_word(std::string_view word, const ReportOptions& options,
                  Sink& sink) {
  Entry entry(palette(options.colour, options.blocks, options.width), sink);
  if (const Level* level = find_row(levels(), word)) {
    explain_level(*level, entry);
    return true;
  }
  if (const Anomaly* row = find_anomaly(word)) {
    explain_anomaly(*row, entry);
    return true;
  }
  for (const Word& term : terms()) {
    if (plain(term.word) == plain(word)) {
      explain_term(term, entry);
      return true;
    }
  }
  return false;
}

std::vector<std::string_view> words_to_explain() {
  std::vector<std::string_view> words;
  for (const Level& level : levels()) words.push_back(level.name);
  for (const Anomaly& row : anomalies()) words.push_back(row.name);
  for (const Word& term : terms()) words.push_back(term.word);
  return words;
}

}  // namespace awdit
