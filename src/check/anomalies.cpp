// Every anomaly: its name, one sentence, its names elsewhere.
#include <array>

#include "check/check.h"

namespace awdit {
namespace {

constexpr std::array<Anomaly, 13> kAnomalies = {{
    {Kind::thin_air_read, "thin-air-read",
     "A transaction read a value that nobody wrote and that is not the "
     "initial one.",
     "garbage read; Plume: thin-air read"},
    {Kind::aborted_read, "aborted-read",
     "A transaction read a value whose writer aborted.",
     "dirty read; Adya: G1a; Elle: G1a, dirty update; Plume: aborted read"},
    {Kind::future_read, "future-read",
     "A transaction read a value that it wrote itself only later.",
     "Plume: future read"},
    {Kind::own_write_ignored, "own-write-ignored",
     "A transaction wrote a key and then read another transaction's value of "
     "it.",
     "Plume: not-my-own-write; Elle: internal"},
    {Kind::stale_own_write, "stale-own-write",
     "A transaction read a value of its own that it had already overwritten.",
     "Plume: not-my-last-write; Elle: internal"},
    {Kind::intermediate_read, "intermediate-read",
     "A transaction read a value that its writer overwrote before committing.",
     "Adya: G1b; Plume: intermediate read"},
    {Kind::duplicate_element, "duplicate-element",
     "A transaction read a list that has one element twice.",
     "Elle: duplicate-elements"},
    {Kind::incompatible_order, "incompatible-order",
     "Two reads of one key returned lists of which neither begins with the "
     "other.",
     "Elle: incompatible-order"},
    {Kind::non_repeatable_read, "non-repeatable-read",
     "A transaction read one key twice and got the values of two other "
     "transactions.",
     "fuzzy read; ANSI: P2; Plume: non-repeatable read"},
    {Kind::causality_cycle, "causality-cycle",
     "Transactions depend on each other in a circle, each having read from "
     "the one before or followed it in its session.",
     "Adya: G1c; Plume: cyclic causal order"},
    {Kind::non_monotonic_read, "non-monotonic-read",
     "A transaction saw an effect of another and afterwards read a value that "
     "the other had overwritten.",
     "Plume: non-monotonic read"},
    {Kind::fractured_read, "fractured-read",
     "A transaction saw only a part of what another transaction wrote.",
     "read skew; Plume: fractured read"},
    {Kind::causal_violation, "causal-violation",
     "A transaction read a value although it depends on one that had "
     "overwritten it.",
     "Plume: causality violation"},
}};

}  // namespace

std::span<const Anomaly> anomalies() { return kAnomalies; }

const Anomaly& anomaly(Kind kind) {
  return kAnomalies[static_cast<std::size_t>(kind)];
}

}  // namespace awdit
