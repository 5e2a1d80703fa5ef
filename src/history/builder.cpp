// From shards to columns.
//
// Idea: a shard knows its transactions as *segments*: the operations of one
// transaction that the shard saw. Everything per transaction is done on
// segments, which are far fewer than operations; the operations are touched
// twice only, once to collect the keys and once to move them to their place.
//
//   1. sessions of all shards -> dense numbers, by first appearance
//   2. per session, its segments in input order -> transactions
//   3. prefix sums: first transaction of a session; operations by input order
//   4. keys -> dense numbers, by label (history/key_table)
//   5. each shard moves its operations to their final place; where that is the
//      order in which they lie, only the gaps between shards are closed, which
//      saves a third of the memory
//
// Steps 2 and 5 run in parallel over sessions and shards. Every number depends
// only on the input's order, never on shard borders or threads.
#include "history/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <limits>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "history/domain_column.h"
#include "history/key_table.h"

namespace awdit {
namespace {

Error too_large(std::string_view what) {
  return Error{.where = "",
               .message = fmt::format("the history has too many {}", what),
               .excerpt = "",
               .hint = "Split the recording and check the parts one by one."};
}

}  // namespace

// What the history has for an operation: key * 2 + is_write.
std::uint32_t Builder::Shard::word(std::size_t op, const KeyTable& keys) const {
  const auto kind =
      key_kinds_.empty() ? Atom::Kind::integer : Atom::Kind(key_kinds_[op]);
  const auto is_write =
      static_cast<std::uint32_t>(writes_[op / 64] >> (op % 64) & 1);
  return keys.id({keys_[op], kind}) * 2 + is_write;
}

// Calls body(segment, first operation, operations) in their order.
template <typename Body>
void Builder::Shard::for_each_run(Body&& body) const {
  std::size_t first = 0;
  if (segment_of_.empty()) {
    for (std::uint32_t i = 0; i < segments_.size(); ++i) {
      body(i, first, segments_[i].ops);
      first += segments_[i].ops;
    }
    return;
  }
  while (first < size_) {
    std::size_t end = first + 1;
    while (end < size_ && segment_of_[end] == segment_of_[first]) ++end;
    body(segment_of_[first], first, static_cast<std::uint32_t>(end - first));
    first = end;
  }
}

struct Builder::State {
  Options options;
  std::deque<Shard> shards;
  TextTable texts;
  std::vector<std::string> warnings, about;
  std::vector<ClockRelation> clock_relations;
  // What Builder::reserve gave to the shards; keys become words in place.
  Array<std::uint32_t> key_room, value_room;

  // What steps 1 and 2 find out about the segments of each shard.
  struct Placed {
    std::uint32_t txn;     // within its session, later global
    std::uint32_t offset;  // operations of the txn before this segment
    bool opens;            // the segment with which the txn first appears
  };
  std::vector<Array<Placed>> placed;                   // [shard][segment]
  std::vector<std::vector<std::uint32_t>> session_of;  // [shard][session]
  std::vector<Atom> sessions;                          // [session] -> label

