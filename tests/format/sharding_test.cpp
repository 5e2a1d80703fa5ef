// Large inputs are cut into pieces that threads parse on their own. Where the
// cuts fall must never show: not in the history, not in line numbers, not in
// errors.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "base/input.h"
#include "format/format.h"
#include "in_full.h"

namespace awdit {
namespace {

const Format& format_named(std::string_view name) {
  for (const Format& format : formats()) {
    if (format.name == name) return format;
  }
  ADD_FAILURE() << "no format " << name;
  return formats().front();
}

// Plume text of about `lines` lines in every spelling; a handful of
// transactions per session is open at a time, so that cuts fall into many.
std::string big_plume(std::uint32_t lines, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  std::string text;
  for (std::uint32_t i = 0; i < lines; ++i) {
    if (below(50) == 0) text += below(2) == 0 ? "\n" : "  \r\n";
    const std::string comma = below(9) == 0 ? ", " : ",";
    std::string value = std::to_string(i + 1);
    if (below(40) == 0) value = std::to_string(-static_cast<int>(i) - 1);
    if (below(40) == 0) value = std::to_string(UINT64_MAX - i);
    const std::uint64_t session = below(20);
    std::string txn = std::to_string(session + 20 * (i / 400 + below(3)));
    if (below(30) == 0) txn = "-1";
    text += below(2) == 0 ? "r(" : "w(";
    text += std::to_string(below(1000)) + comma + value + comma +
            std::to_string(session) + comma + txn + ")";
    text += below(20) == 0 ? "\r\n" : "\n";
  }
  return text;
}

TEST(Sharding, DoesNotShowInPlumeHistories) {
  const Format& plume = format_named("plume");
  for (const std::uint64_t seed : {1u, 2u}) {
    const std::string text = big_plume(300'000, seed);
    ASSERT_GT(text.size(), std::size_t{5} << 20);
    const std::string one = in_full(plume, text, 1);
    EXPECT_GT(one.size(), text.size() / 2) << one;
    EXPECT_TRUE(one == in_full(plume, text, 2));
    EXPECT_TRUE(one == in_full(plume, text, 7));
  }
}

TEST(Sharding, DoesNotShowInLineNumbers) {
  const Format& plume = format_named("plume");
  std::string text;
  for (int i = 0; i < 250'000; ++i) {
    text += "w(1," + std::to_string(i + 1) + ",1," + std::to_string(i) + ")\n";
    if (i % 3 == 0) text += "\n";
  }
  const Input input = Input::of(text);
  for (const unsigned threads : {1u, 2u, 7u}) {
    const Result<History> history = plume.parse({&input, 1}, threads);
    ASSERT_TRUE(history.has_value());
    std::uint32_t line = 1;
    for (std::uint32_t i = 0; i < history->num_ops(); ++i) {
      ASSERT_EQ(history->place(OpId(i)).line, line) << i;
      line += i % 3 == 0 ? 2 : 1;
    }
  }
}

// Several mistakes: the first in the file is the one that is told.
TEST(Sharding, DoesNotShowInErrors) {
  const Format& plume = format_named("plume");
  std::string text = big_plume(300'000, 3);
  for (const std::size_t at :
       {text.size() / 3, text.size() / 2, text.size() - 40}) {
    text[text.find('(', at)] = '[';
  }
  const std::string one = in_full(plume, text, 1);
  EXPECT_EQ(one.substr(0, 4), "big:");
  EXPECT_EQ(one, in_full(plume, text, 2));
  EXPECT_EQ(one, in_full(plume, text, 7));
}

TEST(Sharding, CutsOfALastLineWithoutNewlineDoNotShow) {
  const Format& plume = format_named("plume");
  std::string text = big_plume(120'000, 4);
  text += "w(1,77777777,1,5)";
  const std::string without = in_full(plume, text, 7);
  EXPECT_TRUE(without == in_full(plume, text, 1));
  EXPECT_TRUE(without == in_full(plume, text + "\n", 1));
}

TEST(Sharding, ThreadsDoNotShowInAwditTestHistories) {
  const Format& format = format_named("awdit-test");
  std::string text;
  for (int i = 0; i < 50'000; ++i) {
    text += (i % 2 == 0 ? "w " : "r ") + std::to_string(i % 97) + ' ' +
            std::to_string(i / 2 + 1) + '\n';
    if (i % 5 == 0) text += "---\n";
    if (i % 5000 == 0) text += "====\n";
  }
  const std::string one = in_full(format, text, 1);
  EXPECT_TRUE(one == in_full(format, text, 2));
  EXPECT_TRUE(one == in_full(format, text, 7));
}

// Bincode of 40 sessions; `timed` events have two times of 16 bytes.
std::string big_dbcop(bool timed, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string bytes;
  const auto word = [&](std::uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i));
  };
  for (int i = 0; i < 8; ++i) word(0);  // five parameters, three strings
  std::uint64_t value = 0;
  word(40);
  for (std::uint64_t session = 0; session < 40; ++session) {
    const std::uint64_t txns = session % 7 == 0 ? 0 : 700;
    word(txns);
    for (std::uint64_t txn = 0; txn < txns; ++txn) {
      const std::uint64_t events = random() % 12;
      word(events);
      for (std::uint64_t event = 0; event < events; ++event) {
        bytes += static_cast<char>(random() % 2);
        word(random() % 1000);
        word(++value);
        bytes += static_cast<char>(random() % 20 != 0);
        for (int i = 0; timed && i < 2; ++i) {
          word(++value);
          word(random() % 1000 == 0);
        }
      }
      bytes += static_cast<char>(random() % 20 != 0);
    }
  }
  return bytes;
}

TEST(Sharding, DoesNotShowInDbcopHistories) {
  const Format& dbcop = format_named("dbcop");
  for (const bool timed : {false, true}) {
    std::string bytes = big_dbcop(timed, 5);
    ASSERT_GT(bytes.size(), std::size_t{2} << 20);
    const std::string one = in_full(dbcop, bytes, 1);
    EXPECT_GT(one.size(), bytes.size() / 6) << one;
    EXPECT_EQ(one.find("they are left out.") != std::string::npos, timed);
    EXPECT_TRUE(one == in_full(dbcop, bytes, 2));
    EXPECT_TRUE(one == in_full(dbcop, bytes, 7));
    bytes.back() = 5;
    const std::string error = in_full(dbcop, bytes, 1);
    EXPECT_EQ(error.substr(0, 9), "big:byte ") << error.substr(0, 200);
    EXPECT_EQ(error, in_full(dbcop, bytes, 7));
  }
}

TEST(Sharding, DoesNotShowInViperHistories) {
  const Format& viper = format_named("viper");
  std::mt19937_64 random(6);
  std::string text =
      "{\"value\": [[\"w\", 5, 1, true]], \"isInitial\": true}\n";
  for (int i = 0; i < 60'000; ++i) {
    if (random() % 20 == 0) text += "  \r\n";
    text += "{\"value\": [";
    for (int op = 0; op < 3; ++op) {
      text += op == 0 ? "" : ", ";
      text += "[\"w\", " + std::to_string(random() % 100) + ", " +
              std::to_string(3 * i + op + 2) +
              (random() % 9 == 0 ? ", false]" : ", true]");
    }
    text += "]}\n";
  }
  ASSERT_GT(text.size(), std::size_t{3} << 20);
  const std::string one = in_full(viper, text, 1);
  EXPECT_GT(one.size(), text.size() / 4) << one;
  EXPECT_TRUE(one == in_full(viper, text, 2));
  EXPECT_TRUE(one == in_full(viper, text, 7));
  text[text.find("true", text.size() - 50)] = 'T';
  text[text.find("true", text.size() / 2)] = 'T';
  const std::string error = in_full(viper, text, 1);
  EXPECT_EQ(error.substr(0, 4), "big:") << error.substr(0, 200);
  EXPECT_EQ(error, in_full(viper, text, 7));
}

TEST(Sharding, DoesNotShowInDbcopHistHistories) {
  const Format& format = format_named("dbcop-hist");
  std::mt19937_64 random(8);
  std::string text = "// [comment]\n";
  for (int i = 0; i < 200'000; ++i) {
    const bool fresh = text.back() == '\n';
    if (fresh && random() % 50 == 0) text += "  // - [x:=1]\r\n";
    if (fresh && random() % 9000 == 0) text += "\t--\n";
    text += i % 7 == 0 ? " []" : "[";
    for (int op = 0; i % 7 != 0 && op < 3; ++op) {
      const std::string key = (random() % 9 == 0 ? "a_longer_name" : "k") +
                              std::to_string(random() % 5000);
      text += key + (random() % 2 == 0 ? ":=" : "==") +
              std::to_string(random() % 500 == 0 ? 0 : 3 * i + op + 1) + ' ';
    }
    text += i % 7 == 0 ? "" : random() % 30 == 0 ? "]!" : "]";
    text += random() % 4 == 0 ? "" : random() % 9 == 0 ? "\r\n" : "\n";
  }
  text += "[x:=1]";
  ASSERT_GT(text.size(), std::size_t{6} << 20);
  const std::string one = in_full(format, text, 1);
  EXPECT_GT(one.size(), text.size() / 2) << one;
  EXPECT_TRUE(one == in_full(format, text, 2));
  EXPECT_TRUE(one == in_full(format, text, 7));
  EXPECT_TRUE(one == in_full(format, text + "\n", 7));
  text.back() = '\r';
  text[text.find(":=", text.size() / 2)] = '-';
  const std::string error = in_full(format, text, 1);
  EXPECT_EQ(error.substr(0, 4), "big:") << error.substr(0, 200);
  EXPECT_EQ(error, in_full(format, text, 7));
}

// A line without end is quoted in part, and found without quadratic work.
TEST(HugeLine, IsAnErrorOfModestSize) {
  const std::string line(std::size_t{10} << 20, '7');
  for (const Format& format : formats()) {
    for (const std::string& text : {"r(" + line, "r " + line, line}) {
      const std::string found = in_full(format, text, 2);
      EXPECT_TRUE(found.starts_with("big:1:") || found.starts_with("big:byte"))
          << found.substr(0, 200);
      EXPECT_LT(found.size(), 1000u);
    }
  }
}

TEST(HugeLine, OfBlanksIsFine) {
  const std::string blanks(std::size_t{10} << 20, ' ');
  const std::string found =
      in_full(format_named("plume"), "w(1,1,1,1)" + blanks + "\n", 2);
  EXPECT_EQ(found.substr(0, 11), "1: W(1,1)\nt") << found.substr(0, 200);
}

}  // namespace
}  // namespace awdit
