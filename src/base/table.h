// Every family of things (levels, formats, reports) is a table of constant
// rows; this finds a row by its name or alias, and suggests the nearest name
// when there is none. Tables refer to each other by exact names (find_row);
// people type theirs (find_named).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awdit {

// The candidate closest to `typed` by edit distance, or "" if none is close.
std::string_view nearest_name(std::string_view typed,
                              std::span<const std::string_view> candidates);

// A row has `std::string_view name` and perhaps `std::span<const
// std::string_view> aliases`.
template <typename Row>
std::span<const std::string_view> aliases_of(const Row& row) {
  if constexpr (requires { row.aliases; }) {
    return row.aliases;
  } else {
    return {};
  }
}

template <typename Row>
const Row* find_row(std::span<const Row> rows, std::string_view name) {
  for (const Row& row : rows) {
    if (row.name == name) return &row;
    for (std::string_view alias : aliases_of(row)) {
      if (alias == name) return &row;
    }
  }
  return nullptr;
}

// As people type names: "Read Committed", "READ_COMMITTED" and "read-committed"
// are one, here "read committed".
std::string plain_name(std::string_view name);

// find_row, by names as people type them.
template <typename Row>
const Row* find_named(std::span<const Row> rows, std::string_view typed) {
  const std::string plain = plain_name(typed);
  for (const Row& row : rows) {
    if (plain_name(row.name) == plain) return &row;
    for (std::string_view alias : aliases_of(row)) {
      if (plain_name(alias) == plain) return &row;
    }
  }
  return nullptr;
}

// The name of an enumerator, `names` being those of all in their order.
template <typename Enum, std::size_t kCount>
std::string_view name_of(Enum value, const std::string_view (&names)[kCount]) {
  const auto number = static_cast<std::size_t>(value);
  return number < kCount ? names[number] : "?";
}
// The other way round; false: it is nobody's name.
template <typename Enum, std::size_t kCount>
bool enum_named(std::string_view name, const std::string_view (&names)[kCount],
                Enum& value) {
  for (std::size_t number = 0; number < kCount; ++number) {
    if (names[number] != name) continue;
    value = static_cast<Enum>(number);
    return true;
  }
  return false;
}

// "unknown level 'casual'; did you mean 'causal'?" plus all names.
template <typename Row>
std::string unknown_name_message(std::string_view what, std::string_view typed,
                                 std::span<const Row> rows) {
  std::vector<std::string_view> names;
  std::string all;
  for (const Row& row : rows) {
    names.push_back(row.name);
    if (!all.empty()) all += ", ";
    all += row.name;
  }
  for (const Row& row : rows) {
    for (std::string_view alias : aliases_of(row)) names.push_back(alias);
  }
  std::string text = "unknown ";
  text += what;
  text += " '";
  text += typed;
  text += "'";
  const std::string_view near = nearest_name(typed, names);
  if (!near.empty()) {
    text += "; did you mean '";
    text += near;
    text += "'?";
  } else {
    text += ".";
  }
  text += " Known: ";
  text += all;
  return text;
}

}  // namespace awdit
