// The smallest story: of every violation that the checker finds, in random
// histories of every shape and in all golden ones.
//
//   - it violates the same level with the same kind, and its evidence verifies;
//   - as evidence about the whole history it verifies as well;
//   - nothing can be left out: each transaction and each operation is left out
//     by brute force, and no evidence of the kind remains that is true of the
//     whole history (a read that lost its write tells news of its own);
//   - names, outcomes, times and places are what they were.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <sstream>

#include "base/table.h"
#include "check/check.h"
#include "history/builder.h"
#include "history/text.h"
#include "property/judge.h"
#include "property/shapes.h"
#include "tell/tell.h"
#include "witness/witness.h"

namespace awdit::property {
namespace {

// Every so many histories of random_test are enough: what costs is leaving out.
constexpr std::size_t kShare = 20;
// Of each kind and level.
constexpr int kViolations = 2;

LevelReport claim_of(const Level& level, const Violation& violation) {
  LevelReport claim;
  claim.level = &level;
  claim.verdict = Verdict::violated;
  claim.violations = {violation};
  return claim;
}

// What is said about the part `ops`, said about the whole.
class Translator {
 public:
  Translator(const History& whole, const std::vector<OpId>& ops,
             const std::vector<TxnId>& silent, const History& part)
      : whole_(whole), ops_(ops), silent_(silent), part_(part) {}

  Violation operator()(Violation v) const {
    const auto each = [&](auto&... ids) { ((ids = translate(ids)), ...); };
    walk(
        v, [&](Finding& it) { each(it.read, it.write, it.other); },
        [&](LostUpdate& it) { each(it.read, it.write, it.other); },
        [&](Edge& it) {
          each(it.from, it.to, it.reader, it.write, it.read, it.other_write);
          if (it.key.valid()) it.key = translate(it.key);
        },
        [&](Step& it) { each(it.from, it.to, it.write, it.read); },
        [&](Lemma& it) { each(it.key, it.older, it.newer, it.shown); });
    return v;
  }

 private:
  // Keys have other numbers there; any operation on it tells.
  KeyId translate(KeyId key) const {
    for (std::uint32_t op = 0; op < part_.num_ops(); ++op) {
      if (part_.key(OpId(op)) == key) return whole_.key(ops_[op]);
    }
    return KeyId();
  }
  OpId translate(OpId op) const { return op.valid() ? ops_[op.v] : op; }
  TxnId translate(TxnId t) const {
    if (!t.valid()) return t;
    if (part_.is_init(t)) return whole_.init_txn();
    const std::vector<TxnId> txns = extracted_txns(whole_, ops_, silent_);
    for (std::size_t i = 0; i < txns.size(); ++i) {
      if (part_.input_order()[i] == t.v) return txns[i];
    }
    return TxnId();
  }

