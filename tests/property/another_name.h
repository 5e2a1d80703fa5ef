// What the planted bug `causal` may be called besides.
#pragma once

#include <string_view>

#include "simulated/simulated.h"

namespace awdit::property {

// An effect without its cause may show within one session, or to whoever sees
// one. Then it breaks a session guarantee that is weaker than causal, and is
// told by the name of that: these three the store makes no promise about.
// Read-your-writes is not among them, because it keeps read-atomic.
inline bool is_causal_by_another_name(const PlantedBug& bug,
                                      std::string_view name) {
  return bug.breaks == "causal" && (name == "monotonic-reads-violation" ||
                                    name == "monotonic-writes-violation" ||
                                    name == "writes-follow-reads-violation");
}

}  // namespace awdit::property
