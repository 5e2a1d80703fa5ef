// Serializability against a commit order: every read returns the newest version
// of the replay, and (strict) nobody comes before one who had ended before he
// began. Cost: linear; with real time O(n log n).
#include <fmt/format.h>

#include <algorithm>

#include "witness/axioms.h"
#include "witness/phrases.h"

namespace awdit {
namespace {

// The last of those that write the key up to that place.
TxnId newest_writer(const History& history, const Attribution& attribution,
                    const Replay& replay, KeyId key, std::uint32_t up_to) {
  std::uint32_t newest = 0;
  for (const std::uint32_t op : attribution.ops_on(key)) {
    const std::uint32_t place = replay.place[attribution.op_txn[op]];
    if (history.is_write(OpId(op)) && place <= up_to) {
      newest = std::max(newest, place);
    }
  }
  return newest == 0 ? history.init_txn() : replay.order[newest - 1];
}

}  // namespace

std::string breach_of_serial(const History& history,
                             const Attribution& attribution, const Level& level,
                             const Replay& replay) {
  if (!replay.stale.empty()) {
    const OpId read = replay.stale.front();
    const TxnId reader(attribution.op_txn[read.v]);
    const TxnId newest =
        newest_writer(history, attribution, replay, history.key(read),
                      replay.place[reader.v] - 1);
    return fmt::format(
        "{}, but the commit order puts {}, which also wrote {}, between them",
        describe_read(history, read, attribution.writer(history, read.v)),
        history.txn_name(newest), history.key_label(history.key(read)));
  }
  if (!level.real_time) return "";
  const Array<std::uint32_t> before = last_ended_before(history, replay);
  for (std::uint32_t i = 0; i < replay.order.size(); ++i) {
    if (before[i] <= i) continue;
    return fmt::format(
        "the commit order puts {} before {}, which had ended before it began",
        history.txn_name(replay.order[i]),
        history.txn_name(replay.order[before[i] - 1]));
  }
  return "";
}

}  // namespace awdit
