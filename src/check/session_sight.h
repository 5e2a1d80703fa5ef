// What sessions have seen: for each key, the writers of it among those that the
// transactions of a session read from. Private to check/.
//
// Idea: a session is walked once, from its first transaction on, and everybody
// it reads from is entered under the keys in question that he writes, the first
// time. At some transactions somebody is held against what has been entered so
// far: each t2 of a key that he reads from another one, t1, must come before
// t1.
//
// In the first pass the newest of the writers of a key in the guessed order
// says whether there is a contradiction, and how far it reaches. In the second
// all inside the windows count, because nothing says how they follow each
// other. Where they are few, each is an inference. Where they are many, that
// would be quadratic in the versions of a busy key; so the list of a key is
// covered by hubs (check/commit_graph.h) for pairs, fours, eights ... of
// neighbours, made when they are needed, and a range of the list is some hubs:
// what comes before t1 in the list, and what comes behind it.
//
// Cost: O(n * k) for n operations and k sessions to enter everybody, and a
// question for each read of those who ask: O(1) in the first pass, in the
// second O(log n) edges. 4 bytes for each key and each write of one in
// question; per thread 20 for each of these keys and 4 for each transaction.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "check/commit_graph.h"
#include "check/index.h"
#include "check/op_finder.h"

namespace awdit {

// Who is held against what a session has seen.
struct Question {
  std::uint32_t at;  // a transaction of the session
  std::uint32_t reader;
  friend auto operator<=>(const Question&, const Question&) = default;
};

enum class Sight : std::uint8_t {
  before,  // what those before `at` read from
  up_to,   // that, and what `at` itself read from
};

// `found` has all questions that the pass of `inferences` wants, by worker, in
// whatever order.
void infer_from_sight(const Index& index, Inferences& inferences, Sight sight,
                      std::vector<std::vector<Question>> found);

// The last transaction of a session up to `last`, that read from `source`.
// Returns kNoId if there is none. Cost: that of the way back to it.
std::uint32_t last_reader_of(const Index& index, OpFinder& finder,
                             std::uint32_t source, std::uint32_t last);

}  // namespace awdit
