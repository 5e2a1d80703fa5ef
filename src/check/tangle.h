// Whether a cyclic component can still have a cycle when reads are left out.
// Private to check/.
//
// Idea: be generous. So and wr stay as they were, and so do the inferences of
// all readers that keep their reads; one that loses some is taken to have seen
// everybody. If not even that has a cycle, there is none, and nobody needs to
// infer anything again. Cost: the arcs of the component, and for each reader
// that loses a read its reads times the component.
#pragma once

#include <span>
#include <vector>

#include "check/index.h"

namespace awdit {

// `reads` are left out next; the components are those of what is there before.
// May be true where no cycle remains, never the other way round.
bool stays_tangled(const Index& index, std::span<const Tangle> tangles,
                   std::span<const OpId> reads);

}  // namespace awdit
