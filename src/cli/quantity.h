// Amounts as people type them: 10k, 5M, 1e6, 1.5M; shares as 0.5 or 50%.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace awdit::cli {

// A whole number: digits, perhaps with a fraction, an exponent and one of k, M
// and G (thousand, million, milliard); empty: it is none, or above 2^64 - 1.
std::optional<std::uint64_t> parse_count(std::string_view text);

// "8", or from "4" to "12" as 4-12 or 4..12.
std::optional<std::pair<std::uint64_t, std::uint64_t>> parse_range(
    std::string_view text);

// A decimal number that is not negative.
std::optional<double> parse_decimal(std::string_view text);

// "500ms", "30s", "1.5m", "2h"; without a unit seconds: "30".
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

// "0.25" or "25%".
std::optional<double> parse_share(std::string_view text);

}  // namespace awdit::cli
