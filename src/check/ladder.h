// The levels from below, each with the violations of its own. Private to
// check/.
//
// A level that is violated because a weaker one is says nothing about itself:
// one stale read would hide every long fork. So, level by level, the reads that
// the evidence of violations rests on (check/rests_on.cpp) are left out of the
// index, and the next level is searched on what remains. What it finds there is
// its own: no weaker level is violated without those reads. It is a violation
// of the whole history, too, because leaving reads out only weakens what is
// demanded. Within a level it is the same: a component shows one cycle at a
// time, so its reads are left out and the level is decided again, in a bounded
// number of rounds; then all reads by the transactions still entangled, and all
// reads of what they wrote, are left out.
//
// Invariant: a verdict never depends on this. A level above a violated one is
// violated; every other one is decided with nothing left out. Levels that do
// not imply each other do not leave anything out for each other.
// A cycle without reads (sessions against times) cannot be left out: then the
// level, and those above it, look no further. Nor do they once a limit is
// reached: what was found until then is as true as if nothing had happened, so
// that with it the level is violated, and undecided without.
//
// Cost: a round costs what deciding the level costs; whether another one can
// find anything is asked of the entangled transactions first, so that a single
// violation of a weak level costs no second pass.
#pragma once

#include <span>
#include <vector>

#include "check/check.h"
#include "check/index.h"

namespace awdit {

// [level as asked]. REQUIRES: all of them apply.
std::vector<LevelReport> climb(Index& index,
                               std::span<const Level* const> asked,
                               const Options& options);

// -- its parts ----------------------------------------------------------------

// rests_on.cpp: adds the reads that the evidence of a violation rests on, in no
// order, some twice; only reads that have a source. None: the violation rests
// on no read (sessions against times), or only on such as are set aside
// already.
void add_reads_of(const Index& index, const Violation& violation,
                  std::vector<OpId>& reads);
// Likewise one read, and what it brings along.
void add_read(const Index& index, OpId read, std::vector<OpId>& reads);

// tangle.cpp: whether a cyclic component can still have a cycle when `reads`
// are left out next; the components are those of what is there before. May be
// true where no cycle remains, never the other way round.
bool stays_tangled(const Index& index, std::span<const Tangle> tangles,
                   std::span<const OpId> reads);

}  // namespace awdit
