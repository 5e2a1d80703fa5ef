// Extreme shapes, a million transactions each: long chains, wide stars, dense
// cliques. They finish, without recursion to overflow a stack and without
// quadratic memory, and the answer is right at every level.
//
// Checked builds use a smaller size; AWDIT_SHAPE_TXNS sets any.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include "base/table.h"
#include "check/check.h"
#include "history/builder.h"
#include "witness/witness.h"

namespace awdit {
namespace {

std::int64_t size() {
  if (const char* text = std::getenv("AWDIT_SHAPE_TXNS")) {
    return std::strtol(text, nullptr, 10);
  }
#ifdef AWDIT_CHECKED
  return 20'000;
#else
  return 1'000'000;
#endif
}

// A builder with one shard and names as short as the shapes below need them.
class Shape {
 public:
  explicit Shape(Atom initial_value = Atom::integer(0))
      : builder_({.initial_value = initial_value}) {}
  // Begins a transaction of the session.
  Shape& txn(std::int64_t session) {
    shard_.select(Atom::integer(session), ++label_);
    return *this;
  }
  Shape& r(std::int64_t key, std::int64_t value) {
    shard_.read(Atom::integer(key), Atom::integer(value));
    return *this;
  }
  Shape& w(std::int64_t key, std::int64_t value) {
    shard_.write(Atom::integer(key), Atom::integer(value));
    return *this;
  }
  Shape& append(std::int64_t key, std::int64_t element) {
    shard_.append(Atom::integer(key), Atom::integer(element));
    return *this;
  }
  // A list of the numbers [first, last), of which the places `a` and `b` are
  // exchanged.
  Shape& list(std::int64_t key, std::int64_t first, std::int64_t last,
              std::size_t a = 0, std::size_t b = 0) {
    elements_.clear();
    for (std::int64_t i = first; i < last; ++i) {
      elements_.push_back(Atom::integer(i));
    }
    if (a != b) std::swap(elements_[a], elements_[b]);
    shard_.read_list(Atom::integer(key), elements_);
    return *this;
  }
  History finish() {
    Result<History> history = builder_.finish(2);
    EXPECT_TRUE(history);
    return std::move(*history);
  }

