// The steps of a plan, one by one: what each finds must change, and what it
// says about it. That fitted histories survive writing and reading is
// tests/format/roundtrip_test.cpp.
#include "convert/plan.h"

#include <gtest/gtest.h>

#include <string>

#include "base/table.h"
#include "convert/convert.h"
#include "convert/mapping.h"
#include "history/builder.h"
#include "history/text.h"

namespace awdit {
namespace {

using Fate = Plan::Fate;
using Losses = std::vector<std::string>;

History made(std::string_view text) {
  Result<History> history = parse_text(text);
  EXPECT_TRUE(history) << to_string(history.error());
  return std::move(*history);
}

// A format that holds everything but what a test takes away.
Format roomy() {
  Format format = *find_row(formats(), "awdit");
  format.name = "roomy";
  return format;
}

const FitOptions kPlain = {};

TEST(Outcomes, UnknownOnesAreSettledByWhoReadThem) {
  const History history = made(
      "s1: W(x,1)? | W(y,1)?\n"
      "s2: R(x,1)\n");
  Format target = roomy();
  target.capacity.unknown = false;
  Plan plan(history, target, kPlain);
  ASSERT_FALSE(settle_outcomes(plan));
  EXPECT_EQ(plan.fate, (std::vector{Fate::commit, Fate::drop, Fate::keep}));
  EXPECT_EQ(plan.losses,
            (Losses{"the unknown outcome of 2 transactions: 1 written as "
                    "committed, because their writes were read, 1 left out"}));
}

TEST(Outcomes, AbortedAndEmptyOnesGoWhereThereIsNoRoom) {
  const History history = made("s1: W(x,1)! | W(x,2)\n");
  Format target = roomy();
  target.capacity.aborted = false;
  Plan plan(history, target, kPlain);
  ASSERT_FALSE(settle_outcomes(plan));
  EXPECT_EQ(plan.fate, (std::vector{Fate::drop, Fate::keep}));
  EXPECT_EQ(plan.losses, (Losses{"1 aborted transaction; reads of their writes "
                                 "become thin-air reads"}));
}

TEST(Outcomes, ReadsOfNilByTheAbortedAreIdleWhereTheyCannotBeTold) {
  const History history = made("s1: A(x,1) | R(x,[]) A(x,2)!\n");
  Format target = roomy();
  target.capacity.idle_nil_reads = false;
  Plan plan(history, target, kPlain);
  ASSERT_FALSE(settle_outcomes(plan));
  EXPECT_EQ(plan.losses,
            (Losses{"1 read of nil by transactions that did not commit"}));
  EXPECT_FALSE(plan.is_idle(TxnId(0), OpId(0)));
  EXPECT_TRUE(plan.is_idle(TxnId(1), OpId(1)));
}

TEST(Ids, AreMadeUpBehindThoseThatExist) {
  Builder builder({.initial_value = Atom::integer(0), .labels_are_ids = true});
  Builder::Shard& shard = builder.add_shard();
  shard.select(Atom::integer(1), 7);
  shard.write(Atom::integer(1), Atom::integer(1));
  shard.select(Atom::integer(1), Builder::kNoLabel, Status::aborted);
  shard.write(Atom::integer(1), Atom::integer(2));
  const History history = std::move(*builder.finish(1));
  Format target = roomy();
  target.capacity.needs_ids = true;
  Plan plan(history, target, kPlain);
  settle_ids(plan);
  EXPECT_TRUE(plan.ids);
  EXPECT_FALSE(plan.renumber_ids);
  EXPECT_EQ(plan.first_made_up, 7);
  EXPECT_TRUE(plan.losses.empty());
  target.capacity.ids = false;
  target.capacity.needs_ids = false;
  Plan without(history, target, kPlain);
  settle_ids(without);
  EXPECT_FALSE(without.ids);
  EXPECT_EQ(without.losses, Losses{"the ids of transactions"});
}

TEST(Keys, AreRenamedIfOneDoesNotFit) {
  const History history = made("s1: W(1,1) W(x,1)\n");
  Format target = roomy();
  Plan fitting(history, target, kPlain);
  settle_keys(fitting);
  EXPECT_FALSE(fitting.renumber_keys);
  target.capacity.keys = Capacity::Atoms::naturals;
  Plan plan(history, target, kPlain);
  settle_keys(plan);
  EXPECT_TRUE(plan.renumber_keys);
  EXPECT_EQ(plan.losses,
            Losses{"the names of 2 keys: numbered from 1 in their order"});
}

TEST(Initial, AMissingInitialStateIsWrittenForTheKeysThatShowIt) {
  const History history = made("s1: R(x,0) W(y,1) | R(y,1)\n");
  Format target = roomy();
  target.capacity.initial = Capacity::Initial::none;
  Plan plan(history, target, kPlain);
  settle_initial(plan);
  ASSERT_EQ(plan.init_keys.size(), 1U);
  EXPECT_EQ(history.to_string(history.key_atom(plan.init_keys[0])), "x");
  EXPECT_FALSE(plan.renumber_values);
}

TEST(Initial, AWrittenValueMustNotBecomeTheInitialOne) {
  const History history = made("s1: R(x,nil)\ns2: W(x,nil) W(x,1)\n");
  Format target = roomy();
  target.capacity.initial = Capacity::Initial::nil;
  Plan plan(history, target, kPlain);
  settle_initial(plan);
  EXPECT_FALSE(plan.renumber_values);  // the read is of the write
  const History other = made("s1: R(x,0)\ns2: W(x,nil)\n");
  Plan mistaken(other, target, kPlain);
  settle_initial(mistaken);
  EXPECT_TRUE(mistaken.renumber_values);
}

TEST(Values, ThatMeanSomethingElseThereAreRenumbered) {
  const History plain = made("s1: W(x,5)\n");
  const History odd = made("s1: W(x,5) | W(x,66)\n");
  constexpr std::uint64_t kReserved[] = {66};
  Format target = roomy();
  target.capacity.reserved = kReserved;
  Plan fitting(plain, target, kPlain);
  settle_values(fitting);
  EXPECT_FALSE(fitting.numbers.has_value());
  Plan plan(odd, target, kPlain);
  settle_values(plan);
  ASSERT_TRUE(plan.numbers.has_value());
  EXPECT_EQ(plan.numbers->of(OpId(0)), 1U);
  EXPECT_EQ(plan.numbers->of(OpId(1)), 2U);
}

TEST(Notes, TimesAreLostWhereTheClockDoesNotFit) {
  const History history = made("s1: W(x,1)@1-2 | W(x,2)\n");
  Format target = roomy();
  target.capacity.clocks = 0;
  Plan plan(history, target, kPlain);
  settle_notes(plan);
  EXPECT_FALSE(plan.keep_times);
  EXPECT_EQ(plan.losses, Losses{"the times of 1 transaction"});
}

TEST(Mapping, TellsWhichNumberIsWhichName) {
  std::string told;
  {
    Sink sink(told);
    Format target = roomy();
    target.capacity.keys = Capacity::Atoms::naturals;
    const Result<Fitted> fitted =
        fit(made("s1: W(x,5) W(y,7)\n"), target, {.mapping = &sink});
    ASSERT_TRUE(fitted);
    EXPECT_TRUE(fitted->losses.empty());  // nothing that the mapping lacks
    EXPECT_EQ(to_text(fitted->history), "s1: W(1,5) W(2,7)\n");
  }
  EXPECT_EQ(told,
            "{\"key\":\"x\",\"written_as\":1}\n"
            "{\"key\":\"y\",\"written_as\":2}\n");
}

TEST(Fit, HandsBackWhatFits) {
  const std::string text = "s1: W(x,1) | R(x,2)\ns2: W(x,2) !\n";
  const Result<Fitted> fitted = fit(made(text), roomy(), kPlain);
  ASSERT_TRUE(fitted);
  EXPECT_TRUE(fitted->losses.empty());
  EXPECT_EQ(to_text(fitted->history), text);
}

}  // namespace
}  // namespace awdit
