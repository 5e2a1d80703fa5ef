// What is special to our own formats: recorders and what they leave behind, and
// histories that lie in a mapped file.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/table.h"
#include "format/format.h"
#include "format/same.h"
#include "history/builder.h"
#include "history/text.h"

namespace awdit {
namespace {

namespace fs = std::filesystem;

const Format& format(std::string_view name) {
  return *find_row(formats(), name);
}

Term text(std::string_view t) { return {{0, Atom::Kind::string}, t}; }
Term number(std::int64_t n) { return {Atom::integer(n)}; }

// Records transaction `n` of a made-up run.
void record(Recording& recording, std::int64_t n, bool ids, bool lists) {
  using Op = Record::Op;
  const std::string key = "key " + std::to_string(n % 7);
  const std::vector<Term> elements = {number(n - 7), text("v"), {Atom::nil()}};
  std::vector<Op> ops;
  if (lists) {
    ops.push_back({OpKind::read_list, text(key), {}, elements});
    ops.push_back({OpKind::read_list, number(n), {}, {}});
    ops.push_back({OpKind::append, text(key), number(n)});
  } else {
    ops.push_back({OpKind::read, text(key), {Atom::absent()}});
    ops.push_back({OpKind::write, text(key), number(n)});
    ops.push_back({OpKind::write, number(-n), text("value")});
  }
  if (n % 5 == 0) ops.clear();
  Record made{.session = n % 3 == 0 ? text("c0") : number(n % 3),
              .status = Status(n % 3),
              .ops = ops};
  if (ids) made.id = n;
  if (n % 2 == 0) made.times = History::Times{n * 10, n * 10 + 5};
  if (n % 4 == 0) made.ticks = History::Times{n, kNoTime};
  if (n % 2 == 1) made.node = "n1";
  if (n % 4 == 1) made.meta = R"({"retries":1})";
  recording.add(made);
}

struct Trial {
  std::string name;
  std::int64_t txns;
  std::int64_t flush_every;
  bool ids;
  bool lists;
};

std::string recorded(std::string_view name, const Trial& run) {
  std::string bytes;
  Sink sink(bytes);
  const auto recording =
      format(name).record(sink, {.clock = Clock::milliseconds});
  for (std::int64_t n = 1; n <= run.txns; ++n) {
    record(*recording, n, run.ids, run.lists);
    if (n % run.flush_every == 0) recording->flush();
  }
  recording->flush();
  return bytes;
}

Result<History> parse(std::string_view name, std::string_view bytes,
                      unsigned threads = 2) {
  const Input input = Input::of(bytes, "recorded");
  return format(name).parse({&input, 1}, threads);
}

class Recorded : public testing::TestWithParam<Trial> {};

TEST_P(Recorded, TheSameInEveryFormat) {
  const Result<History> lines =
      parse("awdit-jsonl", recorded("awdit-jsonl", GetParam()));
  const std::string bytes = recorded("awdit", GetParam());
  const Result<History> blocks = parse("awdit", bytes);
  ASSERT_TRUE(lines) << to_string(lines.error());
  ASSERT_TRUE(blocks) << to_string(blocks.error());
  EXPECT_EQ(lines->num_txns(), static_cast<std::uint32_t>(GetParam().txns));
  EXPECT_EQ(difference(*lines, *blocks, format("awdit").capacity), "");
  const auto order = [](const History& h) {
    return std::vector(h.input_order().begin(), h.input_order().end());
  };
  EXPECT_EQ(order(*lines), order(*blocks));
  const Result<History> again = parse("awdit", bytes, 5);
  EXPECT_EQ(difference(*blocks, *again, format("awdit").capacity), "");
}

INSTANTIATE_TEST_SUITE_P(
    Runs, Recorded,
    testing::Values(Trial{"few", 20, 100, true, false},
                    Trial{"flushed", 50, 3, true, false},
                    Trial{"without_ids", 50, 7, false, false},
                    Trial{"lists", 40, 9, true, true},
                    Trial{"many", 20000, 100000, true, false},
                    Trial{"many_lists", 20000, 7001, false, true}),
    [](const auto& run) { return run.param.name; });

TEST(Recording, WhatWasFlushedSurvivesAnyCut) {
  const Trial run{"", 30, 10, true, false};
  for (const std::string_view name : {"awdit", "awdit-jsonl"}) {
    const std::string bytes = recorded(name, run);
    std::uint32_t last = 0;
    for (std::size_t size = 1; size <= bytes.size(); ++size) {
      const Result<History> history = parse(name, bytes.substr(0, size));
      if (!history) {
        EXPECT_EQ(last, 0u)
            << name << " cut to " << size << ": " << to_string(history.error());
        continue;
      }
      EXPECT_GE(history->num_txns(), last);
      last = history->num_txns();
    }
    EXPECT_EQ(last, 30u);
  }
}

// What is said about the whole has no ids, and takes none away.
TEST(Recording, SomethingAboutTheWholeLeavesIdsAlone) {
  const std::vector<std::string> said = {R"({"seed":7})",
                                         R"({"fault":"kill"})"};
  for (const std::string_view name : {"awdit", "awdit-jsonl"}) {
    std::string bytes;
    Sink sink(bytes);
    const auto recording = format(name).record(sink, {});
    recording->about(said[0]);
    record(*recording, 1, true, false);
    record(*recording, 2, true, false);
    recording->about(said[1]);
    recording->flush();
    const Result<History> history = parse(name, bytes);
    ASSERT_TRUE(history) << name << ": " << to_string(history.error());
    EXPECT_EQ(history->about(), said) << name;
    EXPECT_EQ(history->num_txns(), 2u) << name;
    EXPECT_TRUE(history->has_ids()) << name;
    EXPECT_TRUE(history->warnings().empty()) << name;
  }
}

TEST(Recording, EveryChangedByteIsNoticed) {
  std::string bytes = recorded("awdit", {"", 12, 6, true, false});
  const Result<History> whole = parse("awdit", bytes);
  ASSERT_TRUE(whole);
  for (char& byte : bytes) {
    byte = static_cast<char>(byte ^ 0x20);
    const Result<History> history = parse("awdit", bytes);
    // Of the last block a warning tells.
    EXPECT_TRUE(!history || !history->warnings().empty());
    byte = static_cast<char>(byte ^ 0x20);
  }
}

// A file on disk is used in place, and must stay there while the history lives.
TEST(Mapped, OutlivesItsInput) {
  const fs::path folder = fs::path(testing::TempDir()) / "awdit-mapped";
  fs::create_directories(folder);
  const Result<History> made = parse(
      "awdit-jsonl", recorded("awdit-jsonl", {"", 5000, 100, true, true}));
  ASSERT_TRUE(made);
  const fs::path path = folder / "history.awdit";
  {
    std::ofstream file(path, std::ios::binary);
    Sink sink([&](std::string_view bytes) {
      file << bytes;
      return true;
    });
    format("awdit").write(*made,
                          [&](std::string_view) -> Sink& { return sink; });
  }
  Result<Loaded> loaded = read_history(path.string(), nullptr, 2);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  fs::remove_all(folder);
  const History moved = std::move(loaded->history);
  EXPECT_EQ(to_text(moved), to_text(*made));
  EXPECT_EQ(difference(moved, *made, format("awdit").capacity), "");
}

// As long as they need, wherever they are cut: more than one piece.
TEST(Jsonl, PiecesDoNotShow) {
  const std::string bytes =
      recorded("awdit-jsonl", {"", 30000, 100000, true, false});
  ASSERT_GT(bytes.size(), std::size_t{2} << 20);
  const Result<History> one = parse("awdit-jsonl", bytes, 1);
  const Result<History> five = parse("awdit-jsonl", bytes, 5);
  ASSERT_TRUE(one);
  ASSERT_TRUE(five);
  EXPECT_EQ(to_text(*one), to_text(*five));
  for (const OpId op : {OpId(0), OpId(40000), OpId(one->num_ops() - 1)}) {
    EXPECT_EQ(one->place(op).line, five->place(op).line);
    EXPECT_GT(one->place(op).line, 1u);
  }
  // The first mistake counts, whichever thread finds one first.
  std::string broken = bytes;
  broken[broken.find('\n', broken.size() / 2) + 1] = '?';
  broken[broken.find('\n', broken.size() / 3) + 1] = '!';
  const Result<History> wrong = parse("awdit-jsonl", broken, 5);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().where, parse("awdit-jsonl", broken, 1).error().where);
  EXPECT_NE(wrong.error().message.find("found \"!\""), std::string::npos)
      << wrong.error().message;
}

}  // namespace
}  // namespace awdit
