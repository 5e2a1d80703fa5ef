// What proves that a level is violated: reads that no order explains, and
// cycles of what must come before what. Values only: whoever finds them
// (check/) and whoever judges them (witness/) share these words and nothing
// else. Private to theory/; others include theory/theory.h.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "theory/anomalies.h"

namespace awdit {

// Why one transaction must come before another.
enum class Reason : std::uint8_t {
  session_order,  // `from` precedes `to` in one session, or `from` is init
  reads_from,     // `to` read (`read`) what `from` wrote (`write`)
  inferred,       // the level's axiom demands it, see Edge
  // Above causal only, but for version_order, which lists show at any level:
  real_time,        // `from` had ended before `to` began
  version_order,    // both wrote `key`, `from` before `to`: see Lemma
  anti_dependency,  // `from` read a version of `key` older than that of `to`
};

// A step of so u wr. A list that a transaction reads behind appends of its own
// is a read from the maker of the version before those.
struct Step {
  TxnId from;
  TxnId to;
  Reason reason = Reason::session_order;  // never inferred
  OpId write;  // reads_from: the write, none if `from` is init
  OpId read;   // reads_from: the read in `to`
};

// A step of a cycle. For an inferred edge, in the paper's names: t2 = from,
// t1 = to, t3 = reader. t3 reads `key` from t1 (`read`, which returned
// `write`); t2 also writes `key` (`other_write`); and t3 saw t2, as `seen`
// shows. Hence t2 must come before t1.
// `seen` is a path of steps from t2 to t3, of the form that the level's premise
// has (theory/levels.h; under read-committed the read of its one step comes
// before `read`). A step along a session may pass transactions by.
//
// version_order: `write` is the write of `from` (none if it is init),
// `other_write` that of `to`, both the transaction's last of `key`.
// anti_dependency: `from` read `key` (`read`, which returned `write`, none if
// that is init's), `other_write` is the last write of `key` by `to`, another
// transaction, and comes after `write` in the order of versions.
struct Edge {
  TxnId from;
  TxnId to;
  Reason reason = Reason::session_order;
  OpId write;              // reads_from, inferred: none if the writer is init
  OpId read;               // reads_from, inferred, anti_dependency
  OpId other_write;        // inferred, version_order, anti_dependency
  TxnId reader;            // inferred
  KeyId key;               // inferred, version_order, anti_dependency
  std::vector<Step> seen;  // inferred
};

// What a step and an edge have in common.
Step step_of(const Edge& edge);

// Of two transactions that wrote a key, whose version is the older one. That
// init's is the oldest of all needs no lemma. Proven by contradiction: if it
// were the other way round, there would be the forbidden cycle `cycle`, given
// the lemmas before this one, and those in `under`, which may rest on that
// assumption as well. Of lists it may be plain to see instead, and up to causal
// it must be: then `shown` is a read whose list has an element of `older`, and
// either one of `newer` behind it or none of `newer` at all (the reader itself
// may be one of the two); `cycle` and `under` are empty.
// At most kDeepestLemma assumptions are made one within the other.
inline constexpr std::uint32_t kDeepestLemma = 256;
struct Lemma {
  KeyId key;
  TxnId older;  // not init
  TxnId newer;
  OpId shown;
  std::vector<Lemma> under;
  std::vector<Edge> cycle;
};

// One read is wrong, whatever the order.
struct Finding {
  OpId read;
  // The write it returned; none for thin air and init. Of a list: the append of
  // `element` (aborted_read, future_read, intermediate_read) or of its last
  // element; none for duplicate_element and incompatible_order.
  OpId write = OpId();
  // own_write_ignored, stale_own_write: the own write it should have returned;
  // intermediate_read: the writer's last write of the key; of a list, an append
  // of the writer to the key that is not at its place in relation to `element`;
  // incompatible_order: a read of the key that contradicts it;
  // non_repeatable_read: the transaction's first read of the key.
  OpId other = OpId();
  // Of a list that is not empty, from 0: the first element that nobody wrote
  // (thin_air_read), only aborted ones did (aborted_read) or the reader itself
  // only later (future_read), one that is there without `other`
  // (intermediate_read), the first that is there already (duplicate_element),
  // the first that `other` does not have at its place (incompatible_order).
  std::uint32_t element = kNoId;
};

// Two transactions read one version of a key and both wrote the key.
struct LostUpdate {
  OpId read;            // of the version, each transaction's first of the key
  OpId other;           // behind `read` in the history
  OpId write = OpId();  // of the version; none if it is init's
};

// No order contains it: edges[i].to == edges[i + 1].from, closed.
struct Cycle {
  std::vector<Edge> edges;
  // What its dependencies rest on, each only on those before it.
  std::vector<Lemma> lemmas = {};
};

// theory/walk.h goes through all of it.
struct Violation {
  Kind kind{};
  std::variant<Finding, LostUpdate, Cycle> evidence;

  // nullptr: its evidence is of another form.
  const Finding* finding() const { return std::get_if<Finding>(&evidence); }
  const LostUpdate* lost_update() const {
    return std::get_if<LostUpdate>(&evidence);
  }
  const Cycle* cycle() const { return std::get_if<Cycle>(&evidence); }
};

// Whether the evidence is of the form that the kind has: only who makes up a
// violation by hand can get that wrong.
bool has_form_of_kind(const Violation& violation);

// Equal for violations that are the same: of one kind and about the same reads,
// or cycles of the same edges, wherever they begin. 64 bits, so that different
// ones practically never meet.
std::uint64_t identity(const Violation& violation);

}  // namespace awdit
