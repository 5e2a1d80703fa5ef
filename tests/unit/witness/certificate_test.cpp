// Certificates: what is written is read back, and whatever is not a certificate
// is refused with the place of the fault.
#include <fstream>
#include <iterator>

#include "check/check.h"
#include "unit/witness/case.h"

namespace awdit {
namespace {

Report example_report(const Case& story) {
  Report report;
  LevelReport& holds = report.levels.emplace_back();
  holds.level = find_row(levels(), "read-committed");
  holds.verdict = Verdict::holds;
  holds.commit_order = {story.t(1), story.t(2), story.t(3)};
  LevelReport& violated = report.levels.emplace_back();
  violated.level = find_row(levels(), "read-atomic");
  violated.verdict = Verdict::violated;
  violated.violations = {
      finding(Kind::thin_air_read, story.op(3, 0)),
      finding(Kind::own_write_ignored, OpId(1), OpId(2), OpId(3)),
      cycle(Kind::fractured_read,
            {story.so(0, 1),
             story.inferred(1, 0, 3, OpId(), story.op(3, 0), story.op(1, 0),
                            {story.wr(1, 3, story.op(1, 0), story.op(3, 1))})}),
  };
  LevelReport& undecided = report.levels.emplace_back();
  undecided.level = find_row(levels(), "causal");
  return report;
}

const char* const kExample =
    R"({"format":"awdit-certificate","version":1,)"
    R"("history":{"sessions":2,"transactions":3,"operations":5},"levels":[)"
    R"({"level":"read-committed","verdict":"holds","commit_order":[0,1,2]},)"
    R"({"level":"read-atomic","verdict":"violated","violations":[)"
    R"({"kind":"thin-air-read","read":3},)"
    R"({"kind":"own-write-ignored","read":1,"write":2,"other":3},)"
    R"({"kind":"fractured-read","edges":[)"
    R"({"from":3,"to":0,"reason":"session-order"},)"
    R"({"from":0,"to":3,"reason":"inferred","read":3,"other_write":0,)"
    R"("reader":2,"key":0,"seen":[)"
    R"({"from":0,"to":2,"reason":"reads-from","write":0,"read":4}]}]}]},)"
    R"({"level":"causal","verdict":"undecided"}]})"
    "\n";

TEST(Certificate, IsCompactJson) {
  const Case story("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,0) R(y,2)");
  EXPECT_EQ(write_certificate(story.history, example_report(story)), kExample);
}

TEST(Certificate, SurvivesTheRoundTrip) {
  const Case story("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,0) R(y,2)");
  Result<Certificate> read = read_certificate(kExample, "c.json");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->sessions, 2u);
  EXPECT_EQ(read->transactions, 3u);
  EXPECT_EQ(read->operations, 5u);
  ASSERT_EQ(read->levels.size(), 3u);
  EXPECT_EQ(read->levels[0].level->name, "read-committed");
  Report again;
  again.levels = read->levels;
  EXPECT_EQ(write_certificate(story.history, again), kExample);
}

TEST(Certificate, OfARealCheckIsAccepted) {
  const Case story(
      "s1: W(y,1) R(z,2)\ns2: W(x,3) | W(z,1)\ns3: W(x,4) R(z,1) W(z,2)\n"
      "s4: R(x,3) R(y,1)");
  const std::vector<const Level*> asked = applicable_levels(story.history);
  Options options;
  options.commit_order = true;
  Result<Report> report = check(story.history, asked, options);
  ASSERT_TRUE(report) << to_string(report.error());
  const Result<Certificate> read =
      read_certificate(write_certificate(story.history, *report), "c.json");
  ASSERT_TRUE(read) << to_string(read.error());
  const std::vector<LevelCheck> checks = verify(story.history, *read);
  ASSERT_EQ(checks.size(), asked.size());
  for (const LevelCheck& check : checks) expect_accepted(check);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    // s4 sees y, but not what its writer's reads led to.
    const bool violated =
        implies(*asked[i], *find_row(levels(), "writes-follow-reads"));
    EXPECT_EQ(checks[i].verdict, violated ? Verdict::violated : Verdict::holds)
        << asked[i]->name;
  }
}

