// Writing and reading again changes nothing that a format can hold: for every
// format with a writer, on random histories with everything the model has.
//
// fit() makes a history fit and says what is lost; reading what was written of
// the fitted history must give the fitted history. Fitting it once more must
// change nothing. Where only names were lost, verdicts must be the same.
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "check/check.h"
#include "convert/convert.h"
#include "format/format.h"
#include "format/pieces.h"
#include "format/same.h"
#include "history/builder.h"
#include "history/text.h"

namespace awdit {
namespace {

using Random = std::mt19937_64;

// What may occur in a history, each chosen by lot per history.
struct Mix {
  bool lists, texts, negative, large, nil, absent, unknown, aborted, nameless,
      empty, ids, notes;
  int initial;  // 0: zero, 1: nil, 2: none
  Clock clock;
  bool ticks;
  bool clocks;  // several
};

Mix mix(Random& random) {
  const auto coin = [&](unsigned of) { return random() % of == 0; };
  Mix m{};
  m.lists = coin(3);
  m.texts = coin(2);
  m.negative = coin(3);
  m.large = coin(4);
  m.nil = coin(4);
  m.unknown = coin(2);
  m.aborted = coin(2);
  m.nameless = m.aborted && coin(3);
  m.empty = coin(3);
  m.ids = coin(2) || m.nameless;
  m.notes = coin(3);
  m.initial = m.lists ? 1 : static_cast<int>(random() % 3);
  m.absent = m.initial == 1 && !m.lists && coin(2);
  constexpr Clock kClocks[] = {Clock::none, Clock::nanoseconds,
                               Clock::milliseconds, Clock::events,
                               Clock::hybrid};
  m.clock = kClocks[random() % std::size(kClocks)];
  m.ticks =
      m.clock == Clock::hybrid || (m.clock == Clock::nanoseconds && coin(2));
  m.clocks = m.clock != Clock::none && coin(4);
  return m;
}

constexpr std::string_view kTexts[] = {"x",
                                       ":x",
                                       "'y",
                                       "a b",
                                       "[1 2]",
                                       "\"q\"",
                                       "nil",
                                       "null",
                                       "12",
                                       "-3",
                                       "1.5",
                                       "true",
                                       "",
                                       "k_1",
                                       "\xC3\xA4\xE2\x82\xAC",
                                       "line\nbreak",
                                       "tab\there",
                                       "{:a 1}",
                                       "#tag x",
                                       "\\newline",
                                       "a,b",
                                       "back\\slash",
                                       "semi;colon",
                                       "(x)",
                                       "'",
                                       ":",
                                       "\x01",
                                       "deleted by 3"};

class Maker {
 public:
  explicit Maker(std::uint64_t seed)
      : random_(seed), mix_(mix(random_)), builder_(options()) {}

  History run() {
    Builder::Shard& shard = builder_.add_shard();
    const auto sessions = 1 + below(4);
    const auto txns = 1 + below(12);
    std::vector<Atom> labels;
    for (std::uint64_t s = 0; s < sessions; ++s) {
      Atom label = Atom::integer(static_cast<std::int64_t>(s) + 1);
      if (mix_.texts && below(3) == 0)
        label = text("session " + std::to_string(s));
      if (mix_.negative && below(5) == 0) {
        label = Atom::integer(-static_cast<std::int64_t>(s) - 5);
      }
      labels.push_back(label);
    }
    if (mix_.clocks && below(2) == 0) {
      builder_.relate_clocks("c0", below(2) == 0 ? "c1" : "c7", 50, 3);
    }
    std::int64_t time = 100;
    for (std::uint64_t t = 0; t < txns; ++t) {
      Status status = Status::committed;
      if (mix_.unknown && below(5) == 0) status = Status::unknown;
      if (mix_.aborted && below(5) == 0) status = Status::aborted;
      const bool nameless =
          mix_.nameless && status == Status::aborted && below(2) == 0;
      const Atom session = labels[below(sessions)];
      shard.select(
          session,
          nameless ? Builder::kNoLabel : static_cast<std::int64_t>(t * 3 + 7),
          status);
      if (!nameless) annotate(shard, status, time);
      if (mix_.clocks && below(4) != 0) {
        shard.clock_domain(text("c" + std::to_string(below(3))));
      }
      const std::uint64_t least = mix_.empty && below(4) == 0 ? 0 : 1;
      const std::uint64_t ops = least == 0 ? 0 : 1 + below(4);
      for (std::uint64_t i = 0; i < ops; ++i) operation(shard);
      // Something must be there, or the file holds no operation.
      if (t == 0 && ops == 0) operation(shard);
    }
    Result<History> history = builder_.finish(1);
    EXPECT_TRUE(history.has_value());
    return std::move(*history);
  }

