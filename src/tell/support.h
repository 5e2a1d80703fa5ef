// What the reads of a part of a history need to mean the same there as in the
// whole. Private to src/tell.
//
// A read that lost the write it returned is a thin-air read, or one of init;
// one that lost its transaction's own write before it may be sound suddenly.
// So reads bring along the operations that the verifier attributes them by. A
// list brings the appends of all its elements, which are whole blocks unless it
// is wrong because they are not, and all that its reader had appended itself.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "history/history.h"
#include "witness/attribution.h"

namespace awdit {

class Support {
 public:
  // Both must outlive it.
  Support(const History& history, const Attribution& attribution)
      : history_(history), attribution_(attribution) {}

  // The operations that `read` needs directly, all on its key, are added to
  // `ops`. `repeatable`: two reads of a key shall return the same, so that the
  // first one matters. REQUIRES for both: the attribution knows the keys.
  void add_needs(OpId read, bool repeatable, std::vector<OpId>& ops);

  // `ops` and everything that they need, directly or not; ascending.
  std::vector<OpId> closed(std::vector<OpId> ops, bool repeatable);

 private:
  struct Append {
    Atom element;
    std::uint32_t claim;  // 0: of a transaction that counts, 1: aborted
    OpId op;
  };
  void add_appends(OpId read, std::vector<OpId>& ops);

  const History& history_;
  const Attribution& attribution_;
  std::map<KeyId, std::vector<Append>> appends_;  // by element, then claim
};

}  // namespace awdit
