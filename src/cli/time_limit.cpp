#include "cli/time_limit.h"

#include <fmt/format.h>

#include "base/memory.h"
#include "cli/quantity.h"
#include "cli/values.h"

namespace awdit::cli {
namespace {

// Who types 4 means gigabytes and would get no answer at all.
constexpr std::uint64_t kLeastMemory = 1'000'000;

}  // namespace

void add_limits(Grammar& grammar, Options& options) {
  options.time_limit = kUsualTimeLimit;
  grammar.option(
      "--time-limit", "SECONDS",
      fmt::format("Time per level, such as 90s or 2m (default {} s, 0: "
                  "no\nlimit); a level that takes longer is undecided",
                  kUsualTimeLimit),
      value_into(options.time_limit,
                 "seconds or a time, such as 90 or 2m, 0 for no limit",
                 parse_seconds));
  // Leaves others some room; 0, no limit, if nobody tells how much there is.
  options.memory_in_all = memory_of_process() / 4 * 3;
  grammar.option(
      "--memory-limit", "BYTES",
      "Memory per level, besides the history, such as 512M or 4G\n(default: "
      "three quarters of all memory, history included;\n0: no limit)",
      value_into(options.memory_limit,
                 "bytes, such as 512M or 4G, at least 1M, 0 for no limit",
                 [&options](const std::string& typed) {
                   const auto bytes = parse_count(typed);
                   options.memory_in_all = 0;
                   return bytes && *bytes != 0 && *bytes < kLeastMemory
                              ? std::nullopt
                              : bytes;
                 }));
}

}  // namespace awdit::cli