  void merge_texts(unsigned threads);
  void merge_sessions();
  void place_segments(History& history, unsigned threads);
  void note_shared_labels(History& history);
  bool in_input_order(const History& history) const;
  bool in_rooms() const;
  void order_by_appearance(History& history);
  void move_operations(History& history, const KeyTable& keys,
                       unsigned threads);
  void keep_operations(History& history, const KeyTable& keys,
                       unsigned threads);
  void close_gaps(Array<std::uint32_t>& room, WordColumn Shard::*column) const;
  template <typename Body>
  void for_each_stretch(const History& history, std::size_t shard,
                        Body&& body) const;
  void move_keys(History& history, const KeyTable& keys, std::size_t shard,
                 std::uint32_t first_line);
  void move_values(History& history, std::size_t shard);
  void move_lists(History& history);
  void move_notes(History& history);
  Outcome move_clock_domains(History& history);
};

Builder::Builder(Options options) : state_(std::make_unique<State>()) {
  state_->options = options;
}
Builder::~Builder() = default;
Builder::Builder(Builder&&) noexcept = default;

Builder::Shard& Builder::add_shard() { return state_->shards.emplace_back(); }

void Builder::reserve(std::span<const std::size_t> operations) {
  State& state = *state_;
  AWDIT_ASSERT(operations.size() == state.shards.size());
  std::size_t sum = 0;
  for (const std::size_t size : operations) sum += size;
  state.key_room = Array<std::uint32_t>(sum);
  state.value_room = Array<std::uint32_t>(sum);
  std::size_t at = 0;
  for (std::size_t s = 0; s < operations.size(); ++s) {
    const auto slice = [&](const Array<std::uint32_t>& room) {
      return WordColumn(
          Array<std::uint32_t>::view(room.span().subspan(at, operations[s])));
    };
    Shard& shard = state.shards[s];
    AWDIT_ASSERT(shard.size_ == 0);
    shard.keys_ = slice(state.key_room);
    shard.values_ = slice(state.value_room);
    shard.writes_ = Array<std::uint64_t>(operations[s] / 64 + 1);
    at += operations[s];
  }
}

Atom Builder::string(std::string_view text) {
  return {state_->texts.number(text), Atom::Kind::string};
}

void Builder::set_initial_value(std::optional<Atom> value) {
  state_->options.initial_value = value;
}

void Builder::set_clock(Clock clock) { state_->options.clock = clock; }

void Builder::set_labels_are_ids(bool are) {
  state_->options.labels_are_ids = are;
}

void Builder::relate_clocks(std::string_view from, std::string_view to,
                            std::int64_t offset, std::int64_t error) {
  state_->clock_relations.push_back(
      {std::string(from), std::string(to), offset, error});
}

void Builder::warn(std::string sentence) {
  state_->warnings.push_back(std::move(sentence));
}

void Builder::about(std::string json) {
  state_->about.push_back(std::move(json));
}

// Shards that named texts by themselves get the builder's names for them, in
// the order of the input.
void Builder::State::merge_texts(unsigned threads) {
  std::vector<std::vector<std::uint64_t>> names(shards.size());
  for (std::size_t s = 0; s < shards.size(); ++s) {
    const TextTable& own = shards[s].texts_;
    for (std::size_t i = 0; i < own.size(); ++i) {
      names[s].push_back(texts.number(own[i]));
    }
  }
  parallel_for(shards.size(), threads, [&](std::size_t s, unsigned) {
    if (!names[s].empty()) shards[s].rename_texts(names[s]);
  });
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

// Whether operation i of the input is operation i of the history and, if lines
// are recorded, stands on line i + 1: then lines need no column.
bool Builder::State::in_input_order(const History& history) const {
  std::uint32_t ops = 0;
  for (std::size_t s = 0; s < shards.size(); ++s) {
    const Shard& shard = shards[s];
    if (!shard.segment_of_.empty()) return false;
    if (options.has_lines && !shard.jumps_.empty()) return false;
    // A shard's lines must be its operations, unless nothing follows it.
    for (std::size_t i = 0; i < shard.segments_.size(); ++i) {
      const Placed& where = placed[s][i];
      if (history.txn_ops_[where.txn].begin + where.offset != ops) return false;
      ops += shard.segments_[i].ops;
    }
    if (options.has_lines && shard.lines != shard.size_ &&
        ops != history.ops_) {
      return false;
    }
  }
  return true;
}

// Calls body(first operation of the shard, its place in the history, how many)
// for operations that stay together.
template <typename Body>
void Builder::State::for_each_stretch(const History& history,
                                      std::size_t number, Body&& body) const {
  const Shard& shard = shards[number];
  // [segment] -> operations that were met; one stretch each needs no count.
  std::vector<std::uint32_t> met;
  if (!shard.segment_of_.empty()) met.assign(shard.segments_.size(), 0);
  shard.for_each_run(
      [&](std::uint32_t segment, std::size_t first, std::uint32_t size) {
        const Placed& where = placed[number][segment];
        std::uint32_t op = history.txn_ops_[where.txn].begin + where.offset;
        if (!met.empty())
          op += std::exchange(met[segment], met[segment] + size);
        body(first, op, size);
      });
}

void Builder::State::move_keys(History& history, const KeyTable& keys,
                               std::size_t number, std::uint32_t first_line) {
  Shard& shard = shards[number];
  constexpr std::size_t kAhead = 16;
  const bool lines = !history.op_line_.empty();
  std::size_t jump = 0;
  std::size_t list = 0;
  std::uint32_t line = first_line;
  for_each_stretch(
      history, number,
      [&](std::size_t i, std::uint32_t op, std::uint32_t size) {
        for (const std::size_t end = i + size; i < end; ++i, ++op) {
          if (i + kAhead < shard.size_) keys.expect(shard.keys_[i + kAhead]);
          history.op_word_[op] = shard.word(i, keys);
          if (lines) {
            if (jump < shard.jumps_.size() && shard.jumps_[jump].op == i) {
              line = first_line + shard.jumps_[jump++].line;
            }
            history.op_line_[op] = line++;
          }
          if (list < shard.lists_.size() && shard.lists_[list].op == i) {
            shard.lists_[list++].op = op;
          }
        }
      });
  shard.keys_.reset();
  shard.writes_.reset();
}

void Builder::State::move_values(History& history, std::size_t number) {
  Shard& shard = shards[number];
  const bool kinds = !history.op_value_kind_.empty();
  for_each_stretch(
      history, number,
      [&](std::size_t i, std::uint32_t op, std::uint32_t size) {
        for (const std::size_t end = i + size; i < end; ++i, ++op) {
          history.op_value_.set(op, shard.values_[i]);
          if (kinds) {
            history.op_value_kind_[op] =
                shard.value_kinds_.empty() ? 0 : shard.value_kinds_[i];
          }
        }
      });
  shard.values_.reset();
  shard.segment_of_.reset();
}

// Whether all shards are still where Builder::reserve put them.
bool Builder::State::in_rooms() const {
  const auto lies_in = [](const WordColumn& column, std::size_t used,
                          const Array<std::uint32_t>& room) {
    return used == 0 ||
           (!column.is_wide() && column.narrow().data() >= room.begin() &&
            column.narrow().data() < room.end());
  };
  return !key_room.empty() &&
         std::all_of(shards.begin(), shards.end(), [&](const Shard& shard) {
           return lies_in(shard.keys_, shard.size_, key_room) &&
                  lies_in(shard.values_, shard.size_, value_room) &&
                  shard.value_kinds_.empty() && shard.lists_.empty();
         });
}

// REQUIRES: in_rooms(), and the operations are in the order of the history.
void Builder::State::keep_operations(History& history, const KeyTable& keys,
                                     unsigned threads) {
  parallel_for(shards.size(), threads, [&](std::size_t number, unsigned) {
    Shard& shard = shards[number];
    constexpr std::size_t kAhead = 16;
    for (std::size_t i = 0; i < shard.size_; ++i) {
      if (i + kAhead < shard.size_) keys.expect(shard.keys_[i + kAhead]);
      shard.keys_.set(i, shard.word(i, keys));
    }
    shard.writes_.reset();
  });
  parallel_for(2, threads, [&](std::size_t column, unsigned) {
    if (column == 0) {
      close_gaps(key_room, &Shard::keys_);
    } else {
      close_gaps(value_room, &Shard::values_);
    }
  });
  history.op_word_ = std::move(key_room);
  history.op_value_ = WordColumn(std::move(value_room));
}

void Builder::State::close_gaps(Array<std::uint32_t>& room,
                                WordColumn Shard::*column) const {
  std::size_t at = 0;
  for (const Shard& shard : shards) {
    const std::uint32_t* const from = (shard.*column).narrow().data();
    if (shard.size_ != 0 && from != room.data() + at) {
      std::memmove(room.data() + at, from, shard.size_ * sizeof(std::uint32_t));
    }
    at += shard.size_;
  }
  room.truncate(at);
}

void Builder::State::move_operations(History& history, const KeyTable& keys,
                                     unsigned threads) {
  const bool in_order = in_input_order(history);
  history.one_op_per_line_ = options.has_lines && in_order;
  if (in_order && in_rooms()) {
    keep_operations(history, keys, threads);
    return;
  }
  history.op_word_ = Array<std::uint32_t>(history.ops_);
  if (options.has_lines && !in_order) {
    history.op_line_ = Array<std::uint32_t>(history.ops_);
  }
  bool kinds = false;
  std::vector<std::uint32_t> first_line;
  std::uint32_t line = 1;
  bool wide = false;
  for (const Shard& shard : shards) {
    wide |= shard.values_.is_wide();
    kinds |= !shard.value_kinds_.empty();
    first_line.push_back(line);
    line += shard.lines;
  }
  // One column after the other, so that the second takes over the memory that
  // the first one's has left.
  parallel_for(shards.size(), threads, [&](std::size_t shard, unsigned) {
    move_keys(history, keys, shard, first_line[shard]);
  });
  key_room.reset();
  history.op_value_ = WordColumn(history.ops_, wide);
  if (kinds) history.op_value_kind_ = Array<std::uint8_t>(history.ops_);
  parallel_for(shards.size(), threads, [&](std::size_t shard, unsigned) {
    move_values(history, shard);
  });
  value_room.reset();
}

// REQUIRES: move_keys has put the history's operations into Shard::lists_.
void Builder::State::move_lists(History& history) {
  bool lists = false, kinds = false;
  std::size_t elements = 0;
  for (const Shard& shard : shards) {
    lists |= shard.has_lists_;
    kinds |= !shard.element_kinds_.empty();
    elements += shard.elements_.size();
  }
  if (!lists) return;
  history.list_first_ = Array<std::uint64_t>(history.ops_ + std::size_t{1}, 0);
  for (const Shard& shard : shards) {
    for (const Shard::List& list : shard.lists_) {
      history.list_first_[list.op + std::size_t{1}] = list.size;
    }
  }
  for (std::size_t op = 0; op < history.ops_; ++op) {
    history.list_first_[op + 1] += history.list_first_[op];
  }
  history.elements_ = Array<std::uint64_t>(elements);
  if (kinds) history.element_kind_ = Array<std::uint8_t>(elements, 0);
  for (Shard& shard : shards) {
    std::size_t from = 0;
    for (const Shard::List& list : shard.lists_) {
      const std::size_t to = history.list_first_[list.op];
      std::copy_n(shard.elements_.begin() + static_cast<std::ptrdiff_t>(from),
                  list.size, history.elements_.begin() + to);
      if (!shard.element_kinds_.empty()) {
        std::copy_n(
            shard.element_kinds_.begin() + static_cast<std::ptrdiff_t>(from),
            list.size, history.element_kind_.begin() + to);
      }
      from += list.size;
    }
    shard.elements_ = {};
    shard.element_kinds_ = {};
  }
}

// Times, nodes and whatever else is known of single transactions.
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

Result<History> Builder::finish(unsigned threads) {
  State& state = *state_;
  constexpr std::size_t kMaxOps = 0xFFFF'FFF0u;
  constexpr std::size_t kMaxTxns = 0x7FFF'FFF0u;
  std::size_t ops = 0;
  std::size_t segments = 0;
  for (const Shard& shard : state.shards) {
    ops += shard.size_;
    segments += shard.segments_.size();
    if (shard.sessions_.size() > Shard::kMaxSessions) {
      return too_large("sessions (more than 2^30)");
    }
  }
  if (ops > kMaxOps) return too_large("operations (more than 2^32)");
  if (segments > kMaxTxns) return too_large("transactions (more than 2^31)");

  History history;
  history.initial_value_ = state.options.initial_value;
  history.warnings_ = std::move(state.warnings);
  history.about_ = std::move(state.about);
  state.merge_texts(threads);
  state.merge_sessions();
  state.place_segments(history, threads);
  history.strings_ = state.texts.freeze();
  state.note_shared_labels(history);
  state.order_by_appearance(history);

  std::vector<KeyTable::Column> columns;
  for (const Shard& shard : state.shards) {
    columns.push_back({&shard.keys_, shard.size_, shard.key_kinds_});
  }
  KeyTable keys(columns, history.strings_, threads);
  if (keys.size() > kMaxTxns) return too_large("keys (more than 2^31)");
  history.keys_ = static_cast<std::uint32_t>(keys.size());
  state.move_operations(history, keys, threads);
  state.move_lists(history);
  state.move_notes(history);
  if (Outcome failed = state.move_clock_domains(history)) return *failed;
  keys.take_labels(history.key_bits_, history.key_kind_);
  return history;
}

}  // namespace awdit
