// Which levels a violation breaks. Private to src/tell.
//
// The level at which it was found is broken, and so is whatever implies it. But
// it may have been found at a strong level only because nobody asked for a
// weaker one; and levels are no chain: a circle that breaks prefix consistency
// may break parallel snapshot isolation as well. So the smallest part of the
// history that shows it is checked again, at every level. Cost: that of
// checking a few dozen operations. Where there are more, only what the evidence
// itself tells is said, and what the check of the whole history has decided:
// some levels are neither among those that it breaks nor among the others then.
#pragma once

#include "history/history.h"
#include "tell/stories.h"
#include "theory/theory.h"

namespace awdit {

// Fills in story.breaks and story.keeps: of the levels that apply to the
// history, in the order of the table; one is in neither list if nothing is
// known. `report`: the one that has the violation, at story.level. `seconds`:
// that deciding the story's part may take for each level; a level that takes
// longer is in neither list, unless it is known from others.
void find_broken_levels(const History& history, const Report& report,
                        double seconds, Story& story);

}  // namespace awdit
