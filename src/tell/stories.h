// What is told about violations, the same in every report. Part of
// tell/tell.h.
//
// A check may find a million violations, most of them alike. Those of one level
// and kind that are about the same keys and the same sessions are one *group*;
// the one with the least evidence speaks for it. Groups come worst first: by
// the weakest level they break, then by kind, then by how many they are.
//
// What is told is reduced to the smallest part of the history that shows it
// (tell/shrink).
//
// Cost: O(evidence of all findings) to group them; to tell some, one pass over
// the history and that of their evidence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "history/history.h"
#include "tell/digest.h"
#include "tell/exhibit.h"
#include "tell/proof.h"
#include "tell/terms.h"
#include "theory/theory.h"

namespace awdit {

// A transaction as a story shows it.
struct StoryTxn {
  TxnId txn;
  std::vector<Exhibit> ops = {};  // shown, in program order
  std::uint64_t omitted = 0;      // its other operations
};

struct Story {
  Violation violation;           // that speaks for the group
  const Level* level = nullptr;  // the weakest asked level that it breaks
  // Of the levels that apply to the history: those that it breaks, that level
  // among them; and those that allow it: whatever becomes of them, it is not by
  // this violation. Of the rest nothing is known. See broken.h.
  std::vector<const Level*> breaks, keeps;
  std::uint64_t count = 1;  // violations of the group
  std::vector<KeyId> keys;  // that the argument is about
  std::vector<SessionId> sessions;
  std::string title;     // "Causal violation on key x"
  std::string headline;  // one sentence, with its full stop
  // The smallest part of the history that shows it, ascending; empty if there
  // is none (see Shrunk::stands_alone).
  std::vector<OpId> ops;
  std::vector<TxnId> silent;   // its transactions without operations
  std::vector<StoryTxn> txns;  // in the order in which a reader meets them
  Proof proof;
  std::vector<const Word*> terms;  // words used that need a word of explanation
};

struct Stories {
  std::vector<Story> told;           // worst first
  std::vector<LevelDigest> digests;  // [level as in the report]
  // Groups that were not told, by kind: how many, and their violations.
  struct Untold {
    Kind kind;
    std::uint64_t groups = 0;
    std::uint64_t violations = 0;
  };
  std::vector<Untold> untold;  // only kinds that have some
  std::uint64_t groups = 0;    // told and untold
};

// At most `limit` groups of each kind are told; 0: all.
Stories stories(const History& history, const Report& report,
                std::uint32_t limit);

// "t6", "R x=3", "W x=3", of lists "append 3 to x", "read x=[1 2 3]": raw, not
// yet made fit for a terminal or a page. `element` is shown if a list is cut.
std::string op_text(const History& history, OpId op,
                    std::uint32_t element = kNoId);

// "line 5", "lines 7-9", "lines 3, 7-9"; empty where places are unknown.
std::string lines_text(const History& history,
                       const std::vector<Exhibit>& shown);

}  // namespace awdit
