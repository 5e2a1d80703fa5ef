// A serial order of a history of lists, if there is one.
#include "check/shown_order.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "history/text.h"

namespace awdit {
namespace {

// The order, without session order, as the first operations' places; "none".
std::string order_of(const std::string& text, unsigned threads = 1) {
  Result<History> parsed = parse_text(text);
  EXPECT_TRUE(parsed.has_value());
  const History history = std::move(*parsed).without_session_order();
  Result<Index> index = Index::build(history, threads, 1);
  EXPECT_TRUE(index.has_value());
  const ShownOrder order = shown_order(*index);
  if (!order.tangles.empty()) return "none";
  std::string result;
  for (const std::uint32_t txn : order.txns) {
    result += (result.empty() ? "" : " ") + std::to_string(txn);
  }
  return result;
}

TEST(ShownOrder, PutsReadersBeforeTheNextVersion) {
  EXPECT_EQ(order_of("a: A(x,1)\nb: A(x,2)\nc: R(x,[1])\nd: R(x,[])\n"
                     "e: R(x,[1 2])\n"),
            "3 0 2 1 4");
}

TEST(ShownOrder, PutsReadersBeforeThoseInNoList) {
  EXPECT_EQ(order_of("a: A(x,1)\nb: A(x,2)\nc: R(x,[1])\nd: R(x,[1])\n"),
            "0 2 3 1");
  EXPECT_EQ(order_of("a: A(x,1)\nb: A(x,2)\nc: R(x,[])\n"), "2 0 1");
  EXPECT_EQ(order_of("a: A(x,1)\nb: R(x,[])\nc: R(x,[1])\n"), "1 0 2");
}

TEST(ShownOrder, OneOfThoseInNoListMayHaveReadTheLongest) {
  EXPECT_EQ(order_of("a: A(x,1)\nb: A(x,2)\nc: R(x,[1]) A(x,3)\n"
                     "d: R(x,[1])\n"),
            "0 3 2 1");
  // Of two one is lost.
  EXPECT_EQ(order_of("a: A(x,1)\nb: R(x,[1]) A(x,2)\nc: R(x,[1]) A(x,3)\n"),
            "none");
}

TEST(ShownOrder, ThereIsNoneIfReadersMissEachOther) {
  EXPECT_EQ(order_of("a: R(x,[]) A(y,1)\nb: R(y,[]) A(x,1)\n"), "none");
  EXPECT_EQ(order_of("a: A(x,1)\nb: R(x,[1]) A(x,2) R(x,[1 2])\n"), "0 1");
}

// As many readers of the longest list as there are in no list, each of whom
// comes after all of them: linear nevertheless; the same with more threads.
TEST(ShownOrder, ManyAfterMany) {
  constexpr int kMany = 30'000;
  std::string text = "a: A(x,1)\n";
  for (int i = 0; i < kMany; ++i) {
    text += "w" + std::to_string(i) + ": A(x," + std::to_string(i + 2) + ")\n";
    text += "r" + std::to_string(i) + ": R(x,[1])\n";
  }
  const std::string order = order_of(text);
  EXPECT_NE(order, "none");
  EXPECT_EQ(order_of(text, 3), order);
}

// Write skew between a transaction before and one after: those on the cycle,
// and from whom they read, make an order that fits into that of all.
TEST(ShownOrder, WhatIsTangledIsPutInItsPlace) {
  Result<History> parsed = parse_text(
      "a: A(x,1) A(y,1) A(z,1)\n"
      "b: A(z,2)\n"
      "c: R(x,[1]) R(y,[1]) A(x,2)\n"
      "d: R(x,[1]) R(y,[1]) A(y,2)\n"
      "e: R(x,[1 2]) R(y,[1 2]) R(z,[1 2])\n");
  ASSERT_TRUE(parsed.has_value());
  const History history = std::move(*parsed).without_session_order();
  Result<Index> index = Index::build(history, 1, 1);
  ASSERT_TRUE(index.has_value());
  const ShownOrder order = shown_order(*index);
  using Numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(order.txns, (Numbers{0, 1, 2, 3, 4}));
  ASSERT_EQ(order.tangles.size(), 1u);
  EXPECT_EQ(order.tangles[0].begin, 2u);
  EXPECT_EQ(order.tangles[0].end, 4u);
  // e read the longest lists of x and y.
  const Numbers txns = tangled_txns(*index, order);
  EXPECT_EQ(txns, (Numbers{0, 2, 3, 4}));
  // d first, and c in the snapshot that only contains a.
  Solution solution;
  solution.order = {0, 2, 1, 3};
  solution.snapshots = {0, 1, 1, 3};
  const Joined joined = join(order, txns, solution);
  EXPECT_EQ(joined.order, (Numbers{0, 1, 3, 2, 4}));
  EXPECT_EQ(joined.snapshots, (Numbers{0, 1, 2, 2, 4}));
}

}  // namespace
}  // namespace awdit
