// Histories made to order. Front door.
//
// Two families. A *serial run*: sessions take turns on one store, so that every
// level up to serializability holds in the order of the input; then gadgets may
// be planted in it, each a few transactions on keys of their own that break
// exactly what their row says (gadgets.cpp is the table). And the *reductions*
// of the paper's lower bounds: graphs as histories on which checking is as hard
// as it gets (reductions.cpp).
//
// Equal parameters give equal histories, on every machine and whatever the
// number of threads. Sessions, keys and transactions are numbered from 1; a
// write stores a number that no other write of the history stores; the initial
// value is 0, that of lists is nil.
// Cost: linear time; besides the history, 8 bytes per key.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// Which key an operation is about.
struct Distribution {
  enum class Kind : std::uint8_t {
    uniform,
    zipf,     // the k-th most popular key is chosen with weight 1 / k^theta
    hotspot,  // a share of the accesses goes to a share of the keys
  };
  Kind kind = Kind::uniform;
  double theta = 0.99;
  double hot_keys = 0.2;
  double hot_accesses = 0.8;
};

// -- what can be planted ------------------------------------------------------

struct Gadget {
  std::string_view name;  // where a check has a name for what it finds: that
  std::span<const std::string_view> aliases = {};
  std::string_view summary;
  // In the notation of history/text.h, which is also the order in which the
  // transactions are executed. With lists, a write appends and a read of a
  // value returns all that was written up to it.
  std::string_view script;
  // The weakest levels that the script breaks; "": no other one.
  std::array<std::string_view, 2> breaks;
};
std::span<const Gadget> gadgets();

// Whether the level is violated where it is planted, and nothing else.
bool breaks(const Gadget& gadget, const Level& level);

// How many sessions the gadget takes part in.
std::uint32_t sessions_of(const Gadget& gadget);
// Whether it makes sense in histories of lists only.
bool needs_lists(const Gadget& gadget);

// What is planted so that this is the strongest level that holds: what is
// typical of each of the next ones. None: nothing needs to be. Made histories
// have no times. REQUIRES: nor does the level need them.
std::vector<const Gadget*> gadgets_above(const Level& level);

// -- hard instances -----------------------------------------------------------

struct Graph {
  std::uint32_t nodes = 100;
  std::optional<std::uint64_t> edges;  // empty: half of the possible ones
  bool triangle = false;               // otherwise there is none
};

struct Reduction {
  std::string_view name;
  std::span<const std::string_view> aliases = {};
  std::string_view summary;
  bool edge_keys;  // readers touch each neighbour through a key of its own
  std::uint32_t sessions;  // 0: each transaction has its own
};
std::span<const Reduction> reductions();

// How many edges a triangle-free graph of our making can have.
std::uint64_t most_edges(std::uint32_t nodes);

// -- the order ----------------------------------------------------------------

struct Parameters {
  std::uint64_t seed = 1;

  // A serial run:
  std::uint32_t sessions = 10;
  std::uint64_t transactions = 1000;
  // If not 0: as many transactions as make this many operations, the last one
  // cut short if need be.
  std::uint64_t operations = 0;
  std::uint32_t min_txn_ops = 4;  // operations per transaction
  std::uint32_t max_txn_ops = 12;
  std::uint32_t keys = 100;
  double reads = 0.5;  // how likely an operation is a read
  Distribution distribution;
  // How likely a transaction aborts; that its outcome is not known. Of the
  // latter, half take effect.
  double aborted = 0;
  double unknown = 0;
  bool lists = false;
  // Of lists: a key that has this many elements is replaced by a fresh one.
  std::uint32_t list_length = 32;
  // The input has session after session, instead of transaction after
  // transaction as they were executed.
  bool by_session = false;
  std::vector<const Gadget*> plant;

  // Instead of a run:
  const Reduction* reduction = nullptr;
  Graph graph;
};

// What is wrong with the parameters: a message and perhaps a hint.
Outcome invalid(const Parameters& parameters);

// Fails where invalid() does, or if the history would exceed the model.
Result<History> generate(const Parameters& parameters, unsigned threads);

}  // namespace awdit
