// What a history holds, in numbers, and what a clean verdict about it would be
// worth. Front door. See docs/stats.md.
//
// Cost: O(n log n) for the counts; the test power costs as much as deciding the
// levels on a history that is not serial.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "check/check.h"
#include "history/history.h"

namespace awdit {

// How a number is distributed.
struct Spread {
  std::uint64_t count = 0;  // of the things that have it
  std::uint64_t total = 0;
  // 0 if there are none.
  std::uint64_t least = 0;
  std::uint64_t median = 0;  // the lower one of two
  std::uint64_t most = 0;
  // [i] -> how many have it from 2^(i-1) to 2^i - 1; [0]: how many have 0.
  std::vector<std::uint64_t> buckets;
};
// The least and the largest number of a bucket.
std::uint64_t bucket_first(std::size_t bucket);
std::uint64_t bucket_last(std::size_t bucket);

// The earliest begin and the latest end that anybody noted.
struct TimeSpan {
  Clock clock = Clock::none;
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::uint64_t transactions = 0;  // that have a time
};

struct Stats {
  std::uint64_t committed = 0;  // transactions
  std::uint64_t aborted = 0;
  std::uint64_t unknown = 0;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  // Reads that returned the initial state.
  std::uint64_t initial_reads = 0;
  // Writes of a value that the key got before; aborted ones left out. If there
  // are any, reads cannot be attributed.
  std::uint64_t repeated_writes = 0;
  Spread txn_ops;                    // operations per transaction
  Spread key_ops;                    // operations per key
  Spread session_txns;               // transactions per session
  std::optional<Spread> list_sizes;  // elements per read, if of lists
  std::optional<TimeSpan> time;
  // An error if reads cannot be attributed.
  Result<Power> power = Power{};
};

Stats statistics(const History& history, unsigned threads);

// -- judging the test power ---------------------------------------------------

// How many chances make what. If none of n independent chances went wrong, then
// with 95 % confidence at most 3 in n do (the "rule of three").
enum class Judgement : std::uint8_t {
  none,  // no chance at all
  weak,  // fewer than 300: 1 in 100 may still go wrong
  fair,  // fewer than 30,000: 1 in 10,000 may
  strong,
};
Judgement judge(std::uint64_t chances);
std::string_view name(Judgement judgement);

// A row per kind of chance, weakest level first.
struct Chance {
  Kind kind;
  std::uint64_t Power::*count;
  std::string_view advice;  // what makes more of them: "Use ..."
};
std::span<const Chance> chances();

}  // namespace awdit
