// The operations a violation rests on. Part of tell/tell.h.
//
// A transaction may have a million operations and a violation be about three
// of them; every report shows those, so they are gathered here once. Cost is
// that of the evidence, never that of the transactions it points into.
#pragma once

#include <cstdint>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// Who wrote what a read returned, as far as the evidence says.
enum class Source : std::uint8_t {
  unsaid,  // a write, or a read whose writer plays no part
  nobody,  // no transaction wrote it
  txn,     // Exhibit::from, possibly init
};

struct Exhibit {
  OpId op;
  Source source = Source::unsaid;
  TxnId from = TxnId();
  // Of a list: the place of the element that it is about, if it is about one.
  std::uint32_t element = kNoId;
};

// Every operation the evidence names, once, in ascending order.
std::vector<Exhibit> exhibits_of(const History& history,
                                 const Violation& violation);

// The part of `exhibits` that belongs to `txn`.
std::vector<Exhibit> exhibits_in(const History& history, TxnId txn,
                                 const std::vector<Exhibit>& exhibits);

// The keys that the commit-order argument is about, each once; for a read
// finding the key read.
std::vector<KeyId> keys_of(const History& history, const Violation& violation);

}  // namespace awdit
