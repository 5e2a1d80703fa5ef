// Ids of writes: which run, which session, which of its writes. Private to
// run/.
#pragma once

#include <cstdint>

#include "driver/driver.h"

namespace awdit {

inline constexpr std::uint32_t kMaxSession = 0xFFFF;
inline constexpr std::uint32_t kMaxCount = 0x7FFF'FFFF;

// REQUIRES: nonce is not 0, session and count are in range.
constexpr WriteId make_write_id(std::uint16_t nonce, std::uint32_t session,
                                std::uint32_t count) {
  return std::uint64_t{nonce} << 47 | std::uint64_t{session} << 31 | count;
}

constexpr std::uint64_t nonce_of(WriteId id) { return id >> 47; }
constexpr std::uint32_t session_of(WriteId id) {
  return static_cast<std::uint32_t>(id >> 31) & kMaxSession;
}
constexpr std::uint32_t count_of(WriteId id) {
  return static_cast<std::uint32_t>(id) & kMaxCount;
}

}  // namespace awdit