 private:
  Builder::Options options() const {
    std::optional<Atom> initial;
    if (mix_.initial == 0) initial = Atom::integer(0);
    if (mix_.initial == 1) initial = Atom::nil();
    return {.initial_value = initial,
            .labels_are_ids = mix_.ids,
            .clock = mix_.clock};
  }

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  Atom text(std::string_view t) { return builder_.string(t); }

  void annotate(Builder::Shard& shard, Status status, std::int64_t& time) {
    if (mix_.clock != Clock::none &&
        (mix_.clock == Clock::hybrid || below(6) != 0)) {
      const std::int64_t begin = ++time;
      const std::int64_t end = ++time;
      const bool open =
          status == Status::unknown && mix_.clock != Clock::hybrid;
      shard.times(begin, open ? kNoTime : end);
      if (mix_.ticks) shard.ticks(begin * 2, open ? kNoTime : end * 2);
    }
    if (!mix_.notes) return;
    if (below(2) == 0) shard.node(text("n" + std::to_string(below(3))));
    if (below(2) == 0) {
      constexpr std::string_view kMeta[] = {"{\"retries\":2}", "[1,2,\"x\"]",
                                            "\"text\"", "{\"a\":{\"b\":null}}"};
      shard.meta(text(kMeta[below(std::size(kMeta))]));
    }
  }

  Atom label(bool is_value) {
    if (mix_.texts && below(3) == 0)
      return text(kTexts[below(std::size(kTexts))]);
    if (mix_.negative && below(4) == 0) {
      return Atom::integer(-1 - static_cast<std::int64_t>(below(5)));
    }
    if (mix_.large && below(4) == 0) {
      return below(2) == 0 ? Atom::natural(UINT64_MAX - below(3))
                           : Atom::integer(INT64_MAX -
                                           static_cast<std::int64_t>(below(3)));
    }
    if (mix_.large && below(9) == 0) return Atom::integer(0xBEBEEBEE);
    return Atom::integer(static_cast<std::int64_t>(below(is_value ? 9 : 4)));
  }

  Atom value() {
    if (mix_.nil && !mix_.lists && below(5) == 0) return Atom::nil();
    return label(true);
  }

  // Mostly values that nobody wrote yet, so that most histories are sound.
  Atom fresh() {
    if (below(8) == 0) return mix_.lists ? label(true) : value();
    ++written_;
    if (mix_.texts && below(3) == 0)
      return text("v" + std::to_string(written_));
    return Atom::integer(mix_.negative && below(3) == 0 ? -written_
                                                        : written_ + 9);
  }

  void operation(Builder::Shard& shard) {
    const bool write = below(2) == 0;
    if (write) {
      const Write made{label(false), fresh()};
      writes_.push_back(made);
      if (mix_.lists) {
        shard.append(made.key, made.value);
      } else {
        shard.write(made.key, made.value);
      }
      return;
    }
    Write read{label(false), value()};
    if (!writes_.empty() && below(4) != 0)
      read = writes_[below(writes_.size())];
    if (mix_.lists) {
      std::vector<Atom> list;
      for (const Write& other : writes_) {
        if (other.key == read.key && below(8) != 0) list.push_back(other.value);
      }
      if (below(8) == 0) list.push_back(label(true));
      shard.read_list(read.key, list);
      return;
    }
    if (mix_.initial == 1 && below(3) == 0) read.value = Atom::nil();
    if (mix_.absent && below(4) == 0) read.value = Atom::absent();
    if (mix_.initial == 0 && below(3) == 0) read.value = Atom::integer(0);
    shard.read(read.key, read.value);
  }

