// Steps and paths of so u wr, for the evidence of violations.
#include <algorithm>
#include <unordered_map>

#include "base/budget.h"
#include "check/commit_graph.h"

namespace awdit {

Step session_step(std::uint32_t from, std::uint32_t to) {
  return {.from = TxnId(from),
          .to = TxnId(to),
          .reason = Reason::session_order,
          .write = {},
          .read = {}};
}

Step reads_from_step(const Index& index, OpFinder& finder, std::uint32_t from,
                     std::uint32_t to, OpId read) {
  const KeyId key = index.history().key(read);
  return {.from = TxnId(from),
          .to = TxnId(to),
          .reason = Reason::reads_from,
          .write = finder.last_write(from, key.v),
          .read = read};
}

bool show_by_read(const Index& index, OpFinder& finder, Edge& edge) {
  const std::uint32_t reader = edge.reader.v;
  const OpId seen = finder.read_from(reader, edge.from.v);
  if (!seen.valid()) return false;
  const OpId later = finder.read(reader, edge.key.v, edge.to.v, seen);
  if (later.valid()) edge.read = later;
  edge.seen = {reads_from_step(index, finder, edge.from.v, reader, seen)};
  return true;
}

// Breadth-first backwards from `to`, never below the rank of `from`: what comes
// earlier in a topological order cannot lie on the path. A jump back along a
// session is one step; what an earlier jump has covered is not walked again.
// The visited set is a hash map because the path is mostly short and the
// history large.
std::vector<Step> happens_before_path(const Index& index, OpFinder& finder,
                                      std::uint32_t from, std::uint32_t to) {
  const History& history = index.history();
  // One step is the usual answer and needs no search.
  if (history.session(TxnId(from)) == history.session(TxnId(to))) {
    return {session_step(from, to)};
  }
  const auto ranks = index.ranks();
  const auto sources = index.sources();
  const std::uint32_t init = history.init_txn().v;
  const std::uint32_t floor = ranks[from];
  struct Seen {
    std::uint32_t next;  // one step closer to `to`
    OpId read;           // by which; none: session order
  };
  std::unordered_map<std::uint32_t, Seen> seen;
  // [session] -> everything before this was reached by a jump
  std::unordered_map<std::uint32_t, std::uint32_t> jumped;
  std::vector<std::uint32_t> queue = {to};
  seen.emplace(to, Seen{kNoId, OpId()});
  const auto reach = [&](std::uint32_t txn, std::uint32_t next, OpId read) {
    if (ranks[txn] < floor) return;
    if (seen.emplace(txn, Seen{next, read}).second) queue.push_back(txn);
  };
  constexpr std::uint64_t kSteps = 16;  // a map is slower than an array
  Pace pace(index.budget());
  for (std::size_t i = 0; i < queue.size() && !seen.contains(from); ++i) {
    const std::uint32_t txn = queue[i];
    pace.step(kSteps * (1 + history.ops(TxnId(txn)).size()));
    for (const OpId op : history.ops(TxnId(txn))) {
      if (sources[op.v] < init) reach(sources[op.v], txn, op);
    }
    const std::uint32_t session = history.session(TxnId(txn)).v;
    std::uint32_t& covered = jumped.try_emplace(session, 0).first->second;
    for (std::uint32_t at = index.previous(txn);
         at != kNoId && ranks[at] >= floor && at >= covered;
         at = index.previous(at)) {
      pace.step(kSteps);
      reach(at, txn, OpId());
    }
    covered = std::max(covered, txn);
  }
  std::vector<Step> path;
  for (std::uint32_t txn = from; txn != to;) {
    const Seen& step = seen.at(txn);
    path.push_back(step.read.valid() ? reads_from_step(index, finder, txn,
                                                       step.next, step.read)
                                     : session_step(txn, step.next));
    txn = step.next;
  }
  return path;
}

}  // namespace awdit
