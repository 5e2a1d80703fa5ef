#include "cli/time_limit.h"

#include <fmt/format.h>

#include "cli/quantity.h"
#include "cli/values.h"

namespace awdit::cli {
namespace {

// Who types 4 means gigabytes and would get no answer at all.
constexpr std::uint64_t kLeastMemory = 1'000'000;

}  // namespace

void add_limits(Grammar& grammar, Options& options) {
  set_usual_limits(options);
  grammar.option(
      "--time-limit", "TIME",
      fmt::format("Time per level, such as 90s or 2m (default {} s, 0: "
                  "no\nlimit); a level that takes longer is undecided",
                  kUsualTimeLimit),
      value_into(options.time_limit,
                 "a time, such as 90s or 2m, 0 for no limit",
                 [](const std::string& typed) -> std::optional<double> {
                   const auto time = parse_duration(typed);
                   if (!time) return std::nullopt;
                   return std::chrono::duration<double>(*time).count();
                 }));
  grammar.option(
      "--memory-limit", "BYTES",
      "Memory per level, besides the history, such as 512M or 4G\n(default: "
      "1G and 1000 bytes per operation, and at most three\nquarters of all "
      "memory, history included; 0: no limit)",
      value_into(options.memory_limit,
                 "bytes, such as 512M or 4G, at least 1M, 0 for no limit",
                 [&options](const std::string& typed) {
                   const auto bytes = parse_count(typed);
                   set_memory_limit(options, 0);
                   return bytes && *bytes != 0 && *bytes < kLeastMemory
                              ? std::nullopt
                              : bytes;
                 }));
}

}  // namespace awdit::cli
