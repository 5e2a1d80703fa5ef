// A part of a history in which the order of sessions does not count: checked as
// the whole is, written as it was recorded.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "history/text.h"
#include "tell/tell.h"

namespace awdit {
namespace {

History parse(std::string_view text) {
  Result<History> history = parse_text(text, "h");
  EXPECT_TRUE(history) << text;
  return std::move(*history);
}

constexpr std::string_view kText =
    "s1: W(x,1) W(z,1) | R(y,1) W(x,2)\ns2: W(y,1) | R(x,1)\n";
constexpr std::string_view kPart = "s1: W(x,1) | W(x,2)\ns2: W(y,1) | R(x,1)\n";

std::vector<OpId> without(const History& history,
                          std::vector<std::uint32_t> left_out) {
  std::vector<OpId> ops;
  for (std::uint32_t op = 0; op < history.num_ops(); ++op) {
    if (std::find(left_out.begin(), left_out.end(), op) == left_out.end()) {
      ops.push_back(OpId(op));
    }
  }
  return ops;
}

TEST(Extract, KeepsTheSessionsOfTheWhole) {
  const History whole = parse(kText);
  const std::vector<OpId> ops = without(whole, {1, 2});
  for (const History& part :
       {extract(whole, ops), extract_sessions(whole, ops)}) {
    EXPECT_TRUE(part.session_order());
    EXPECT_EQ(to_text(part), kPart);
  }
}

TEST(Extract, WithoutSessionOrderThePartHasNoneEither) {
  const History whole = parse(kText).without_session_order();
  const History part = extract(whole, without(whole, {1, 2}));
  EXPECT_FALSE(part.session_order());
  EXPECT_EQ(part.num_sessions(), 4u);
  for (std::uint32_t t = 0; t < 4; ++t) {
    EXPECT_EQ(part.txn_name(TxnId(t)), whole.txn_name(TxnId(t)));
  }
}

TEST(Extract, TheSessionsCanBeHadAllTheSame) {
  const History whole = parse(kText).without_session_order();
  const History part = extract_sessions(whole, without(whole, {1, 2}));
  EXPECT_TRUE(part.session_order());
  EXPECT_EQ(to_text(part), kPart);
}

}  // namespace
}  // namespace awdit
