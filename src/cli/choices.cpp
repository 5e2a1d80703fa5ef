#include "cli/choices.h"

#include <fmt/format.h>

#include <charconv>

#include "base/parallel.h"
#include "base/table.h"

namespace awdit::cli {
namespace {

// More threads than this help nobody and may not be had.
constexpr std::uint32_t kMostThreads = 1024;

}  // namespace

Misuse misuse(std::string_view command, std::string message) {
  return {std::move(message), std::string(command)};
}

std::optional<std::uint32_t> number(const std::string& text) {
  std::uint32_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<Misuse> choose_format(std::string_view command,
                                    const std::string& name,
                                    const Format*& format) {
  if (name.empty()) return std::nullopt;
  format = find_row(formats(), name);
  if (format != nullptr) return std::nullopt;
  return misuse(command, unknown_name_message("format", name, formats()));
}

std::optional<Misuse> choose_threads(std::string_view command,
                                     const std::string& typed,
                                     unsigned& threads) {
  threads = default_threads();
  if (typed.empty()) return std::nullopt;
  const auto value = number(typed);
  if (!value || *value < 1 || *value > kMostThreads) {
    return misuse(command, fmt::format("--threads takes a number from 1 to {}; "
                                       "found '{}'",
                                       kMostThreads, typed));
  }
  threads = *value;
  return std::nullopt;
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

const ReportFormat* choose_report(bool json) {
  return find_row(reports(), json ? "json" : "text");
}

}  // namespace awdit::cli
