// The notation of tests and documents, as far as it is about lists and times.
#include "history/text.h"

#include <gtest/gtest.h>

#include <string>

namespace awdit {
namespace {

History parse(std::string_view text) {
  Result<History> history = parse_text(text, "h");
  EXPECT_TRUE(history) << text;
  return std::move(*history);
}

std::string error_of(std::string_view text) {
  const Result<History> history = parse_text(text, "h");
  EXPECT_FALSE(history) << text;
  return history ? "" : history.error().where + ": " + history.error().message;
}

TEST(Lists, AreReadWhole) {
  const History history = parse("s1: A(x,1) A(x,2) | R(x,[1 2]) R(y,[])");
  ASSERT_TRUE(history.has_lists());
  EXPECT_EQ(history.initial_value(), Atom::nil());
  ASSERT_EQ(history.num_ops(), 4u);
  EXPECT_TRUE(history.is_write(OpId(1)));
  EXPECT_EQ(history.value(OpId(1)), Atom::integer(2));
  EXPECT_EQ(history.list_size(OpId(1)), 0u);

  EXPECT_FALSE(history.is_write(OpId(2)));
  ASSERT_EQ(history.list_size(OpId(2)), 2u);
  EXPECT_EQ(history.element(OpId(2), 0), Atom::integer(1));
  EXPECT_EQ(history.element(OpId(2), 1), Atom::integer(2));
  EXPECT_EQ(history.value(OpId(2)), Atom::integer(2));

  EXPECT_EQ(history.list_size(OpId(3)), 0u);
  EXPECT_EQ(history.value(OpId(3)), Atom::nil());
}

TEST(Lists, MayHoldNumbersNamesAndNil) {
  const History history = parse("s: A(x,a) A(x,-7) R(x,[ a  -7 nil]) R(x,nil)");
  EXPECT_EQ(to_text(history), "s: A(x,a) A(x,-7) R(x,[a -7 nil]) R(x,[])\n");
  EXPECT_EQ(history.element(OpId(2), 2), Atom::nil());
  EXPECT_EQ(history.element(OpId(2), 0).kind, Atom::Kind::string);
  EXPECT_EQ(history.element(OpId(2), 1), Atom::integer(-7));
}

// Numbers of up to 32 bits take half the room: both ways, and kinds.
TEST(Lists, MayBeBeginningsOfOthers) {
  for (const char* const texts :
       {"s: R(x,[1 2]) R(x,[1 2 3]) R(x,[1 4 3]) R(x,[])",
        "s: R(x,[1 -2]) R(x,[1 -2 3]) R(x,[1 -4 3]) R(x,[])",
        "s: R(x,[1 nil]) R(x,[1 nil 3]) R(x,[1 0 3]) R(x,[])"}) {
    const History history = parse(texts);
    const auto begins = [&](std::uint32_t a, std::uint32_t b) {
      return history.list_begins(OpId(a), OpId(b));
    };
    EXPECT_TRUE(begins(0, 1)) << texts;
    EXPECT_FALSE(begins(1, 0)) << texts;
    EXPECT_FALSE(begins(0, 2)) << texts;
    EXPECT_TRUE(begins(3, 0)) << texts;
    EXPECT_TRUE(begins(2, 2)) << texts;
  }
}

TEST(Lists, SurviveTheRoundTrip) {
  const std::string text =
      "1: A(x,1) R(x,[1]) A(y,b) | R(x,[1 2]) !\n"
      "2: R(x,[]) A(x,2) ? | R(y,[b])\n";
  const History history = parse(text);
  EXPECT_EQ(to_text(history), text);
  EXPECT_EQ(to_text(parse(to_text(history))), text);
}

TEST(Lists, NilAloneMakesNoList) {
  EXPECT_FALSE(parse("s: R(x,nil)").has_lists());
  EXPECT_TRUE(parse("s: R(x,nil) A(y,1)").has_lists());
  EXPECT_FALSE(parse("s: R(x,nil) W(y,1)").has_lists());
}

TEST(Lists, DoNotMixWithOtherValues) {
  const std::string lists =
      ": expected a list or an append: this is a history of lists";
  const std::string values = ": expected no list: this is a history of values";
  EXPECT_EQ(error_of("s: A(x,1) W(x,2)"), "h:1:11" + lists);
  EXPECT_EQ(error_of("s: A(x,1)\ns: R(x,1)"), "h:2:8" + lists);
  EXPECT_EQ(error_of("s: R(x,[]) R(x,0)"), "h:1:16" + lists);
  EXPECT_EQ(error_of("s: W(x,1) | A(x,2)"), "h:1:13" + values);
  EXPECT_EQ(error_of("s: R(x,1) R(x,[1])"), "h:1:15" + values);
}

TEST(Lists, MustEnd) {
  EXPECT_EQ(error_of("s: R(x,[1"), "h:1:10: expected a value");
  EXPECT_EQ(error_of("s: R(x,[1,2])"), "h:1:10: expected a value");
  EXPECT_EQ(error_of("s: R(x,[[1]])"), "h:1:9: expected a value");
  EXPECT_EQ(error_of("s: R(x,[1]"), "h:1:11: expected ')'");
  EXPECT_EQ(error_of("s: A(x,[1])"), "h:1:8: expected a value");
}

TEST(Times, StandBehindTheOperations) {
  const History history = parse(
      "s1: W(x,1) @1-2 | W(x,2) R(x,2) @5-8! | @9-10\n"
      "s2: R(x,1) @3-?\ns2: R(x,1) @-7 | R(x,1)\n");
  EXPECT_EQ(history.clock(), Clock::events);
  using Times = History::Times;
  EXPECT_EQ(history.times(TxnId(0)), (Times{1, 2}));
  EXPECT_EQ(history.times(TxnId(1)), (Times{5, 8}));
  EXPECT_EQ(history.status(TxnId(1)), Status::aborted);
  EXPECT_EQ(history.times(TxnId(2)), (Times{9, 10}));
  EXPECT_EQ(history.times(TxnId(3)), (Times{3, kNoTime}));
  EXPECT_EQ(history.status(TxnId(3)), Status::unknown);
  EXPECT_EQ(history.times(TxnId(4)), (Times{kNoTime, 7}));
  EXPECT_EQ(history.times(TxnId(5)), std::nullopt);
  EXPECT_TRUE(history.ended_before(TxnId(0), TxnId(3)));
  EXPECT_FALSE(history.ended_before(TxnId(3), TxnId(2)));
}

TEST(Times, SurviveTheRoundTrip) {
  const std::string text =
      "1: W(x,1) @1-2 | R(x,1) @0- ! | @5-6\n"
      "2: R(x,0) @-9 ? | R(x,1)\n";
  EXPECT_EQ(to_text(parse(text)), text);
}

TEST(Times, AreNoneUnlessTold) {
  EXPECT_EQ(parse("s: W(x,1)!").clock(), Clock::none);
  EXPECT_EQ(to_text(parse("s: W(x,1)!")), "s: W(x,1) !\n");
  // Nothing is known of this one, but the history has a clock.
  EXPECT_EQ(parse("s: W(x,1) @-").clock(), Clock::events);
  EXPECT_EQ(parse("s: W(x,1) @-").times(TxnId(0)), std::nullopt);
}

TEST(Times, ThatAreNone) {
  EXPECT_EQ(error_of("s: W(x,1) @"), "h:1:12: expected '-'");
  EXPECT_EQ(error_of("s: W(x,1) @1"), "h:1:13: expected '-'");
  EXPECT_EQ(error_of("s: W(x,1) @x-2"), "h:1:12: expected '-'");
  EXPECT_EQ(error_of("s: W(x,1) @ 1-2"), "h:1:13: expected '-'");
  EXPECT_EQ(error_of("s: W(x,1) @1--2"), "h:1:14: expected '|'");
  EXPECT_EQ(error_of("s: W(x,1)! @1-2"), "h:1:12: expected '|'");
  EXPECT_EQ(error_of("s: @1-2 W(x,1)"), "h:1:9: expected '|'");
  EXPECT_EQ(error_of("s: W(x,1) @12-3"),
            "h:1:15: expected an end that is not before its begin");
  EXPECT_EQ(error_of("s: @1-99999999999999999999"),
            "h:1:7: expected a smaller number");
}

// A history with one read of the numbers 0 ... n-1.
History counting(int n) {
  std::string text = "s: R(x,[";
  for (int i = 0; i < n; ++i) text += std::to_string(i) + " ";
  return parse(text + "])");
}

TEST(ListText, ShowsShortListsWhole) {
  EXPECT_EQ(list_text(counting(0), OpId(0)), "[]");
  EXPECT_EQ(list_text(counting(1), OpId(0), {0}), "[0]");
  EXPECT_EQ(list_text(counting(9), OpId(0), {4}), "[0 1 2 3 4 5 6 7 8]");
}

TEST(ListText, ShowsTheEndsOfLongOnes) {
  EXPECT_EQ(list_text(counting(10), OpId(0)), "[0 1 2 ... 4 more ... 7 8 9]");
  EXPECT_EQ(list_text(counting(1000), OpId(0)),
            "[0 1 2 ... 994 more ... 997 998 999]");
}

TEST(ListText, ShowsWhatStandsAroundAPlace) {
  const History history = counting(1000);
  const auto text = [&](std::initializer_list<std::uint32_t> places) {
    return list_text(history, OpId(0), places);
  };
  EXPECT_EQ(text({500}),
            "[0 1 ... 497 more ... 499 500 501 ... 496 more ... 998 999]");
  EXPECT_EQ(text({0}), "[0 1 ... 996 more ... 998 999]");
  EXPECT_EQ(text({999}), "[0 1 ... 996 more ... 998 999]");
  EXPECT_EQ(text({6}), "[0 1 2 3 4 5 6 7 ... 990 more ... 998 999]");
  EXPECT_EQ(text({7}), "[0 1 ... 4 more ... 6 7 8 ... 989 more ... 998 999]");
  EXPECT_EQ(text({500, 3}),
            "[0 1 2 3 4 ... 494 more ... 499 500 501 ... 496 more ... 998 "
            "999]");
  // No places of the list.
  EXPECT_EQ(text({1000, kNoId}), text({}));
}

}  // namespace
}  // namespace awdit
