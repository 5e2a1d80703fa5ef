// Steps 1 to 3 of builder.cpp: sessions, transactions and their order.
//
// Segments of one session and label are one transaction, whichever shard saw
// them. All of this is per segment, never per operation.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/parallel.h"
#include "history/builder_state.h"
#include "history/text_merge.h"

namespace awdit {

// Shards that named texts by themselves get the builder's names for them, in
// the order of the input; its own come first.
Texts Builder::State::name_texts(unsigned threads) {
  std::vector<const TextTable*> tables{&texts};
  for (const Shard& shard : shards) tables.push_back(&shard.texts_);
  MergedTexts merged = merge_texts(tables, threads);
  parallel_for(shards.size(), threads, [&](std::size_t s, unsigned) {
    if (shards[s].texts_.size() == 0) return;
    shards[s].rename_texts(merged.numbers_of(s + 1));
    shards[s].texts_ = {};
  });
  return std::move(merged.texts);
}

void Builder::State::merge_sessions() {
  FlatIndex index;
  session_of.resize(shards.size());
  for (std::size_t s = 0; s < shards.size(); ++s) {
    for (const Shard::Session& session : shards[s].sessions_) {
      const auto fresh = static_cast<std::uint32_t>(sessions.size());
      const std::uint32_t number = index.find_or_insert(
          Shard::hash_of(session.label), fresh,
          [&](std::uint32_t item) { return sessions[item] == session.label; });
      if (number == fresh) sessions.push_back(session.label);
      session_of[s].push_back(number);
    }
  }
}

void Builder::State::place_segments(History& history, unsigned threads) {
  const std::size_t num_sessions = sessions.size();
  // [session] -> its segments, in input order, as (shard, segment).
  struct Ref {
    std::uint32_t shard;
    std::uint32_t segment;
  };
  std::vector<std::size_t> first(num_sessions + 1, 0);
  for (std::size_t s = 0; s < shards.size(); ++s) {
    for (const Shard::Segment& segment : shards[s].segments_) {
      ++first[session_of[s][segment.session] + 1];
    }
    placed.emplace_back(shards[s].segments_.size());
  }
  for (std::size_t s = 0; s < num_sessions; ++s) first[s + 1] += first[s];
  const std::size_t num_segments = first[num_sessions];
  Array<Ref> refs(num_segments);
  {
    std::vector<std::size_t> cursor(first.begin(), first.end() - 1);
    for (std::size_t s = 0; s < shards.size(); ++s) {
      const auto& segments = shards[s].segments_;
      for (std::size_t i = 0; i < segments.size(); ++i) {
        refs[cursor[session_of[s][segments[i].session]]++] = {
            static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(i)};
      }
    }
  }

  // Per session: join segments of equal label. Labels mostly ascend, and one
  // above all before it is certainly new; only others are looked up.
  struct Txn {
    std::int64_t label;
    std::uint32_t ops;
    Status status;
  };
  Array<Txn> found(num_segments);  // at first[session] + position
  std::vector<std::uint32_t> count(num_sessions, 0);
  const auto join_session = [&](std::size_t session) {
    FlatIndex by_label;
    std::size_t indexed = 0;
    Txn* txns = found.data() + first[session];
    std::uint32_t txn_count = 0;
    std::int64_t highest = std::numeric_limits<std::int64_t>::min();
    const auto lookup = [&](std::int64_t label) {
      const auto same = [&](std::uint32_t i) { return txns[i].label == label; };
      for (; indexed < txn_count; ++indexed) {
        const std::int64_t other = txns[indexed].label;
        by_label.find_or_insert(
            mix64(static_cast<std::uint64_t>(other)),
            static_cast<std::uint32_t>(indexed),
            [&](std::uint32_t i) { return txns[i].label == other; });
      }
      return by_label.find(mix64(static_cast<std::uint64_t>(label)), same);
    };
    for (std::size_t r = first[session]; r < first[session + 1]; ++r) {
      const Ref ref = refs[r];
      // The segments of a session lie far apart: ask for later ones early.
      constexpr std::size_t kAhead = 8;
      if (r + kAhead < first[session + 1]) {
        const Ref later = refs[r + kAhead];
        __builtin_prefetch(&shards[later.shard].segments_[later.segment]);
        __builtin_prefetch(&placed[later.shard][later.segment], 1);
      }
      const Shard::Segment& segment = shards[ref.shard].segments_[ref.segment];
      std::uint32_t txn = FlatIndex::kAbsent;
      if (txn_count != 0 && segment.label <= highest) {
        txn = lookup(segment.label);
      }
      const bool opens = txn == FlatIndex::kAbsent;
      if (opens) {
        txn = txn_count++;
        txns[txn] = {segment.label, 0, Status(segment.status)};
        highest = std::max(highest, segment.label);
      }
      placed[ref.shard][ref.segment] = {txn, txns[txn].ops, opens};
      txns[txn].ops += segment.ops;
    }
    count[session] = txn_count;
  };
  parallel_for(num_sessions, threads,
               [&](std::size_t session, unsigned) { join_session(session); });

  // Prefix sums turn positions into ids.
  history.sessions_ = static_cast<std::uint32_t>(num_sessions);
  history.session_first_txn_ = Array<std::uint32_t>(num_sessions + 1);
  history.session_bits_ = Array<std::uint64_t>(num_sessions);
  history.session_kind_ = Array<std::uint8_t>(num_sessions);
  std::uint32_t txns = 0;
  for (std::size_t s = 0; s < num_sessions; ++s) {
    history.session_first_txn_[s] = txns;
    history.session_bits_[s] = sessions[s].bits;
    history.session_kind_[s] = static_cast<std::uint8_t>(sessions[s].kind);
    txns += count[s];
  }
  history.session_first_txn_[num_sessions] = txns;
  history.txns_ = txns;
  history.txn_ops_ = Array<History::OpSpan>(txns);
  history.txn_session_ = Array<std::uint32_t>(txns);
  history.txn_status_ = Array<std::uint8_t>(txns);
  history.txn_label_ = Array<std::int64_t>(txns);
  std::uint32_t ops = 0;
  std::uint32_t txn = 0;
  for (std::size_t s = 0; s < num_sessions; ++s) {
    for (std::uint32_t i = 0; i < count[s]; ++i, ++txn) {
      const Txn& entry = found[first[s] + i];
      history.txn_ops_[txn] = {0, entry.ops};  // placed with the input order
      history.txn_session_[txn] = static_cast<std::uint32_t>(s);
      history.txn_status_[txn] = static_cast<std::uint8_t>(entry.status);
      history.txn_label_[txn] = entry.label;
      history.has_unknown_ |= entry.status == Status::unknown;
      ops += entry.ops;
    }
  }
  history.ops_ = ops;
  for (std::size_t s = 0; s < shards.size(); ++s) {
    for (std::size_t i = 0; i < placed[s].size(); ++i) {
      const auto session = session_of[s][shards[s].segments_[i].session];
      placed[s][i].txn += history.session_first_txn_[session];
    }
  }
}

// Ids used by several sessions still identify transactions, together with the
// session; but a person should know, and short names must not use them.
void Builder::State::note_shared_labels(History& history) {
  history.labels_unique_ = options.labels_are_ids;
  if (!options.labels_are_ids) {
    history.txn_label_.reset();
    return;
  }
  if (history.txns_ == 0) return;
  const auto [low, high] =
      std::minmax_element(history.txn_label_.begin(), history.txn_label_.end());
  std::int64_t least = *low;
  if (least == kNoTxnLabel) {  // nameless ones have no label to share
    least = *high;
    for (const std::int64_t label : history.txn_label_) {
      if (label != kNoTxnLabel) least = std::min(least, label);
    }
  }
  const std::uint64_t range =
      static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(least);
  std::size_t shared = 0;
  std::pair<std::uint32_t, std::uint32_t> example{};
  const auto note = [&](std::uint32_t a, std::uint32_t b) {
    if (shared++ == 0) example = {a, b};
  };
  if (range < 16 * std::uint64_t{history.txns_} + 64) {
    Array<std::uint32_t> user(range + 1, kNoId);
    for (std::uint32_t t = 0; t < history.txns_; ++t) {
      const std::int64_t label = history.txn_label_[t];
      if (label == kNoTxnLabel) continue;
      std::uint32_t& slot = user[static_cast<std::uint64_t>(label) -
                                 static_cast<std::uint64_t>(least)];
      if (slot != kNoId) note(slot, t);
      slot = t;
    }
  } else {
    std::vector<std::pair<std::int64_t, std::uint32_t>> labels;
    labels.reserve(history.txns_);
    for (std::uint32_t t = 0; t < history.txns_; ++t) {
      if (history.txn_label_[t] != kNoTxnLabel) {
        labels.emplace_back(history.txn_label_[t], t);
      }
    }
    std::sort(labels.begin(), labels.end());
    for (std::size_t i = 1; i < labels.size(); ++i) {
      if (labels[i].first == labels[i - 1].first) {
        note(labels[i - 1].second, labels[i].second);
      }
    }
  }
  if (shared == 0) return;
  history.labels_unique_ = false;
  history.warnings_.push_back(fmt::format(
      "transaction id {} is used by sessions {} and {}{}; they are taken as "
      "different transactions, named by session and position.",
      history.txn_label_[example.first],
      history.session_label(history.session(TxnId(example.first))),
      history.session_label(history.session(TxnId(example.second))),
      shared == 1   ? ""
      : shared == 2 ? " (and one more id likewise)"
                    : fmt::format(" (and {} more ids likewise)", shared - 1)));
}

void Builder::State::order_by_appearance(History& history) {
  history.input_order_ = Array<std::uint32_t>(history.txns_);
  std::uint32_t rank = 0;
  for (const Array<Placed>& segments : placed) {
    for (const Placed& segment : segments) {
      if (segment.opens) history.input_order_[rank++] = segment.txn;
    }
  }
  std::uint32_t ops = 0;
  for (const std::uint32_t txn : history.input_order_) {
    History::OpSpan& span = history.txn_ops_[txn];
    span = {ops, ops + span.end};
    ops = span.end;
  }
}

}  // namespace awdit
