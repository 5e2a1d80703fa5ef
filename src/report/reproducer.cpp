#include "report/reproducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/utf8.h"
#include "history/text.h"
#include "report/exhibit.h"

namespace awdit {
namespace {

constexpr std::size_t kMostOps = 500;
constexpr std::size_t kMostElements = 500;

bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= 40 &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                  c == '_' || c == '-';
         });
}

class Writer {
 public:
  Writer(const History& history, const Story& story)
      : history_(history), story_(story) {}

  std::string write() {
    const std::vector<Exhibit> all = exhibits_of(history_, story_.violation);
    if (all.size() > kMostOps) return {};
    std::string body;
    for (const SessionId session : story_.sessions) {
      std::string line;
      for (const TxnId txn : txns_of(session)) {
        const std::string ops = ops_of(exhibits_in(history_, txn, all));
        if (too_long_) return {};
        if (ops.empty()) continue;
        names_.push_back(history_.txn_name(txn));
        line += (line.empty() ? "" : " |") + ops;
        line += mark_of(txn);
      }
      if (!line.empty()) body += session_of(session) + ":" + line + "\n";
    }
    return comment() + setup() + body;
  }

 private:
  std::vector<TxnId> txns_of(SessionId session) const {
    std::vector<TxnId> txns;
    for (const StoryTxn& shown : story_.txns) {
      if (history_.session(shown.txn) == session) txns.push_back(shown.txn);
    }
    std::sort(txns.begin(), txns.end());
    return txns;
  }

  std::string_view mark_of(TxnId txn) const {
    switch (history_.status(txn)) {
      case Status::aborted:
        return " !";
      case Status::unknown:
        return " ?";
      default:
        return "";
    }
  }

  std::string ops_of(const std::vector<Exhibit>& exhibits) {
    std::string text;
    for (const Exhibit& exhibit : exhibits) {
      const OpId op = exhibit.op;
      const std::string key = key_of(op);
      if (history_.has_lists() && !history_.is_write(op)) {
        text += fmt::format(" R({},[{}])", key, list_of(op));
        continue;
      }
      const bool initial = !history_.is_write(op) &&
                           exhibit.source == Source::txn &&
                           history_.is_init(exhibit.from);
      const std::string value = initial ? "0" : value_of(history_.value(op));
      const char letter = history_.has_lists()    ? 'A'
                          : history_.is_write(op) ? 'W'
                                                  : 'R';
      text += fmt::format(" {}({},{})", letter, key, value);
      if (history_.has_lists()) appended_[key].push_back(value);
    }
    return text;
  }

  // Elements whose append is not part of the story are appended by others.
  std::string list_of(OpId read) {
    const std::string key = key_of(read);
    const std::size_t size = history_.list_size(read);
    if (size > kMostElements) {
      too_long_ = true;
      return {};
    }
    std::string text;
    const bool thin = story_.violation.kind == Kind::thin_air_read &&
                      story_.violation.read == read;
    for (std::size_t i = 0; i < size; ++i) {
      const std::string value = value_of(history_.element(read, i));
      text += (i == 0 ? "" : " ") + value;
      if (!thin || i != story_.violation.element) {
        needed_.push_back({key, value});
      }
    }
    return text;
  }

  std::string setup() const {
    std::string text;
    std::map<std::string, std::vector<std::string>> there = appended_;
    for (const auto& [key, value] : needed_) {
      std::vector<std::string>& known = there[key];
      if (std::find(known.begin(), known.end(), value) != known.end()) continue;
      known.push_back(value);
      text += fmt::format("{} A({},{})", text.empty() ? "others:" : " |", key,
                          value);
    }
    return text.empty() ? text : text + "\n";
  }

  std::string comment() const {
    std::string text = "# " + visible(story_.headline) + "\n";
    if (names_.size() <= 20) {
      // Transactions are numbered anew in this notation.
      const std::string extra = setup();
      const auto first = static_cast<std::size_t>(
          extra.empty() ? 0 : 1 + std::count(extra.begin(), extra.end(), '|'));
      std::string names;
      for (std::size_t i = 0; i < names_.size(); ++i) {
        names += fmt::format("{} t{} = {}", i == 0 ? "" : ",", first + i + 1,
                             visible(names_[i]));
      }
      text += "# here and in the input:" + names + "\n";
    }
    return text;
  }

  std::string session_of(SessionId session) const {
    const std::string label = history_.session_label(session);
    return is_word(label) ? label : fmt::format("session{}", session.v + 1);
  }

  std::string key_of(OpId op) {
    const std::string label = history_.key_label(history_.key(op));
    if (is_word(label)) return label;
    return renamed(keys_, label, "key");
  }

  std::string value_of(Atom value) {
    const std::string label = history_.to_string(value);
    const bool lists = history_.has_lists();
    // 0 is the notation's initial value.
    const bool clash =
        !lists && label == "0" &&
        !(history_.initial_value() && value == *history_.initial_value());
    if (is_word(label) && !clash) return label;
    return renamed(values_, label, "value");
  }

  static std::string renamed(std::map<std::string, std::size_t>& known,
                             const std::string& label, std::string_view word) {
    const std::size_t fresh = known.size() + 1;
    return fmt::format("{}{}", word, known.emplace(label, fresh).first->second);
  }

  const History& history_;
  const Story& story_;
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> keys_, values_;          // label -> number
  std::map<std::string, std::vector<std::string>> appended_;  // [key]
  std::vector<std::pair<std::string, std::string>> needed_;   // key, element
  bool too_long_ = false;
};

bool violates(const std::string& text, const Story& story) {
  const Result<History> history = parse_text(text);
  if (!history) return false;
  const Level* const asked[] = {story.level};
  const Result<Report> report = check(*history, asked, {});
  if (!report) return false;
  const std::vector<Violation>& found = report->levels[0].violations;
  return std::any_of(found.begin(), found.end(), [&](const Violation& v) {
    return v.kind == story.violation.kind;
  });
}

}  // namespace

Reproducer reproducer_of(const History& history, const Story& story) {
  constexpr std::size_t kMostBytes = 8'000;
  Reproducer result{.text = Writer(history, story).write()};
  if (result.text.size() > kMostBytes) result.text.clear();
  result.reproduces = !result.text.empty() && violates(result.text, story);
  return result;
}

}  // namespace awdit
