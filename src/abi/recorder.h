// Histories made by calls: what a builder and its sessions hold. Private to
// abi/.
//
// Idea: how a transaction ended is known last, but history/builder.h wants it
// first, and wants transactions one behind the other. So a session keeps the
// open one to itself, without a lock, and hands it over when it ends, under the
// builder's: once per transaction. Sessions may be used by different threads,
// and the order of the input is that in which transactions ended, which is a
// good first guess at the commit order.
// Texts stay in the session until then, too, as the builder names them.
// Small histories are held back as they are: a builder that is told of much
// room leaves operations where they are, but takes pages that a few do not
// deserve.
//
// Cost: some ten nanoseconds per operation, of which a third is the call.
// Invariant: `broken` is set at the first rule that a caller breaks, and
// nothing is added afterwards.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "abi/failure.h"
#include "history/builder.h"

namespace awdit::abi {

// A key or a value of an open transaction; of kind string: `bits` is where its
// `size` bytes begin in Open::texts.
struct Kept {
  std::uint64_t bits;
  std::uint32_t size;
  Atom::Kind kind;
};

// The transaction that a session is in.
struct Open {
  // There are many: 32 bytes. Of a read_list, value_bits are how many elements.
  struct Op {
    std::uint64_t key_bits, value_bits;
    std::uint32_t key_size, value_size;
    Atom::Kind key_kind, value_kind;
    OpKind kind;

    Op(OpKind what, const Kept& key, const Kept& value)
        : key_bits(key.bits),
          value_bits(value.bits),
          key_size(key.size),
          value_size(value.size),
          key_kind(key.kind),
          value_kind(value.kind),
          kind(what) {}
    Kept key() const { return {key_bits, key_size, key_kind}; }
    Kept value() const { return {value_bits, value_size, value_kind}; }
  };
  std::int64_t id = AWDIT_NO_ID;
  bool plain = true;  // nothing but integers, read and written
  std::vector<Op> ops;
  std::vector<Kept> elements;  // of all lists, one behind the other
  std::string texts;
  std::optional<History::Times> times, ticks;
  std::optional<Kept> domain, node, note;

  void clear();
};

// Hands over what was held back. REQUIRES: the builder is locked.
void let_go(awdit_builder& builder);

// Ends the transaction that it is in, if it is in one, as one of unknown
// outcome.
void end_open(awdit_session& session);

}  // namespace awdit::abi

struct awdit_session {
  awdit_builder* builder;
  awdit::abi::Kept name;  // its texts are those of the builder
  bool open = false;
  bool lists = false, registers = false;  // what it was used for
  awdit::abi::Open txn;
  std::unordered_set<std::int64_t> ids;
};

namespace awdit::abi {

// A transaction that is held back.
struct Ended {
  const awdit_session* session;
  Status status;
  Open txn;
};

}  // namespace awdit::abi

struct awdit_builder {
  awdit_builder() : builder({.initial_value = awdit::Atom::nil()}) {}

  std::mutex mutex;  // of all below
  awdit::Builder builder;
  awdit::Builder::Shard& shard = builder.add_shard();
  std::deque<awdit_session> sessions;
  std::map<awdit::Atom, awdit_session*> sessions_by_name;
  std::optional<awdit::abi::Failure> broken;
  std::optional<bool> have_ids;  // of the first transaction
  bool lists = false, registers = false, timed = false, about = false;
  bool initial_is_nil = true;
  awdit::Clock clock = awdit::Clock::nanoseconds;
  std::int64_t txns = 0;
  std::vector<awdit::abi::Ended> held_back;
  std::size_t held_ops = 0;
  bool flows = false;  // nothing is held back any more
  // Read without the lock, to refuse what comes too late.
  std::atomic<bool> finished{false};
  // Something was lost.
  std::atomic<bool> out_of_memory{false};

  // Remembers the first rule that was broken; returns AWDIT_MISUSE.
  awdit_status breaks(awdit::abi::Failure failure);
};
