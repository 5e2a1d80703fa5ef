// What is known of single transactions besides their operations: times, nodes,
// metadata, lines, and whose clock the times are of. Columns exist only where
// somebody said something.
#include <algorithm>
#include <utility>

#include "history/builder_state.h"

namespace awdit {

void Builder::State::move_notes(History& history) {
  history.clock_ = options.clock;
  const auto move_times = [&](auto list, Array<History::Times>& column) {
    for (std::size_t s = 0; s < shards.size(); ++s) {
      for (const Shard::TimesOf& entry : shards[s].*list) {
        if (column.empty()) {
          column = Array<History::Times>(history.txns_, {kNoTime, kNoTime});
        }
        column[placed[s][entry.segment].txn] = entry.times;
      }
      shards[s].*list = {};
    }
  };
  move_times(&Shard::times_, history.txn_times_);
  move_times(&Shard::ticks_, history.txn_ticks_);
  const auto move_notes = [&](auto list, Array<std::uint32_t>& column,
                              bool are_lines) {
    std::uint64_t base = are_lines ? 1 : 0;
    for (std::size_t s = 0; s < shards.size(); ++s) {
      for (const Shard::NoteOf& entry : shards[s].*list) {
        if (column.empty()) {
          column = Array<std::uint32_t>(history.txns_, are_lines ? 0 : kNoId);
        }
        const Placed& where = placed[s][entry.segment];
        if (are_lines && !where.opens) continue;
        column[where.txn] = static_cast<std::uint32_t>(base + entry.note);
      }
      shards[s].*list = {};
      if (are_lines) base += shards[s].lines;
    }
  };
  move_notes(&Shard::nodes_, history.txn_node_, false);
  move_notes(&Shard::metas_, history.txn_meta_, false);
  if (options.has_txn_lines) {
    move_notes(&Shard::txn_lines_, history.txn_line_, true);
  }
}

Outcome Builder::State::move_clock_domains(History& history) {
  const bool named = std::any_of(shards.begin(), shards.end(), [](auto& shard) {
    return shard.domain_ || !shard.domains_.empty();
  });
  if (!named && clock_relations.empty()) return std::nullopt;
  DomainColumn column(history.txns_, history.strings_);
  for (std::size_t s = 0; s < shards.size(); ++s) {
    const Shard& shard = shards[s];
    auto own = shard.domains_.begin();
    for (std::uint32_t i = 0; i < placed[s].size(); ++i) {
      const bool has_own = own != shard.domains_.end() && own->segment == i;
      if (placed[s][i].opens) {
        column.set(placed[s][i].txn,
                   has_own ? own->note
                           : shard.domain_.value_or(DomainColumn::kNobody));
      }
      if (has_own) ++own;
    }
  }
  for (const ClockRelation& relation : clock_relations) column.relate(relation);
  if (Outcome failed = column.finish(history.domains_, history.txn_domain_)) {
    return failed;
  }
  // A history that was made of another may have the sentence already.
  std::vector<std::string>& known = history.warnings_;
  if (std::optional<std::string> sentence = unrelated_clocks(history);
      sentence &&
      std::find(known.begin(), known.end(), *sentence) == known.end()) {
    known.push_back(std::move(*sentence));
  }
  return std::nullopt;
}

}  // namespace awdit
