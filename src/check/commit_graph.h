// From inferred edges to a commit order or to cycles. Private to check/.
//
// A level is decided in two passes over its inferences. The first only notes
// those that contradict the guessed order (check/index.h); usually there are
// none, nothing is stored, and the guess is a commit order. Otherwise each
// contradiction t2 -> t1 spans an interval of ranks; a cycle cannot leave the
// union of overlapping intervals ("window"), because every edge between windows
// goes forward. So the second pass collects the edges inside the windows only,
// and the graph that is searched for cycles is as small as the disorder. Where
// the windows would be all there is, the first pass is left out, and the graph,
// too, unless there are cycles (check/disorder.h).
//
// The versions of lists (check/list_versions.h) are edges, too, at every level.
//
// A rule may use hubs: nodes that stand for several transactions, so that "each
// of these before that one" takes one edge and not one for each of them.
//
// Invariant: the stored edges together with so u wr are a saturated and minimal
// commit relation inside each window, in the sense of the paper.
// Cost: linear in the inferences; memory 16 bytes per edge inside a window.
#pragma once

#include <cstdint>
#include <vector>

#include "check/check.h"
#include "check/index.h"
#include "check/inferences.h"
#include "check/op_finder.h"

namespace awdit {

// Decides report.level from its rule: verdict and order go to the report,
// violations to `found`. `rule` may be nullptr: it demands no more than so u
// wr.
void decide_by_rule(Index& index, const Options& options, const Rule* rule,
                    LevelReport& report, std::vector<Violation>& found);

// One cycle for each strongly connected component of so u wr, and who is in
// them (without arcs).
std::vector<Violation> find_causality_cycles(
    const Index& index, std::vector<Tangle>* tangles = nullptr);
// The same of so, wr and the versions of lists, but for components that have a
// causality cycle. REQUIRES: index.causality_cycles() are known.
std::vector<Violation> find_dependency_cycles(
    const Index& index, std::vector<Tangle>* tangles = nullptr);

// What a cycle of so, wr, inferences and versions of lists is called.
Kind kind_of_cycle(const Cycle& cycle);

// A shortest path of so and wr steps from `from` to `to`, jumps along a session
// counting as one step. REQUIRES: `from` happens before `to`.
std::vector<Step> happens_before_path(const Index& index, OpFinder& finder,
                                      std::uint32_t from, std::uint32_t to);

// `to` follows `from` in their session.
Step session_step(std::uint32_t from, std::uint32_t to);
// The step by which `to` read from `from`, through operation `read`.
Step reads_from_step(const Index& index, OpFinder& finder, std::uint32_t from,
                     std::uint32_t to, OpId read);
// Fills Edge::seen with that step, if edge.reader read from edge.from; of its
// reads of the key edge.read becomes one that comes after, if there is any:
// then it is a weaker level that forbids it. Returns false if it did not.
bool show_by_read(const Index& index, OpFinder& finder, Edge& edge);

}  // namespace awdit
