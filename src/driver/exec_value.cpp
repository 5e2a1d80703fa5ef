#include "driver/exec_value.h"

#include <fmt/format.h>

#include <charconv>

#include "base/json.h"
#include "driver/exec_quote.h"

namespace awdit {
namespace {

// As src/database has them in an id.
constexpr unsigned kRunAt = 47;
constexpr unsigned kSessionAt = 31;
constexpr std::uint64_t kSessions = 0xFFFF;
constexpr std::uint64_t kCounts = 0x7FFF'FFFF;
// As the protocol has them in a number.
constexpr unsigned kTagAt = 43;
constexpr unsigned kShortSessionAt = 27;
constexpr std::uint64_t kShortCounts = 0x7FF'FFFF;
constexpr std::uint32_t kTags = 1023;

// Ten bits of a run's number, never 0.
std::uint64_t tag_of(std::uint32_t run) { return 1 + run % kTags; }

}  // namespace

std::int64_t ExecIds::number_of(WriteId id) {
  if (id == 0) return 0;
  const auto run = static_cast<std::uint32_t>(id >> kRunAt);
  run_.store(run, std::memory_order_relaxed);
  const std::uint64_t count = id & kCounts;
  if (count > kShortCounts) return -1;
  const std::uint64_t session = id >> kSessionAt & kSessions;
  return static_cast<std::int64_t>(tag_of(run) << kTagAt |
                                   session << kShortSessionAt | count);
}

WriteId ExecIds::id_of(std::int64_t number) const {
  if (number == 0) return 0;
  const auto bits = static_cast<std::uint64_t>(number);
  const std::uint64_t tag = bits >> kTagAt;
  std::uint32_t run = run_.load(std::memory_order_relaxed);
  if (run == 0) {
    run = 0x8000 | static_cast<std::uint32_t>(tag);  // whoever that was
  } else if (tag != tag_of(run)) {
    run = run == 0xFFFF ? 1 : run + 1;
  }
  return std::uint64_t{run} << kRunAt |
         (bits >> kShortSessionAt & kSessions) << kSessionAt |
         (bits & kShortCounts);
}

std::string value_text(std::int64_t number, std::string_view payload) {
  if (payload.empty()) return std::to_string(number);
  return json_string(fmt::format("{} {}", number, payload));
}

bool content_of(const ExecValue& value, std::int64_t& number,
                std::string& payload) {
  payload.clear();
  if (value.kind == ExecValue::Kind::integer) {
    number = value.integer;
  } else if (value.kind == ExecValue::Kind::text) {
    const std::string_view text = value.text;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || rest == end || *rest != ' ') return false;
    payload.assign(rest + 1, end);
    if (payload.empty()) return false;
  } else {
    return false;
  }
  return number >= 0 && number <= kLargestInteger;
}

std::string shown_value(const ExecValue& value) {
  switch (value.kind) {
    case ExecValue::Kind::none:
      return "null";
    case ExecValue::Kind::integer:
      return std::to_string(value.integer);
    case ExecValue::Kind::text:
      return '"' + quoted_line(value.text) + '"';
    case ExecValue::Kind::list:
      break;
  }
  return quoted_line(fmt::format("[{}]", fmt::join(value.list, ",")));
}

}  // namespace awdit