  struct Write {
    Atom key, value;
  };
  std::vector<Write> writes_;
  std::int64_t written_ = 0;
  Random random_;
  Mix mix_;
  Builder builder_;
};

struct Written {
  std::vector<std::string> names;
  std::vector<std::string> texts;
};

Written write(const History& history, const Format& format) {
  struct Part {
    std::string text;
    std::unique_ptr<Sink> sink;
  };
  std::vector<std::unique_ptr<Part>> parts;
  Written written;
  format.write(history, [&](std::string_view name) -> Sink& {
    if (!parts.empty()) parts.back()->sink->flush();
    parts.push_back(std::make_unique<Part>());
    parts.back()->sink = std::make_unique<Sink>(parts.back()->text);
    written.names.emplace_back(name);
    return *parts.back()->sink;
  });
  for (const auto& part : parts) {
    part->sink->flush();
    written.texts.push_back(part->text);
  }
  return written;
}

std::string shown(const Written& written) {
  std::string text;
  for (std::size_t i = 0; i < written.texts.size(); ++i) {
    text += "-- " + written.names[i] + "\n" + written.texts[i] + "\n";
  }
  return text;
}

// Without those that need times, which a format may lose. What is found above
// causal depends on the order of the input as well.
std::string verdicts(const History& history) {
  std::vector<const Level*> asked;
  for (const Level& level : levels()) {
    if (!level.real_time) asked.push_back(&level);
  }
  const Result<Report> report = check(history, asked, {});
  if (!report) return "malformed";
  std::string text;
  for (const LevelReport& level : report->levels) {
    text += std::string(name(level.verdict)) + " ";
    if (level.level->cycles == Cycles::by_axiom) {
      text += std::to_string(level.violations.size());
    }
    text += "; ";
  }
  return text;
}

// Losses that leave every verdict as it was.
bool harmless(const std::vector<std::string>& losses) {
  for (const std::string& loss : losses) {
    const bool names =
        loss.starts_with("the names") || loss.starts_with("the values") ||
        loss.starts_with("the ids") || loss.starts_with("the times") ||
        loss.starts_with("the nodes") || loss.starts_with("the metadata") ||
        loss.starts_with("the order of equal") ||
        loss.starts_with("the unknown outcome") || loss.starts_with("that ") ||
        loss.ends_with("of nil by transactions that did not commit");
    if (!names) return false;
  }
  return true;
}

#ifdef AWDIT_CHECKED
constexpr std::uint64_t kSeeds = 150;
#else
constexpr std::uint64_t kSeeds = 1500;
#endif

class RoundTrip : public testing::TestWithParam<std::size_t> {};

TEST_P(RoundTrip, GivesTheSameHistory) {
  const Format& format = formats()[GetParam()];
  if (format.write == nullptr) GTEST_SKIP() << "read only";
  std::size_t written_ops = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    History history = Maker(seed).run();
    const std::string original = to_text(history);
    const std::string before = verdicts(history);
    const bool lists = history.has_lists();
    Result<Fitted> fitted = fit(std::move(history), format, {});
    if (!fitted) {
      EXPECT_EQ(before, "malformed") << to_string(fitted.error());
      continue;
    }
    const History& target = fitted->history;
    if (target.num_ops() == 0) continue;
    const Written written = write(target, format);
    std::vector<Input> files;
    for (std::size_t i = 0; i < written.texts.size(); ++i) {
      if (written.texts[i].empty()) continue;
      files.push_back(Input::of(written.texts[i], written.names[i]));
      ASSERT_TRUE(
          format.sniff(std::string_view(written.texts[i]).substr(0, 4096)))
          << "seed " << seed << " is not recognised:\n"
          << shown(written);
    }
    // Formats that are cut by guesses are, at every other one.
    std::optional<SmallPieces> small;
    if (seed % 2 == 0) small.emplace(1 + seed % 300);
    const Result<History> read = format.parse(files, 2);
    ASSERT_TRUE(read.has_value())
        << "seed " << seed << ": " << to_string(read.error()) << shown(written);
    ASSERT_EQ(difference(target, *read, format.capacity), "")
        << "seed " << seed << "\noriginal:\n"
        << original << "written:\n"
        << shown(written);
    written_ops += target.num_ops();
    if (harmless(fitted->losses) && before != "malformed" &&
        lists == target.has_lists()) {
      ASSERT_EQ(before, verdicts(target)) << "seed " << seed << "\noriginal:\n"
                                          << original << "fitted:\n"
                                          << to_text(target);
    }
    const std::string once = to_text(target);
    const Result<Fitted> again = fit(std::move(fitted->history), format, {});
    ASSERT_TRUE(again.has_value());
    EXPECT_TRUE(again->losses.empty())
        << "seed " << seed << ": lost again: " << again->losses.front();
    EXPECT_EQ(once, to_text(again->history));
  }
  EXPECT_GT(written_ops, kSeeds) << "the test has become idle";
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundTrip,
                         testing::Range<std::size_t>(0, formats().size()),
                         [](const testing::TestParamInfo<std::size_t>& row) {
                           std::string name(formats()[row.param].name);
                           for (char& c : name) {
                             if (c == '-') c = '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace awdit
