// Arrays of transactions are cut where something looks like a transaction
// (format/pieces.h). Here pieces are tiny, so that cuts fall everywhere: into
// strings, into nested values, before and behind mistakes. What comes out must
// be what one piece gives, damaged texts included.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "base/table.h"
#include "format/format.h"
#include "format/pieces.h"
#include "in_full.h"

namespace awdit {
namespace {

void expect_same(const Format& format, const std::string& text) {
  const std::string whole = in_full(format, text, 1);
  for (const std::size_t size : {1u, 20u, 90u}) {
    const SmallPieces small(size);
    for (const unsigned threads : {1u, 2u, 7u}) {
      ASSERT_EQ(whole, in_full(format, text, threads))
          << "pieces of " << size << ", " << threads << " threads:\n"
          << text;
    }
  }
}

std::string replaced(std::string text, const std::string& from,
                     const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// As it stands, on one line, and with Windows line ends.
std::vector<std::string> spellings(const std::string& text) {
  return {text, replaced(text, "\n", ""), replaced(text, "\n", "\r\n")};
}

std::string chronos(int tid, const std::string& ops,
                    const std::string& more = "") {
  return "{\"tid\": " + std::to_string(tid) +
         ", \"sid\": " + (tid % 3 == 0 ? "\"s{[\"" : std::to_string(tid % 3)) +
         more +
         ", \"sts\": {\"p\": 1, \"l\": 0}, \"cts\": {\"p\": 2, \"l\": "
         "0}, \"ops\": [" +
         ops + "]}";
}
std::string chronos_op(const std::string& kind, int key,
                       const std::string& value) {
  return "{\"t\": \"" + kind + "\", \"k\": " + std::to_string(key) +
         ", \"v\": " + value + "}";
}

std::vector<std::string> chronos_texts() {
  const std::string fake = chronos(77, chronos_op("w", 1, "99"));
  std::vector<std::string> texts;
  const auto add = [&](const std::vector<std::string>& txns) {
    std::string text = "[\n";
    for (std::size_t i = 0; i < txns.size(); ++i) {
      text += (i == 0 ? "" : ",\n") + txns[i];
    }
    for (const std::string& spelt : spellings(text + "\n]\n")) {
      texts.push_back(spelt);
    }
  };
  add({chronos(1, chronos_op("w", 1, "1")), chronos(2, ""),
       chronos(3, chronos_op("r", 1, "1") + ", " + chronos_op("w", 2, "2")),
       chronos(4, chronos_op("r", 2, "null")), chronos(5, "")});
  // Values that look like transactions, alone and in arrays, and texts.
  add({chronos(1, chronos_op("w", 1, "1"), ", \"x\": " + fake),
       chronos(2, "", ", \"x\": [" + fake + ",\n" + fake + ",\n" + fake + "]"),
       chronos(3, chronos_op("r", 1, "1"), ", \"x\": \"]},{\\\"tid\\\": 1\""),
       chronos(4, chronos_op("w", 1, "4"), ", \"x\": [[" + fake + "]]"),
       chronos(6, chronos_op("w", 1, "5"),
               ", \"{\": {\"tid\": {\"tid\": 1}}")});
  // Lists behind values, and values behind lists.
  add({chronos(1, chronos_op("r", 1, "null")),
       chronos(2, chronos_op("w", 1, "1")), chronos(3, ""),
       chronos(4, chronos_op("r", 1, "null")),
       chronos(5, chronos_op("a", 1, "2"))});
  add({chronos(1, chronos_op("a", 1, "1")), chronos(2, ""),
       chronos(3, chronos_op("r", 1, "[1]")),
       chronos(4, chronos_op("r", 1, "null") + ", " + chronos_op("w", 1, "3")),
       chronos(5, chronos_op("a", 1, "2"))});
  // Zeros: nobody writes that of 2; somebody does; null is read at the end.
  add({chronos(1, chronos_op("r", 1, "0")), chronos(2, chronos_op("r", 2, "0")),
       chronos(3, chronos_op("w", 1, "0")),
       chronos(4, chronos_op("r", 3, "0"))});
  add({chronos(1, chronos_op("r", 1, "0")), chronos(2, chronos_op("w", 1, "0")),
       chronos(3, "")});
  add({chronos(1, chronos_op("r", 1, "0")), chronos(2, ""),
       chronos(3, chronos_op("r", 2, "null"))});
  // An id twice.
  add({chronos(1, chronos_op("w", 1, "1")), chronos(2, ""),
       chronos(1, chronos_op("w", 1, "2")), chronos(2, "")});
  return texts;
}

std::string dbcop(const std::string& events, const std::string& more = "") {
  return "{\"events\": [" + events + "]" + more + ", \"committed\": true}";
}
std::string dbcop_event(const std::string& kind, int key,
                        const std::string& version) {
  return "{\"" + kind + "\": {\"variable\": " + std::to_string(key) +
         ", \"version\": " + version + "}}";
}

std::vector<std::string> dbcop_texts() {
  const std::string write = dbcop(dbcop_event("Write", 1, "1"));
  const std::string read = dbcop(dbcop_event("Read", 1, "1"));
  const std::string nested = dbcop(
      "", ", \"x\": [" + write + ",\n" + read + "], \"y\": [[" + read + "]]");
  std::vector<std::string> texts;
  const auto add = [&](const std::string& data) {
    for (const std::string& spelt : spellings(data)) texts.push_back(spelt);
    for (const std::string& spelt :
         spellings("{\"info\": \"[[{\\\"events\\\"\",\n\"data\": " + data +
                   ", \"more\": [[" + write + ",\n" + read + "]]}\n")) {
      texts.push_back(spelt);
    }
  };
  add("[[" + write + ",\n" + read + "],\n[],\n[" + read + ",\n" + read +
      "],\n[" + read + "],[]\n]");
  add("[[],[\n" + nested + ",\n" + write + "],\n[" + nested + "],[" + read +
      ",\n" + nested + "]]");
  // Version 0 is read, and written elsewhere.
  add("[[" + dbcop(dbcop_event("Read", 1, "0")) + ",\n" + write + "],\n[" +
      dbcop(dbcop_event("Write", 1, "0")) + ",\n" +
      dbcop(dbcop_event("Read", 2, "0")) + "]]");
  texts.push_back("{\"data\": [[" + write + "],[" + read + "]], \"data\": [[" +
                  write + "," + write + "]]}");
  return texts;
}

void expect_same(std::string_view name, const std::vector<std::string>& texts) {
  const Format& format = *find_row(formats(), name);
  for (const std::string& text : texts) expect_same(format, text);
}

TEST(JsonPieces, DoNotShowInChronos) {
  expect_same("chronos", chronos_texts());
}
TEST(JsonPieces, DoNotShowInDbcopJson) {
  expect_same("dbcop-json", dbcop_texts());
}

// One byte is another, or is missing, or all behind it is.
void expect_same_when_damaged(std::string_view name,
                              const std::vector<std::string>& texts) {
  const Format& format = *find_row(formats(), name);
  constexpr std::string_view kBytes = "{}[],:\"\\0x\n";
  unsigned number = 0;
  for (const std::string& text : texts) {
    for (std::size_t at = 0; at < text.size(); ++at, ++number) {
      std::string damaged = text;
      if (number % 3 == 0) {
        damaged.erase(at, 1);
      } else if (number % 17 == 1) {
        damaged.resize(at);
      } else {
        damaged[at] = kBytes[number % kBytes.size()];
      }
      const std::string whole = in_full(format, damaged, 1);
      const SmallPieces small(1 + number % 150);
      ASSERT_EQ(whole, in_full(format, damaged, 1 + number % 3))
          << 1 + number % 150 << " bytes:\n"
          << damaged;
    }
  }
}

TEST(JsonPieces, DoNotShowInDamagedChronos) {
  expect_same_when_damaged("chronos", chronos_texts());
}
TEST(JsonPieces, DoNotShowInDamagedDbcopJson) {
  expect_same_when_damaged("dbcop-json", dbcop_texts());
}

// Objects in objects, each of which looks like a transaction to the end of the
// file: no piece reads all of it in vain.
TEST(JsonPieces, DeepGuessesAreGivenUpEarly) {
  const Format& format = *find_row(formats(), "chronos");
  std::string text = "[" + chronos(1, "") + ",\n";
  const std::string filler(2000, ' ');
  std::string close;
  for (int i = 0; i < 500; ++i) {
    text += "{\"tid\": 1, \"x\": " + filler;
    close += "}";
  }
  text += "1" + close + "]";
  const std::string whole = in_full(format, text, 1);
  const SmallPieces small(1000);
  EXPECT_EQ(whole, in_full(format, text, 7));
}

}  // namespace
}  // namespace awdit
