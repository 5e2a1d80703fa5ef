#include "cli/help_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/fit.h"
#include "report/report.h"

namespace awdit::cli {

std::string two_columns(
    const std::vector<std::pair<std::string_view, std::string>>& lines) {
  constexpr std::size_t kLine = 80;
  std::size_t width = 0;
  for (const auto& [name, text] : lines) width = std::max(width, name.size());
  std::string all;
  for (const auto& [name, text] : lines) {
    const std::string line =
        text.empty() ? fmt::format("  {}", name)
                     : fmt::format("  {:<{}}  {}", name, width, text);
    all += wrapped_line(line, kLine, width + 4) + "\n";
  }
  return all;
}

std::string also(std::span<const std::string_view> aliases) {
  if (aliases.empty()) return "";
  return fmt::format("also: {}", fmt::join(aliases, ", "));
}

std::string reports_text() {
  std::string text;
  for (const ReportFormat& row : reports()) {
    text += fmt::format("  {:<8}  {:<6}  {}\n", row.name, row.extension,
                        row.summary);
  }
  return text;
}

}  // namespace awdit::cli
