// A directed graph on nodes 0 ... n-1 in compressed sparse rows: the successors
// of a node are contiguous. Integers only; what a node stands for is the
// caller's business.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace awdit {

struct Arc {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t tag;  // the caller's, kept with the arc
};

class Csr {
 public:
  struct Entry {
    std::uint32_t to;
    std::uint32_t tag;
  };

  // Keeps arcs of one node in the order given. O(nodes + arcs).
  Csr(std::uint32_t nodes, std::span<const Arc> arcs)
      : first_(std::size_t{nodes} + 1, 0), entries_(arcs.size()) {
    for (const Arc& arc : arcs) ++first_[arc.from + 1];
    for (std::size_t i = 0; i < nodes; ++i) first_[i + 1] += first_[i];
    std::vector<std::size_t> cursor(first_.begin(), first_.end() - 1);
    for (const Arc& arc : arcs) {
      entries_[cursor[arc.from]++] = {arc.to, arc.tag};
    }
  }

  std::uint32_t nodes() const {
    return static_cast<std::uint32_t>(first_.size() - 1);
  }
  std::span<const Entry> out(std::uint32_t node) const {
    return {entries_.data() + first_[node], first_[node + 1] - first_[node]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Entry> entries_;
};

}  // namespace awdit
