// Texts have numbers by first appearance, whoever named them, and an order,
// whatever their bytes are.
#include "history/text_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "history/text_merge.h"
#include "history/text_order.h"

namespace awdit {
namespace {

// Texts that differ late or only in length, with bytes of all kinds.
std::string some_text(std::mt19937_64& random) {
  static const std::string prefixes[] = {"",
                                         "k",
                                         "tweet:",
                                         "followers:",
                                         std::string(8, '\0'),
                                         std::string(16, '\xFF'),
                                         std::string(23, 'x'),
                                         std::string(40, 'y')};
  std::string text = prefixes[random() % std::size(prefixes)];
  for (auto more = random() % 6; more > 0; --more) {
    constexpr char kBytes[] = {'\0', '\1', '0', '1', 'z', '\x7F', '\xFF'};
    text += kBytes[random() % std::size(kBytes)];
  }
  if (random() % 2 == 0) text += std::to_string(random() % 5000);
  return text;
}

TEST(TextTable, NumbersEqualTextsOnce) {
  std::mt19937_64 random(1);
  TextTable table;
  std::map<std::string, std::uint32_t> expected;
  for (int i = 0; i < 50'000; ++i) {
    const std::string text = some_text(random);
    const auto number =
        expected.emplace(text, static_cast<std::uint32_t>(expected.size()))
            .first->second;
    const TextWords words(text);
    table.expect(words);
    table.expect_more(words);
    ASSERT_EQ(table.number(words, text), number) << text;
  }
  table.close();
  ASSERT_EQ(table.size(), expected.size());
  for (const auto& [text, number] : expected) ASSERT_EQ(table[number], text);
}

// Records lie in chunks of a megabyte; a text may need more.
TEST(TextTable, HoldsTextsOfAnySize) {
  TextTable table;
  std::vector<std::string> texts;
  for (int round = 0; round < 3; ++round) {
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{300}, std::size_t{700'000},
          (std::size_t{1} << 20) - 8, (std::size_t{1} << 20) - 7,
          std::size_t{3'000'000}, std::size_t{9}}) {
      texts.push_back(std::to_string(round) + std::string(size, 'x'));
    }
  }
  for (int again = 0; again < 2; ++again) {
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
      ASSERT_EQ(table.number(texts[i]), i);
    }
  }
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    ASSERT_EQ(table[i], texts[i]);
  }
}

// The words are the text, as far as they go.
TEST(TextTable, WordsTellTextsApart) {
  for (std::size_t size = 0; size <= TextWords::kLongest + 2; ++size) {
    const std::string text(size, 'a');
    const TextWords words(text);
    for (std::size_t at = 0; at < size; ++at) {
      std::string other = text;
      other[at] = 'b';
      EXPECT_NE(words.hash(), TextWords(other).hash());
      if (size > TextWords::kLongest) continue;
      EXPECT_EQ(words.words[at / 8] >> (at % 8 * 8) & 0xFF, 'a');
    }
    EXPECT_NE(words.hash(), TextWords(text + '\0').hash());
  }
}

TEST(TextTable, MergesByFirstAppearance) {
  std::mt19937_64 random(2);
  for (const std::size_t most : {0u, 3u, 500u, 20'000u}) {
    std::vector<TextTable> tables(6);  // the third stays empty
    TextTable expected;
    std::vector<std::vector<std::uint32_t>> numbers(tables.size());
    for (std::size_t t = 0; t < tables.size(); ++t) {
      for (std::size_t i = t == 2 ? most : 0; i < most; ++i) {
        const std::string text = some_text(random);
        if (tables[t].number(text) < numbers[t].size()) continue;
        numbers[t].push_back(expected.number(text));
      }
    }
    std::vector<const TextTable*> pointers;
    for (TextTable& table : tables) {
      table.close();
      pointers.push_back(&table);
    }
    for (const unsigned threads : {1u, 2u, 3u, 7u}) {
      const MergedTexts merged = merge_texts(pointers, threads);
      ASSERT_EQ(merged.texts.size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(merged.texts[i], expected[i]);
      }
      for (std::size_t t = 0; t < tables.size(); ++t) {
        const std::span<const std::uint32_t> got = merged.numbers_of(t);
        ASSERT_TRUE(std::equal(got.begin(), got.end(), numbers[t].begin(),
                               numbers[t].end()));
      }
    }
  }
}

TEST(TextOrder, IsThatOfBytes) {
  std::mt19937_64 random(3);
  for (const std::size_t most : {1u, 2u, 50u, 5'000u, 60'000u}) {
    TextTable table;
    for (std::size_t i = 0; i < most; ++i) table.number(some_text(random));
    const TextTable* const only = &table;
    const Texts texts = merge_texts({&only, 1}, 1).texts;
    std::vector<std::uint64_t> expected(texts.size());
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = i;
    std::sort(expected.begin(), expected.end(),
              [&](auto a, auto b) { return texts[a] < texts[b]; });
    for (const unsigned threads : {1u, 2u, 3u, 7u}) {
      std::vector<TextToSort> entries;
      for (std::size_t i = 0; i < texts.size(); ++i) entries.push_back({9, i});
      std::shuffle(entries.begin(), entries.end(), random);
      sort_texts(entries, texts, threads);
      for (std::size_t i = 0; i < entries.size(); ++i) {
        ASSERT_EQ(entries[i].number, expected[i]) << i;
      }
    }
  }
}

}  // namespace
}  // namespace awdit
