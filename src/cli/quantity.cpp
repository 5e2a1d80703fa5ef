#include "cli/quantity.h"

#include <charconv>
#include <cmath>

namespace awdit::cli {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Adds a digit; false: it does not fit.
bool push(std::uint64_t& value, unsigned digit) {
  if (value > (UINT64_MAX - digit) / 10) return false;
  value = value * 10 + digit;
  return true;
}

// What a suffix multiplies by, as a power of ten; -1: there is none.
int power_of(char suffix) {
  const std::size_t at = std::string_view("kKmMgG").find(suffix);
  return at == std::string_view::npos ? -1 : 3 + 3 * static_cast<int>(at / 2);
}

}  // namespace

std::optional<std::uint64_t> parse_count(std::string_view text) {
  int power = 0;  // of ten, by which the digits are to be multiplied
  if (!text.empty() && power_of(text.back()) > 0) {
    power = power_of(text.back());
    text.remove_suffix(1);
  }
  if (const std::size_t e = text.find_first_of("eE");
      e != std::string_view::npos) {
    const std::string_view exponent = text.substr(e + 1);
    if (exponent.empty() || exponent.size() > 2) return std::nullopt;
    int value = 0;
    for (const char c : exponent) {
      if (!is_digit(c)) return std::nullopt;
      value = value * 10 + (c - '0');
    }
    power += value;
    text = text.substr(0, e);
  }
  std::uint64_t value = 0;
  bool fraction = false, digits = false;
  for (const char c : text) {
    if (c == '.' && !fraction && digits) {
      fraction = true;
      continue;
    }
    if (!is_digit(c)) return std::nullopt;
    digits = true;
    if (fraction && power == 0) {
      if (c != '0') return std::nullopt;  // not a whole number
      continue;
    }
    if (fraction) --power;
    if (!push(value, static_cast<unsigned>(c - '0'))) return std::nullopt;
  }
  if (!digits || text.back() == '.') return std::nullopt;
  for (; power > 0; --power) {
    if (!push(value, 0)) return std::nullopt;
  }
  return value;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> parse_range(
    std::string_view text) {
  std::size_t width = 2;
  std::size_t at = text.find("..");
  if (at == std::string_view::npos) {
    width = 1;
    at = text.find('-');
  }
  if (at == std::string_view::npos) {
    const auto both = parse_count(text);
    if (!both) return std::nullopt;
    return std::pair(*both, *both);
  }
  const auto low = parse_count(text.substr(0, at));
  const auto high = parse_count(text.substr(at + width));
  if (!low || !high) return std::nullopt;
  return std::pair(*low, *high);
}

std::optional<double> parse_decimal(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] =
      std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc() || stop != end || !std::isfinite(value) ||
      std::signbit(value)) {
    return std::nullopt;
  }
  return value;
}

std::optional<double> parse_share(std::string_view text) {
  if (!text.empty() && text.back() == '%') {
    const auto percent = parse_decimal(text.substr(0, text.size() - 1));
    if (!percent) return std::nullopt;
    return *percent / 100;
  }
  return parse_decimal(text);
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  struct Unit {
    std::string_view name;
    double milliseconds;
  };
  // "ms" before "s" and "m"; every text ends with the last.
  constexpr Unit kUnits[] = {
      {"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}, {"", 1e3}};
  for (const Unit& unit : kUnits) {
    if (!text.ends_with(unit.name)) continue;
    const auto number =
        parse_decimal(text.substr(0, text.size() - unit.name.size()));
    // A year is long enough.
    if (!number || *number * unit.milliseconds > 3.2e10) return std::nullopt;
    return std::chrono::milliseconds(
        static_cast<std::int64_t>(*number * unit.milliseconds + 0.5));
  }
  return std::nullopt;
}

}  // namespace awdit::cli
