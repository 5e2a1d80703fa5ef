#include "history/key_table.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "base/flat_index.h"
#include "base/parallel.h"
#include "history/text_order.h"

namespace awdit {
namespace {

std::uint64_t hash_of(Atom key) {
  return mix64(key.bits ^ (static_cast<std::uint64_t>(key.kind) << 56));
}

// How far ahead keys are asked for: time for memory to answer.
constexpr std::size_t kAhead = 16;

// Atoms, each once, in the order of their first appearance.
class Distinct {
 public:
  void add(Atom key) {
    const auto fresh = static_cast<std::uint32_t>(keys.size());
    if (index_.find_or_insert(hash_of(key), fresh, [&](std::uint32_t item) {
          return keys[item] == key;
        }) == fresh) {
      keys.push_back(key);
    }
  }

  std::vector<Atom> keys;

 private:
  FlatIndex index_;
};

struct Span {
  std::int64_t low = std::numeric_limits<std::int64_t>::max();
  std::int64_t high = std::numeric_limits<std::int64_t>::min();
};

}  // namespace

bool label_less(Atom a, Atom b, const Texts& strings) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.kind == Atom::Kind::string) return strings[a.bits] < strings[b.bits];
  if (a.kind == Atom::Kind::integer) {
    return static_cast<std::int64_t>(a.bits) <
           static_cast<std::int64_t>(b.bits);
  }
  return a.bits < b.bits;
}

KeyTable::KeyTable(std::span<const Column> columns, const Texts& strings,
                   unsigned threads) {
  std::vector<Span> spans(columns.size());
  std::size_t ops = 0;
  bool integers = true;
  bool texts = true;
  std::vector<std::uint8_t> all_texts(columns.size(), true);
  for (const Column& column : columns) {
    ops += column.size;
    integers &= column.kinds.empty();
  }
  parallel_for(columns.size(), threads, [&](std::size_t c, unsigned) {
    const std::span<const std::uint8_t> kinds = columns[c].kinds;
    all_texts[c] =
        (columns[c].size == 0 || !kinds.empty()) &&
        std::all_of(kinds.begin(), kinds.end(), [](std::uint8_t kind) {
          return Atom::Kind(kind) == Atom::Kind::string;
        });
    for (std::size_t i = 0; i < columns[c].size; ++i) {
      const auto key = static_cast<std::int64_t>((*columns[c].bits)[i]);
      spans[c].low = std::min(spans[c].low, key);
      spans[c].high = std::max(spans[c].high, key);
    }
  });
  for (const std::uint8_t column : all_texts) texts &= column != 0;
  Span all;
  for (const Span& span : spans) {
    all.low = std::min(all.low, span.low);
    all.high = std::max(all.high, span.high);
  }
  if (ops == 0) return;
  const std::uint64_t range = static_cast<std::uint64_t>(all.high) -
                              static_cast<std::uint64_t>(all.low);
  // Four bytes per possible key, or a quarter of one, must stay in proportion
  // to the input.
  base_ = static_cast<std::uint64_t>(all.low);
  if ((integers || texts) && range < 2 * ops + 1024) {
    build_direct(columns, range + 1, threads);
    if (!integers) order_by_text(strings, threads);
  } else if (integers && range < 64 * ops) {
    build_ranked(columns, range + 1, threads);
  } else {
    build_hashed(columns, strings, threads);
  }
}

void KeyTable::build_direct(std::span<const Column> columns,
                            std::uint64_t range, unsigned threads) {
  direct_ = Array<std::uint32_t>(range, kNoId);
  parallel_for(columns.size(), threads, [&](std::size_t c, unsigned) {
    for (std::size_t i = 0; i < columns[c].size; ++i) {
      if (i + kAhead < columns[c].size) expect((*columns[c].bits)[i + kAhead]);
      const std::uint64_t bits = (*columns[c].bits)[i];
      // Reading first keeps popular keys' cache lines shared.
      std::atomic_ref<std::uint32_t> mark(direct_[bits - base_]);
      if (mark.load(std::memory_order_relaxed) == kNoId) {
        mark.store(0, std::memory_order_relaxed);
      }
    }
  });
  std::uint32_t keys = 0;
  for (std::uint32_t& mark : direct_) {
    if (mark != kNoId) mark = keys++;
  }
  bits_ = Array<std::uint64_t>(keys);
  for (std::uint64_t i = 0; i < range; ++i) {
    if (direct_[i] != kNoId) bits_[direct_[i]] = base_ + i;
  }
}

