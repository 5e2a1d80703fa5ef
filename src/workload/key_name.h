// Names of keys: the table, and the numbers of the row. Private to workload/.
#pragma once

#include <string>
#include <string_view>

namespace awdit {

// "ORDER:1:2:17"
template <typename... Numbers>
std::string key(std::string_view table, Numbers... numbers) {
  std::string name(table);
  ((name += ':' + std::to_string(numbers)), ...);
  return name;
}

}  // namespace awdit
