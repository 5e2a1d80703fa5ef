#include "history/domain_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "history/builder.h"

namespace awdit {

std::uint32_t DomainColumn::number_of(std::string_view name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  const auto number = static_cast<std::uint32_t>(found - names_.begin());
  // One too many is enough to refuse them all.
  if (found == names_.end() && names_.size() <= ClockDomains::kMost) {
    names_.emplace_back(name);
  }
  return number;
}

void DomainColumn::look_up(std::uint64_t name) {
  last_ = name;
  number_ = number_of(name == kNobody ? std::string_view() : strings_[name]);
}

void DomainColumn::relate(const ClockRelation& relation) {
  const std::uint32_t from = number_of(relation.from);
  const ClockDomains::Relation made{from, number_of(relation.to),
                                    relation.offset, relation.error};
  // Each file of a recording may say it.
  if (std::find(relations_.begin(), relations_.end(), made) ==
      relations_.end()) {
    relations_.push_back(made);
  }
}

Outcome DomainColumn::finish(ClockDomains& domains,
                             Array<std::uint32_t>& column) {
  if (names_.size() > ClockDomains::kMost) {
    return Error{.message = fmt::format("there are more than {} clock domains",
                                        ClockDomains::kMost),
                 .hint = "A domain is a machine or a run, not a client."};
  }
  std::optional<ClockDomains> made =
      ClockDomains::make(std::move(names_), std::move(relations_));
  if (!made) {
    return Error{
        .message = "the clocks are related in ways that contradict each other",
        .hint =
            "Offsets must agree within their errors, also by way of other "
            "clocks: measure them again, or leave out what is not sure."};
  }
  domains = std::move(*made);
  const bool several = std::any_of(column_.begin(), column_.end(),
                                   [](std::uint32_t d) { return d != 0; });
  if (several) column = std::move(column_);
  return std::nullopt;
}

std::optional<std::string> unrelated_clocks(const History& history) {
  if (history.has_one_clock()) return std::nullopt;
  const ClockDomains& domains = history.clock_domains();
  std::vector<std::uint8_t> timed(domains.size(), 0);
  for (const TxnId txn : history.txns()) {
    if (history.times(txn)) timed[history.clock_domain(txn)] = 1;
  }
  std::size_t pairs = 0;
  std::pair<std::uint32_t, std::uint32_t> example{};
  for (std::uint32_t a = 0; a < domains.size(); ++a) {
    for (std::uint32_t b = a + 1; b < domains.size(); ++b) {
      if (timed[a] == 0 || timed[b] == 0 || domains.related(a, b)) continue;
      if (pairs++ == 0) example = {a, b};
    }
  }
  if (pairs == 0) return std::nullopt;
  return fmt::format(
      "nothing relates the clocks of {} and {}{}: their times are not "
      "compared, and levels about real time demand nothing between their "
      "transactions.",
      domains.shown(example.first), domains.shown(example.second),
      pairs == 1 ? ""
                 : fmt::format(" (nor those of {} more pairs)", pairs - 1));
}

std::vector<Atom> carry_clock_domains(const History& history, Builder& builder,
                                      Builder::Shard& shard) {
  const ClockDomains& domains = history.clock_domains();
  std::vector<Atom> names;
  for (const std::string& name : domains.names()) {
    names.push_back(builder.string(name));
  }
  if (!names.empty()) shard.clock_domain_of_all(names[0]);
  for (const ClockDomains::Relation& relation : domains.relations()) {
    builder.relate_clocks(domains.names()[relation.from],
                          domains.names()[relation.to], relation.offset,
                          relation.error);
  }
  return names;
}

}  // namespace awdit
