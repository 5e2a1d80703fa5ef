// The file that tells which new name stands for which old one: a line of JSON
// per renumbered session, key and value. Private to convert/.
#pragma once

#include "base/sink.h"
#include "convert/plan.h"

namespace awdit {

// Names the bytes that will be lost in the mapping, if there is to be one: JSON
// cannot tell all. REQUIRES: what is renumbered is settled.
void settle_mapping(Plan& plan);

void write_mapping(const Plan& plan, Sink& sink);

}  // namespace awdit
