// What the handles of awdit.h hold. Private to abi/.
//
// A history is shared by its handle and by the reports about it, whichever
// lives longest; it never changes, so that sharing needs no lock.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "abi/abi.h"
#include "check/check.h"
#include "format/format.h"
#include "history/history.h"
#include "report/report.h"
#include "theory/theory.h"

namespace awdit::abi {

struct Held {
  History history;
  const Format* format = nullptr;  // nullptr: made by calls
  std::string name;                // in messages

  Subject subject() const {
    return {.path = name,
            .format = format == nullptr ? std::string_view() : format->name,
            .history = history};
  }
};
using Shared = std::shared_ptr<const Held>;

// The history of it once more, to be consumed.
inline History copy_of(const Shared& held) {
  return History::sharing({held, &held->history});
}

}  // namespace awdit::abi

struct awdit_bytes {
  std::string bytes;
};

struct awdit_cancel {
  std::atomic<bool> asked{false};
};

struct awdit_options {
  awdit_options();

  unsigned threads;
  awdit::Options check;  // limits, first, ...; threads and work are not set
  bool session_order = true;
  awdit::ReportOptions report;
  std::string name;
  awdit_progress_fn progress = nullptr;
  void* user = nullptr;
  const awdit_cancel* cancel = nullptr;
};

struct awdit_history {
  awdit::abi::Shared held;
};

struct awdit_report {
  awdit::abi::Shared held;  // as it was checked
  awdit::Report report;
  bool first = false;
  bool certifiable = false;
  std::string conclusion = {};
};

struct awdit_checks {
  awdit::abi::Shared held;
  std::vector<awdit::LevelCheck> checks;
};

struct awdit_shrunk {
  awdit::abi::Shared held;
  const awdit::Level* level;
  awdit::Kind kind;
  std::string headline;
  bool minimal;
};

namespace awdit::abi {

// What NULL stands for.
class Chosen {
 public:
  explicit Chosen(const awdit_options* options)
      : options_(options != nullptr ? options : &usual_.emplace()) {}
  Chosen(const Chosen&) = delete;
  Chosen& operator=(const Chosen&) = delete;
  const awdit_options& operator*() const { return *options_; }
  const awdit_options* operator->() const { return options_; }

 private:
  std::optional<awdit_options> usual_;
  const awdit_options* options_;
};

// "" for NULL.
inline std::string_view text_or_none(const char* text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

// Texts of tables are literals: a zero byte follows.
inline const char* literal(std::string_view text) { return text.data(); }

inline void give(awdit_bytes** bytes, std::string text) {
  *bytes = new awdit_bytes{std::move(text)};
}

}  // namespace awdit::abi