 private:
  Builder builder_;
  Builder::Shard& shard_ = builder_.add_shard();
  std::int64_t label_ = 0;
  std::vector<Atom> elements_;
};

// `strongest`: levels that hold, with all that they imply, and no others.
// `kind`: what every other level has found, exactly once.
void expect_strongest(const History& history,
                      const std::vector<std::string_view>& strongest,
                      std::optional<Kind> kind = {}) {
  Options options;
  options.threads = 2;
  options.commit_order = true;
  const Result<Report> report =
      check(history, applicable_levels(history), options);
  ASSERT_TRUE(report) << report.error().message;
  for (const LevelReport& level : report->levels) {
    SCOPED_TRACE(level.level->name);
    const bool holds = std::any_of(
        strongest.begin(), strongest.end(), [&](std::string_view name) {
          return implies(*find_row(levels(), name), *level.level);
        });
    ASSERT_EQ(level.verdict, holds ? Verdict::holds : Verdict::violated);
    const LevelCheck checked = verify(history, level);
    EXPECT_TRUE(checked.accepted) << checked.objection;
    if (holds) continue;
    ASSERT_EQ(level.violations.size(), 1u);
    EXPECT_EQ(level.violations[0].kind, kind);
  }
}

// All that is weaker than causal.
const std::vector<std::string_view> kBelowCausal = {
    "read-atomic", "monotonic-reads", "monotonic-writes",
    "writes-follow-reads"};

TEST(Shapes, OneLongSession) {
  Shape shape;
  for (std::int64_t i = 1; i <= size(); ++i) {
    shape.txn(0).r(0, i - 1).w(0, i);
  }
  expect_strongest(shape.finish(), {"serializable"});
}

TEST(Shapes, OneLongSessionForgettingItsFirstWrite) {
  Shape shape;
  for (std::int64_t i = 1; i <= size(); ++i) shape.txn(0).w(0, i).w(i, 1);
  shape.txn(0).r(0, 1);
  // Which read-atomic and causal have, too, and nothing of their own.
  expect_strongest(shape.finish(),
                   {"read-committed", "monotonic-reads", "monotonic-writes",
                    "writes-follow-reads"},
                   Kind::read_your_writes_violation);
}

// Every transaction reads from one that the input mentions later only.
TEST(Shapes, ReversedChain) {
  Shape shape;
  for (std::int64_t i = 0; i + 1 < size(); ++i) {
    shape.txn(i).r(i + 1, 1).w(i, 1);
  }
  shape.txn(size() - 1).w(size() - 1, 1);
  expect_strongest(shape.finish(), {"serializable"});
}

TEST(Shapes, ReversedChainInFewSessions) {
  Shape shape;
  const std::int64_t block = size() / 10;
  for (std::int64_t session = 0; session < 10; ++session) {
    for (std::int64_t i = 0; i < block; ++i) {
      shape.txn(session);
      if (session < 9 && i == 0) shape.r((session + 1) * block + block - 1, 1);
      shape.w(session * block + i, 1);
    }
  }
  expect_strongest(shape.finish(), {"serializable"});
}

TEST(Shapes, Star) {
  Shape shape;
  shape.txn(0).w(0, 1).w(1, 1);
  for (std::int64_t i = 1; i <= size(); ++i) shape.txn(i).r(0, 1).r(1, 1);
  expect_strongest(shape.finish(), {"serializable"});
}

TEST(Shapes, StarInwards) {
  Shape shape;
  for (std::int64_t i = 1; i <= size(); ++i) shape.txn(i).w(i, 1).w(0, i);
  shape.txn(0);
  for (std::int64_t i = 2; i <= size(); ++i) shape.r(i, 1);
  expect_strongest(shape.finish(), {"serializable"});
}

TEST(Shapes, ReadModifyWriteChainOverManySessions) {
  Shape shape;
  for (std::int64_t i = 1; i <= size(); ++i) {
    shape.txn(i).r(0, i - 1).w(0, i);
  }
  expect_strongest(shape.finish(), {"serializable"});
}

TEST(Shapes, ReversedReadModifyWriteChainOverManySessions) {
  Shape shape;
  for (std::int64_t i = size(); i >= 1; --i) {
    shape.txn(i).r(0, i - 1).w(0, i);
  }
  expect_strongest(shape.finish(), {"serializable"});
}

// Each transaction reads from all before it.
TEST(Shapes, Clique) {
  const std::int64_t nodes = size() >= 1'000'000 ? 2000 : 200;
  Shape shape;
  for (std::int64_t i = 0; i < nodes; ++i) {
    shape.txn(i);
    for (std::int64_t j = 0; j < i; ++j) shape.r(j, 1);
    shape.w(i, 1);
  }
  expect_strongest(shape.finish(), {"serializable"});
}

TEST(Shapes, CausalityCycleThroughEverybody) {
  Shape shape;
  for (std::int64_t i = 0; i < size(); ++i) {
    shape.txn(i).r((i + 1) % size(), 1).w(i, 1);
  }
  expect_strongest(shape.finish(), {}, Kind::causality_cycle);
}

// A write is overwritten, the news travels through everybody, and the last one
// still reads the old value. A handful of sessions: with one for each
// transaction, n * k would be a matter of hours, hence the test below it.
TEST(Shapes, CausalViolationOverALongPath) {
  constexpr std::int64_t kSessions = 20;
  Shape shape;
  shape.txn(0).w(0, 1);
  shape.txn(0).w(0, 2).w(1, 1);
  const std::int64_t last = size();
  for (std::int64_t i = 1; i < last; ++i) {
    shape.txn(1 + i % kSessions).r(i, 1).w(i + 1, 1);
  }
  shape.txn(-1).r(last, 1).r(0, 1);
  expect_strongest(shape.finish(), kBelowCausal, Kind::causal_violation);
}

// Enough sessions that their clocks do not fit in memory at once.
TEST(Shapes, CausalViolationOverManySessions) {
  constexpr std::int64_t kLast = 20'000;
  Shape shape;
  shape.txn(0).w(0, 1);
  shape.txn(0).w(0, 2).w(1, 1);
  for (std::int64_t i = 1; i < kLast; ++i) shape.txn(i).r(i, 1).w(i + 1, 1);
  shape.txn(kLast).r(kLast, 1).r(0, 1);
  expect_strongest(shape.finish(), kBelowCausal, Kind::causal_violation);
}

// The last of so many transactions of a session is seen through another one,
// at the lengths where counting them needs one more byte.
TEST(Shapes, CausalViolationAfterALongSession) {
  for (std::int64_t length : {254, 255, 256, 257, 32766, 32767, 32768, 32769}) {
    SCOPED_TRACE(length);
    Shape shape;
    for (std::int64_t i = 1; i < length; ++i) shape.txn(0).w(0, i);
    shape.txn(0).w(0, length).w(1, 1);
    shape.txn(1).r(1, 1).w(2, 1);
    shape.txn(2).r(2, 1).w(3, 1);
    shape.txn(3).r(3, 1).r(0, length - 1);
    expect_strongest(shape.finish(), kBelowCausal, Kind::causal_violation);
  }
}

// Twenty appends to each of many keys, each followed by a read of all so far;
// the reader of the last key but one may have seen them in another order.
History many_lists(bool contradicting) {
  constexpr std::int64_t kSessions = 20, kAppends = 20;
  const std::int64_t keys = size() / kAppends / 2;
  Shape shape(Atom::nil());
  for (std::int64_t i = 0; i < kAppends; ++i) {
    for (std::int64_t key = 0; key < keys; ++key) {
      const std::int64_t session = (key + i) % kSessions;
      const bool wrong = contradicting && key == keys - 2 && i == 10;
      shape.txn(session).append(key, key + i);
      shape.txn(session).list(key, key, key + i + 1, 3, wrong ? 4 : 3);
    }
  }
  return shape.finish();
}

TEST(Shapes, ManyLists) {
  expect_strongest(many_lists(false), {"serializable"});
}

TEST(Shapes, ManyListsOneContradicting) {
  expect_strongest(many_lists(true), {}, Kind::incompatible_order);
}

// Each transaction reads the whole list and adds to it.
TEST(Shapes, OneLongList) {
  const std::int64_t length = size() >= 1'000'000 ? 10'000 : 1000;
  Shape shape(Atom::nil());
  for (std::int64_t i = 0; i < length; ++i) {
    shape.txn(i).list(0, 0, i).append(0, i);
  }
  expect_strongest(shape.finish(), {"serializable"});
}

// ... and the first element was made up, so that nobody read anything right.
TEST(Shapes, OneLongListFromThinAir) {
  const std::int64_t length = size() >= 1'000'000 ? 10'000 : 1000;
  Shape shape(Atom::nil());
  for (std::int64_t i = 1; i < length; ++i) {
    shape.txn(i).list(0, 0, i).append(0, i);
  }
  const History history = shape.finish();
  const Result<Report> report =
      check(history, applicable_levels(history), {.threads = 2});
  ASSERT_TRUE(report);
  for (const LevelReport& level : report->levels) {
    SCOPED_TRACE(level.level->name);
    EXPECT_EQ(level.violations.size(), static_cast<std::size_t>(length - 1));
    const LevelCheck checked = verify(history, level);
    EXPECT_TRUE(checked.accepted) << checked.objection;
  }
}

// Each reader sees half of a transaction: every one is a finding of its own.
TEST(Shapes, ManySeparateFracturedReads) {
  constexpr std::int64_t kSessions = 20;
  Shape shape;
  const std::int64_t pairs = size() / 3;
  for (std::int64_t i = 0; i < pairs; ++i) {
    const std::int64_t session = i % kSessions * 2;
    shape.txn(session).w(2 * i, 1);
    shape.txn(session).w(2 * i, 2).w(2 * i + 1, 1);
    shape.txn(session + 1).r(2 * i, 1).r(2 * i + 1, 1);
  }
  const History history = shape.finish();
  const Result<Report> report = check(history, applicable_levels(history), {});
  ASSERT_TRUE(report);
  for (const LevelReport& level : report->levels) {
    SCOPED_TRACE(level.level->name);
    const bool weak =
        !implies(*level.level, *find_row(levels(), "read-atomic"));
    EXPECT_EQ(level.violations.size(),
              weak ? 0u : static_cast<std::size_t>(pairs));
    if (weak) continue;
    const LevelCheck checked = verify(history, level);
    EXPECT_TRUE(checked.accepted) << checked.objection;
  }
}

}  // namespace
}  // namespace awdit
