#include "cli/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/parallel.h"
#include "cli/overwrite.h"
#include "cli/quantity.h"

namespace awdit::cli {
namespace {

// More threads than this help nobody and may not be had.
constexpr std::uint32_t kMostThreads = 1024;

}  // namespace

std::optional<std::uint32_t> number(const std::string& text) {
  std::uint32_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

Misuse refused(const std::string& option, const std::string& takes,
               const std::string& typed) {
  return {fmt::format("{} takes {}; found '{}'", option, takes, typed)};
}

Wrong choose_count(const std::string& option, const std::string& typed,
                   std::uint64_t least, std::uint64_t most,
                   std::uint64_t& value) {
  const auto count = parse_count(typed);
  if (!count || *count < least || *count > most) {
    return refused(
        option,
        fmt::format("a whole number{}, such as 10, 5k or 1e6",
                    most == UINT64_MAX
                        ? ""
                        : fmt::format(" from {} to {}", least, most)),
        typed);
  }
  value = *count;
  return std::nullopt;
}

Misuse more_than_any_history(const std::string& option,
                             const std::string& typed) {
  return {
      fmt::format("{} {} is more than any history can hold", option, typed)};
}

Value share_into(double& value) {
  return value_into(value, "a share, such as 0.25 or 25%", parse_share);
}

namespace {

constexpr const char* kTime = "a time, such as 500ms, 30s or 5m";

std::optional<std::chrono::milliseconds> some_time(const std::string& typed) {
  const auto time = parse_duration(typed);
  return time && time->count() != 0 ? time : std::nullopt;
}

}  // namespace

Value time_into(std::chrono::milliseconds& value) {
  return value_into(value, kTime, some_time);
}

Value seconds_into(unsigned& seconds) {
  return value_into(
      seconds, kTime, [](const std::string& typed) -> std::optional<unsigned> {
        const auto time = some_time(typed);
        if (!time) return std::nullopt;
        return static_cast<unsigned>(
            std::chrono::ceil<std::chrono::seconds>(*time).count());
      });
}

std::vector<std::string> names_in(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists) {
    for (std::string_view rest = list;;) {
      const std::size_t comma = rest.find(',');
      names.emplace_back(rest.substr(0, comma));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return names;
}

void add_threads(Grammar& grammar, unsigned& threads, const std::string& text) {
  threads = default_threads();
  grammar.option(
      "--threads", "N", text,
      value_into(threads, fmt::format("a number from 1 to {}", kMostThreads),
                 [](const std::string& typed) {
                   const auto count = number(typed);
                   return count && *count >= 1 && *count <= kMostThreads
                              ? count
                              : std::nullopt;
                 }));
}

void add_format(Grammar& grammar, const Format*& format) {
  grammar.option("-f,--format", "FORMAT", "Default: recognised by its content",
                 row_into(formats(), "format", format));
}

const Format* format_of_name(std::string_view path) {
  for (const std::string_view packed : {".gz", ".xz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  for (const Format& format : formats()) {
    if (!format.extension.empty() && path.ends_with(format.extension)) {
      return &format;
    }
  }
  return nullptr;
}

Wrong unless_writable(const Format& format) {
  if (format.write != nullptr) return std::nullopt;
  return Misuse{fmt::format("{} can only be read, not written", format.name)};
}

Misuse no_history() {
  return {"no history given: name a file, or - for standard input"};
}

Wrong unless_read_once(const std::vector<std::string>& paths) {
  if (std::count(paths.begin(), paths.end(), "-") < 2) return std::nullopt;
  return Misuse{"standard input (-) can be read only once"};
}

Wrong unless_apart(const std::vector<std::string>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].empty() || places[i] == "-") continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (places[j].empty() || !same_place(places[j], places[i])) continue;
      return Misuse{fmt::format("'{}' can be written only once", places[i])};
    }
  }
  return std::nullopt;
}

}  // namespace awdit::cli