TEST(Certificate, OfTheDocumentationIsAccepted) {
  std::ifstream file(AWDIT_DOCS "/certificate.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  std::size_t at = 0;
  // The histories that the page shows.
  for (const std::string_view text :
       {"s1: W(y,1) R(z,2)\ns2: W(x,3) | W(z,1)\ns3: W(x,4) R(z,1) W(z,2)\n"
        "s4: R(x,3) R(y,1)",
        "s1: W(x,1) | R(y,0) W(x,2)\ns2: R(x,1) W(y,1)",
        "s1: A(x,1) | A(x,2) | A(x,3) R(x,[1 3])"}) {
    const std::string_view fence = "```json\n";
    const std::size_t from = page.find(fence, at) + fence.size();
    ASSERT_LT(from, page.size());
    at = page.find("```", from);
    const Result<Certificate> read =
        read_certificate(page.substr(from, at - from), "certificate.md");
    ASSERT_TRUE(read) << to_string(read.error());
    const Case story(text);
    EXPECT_EQ(read->operations, story.history.num_ops());
    const std::vector<LevelCheck> checks = verify(story.history, *read);
    ASSERT_EQ(checks.size(), 2u);
    for (const LevelCheck& check : checks) expect_accepted(check);
  }
  EXPECT_EQ(page.find("```json", at + 3), std::string::npos);
}

// Made up: it is written and read back, whatever it proves.
Report strong_report(const Case& story) {
  Report report;
  LevelReport& holds = report.levels.emplace_back();
  holds.level = find_row(levels(), "prefix");
  holds.verdict = Verdict::holds;
  holds.follows_from = find_row(levels(), "snapshot-isolation");
  holds.commit_order = {story.t(1), story.t(2), story.t(3)};
  holds.snapshots = {0, 0, 2};
  LevelReport& violated = report.levels.emplace_back();
  violated.level = find_row(levels(), "strict-serializable");
  violated.verdict = Verdict::violated;
  violated.violations = {
      finding(Kind::lost_update, OpId(1), OpId(), OpId(3)),
      cycle(Kind::real_time_violation,
            {story.real_time(1, 2),
             story.rw(2, 1, OpId(1), OpId(3), story.op(1, 0))},
            {story.shown("x", 1, 2, OpId(4)),
             story.lemma("x", 2, 1,
                         {story.ww(1, 2, story.op(1, 0), story.op(1, 0))},
                         {story.lemma("x", 1, 2, {})})})};
  LevelReport& undecided = report.levels.emplace_back();
  undecided.level = find_row(levels(), "serializable");
  undecided.limit = Limit::memory;
  report.levels.push_back(undecided);
  report.levels.back().limit = Limit::time;
  return report;
}

const char* const kStrongExample =
    R"({"format":"awdit-certificate","version":1,)"
    R"("history":{"sessions":3,"transactions":3,"operations":5},)"
    R"("session_order":false,"levels":[)"
    R"({"level":"prefix","verdict":"holds",)"
    R"("follows_from":"snapshot-isolation","commit_order":[0,1,2],)"
    R"("snapshots":[0,0,2]},)"
    R"({"level":"strict-serializable","verdict":"violated","violations":[)"
    R"({"kind":"lost-update","read":1,"other":3},)"
    R"({"kind":"real-time-violation","edges":[)"
    R"({"from":0,"to":1,"reason":"real-time"},)"
    R"({"from":1,"to":0,"reason":"anti-dependency","write":3,"read":1,)"
    R"("other_write":0,"key":0}],"lemmas":[)"
    R"({"key":0,"older":0,"newer":1,"shown":4},)"
    R"({"key":0,"older":1,"newer":0,"under":[{"key":0,"older":0,"newer":1}],)"
    R"("cycle":[{"from":0,"to":1,"reason":"version-order","write":0,)"
    R"("other_write":0,"key":0}]}]}]},)"
    R"({"level":"serializable","verdict":"undecided","limit":"memory"},)"
    R"({"level":"serializable","verdict":"undecided","limit":"time"}]})"
    "\n";

TEST(Certificate, OfTheStrongLevelsIsReadBackAsItWasWritten) {
  const Case story(
      std::move(Case("s1: W(x,1) W(y,1) | W(x,2)\ns2: R(x,1) R(y,1)").history)
          .without_session_order());
  const std::string text =
      write_certificate(story.history, strong_report(story));
  EXPECT_EQ(text, kStrongExample);
  const Result<Certificate> read = read_certificate(text, "c.json");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_FALSE(read->session_order);
  Report again;
  again.levels = read->levels;
  EXPECT_EQ(write_certificate(story.history, again), kStrongExample);
  EXPECT_EQ(read->levels[2].limit, Limit::memory);
  EXPECT_EQ(read->levels[0].follows_from->name, "snapshot-isolation");
}

TEST(Certificate, SessionOrderMustBeTheSame) {
  const std::string_view text = "s1: W(x,1) | R(x,0)";
  const Case with(text);
  const Case without(std::move(Case(text).history).without_session_order());
  Report report;
  report.levels.emplace_back().level = find_row(levels(), "serializable");
  report.levels[0].verdict = Verdict::holds;
  report.levels[0].commit_order = {with.t(2), with.t(1)};
  const Result<Certificate> read =
      read_certificate(write_certificate(without.history, report), "c.json");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_FALSE(read->session_order);
  expect_accepted(verify(without.history, *read)[0]);
  expect_rejected(verify(with.history, *read)[0],
                  "it was made without session order, which this history has");
  const Result<Certificate> other =
      read_certificate(write_certificate(with.history, report), "c.json");
  ASSERT_TRUE(other) << to_string(other.error());
  EXPECT_TRUE(other->session_order);
  expect_rejected(
      verify(without.history, *other)[0],
      "it was made with session order, which this history leaves out");
  expect_rejected(verify(with.history, *other)[0],
                  "the commit order puts t2 before t1, which precedes it in "
                  "session s1");
  // Nothing to leave out.
  const Case empty(std::move(Case("").history).without_session_order());
  Certificate claim = *read;
  claim.levels[0].commit_order.clear();
  expect_accepted(verify(empty.history, claim)[0]);
}

std::string nested_lemmas(std::size_t depth) {
  const std::string head = R"({"key":0,"older":0,"newer":1)";
  std::string text = head;
  for (std::size_t i = 1; i < depth; ++i) text += R"(,"under":[)" + head;
  text += "}";
  for (std::size_t i = 1; i < depth; ++i) text += "]}";
  return R"({"format":"awdit-certificate","version":1,)"
         R"("history":{"sessions":1,"transactions":2,"operations":2},)"
         R"("levels":[{"level":"serializable","verdict":"violated",)"
         R"("violations":[{"kind":"read-skew","lemmas":[)" +
         text + "]}]}]}";
}

TEST(Certificate, NestedLemmasDoNoHarm) {
  const Case story("s1: W(x,1) | W(x,2)");
  const Result<Certificate> read = read_certificate(nested_lemmas(300), "c");
  ASSERT_TRUE(read) << to_string(read.error());
  expect_rejected(verify(story.history, *read)[0],
                  "violation 1 is not proven: lemma 1.1.1.1...: more than 256 "
                  "assumptions are made one within the other");
  const Result<Certificate> deep = read_certificate(nested_lemmas(50'000), "c");
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().message, "it is nested too deeply");
}

TEST(Certificate, IgnoresFieldsItDoesNotKnow) {
  const Result<Certificate> read = read_certificate(
      R"({"tool":{"name":"x"},"levels":[],"history":{"operations":0,)"
      R"("sessions":0,"transactions":0,"path":"h"},"version":1,)"
      R"("format":"awdit-certificate"})",
      "c.json");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_TRUE(read->levels.empty());
}

// Readers of JSON differ in which of the two they take.
TEST(Certificate, RefusesAFieldThatIsThereTwice) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {R"({"format":"awdit-certificate","version":1,"version":1,)"
       R"("history":{"sessions":0,"transactions":0,"operations":0},)"
       R"("levels":[]})",
       "\"version\" is there twice"},
      {R"({"format":"awdit-certificate","version":1,)"
       R"("history":{"sessions":0,"transactions":0,"operations":0,)"
       R"("sessions":1},"levels":[]})",
       "history: \"sessions\" is there twice"},
      {R"({"format":"awdit-certificate","version":1,)"
       R"("history":{"sessions":0,"transactions":0,"operations":0},)"
       R"("levels":[{"level":"causal","verdict":"undecided"},)"
       R"({"level":"causal","verdict":"undecided","verdict":"holds"}]})",
       "levels[1]: \"verdict\" is there twice"},
      {R"({"format":"awdit-certificate","version":1,)"
       R"("history":{"sessions":0,"transactions":0,"operations":0},)"
       R"("levels":[{"level":"causal","verdict":"violated","violations":[)"
       R"({"kind":"causality-cycle","edges":[{"from":0,"to":1,)"
       R"("reason":"session-order"},{"from":0,"to":1,"reason":"inferred",)"
       R"("seen":[{"from":0,"to":1,"reason":"session-order",)"
       R"("fr\u006fm":2}]}]}]}]})",
       "levels[0].violations[0].edges[1].seen[0]: \"from\" is there twice"},
      // What nobody reads may not be there twice either.
      {R"({"format":"awdit-certificate","version":1,)"
       R"("history":{"sessions":0,"transactions":0,"operations":0},)"
       R"("levels":[],"more":[[{"a":{"b":1,"b":1}}]]})",
       "more[0][0].a: \"b\" is there twice"},
  };
  for (const auto& [text, message] : table) {
    SCOPED_TRACE(text);
    const Result<Certificate> read = read_certificate(text, "c.json");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().where, "c.json");
    EXPECT_EQ(read.error().message, message);
    EXPECT_EQ(read.error().hint,
              "Which of the two is meant cannot be told: leave one out, or "
              "write the certificate anew with awdit check --certificate FILE "
              "HISTORY.");
  }
  // The same name in two objects is nothing special.
  EXPECT_TRUE(read_certificate(
      R"({"format":"awdit-certificate","version":1,"a":{"version":1},)"
      R"("history":{"sessions":0,"transactions":0,"operations":0},)"
      R"("levels":[]})",
      "c.json"));
}

