#include "check/session_replay.h"

#include <algorithm>
#include <cstddef>

#include "base/array.h"
#include "base/budget.h"
#include "base/number_lists.h"
#include "base/parallel.h"

namespace awdit {
namespace {

class Replay {
 public:
  Replay(const Index& index, const NumberLists& before)
      : index_(index),
        before_(before),
        pace_(index.budget()),
        is_out_(index.history().num_txns(), 0),
        waiting_(index.history().num_txns(), kNoId),
        sessions_(index.history().num_sessions()) {}

  std::vector<std::uint32_t> run() {
    const History& history = index_.history();
    order_.reserve(index_.order().size());
    order_.push_back(history.init_txn().v);
    for (std::uint32_t s = 0; s < sessions_.size(); ++s) {
      sessions_[s].next = history.session_first_txn()[s];
      ready_.push_back(s);
    }
    for (std::size_t i = 0; i < ready_.size(); ++i) go_on(ready_[i]);
    if (order_.size() != index_.order().size()) order_.clear();
    return std::move(order_);
  }

 private:
  struct Session {
    std::uint32_t next;          // transaction
    std::uint32_t also = kNoId;  // another session that waits for the same
  };

  void go_on(std::uint32_t number) {
    Session& session = sessions_[number];
    const std::uint32_t end =
        index_.history().session_first_txn()[number + std::size_t{1}];
    for (; session.next != end; ++session.next) {
      const std::uint32_t txn = session.next;
      if (!index_.live(txn)) continue;
      const std::uint32_t first = first_missing(txn);
      if (first != kNoId) {
        session.also = waiting_[first];
        waiting_[first] = number;
        return;
      }
      order_.push_back(txn);
      is_out_[txn] = 1;
      for (std::uint32_t s = waiting_[txn]; s != kNoId;) {
        ready_.push_back(s);
        s = sessions_[s].also;
      }
    }
  }

  // What must come before it and is not out yet; kNoId: nothing.
  std::uint32_t first_missing(std::uint32_t txn) {
    const History::OpSpan ops = index_.history().txn_ops()[txn];
    const std::uint32_t* const sources = index_.sources().data();
    const std::uint32_t txns = index_.history().num_txns();
    pace_.step(1 + ops.size());
    for (std::uint32_t op = ops.begin; op < ops.end; ++op) {
      if (sources[op] < txns && is_out_[sources[op]] == 0) return sources[op];
    }
    for (const std::uint32_t earlier : before_[txn]) {
      if (is_out_[earlier] == 0) return earlier;
    }
    return kNoId;
  }

  const Index& index_;
  const NumberLists& before_;
  Pace pace_;
  Array<std::uint8_t> is_out_;        // [txn]
  Array<std::uint32_t> waiting_;      // [txn] -> a session that waits for it
  std::vector<Session> sessions_;     // [session]
  std::vector<std::uint32_t> ready_;  // sessions to be looked at, one by one
  std::vector<std::uint32_t> order_;
};

}  // namespace

std::vector<std::uint32_t> replay_sessions(const Index& index,
                                           const Inferences& inferences) {
  const std::uint32_t init = index.history().init_txn().v;
  NumberLists before(std::size_t{init} + 1, [&](auto&& add) {
    inferences.for_each([&](const Inference& it) { add(it.to, it.from); });
  });
  if (!before[init].empty()) return {};
  // Which worker has inferred what is chance; the order is not.
  constexpr std::size_t kParts = 64;
  parallel_for(kParts, index.threads(), [&](std::size_t part, unsigned) {
    const std::size_t end = init * (part + 1) / kParts;
    for (std::size_t txn = init * part / kParts; txn < end; ++txn) {
      std::sort(before.items.begin() + before.first[txn],
                before.items.begin() + before.first[txn + 1]);
    }
  });
  return Replay(index, before).run();
}

}  // namespace awdit