void KeyTable::build_ranked(std::span<const Column> columns,
                            std::uint64_t range, unsigned threads) {
  ranked_ = Array<Ranked>(range / 64 + 1, Ranked{0, 0});
  parallel_for(columns.size(), threads, [&](std::size_t c, unsigned) {
    const Column& column = columns[c];
    for (std::size_t i = 0; i < column.size; ++i) {
      if (i + kAhead < column.size) expect((*column.bits)[i + kAhead]);
      const std::uint64_t place = (*column.bits)[i] - base_;
      const std::uint64_t bit = std::uint64_t{1} << (place % 64);
      // Reading first keeps popular keys' cache lines shared.
      std::atomic_ref<std::uint64_t> word(ranked_[place / 64].bits);
      if ((word.load(std::memory_order_relaxed) & bit) == 0) {
        word.fetch_or(bit, std::memory_order_relaxed);
      }
    }
  });
  std::uint32_t keys = 0;
  for (Ranked& word : ranked_) {
    word.rank = keys;
    keys += static_cast<std::uint32_t>(std::popcount(word.bits));
  }
  bits_ = Array<std::uint64_t>(keys);
  for (std::size_t w = 0; w < ranked_.size(); ++w) {
    std::uint32_t id = ranked_[w].rank;
    for (std::uint64_t bits = ranked_[w].bits; bits != 0; bits &= bits - 1) {
      bits_[id++] =
          base_ + w * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
    }
  }
}

// From the order of numbers to that of texts.
void KeyTable::order_by_text(const Texts& strings, unsigned threads) {
  Array<TextToSort> entries(bits_.size());
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = {0, bits_[i]};
  sort_texts({entries.data(), entries.size()}, strings, threads);
  for (std::uint32_t id = 0; id < entries.size(); ++id) {
    bits_[id] = entries[id].number;
    direct_[entries[id].number - base_] = id;
  }
  kinds_ = Array<std::uint8_t>(entries.size(),
                               static_cast<std::uint8_t>(Atom::Kind::string));
}

void KeyTable::build_hashed(std::span<const Column> columns,
                            const Texts& strings, unsigned threads) {
  // Distinct keys of each column, then of all.
  std::vector<Distinct> distinct(columns.size());
  parallel_for(columns.size(), threads, [&](std::size_t c, unsigned) {
    const Column& column = columns[c];
    for (std::size_t i = 0; i < column.size; ++i) {
      distinct[c].add({(*column.bits)[i], column.kinds.empty()
                                              ? Atom::Kind::integer
                                              : Atom::Kind(column.kinds[i])});
    }
  });
  Distinct all;
  for (const Distinct& some : distinct) {
    for (const Atom& key : some.keys) all.add(key);
  }
  std::vector<Atom>& keys = all.keys;
  std::sort(keys.begin(), keys.end(), [&](const Atom& a, const Atom& b) {
    return label_less(a, b, strings);
  });
  const bool integers = keys.empty() || keys.back().kind == Atom::Kind::integer;
  const std::size_t capacity = std::bit_ceil(keys.size() * 2 + 1);
  slots_ = Array<Slot>(capacity, Slot{0, kNoId, 0});
  mask_ = capacity - 1;
  bits_ = Array<std::uint64_t>(keys.size());
  if (!integers) kinds_ = Array<std::uint8_t>(keys.size());
  for (std::uint32_t id = 0; id < keys.size(); ++id) {
    const auto kind = static_cast<std::uint8_t>(keys[id].kind);
    bits_[id] = keys[id].bits;
    if (!integers) kinds_[id] = kind;
    std::uint64_t i = hash_of(keys[id]) & mask_;
    while (slots_[i].id != kNoId) i = (i + 1) & mask_;
    slots_[i] = {keys[id].bits, id, kind};
  }
}

std::uint32_t KeyTable::find(Atom key) const {
  for (std::uint64_t i = hash_of(key) & mask_;; i = (i + 1) & mask_) {
    const Slot& slot = slots_[i];
    AWDIT_ASSERT(slot.id != kNoId);
    if (slot.bits == key.bits &&
        slot.kind == static_cast<std::uint8_t>(key.kind)) {
      return slot.id;
    }
  }
}

void KeyTable::take_labels(Array<std::uint64_t>& bits,
                           Array<std::uint8_t>& kinds) {
  bits = std::move(bits_);
  kinds = std::move(kinds_);
}

}  // namespace awdit
