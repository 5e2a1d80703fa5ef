// Words that writing and reading certificates share. Private to src/witness.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "theory/theory.h"

namespace awdit {

// A row per reason, in the order of the enumeration.
inline constexpr std::array<std::pair<Reason, std::string_view>, 6> kReasons{{
    {Reason::session_order, "session-order"},
    {Reason::reads_from, "reads-from"},
    {Reason::inferred, "inferred"},
    {Reason::real_time, "real-time"},
    {Reason::version_order, "version-order"},
    {Reason::anti_dependency, "anti-dependency"},
}};

// Likewise, of what an undecided level was given up for.
inline constexpr std::array<std::pair<Limit, std::string_view>, 4> kLimits{{
    {Limit::none, ""},
    {Limit::time, "time"},
    {Limit::memory, "memory"},
    {Limit::proof, "proof"},
}};

inline constexpr std::string_view kCertificateFormat = "awdit-certificate";
inline constexpr std::uint32_t kCertificateVersion = 1;

}  // namespace awdit
