// The simulated database (src/simulated), as the command line sets it.
#include "simulated/simulated.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/table.h"
#include "driver/knobs.h"
#include "driver/rows.h"

namespace awdit {
namespace {

constexpr std::string_view kName = "simulated";

// Sets `number` to what the knob says, which `what` describes.
template <class Number>
Outcome set_number(const DatabaseOptions& options, std::string_view name,
                   std::string_view what, Number most, Number& number) {
  const std::string_view text = knob(options, kName, name);
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc() || rest != end ||
      number != std::clamp(number, Number{}, most)) {
    return Error{
        .message = fmt::format("{} must be {}; found '{}'", name, what, text)};
  }
  return std::nullopt;
}

Outcome set_share(const DatabaseOptions& options, std::string_view name,
                  double& share) {
  Outcome failure =
      set_number(options, name, "a number of percent, 0 to 100", 100.0, share);
  share /= 100;
  return failure;
}

Outcome set_all(const DatabaseOptions& options, SimulatedSettings& settings) {
  if (Outcome failure = check_knobs(options, kName)) return failure;
  settings.level = wanted_level(options, kName).name;
  const std::string_view bug = knob(options, kName, "bug");
  if (bug != "none") {
    settings.bug = find_row(planted_bugs(), bug);
    if (settings.bug == nullptr) {
      return Error{.message = unknown_name_message("bug", bug, planted_bugs())};
    }
  }
  if (Outcome failure = set_share(options, "rate", settings.rate)) {
    return failure;
  }
  if (Outcome failure = set_share(options, "aborts", settings.aborts)) {
    return failure;
  }
  if (Outcome failure = set_share(options, "unknown", settings.unknown)) {
    return failure;
  }
  return set_number<std::uint64_t>(options, "lag",
                                   "a number of commits, 0 to 1000000",
                                   1'000'000, settings.lag);
}

}  // namespace

Result<std::unique_ptr<Database>> open_simulated(
    const DatabaseOptions& options) {
  for (const std::string& url : options.urls) {
    if (!behind_scheme(url).empty()) {
      return Error{.where = url,
                   .message = "the simulated database has no address"};
    }
  }
  SimulatedSettings settings;
  settings.seed = options.seed;
  if (Outcome failure = set_all(options, settings)) return *failure;
  return make_simulated(settings);
}

}  // namespace awdit
