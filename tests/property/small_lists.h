// Small histories of lists, near the border of every level: what a store of
// some kind would have said, often with one thing changed.
#pragma once

#include "property/script.h"

namespace awdit::property {

// A history of `txns` transactions.
Script small_list_history(int txns, Random& random);

}  // namespace awdit::property
