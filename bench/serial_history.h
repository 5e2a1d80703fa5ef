// Makes serializable histories of any size, in Plume text.
//
// Transactions run one after the other in a global order, each in a random
// session; a read returns the latest value of its key (0 before the first
// write), a write stores a number that is used once. Every level holds on the
// result, unless a fractured read is planted.
//
// Cost: linear; about 5 million operations per second. The orders `time` and
// `interleaved` stream, `session` holds the whole text in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace awdit::bench {

// In which order the operations stand in the text. All of them mean the same
// history, up to the numbering of sessions.
enum class Order {
  time,         // as executed, transaction after transaction
  session,      // session after session
  interleaved,  // as recorded by concurrent clients: a few transactions of
                // different sessions are open at a time, lines mixed
};

struct Shape {
  std::uint64_t operations = 10'000'000;  // rounded up to whole transactions
  std::uint32_t sessions = 50;
  std::uint32_t operations_per_transaction = 8;
  std::uint32_t keys = 1'000'000;
  double theta = 0.99;      // skew of the keys' popularity
  double read_ratio = 0.5;  // probability that an operation is a read
  std::uint64_t seed = 1;
  bool values_per_key = false;  // count values 1, 2, ... for each key
  Order order = Order::time;
  // Plants one fractured read at nine tenths of the history: two transactions
  // of a session write the keys `keys` and `keys + 1`, and a transaction of
  // another session reads the second key from the first of them, then the first
  // key from the second. Read Committed still holds, Read Atomic does not.
  // REQUIRES: sessions >= 2.
  bool violate = false;
};

// Hands the text to `sink`, in pieces of about a megabyte.
void write_serial_history(const Shape& shape,
                          const std::function<void(std::string_view)>& sink);

}  // namespace awdit::bench
