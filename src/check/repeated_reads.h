// Non-repeatable reads. Private to check/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// A finding for each external read of a key whose source is not that of its
// transaction's first external read of the key; by ascending read. Only these
// transactions are looked at; they may be repeated. `sources`: [op]. O(their
// operations).
std::vector<Violation> find_non_repeatable(
    const History& history, std::span<const std::uint32_t> sources,
    std::span<const std::uint32_t> txns, unsigned threads);

}  // namespace awdit
