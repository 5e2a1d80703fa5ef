// Numbers for people: with separators between thousands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace awdit {

// "12,345"
std::string grouped(std::uint64_t number);

// "1 key", "12,345 keys"
std::string counted(std::uint64_t number, std::string_view noun);

}  // namespace awdit