  const History& whole_;
  const std::vector<OpId>& ops_;
  const std::vector<TxnId>& silent_;
  const History& part_;
};

// The evidence of the kind in this part, if it is well-formed.
std::vector<Violation> evidence_in(const History& part, const Level& level,
                                   Kind kind) {
  const Level* const asked[] = {&level};
  Result<Report> report = check(part, asked, {});
  if (!report) return {};
  const Violations& all = report->levels[0].violations;
  std::vector<Violation> found(all.begin(), all.end());
  std::erase_if(found, [&](const Violation& v) { return v.kind != kind; });
  return found;
}

bool is_causal(const History& part) {
  const Level* const asked[] = {find_row(levels(), "causal")};
  const Result<Report> report = check(part, asked, {});
  return report && report->levels[0].verdict == Verdict::holds;
}

std::string description(const History& h, OpId op) {
  const TxnId t = h.txn_of(op);
  std::ostringstream text;
  text << h.session_label(h.session(t)) << ' ' << name(h.status(t)) << ' '
       << h.txn_label(t).value_or(-7) << ' ' << to_text(h, op) << " line "
       << h.place(op).line << " node " << h.node(t) << " meta " << h.meta(t)
       << ' ' << name(h.clock());
  for (const auto& times : {h.times(t), h.ticks(t)}) {
    if (times) text << ' ' << times->begin << '-' << times->end;
  }
  return text.str();
}

std::string difference(const History& whole, const Shrunk& story,
                       const History& part) {
  const std::vector<OpId>& ops = story.ops;
  if (part.num_ops() != ops.size()) return "another number of operations";
  std::set<TxnId> txns;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    const std::string a = description(whole, ops[i]);
    const std::string b = description(part, OpId(i));
    if (a != b) return "'" + a + "' became '" + b + "'";
    txns.insert(whole.txn_of(ops[i]));
    if (i != 0 && (whole.txn_of(ops[i]) == whole.txn_of(ops[i - 1])) !=
                      (part.txn_of(OpId(i)) == part.txn_of(OpId(i - 1)))) {
      return "transactions were cut differently";
    }
  }
  txns.insert(story.silent.begin(), story.silent.end());
  if (part.num_txns() != txns.size()) return "another number of transactions";
  return "";
}

// What is wrong with a story of a violation of this kind, or "".
std::string complaint_about(const History& history, const Level& asked,
                            Kind kind, const Shrunk& story) {
  if (!story.stands_alone) return "the evidence alone is no violation";
  if (!implies(asked, *story.level)) return "it is about another level";
  const Level& level = *story.level;
  // Dependencies may be told in another way.
  if (anomaly(kind).form == Form::dependency_cycle &&
      anomaly(story.violation.kind).form == Form::dependency_cycle) {
    kind = story.violation.kind;
  }
  if (!story.minimal) return "it gave up";
  const History part = extract(history, story.ops, story.silent);
  if (std::string wrong = difference(history, story, part); !wrong.empty()) {
    return wrong;
  }
  const std::vector<Violation> own = evidence_in(part, level, kind);
  if (own.empty()) return "it does not violate the level with that kind";
  for (const Violation& violation : own) {
    const LevelCheck checked = verify(part, claim_of(level, violation));
    if (!checked.accepted) return "its own evidence: " + checked.objection;
  }
  if (story.violation.kind != kind) return "it is about another kind";
  LevelCheck checked = verify(history, claim_of(level, story.violation));
  if (!checked.accepted) return "in the whole history: " + checked.objection;

  std::vector<std::string> removals;
  std::vector<LevelReport> claims;
  const auto leave_out = [&](std::string what, auto&& is_left_out,
                             TxnId silenced = TxnId()) {
    std::vector<OpId> less;
    for (const OpId op : story.ops) {
      if (!is_left_out(op)) less.push_back(op);
    }
    std::vector<TxnId> silent;
    for (const TxnId txn : story.silent) {
      if (txn != silenced) silent.push_back(txn);
    }
    const History smaller = extract(history, less, silent);
    // Say, a read that has lost its write: that is about the cut.
    if (level.cycles != Cycles::by_axiom && is_causal(part) &&
        !is_causal(smaller)) {
      return;
    }
    for (const Violation& v : evidence_in(smaller, level, kind)) {
      claims.push_back(
          claim_of(level, Translator(history, less, silent, smaller)(v)));
      removals.push_back(what);
    }
  };
  TxnId last;
  for (const OpId op : story.ops) {
    leave_out(to_text(history, op), [&](OpId o) { return o == op; });
    const TxnId txn = history.txn_of(op);
    if (std::exchange(last, txn) == txn) continue;
    leave_out(history.txn_name(txn),
              [&](OpId o) { return history.txn_of(o) == txn; });
  }
  for (const TxnId txn : story.silent) {
    leave_out(
        history.txn_name(txn), [](OpId) { return false; }, txn);
  }
  const std::vector<LevelCheck> checks = verify(history, claims);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    if (checks[i].accepted) return removals[i] + " can be left out";
  }
  return "";
}

// The first complaint about the stories of a history, or "".
std::string complaint_about(const History& history) {
  const Result<Report> report = check(history, applicable_levels(history), {});
  if (!report) return "";
  std::vector<Claim> claims;
  for (const LevelReport& level : report->levels) {
    std::map<Kind, int> met;
    for (const Violation& violation : level.violations) {
      if (++met[violation.kind] > kViolations) continue;
      claims.push_back({level.level, &violation});
    }
  }
  const std::vector<Shrunk> stories = shrink(history, claims);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Level& level = *claims[i].level;
    const Kind kind = claims[i].violation->kind;
    std::string wrong = complaint_about(history, level, kind, stories[i]);
    if (wrong.empty()) {
      // Alone it is the same story.
      const Shrunk alone = shrink(history, level, *claims[i].violation);
      if (alone.ops != stories[i].ops) wrong = "alone it is another one";
    }
    if (wrong.empty()) continue;
    return std::string(level.name) + ", " + std::string(anomaly(kind).name) +
           ": " + wrong + "; the story is\n" +
           to_text(extract(history, stories[i].ops));
  }
  return "";
}

