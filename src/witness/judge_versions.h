// Whether the order of versions is as evidence says. Private to src/witness.
//
// That one transaction's version of a key is older than another's is a *fact*.
// It holds of init's versions at once; of others a list shows it, or it follows
// from what the level forbids (judge_dependencies.cpp). What a list shows is so
// in every commit order, whatever the level.
#pragma once

#include <string>

#include "history/history.h"
#include "theory/theory.h"
#include "witness/attribution.h"
#include "witness/judge_edge.h"
#include "witness/list_order.h"
#include "witness/version_facts.h"

namespace awdit {

class VersionJudge {
 public:
  // All must outlive it.
  VersionJudge(const History& history, const Attribution& attribution,
               const EdgeJudge& edges)
      : history_(history),
        attribution_(attribution),
        edges_(edges),
        lists_(history, attribution) {}

  // "" if the lemma is about two versions; otherwise what is wrong.
  std::string to_statement(const Lemma& lemma) const;
  // "" if the list of lemma.shown shows it. REQUIRES: it is about two versions.
  std::string to_shown(const Lemma& lemma);

  // "" if the edge is one of version order, known by a fact. REQUIRES: both of
  // its transactions take part.
  std::string to_version_order(const Edge& edge) const;
  // That an edge has a key, and edge.to's last write of it.
  std::string to_newer_write(const Edge& edge) const;
  // "" if the fact is known.
  std::string to_fact(KeyId key, TxnId older, TxnId newer) const;

  VersionFacts& facts() { return facts_; }

 private:
  // The transaction's last write of a key, or none.
  OpId last_write(KeyId key, TxnId txn) const;
  std::string name(TxnId t) const { return history_.txn_name(t); }

  const History& history_;
  const Attribution& attribution_;
  const EdgeJudge& edges_;
  ListOrder lists_;
  VersionFacts facts_;
};

}  // namespace awdit
