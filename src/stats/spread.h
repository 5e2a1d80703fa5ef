// Making a Spread. Private to stats/.
#pragma once

#include <vector>

#include "stats/stats.h"

namespace awdit {

// `values` come back in another order.
Spread spread_of(std::vector<std::uint32_t>& values);

}  // namespace awdit
