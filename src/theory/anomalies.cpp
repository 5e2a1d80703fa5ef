// THE table of anomalies: name, one sentence, names elsewhere. Those are prose,
// because people read them in every report; names_of() reads the prose back, so
// that there is no second list of them to forget something in.
#include "theory/anomalies.h"

#include <algorithm>
#include <array>

namespace awdit {
namespace {

constexpr Anomaly kAnomalies[] = {
    {Kind::thin_air_read, Form::finding, "thin-air-read",
     "A transaction read a value that nobody wrote and that is not the "
     "initial one.",
     "garbage read; Plume: thin-air read (TAP-a)", "s1: W(x,1)\ns2: R(x,7)\n"},
    {Kind::aborted_read, Form::finding, "aborted-read",
     "A transaction read a value whose writer aborted.",
     "dirty read; Adya: G1a; Elle: G1a, dirty update; Plume: aborted read "
     "(TAP-b)",
     "s1: W(x,1)!\ns2: R(x,1)\n", "ANSI: P1"},
    {Kind::future_read, Form::finding, "future-read",
     "A transaction read a value that it wrote itself only later.",
     "Plume: future read (TAP-c)", "s1: R(x,1) W(x,1)\n"},
    {Kind::own_write_ignored, Form::finding, "own-write-ignored",
     "A transaction wrote a key and then read another transaction's value of "
     "it; or a list that does not end with all that it had appended.",
     "Plume: not-my-own-write (TAP-d); Elle: internal",
     "s1: W(x,1)\ns2: W(x,2) R(x,1)\n"},
    {Kind::stale_own_write, Form::finding, "stale-own-write",
     "A transaction read a value of its own that it had already overwritten.",
     "Plume: not-my-last-write (TAP-e); Elle: internal",
     "s1: W(x,1) W(x,2) R(x,1)\n"},
    {Kind::intermediate_read, Form::finding, "intermediate-read",
     "A transaction read a value that its writer overwrote before committing, "
     "or only a part of what its writer appended to a list.",
     "Adya: G1b; Plume: intermediate read (TAP-f)",
     "s1: W(x,1) W(x,2)\ns2: R(x,1)\n"},
    {Kind::duplicate_element, Form::finding, "duplicate-element",
     "A transaction read a list that has one element twice.",
     "Elle: duplicate-elements", "s1: A(x,1)\ns2: R(x,[1 1])\n"},
    {Kind::incompatible_order, Form::finding, "incompatible-order",
     "Two reads of one key returned lists of which neither begins with the "
     "other.",
     "Elle: incompatible-order",
     "s1: A(x,1)\ns2: A(x,2)\ns3: R(x,[1 2])\ns4: R(x,[2 1])\n"},
    {Kind::non_repeatable_read, Form::finding, "non-repeatable-read",
     "A transaction read one key twice and got the values of two other "
     "transactions.",
     "fuzzy read; ANSI: P2; Plume: non-repeatable read (TAP-j)",
     "s1: W(x,1)\ns2: W(x,2)\ns3: R(x,1) R(x,2)\n", "Elle: internal"},
    {Kind::causality_cycle, Form::axiom_cycle, "causality-cycle",
     "Transactions depend on each other in a circle, each having read from "
     "the one before or followed it in its session.",
     "Adya: G1c; Plume: cyclic causal order (TAP-g)",
     "s1: W(x,1) R(y,1)\ns2: R(x,1) W(y,1)\n"},
    {Kind::non_monotonic_read, Form::axiom_cycle, "non-monotonic-read",
     "A transaction saw an effect of another and afterwards read a value that "
     "the other had overwritten.",
     "Plume: non-monotonic read (TAP-h, TAP-i)",
     "s1: W(x,1) | W(x,2) W(y,2)\ns2: R(y,2) R(x,1)\n"},
    {Kind::read_your_writes_violation, Form::axiom_cycle,
     "read-your-writes-violation",
     "A session read a value that it had itself overwritten in an earlier "
     "transaction.",
     "Bailis et al.: missing your writes (MYR)", "s1: W(x,1) | R(x,0)\n"},
    {Kind::monotonic_reads_violation, Form::axiom_cycle,
     "monotonic-reads-violation",
     "A session saw an effect of a transaction and later read a value that the "
     "transaction had overwritten.",
     "Bailis et al.: non-monotonic reads (N-MR)",
     "s1: W(x,1)\ns2: R(x,1) | R(x,0)\n"},
    {Kind::monotonic_writes_violation, Form::axiom_cycle,
     "monotonic-writes-violation",
     "A transaction saw a write of a session, but not what that session had "
     "written before.",
     "Bailis et al.: non-monotonic writes (N-MW)",
     "s1: W(x,1) | W(y,1)\ns2: R(y,1) R(x,0)\n"},
    {Kind::writes_follow_reads_violation, Form::axiom_cycle,
     "writes-follow-reads-violation",
     "A transaction saw a write, but not what its writer, or the writer's "
     "session before, had seen.",
     "Bailis et al.: missing read-write dependency (MRWD)",
     "s1: W(x,1)\ns2: R(x,1) W(y,1)\ns3: R(y,1) R(x,0)\n"},
    {Kind::fractured_read, Form::axiom_cycle, "fractured-read",
     "A transaction saw only a part of what another transaction wrote.",
     "read skew; Plume: fractured read (TAP-k, TAP-l)",
     "s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)\n"},
    {Kind::causal_violation, Form::axiom_cycle, "causal-violation",
     "A transaction read a value although it depends on one that had "
     "overwritten it.",
     "Plume: conflicts of causal and arbitration order (TAP-m, TAP-n)",
     "s1: W(x,1) | W(x,2) | W(y,1)\ns2: R(y,1) | R(x,1)\n"},
    {Kind::lost_update, Form::lost_update, "lost-update",
     "Two transactions read the same version of a key and both overwrote it: "
     "one of the updates is lost.",
     "Berenson et al.: P4; Elle: lost-update; PolySI: lost update",
     "s1: W(x,1)\ns2: R(x,1) W(x,2)\ns3: R(x,1) W(x,3)\n"},
    {Kind::dependency_cycle, Form::dependency_cycle, "dependency-cycle",
     "Transactions depend on each other in a circle: each read from the one "
     "before, wrote after it or followed it in a session.",
     "Adya: G0, G1c; dirty write",
     "s1: A(x,1) A(y,1)\ns2: A(x,2) A(y,2)\ns3: R(x,[1 2])\n"
     "s4: R(y,[2 1])\n",
     "Berenson et al.: P0"},
    {Kind::read_skew, Form::dependency_cycle, "read-skew",
     "A transaction read a value that was overwritten by one on which it "
     "depends.",
     "Berenson et al.: A5A; Adya: G-single; Elle: G-single-item",
     "s1: W(x,1) W(y,1)\ns2: W(y,2)\ns3: R(x,1) R(y,2)\n"
     "s4: R(y,2) R(x,0)\n",
     "Adya: G-SIb"},
    {Kind::long_fork, Form::dependency_cycle, "long-fork",
     "Two transactions saw two writes in opposite orders.",
     "Sovran et al.: long fork; Elle: G-nonadjacent-item",
     "s1: W(x,1)\ns2: W(y,1)\ns3: R(x,1) R(y,0)\ns4: R(x,0) R(y,1)\n",
     "Adya: G-SIb; G-nonadjacent"},
    {Kind::g_nonadjacent, Form::dependency_cycle, "g-nonadjacent",
     "Transactions depend on each other in a circle in which some missed what "
     "others wrote, though never two in a row.",
     "Elle: G-nonadjacent-item",
     "s1: W(x,1) W(b,1) | R(b,2)\ns2: W(y,1) W(a,1) | R(a,2)\n"
     "s3: R(y,0) W(b,2)\ns4: R(x,0) W(a,2)\n",
     "Adya: G-SIb"},
    {Kind::write_skew, Form::dependency_cycle, "write-skew",
     "Two transactions each missed what the other wrote.",
     "Berenson et al.: A5B; Adya: G2-item",
     "s1: R(x,0) W(y,1)\ns2: R(y,0) W(x,1)\n", "Adya: G2"},
    {Kind::g2_item, Form::dependency_cycle, "g2-item",
     "Transactions depend on each other in a circle in which two in a row "
     "missed what the next one wrote.",
     "Adya: G2-item; Fekete et al.: read-only anomaly",
     "s1: R(x,0) W(y,1)\ns2: R(y,0) W(z,1)\ns3: R(z,0) W(x,1)\n", "Adya: G2"},
    {Kind::real_time_violation, Form::dependency_cycle, "real-time-violation",
     "A transaction missed what another one had committed before it began, or "
     "saw what began only after its end.",
     "Elle: the -realtime anomalies; stale read",
     "s1: W(x,1) @1-2\ns2: R(x,0) @3-4\n"},
};

}  // namespace

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// What is between the separators, one piece after the other.
template <typename Take>
void split(std::string_view text, char separator, Take&& take) {
  for (;;) {
    const std::size_t end = text.find(separator);
    if (const std::string_view part = trimmed(text.substr(0, end));
        !part.empty()) {
      take(part);
    }
    if (end == text.npos) return;
    text.remove_prefix(end + 1);
  }
}

// "Adya: G1a; Elle: G1a, dirty update; Plume: aborted read (TAP-b)"
void append_names(std::string_view prose,
                  std::vector<std::string_view>& names) {
  const auto add = [&](std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  };
  split(prose, ';', [&](std::string_view part) {
    if (const std::size_t colon = part.find(": "); colon != part.npos) {
      part.remove_prefix(colon + 2);
    }
    if (const std::size_t open = part.find('('); open != part.npos) {
      const std::size_t close = part.find(')', open);
      split(part.substr(open + 1, close - open - 1), ',', add);
      part = part.substr(0, open);
    }
    split(part, ',', add);
  });
}

}  // namespace

std::span<const Anomaly> anomalies() { return kAnomalies; }

const Anomaly& anomaly(Kind kind) {
  return kAnomalies[static_cast<std::size_t>(kind)];
}

std::vector<std::string_view> names_of(const Anomaly& row) {
  std::vector<std::string_view> names = {row.name};
  append_names(row.also, names);
  append_names(row.more, names);
  return names;
}

}  // namespace awdit
