// When readers may have looked, and what is made of it: suspects, mended
// orders, guessed snapshots and serial orders.
#include "check/looks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/table.h"
#include "check/end_times.h"
#include "check/guessed_orders.h"
#include "check/sources.h"
#include "history/text.h"

namespace awdit {
namespace {

using Numbers = std::vector<std::uint32_t>;

History history_of(const std::string& text) {
  Result<History> history = parse_text(text);
  EXPECT_TRUE(history.has_value());
  return std::move(*history);
}

struct Walked {
  explicit Walked(const History& history, const Numbers& walk)
      : found(std::move(*find_sources(history, 1))),
        order(order_of(history, found.live, walk)),
        previous(previous_live(history, found.live)) {}

  Looks looks(const History& history, const Split& split) const {
    const StaleReads stale =
        find_stale_reads(history, {1, 1}, found.sources.of.span(), order);
    return find_looks(history, split, found.sources.of.span(), order,
                      previous.span(), stale);
  }
  Numbers mended(const History& history, Blame blame) const {
    return mend_order(history, order, found.sources.of.span(), previous.span(),
                      looks(history, {1, 1}), blame);
  }

  Attributed found;
  Order order;
  Array<std::uint32_t> previous;
};

// s3 reads x of t0, though t1 has replaced it, and y of t2, which comes later.
const char* const kSuspect =
    "s1: W(x,1)\ns2: W(x,2)\ns3: W(y,1)\ns4: R(x,1) R(y,1)\n";

TEST(Looks, AreBehindWhatWasSeenAndBeforeWhatWasMissed) {
  const History history = history_of(kSuspect);
  for (const Split& split : {Split{1, 1}, Split{3, 1}}) {
    const Looks suspect = Walked(history, {0, 1, 2, 3}).looks(history, split);
    ASSERT_EQ(suspect.of.size(), 1u);
    EXPECT_EQ(suspect.of[0].reader, 4u);
    EXPECT_EQ(suspect.of[0].seen, 3u);
    EXPECT_EQ(suspect.of[0].missed, 2u);
    EXPECT_TRUE(suspect.of[0].is_suspect());
    EXPECT_EQ(suspect.num_suspects(), 1u);
    EXPECT_TRUE(suspect.suspects.any);
    EXPECT_EQ(
        Numbers(suspect.suspects.txns.begin(), suspect.suspects.txns.end()),
        (Numbers{0, 0, 0, 1}));
    EXPECT_EQ(
        Numbers(suspect.suspects.keys.begin(), suspect.suspects.keys.end()),
        (Numbers{1, 0}));
    // Had y been written before, it might have looked between the two.
    const Looks harmless = Walked(history, {0, 2, 1, 3}).looks(history, split);
    ASSERT_EQ(harmless.of.size(), 1u);
    EXPECT_EQ(harmless.of[0].seen, 2u);
    EXPECT_EQ(harmless.of[0].missed, 3u);
    EXPECT_FALSE(harmless.suspects.any);
  }
}

TEST(Looks, SayWhatTheirReaderReplaced) {
  const History history =
      history_of("s1: W(x,1) | W(z,1)\ns2: W(x,2)\ns3: R(x,1) W(z,2) W(x,3)\n");
  const Looks looks = Walked(history, {0, 1, 2, 3}).looks(history, {1, 1});
  ASSERT_EQ(looks.of.size(), 1u);
  EXPECT_EQ(looks.of[0].seen, 1u);
  EXPECT_EQ(looks.of[0].missed, 3u);
  EXPECT_EQ(looks.of[0].replaced, 3u);  // x of t2
}

// The definition, read by read.
Looks by_definition(const History& history, const Walked& walked) {
  Looks looks;
  const auto sources = walked.found.sources.of.span();
  const auto ranks = walked.order.ranks.span();
  const auto txns = walked.order.txns.span();
  const auto writes = [&](std::uint32_t rank, KeyId key) {
    if (rank == 0) return false;
    for (const OpId op : history.ops(TxnId(txns[rank]))) {
      if (history.is_write(op) && history.key(op) == key) return true;
    }
    return false;
  };
  for (std::uint32_t rank = 1; rank < txns.size(); ++rank) {
    Look look{rank, 0, kNoId, 0};
    if (walked.previous[txns[rank]] != kNoId) {
      look.seen = ranks[walked.previous[txns[rank]]];
    }
    for (const OpId op : history.ops(TxnId(txns[rank]))) {
      const bool reads = is_external(sources[op.v]);
      if (reads) look.seen = std::max(look.seen, ranks[sources[op.v]]);
      for (std::uint32_t other = 1; other < rank; ++other) {
        if (!writes(other, history.key(op))) continue;
        if (history.is_write(op))
          look.replaced = std::max(look.replaced, other);
        if (reads && other > ranks[sources[op.v]]) {
          look.missed = std::min(look.missed, other);
        }
      }
    }
    if (look.missed != kNoId) looks.of.push_back(look);
  }
  return looks;
}

std::string random_text(std::mt19937& random) {
  std::string text;
  std::vector<std::vector<int>> written(4, {0});  // [key], so far
  int value = 0;
  for (int session = 0; session < 5; ++session) {
    text += "s" + std::to_string(session + 1) + ":";
    for (int txn = 0; txn < 6; ++txn) {
      if (txn != 0) text += " |";
      for (int op = 0; op < 3; ++op) {
        const unsigned key = random() % 4;
        const std::string name(1, static_cast<char>('a' + key));
        if (random() % 2 == 0) {
          written[key].push_back(++value);
          text += " W(" + name + "," + std::to_string(value) + ")";
        } else {
          const auto& all = written[key];
          const std::size_t back =
              std::min<std::size_t>(random() % 3, all.size() - 1);
          text += " R(" + name + "," +
                  std::to_string(all[all.size() - 1 - back]) + ")";
        }
      }
    }
    text += "\n";
  }
  return text;
}

TEST(Looks, AreWhatTheDefinitionSays) {
  std::mt19937 random(1);
  std::size_t suspects = 0, harmless = 0;
  for (int round = 0; round < 300; ++round) {
    const History history = history_of(random_text(random));
    // Each read comes after its source.
    Numbers walk(history.num_txns());
    for (std::uint32_t t = 0; t < walk.size(); ++t) walk[t] = t;
    Walked walked(history, walk);
    const Looks expected = by_definition(history, walked);
    for (const Split& split : {Split{1, 1}, Split{2, 1}, Split{5, 1}}) {
      const Looks looks = walked.looks(history, split);
      ASSERT_EQ(looks.of.size(), expected.of.size());
      for (std::size_t i = 0; i < looks.of.size(); ++i) {
        EXPECT_EQ(looks.of[i].reader, expected.of[i].reader);
        EXPECT_EQ(looks.of[i].seen, expected.of[i].seen);
        EXPECT_EQ(looks.of[i].missed, expected.of[i].missed);
        EXPECT_EQ(looks.of[i].replaced, expected.of[i].replaced);
        const std::uint32_t txn = walked.order.txns[looks.of[i].reader];
        EXPECT_EQ(looks.suspects.txns[txn] != 0, looks.of[i].is_suspect());
        ++(looks.of[i].is_suspect() ? suspects : harmless);
      }
    }
  }
  EXPECT_GT(suspects, 1000u);
  EXPECT_GT(harmless, 100u);
}

TEST(MendOrder, MovesWhoIsToBlame) {
  const History history = history_of(kSuspect);
  const Walked walked(history, {0, 1, 2, 3});
  // Either t1 wrote x before t0 did, or t2 came before t1.
  EXPECT_EQ(walked.mended(history, Blame::writers), (Numbers{1, 0, 2, 3}));
  EXPECT_EQ(walked.mended(history, Blame::others), (Numbers{0, 2, 1, 3}));
  EXPECT_EQ(walked.mended(history, Blame::whoever), (Numbers{0, 2, 1, 3}));
}

TEST(MendOrder, TakesAlongWhatTheyDependOn) {
  // t3 read from t2, which t1 must not follow.
  const History history = history_of(
      "s1: W(x,1)\ns2: W(x,2)\ns3: W(z,1)\ns4: R(z,1) W(y,1)\n"
      "s5: R(x,1) R(y,1)\n");
  EXPECT_EQ(Walked(history, {0, 1, 2, 3, 4}).mended(history, Blame::others),
            (Numbers{0, 2, 3, 1, 4}));
}

TEST(MendOrder, LeavesWhereTheyAreWhoDependOnEachOther) {
  // t1 read what t0 wrote, and s3 has seen t1.
  const History history =
      history_of("s1: W(x,1)\ns2: R(x,1) W(x,2) W(y,1)\ns3: R(y,1) R(x,1)\n");
  const Walked walked(history, {0, 1, 2});
  for (const Blame blame : {Blame::whoever, Blame::others, Blame::writers}) {
    EXPECT_TRUE(walked.mended(history, blame).empty());
  }
}

// The order contains all that is known, and the stale reads are those in it.
void expect_sound(const Index& index, const Numbers& sources) {
  const History& history = index.history();
  const auto ranks = index.ranks();
  for (std::uint32_t txn = 0; txn < history.num_txns(); ++txn) {
    if (index.previous(txn) != kNoId) {
      EXPECT_LT(ranks[index.previous(txn)], ranks[txn]);
    }
    for (const OpId op : history.ops(TxnId(txn))) {
      if (is_external(sources[op.v])) {
        EXPECT_LT(ranks[sources[op.v]], ranks[txn]);
      }
    }
  }
  const Outlook again = index.outlook(index.order().subspan(1));
  EXPECT_EQ(index.any_stale(), again.stale.any);
  EXPECT_TRUE(std::ranges::equal(index.stale_keys(), again.stale.keys.span()));
}

TEST(MendOrder, WithReadsLeftOutIsOneForTheWhole) {
  std::mt19937 random(2);
  std::size_t mended = 0;
  for (int round = 0; round < 400; ++round) {
    const History history = history_of(random_text(random));
    Result<Index> index = Index::build(history, 1, 1);
    ASSERT_TRUE(index.has_value());
    ASSERT_TRUE(index->acyclic());
    const Numbers sources(index->sources().begin(), index->sources().end());
    const auto leave_out_some = [&] {
      std::vector<OpId> reads;
      for (std::uint32_t op = 0; op < sources.size(); ++op) {
        if (is_external(sources[op]) && random() % 8 == 0) {
          reads.emplace_back(op);
        }
      }
      index->leave_out(reads);
      index->settle();
      expect_sound(*index, sources);
    };
    leave_out_some();
    mended += index->mend() ? 1 : 0;
    expect_sound(*index, sources);
    leave_out_some();
    index->leave_out({});
    index->settle();
    expect_sound(*index, sources);
    EXPECT_TRUE(std::ranges::equal(index->sources(), sources));
    if (HasFailure()) FAIL() << "in round " << round;
  }
  EXPECT_GT(mended, 100u);
}

TEST(GuessedOrders, ASnapshotIsWhereTheReaderLooked) {
  const History history =
      history_of("s1: W(x,1) | W(x,2)\ns2: R(x,1) W(y,1)\n");
  Result<Index> index = Index::build(history, 1, 1);
  ASSERT_TRUE(index.has_value());
  const auto snapshots =
      guess_snapshots(*index, *find_row(levels(), "snapshot-isolation"));
  ASSERT_TRUE(snapshots.has_value());
  EXPECT_EQ(*snapshots, (Numbers{0, 1, 1}));
}

TEST(GuessedOrders, ALostUpdateHasNoSnapshot) {
  const History history = history_of("s1: R(x,0) W(x,1)\ns2: R(x,0) W(x,2)\n");
  Result<Index> index = Index::build(history, 1, 1);
  ASSERT_TRUE(index.has_value());
  EXPECT_FALSE(
      guess_snapshots(*index, *find_row(levels(), "snapshot-isolation"))
          .has_value());
  EXPECT_TRUE(
      guess_snapshots(*index, *find_row(levels(), "prefix")).has_value());
  EXPECT_FALSE(guess_serial_order(*index, false).is_serial);
}

TEST(GuessedOrders, ASerialOneIsMadeStepByStep) {
  // Each missed the one before it, who goes elsewhere, too.
  const History history = history_of(
      "s1: W(a,1)\ns2: R(a,0) W(b,1)\ns3: R(b,0) W(c,1)\n"
      "s4: R(c,0)\n");
  Result<Index> index = Index::build(history, 1, 1);
  ASSERT_TRUE(index.has_value());
  ASSERT_TRUE(index->any_stale());
  const NearSerial near = guess_serial_order(*index, false);
  EXPECT_TRUE(near.is_serial);
  EXPECT_EQ(near.order, (Numbers{3, 2, 1, 0}));
}

// Whether each read returns what was written last before it in the order.
bool is_serial_in(const Index& index, const Numbers& order) {
  return !index.outlook(order).stale.any;
}

TEST(GuessedOrders, AStretchIsSearchedWhereSuspectsAre) {
  for (const char* const rest : {"", "s5: R(x,2)\n"}) {
    const History history = history_of(kSuspect + std::string(rest));
    Result<Index> index = Index::build(history, 1, 1);
    ASSERT_TRUE(index.has_value());
    ASSERT_EQ(index->looks().num_suspects(), 1u);
    const NearSerial near = guess_serial_order(*index, false);
    ASSERT_TRUE(near.is_serial);
    EXPECT_TRUE(is_serial_in(*index, near.order));
    const Numbers expected = {0, 2, 3, 1, 4};
    EXPECT_TRUE(std::ranges::equal(
        near.order, std::span(expected).first(near.order.size())));
  }
}

// Two writers missed the same; which of them is the last one is said behind the
// stretch, where their order is not that of the input.
TEST(GuessedOrders, WhoIsReadBehindAStretchIsTheLastInIt) {
  const std::string missed =
      "s1: W(x,1)\ns2: W(x,3)\ns3: W(x,2)\ns4: W(y,1)\ns5: R(x,1) R(y,1)\n";
  for (const char* const read : {"s6: R(x,2)\n", "s6: R(x,3)\n"}) {
    const History history = history_of(missed + std::string(read));
    Result<Index> index = Index::build(history, 1, 1);
    ASSERT_TRUE(index.has_value());
    const NearSerial near = guess_serial_order(*index, false);
    EXPECT_TRUE(near.is_serial) << read;
    EXPECT_TRUE(is_serial_in(*index, near.order)) << read;
  }
}

TEST(GuessedOrders, NothingIsSaidOfWhatIsNotSerializable) {
  const History history =
      history_of("s1: R(x,0) W(y,1)\ns2: R(y,0) W(x,1)\ns3: R(x,1) R(y,1)\n");
  Result<Index> index = Index::build(history, 1, 1);
  ASSERT_TRUE(index.has_value());
  EXPECT_FALSE(guess_serial_order(*index, false).is_serial);
}

}  // namespace
}  // namespace awdit