struct Malformed {
  std::string_view text;
  std::string_view message;
};

void expect_refused(const std::vector<Malformed>& table,
                    std::string_view before, std::string_view after) {
  for (const auto& [text, message] : table) {
    std::string whole(before);
    whole += text;
    whole += after;
    SCOPED_TRACE(whole);
    const Result<Certificate> read = read_certificate(whole, "c.json");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().where, "c.json");
    EXPECT_EQ(read.error().message, message);
  }
}

constexpr std::string_view kHead =
    R"({"format":"awdit-certificate","version":1,)"
    R"("history":{"sessions":1,"transactions":1,"operations":1},)";

TEST(Certificate, RefusesWhatIsNotOne) {
  const std::string_view no_json = "this is not JSON, or it was cut short";
  expect_refused(
      {{"", "the certificate is empty"},
       {"r(1,2,3,4)\n", no_json},
       {"{\"format\":", no_json},
       {"{} {}", no_json},
       {"\xff\xfe", no_json},
       {"[]", "expected an object, found an array"},
       {"7", "expected an object, found a number"},
       {"{}", "\"format\" is missing"},
       {R"({"format":1})", "format: expected a string, found a number"},
       {R"({"format":"other"})", "format: this is not an awdit-certificate"},
       {R"({"format":"awdit-certificate"})", "\"version\" is missing"},
       {R"({"format":"awdit-certificate","version":"1"})",
        "version: expected a number, found a string"},
       {R"({"format":"awdit-certificate","version":2})",
        "version: certificates of version 2 cannot be read, only those of "
        "version 1"},
       {R"({"format":"awdit-certificate","version":1})",
        "\"history\" is missing"},
       {R"({"format":"awdit-certificate","version":1,"history":[]})",
        "history: expected an object, found an array"},
       {R"({"format":"awdit-certificate","version":1,"history":{}})",
        "history: \"sessions\" is missing"},
       {std::string(kExample).substr(0, 200), no_json}},
      "", "");
}

