// Random histories, by shape. A shape is a row of numbers; what it says is in
// its name. The same shape and seed give the same script on every machine.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "property/script.h"

namespace awdit::property {

struct Shape {
  std::string_view name;
  int sessions = 3;  // at most
  int keys = 3;
  int max_ops = 4;  // per transaction, at least one
  // Chances in percent.
  int write = 50;      // an operation is a write
  int abort = 0;       // a transaction aborted
  int unknown = 0;     // a transaction's outcome is unknown
  int rewrite = 0;     // a write goes to a key the transaction wrote already
  int own_read = 0;    // a read goes to a key the transaction writes itself
  int thin_air = 0;    // a read returns what nobody wrote
  int duplicate = 0;   // a write repeats a value of the key
  int zero_write = 0;  // a write writes the initial value
  int chaos = 100;     // a read returns any write of the key; otherwise what a
                       // store would have said, see shapes.cpp
  int stale = 0;       // without chaos: a transaction reads an old snapshot
  int torn = 0;        // without chaos: one read uses a snapshot of its own
  // Of lists: every read returns what a store would have said, then perhaps
  // changed in a place or two; of the above, chaos means nothing.
  bool lists = false;
  int change = 0;      // in percent, again and again until it does not happen
  bool dirty = false;  // some aborted transactions stay in the store
  bool has_init = true;
  int share = 10;  // of all random histories, beside the others' shares
};

// How many of `histories` random ones are of this shape, at least one.
std::size_t share_of(const Shape& shape, std::size_t histories);

std::span<const Shape> shapes();

// Fills the reads of a script whose writes append; see list_shapes.cpp.
void fill_lists(const Shape& shape, Script& script, Random& random);

// Gives half of the histories times: about where the transactions stand.
void add_times(Script& script, Random& random);
// Takes the times, which are of one clock, for those of several machines whose
// clocks differ, and relates some of the clocks.
void divide_clocks(Script& script, Random& random);

// A history of `txns` transactions.
Script generate(const Shape& shape, int txns, Random& random);

}  // namespace awdit::property