// -- random histories ---------------------------------------------------------

class Stories : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Stories, AreTrueAndMinimal) {
  const Shape& shape = shapes()[GetParam()];
  const std::size_t count = share_of(
      shape, random_histories() / (takes_long() ? kShare : 2 * kShare));
  std::uint64_t seed = GetParam() * 1'000'000'000 + 500'000'000;
  for (std::size_t i = 0; i < count; ++i, ++seed) {
    Random random(seed);
    const int txns =
        static_cast<int>(i % 8 == 7 ? 7 + random() % 34 : 2 + random() % 5);
    const Script script = generate(shape, txns, random);
    if (complaint_about(to_history(script)).empty()) continue;
    const Script least = shrink(script, [](const Script& smaller) {
      return !complaint_about(to_history(smaller)).empty();
    });
    FAIL() << "shape " << shape.name << ", seed " << seed << "\n"
           << complaint_about(to_history(least)) << "of\n"
           << to_notation(least);
  }
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& parameter) {
  std::string name(shapes()[parameter.param].name);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Shapes, Stories,
                         ::testing::Range(std::size_t{0}, shapes().size()),
                         name_of);

// -- golden histories ---------------------------------------------------------

TEST(GoldenStories, AreTrueAndMinimal) {
  namespace fs = std::filesystem;
  int histories = 0;
  for (const auto& entry : fs::recursive_directory_iterator(AWDIT_GOLDEN_DIR)) {
    if (entry.path().extension() != ".txt" ||
        entry.path().filename() == "CMakeLists.txt") {
      continue;
    }
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const Result<History> history = parse_text(text);
    ASSERT_TRUE(history) << entry.path();
    EXPECT_EQ(complaint_about(*history), "") << entry.path();
    ++histories;
  }
  EXPECT_GT(histories, 50);
}

// -- particular ones ----------------------------------------------------------

// The first violation of the kind at the level, shrunk.
struct Told {
  History history;
  Shrunk story;
};

void tell(History history, std::string_view level, Kind kind,
          std::optional<Told>& told) {
  const Level* const row = find_row(levels(), level);
  const std::vector<Violation> found = evidence_in(history, *row, kind);
  ASSERT_FALSE(found.empty());
  Shrunk story = shrink(history, *row, found.front());
  ASSERT_TRUE(story.stands_alone);
  const LevelCheck checked = verify(history, claim_of(*row, story.violation));
  EXPECT_TRUE(checked.accepted) << checked.objection;
  told.emplace(Told{std::move(history), std::move(story)});
}

void expect_story(std::string_view text, std::string_view level, Kind kind,
                  std::string_view expected) {
  Result<History> history = parse_text(text);
  ASSERT_TRUE(history) << to_string(history.error());
  std::optional<Told> told;
  ASSERT_NO_FATAL_FAILURE(tell(std::move(*history), level, kind, told));
  EXPECT_TRUE(told->story.minimal);
  EXPECT_EQ(to_text(extract(told->history, told->story.ops)), expected);
}

TEST(Story, ForgetsBystanders) {
  expect_story(
      "s1: W(a,1) W(x,1) | W(x,2) W(y,1) W(b,1) | R(c,1)\n"
      "s2: W(c,1) R(y,1) R(x,1) R(b,1) | W(x,3)\n"
      "s3: R(x,3) W(d,1)",
      "read-atomic", Kind::non_monotonic_read,
      "s1: W(x,1) | W(x,2) W(y,1)\ns2: R(y,1) R(x,1)\n");
}

TEST(Story, KeepsWhoVouchesForAnUnknownOutcome) {
  // Nobody would believe t2 without the second session.
  expect_story(
      "s1: W(x,1) | W(x,2) W(y,1) ? | R(x,1)\n"
      "s2: R(y,1) W(z,1) ?\n"
      "s3: R(z,1) W(u,1)",
      "read-atomic", Kind::read_your_writes_violation,
      "s1: W(x,1) | W(x,2) W(y,1) ? | R(x,1)\n"
      "s2: R(y,1) W(z,1) ?\n"
      "s3: R(z,1)\n");
}

TEST(Story, KeepsTheWriteOfAnInitialValue) {
  // Without t1's write t3 would have read from init: also a violation, but
  // another one.
  expect_story("s1: W(x,0) | W(x,1) | R(x,0)", "read-atomic",
               Kind::read_your_writes_violation, "s1: W(x,0) | W(x,1) | R(x,0)\n");
}

