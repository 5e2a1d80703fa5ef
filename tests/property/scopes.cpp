#include "property/scopes.h"

#include <algorithm>

namespace awdit::property {
namespace {

constexpr Scope kScopes[] = {
    {"TwoTxnsTwoKeysAllStatuses", 2, 2, 2, Statuses::any, true},
    {"TwoTxnsThreeOpsOneKey", 2, 3, 1, Statuses::any, false},
    {"ThreeTxnsOneKey", 3, 2, 1, Statuses::one_other, false, 0, 2},
    {"ThreeTxnsTwoKeys", 3, 2, 2, Statuses::committed, false, 0, 5},
    {"FourTxnsOneOp", 4, 1, 2, Statuses::one_other, false},
    {"TwoTxnsTwoKeysTimed", 2, 2, 2, Statuses::committed, false, 0, 1, true},
    {"ThreeTxnsOneOpTimed", 3, 1, 2, Statuses::one_other, false, 0, 1, true},
    {"ListsOfTwoTxns", 2, 2, 1, Statuses::any, true, 2, 2},
    {"ListsOfTwoTxnsTwoKeys", 2, 2, 2, Statuses::any, false, 2},
    {"ListsOfThreeTxns", 3, 2, 1, Statuses::committed, false, 2, 41},
    {"ListsOfFourTxnsOneOp", 4, 1, 1, Statuses::one_other, false, 2},
    // With own appends above and below reads, and several of them.
    {"ListsOfOneTxn", 1, 4, 1, Statuses::committed, true, 3},
    {"ListsOfTwoTxnsThreeOps", 2, 3, 1, Statuses::committed, false, 3, 31,
     false, true},
    {"ListsOfThreeTxnsTwoKeys", 3, 2, 2, Statuses::committed, false, 3, 197,
     false, true},
    {"ListsOfTwoTxnsTimed", 2, 2, 1, Statuses::one_other, false, 2, 5, true,
     true},
};

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
        // The number of an element among those that may still come.
        const int used = scope.distinct ? i : 0;
        int element = choices.choose(newest - used + (scope.thin_air ? 2 : 1));
        if (element == 0) break;
        for (std::int64_t smaller = 1; used != 0 && smaller <= element;
             ++smaller) {
          element += std::count(op.list.begin(), op.list.end(), smaller) != 0;
        }
        op.list.push_back(element);
      }
    }
  }
  return script;
}

}  // namespace

std::span<const Scope> scopes() { return kScopes; }

std::uint64_t for_all_histories(
    const Scope& scope, std::uint64_t part,
    const std::function<bool(const Script&, std::uint64_t number)>& visit) {
  Choices choices;
  std::uint64_t number = 0;
  do {
    const Script script = choose_script(scope, choices);
    if (number++ % part != 0) continue;
    if (!visit(script, number)) break;
  } while (choices.next());
  return number;
}

}  // namespace awdit::property
