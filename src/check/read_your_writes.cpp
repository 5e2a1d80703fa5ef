// Read Your Writes: a session sees what it wrote before.
//
//   t1 wr_x t3,  t2 writes x,  t2 so t3,  t1 != t2   =>   t2 co t1
//
// Idea: of the writers of x before t3 in its session only the last one counts
// (check/last_writers.h). Half of Read Atomic's axiom is the same, but that one
// forbids that a transaction reads a key twice and differently, and looks at
// the first read only; here each of them counts.
// Cost: O(n log n). Source: Terry et al., PDIS 1994.
#include "check/commit_graph.h"
#include "check/engines.h"
#include "check/last_writers.h"
#include "check/read_gatherer.h"

namespace awdit {
namespace {

void infer(const Index& index, Inferences& inferences) {
  const LastWriters last(index, inferences);
  std::vector<std::vector<ExternalRead>> scratch(index.threads());
  for_each_reader(
      index, inferences, [&](unsigned worker, std::uint32_t reader) {
        std::vector<ExternalRead>& reads = scratch[worker];
        gather_reads(index, reader, reads);
        for (const ExternalRead& read : reads) {
          const std::uint32_t t2 = last.before(read.key, reader);
          if (t2 == kNoId || t2 == read.source) continue;
          inferences.add(worker, {t2, read.source, reader, read.key});
        }
      });
}

void show(const Index&, OpFinder&, Edge& edge) {
  edge.seen = {session_step(edge.from.v, edge.reader.v)};
}

}  // namespace

const Rule kReadYourWritesRule = {.infer = infer, .show = show};

}  // namespace awdit
