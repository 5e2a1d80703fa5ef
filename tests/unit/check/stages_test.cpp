// The stages of the index, one by one: sources, promotion, order, stale reads,
// events. If a property test fails, these say where to look first.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "check/events.h"
#include "check/order.h"
#include "check/promotion.h"
#include "check/source_walk.h"
#include "check/sources.h"
#include "check/stale_reads.h"
#include "history/text.h"

namespace awdit {
namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr Split kAlone{1, 1};

History history_of(const std::string& text) {
  Result<History> history = parse_text(text);
  EXPECT_TRUE(history.has_value());
  return std::move(*history);
}

Numbers numbers(std::span<const std::uint32_t> ids) {
  return {ids.begin(), ids.end()};
}

Attributed attributed(const History& history) {
  Result<Attributed> found = find_sources(history, 1);
  EXPECT_TRUE(found.has_value());
  return std::move(*found);
}

std::string kinds(const std::vector<Violation>& findings) {
  std::string text;
  for (const Violation& finding : findings) {
    text += std::string(text.empty() ? "" : " ") +
            std::string(anomaly(finding.kind).name) + "@" +
            std::to_string(finding.finding()->read.v);
  }
  return text;
}

// -- sources ------------------------------------------------------------------

TEST(Sources, OfEveryRead) {
  const History history =
      history_of("s1: W(x,1) R(x,1)\ns2: R(x,1) R(y,0)\ns3: R(x,1)!\n");
  const Attributed found = attributed(history);
  const std::uint32_t init = history.init_txn().v;
  EXPECT_EQ(numbers(found.sources.of.span()),
            (Numbers{kIsWrite, kOwnRead, 0, init, kSetAside}));
  EXPECT_EQ(found.sources.reads, 3u);
  EXPECT_TRUE(found.sources.findings.empty());
}

const char* const kEveryFinding =
    "s1: W(x,1) W(x,2)\n"
    "s2: R(x,7) | R(x,1) | R(y,3) | R(z,4) W(z,4)\n"
    "s3: W(y,3)!\n"
    "s4: W(a,1) R(a,0) | W(b,1) W(b,2) R(b,1) | R(x,2)\n";

TEST(Sources, FindingsByRead) {
  const History history = history_of(kEveryFinding);
  const Attributed found = attributed(history);
  EXPECT_EQ(kinds(found.sources.findings),
            "thin-air-read@2 intermediate-read@3 aborted-read@4 future-read@5 "
            "own-write-ignored@9 stale-own-write@12");
  for (const Violation& finding : found.sources.findings) {
    EXPECT_EQ(found.sources.of[finding.finding()->read.v], kSetAside);
  }
}

// Both ways agree where both can be gone.
TEST(Sources, TheWalkFindsTheSame) {
  for (const std::string& text :
       {std::string(kEveryFinding),
        std::string("s1: W(x,1) | W(x,2)\ns2: R(x,1) R(x,2) R(x,1)\n"),
        std::string("s1: R(x,2)\ns2: W(x,1) | W(x,2)\ns3: R(x,0)\n")}) {
    const History history = history_of(text);
    ASSERT_TRUE(SourceWalk::suits(history));
    const Attributed joined = attributed(history);
    const Live live = committed_only(history);
    const Order order = order_of(history, live, promising_order(history, live));
    for (const Split& split : {kAlone, Split{3, 1}}) {
      SourceWalk walk(history, split, live, order);
      ASSERT_TRUE(walk.run());
      EXPECT_EQ(numbers(walk.sources.of.span()),
                numbers(joined.sources.of.span()))
          << text;
      EXPECT_EQ(kinds(walk.sources.findings), kinds(joined.sources.findings));
      EXPECT_EQ(walk.sources.reads, joined.sources.reads);
      const StaleReads stale =
          find_stale_reads(history, kAlone, joined.sources.of.span(), order);
      EXPECT_EQ(walk.stale.any, stale.any) << text;
      EXPECT_EQ(walk.stale.found.count, stale.found.count) << text;
      EXPECT_EQ(walk.stale.found.disordered, stale.found.disordered);
    }
  }
}

TEST(Sources, AValueWrittenTwiceIsAnError) {
  const History history = history_of("s1: W(x,1)\ns2: W(x,1)\n");
  const Result<Attributed> found = find_sources(history, 1);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().message,
            "key x gets the value 1 twice: by t1 (line 1) and by t2 (line 2)");
  const Live live = committed_only(history);
  const Order order = order_of(history, live, promising_order(history, live));
  EXPECT_FALSE(SourceWalk(history, kAlone, live, order).run());
}

