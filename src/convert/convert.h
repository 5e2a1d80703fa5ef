// Making a history fit into a format, and naming what is lost. Front door.
//
// Formats differ in what they can hold (Format::capacity). `fit` returns a
// history that the target holds exactly: reading what the target's writer wrote
// of it gives the same model again. Whatever had to change is named in
// sentences for a person; nothing is lost silently.
//
// Values and keys are renumbered only where the target cannot hold them, or
// where a value would be mistaken for the target's initial one. Unknown
// outcomes that the target cannot express count as committed if somebody read
// their writes and are left out otherwise, as every verdict takes them.
// Cost: linear, plus sorting where values are renumbered; nothing is copied if
// everything fits.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/sink.h"
#include "format/format.h"
#include "history/history.h"

namespace awdit {

struct Fitted {
  History history;
  // E.g. "the times of 12 transactions"; empty: nothing is lost.
  std::vector<std::string> losses;
};

struct FitOptions {
  unsigned threads = 1;
  // Receives a line of JSON per renumbered session, key and value; nullptr:
  // nobody wants to know. With it, renumbering is no loss.
  Sink* mapping = nullptr;
};

// Fails where unknown outcomes must be settled but reads cannot be attributed,
// because a value was written twice. REQUIRES: target.write != nullptr.
Result<Fitted> fit(History history, const Format& target,
                   const FitOptions& options);

}  // namespace awdit
