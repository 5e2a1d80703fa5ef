// The words for why one transaction follows another. Private to src/tell.
// REQUIRES throughout: the ids exist in the history.
#pragma once

#include <span>
#include <string>

#include "history/history.h"
#include "theory/theory.h"
#include "witness/phrases.h"

namespace awdit {

// What a write did: "wrote x=3", "appended 3 to x"; as a participle: "written
// x=3"; to what was read before: "overwritten it with x=3".
std::string wrote(const History& history, OpId write);
std::string written(const History& history, OpId write);
std::string overwritten(const History& history, OpId write);

// A step without a full stop: "t5 follows t4 in session s2", "t4 had ended
// before t5 began", or as describe_read has it.
std::string describe_step(const History& history, const Step& step);

// Steps one after another, without a full stop: "t5 follows t4 in session s2,
// and t6 read z=1 from t5". Of more than six the middle is counted.
std::string describe_path(const History& history, std::span<const Step> steps);

// The transaction of a write that something read; none: init.
TxnId writer_of(const History& history, OpId write);

// A transaction's last write of a key; none if it has none. O(its operations).
OpId last_write(const History& history, TxnId txn, KeyId key);

// Of two writes of a key: "t5 wrote x=2 before t3 wrote x=1"; of lists "t5
// appended 2 to x before t3 appended 1".
std::string describe_versions(const History& history, KeyId key, TxnId older,
                              TxnId newer);

// How a list shows which of two versions is older, without a full stop: "t3
// read x=[1 2], which shows that t1 appended to x before t2", "t3 read x=[1],
// which has what t1 appended but nothing from t2, so that t2 appended to x
// later".
std::string describe_shown(const History& history, const Lemma& lemma);

// What somebody wrote and another one did not see: "t5's x=2", of lists "the 2
// that t5 appended".
std::string describe_missed(const History& history, OpId write);

// Any edge of a cycle of dependencies, without a full stop: a step, as above,
// or "t7 read x=1 from t3, not t5's x=2".
std::string describe_dependency(const History& history, const Edge& edge);

// The rule by which an inferred edge follows, given that its reader has seen
// edge.from: "t7 read x=3 from t4, yet t6 also wrote x=4. Under Causal
// Consistency t4 must then be the newer of the two: t6 comes before t4."
std::string describe_rule(const History& history, const Level& level,
                          const Edge& edge);

// A sentence for each of the edge's transactions whose outcome is unknown, each
// with a blank before it.
std::string describe_unknown(const History& history,
                             std::span<const TxnId> txns);

}  // namespace awdit
