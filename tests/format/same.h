// Whether two histories say the same, as far as a format can hold it.
#pragma once

#include <string>

#include "format/format.h"
#include "history/history.h"

namespace awdit {

// What differs, in words; "" if nothing. Ids, labels of sessions, times and
// notes are compared only where the capacity holds them. Places, warnings and
// the order of the input are not compared.
std::string difference(const History& a, const History& b,
                       const Capacity& capacity);

}  // namespace awdit
