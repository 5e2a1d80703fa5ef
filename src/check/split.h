// How walks through a history are shared out among threads. Private to check/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "history/history.h"

namespace awdit {

struct Split {
  unsigned threads = 1;
  std::uint32_t grain = 1;  // operations that are worth a thread of their own

  // Into how many parts a walk through all operations is cut, each of which has
  // a table of all keys: as many as there are threads, unless there is too
  // little to do, or the tables would be larger than the history. Returns where
  // the parts begin and end in `order`, whose first is init, about equal in
  // operations.
  std::vector<std::size_t> cut(const History& history,
                               std::span<const std::uint32_t> order,
                               std::size_t bytes_per_key) const;
};

}  // namespace awdit
