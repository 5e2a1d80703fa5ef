// Splits and joins; nothing is escaped, as no field of ours holds a '|'.
#include "workload/fields.h"

#include <charconv>

namespace awdit {
namespace {

constexpr std::int64_t kMost = 1'000'000'000'000'000;
// Nobody's text makes us allocate more fields than this.
constexpr std::size_t kMostFields = 4096;

}  // namespace

std::int64_t number_of(std::string_view text, std::int64_t otherwise) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return otherwise;
  return value >= -kMost && value <= kMost ? value : otherwise;
}

Fields::Fields(std::string_view payload) {
  while (fields_.size() < kMostFields) {
    const std::size_t bar = payload.find('|');
    fields_.emplace_back(payload.substr(0, bar));
    if (bar == std::string_view::npos) break;
    payload.remove_prefix(bar + 1);
  }
}

Fields::Fields(std::initializer_list<Field> fields) {
  for (const Field& field : fields) fields_.push_back(field.text);
}

std::string_view Fields::text(std::size_t field) const {
  return field < fields_.size() ? std::string_view(fields_[field])
                                : std::string_view();
}

std::int64_t Fields::number(std::size_t field, std::int64_t otherwise) const {
  return number_of(text(field), otherwise);
}

void Fields::set(std::size_t field, std::string value) {
  if (field >= fields_.size()) fields_.resize(field + 1);
  fields_[field] = std::move(value);
}

void Fields::set(std::size_t field, std::int64_t value) {
  set(field, std::to_string(value));
}

void Fields::change(std::size_t field, std::int64_t by) {
  set(field, number(field, 0) + by);
}

void Fields::add(std::int64_t value) { set(fields_.size(), value); }

std::string Fields::payload() const {
  std::string joined;
  for (const std::string& field : fields_) {
    if (&field != fields_.data()) joined += '|';
    joined += field;
  }
  return joined;
}

}  // namespace awdit
