// What is told about violations, the same in every report. Part of tell/tell.h.
//
// A check may find a million violations, most of them alike: they are told in
// groups (groups.cpp), worst first, each reduced to the smallest part of the
// history that shows it (shrink.h). That is the expensive part, so it is done
// once, for whichever report shows the most; each report then shows an excerpt:
// what it would have shown alone, unless a time limit ends the work.
//
// Cost: O(evidence of all findings) to group them; to tell some, one pass over
// the history and that of their evidence.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "history/history.h"
#include "tell/digest.h"
#include "tell/exhibit.h"
#include "tell/proof.h"
#include "theory/theory.h"

namespace awdit {

// A word that explanations use.
struct Word {
  std::string_view word;     // as the text has it
  std::string_view meaning;  // no capital, no full stop
};
// All of them, in the order in which a glossary should have them.
std::span<const Word> terms();

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
  // this violation. Of the rest nothing is known. See broken_levels.cpp.
  std::vector<const Level*> breaks, keeps;
  std::uint64_t count = 1;  // violations of the group
  std::uint32_t turn = 0;   // groups of its kind that are told before it
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

// Groups that are not told, by kind.
class Untold {
 public:
  struct OfKind {
    Kind kind;
    std::uint64_t groups = 0;
    std::uint64_t violations = 0;
  };

  void add(const OfKind& more);
  // In the order of the kinds; only those that have some.
  std::span<const OfKind> list() const { return list_; }

 private:
  std::vector<OfKind> list_;
};

// The history and the report must outlive it.
struct Stories {
  const History& history;
  const Report& report;
  std::vector<LevelDigest> digests = {};  // [level as in the report]
  std::vector<Story> told = {};           // worst first
  Untold untold = {};
  std::uint64_t groups = 0;  // told and untold
};

inline constexpr std::uint32_t kAllGroups = kNoId;

// Tells at most `most` groups of each kind. 0: nothing is told, and not even
// the digests are made.
Stories stories(const History& history, const Report& report,
                std::uint32_t most);

// The part of the stories, which must outlive it, that a report shows.
struct Excerpt {
  const Stories& all;
  std::vector<const Story*> told = {};
  Untold untold = {};
};

// At most `most` groups of each kind: as if no more had been asked for.
Excerpt excerpt(const Stories& all, std::uint32_t most);

// The words that some shown story needs, in the order of their table.
std::vector<const Word*> terms_of(const Excerpt& shown);

}  // namespace awdit
