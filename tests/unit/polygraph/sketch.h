// Polygraphs as one would write them down, for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "polygraph/polygraph.h"

namespace awdit {

struct Read {
  std::uint32_t reader, key, writer;  // kNoId: initial
};

// A polygraph as one would write it down.
struct Sketch {
  std::vector<std::uint32_t> session;                        // [txn]
  std::set<std::pair<std::uint32_t, std::uint32_t>> writes;  // txn, key
  std::vector<Read> reads;
  std::vector<std::int64_t> begin, end;  // [txn]
  std::uint32_t keys = 0;

  std::uint32_t txns() const {
    return static_cast<std::uint32_t>(session.size());
  }
};

inline Polygraph to_polygraph(const Sketch& sketch) {
  Polygraph graph;
  graph.txns = sketch.txns();
  std::map<std::uint32_t, std::uint32_t> chain, last;
  for (std::uint32_t t = 0; t < graph.txns; ++t) {
    const std::uint32_t session = sketch.session[t];
    const auto [at, fresh] = chain.try_emplace(session, graph.chains);
    if (fresh) ++graph.chains;
    graph.chain.push_back(at->second);
    graph.previous.push_back(fresh ? kNoId : last[session]);
    graph.position.push_back(fresh ? 0 : graph.position[last[session]] + 1);
    graph.linked.push_back(0);
    last[session] = t;
  }
  graph.keys = sketch.keys;
  for (std::uint32_t key = 0; key < sketch.keys; ++key) {
    graph.key_name.push_back(key);
    graph.key_first.push_back(static_cast<std::uint32_t>(graph.writer.size()));
    std::vector<std::uint32_t> writers;
    for (std::uint32_t t = 0; t < graph.txns; ++t) {
      if (sketch.writes.contains({t, key})) writers.push_back(t);
    }
    std::stable_sort(writers.begin(), writers.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                       return graph.chain[a] < graph.chain[b];
                     });
    graph.writer.insert(graph.writer.end(), writers.begin(), writers.end());
  }
  graph.key_first.push_back(static_cast<std::uint32_t>(graph.writer.size()));
  graph.read_first.push_back(0);
  for (std::uint32_t t = 0; t < graph.txns; ++t) {
    for (const Read& read : sketch.reads) {
      if (read.reader != t) continue;
      graph.reads.push_back(
          {read.key, read.writer == kNoId
                         ? Polygraph::kInitial
                         : graph.version_of(read.writer, read.key)});
    }
    graph.read_first.push_back(static_cast<std::uint32_t>(graph.reads.size()));
  }
  graph.complete();
  if (sketch.end.empty()) return graph;
  for (std::uint32_t t = 0; t < graph.txns; ++t) graph.ended.push_back(t);
  std::stable_sort(graph.ended.begin(), graph.ended.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return sketch.end[a] < sketch.end[b];
                   });
  for (std::uint32_t t = 0; t < graph.txns; ++t) {
    graph.ended_before.push_back(static_cast<std::uint32_t>(std::count_if(
        sketch.end.begin(), sketch.end.end(),
        [&](std::int64_t end) { return end < sketch.begin[t]; })));
  }
  return graph;
}

}  // namespace awdit
