#include "check/split.h"

#include <algorithm>

namespace awdit {

std::vector<std::size_t> Split::cut(const History& history,
                                    std::span<const std::uint32_t> order,
                                    std::size_t bytes_per_key) const {
  const std::uint64_t ops = history.num_ops();
  const std::uint64_t most =
      ops * 16 / (bytes_per_key * (std::uint64_t{history.num_keys()} + 1));
  const std::uint64_t parts =
      std::clamp<std::uint64_t>(std::min(most, ops / grain), 1, threads);
  const auto txn_ops = history.txn_ops();
  std::vector<std::size_t> cuts = {1};  // behind init
  std::uint64_t seen = 0;
  for (std::size_t rank = 1; cuts.size() < parts && rank < order.size();) {
    seen += txn_ops[order[rank++]].size();
    if (seen >= ops * cuts.size() / parts) cuts.push_back(rank);
  }
  while (cuts.size() <= parts) cuts.push_back(order.size());
  return cuts;
}

}  // namespace awdit
