// Monotonic Writes: who sees a session's write sees those before it.
//
//   t1 wr_x t3,  t2 writes x,  t2 so;wr t3,  t1 != t2   =>   t2 co t1
//
// Idea: what t3 sees of a session through those it read from is all before the
// last of these, and of the writers of x among that only the last one counts
// (check/last_writers.h). Cost: O(n * k * log n) for k sessions, or for the
// reads of a transaction if they are fewer.
// Source: Terry et al., PDIS 1994.
#include "check/commit_graph.h"
#include "check/engines.h"
#include "check/last_writers.h"
#include "check/read_gatherer.h"

namespace awdit {
namespace {

struct Scratch {
  std::vector<ExternalRead> reads;
  std::vector<std::uint32_t> newest;  // source of each session
};

void infer(const Index& index, Inferences& inferences) {
  const LastWriters last(index, inferences);
  std::vector<Scratch> scratch(index.threads());
  for_each_reader(
      index, inferences, [&](unsigned worker, std::uint32_t reader) {
        Scratch& mine = scratch[worker];
        gather_reads(index, reader, mine.reads);
        gather_newest_sources(index, reader, mine.newest);
        for (const ExternalRead& read : mine.reads) {
          for (const std::uint32_t source : mine.newest) {
            const std::uint32_t t2 = last.before(read.key, source);
            if (t2 == kNoId || t2 == read.source) continue;
            inferences.add(worker, {t2, read.source, reader, read.key});
          }
        }
      });
}

void show(const Index& index, OpFinder& finder, Edge& edge) {
  std::vector<std::uint32_t> newest;
  gather_newest_sources(index, edge.reader.v, newest);
  for (const std::uint32_t source : newest) {
    if (index.history().session(TxnId(source)) !=
        index.history().session(edge.from)) {
      continue;
    }
    edge.seen = {session_step(edge.from.v, source),
                 reads_from_step(index, finder, source, edge.reader.v,
                                 finder.read_from(edge.reader.v, source))};
  }
}

}  // namespace

const Rule kMonotonicWritesRule = {.infer = infer, .show = show};

}  // namespace awdit
