// Writes Follow Reads: who sees a write sees what its writer had seen, or the
// writer's session before.
//
//   t1 wr_x t3,  t2 writes x,  t2 wr;so?;wr t3,  t1 != t2   =>   t2 co t1
//
// Idea: each t3 is held against the writers of x that a session had read from
// up to the last transaction of it that t3 read from (check/session_sight.h).
// Cost: O(n * k) for k sessions, in windows O(n * k * log n): of those that a
// session has seen none is known to be the newest, so that they all count.
// Source: Terry et al., PDIS 1994.
#include "check/commit_graph.h"
#include "check/engines.h"
#include "check/last_writers.h"
#include "check/read_gatherer.h"
#include "check/session_sight.h"

namespace awdit {
namespace {

void infer(const Index& index, Inferences& inferences) {
  std::vector<std::vector<Question>> found(index.threads());
  std::vector<std::vector<std::uint32_t>> scratch(index.threads());
  for_each_reader(index, inferences,
                  [&](unsigned worker, std::uint32_t reader) {
                    gather_newest_sources(index, reader, scratch[worker]);
                    for (const std::uint32_t source : scratch[worker]) {
                      found[worker].push_back({.at = source, .reader = reader});
                    }
                  });
  infer_from_sight(index, inferences, Sight::up_to, std::move(found));
}

// The shortest way: of those that the reader read from one may have read from
// edge.from itself.
void show(const Index& index, OpFinder& finder, Edge& edge) {
  const std::uint32_t reader = edge.reader.v;
  std::vector<std::uint32_t> newest;
  gather_newest_sources(index, reader, newest);
  std::uint32_t writer = kNoId, before = kNoId;
  for (const std::uint32_t source : newest) {
    const std::uint32_t found =
        last_reader_of(index, finder, edge.from.v, source);
    if (found == kNoId) continue;
    writer = source;
    before = found;
    if (before == writer) break;
  }
  edge.seen = {reads_from_step(index, finder, edge.from.v, before,
                               finder.read_from(before, edge.from.v))};
  if (before != writer) edge.seen.push_back(session_step(before, writer));
  edge.seen.push_back(reads_from_step(index, finder, writer, reader,
                                      finder.read_from(reader, writer)));
}

}  // namespace

const Rule kWritesFollowReadsRule = {.infer = infer, .show = show};

}  // namespace awdit
