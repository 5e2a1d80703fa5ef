// Keys get dense ids in the order of their labels, however far apart they are.
#include "history/key_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "history/text_table.h"

namespace awdit {
namespace {

// Two columns of keys between `low` and `low + range`, and their table.
void check_range(std::int64_t low, std::uint64_t range, std::size_t size,
                 unsigned threads) {
  std::mt19937_64 random(range + size);
  std::set<std::int64_t> expected;
  WordColumn first(size), second(size);
  for (WordColumn* column : {&first, &second}) {
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t key =
          static_cast<std::uint64_t>(low) + random() % (range + 1);
      column->set(i, key);
      expected.insert(static_cast<std::int64_t>(key));
    }
  }
  const std::vector<KeyTable::Column> columns = {{&first, size, {}},
                                                 {&second, size, {}}};
  KeyTable table(columns, Texts(), threads);
  ASSERT_EQ(table.size(), expected.size());
  std::uint32_t id = 0;
  for (const std::int64_t key : expected) {
    ASSERT_EQ(table.id(Atom::integer(key)), id) << key;
    ++id;
  }
  Array<std::uint64_t> bits;
  Array<std::uint8_t> kinds;
  table.take_labels(bits, kinds);
  EXPECT_TRUE(kinds.empty());
  EXPECT_TRUE(std::equal(bits.begin(), bits.end(), expected.begin(),
                         expected.end(), [](std::uint64_t a, std::int64_t b) {
                           return static_cast<std::int64_t>(a) == b;
                         }));
}

TEST(KeyTable, NumbersKeysByLabel) {
  for (const unsigned threads : {1u, 3u}) {
    for (const std::int64_t low :
         {std::int64_t{0}, std::int64_t{10'000'000}, std::int64_t{-70'000}}) {
      check_range(low, 0, 50, threads);
      check_range(low, 900, 5000, threads);          // looked up directly
      check_range(low, 100'000, 5000, threads);      // by bits
      check_range(low, 640'000 - 2, 5000, threads);  // by bits, just so
      check_range(low, 640'000, 5000, threads);      // by hash
      check_range(low, std::uint64_t{1} << 60, 5000, threads);
    }
  }
}

}  // namespace
}  // namespace awdit
