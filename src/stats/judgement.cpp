#include <array>

#include "base/table.h"
#include "stats/stats.h"

namespace awdit {
namespace {

constexpr std::array<Chance, 3> kChances = {{
    {Kind::non_monotonic_read, &Power::non_monotonic_read,
     "Use fewer keys, or more reads per transaction"},
    {Kind::fractured_read, &Power::fractured_read,
     "Use fewer keys, or larger transactions"},
    {Kind::causal_violation, &Power::causal_violation,
     "Use fewer keys, or more transactions that both read and write"},
}};

}  // namespace

std::span<const Chance> chances() { return kChances; }

Judgement judge(std::uint64_t chances) {
  if (chances == 0) return Judgement::none;
  if (chances < 300) return Judgement::weak;
  if (chances < 30'000) return Judgement::fair;
  return Judgement::strong;
}

std::string_view name(Judgement judgement) {
  constexpr std::string_view kNames[] = {"none", "weak", "fair", "strong"};
  return name_of(judgement, kNames);
}

}  // namespace awdit