TEST(Sources, OfAListAreTheMakerOfItsVersion) {
  const History history =
      history_of("s1: A(x,1)\ns2: A(x,2) R(x,[1 2])\ns3: R(x,[1 2])\n");
  EXPECT_EQ(numbers(attributed(history).sources.of.span()),
            (Numbers{kIsWrite, kIsWrite, 0, 1}));
}

// -- promotion ----------------------------------------------------------------

TEST(Promotion, GoesFromReaderToWriter) {
  // t1 <- t2 <- t3, which committed; t4 is read by an aborted one only.
  const History history = history_of(
      "s1: W(x,1)?\ns2: R(x,1) W(y,1)?\ns3: R(y,1)\ns4: W(z,1)?\ns5: "
      "R(z,1)!\n");
  const Live live = attributed(history).live;
  EXPECT_EQ(live.promoted, (std::vector<TxnId>{TxnId(0), TxnId(1)}));
  EXPECT_EQ(live.dropped, 1u);
  EXPECT_EQ(Numbers(live.is.begin(), live.is.end()), (Numbers{1, 1, 1, 0, 0}));
  EXPECT_EQ(numbers(previous_live(history, live).span()), Numbers(5, kNoId));
}

TEST(Promotion, NeedsAReaderThatCounts) {
  const History history = history_of("s1: W(x,1)?\ns2: R(x,1)?\n");
  EXPECT_TRUE(promote(history, {{1, 0}}).promoted.empty());
  EXPECT_EQ(promote(history, {{1, 0}}).dropped, 2u);
  const History read = history_of("s1: W(x,1)?\ns2: R(x,1)\n");
  EXPECT_EQ(promote(read, {{1, 0}, {1, 0}}).promoted,
            std::vector<TxnId>{TxnId(0)});
}

TEST(Promotion, OfTwoEqualWritesIsAnError) {
  const History dropped = history_of("s1: W(x,1)?\ns2: W(x,1)?\n");
  EXPECT_TRUE(find_sources(dropped, 1).has_value());
  const History promoted =
      history_of("s1: W(x,1)?\ns2: W(x,1) W(y,1)?\ns3: R(x,1) R(y,1)\n");
  EXPECT_FALSE(find_sources(promoted, 1).has_value());
}

// -- order --------------------------------------------------------------------

TEST(Order, LeavesOutWhoDoesNotCount) {
  const History history = history_of("s1: W(x,1) | W(x,2)!\ns2: R(x,1)\n");
  const Live live = committed_only(history);
  const Order order = order_of(history, live, Numbers{2, 1, 0});
  EXPECT_EQ(numbers(order.txns.span()), (Numbers{history.init_txn().v, 2, 0}));
  EXPECT_EQ(numbers(order.ranks.span()), (Numbers{2, kNoId, 1, 0}));
}

Numbers sorted(const History& history, const Numbers& walk) {
  const Attributed found = attributed(history);
  const Order order = order_of(history, found.live, walk);
  ListVersions versions;
  if (history.has_lists()) {
    versions = find_list_versions(history, found.sources.of.span(),
                                  order.txns.span().subspan(1), 1);
    EXPECT_EQ(versions_ascend(versions, order.ranks.span()),
              walk == Numbers({0, 1, 2}));
  }
  return topological_order(
      history, order, previous_live(history, found.live).span(),
      found.sources.of, versions,
      std::vector<RankSpan>{{1, static_cast<std::uint32_t>(walk.size())}});
}

TEST(Order, PutsSourcesFirstAndLeavesTheRest) {
  const History reads = history_of("s1: R(x,1)\ns2: W(x,1)\ns3: W(y,1)\n");
  EXPECT_EQ(sorted(reads, {2, 0, 1}), (Numbers{2, 1, 0}));
  const History cycle = history_of("s1: R(x,1) W(y,1)\ns2: R(y,1) W(x,1)\n");
  EXPECT_EQ(sorted(cycle, {0, 1}), Numbers());
}

