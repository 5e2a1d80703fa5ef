// Where the guessed order goes wrong, and nothing else. Private to polygraph/.
//
// The transactions are numbered by a guess at the commit order. Mostly it is
// right but for a few places: a read that skips a version, a real time that is
// not kept. A *window* is a run of transactions around such a place. What lies
// between windows stays as guessed, so that each window is a polygraph of its
// own: what it reads from before it is initial there, and the versions that are
// read after it must stay the last ones of their keys.
//
// Invariant: orders of all windows, put in their places, are an order of the
// whole. That a window has none says nothing yet, as it may have been cut too
// narrow; only its transactions by themselves can refute (cut without borders).
// Cost: linear, and n log n of the windows; what lists and times tell is gone
// through for each window.
#pragma once

#include <cstdint>
#include <vector>

#include "polygraph/polygraph.h"

namespace awdit {

struct Window {
  std::uint32_t first, last;  // transactions, inclusive
};

// Ascending and disjoint; empty: the guess is an answer already. A read that
// skips versions is in one window with the first of them; `wide`: with the one
// that it returned as well.
std::vector<Window> find_windows(const Polygraph& polygraph, bool real_time,
                                 bool wide);

// Sorts, and joins those that overlap or touch.
void merge(std::vector<Window>& windows);

class Cutter {
 public:
  Cutter(const Polygraph& polygraph, const Budget& budget);

  // Transaction i of it is first + i. May throw UsedUp; then this is useless.
  Polygraph cut(Window window, bool borders);

 private:
  const Polygraph& polygraph_;
  Pace pace_;
  std::vector<std::uint32_t> chain_;    // [chain] -> of the part, or kNoId
  std::vector<std::uint32_t> version_;  // [version] -> of the part, or kNoId
  std::vector<std::uint32_t> key_;      // [key] -> of the part, or kNoId
};

}  // namespace awdit
