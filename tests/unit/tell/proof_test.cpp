// Proofs as they are told, on histories in the notation of history/text.h.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/table.h"
#include "check/check.h"
#include "history/text.h"
#include "tell/tell.h"

namespace awdit {
namespace {

// For each step of the first violation of the kind at the level: what it says,
// with "lemma" or "inferred" where it is one, and the operations that it rests
// on; the contradiction is the last line.
std::string told(std::string_view notation, std::string_view level_name,
                 Kind kind) {
  const Result<History> history = parse_text(notation);
  EXPECT_TRUE(history.has_value());
  const Level* level = find_row(levels(), level_name);
  const std::vector<const Level*> asked = {level};
  const Result<Report> report = check(*history, asked, {});
  EXPECT_TRUE(report.has_value());
  for (const Violation& violation : report->levels[0].violations) {
    if (violation.kind != kind) continue;
    const Proof proof = proof_of(*history, *level, violation);
    std::string text;
    for (const ProofStep& step : proof.steps) {
      if (step.lemma) text += "lemma ";
      if (step.edge) text += "inferred ";
      text += step.claim + ". " + step.reason + "\n";
      for (const OpId op : step.ops) text += to_text(*history, op) + " ";
      text += "\n";
    }
    return text + proof.contradiction;
  }
  return "no such violation";
}

TEST(Proof, JoinsStepsOfSessionsAndReadsAndSplitsOffTheDependence) {
  EXPECT_EQ(told("s1: W(x,3) | W(z,1)\n"
                 "s2: W(x,4) R(z,1) W(z,2)\n"
                 "s3: W(y,1) R(z,2)\n"
                 "s4: R(x,3) R(y,1)\n",
                 "causal", Kind::writes_follow_reads_violation),
            "t1 comes before t3. t2 follows t1 in session s1, and t3 read z=1 "
            "from t2.\nW(z,1) R(z,1) \n"
            "lemma t5 depends on t3. t4 read z=2 from t3, and t5 read y=1 from "
            "t4.\nW(z,2) R(z,2) W(y,1) R(y,1) \n"
            "inferred t3 comes before t1. t5 read x=3 from t1, yet t3 also "
            "wrote x=4. Under Causal Consistency t1 must then be the newer of "
            "the two: t3 comes before t1.\nW(x,3) R(x,3) W(x,4) \n"
            "1 and 3 contradict each other: no commit order exists.");
}

TEST(Proof, TellsADirectSightTogetherWithTheRule) {
  EXPECT_EQ(told("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)\n",
                 "read-atomic", Kind::fractured_read),
            "t1 comes before t2. t2 follows t1 in session s1.\n\n"
            "inferred t2 comes before t1. t3 read y=2 from t2. t3 read x=1 "
            "from t1, yet t2 also wrote x=2. Under Read Atomic t1 must then be "
            "the newer of the two: t2 comes before t1.\n"
            "W(y,2) R(y,2) W(x,1) R(x,1) W(x,2) \n"
            "1 and 2 contradict each other: no commit order exists.");
}

TEST(Proof, OfACircleOfReadsGoesEdgeByEdge) {
  EXPECT_EQ(told("s1: W(x,1) R(z,1)\ns2: R(x,1) W(y,1)\n"
                 "s3: R(y,1) W(z,1)\n",
                 "adya-read-committed", Kind::causality_cycle),
            "t2 comes before t3. t3 read y=1 from t2.\nW(y,1) R(y,1) \n"
            "t3 comes before t1. t1 read z=1 from t3.\nW(z,1) R(z,1) \n"
            "t1 comes before t2. t2 read x=1 from t1.\nW(x,1) R(x,1) \n"
            "1 to 3 form a cycle: no commit order exists.");
}

TEST(Proof, AgainstTheInitialState) {
  EXPECT_EQ(told("s1: W(x,1) | R(x,0)\n", "read-atomic",
                 Kind::read_your_writes_violation),
            "t1 comes after the initial state. \n\n"
            "inferred t1 comes before the initial state. t2 follows t1 in "
            "session s1. t2 read the initial x=0, yet t1 also wrote x=1. Under "
            "Read Atomic that is allowed only if t1 comes before the initial "
            "state.\nR(x,0) W(x,1) \n"
            "1 and 2 contradict each other: no commit order exists.");
}

TEST(Proof, OfAFindingStatesWhatIsToBeSeenAndTheRule) {
  const struct {
    std::string_view notation;
    Kind kind;
    std::string_view expected;
  } kCases[] = {
      {"s1: R(x,7)", Kind::thin_air_read,
       "t1 read x=7. \nR(x,7) \n"
       "Nobody wrote x=7, and it is not the initial value. \nR(x,7) \n"
       "A value cannot come from nowhere."},
      {"s1: W(x,1)!\ns2: R(x,1)", Kind::aborted_read,
       "t1 wrote x=1 and aborted, so that it never took effect. \nW(x,1) \n"
       "t2 read x=1 from t1. \nR(x,1) \n"
       "What was rolled back must not be seen by anyone."},
      {"s1: R(x,1) W(x,1)", Kind::future_read,
       "t1 read x=1. \nR(x,1) \n"
       "Only after that t1 itself wrote x=1. \nW(x,1) \n"
       "A read cannot return what is written later."},
      {"s1: W(x,1)\ns2: W(x,2) R(x,1)", Kind::own_write_ignored,
       "t2 wrote x=2. \nW(x,2) \n"
       "After that t2 read x=1 from t1. \nW(x,1) R(x,1) \n"
       "A transaction must see its own latest write of a key."},
      {"s1: W(x,1) W(x,2) R(x,1)", Kind::stale_own_write,
       "t1 wrote x=1. \nW(x,1) \n"
       "Then it wrote x=2. \nW(x,2) \n"
       "After that t1 read x=1. \nR(x,1) \n"
       "A transaction must see its own latest write of a key."},
      {"s1: W(x,1) W(x,2)\ns2: R(x,1)", Kind::intermediate_read,
       "t1 wrote x=1. \nW(x,1) \n"
       "In the same transaction t1 then wrote x=2. \nW(x,2) \n"
       "t2 read x=1 from t1. \nR(x,1) \n"
       "Others may see only what a transaction wrote last, all of it at once."},
      {"s1: A(x,1)\ns2: R(x,[1 1])", Kind::duplicate_element,
       "t2 read x=[1 1]. \nR(x,[1 1]) \n"
       "The list has 1 more than once. \nR(x,[1 1]) \n"
       "One append adds its element once."},
      {"s1: A(x,1)\ns2: A(x,2)\ns3: R(x,[1 2])\ns4: R(x,[2 1])",
       Kind::incompatible_order,
       "t4 read x=[2 1]. \nR(x,[2 1]) \n"
       "t3 read x=[1 2]. \nR(x,[1 2]) \n"
       "Lists only grow at their end, so one of the two must begin with the "
       "other."},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(told(c.notation, "adya-read-committed", c.kind), c.expected);
  }
  EXPECT_EQ(told("s1: W(x,1)\ns2: W(x,2)\ns3: R(x,1) R(x,2)", "read-atomic",
                 Kind::non_repeatable_read),
            "t3 read x=1. \nR(x,1) \n"
            "Later t3 read x=2 from t2. \nW(x,2) R(x,2) \n"
            "Under Read Atomic all reads of a key by one transaction return "
            "one version of it.");
}

TEST(Proof, NamesUnknownOutcomesOnce) {
  const std::string text =
      told("s1: W(x,1)? | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)\n", "read-atomic",
           Kind::fractured_read);
  const std::string_view note = "The outcome of t1 is unknown";
  const std::size_t at = text.find(note);
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.find(note, at + 1), std::string::npos) << text;
}

}  // namespace
}  // namespace awdit
