// Monotonic Reads: what a session has seen, it keeps seeing.
//
//   t1 wr_x t3,  t2 writes x,  t2 wr;so t3,  t1 != t2   =>   t2 co t1
//
// Idea: each t3 is held against the writers of x that its session had read from
// before it (check/session_sight.h). Cost: O(n * k) for k sessions, in windows
// O(n * (k + log n)).
// Source: Terry et al., PDIS 1994.
#include "check/commit_graph.h"
#include "check/engines.h"
#include "check/read_gatherer.h"
#include "check/session_sight.h"

namespace awdit {
namespace {

void infer(const Index& index, Inferences& inferences) {
  std::vector<std::vector<Question>> found(index.threads());
  for_each_reader(index, inferences,
                  [&](unsigned worker, std::uint32_t reader) {
                    found[worker].push_back({.at = reader, .reader = reader});
                  });
  infer_from_sight(index, inferences, Sight::before, std::move(found));
}

void show(const Index& index, OpFinder& finder, Edge& edge) {
  const std::uint32_t reader = edge.reader.v;
  const std::uint32_t before =
      last_reader_of(index, finder, edge.from.v, index.previous(reader));
  edge.seen = {reads_from_step(index, finder, edge.from.v, before,
                               finder.read_from(before, edge.from.v)),
               session_step(before, reader)};
}

}  // namespace

const Rule kMonotonicReadsRule = {.infer = infer, .show = show};

}  // namespace awdit
