// What SQL calls levels, database by database. Private to theory/; others
// include theory/theory.h.
#pragma once

#include <span>
#include <string_view>

namespace awdit {

// A name that SQL gives to levels: what it promises depends on the database.
struct SqlLevel {
  struct Meaning {
    std::string_view level;  // of levels(); "": none of them
    std::string_view how;    // it works there, or why there is none
  };
  std::string_view name;  // "repeatable-read"
  std::span<const std::string_view> aliases;
  std::span<const Meaning> meanings;  // one per database
};
std::span<const SqlLevel> sql_levels();
std::span<const std::string_view> sql_databases();

}  // namespace awdit
