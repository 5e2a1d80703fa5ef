// What can be wrong with a history, and all the names people use for it.
// Private to theory/; others include theory/theory.h.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace awdit {

enum class Kind : std::uint8_t {
  // Read Consistency: one finding at most per read, tested in this order.
  thin_air_read,
  aborted_read,
  future_read,
  own_write_ignored,
  stale_own_write,
  intermediate_read,
  duplicate_element,   // of lists only
  incompatible_order,  // of lists only
  // Read Atomic and above: one per read.
  non_repeatable_read,
  // A cycle in so u wr: one per strongly connected component.
  causality_cycle,
  // A cycle in the commit order that the level forces.
  non_monotonic_read,             // under read-committed
  read_your_writes_violation,     // under read-your-writes
  monotonic_reads_violation,      // under monotonic-reads
  monotonic_writes_violation,     // under monotonic-writes
  writes_follow_reads_violation,  // under writes-follow-reads
  fractured_read,                 // under read-atomic
  causal_violation,               // under causal
  // Above causal. Two transactions read one version of a key and both wrote it.
  lost_update,
  // A cycle of dependencies that the level forbids, called after the
  // anti-dependencies in it and in what it rests on: docs/certificate.md. All
  // but
  // the first are found above causal only.
  dependency_cycle,     // none; of lists at any level
  read_skew,            // one
  long_fork,            // two, a read or session behind each, nothing else
  g_nonadjacent,        // several, no two of them adjacent
  write_skew,           // two, and nothing else
  g2_item,              // several, some of them adjacent
  real_time_violation,  // it needs real time
};

// What the evidence of a kind is (theory/evidence.h).
enum class Form : std::uint8_t {
  finding,           // about one read
  lost_update,       // about two
  axiom_cycle,       // of so, wr and what a level's axiom infers
  dependency_cycle,  // of these and the order of versions
};

// A row per kind, in the order of the enumeration.
struct Anomaly {
  Kind kind;
  Form form;
  std::string_view name;      // "thin-air-read"
  std::string_view sentence;  // what it is, for a person
  // Names elsewhere, as every report prints them: "dirty read; Adya: G1a;
  // Plume: aborted read (TAP-b)". Semicolons between authors, commas between
  // names.
  std::string_view also;
  std::string_view example;  // a smallest history that has it (history/text.h)
  std::string_view more = {};  // names that no report prints, like `also`
};
std::span<const Anomaly> anomalies();
const Anomaly& anomaly(Kind kind);
// Its own name and those that `also` and `more` have.
std::vector<std::string_view> names_of(const Anomaly& row);

}  // namespace awdit
