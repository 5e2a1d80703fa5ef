// The transactions of a story, and which of their operations it shows. Private
// to src/tell.
#pragma once

#include <vector>

#include "history/history.h"
#include "tell/shrink.h"
#include "tell/stories.h"

namespace awdit {

// In the order in which a reader meets them. Of a part that stands alone all
// operations; otherwise small transactions whole, and of large ones what the
// evidence names and a few more operations on the same keys.
std::vector<StoryTxn> story_txns(const History& history,
                                 const Shrunk& smallest);

}  // namespace awdit
