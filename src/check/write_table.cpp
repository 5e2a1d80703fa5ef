#include "check/write_table.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"

namespace awdit {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;  // operations per task

std::size_t blocks_of(std::size_t operations) {
  return (operations + kBlock - 1) / kBlock;
}

}  // namespace

WriteTable::WriteTable(const History& history,
                       std::span<const std::uint8_t> wanted, unsigned threads)
    : wanted_(wanted),
      words_(history.op_words()),
      values_(&history.op_values()),
      kinds_(history.op_value_kinds()) {
  const std::size_t blocks = blocks_of(words_.size());
  std::vector<std::size_t> writes(blocks, 0);
  parallel_for(blocks, threads, [&](std::size_t block, unsigned) {
    const std::size_t end = std::min(words_.size(), (block + 1) * kBlock);
    for (std::size_t op = block * kBlock; op < end; ++op) {
      writes[block] += wants(static_cast<std::uint32_t>(op)) ? 1 : 0;
    }
  });
  std::size_t total = 0;
  for (const std::size_t count : writes) total += count;
  const std::size_t capacity = total + total / 2 + 64;
  slots_ = Array<std::uint64_t>(capacity);
  parallel_for(blocks_of(capacity), threads, [&](std::size_t block, unsigned) {
    std::fill(slots_.begin() + block * kBlock,
              slots_.begin() + std::min(capacity, (block + 1) * kBlock),
              kEmpty);
  });
  parallel_for(blocks, threads, [&](std::size_t block, unsigned) {
    // A few at a time, so that their slots come from memory together.
    constexpr unsigned kAtOnce = 32;
    struct Coming {
      std::uint64_t hash;
      std::uint32_t op;
    } coming[kAtOnce];
    unsigned count = 0;
    const auto insert_all = [&] {
      for (unsigned i = 0; i < count; ++i) insert(coming[i].hash, coming[i].op);
      count = 0;
    };
    const std::size_t end = std::min(words_.size(), (block + 1) * kBlock);
    for (std::size_t at = block * kBlock; at < end; ++at) {
      const auto op = static_cast<std::uint32_t>(at);
      if (!wants(op)) continue;
      coming[count] = {hash(op), op};
      prefetch(coming[count++].hash);
      if (count == kAtOnce) insert_all();
    }
    insert_all();
  });
}

void WriteTable::insert(std::uint64_t hash, std::uint32_t op) {
  const std::uint64_t mine = (std::uint64_t{op} + 1) << 32 | tag_of(hash);
  for (std::size_t at = home(hash);; at = after(at)) {
    const std::atomic_ref<std::uint64_t> slot(slots_[at]);
    std::uint64_t there = slot.load(std::memory_order_relaxed);
    if (there == kEmpty &&
        slot.compare_exchange_strong(there, mine, std::memory_order_relaxed)) {
      return;
    }
    if (tag_of(there) == tag_of(hash) && same(op_of(there), op)) {
      equal_writes_.store(true, std::memory_order_relaxed);
      return;
    }
  }
}

WrittenValues survey_writes(const History& history, unsigned threads) {
  const auto words = history.op_words();
  const WordColumn& values = history.op_values();
  const auto kinds = history.op_value_kinds();
  const std::size_t blocks = blocks_of(words.size());
  const bool plain = kinds.empty() && !values.is_wide();
  struct Seen {
    std::uint32_t highest = 0;
    bool initial = false;
  };
  std::vector<Seen> seen(blocks);
  parallel_for(blocks, threads, [&](std::size_t block, unsigned) {
    const std::size_t end = std::min(words.size(), (block + 1) * kBlock);
    Seen mine;
    if (plain) {
      const auto narrow = values.narrow();
      // An initial value that is no such number is equal to none.
      const std::optional<Atom> initial = history.initial_value();
      const bool possible = initial && initial->kind == Atom::Kind::integer &&
                            initial->bits >> 32 == 0;
      const auto wanted =
          static_cast<std::uint32_t>(possible ? initial->bits : 0);
      for (std::size_t op = block * kBlock; op < end; ++op) {
        const std::uint32_t write = 0 - (words[op] & 1);  // all ones or none
        mine.highest = std::max(mine.highest, narrow[op] & write);
        mine.initial |= possible & (write != 0) & (narrow[op] == wanted);
      }
    } else {
      for (std::size_t at = block * kBlock; at < end; ++at) {
        const OpId op(static_cast<std::uint32_t>(at));
        mine.initial |=
            history.is_write(op) && history.is_initial(history.value(op));
      }
    }
    seen[block] = mine;
  });
  WrittenValues result;
  std::uint32_t highest = 0;
  for (const Seen& some : seen) {
    highest = std::max(highest, some.highest);
    result.initial |= some.initial;
  }
  if (!plain || highest / 8 > words.size()) return result;

  // A bit for each value, of each thread; then the threads' are compared.
  const std::size_t bit_words = std::size_t{highest} / 64 + 1;
  std::vector<Array<std::uint64_t>> met(threads);
  std::atomic<bool> twice = false;
  parallel_for(blocks, threads, [&](std::size_t block, unsigned worker) {
    if (met[worker].empty()) met[worker] = Array<std::uint64_t>(bit_words, 0);
    std::uint64_t* const bits = met[worker].data();
    const auto narrow = values.narrow();
    const std::size_t end = std::min(words.size(), (block + 1) * kBlock);
    std::uint64_t again = 0;
    for (std::size_t op = block * kBlock; op < end; ++op) {
      // A read sets no bit, in a word that is there: a jump would be guessed
      // wrong half the time.
      const std::uint32_t write = words[op] & 1;
      const std::uint32_t value = narrow[op] & (0 - write);
      std::uint64_t& word = bits[value / 64];
      const std::uint64_t bit = std::uint64_t{write} << (value % 64);
      again |= word & bit;
      word |= bit;
    }
    if (again != 0) twice.store(true, std::memory_order_relaxed);
  });
  std::uint64_t again = 0;
  for (std::size_t i = 0; i < bit_words && !twice; ++i) {
    std::uint64_t all = 0;
    for (const Array<std::uint64_t>& bits : met) {
      if (bits.empty()) continue;
      again |= all & bits[i];
      all |= bits[i];
    }
  }
  result.distinct = !twice && again == 0;
  return result;
}

}  // namespace awdit
