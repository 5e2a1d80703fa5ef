// Whether an edge of a cycle is justified by operations. Private to
// src/witness.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "history/history.h"
#include "theory/theory.h"
#include "witness/attribution.h"

namespace awdit {

class EdgeJudge {
 public:
  EdgeJudge(const History& history, const Attribution& attribution,
            const Level& level);

  // "" if every commit order that satisfies the level must contain the edge for
  // the reason it gives; otherwise what is wrong.
  std::string objection(const Edge& edge) const;
  // "" if an edge between dependencies may be between these two; otherwise what
  // is wrong, whatever its reason.
  std::string to_dependency(const Edge& edge) const;
  // "" if the step is one of session order or reads-from.
  std::string to_step(const Step& step) const;

  // Whether `t` takes part in commit orders; init does.
  bool takes_part(TxnId t) const {
    return history_.is_init(t) ||
           (t.v < history_.num_txns() && attribution_.counts[t.v] != 0);
  }

 private:
  std::string to_session_order(TxnId from, TxnId to) const;
  std::string to_reads_from(TxnId from, TxnId to, OpId write, OpId read) const;
  std::string to_inferred(const Edge& edge) const;
  std::string to_seen(const Edge& edge) const;

  bool is_read(OpId op) const {
    return op.v < history_.num_ops() && !history_.is_write(op);
  }
  bool is_write(OpId op) const {
    return op.v < history_.num_ops() && history_.is_write(op);
  }
  std::string name(TxnId t) const { return history_.txn_name(t); }

  const History& history_;
  const Attribution& attribution_;
  const Level& level_;
  bool repeatable_reads_;
};

// Whether all inferred edges, of which there is one at least, show in a way
// that the level's premise allows that their readers saw.
bool show_enough_for(const Level& level, std::span<const Edge> edges);

// "" if there are edges, each begins where the one before ends, also the first,
// and to_edge(edge) is "" for each; otherwise what is wrong.
std::string objection_to_circle(
    std::span<const Edge> edges,
    const std::function<std::string(const Edge&)>& to_edge);

}  // namespace awdit