TEST(Story, KeepsTheAppendsOfItsLists) {
  expect_story(
      "s1: A(x,1) A(y,1) | A(x,2) | A(x,3)\n"
      "s2: R(x,[1 2 3]) R(y,[1]) | R(x,[2 1])",
      "causal", Kind::incompatible_order,
      "s1: A(x,1) | A(x,2) | A(x,3)\ns2: R(x,[1 2 3]) | R(x,[2 1])\n");
}

TEST(Story, KeepsTheFirstOfRepeatedReads) {
  // The checker names t3's first read of x; evidence may as well name the last,
  // which counts because the first one, between which and it stands another
  // answer, got the same.
  const Result<History> history =
      parse_text("s1: W(x,1) | W(x,2)\ns2: R(x,1) R(x,3) R(x,1) R(x,2)\n"
                 "s3: W(x,3)");
  ASSERT_TRUE(history);
  const Level& level = *find_row(levels(), "read-atomic");
  std::vector<Violation> found =
      evidence_in(*history, level, Kind::fractured_read);
  ASSERT_EQ(found.size(), 1u);
  walk(found[0], [](Edge& edge) {
    if (edge.reason == Reason::inferred) edge.read = OpId(4);
  });
  ASSERT_TRUE(verify(*history, claim_of(level, found[0])).accepted);
  const Shrunk story = shrink(*history, level, found[0]);
  EXPECT_EQ(complaint_about(*history, level, Kind::fractured_read, story), "");
  EXPECT_EQ(to_text(extract(*history, story.ops)),
            "s1: W(x,1) | W(x,2)\ns2: R(x,1) R(x,2)\n");
}

#ifdef AWDIT_CHECKED
constexpr std::int64_t kLong = 5'000;
#else
constexpr std::int64_t kLong = 100'000;
#endif

// What a long story may cost: see shrink.cpp.
std::uint64_t most_work(const Shrunk& story) {
  return std::max<std::uint64_t>(1u << 20, 8 * story.ops.size()) +
         story.ops.size() + 32;
}

Atom number(std::int64_t value) { return Atom::integer(value); }

TEST(Story, OfALongCycleEnds) {
  Builder builder({.initial_value = number(0)});
  Builder::Shard& shard = builder.add_shard();
  for (std::int64_t i = 0; i < kLong; ++i) {
    shard.select(number(i), i);
    shard.read(number((i + 1) % kLong), number(1));
    shard.write(number(i), number(1));
    shard.write(number(-1), number(i));
  }
  Result<History> history = builder.finish(2);
  ASSERT_TRUE(history);
  std::optional<Told> told;
  ASSERT_NO_FATAL_FAILURE(
      tell(std::move(*history), "causal", Kind::causality_cycle, told));
  // Each is needed; nobody has the time to try that.
  EXPECT_EQ(told->story.ops.size(), static_cast<std::size_t>(2 * kLong));
  EXPECT_FALSE(told->story.minimal);
  EXPECT_LE(told->story.work, most_work(told->story));
}

// A needle: how much is decided does not depend on the haystack.
TEST(Story, OfALargeHistoryIsAsShort) {
  std::uint64_t tried = 0;
  for (const std::int64_t size : {std::int64_t{100}, kLong}) {
    Builder builder({.initial_value = number(0)});
    Builder::Shard& shard = builder.add_shard();
    for (std::int64_t i = 1; i <= size; ++i) {
      shard.select(number(i % 7), i);
      shard.read(number(0), number(i - 1));
      shard.write(number(0), number(i));
    }
    shard.select(number(8), size + 1);
    shard.read(number(0), number(size));
    shard.read(number(0), number(size - 70));
    Result<History> history = builder.finish(2);
    ASSERT_TRUE(history);
    std::optional<Told> told;
    ASSERT_NO_FATAL_FAILURE(tell(std::move(*history), "read-committed",
                                 Kind::non_monotonic_read, told));
    EXPECT_TRUE(told->story.minimal);
    EXPECT_LE(told->story.work, 1000u);
    const History part = extract(told->history, told->story.ops);
    EXPECT_EQ(part.num_txns(), 3u);
    EXPECT_EQ(part.num_ops(), 4u);
    if (size != 100) {
      EXPECT_EQ(told->story.tried, tried);
    }
    tried = told->story.tried;
  }
}

}  // namespace
}  // namespace awdit::property
