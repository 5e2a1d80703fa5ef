// Writing a history in the formats of Jepsen and reading it again gives the
// same history: random ones with every kind of clock, id and text, also such as
// Jepsen could not have recorded.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/input.h"
#include "base/table.h"
#include "format/format.h"
#include "format/pieces.h"
#include "history/builder.h"

namespace awdit {
namespace {

std::string written(const History& history, std::string_view format) {
  std::string text;
  {
    Sink sink(text);
    find_row(formats(), format)->write(history, [&](std::string_view) -> Sink& {
      return sink;
    });
  }
  return text;
}

Result<History> parsed(std::string_view text, std::string_view format) {
  const Input input = Input::of(text, "input");
  return find_row(formats(), format)->parse({&input, 1}, 1);
}

std::string show(const History& history, Atom atom) {
  constexpr const char* kKinds[] = {"i", "n", "s", "-"};
  return kKinds[static_cast<int>(atom.kind)] + history.to_string(atom);
}

std::string show(const std::optional<History::Times>& times) {
  if (!times) return "-";
  const auto one = [](std::int64_t t) {
    return t == kNoTime ? "?" : std::to_string(t);
  };
  return one(times->begin) + ".." + one(times->end);
}

// Everything that must survive; sessions by label.
std::string describe(const History& history, bool ids) {
  std::map<std::string, std::string> sessions;
  for (const SessionId session : history.sessions()) {
    std::string text;
    for (const TxnId txn : history.txns(session)) {
      text += std::string(name(history.status(txn)));
      if (ids) {
        const auto id = history.txn_label(txn);
        text += " id " + (id ? std::to_string(*id) : "none");
      }
      text += " times " + show(history.times(txn)) + " ticks " +
              show(history.ticks(txn)) + ':';
      for (const OpId op : history.ops(txn)) {
        text += history.is_write(op) ? " W(" : " R(";
        text += show(history, history.key_atom(history.key(op))) + ',' +
                show(history, history.value(op));
        for (std::size_t i = 0;
             history.has_lists() && i < history.list_size(op); ++i) {
          text += ' ' + show(history, history.element(op, i));
        }
        text += ')';
      }
      text += '\n';
    }
    sessions[show(history, history.session_atom(session))] = text;
  }
  std::string all = "clock " + std::string(name(history.clock())) +
                    (history.has_lists() ? " lists\n" : "\n");
  for (const auto& [label, text] : sessions) all += label + ":\n" + text;
  return all;
}

// How the transactions of a random history know their times.
struct Kind {
  bool lists = false;
  bool ids = true;
  Clock clock = Clock::none;
  bool ticks = false;
  bool orderly = false;  // one transaction of a session after the other
  bool indexed = false;  // ids and ticks are those that Jepsen gives
};

class Maker {
 public:
  Maker(Kind kind, std::uint64_t seed)
      : kind_(kind),
        random_(seed),
        builder_({.initial_value = Atom::nil(),
                  .labels_are_ids = kind.ids,
                  .clock = kind.clock}),
        shard_(builder_.add_shard()) {}

