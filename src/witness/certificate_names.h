// Words that writing and reading certificates share. Private to src/witness.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "check/check.h"

namespace awdit {

// A row per reason, in the order of the enumeration.
inline constexpr std::array<std::pair<Reason, std::string_view>, 3> kReasons{{
    {Reason::session_order, "session-order"},
    {Reason::reads_from, "reads-from"},
    {Reason::inferred, "inferred"},
}};

inline constexpr std::string_view kCertificateFormat = "awdit-certificate";
inline constexpr std::uint32_t kCertificateVersion = 1;

}  // namespace awdit
