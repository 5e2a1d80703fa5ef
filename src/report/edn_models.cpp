#include "report/edn_models.h"

#include <algorithm>

namespace awdit {
namespace {

// From weak to strong. `level` is ours, "" where we have none.
struct Model {
  std::string_view level;
  std::string_view plain;
  std::string_view session;
};
constexpr Model kModels[] = {
    {"adya-read-committed", ":read-committed",
     ":strong-session-read-committed"},
    {"read-committed", ":monotonic-atomic-view",
     ":strong-session-monotonic-atomic-view"},
    {"read-atomic", ":read-atomic", ":strong-session-read-atomic"},
    {"causal", ":causal-cerone", ":causal"},
    {"", ":parallel-snapshot-isolation", ""},
    {"", ":snapshot-isolation", ":strong-session-snapshot-isolation"},
    {"", ":serializable", ":strong-session-serializable"},
    {"", "", ":strong-serializable"},
};
constexpr std::size_t kNone = std::size(kModels);

std::size_t model_of(const Level& level) {
  for (std::size_t i = 0; i < kNone; ++i) {
    if (kModels[i].level == level.name) return i;
  }
  return kNone;
}

// What contradicts a transaction itself is internal to Elle, and the first
// model that forbids it is read-atomic.
bool is_internal(Kind kind) {
  return kind == Kind::own_write_ignored || kind == Kind::stale_own_write ||
         kind == Kind::non_repeatable_read;
}

}  // namespace

bool needs_sessions(const History& history, const Violation& violation) {
  // That the initial state comes first is no matter of sessions.
  const auto counts = [&](Reason reason, TxnId from) {
    return reason == Reason::session_order && !history.is_init(from);
  };
  for (const Edge& edge : violation.edges) {
    if (counts(edge.reason, edge.from)) return true;
    for (const Step& step : edge.seen) {
      if (counts(step.reason, step.from)) return true;
    }
  }
  return false;
}

Refuted refuted_models(const History& history, const Report& report,
                       const Stories& found) {
  Refuted refuted;
  std::size_t plain = kNone, session = kNone;
  for (std::size_t i = 0; i < report.levels.size(); ++i) {
    const LevelReport& level = report.levels[i];
    if (level.verdict != Verdict::violated) continue;
    const std::size_t own = model_of(*level.level);
    if (own == kNone) {
      refuted.weakest.push_back(":" + std::string(level.level->name));
      continue;
    }
    for (const Violation* violation : found.digests[i].fresh) {
      const std::size_t at =
          is_internal(violation->kind) ? std::max<std::size_t>(own, 2) : own;
      std::size_t& least =
          needs_sessions(history, *violation) ? session : plain;
      least = std::min(least, at);
    }
  }
  session = std::min(session, plain);
  const auto add = [&](std::size_t from, std::string_view Model::*name,
                       bool is_weakest) {
    for (std::size_t i = from; i < kNone; ++i) {
      if ((kModels[i].*name).empty()) continue;
      (i == from && is_weakest ? refuted.weakest : refuted.stronger)
          .emplace_back(kModels[i].*name);
    }
  };
  // A model of sessions is stronger than the plain one of its row.
  add(plain, &Model::plain, true);
  add(session, &Model::session, session < plain);
  std::sort(refuted.weakest.begin(), refuted.weakest.end());
  std::sort(refuted.stronger.begin(), refuted.stronger.end());
  return refuted;
}

}  // namespace awdit
