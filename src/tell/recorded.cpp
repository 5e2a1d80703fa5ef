// How the history came about, in sentences.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "tell/sentences.h"
#include "tell/shown_times.h"

namespace awdit {
namespace {

using simdjson::dom::element;

// A member's text; "" if there is none.
std::string_view text(const element& object, std::string_view member) {
  std::string_view found;
  return object[member].get(found) == simdjson::SUCCESS ? found
                                                        : std::string_view();
}

bool number(const element& object, std::string_view member,
            std::int64_t& value) {
  return object[member].get(value) == simdjson::SUCCESS;
}

std::string recording(const element& about) {
  std::string sentence =
      fmt::format("Recorded from {}", text(about, "database"));
  if (!text(about, "level").empty()) {
    sentence += fmt::format(" at {}", text(about, "level"));
  }
  if (!text(about, "workload").empty()) {
    sentence += fmt::format(" by the workload {}", text(about, "workload"));
  }
  std::int64_t value = 0;
  if (number(about, "sessions", value) && value > 0) {
    sentence += ", " + count(static_cast<std::uint64_t>(value), "session");
  }
  if (number(about, "seed", value)) sentence += fmt::format(", seed {}", value);
  return sentence + ".";
}

std::int64_t first_begin(const History& history) {
  std::int64_t first = INT64_MAX;
  for (const TxnId txn : history.txns()) {
    const auto times = shown_times(history, txn);
    if (times && times->begin != kNoTime) first = std::min(first, times->begin);
  }
  return first;
}

// "kill after 1.2 s, for 0.5 s"
std::string fault(const element& about, std::int64_t began) {
  std::string words(text(about, "fault"));
  std::int64_t begin = 0, end = 0;
  if (!number(about, "begin", begin) || began == INT64_MAX) return words;
  // Clocks of strangers may be anywhere: no overflow.
  const auto seconds = [](std::int64_t from, std::int64_t to) {
    return (static_cast<double>(to) - static_cast<double>(from)) / 1e9;
  };
  words += fmt::format(" after {:.1f} s", seconds(began, begin));
  if (number(about, "end", end)) {
    words += fmt::format(" for {:.1f} s", seconds(begin, end));
  }
  return words;
}

}  // namespace

std::optional<double> recorded_seconds(const History& history) {
  if (history.clock() != Clock::nanoseconds &&
      history.clock() != Clock::milliseconds) {
    return std::nullopt;
  }
  std::int64_t first = INT64_MAX, last = INT64_MIN;
  for (const TxnId txn : history.txns()) {
    const auto times = shown_times(history, txn);
    if (!times) continue;
    if (times->begin != kNoTime) first = std::min(first, times->begin);
    if (times->end != kNoTime) last = std::max(last, times->end);
  }
  if (first > last) return std::nullopt;
  // Clocks of strangers may be anywhere: no overflow.
  const double ticks = static_cast<double>(last) - static_cast<double>(first);
  return ticks / (history.clock() == Clock::nanoseconds ? 1e9 : 1e3);
}

std::vector<std::pair<std::string_view, std::string>> recorded_facts(
    const History& history) {
  std::vector<std::pair<std::string_view, std::string>> facts;
  simdjson::dom::parser parser;
  for (const std::string& json : history.about()) {
    element about;
    if (parser.parse(json).get(about) != simdjson::SUCCESS ||
        text(about, "database").empty()) {
      continue;
    }
    for (const std::string_view name : {"database", "level", "workload"}) {
      if (const std::string_view fact = text(about, name); !fact.empty()) {
        facts.emplace_back(name, fact);
      }
    }
    std::int64_t seed = 0;
    if (number(about, "seed", seed)) {
      facts.emplace_back("seed", std::to_string(seed));
    }
    break;
  }
  if (const std::optional<double> seconds = recorded_seconds(history)) {
    facts.emplace_back("seconds", fmt::format("{:.3f}", *seconds));
  }
  return facts;
}

std::vector<std::string> recorded_sentences(const History& history) {
  constexpr std::size_t kMostFaults = 12;
  if (history.about().empty()) return {};
  std::vector<std::string> sentences;
  std::vector<std::string> faults;
  const std::int64_t began =
      history.clock() == Clock::nanoseconds ? first_begin(history) : INT64_MAX;
  simdjson::dom::parser parser;
  for (const std::string& json : history.about()) {
    element about;
    if (parser.parse(json).get(about) != simdjson::SUCCESS) continue;
    if (!text(about, "database").empty()) {
      sentences.push_back(recording(about));
    } else if (!text(about, "fault").empty()) {
      faults.push_back(fault(about, began));
    }
  }
  if (faults.empty()) return sentences;
  std::string all;
  for (std::size_t i = 0; i < faults.size() && i < kMostFaults; ++i) {
    all += (i == 0 ? "" : ", ") + faults[i];
  }
  if (faults.size() > kMostFaults) {
    all += fmt::format(" and {} more", faults.size() - kMostFaults);
  }
  sentences.push_back(
      fmt::format("{}: {}.", count(faults.size(), "fault"), all));
  return sentences;
}

}  // namespace awdit
