#include "check/rests_on.h"

#include <span>

namespace awdit {
namespace {

class Gatherer {
 public:
  Gatherer(const Index& index, std::vector<OpId>& reads)
      : index_(index), reads_(reads) {}

  void add(const Violation& violation) {
    if (violation.kind == Kind::causality_cycle) {
      one_of(violation.cycle()->edges);
      return;
    }
    // So and wr of an axiom's cycle stay: what is inferred is what is wrong.
    const bool inferred = anomaly(violation.kind).form == Form::axiom_cycle;
    walk(
        violation, [&](const Finding& finding) { read(finding.read); },
        [&](const LostUpdate& lost) {
          read(lost.read);
          read(lost.other);
        },
        [&](const Edge& edge) {
          if (!inferred || edge.reason == Reason::inferred) read(edge.read);
        },
        [&](const Lemma& lemma) { read(lemma.shown); });
  }

 private:
  void one_of(std::span<const Edge> edges) {
    const auto ranks = index_.ranks();
    const Edge* chosen = nullptr;
    for (const Edge& edge : edges) {
      if (edge.reason != Reason::reads_from) continue;
      if (chosen == nullptr || ranks[edge.to.v] < ranks[edge.from.v]) {
        chosen = &edge;
      }
    }
    if (chosen != nullptr) read(chosen->read);
  }

  void read(OpId op) {
    if (op.valid()) add_read(index_, op, reads_);
  }

  const Index& index_;
  std::vector<OpId>& reads_;
};

}  // namespace

void add_read(const Index& index, OpId read, std::vector<OpId>& reads) {
  const History& history = index.history();
  const auto sources = index.sources();
  const std::uint32_t source = sources[read.v];
  if (!is_external(source)) return;
  const KeyId key = history.key(read);
  bool after = false;
  for (const OpId op : history.ops(history.txn_of(read))) {
    if (history.key(op) != key) continue;
    after = after || sources[op.v] == source;
    if (after && is_external(sources[op.v])) reads.push_back(op);
  }
}

void add_reads_of(const Index& index, const Violation& violation,
                  std::vector<OpId>& reads) {
  Gatherer(index, reads).add(violation);
}

}  // namespace awdit
