#include "report/page_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "base/utf8.h"

namespace awdit {
namespace {

// In code points: labels up to this length appear in sentences as they are, of
// longer ones the beginning.
constexpr std::size_t kLongLabel = 60;
static_assert(kLongLabel + 1 >= Quotes::kHead);
constexpr std::size_t kQuoted = 40;
// Longer sentences are cut: only chains of many steps make them.
constexpr std::size_t kSentence = 1500;

// The first `most` code points; a byte that is not UTF-8 counts as one.
std::string_view head(std::string_view text, std::size_t most) {
  std::size_t at = 0;
  for (; most != 0 && at < text.size(); --most) {
    at += std::max<std::size_t>(1, utf8_sequence(text.substr(at)));
  }
  return text.substr(0, at);
}

std::string cut_raw(std::string_view text, std::size_t most) {
  const std::string_view kept = head(text, most);
  if (kept.size() == text.size()) return std::string(text);
  return fmt::format("{}… ({} characters)", kept, grouped(code_points(text)));
}

// Names differ at their end as often as at their beginning.
std::string cut_name_raw(std::string_view name) {
  constexpr std::size_t kTail = 8;
  const std::size_t size = code_points(name);
  if (size <= kLongLabel) return std::string(name);
  const std::string_view rest = name.substr(head(name, size - kTail).size());
  return fmt::format("{}… ({} characters) …{}", head(name, kQuoted - kTail),
                     grouped(size), rest);
}

}  // namespace

std::string cut(std::string_view text, std::size_t most) {
  return visible(cut_raw(text, most));
}

std::string initial_text(const History& history) {
  return history.has_lists()
             ? "[]"
             : cut(history.to_string(*history.initial_value()), kLabel);
}

std::string cut_name(std::string_view name) {
  return visible(cut_name_raw(name));
}

std::string time_text(Clock clock, std::int64_t from, std::int64_t to) {
  // Times may lie further apart than a signed number can say.
  const std::uint64_t distance =
      to <= from
          ? 0
          : static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  if (clock != Clock::nanoseconds && clock != Clock::milliseconds) {
    return grouped(distance);
  }
  const double seconds =
      static_cast<double>(distance) / (clock == Clock::nanoseconds ? 1e9 : 1e3);
  if (distance == 0) return "0 s";
  if (seconds < 1e-6) return fmt::format("{} ns", distance);
  if (seconds < 1e-3) return fmt::format("{:.4g} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.4g} ms", seconds * 1e3);
  if (seconds < 600) return fmt::format("{:.3f} s", seconds);
  return fmt::format("{:.1f} min", seconds / 60);
}

void Shortener::add(const History& history, OpId op) {
  add_label(history.key_label(history.key(op)));
  if (history.has_lists() && !history.is_write(op)) {
    // Elements one by one: a sentence may quote a part of the list.
    constexpr std::size_t kElements = 200;
    const std::size_t size = history.list_size(op);
    for (std::size_t i = 0; i < std::min(size, kElements); ++i) {
      add_label(history.to_string(history.element(op, i)));
      add_label(history.to_string(history.element(op, size - 1 - i)));
    }
    return;
  }
  add_label(history.to_string(history.value(op)));
}

void Shortener::add_name(std::string name) {
  std::string shorter = cut_name_raw(name);
  if (shorter != name) quotes_.add(std::move(name), std::move(shorter));
}

void Shortener::add_label(std::string label) {
  if (label.size() <= kLongLabel || code_points(label) <= kLongLabel) return;
  std::string shorter = cut_raw(label, kQuoted);
  quotes_.add(std::move(label), std::move(shorter));
}

std::string Shortener::operator()(std::string_view sentence) const {
  return cut(quotes_.replaced(sentence), kSentence);
}

}  // namespace awdit
