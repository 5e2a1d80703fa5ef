#include "graph/scc.h"

#include <algorithm>

namespace awdit {

Components strong_components(const Csr& graph) {
  constexpr std::uint32_t kUnseen = 0xFFFF'FFFFu;
  const std::uint32_t nodes = graph.nodes();
  Components result;
  result.of.assign(nodes, kUnseen);
  std::vector<std::uint32_t> index(nodes, kUnseen);
  std::vector<std::uint32_t> low(nodes);
  std::vector<std::uint32_t> open;  // seen, component not closed yet
  struct Frame {
    std::uint32_t node;
    std::uint32_t next;  // successor to look at
  };
  std::vector<Frame> path;
  std::uint32_t counter = 0;

  for (std::uint32_t root = 0; root < nodes; ++root) {
    if (index[root] != kUnseen) continue;
    index[root] = low[root] = counter++;
    open.push_back(root);
    path.push_back({root, 0});
    while (!path.empty()) {
      Frame& frame = path.back();
      const std::uint32_t node = frame.node;
      const auto out = graph.out(node);
      if (frame.next < out.size()) {
        const std::uint32_t to = out[frame.next++].to;
        if (index[to] == kUnseen) {
          index[to] = low[to] = counter++;
          open.push_back(to);
          path.push_back({to, 0});
        } else if (result.of[to] == kUnseen) {
          low[node] = std::min(low[node], index[to]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) {
        std::uint32_t& above = low[path.back().node];
        above = std::min(above, low[node]);
      }
      if (low[node] != index[node]) continue;
      const auto component = static_cast<std::uint32_t>(result.size.size());
      std::uint32_t size = 0;
      std::uint32_t member = kUnseen;
      do {
        member = open.back();
        open.pop_back();
        result.of[member] = component;
        ++size;
      } while (member != node);
      result.size.push_back(size);
    }
  }
  return result;
}

}  // namespace awdit
