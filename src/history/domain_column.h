// The clock domains of a history, on their way out of the builder. Private to
// history/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/array.h"
#include "base/result.h"
#include "history/clock_domains.h"
#include "history/history.h"
#include "history/texts.h"

namespace awdit {

// A relation between two clocks, by their names.
struct ClockRelation {
  std::string from, to;
  std::int64_t offset, error;
};

// Numbers the domains by their first appearance.
class DomainColumn {
 public:
  static constexpr std::uint64_t kNobody = UINT64_MAX;
  // The names are texts of `strings`.
  DomainColumn(std::uint32_t txns, const Texts& strings)
      : strings_(strings), column_(txns, 0) {}

  // `name`: a text, or kNobody.
  void set(std::uint32_t txn, std::uint64_t name) {
    if (name != last_) look_up(name);
    column_[txn] = number_;
  }
  void relate(const ClockRelation& relation);
  // `column` stays empty if there is one domain. To be called last.
  Outcome finish(ClockDomains& domains, Array<std::uint32_t>& column);

 private:
  void look_up(std::uint64_t name);
  std::uint32_t number_of(std::string_view name);

  const Texts& strings_;
  Array<std::uint32_t> column_;  // [txn] -> domain
  std::vector<std::string> names_;
  std::vector<ClockDomains::Relation> relations_;
  std::uint64_t last_ = kNobody - 1;  // nearly always the next one as well
  std::uint32_t number_ = 0;
};

// A sentence about domains that have times and cannot be compared, if there are
// any.
std::optional<std::string> unrelated_clocks(const History& history);

}  // namespace awdit
