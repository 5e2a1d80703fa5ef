// What the fuzz targets share: asking everything of a history, and dying loudly
// when an answer is wrong. A crash is how a fuzz target says no.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "history/history.h"

namespace awdit::fuzz {

// Prints the complaint, and the history if it is small, then aborts.
[[noreturn]] void complain(const std::string& what,
                           const History* history = nullptr);

// Checks the history at every level with one and with several threads: same
// verdicts, evidence that the verifier accepts, also after a journey through
// a certificate. Histories with more than `kMostOps` operations are left
// alone: the time is better spent on other bytes.
inline constexpr std::uint32_t kMostOps = 400;
void scrutinise(const History& history);

// Parses the bytes as the named format, with one and with three threads, these
// with small pieces: same history or same error. Errors have a place. A history
// is scrutinised.
void parse_and_scrutinise(std::string_view format, std::string_view bytes);

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace awdit::fuzz
