#include "driver/knobs.h"

#include <algorithm>

#include "base/assert.h"
#include "base/table.h"

namespace awdit {
namespace {

const Knob* find_knob(std::string_view driver, std::string_view name) {
  const Driver* row = find_row(drivers(), driver);
  AWDIT_ASSERT(row != nullptr);
  for (const Knob& knob : row->knobs) {
    if (knob.name == name) return &knob;
  }
  return nullptr;
}

bool in_capitals(std::string_view text) {
  return text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
         std::string_view::npos;
}

bool lists(std::string_view values, std::string_view value) {
  while (true) {
    const std::size_t end = values.find('|');
    const std::string_view listed = values.substr(0, end);
    if (listed == value || in_capitals(listed)) return true;
    if (end == std::string_view::npos) return false;
    values.remove_prefix(end + 1);
  }
}

}  // namespace

Outcome check_knobs(const DatabaseOptions& options, std::string_view driver) {
  for (const auto& [name, value] : options.knobs) {
    const Knob* row = find_knob(driver, name);
    if (row == nullptr) {
      return Error{
          .message = std::string(driver) + " has no setting '" + name + "'",
          .hint = "'awdit list drivers' shows those it has."};
    }
    if (!lists(row->values, value)) {
      return Error{.message = name + " cannot be '" + value +
                              "'; it is one of " + std::string(row->values)};
    }
  }
  return std::nullopt;
}

std::string_view knob(const DatabaseOptions& options, std::string_view driver,
                      std::string_view name) {
  // The last one counts, as with options of commands.
  for (auto set = options.knobs.rbegin(); set != options.knobs.rend(); ++set) {
    if (set->first == name) return set->second;
  }
  const Knob* row = find_knob(driver, name);
  AWDIT_ASSERT(row != nullptr);
  return row->values.substr(0, row->values.find('|'));
}

const Promise& wanted_level(const DatabaseOptions& options,
                            std::string_view driver) {
  if (options.level != nullptr) return *options.level;
  return find_row(drivers(), driver)->levels.front();
}

bool is_set(const DatabaseOptions& options, std::string_view name) {
  return std::ranges::any_of(
      options.knobs, [&](const auto& set) { return set.first == name; });
}

bool drops_commits(const DatabaseOptions& options) {
  return std::ranges::find(options.faults, Fault::drop_commit) !=
         options.faults.end();
}

std::string sql_level(std::string_view promise, char gap) {
  std::string name;
  for (const char c : promise) {
    name += c == '-' ? gap : static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

std::string_view behind_scheme(std::string_view url) {
  const std::size_t colon = url.find(':');
  return colon == std::string_view::npos ? "" : url.substr(colon + 1);
}

}  // namespace awdit
