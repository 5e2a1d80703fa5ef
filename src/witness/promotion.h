// Which transactions count. Private to src/witness.
#pragma once

#include <cstdint>

#include "base/array.h"
#include "history/history.h"
#include "witness/attribution.h"

namespace awdit {

// [txn] -> 1 if it is committed, or if its outcome is unknown and a transaction
// that counts read one of its writes; otherwise 0.
// REQUIRES: `layout` has by_key, key_first and op_txn.
Array<std::uint8_t> transactions_that_count(const History& history,
                                            const Attribution& layout);

}  // namespace awdit
