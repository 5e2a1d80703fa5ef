// What a serial run is made of: the stores, the choice of keys, and gadgets as
// they are planted. What generated histories promise as a whole is
// tests/property/generate_test.cpp.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/table.h"
#include "generate/generate.h"
#include "generate/key_chooser.h"
#include "generate/planter.h"
#include "generate/scribe.h"
#include "generate/store.h"
#include "history/builder.h"
#include "history/text.h"

namespace awdit {
namespace {

// A store of one key, whose label is 1, and what was asked of it.
template <typename Store>
class OneKey {
 public:
  explicit OneKey(std::uint32_t list_length = 32)
      : fresh_(1), store_(parameters(list_length), random_, fresh_) {}

  // Writes these values, then reads.
  void transaction(bool lasting, std::vector<std::uint32_t> values) {
    shard_.select(Atom::integer(1), ++label_,
                  lasting ? Status::committed : Status::aborted);
    store_.begin(lasting);
    for (const std::uint32_t value : values) store_.write(shard_, 0, value);
    store_.read(shard_, 0);
    store_.end();
  }
  std::string text() { return to_text(*builder_.finish(1)); }

 private:
  static Parameters parameters(std::uint32_t list_length) {
    Parameters result;
    result.keys = 1;
    result.list_length = list_length;
    return result;
  }

  Random random_{1};
  FreshKeys fresh_;
  Store store_;
  Builder builder_{{.initial_value = Atom::integer(0)}};
  Builder::Shard& shard_ = builder_.add_shard();
  std::int64_t label_ = 0;
};

TEST(Registers, TakeBackWhatDoesNotLast) {
  OneKey<Registers> store;
  store.transaction(true, {5});
  store.transaction(false, {6, 7});
  store.transaction(true, {});
  EXPECT_EQ(store.text(),
            "1: W(1,5) R(1,5) | W(1,6) W(1,7) R(1,7) ! | R(1,5)\n");
}

TEST(Lists, TakeBackWhatDoesNotLast) {
  OneKey<Lists> store;
  store.transaction(true, {5});
  store.transaction(false, {6});
  store.transaction(true, {7});
  EXPECT_EQ(store.text(),
            "1: A(1,5) R(1,[5]) | A(1,6) R(1,[5 6]) ! | A(1,7) R(1,[5 7])\n");
}

TEST(Lists, ThatAreFullGiveWayToAFreshKey) {
  OneKey<Lists> store(2);
  store.transaction(true, {5, 6});
  store.transaction(false, {7});
  store.transaction(true, {8});
  EXPECT_EQ(store.text(),
            "1: A(1,5) A(1,6) R(1,[5 6]) | A(2,7) R(2,[7]) ! | "
            "A(3,8) R(3,[8])\n");
}

TEST(KeyChooser, StaysWithinTheKeysAndGoesToTheHotOnes) {
  Random random(3);
  for (const Distribution::Kind kind :
       {Distribution::Kind::uniform, Distribution::Kind::zipf,
        Distribution::Kind::hotspot}) {
    const KeyChooser choose({.kind = kind}, 10);
    std::vector<int> drawn(10);
    for (int i = 0; i < 2000; ++i) ++drawn.at(choose(random));
    if (kind == Distribution::Kind::uniform) {
      EXPECT_GT(drawn[9], 100);
    } else {
      EXPECT_GT(drawn[0] + drawn[1], 2 * (drawn[8] + drawn[9]));
    }
  }
}

TEST(Planter, ChoosesDifferentSessions) {
  Random random(5);
  for (const Gadget& gadget : gadgets()) {
    const std::vector<std::uint32_t> chosen =
        choose_sessions(gadget, sessions_of(gadget), random);
    EXPECT_EQ(std::set(chosen.begin(), chosen.end()).size(),
              sessions_of(gadget))
        << gadget.name;
  }
}

TEST(Planter, PutsAScriptOnKeysAndValuesOfItsOwn) {
  Builder builder({.initial_value = Atom::integer(0)});
  Parameters parameters;
  Scribe scribe(builder, parameters, 10);
  FreshKeys keys(100);
  const Gadget gadget{.name = "made-up",
                      .aliases = {},
                      .summary = "",
                      .script = "s1: W(x,1)\ns2: R(x,1) R(y,0)\n",
                      .breaks = {}};
  const std::uint32_t sessions[] = {4, 2};
  plant(gadget, false, sessions, keys, scribe);
  EXPECT_EQ(to_text(*builder.finish(1)),
            "5: W(101,1)\n"
            "3: R(101,1) R(102,0)\n");
}

TEST(Planter, ReadsWholeListsWhereTheRunIsOfLists) {
  Builder builder({.initial_value = Atom::nil()});
  Parameters parameters;
  Scribe scribe(builder, parameters, 10);
  FreshKeys keys(0);
  const Gadget gadget{.name = "made-up",
                      .aliases = {},
                      .summary = "",
                      .script = "s1: W(x,1) | W(x,2)\ns2: R(x,2) | R(x,0)\n",
                      .breaks = {}};
  const std::uint32_t sessions[] = {0, 1};
  plant(gadget, true, sessions, keys, scribe);
  EXPECT_EQ(to_text(*builder.finish(1)),
            "1: A(1,1) | A(1,2)\n"
            "2: R(1,[1 2]) | R(1,[])\n");
}

}  // namespace
}  // namespace awdit
