#include "check/lost_updates.h"

#include <algorithm>
#include <utility>

#include "base/budget.h"

namespace awdit {
namespace {

struct Pair {
  std::uint32_t key, version;
  std::uint32_t first, second;  // transactions of the graph
};

std::vector<Pair> find_pairs(const Polygraph& graph, bool only_first) {
  std::vector<Pair> pairs;
  std::vector<std::uint32_t> of_version(graph.writer.size(), kNoId);
  std::vector<std::uint32_t> of_initial(graph.keys, kNoId);
  std::vector<std::uint32_t> writes(graph.keys, kNoId);  // [key] -> last txn
  for (std::uint32_t t = 0; t < graph.txns; ++t) {
    for (const std::uint32_t version : graph.writes_of(t)) {
      writes[graph.key_of[version]] = t;
    }
    for (const Polygraph::Read& read : graph.reads_of(t)) {
      if (writes[read.key] != t) continue;
      std::uint32_t& first = read.version == Polygraph::kInitial
                                 ? of_initial[read.key]
                                 : of_version[read.version];
      if (first == kNoId) {
        first = t;
      } else {
        pairs.push_back({read.key, read.version, first, t});
        if (only_first) return pairs;
      }
    }
  }
  return pairs;
}

}  // namespace

void find_lost_updates(const Index& index, OpFinder& finder,
                       const Polygraph& graph,
                       std::span<const std::uint32_t> txns, bool first,
                       std::vector<Violation>& found) {
  Pace pace(index.budget());
  for (const Pair& pair : find_pairs(graph, first)) {
    pace.step(64);
    const bool initial = pair.version == Polygraph::kInitial;
    const std::uint32_t source = initial ? index.history().init_txn().v
                                         : txns[graph.writer[pair.version]];
    const std::uint32_t key = graph.key_name[pair.key];
    LostUpdate lost{finder.read(txns[pair.first], key, source),
                    finder.read(txns[pair.second], key, source)};
    if (lost.other < lost.read) std::swap(lost.read, lost.other);
    if (!initial) lost.write = finder.last_write(source, key);
    found.push_back({Kind::lost_update, lost});
  }
  const auto reads = [](const Violation& violation) {
    return std::pair(violation.lost_update()->read,
                     violation.lost_update()->other);
  };
  std::sort(found.begin(), found.end(),
            [&](const Violation& a, const Violation& b) {
              return reads(a) < reads(b);
            });
}

}  // namespace awdit
