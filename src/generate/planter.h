// Puts gadgets into a run. Private to generate/.
//
// The transactions of a gadget are executed in the order of its script, right
// one after the other, in sessions of the run, on keys that nobody else uses.
// So no other transaction lies between two of them in session order or
// reads-from: a path that leaves the gadget never comes back, and neither the
// gadget nor the run adds to what the other one breaks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "generate/generate.h"
#include "generate/scribe.h"
#include "generate/store.h"
#include "history/history.h"

namespace awdit {

// A gadget's script as a history.
History script_of(const Gadget& gadget);

// `sessions`: those that take part, one for each of the script.
void plant(const Gadget& gadget, bool lists,
           std::span<const std::uint32_t> sessions, FreshKeys& keys,
           Scribe& scribe);

// Different sessions, as many as the gadget needs.
std::vector<std::uint32_t> choose_sessions(const Gadget& gadget,
                                           std::uint32_t sessions,
                                           Random& random);

}  // namespace awdit
