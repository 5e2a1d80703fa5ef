#include "history/clock_domains.h"

#include <algorithm>
#include <utility>

namespace awdit {
namespace {

// A bound that grows beyond all numbers says nothing; one that falls below all
// of them says a little less.
std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

}  // namespace

std::optional<ClockDomains> ClockDomains::make(
    std::vector<std::string> names, std::vector<Relation> relations) {
  ClockDomains domains;
  domains.names_ = std::move(names);
  domains.relations_ = std::move(relations);
  if (domains.relations_.empty()) return domains;
  const std::size_t n = domains.names_.size();
  std::vector<std::int64_t>& most = domains.most_;
  most.assign(n * n, kUnknown);
  for (std::size_t i = 0; i < n; ++i) most[i * n + i] = 0;
  for (const Relation& relation : domains.relations_) {
    std::int64_t& above = most[relation.from * n + relation.to];
    std::int64_t& below = most[relation.to * n + relation.from];
    above = std::min(above, relation.offset + relation.error);
    below = std::min(below, relation.error - relation.offset);
  }
  // Shortest paths.
  for (std::size_t via = 0; via < n; ++via) {
    for (std::size_t a = 0; a < n; ++a) {
      if (most[a * n + via] == kUnknown) continue;
      for (std::size_t b = 0; b < n; ++b) {
        if (most[via * n + b] == kUnknown) continue;
        most[a * n + b] = std::min(most[a * n + b],
                                   sum(most[a * n + via], most[via * n + b]));
      }
    }
    for (std::size_t a = 0; a < n; ++a) {
      if (most[a * n + a] < 0) return std::nullopt;
    }
  }
  domains.shift_.assign(n, 0);
  for (std::size_t d = 0; d < n; ++d) {
    for (std::size_t first = 0; first < d; ++first) {
      if (most[d * n + first] == kUnknown) continue;
      const std::int64_t a = most[d * n + first], b = most[first * n + d];
      domains.shift_[d] = a / 2 - b / 2 + (a % 2 - b % 2) / 2;
      break;
    }
  }
  return domains;
}

std::string ClockDomains::shown(std::uint32_t domain) const {
  const std::string& name = names_[domain];
  return name.empty() ? "those that name no domain" : name;
}

}  // namespace awdit
