// Numbers and lists for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace awdit {

// "12,345"
std::string grouped(std::uint64_t number);

// "1 key", "12,345 keys"
std::string counted(std::uint64_t number, std::string_view noun);

// "a, b and c"; of more than `most` the others are counted: "a, b and 7 more".
std::string listed(std::span<const std::string> items,
                   std::size_t most = SIZE_MAX);

}  // namespace awdit
