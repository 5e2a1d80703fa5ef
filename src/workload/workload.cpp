// Settings, and what workloads need not say.
#include "workload/workload.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "base/table.h"

namespace awdit {

void Workload::load(const PutInitial&) const {}

std::optional<Task> Workload::finale() { return std::nullopt; }

Settings::Settings(const WorkloadKind& kind) : kind_(&kind) {
  for (const Setting& setting : kind.settings) {
    values_.push_back(setting.value);
  }
}

Outcome Settings::set(std::string_view name, std::uint64_t value) {
  std::vector<std::string_view> names;
  std::string all;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Setting& setting = kind_->settings[i];
    names.push_back(setting.name);
    all += fmt::format("{}{}", all.empty() ? "" : ", ", setting.name);
    if (setting.name != name) continue;
    if (value < setting.least || value > setting.most) {
      return Error{.message = fmt::format("{} of {} must be {} to {}; found {}",
                                          name, kind_->name, setting.least,
                                          setting.most, value)};
    }
    values_[i] = value;
    return std::nullopt;
  }
  if (names.empty()) {
    return Error{.message = fmt::format("{} has no settings", kind_->name)};
  }
  const std::string_view near = nearest_name(name, names);
  return Error{.message = fmt::format(
                   "{} has no setting '{}'{} Known: {}", kind_->name, name,
                   near.empty() ? std::string(".")
                                : fmt::format("; did you mean '{}'?", near),
                   all)};
}

std::uint64_t Settings::operator[](std::string_view name) const {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (kind_->settings[i].name == name) return values_[i];
  }
  AWDIT_ASSERT(false);
  return 0;
}

}  // namespace awdit
