// The smallest part of a history that shows a violation. Part of tell/tell.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/work.h"
#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// A part of a history that violates a level by itself.
struct Shrunk {
  // Ascending, which is the order of the input; a transaction that has none is
  // left out, unless it is among `silent`.
  std::vector<OpId> ops;
  // Transactions of which only the times matter: those that the evidence rests
  // on and that have no write to be shown by; ascending.
  std::vector<TxnId> silent;
  // At which it is looked for: a level that the violation refutes and that the
  // given one implies.
  const Level* level = nullptr;
  // Of the kind that was asked for, and about these operations only; ids are
  // those of the whole history, for which `verify` accepts it. A cycle of
  // dependencies may be of another kind, if they show it in another way only.
  Violation violation{};
  // Whether the part violates the level by itself. If not, it is what the given
  // evidence rests on, and `violation` is that evidence.
  bool stands_alone = false;
  // Whether no single transaction or operation can be left out; false: there
  // were too many to try.
  bool minimal = false;
  // Whether the time limit came first.
  bool out_of_time = false;
  // Parts that were decided, and the operations in them.
  std::uint64_t tried = 0;
  std::uint64_t work = 0;
};

// The violation that is easiest to tell: of the most basic kind (the first in
// the order of the enumeration), or of the given one, the first with the fewest
// steps. nullptr: there is none.
const Violation* simplest(const LevelReport& report,
                          std::optional<Kind> kind = std::nullopt);

// A violation of a level.
struct Claim {
  const Level* level;
  const Violation* violation;
};

// Leaves out transactions and operations as long as what is left violates the
// level with the same kind, for reasons that hold in the whole history too.
// Several at once share the pass over the history. REQUIRES: `verify` accepts
// each. Cost: one pass over the history, the rest does not depend on its size:
// see shrink.cpp. `time_limit`: seconds for all of them, 0: none; what is left
// then is not minimal, or not even tried whether it stands alone; as if it were
// over, once `work` is cancelled.
std::vector<Shrunk> shrink(const History& history,
                           std::span<const Claim> claims, double time_limit = 0,
                           const Work* work = nullptr);
Shrunk shrink(const History& history, const Level& level,
              const Violation& violation, double time_limit = 0,
              const Work* work = nullptr);

}  // namespace awdit
