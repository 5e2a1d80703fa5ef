// Whether a cycle of dependencies refutes a level above Causal. Private to
// src/witness.
//
// Session order, reads-from and real time are to be seen in the history. The
// order of versions (judge_versions.h) is so only of lists; else it takes a
// lemma: the contrary would close a forbidden cycle. To judge a lemma is to
// assume the contrary, to judge the lemmas under it, then its cycle, and to
// forget what rested on the assumption.
//
// Sound, because every order of versions that satisfies the level puts the two
// one way or the other; and nothing else is used than what was proven before.
// Cost: O(e log e) for evidence of e edges and lemmas, besides the lists that
// it names. No recursion: how deep lemmas nest is up to the certificate.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"
#include "witness/attribution.h"
#include "witness/cycle_shape.h"
#include "witness/judge_edge.h"
#include "witness/judge_versions.h"

namespace awdit {

class DependencyJudge {
 public:
  // All three must outlive it. REQUIRES: the level has Cycles.
  DependencyJudge(const History& history, const Attribution& attribution,
                  const Level& level);

  // "" if the edges are a cycle that the level forbids, given the lemmas;
  // otherwise what is wrong. REQUIRES: this is the only call.
  std::string objection(Kind kind, const Cycle& cycle);

 private:
  // Lemmas that are being judged; each list but the first under an assumption.
  struct Open {
    const std::vector<Lemma>* lemmas;
    std::size_t next;  // to be judged, or whose assumption is made
    std::size_t mark;  // what was known before that
  };

  std::string to_lemmas(const std::vector<Lemma>& lemmas);
  std::string to_cycle(std::span<const Edge> edges);
  std::string to_edge(const Edge& edge) const;
  std::string to_real_time(const Edge& edge) const;
  std::string to_anti_dependency(const Edge& edge) const;
  std::string name(TxnId t) const { return history_.txn_name(t); }

  const History& history_;
  const Attribution& attribution_;
  const Level& level_;
  const EdgeJudge edges_;
  VersionJudge versions_;
  CycleNamer namer_;
};

}  // namespace awdit
