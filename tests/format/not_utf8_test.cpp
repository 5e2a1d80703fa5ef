// Texts may be any bytes (EDN and our own files can hold them), but those of
// JSON are UTF-8: two names that differ must not become one on the way, and
// what is lost must be said.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/sink.h"
#include "convert/convert.h"
#include "format/format.h"
#include "format/same.h"
#include "history/builder.h"

namespace awdit {
namespace {

// Which texts are not UTF-8.
enum class Broken { nothing, sessions, keys, values, initial, nodes, metas };

History make(Broken what) {
  Builder builder({.initial_value = Atom::nil()});
  Builder::Shard& shard = builder.add_shard();
  const auto name = [&](Broken kind, const char* text) {
    return builder.string(what == kind ? text : text + 1);
  };
  if (what == Broken::initial) {
    builder.set_initial_value(builder.string("\xFF"));
  }
  for (int i = 0; i < 4; ++i) {
    const bool odd = i % 2 != 0;
    shard.select(name(Broken::sessions, odd ? "\xFF"
                                              "a"
                                            : "\xFE"
                                              "b"),
                 i + 1);
    shard.node(name(Broken::nodes, "\xC3n"));
    shard.meta(name(Broken::metas, "\xED\"m\""));
    const Atom key = name(Broken::keys, i < 2 ? "\xFFx" : "\xFEy");
    const Atom value = name(Broken::values, i < 2 ? "\xFFv" : "\xFEw");
    if (odd) {
      shard.read(key, value);
      shard.read(name(Broken::keys, "\xFDz"), what == Broken::initial
                                                  ? builder.string("\xFF")
                                                  : Atom::nil());
      shard.write(name(Broken::keys, "\xFDq"),
                  i == 1 ? builder.string("\xEF\xBF\xBD") : Atom::nil());
    } else {
      shard.write(key, value);
    }
  }
  return std::move(*builder.finish(1));
}

class NotUtf8 : public testing::TestWithParam<std::size_t> {};

TEST_P(NotUtf8, IsNotMixedUpAndNamedAsLost) {
  const Format& format = formats()[GetParam()];
  if (format.write == nullptr || format.directory) GTEST_SKIP();
  const Result<Fitted> fine = fit(make(Broken::nothing), format, {});
  ASSERT_TRUE(fine.has_value());
  for (const Broken what : {Broken::sessions, Broken::keys, Broken::values,
                            Broken::initial, Broken::nodes, Broken::metas}) {
    const Result<Fitted> fitted = fit(make(what), format, {});
    ASSERT_TRUE(fitted.has_value());
    std::string text;
    Sink sink(text);
    format.write(fitted->history,
                 [&](std::string_view) -> Sink& { return sink; });
    sink.flush();
    const Input input = Input::of(text);
    const Result<History> again = format.parse({&input, 1}, 1);
    ASSERT_TRUE(again.has_value()) << to_string(again.error()) << text;
    EXPECT_EQ(difference(fitted->history, *again, format.capacity), "") << text;
    if (format.name == "awdit") {
      EXPECT_TRUE(fitted->losses.empty()) << fitted->losses[0];
    }
    if (format.name == "awdit-jsonl") {
      EXPECT_TRUE(fine->losses.empty());
      EXPECT_EQ(fitted->losses.size(), 1u) << static_cast<int>(what);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, NotUtf8,
                         testing::Range(std::size_t{0}, formats().size()),
                         [](const testing::TestParamInfo<std::size_t>& row) {
                           std::string name(formats()[row.param].name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// With a mapping, renumbering is no loss, unless the mapping cannot tell.
TEST(NotUtf8Mapping, IsNamedAsLost) {
  const auto losses = [](Broken what) {
    std::string text;
    Sink mapping(text);
    for (const Format& format : formats()) {
      if (format.name != "awdit-jsonl") continue;
      return fit(make(what), format, {.mapping = &mapping})->losses;
    }
    return std::vector<std::string>{"no such format"};
  };
  EXPECT_TRUE(losses(Broken::nothing).empty());
  const std::vector<std::string> expected = {
      "bytes of names that are not UTF-8: U+FFFD in the mapping"};
  EXPECT_EQ(losses(Broken::keys), expected);
  EXPECT_EQ(losses(Broken::values), expected);
  EXPECT_EQ(losses(Broken::sessions), expected);
}

}  // namespace
}  // namespace awdit