TEST(Certificate, RefusesMalformedLevels) {
  expect_refused(
      {{R"("none":0)", "\"levels\" is missing"},
       {R"("levels":{})", "levels: expected an array, found an object"},
       {R"("levels":[null])", "levels[0]: expected an object, found null"},
       {R"("levels":[{}])", "levels[0]: \"level\" is missing"}},
      kHead, "}");
}

TEST(Certificate, RefusesMalformedEvidence) {
  expect_refused(
      {{R"("level":"casual")",
        "levels[0].level: unknown level 'casual'; did you mean 'causal'? "
        "Known: adya-read-committed, read-committed, read-your-writes, "
        "monotonic-reads, monotonic-writes, writes-follow-reads, read-atomic, "
        "causal, prefix, parallel-snapshot-isolation, snapshot-isolation, "
        "serializable, strong-snapshot-isolation, strict-serializable"},
       {R"("level":"causal")", "levels[0]: \"verdict\" is missing"},
       {R"("level":"causal","verdict":"fine")",
        "levels[0].verdict: unknown verdict \"fine\""},
       {R"("level":"causal","verdict":true)",
        "levels[0].verdict: expected a string, found a truth value"},
       {R"("level":"causal","verdict":"holds")",
        "levels[0]: \"commit_order\" is missing"},
       {R"("level":"causal","verdict":"holds","commit_order":3)",
        "levels[0].commit_order: expected an array, found a number"},
       {R"("level":"causal","verdict":"holds","commit_order":[0,"1"])",
        "levels[0].commit_order[1]: expected a number, found a string"},
       {R"("level":"causal","verdict":"holds","commit_order":[0,-1])",
        "levels[0].commit_order[1]: expected a whole number that is not "
        "negative"},
       {R"("level":"causal","verdict":"holds","commit_order":[1.5])",
        "levels[0].commit_order[0]: expected a whole number that is not "
        "negative"},
       {R"("level":"causal","verdict":"holds","commit_order":[4294967295])",
        "levels[0].commit_order[0]: 4294967295 is too large"},
       {R"("level":"causal","verdict":"violated")",
        "levels[0]: \"violations\" is missing"},
       {R"("level":"causal","verdict":"violated","violations":[1])",
        "levels[0].violations[0]: expected an object, found a number"},
       {R"("level":"causal","verdict":"violated","violations":[{}])",
        "levels[0].violations[0]: \"kind\" is missing"},
       {R"("level":"causal","verdict":"violated","violations":[{"kind":"bad"}])",
        "levels[0].violations[0].kind: unknown kind \"bad\""},
       {R"("level":"causal","verdict":"violated","violations":)"
        R"([{"kind":"thin-air-read","read":99999999999}])",
        "levels[0].violations[0].read: 99999999999 is too large"},
       {R"("level":"causal","verdict":"violated","violations":)"
        R"([{"kind":"causality-cycle","edges":[{"from":0}]}])",
        "levels[0].violations[0].edges[0]: \"to\" is missing"},
       {R"("level":"causal","verdict":"violated","violations":)"
        R"([{"kind":"causality-cycle","edges":[{"from":0,"to":1}]}])",
        "levels[0].violations[0].edges[0]: \"reason\" is missing"},
       {R"("level":"causal","verdict":"violated","violations":)"
        R"([{"kind":"causality-cycle","edges":[)"
        R"({"from":0,"to":1,"reason":"luck"}]}])",
        "levels[0].violations[0].edges[0].reason: unknown reason \"luck\""},
       {R"("level":"causal","verdict":"violated","violations":)"
        R"([{"kind":"causality-cycle","edges":[)"
        R"({"from":0,"to":1,"reason":"inferred","seen":[)"
        R"({"from":0,"to":1,"reason":"inferred"}]}]}])",
        "levels[0].violations[0].edges[0].seen[0].reason: unknown reason "
        "\"inferred\""},
       {R"("level":"causal","verdict":"violated","violations":)"
        R"([{"kind":"causality-cycle","edges":[)"
        R"({"from":0,"to":1,"reason":"inferred","seen":[)"
        R"({"from":0,"to":1,"reason":"real-time"}]}]}])",
        "levels[0].violations[0].edges[0].seen[0].reason: unknown reason "
        "\"real-time\""},
       {R"("level":"prefix","verdict":"holds","commit_order":[0])",
        "levels[0]: \"snapshots\" is missing"},
       {R"("level":"prefix","verdict":"holds","commit_order":[0],)"
        R"("snapshots":["0"])",
        "levels[0].snapshots[0]: expected a number, found a string"},
       {R"("level":"prefix","verdict":"violated","violations":)"
        R"([{"kind":"read-skew","lemmas":[{"key":0,"older":1}]}])",
        "levels[0].violations[0].lemmas[0]: \"newer\" is missing"},
       {R"("level":"prefix","verdict":"violated","violations":)"
        R"([{"kind":"read-skew","lemmas":[{"key":0,"older":1,"newer":2,)"
        R"("under":[7]}]}])",
        "levels[0].violations[0].lemmas[0].under[0]: expected an object, found "
        "a number"},
       {R"("level":"prefix","verdict":"violated","violations":[],)"
        R"("follows_from":"luck")",
        "levels[0].follows_from: unknown level 'luck'. Known: "
        "adya-read-committed, read-committed, read-your-writes, "
        "monotonic-reads, monotonic-writes, writes-follow-reads, read-atomic, "
        "causal, prefix, parallel-snapshot-isolation, snapshot-isolation, "
        "serializable, "
        "strong-snapshot-isolation, strict-serializable"},
       {R"("level":"prefix","verdict":"undecided","limit":"patience")",
        "levels[0].limit: unknown limit \"patience\""}},
      std::string(kHead) + "\"levels\":[{", "}]}");
}

}  // namespace
}  // namespace awdit