  History make() {
    std::vector<std::int64_t> now(4, 0);  // [session] -> last time or index
    std::vector<bool> crashed(4, false);
    std::int64_t index = 0;
    for (std::size_t txn = 0; txn < 12; ++txn) {
      const std::size_t session = below(4);
      const Status status = below(3) != 0   ? Status::committed
                            : below(2) == 0 ? Status::aborted
                                            : Status::unknown;
      History::Times times{moment(), moment()}, ticks{moment(), moment()};
      // Nobody ends before it begins: readers refuse that.
      for (History::Times* pair : {&times, &ticks}) {
        if (pair->end != kNoTime && pair->end < pair->begin) {
          std::swap(pair->begin, pair->end);
        }
      }
      auto id = static_cast<std::int64_t>(txn * 7 % 12) - 3;
      if (kind_.orderly) {
        times.begin = now[session] + static_cast<std::int64_t>(below(3));
        times.end = times.begin + static_cast<std::int64_t>(below(3));
        now[session] = times.end;
      }
      if (kind_.indexed) {
        times.begin = index;
        ticks = {index + 1, index + 3};
        index += static_cast<std::int64_t>(4 + below(2));
        times.end = index;
        if (kind_.clock == Clock::events) times = ticks;
        id = ticks.end;
        const bool follows_crash = crashed[session];
        crashed[session] = status == Status::unknown && below(2) == 0;
        if (crashed[session]) {
          id = ticks.begin;  // there is no completion
        } else if (!follows_crash && below(6) == 0) {
          times.begin = ticks.begin = kNoTime;  // there is no invocation
        }
      }
      if (status == Status::unknown) times.end = ticks.end = kNoTime;
      shard_.select(Atom::integer(static_cast<std::int64_t>(session) * 3 - 1),
                    id, status);
      if (kind_.clock != Clock::none) shard_.times(times.begin, times.end);
      if (kind_.ticks) shard_.ticks(ticks.begin, ticks.end);
      for (std::size_t op = below(4); op > 0; --op) add(status);
    }
    return std::move(*builder_.finish(1));
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  std::int64_t moment() {
    return below(5) == 0 ? kNoTime : static_cast<std::int64_t>(below(20));
  }
  Atom label() {
    static const std::vector<std::string> kTexts = {
        ":x",  "'x",  "x",    "\"x\"", "\":x\"", "[1 2]", "[1  2]",  "1.5",
        "5",   "nil", "true", ":x y",  "",       "a\"b",  "a\\b",    "(1)",
        "#{}", "\n",  "\\a",  "#_",    ";",      "{:a}",  "\xC3\xA9"};
    switch (below(4)) {
      case 0:
        return builder_.string(kTexts[below(kTexts.size())]);
      case 1:
        return Atom::natural(UINT64_MAX - below(3));
      case 2:
        return Atom::integer(-static_cast<std::int64_t>(below(3)));
      default:
        return Atom::integer(static_cast<std::int64_t>(below(5)));
    }
  }
  void add(Status status) {
    const bool nil = status == Status::committed && below(4) == 0;
    if (below(2) == 0) {
      if (kind_.lists) {
        shard_.append(label(), label());
      } else {
        shard_.write(label(), below(9) == 0 ? Atom::nil() : label());
      }
    } else if (kind_.lists) {
      std::vector<Atom> list(nil ? 0 : 1 + below(3));
      for (Atom& element : list) element = label();
      shard_.read_list(label(), list);
    } else {
      shard_.read(label(), nil ? Atom::nil() : label());
    }
  }

  Kind kind_;
  std::mt19937_64 random_;
  Builder builder_;
  Builder::Shard& shard_;
};

void expect_survival(Kind kind) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const History history = Maker(kind, seed).make();
    for (const char* format : {"jepsen-edn", "elle-json"}) {
      const std::string text = written(history, format);
      std::optional<SmallPieces> small;
      if (seed % 2 == 0) small.emplace(1 + seed);
      const Result<History> again = parsed(text, format);
      ASSERT_TRUE(again.has_value()) << to_string(again.error()) << text;
      ASSERT_EQ(describe(history, kind.ids), describe(*again, kind.ids))
          << seed << '\n'
          << text;
      if (kind.indexed) {
        EXPECT_EQ(text.find("awdit"), text.npos) << text;
        EXPECT_EQ(text, written(*again, format));
      }
      EXPECT_TRUE(again->warnings().empty()) << again->warnings().front();
    }
  }
}

TEST(JepsenRoundTrip, WithoutTimes) {
  expect_survival({});
  expect_survival({.lists = true});
  expect_survival({.ids = false});
}

TEST(JepsenRoundTrip, AsJepsenRecordsThem) {
  expect_survival(
      {.clock = Clock::nanoseconds, .ticks = true, .indexed = true});
  expect_survival({.lists = true, .clock = Clock::events, .indexed = true});
}

TEST(JepsenRoundTrip, WithTimesInOrder) {
  expect_survival({.clock = Clock::nanoseconds, .orderly = true});
  expect_survival({.ids = false, .clock = Clock::nanoseconds, .orderly = true});
  expect_survival(
      {.clock = Clock::nanoseconds, .ticks = true, .orderly = true});
  expect_survival({.clock = Clock::events, .orderly = true});
}

TEST(JepsenRoundTrip, WithTimesThatContradictSessions) {
  expect_survival({.clock = Clock::nanoseconds});
  expect_survival({.clock = Clock::nanoseconds, .ticks = true});
  expect_survival({.clock = Clock::events});
  expect_survival({.ids = false, .clock = Clock::events});
}

// Others take the order of lines for real time: it must not claim more than
// the times do.
TEST(JepsenWriter, OrdersLinesByTime) {
  Builder builder({.initial_value = Atom::nil(),
                   .labels_are_ids = true,
                   .clock = Clock::nanoseconds});
  Builder::Shard& shard = builder.add_shard();
  const auto add = [&](std::int64_t session, std::int64_t id, std::int64_t from,
                       std::int64_t to, Status status = Status::committed) {
    shard.select(Atom::integer(session), id, status);
    shard.times(from, to);
    shard.write(Atom::integer(0), Atom::integer(id));
  };
  add(1, 11, 0, 10);
  add(1, 12, 10, 20);
  add(2, 21, 10, 15);  // overlaps 11, if only for an instant
  add(3, 31, 5, kNoTime, Status::unknown);
  EXPECT_EQ(
      written(*builder.finish(1), "jepsen-edn"),
      "{:time 0, :type :invoke, :process 1, :f :txn, :value [[:w 0 11]]}\n"
      "{:time 5, :type :invoke, :process 3, :f :txn, :value [[:w 0 31]]}\n"
      "{:time 10, :type :invoke, :process 2, :f :txn, "
      ":value [[:w 0 21]]}\n"
      "{:time 10, :type :ok, :process 1, :awdit/id 11, :f :txn, "
      ":value [[:w 0 11]]}\n"
      "{:time 10, :type :invoke, :process 1, :f :txn, "
      ":value [[:w 0 12]]}\n"
      "{:time 15, :type :ok, :process 2, :awdit/id 21, :f :txn, "
      ":value [[:w 0 21]]}\n"
      "{:time 20, :type :ok, :process 1, :awdit/id 12, :f :txn, "
      ":value [[:w 0 12]]}\n"
      "{:time nil, :type :info, :process 3, :awdit/id 31, :f :txn, "
      ":value [[:w 0 31]]}\n");
}

}  // namespace
}  // namespace awdit
