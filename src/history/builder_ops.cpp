// Step 5 of builder.cpp: operations move to their place, and their keys become
// numbers on the way.
//
// Where they lie in the order of the history already, and in the memory that
// Builder::reserve gave them, only the gaps between shards are closed.
// Otherwise one column is made after the other, so that the second takes over
// the memory that the first one's has left.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "base/memory.h"
#include "base/parallel.h"
#include "history/builder_state.h"

namespace awdit {

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

// Whether operation i of the input is operation i of the history and, if lines
// are recorded, is on line i + 1: then lines need no column.
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
                  shard.lists_.empty();
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
  parallel_for(3, threads, [&](std::size_t column, unsigned) {
    if (column == 0) {
      close_gaps(key_room, &Shard::keys_);
    } else if (column == 1) {
      close_gaps(value_room, &Shard::values_);
    } else {
      join_value_kinds(history);
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

// REQUIRES: operations are in the order of the history.
void Builder::State::join_value_kinds(History& history) {
  if (std::all_of(shards.begin(), shards.end(), [](const Shard& shard) {
        return shard.value_kinds_.empty();
      })) {
    return;
  }
  history.op_value_kind_ = Array<std::uint8_t>(history.ops_);
  std::uint8_t* at = history.op_value_kind_.data();
  for (Shard& shard : shards) {
    const PageVector<std::uint8_t>& kinds = shard.value_kinds_;
    at = kinds.empty() ? std::fill_n(at, shard.size_, std::uint8_t{0})
                       : std::copy(kinds.begin(), kinds.end(), at);
    shard.value_kinds_ = {};
  }
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
void Builder::State::move_lists(History& history, unsigned threads) {
  bool lists = false, kinds = false, wide = false;
  std::size_t elements = 0;
  for (const Shard& shard : shards) {
    lists |= shard.has_lists_;
    kinds |= !shard.element_kinds_.empty();
    wide |= shard.elements_.is_wide();
    elements += shard.num_elements_;
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
  placed.clear();
  for (Shard& shard : shards) shard.segments_ = {};
  // Nothing else is large enough to take over what is freed on the way: given
  // back, it is there for the elements of the next shards.
  constexpr std::size_t kMuch = std::size_t{256} << 20;
  std::atomic<std::size_t> freed = 0;
  history.elements_ = WordColumn(elements, wide);
  if (kinds) history.element_kind_ = Array<std::uint8_t>(elements, 0);
  parallel_for(shards.size(), threads, [&](std::size_t number, unsigned) {
    Shard& shard = shards[number];
    std::size_t from = 0;
    for (const Shard::List& list : shard.lists_) {
      const std::size_t to = history.list_first_[list.op];
      history.elements_.copy(to, shard.elements_, from, list.size);
      if (!shard.element_kinds_.empty()) {
        std::copy_n(
            shard.element_kinds_.begin() + static_cast<std::ptrdiff_t>(from),
            list.size, history.element_kind_.begin() + to);
      }
      from += list.size;
    }
    shard.lists_ = {};
    shard.elements_.reset();
    shard.element_kinds_ = {};
    const std::size_t bytes =
        from * (wide ? sizeof(std::uint64_t) : sizeof(std::uint32_t));
    const std::size_t before = freed.fetch_add(bytes);
    if (before / kMuch != (before + bytes) / kMuch) release_pages();
  });
}

}  // namespace awdit
