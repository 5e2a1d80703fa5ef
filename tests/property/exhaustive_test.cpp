// Every history of a small scope. Bugs have small examples: what no history of
// three transactions and two keys shows is rarely wrong at all.
//
// Histories that differ only in the names of keys, values or sessions count
// once; so do those that differ only in how sessions are interleaved in the
// input (property/orbit.h), unless AWDIT_LONG is set. Checked builds
// (sanitizers, assertions) take a fixed part of them.
#include <gtest/gtest.h>

#include "property/judge.h"
#include "property/orbit.h"

namespace awdit::property {
namespace {

enum class Statuses { committed, one_other, any };

struct Scope {
  std::string_view name;
  int txns;     // exactly
  int max_ops;  // per transaction, at least one
  int keys;
  Statuses statuses;
  bool thin_air;
  int list = 0;              // reads return any lists of up to so many elements
  std::uint64_t stride = 1;  // every so many of them only, unless AWDIT_LONG
  bool timed = false;        // each transaction early, late, or both
};

constexpr Scope kScopes[] = {
    {"TwoTxnsTwoKeysAllStatuses", 2, 2, 2, Statuses::any, true},
    {"TwoTxnsThreeOpsOneKey", 2, 3, 1, Statuses::any, false},
    {"ThreeTxnsOneKey", 3, 2, 1, Statuses::one_other, false},
    {"ThreeTxnsTwoKeys", 3, 2, 2, Statuses::committed, false},
    {"FourTxnsOneOp", 4, 1, 2, Statuses::one_other, false},
    {"TwoTxnsTwoKeysTimed", 2, 2, 2, Statuses::committed, false, 0, 1, true},
    {"ThreeTxnsOneOpTimed", 3, 1, 2, Statuses::one_other, false, 0, 1, true},
    {"ListsOfTwoTxns", 2, 2, 1, Statuses::any, true, 2},
    {"ListsOfTwoTxnsTwoKeys", 2, 2, 2, Statuses::any, false, 2},
    {"ListsOfThreeTxns", 3, 2, 1, Statuses::committed, false, 2, 11},
    {"ListsOfFourTxnsOneOp", 4, 1, 1, Statuses::one_other, false, 2},
};

#ifdef AWDIT_CHECKED
constexpr std::uint64_t kPart = 23;
#else
constexpr std::uint64_t kPart = 1;
#endif

// Runs a function that makes choices through all its choices: a counter whose
// digits, and their number, are decided as it runs.
class Choices {
 public:
  int choose(int options) {
    if (at_ == digits_.size()) digits_.push_back({0, options});
    return digits_[at_++].value;
  }
  bool next() {
    at_ = 0;
    while (!digits_.empty() &&
           ++digits_.back().value == digits_.back().options) {
      digits_.pop_back();
    }
    return !digits_.empty();
  }

 private:
  struct Digit {
    int value;
    int options;
  };
  std::vector<Digit> digits_;
  std::size_t at_ = 0;
};

Script choose_script(const Scope& scope, Choices& choices) {
  Script script;
  script.lists = scope.list != 0;
  script.timed = scope.timed;
  int sessions = 0, keys = 0, others = 0;
  std::vector<std::int64_t> writes(static_cast<std::size_t>(scope.keys), 0);
  for (int t = 0; t < scope.txns; ++t) {
    ScriptTxn txn;
    // A session or key that is new is always the next one: names do not matter.
    txn.session = choices.choose(sessions + 1);
    sessions = std::max(sessions, txn.session + 1);
    if (scope.statuses == Statuses::any ||
        (scope.statuses == Statuses::one_other && others == 0)) {
      txn.status = Status(choices.choose(3));
      others += txn.status != Status::committed;
    }
    if (scope.timed) {
      constexpr History::Times kTimes[] = {{1, 2}, {3, 4}, {1, 4}};
      txn.times = kTimes[choices.choose(3)];
    }
    const int ops = 1 + choices.choose(scope.max_ops);
    for (int i = 0; i < ops; ++i) {
      ScriptOp op;
      op.write = choices.choose(2) == 1;
      op.key = choices.choose(std::min(keys + 1, scope.keys));
      keys = std::max(keys, op.key + 1);
      if (op.write) op.value = ++writes[static_cast<std::size_t>(op.key)];
      txn.ops.push_back(op);
    }
    script.txns.push_back(txn);
  }
  for (ScriptTxn& txn : script.txns) {
    for (ScriptOp& op : txn.ops) {
      if (op.write) continue;
      const auto newest =
          static_cast<int>(writes[static_cast<std::size_t>(op.key)]);
      if (!script.lists) {
        op.value = choices.choose(newest + (scope.thin_air ? 2 : 1));
        continue;
      }
      // 0 ends the list.
      for (int i = 0; i < scope.list; ++i) {
        const int element = choices.choose(newest + (scope.thin_air ? 2 : 1));
        if (element == 0) break;
        op.list.push_back(element);
      }
    }
  }
  return script;
}

class AllHistories : public ::testing::TestWithParam<Scope> {};

TEST_P(AllHistories, AgreeWithTheOracles) {
  const bool all = takes_long();
  const std::uint64_t stride = all ? 1 : GetParam().stride;
  Choices choices;
  std::uint64_t number = 0, seen = 0, told = 0, chosen = 0, judged = 0;
  do {
    const Script script = choose_script(GetParam(), choices);
    if (number++ % kPart != 0) continue;
    ++seen;
    const Orbit orbit = orbit_of(script);
    if (orbit.chosen) told += orbit.size;
    if (!orbit.chosen && !all) continue;
    if (chosen++ % stride != 0) continue;
    const std::uint64_t turn = judged++;
    const Scrutiny scrutiny{.brute_force = true,
                            .forgeries = turn % 3 == 0,
                            .certificate = turn % 5 == 0,
                            .renaming = turn % 7 == 0,
                            .options = turn % 31 == 0,
                            .core = turn % 11 == 0};
    const std::optional<std::string> wrong =
        explained_complaint(script, scrutiny, number);
    ASSERT_FALSE(wrong) << "history " << number << ", " << *wrong;
  } while (choices.next());
  RecordProperty("histories", static_cast<int>(judged));
  EXPECT_GT(number, 1000u);
  // Nothing was left out but other ways to tell what was chosen.
  if (kPart == 1) {
    EXPECT_EQ(told, seen);
  }
}

std::string name_of(const ::testing::TestParamInfo<Scope>& parameter) {
  return std::string(parameter.param.name);
}

INSTANTIATE_TEST_SUITE_P(Scopes, AllHistories, ::testing::ValuesIn(kScopes),
                         name_of);

}  // namespace
}  // namespace awdit::property