TEST(Order, StaysAsItIsElsewhere) {
  // Nothing is said of the last two, which are the wrong way round, too.
  const History history = history_of(
      "s1: R(x,1)\ns2: W(x,1)\ns3: W(z,1)\ns4: R(y,1)\ns5: W(y,1)\n");
  const Attributed found = attributed(history);
  const Order order = order_of(history, found.live, Numbers{0, 1, 2, 3, 4});
  EXPECT_EQ(topological_order(
                history, order, previous_live(history, found.live).span(),
                found.sources.of, {}, std::vector<RankSpan>{{1, 2}}),
            (Numbers{1, 0, 2, 3, 4}));
}

TEST(Order, ContainsWhatListsShow) {
  const History lists = history_of("s1: A(x,1)\ns2: A(x,2)\ns3: R(x,[1 2])\n");
  EXPECT_EQ(sorted(lists, {0, 1, 2}), (Numbers{0, 1, 2}));
  EXPECT_EQ(sorted(lists, {1, 2, 0}), (Numbers{0, 1, 2}));
}

// -- stale reads --------------------------------------------------------------

TEST(StaleReads, MissTheLatestWriteBeforeThem) {
  const History history =
      history_of("s1: W(x,1) W(y,1) | W(x,2)\ns2: R(x,1) R(y,1)\ns3: R(x,2)\n");
  const Attributed found = attributed(history);
  const Order order = order_of(history, found.live, Numbers{0, 1, 2, 3});
  for (const Split& split : {kAlone, Split{4, 1}}) {
    StaleReads stale =
        find_stale_reads(history, split, found.sources.of.span(), order);
    EXPECT_TRUE(stale.any);
    EXPECT_FALSE(stale.found.disordered);
    EXPECT_EQ(Numbers(stale.txns.begin(), stale.txns.end()),
              (Numbers{0, 0, 1, 0}));
    EXPECT_EQ(Numbers(stale.keys.begin(), stale.keys.end()), (Numbers{1, 0}));
    // Without the read nothing is stale.
    Numbers sources = numbers(found.sources.of.span());
    ASSERT_EQ(stale.found.few.size(), 1u);
    sources[stale.found.few[0].op] = kSetAside;
    stale.mark_again(history, sources);
    EXPECT_FALSE(stale.any);
    EXPECT_EQ(stale.txns[2], 0);
    stale.mark_again(history, found.sources.of.span());
    EXPECT_TRUE(stale.any);
  }
}

TEST(StaleReads, MayComeBeforeTheirSource) {
  const History history = history_of("s1: R(x,1)\ns2: W(x,1)\n");
  const Attributed found = attributed(history);
  const Order order = order_of(history, found.live, Numbers{0, 1});
  EXPECT_TRUE(find_stale_reads(history, kAlone, found.sources.of.span(), order)
                  .found.disordered);
}

// -- events -------------------------------------------------------------------

TEST(Events, InTheGuessedOrder) {
  const History history =
      history_of("s1: W(x,1) | W(x,2) W(y,1)\ns2: R(x,1) R(x,1)\n");
  const Attributed found = attributed(history);
  const Order order = order_of(history, found.live, Numbers{0, 1, 2});
  const auto told = [&](const Events& events) {
    std::string text;
    events.for_each_key(
        1, [&](unsigned, std::uint32_t key, std::span<const Event> all) {
          text += history.key_label(KeyId(key)) + ":";
          for (const Event& event : all) {
            text += " " + std::to_string(event.txn) +
                    (event.is_write()   ? "w"
                     : event.is_stale() ? "s"
                                        : "r");
          }
          text += "\n";
        });
    return text;
  };
  EXPECT_EQ(told(find_events(history, kAlone, found.sources.of.span(),
                             order.txns.span(), {})),
            "x: 0w 1w 2s\ny: 1w\n");
  const std::vector<std::uint8_t> only_y = {0, 1};
  EXPECT_EQ(told(find_events(history, {2, 4096}, found.sources.of.span(),
                             order.txns.span(), only_y)),
            "y: 1w\n");
}

}  // namespace
}  // namespace awdit
