// Parallel Snapshot Isolation against a commit order, which is also the order
// of versions: a stale read of x by t3 from t1 is in order iff no version of x
// after t1 reaches t3 through sessions, reads and versions.
//
// A later version is reached from the one directly after t1, because the order
// of versions counts here: it is enough to ask about that one. Everything on
// the way comes later in the commit order, so that reads which are not stale
// need not be asked about. Answers come from the tables of visibility.h.
//
// Cost: O(n log n) besides those tables; nothing if no read is stale.
#include <algorithm>
#include <vector>

#include "witness/axioms.h"
#include "witness/key_lists.h"

namespace awdit {
namespace {

struct Question {
  OpId read;
  std::uint32_t seen;    // the place of the version after the one read
  std::uint32_t reader;  // the reader's place
};

// For each place, those whose versions it replaces.
Overwritten overwritten_by(const History& history, const Replay& replay) {
  Overwritten result;
  result.first = Array<std::uint32_t>(replay.order.size() + 1, 0);
  Array<std::uint32_t> newest(history.num_keys(), kNoId);
  for (std::size_t i = 0; i < replay.order.size(); ++i) {
    const TxnId txn = replay.order[i];
    const std::size_t first = result.writers.size();
    for (const OpId op : history.ops(txn)) {
      if (!history.is_write(op)) continue;
      const std::uint32_t before = newest[history.key(op).v];
      newest[history.key(op).v] = txn.v;
      if (before == kNoId || before == txn.v) continue;
      // Neighbouring keys are often written together.
      if (result.writers.size() > first && result.writers.back() == before) {
        continue;
      }
      result.writers.push_back(before);
    }
    result.first[i + 1] = static_cast<std::uint32_t>(result.writers.size());
  }
  return result;
}

std::vector<Question> questions(const History& history,
                                const Attribution& attribution,
                                const Replay& replay) {
  const KeyLists lists(history, attribution);
  std::vector<OpId> reads = replay.stale;
  std::ranges::sort(
      reads, {}, [&](OpId read) { return std::pair(history.key(read), read); });
  std::vector<Question> result;
  std::vector<std::uint32_t> versions;
  KeyId current;
  for (const OpId read : reads) {
    if (history.key(read) != current) {
      current = history.key(read);
      versions.clear();
      for (const std::uint32_t writer : lists.writers_of(current)) {
        versions.push_back(replay.place[writer]);
      }
      std::ranges::sort(versions);
    }
    const std::uint32_t writer =
        replay.place[attribution.writer(history, read.v).v];
    // A stale read has a later version before the reader.
    result.push_back({read, *std::ranges::upper_bound(versions, writer),
                      replay.place[attribution.op_txn[read.v]]});
  }
  return result;
}

}  // namespace

std::string breach_of_parallel(const History& history,
                               const Attribution& attribution,
                               const Replay& replay,
                               const VisibilityLimits& limits) {
  if (replay.stale.empty()) return "";
  const Overwritten overwritten = overwritten_by(history, replay);
  Visibility visibility(history, attribution, replay, limits, &overwritten);
  std::vector<Question> asked = questions(history, attribution, replay);
  for (const Question& question : asked) {
    visibility.ask(question.seen, question.reader);
  }
  // In the order of the blocks that answer.
  visibility.prepare();
  std::ranges::sort(asked, {}, [&](const Question& it) {
    return std::pair(visibility.column_of(it.seen), it.read);
  });
  auto next = asked.begin();
  while (visibility.next_block()) {
    Visibility::Cell cell{};
    for (; next != asked.end() && visibility.locate(next->seen, cell); ++next) {
      if (visibility.row(next->reader)[cell.column] >= cell.rank) {
        return describe_breach(history, attribution, next->read,
                               replay.order[next->seen - 1]);
      }
    }
  }
  return "";
}

}  // namespace awdit
