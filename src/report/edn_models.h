// Elle's names: of anomalies, and of the consistency models that a report
// refutes. Private to src/report.
//
// Elle names models by what clients of one transaction each may see; the order
// of a session counts only in its strong-session models, and time only in its
// strong ones. Our levels count sessions unless told otherwise, so a violation
// that needs them refutes less in Elle's words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

struct Refuted {
  std::vector<std::string> weakest;   // Elle's :not, keywords with the colon
  std::vector<std::string> stronger;  // Elle's :also-not
};

Refuted refuted_models(const History& history, const Report& report);

// The level that a model of Elle's is, and whether the order of sessions counts
// in it; no level: it is no model. `name` is plain (base/table.h).
struct ModelOf {
  const Level* level = nullptr;
  bool sessions = false;
};
ModelOf model_named(std::string_view name);
// All of them, without the colon.
std::vector<std::string_view> model_names();

// What Elle's name of a cycle depends on besides its kind.
struct CycleTraits {
  bool reads_from = false;  // some step is a read
  bool missed_one = false;  // a step is an anti-dependency
  bool missed_more = false;
  bool adjacent = false;  // two of those follow each other
  bool sessions = false;  // see needs_sessions()
};
// Elle's name where it means just this, ours otherwise; with the colon.
std::string elle_type(Kind kind, const CycleTraits& traits);

// What Elle's name of an anomaly may end in, if the order of sessions is needed
// to see it, or real time.
inline constexpr std::string_view kElleProcess = "-process";
inline constexpr std::string_view kElleRealtime = "-realtime";

// Whether the evidence has a step from a session's transaction to a later one,
// or from one that ended to one that began.
bool needs_sessions(const History& history, const Violation& violation);

}  // namespace awdit
