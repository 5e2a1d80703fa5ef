#include "report/edn_models.h"

#include <algorithm>

#include "base/table.h"

namespace awdit {
namespace {

// What a violation needs besides reads and writes.
enum class Needs : std::uint8_t { nothing, sessions, times };

// Elle's name of a level of ours, read with what it counts; rows as in the
// table of levels, from weak to strong, an empty name where Elle has none.
struct Model {
  std::string_view level;
  Needs counts;
  std::string_view name;
};
constexpr Model kModels[] = {
    {"adya-read-committed", Needs::nothing, ":read-committed"},
    {"adya-read-committed", Needs::sessions, ":strong-session-read-committed"},
    {"read-committed", Needs::nothing, ":monotonic-atomic-view"},
    {"read-committed", Needs::sessions,
     ":strong-session-monotonic-atomic-view"},
    {"read-your-writes", Needs::sessions, ":read-your-writes"},
    {"monotonic-reads", Needs::sessions, ":monotonic-reads"},
    {"monotonic-writes", Needs::sessions, ":monotonic-writes"},
    {"writes-follow-reads", Needs::sessions, ":writes-follow-reads"},
    {"read-atomic", Needs::nothing, ":read-atomic"},
    {"read-atomic", Needs::sessions, ":strong-session-read-atomic"},
    {"causal", Needs::nothing, ":causal-cerone"},
    {"causal", Needs::sessions, ":causal"},
    {"prefix", Needs::nothing, ":prefix"},
    {"parallel-snapshot-isolation", Needs::nothing,
     ":parallel-snapshot-isolation"},
    {"snapshot-isolation", Needs::nothing, ":snapshot-isolation"},
    {"snapshot-isolation", Needs::sessions,
     ":strong-session-snapshot-isolation"},
    {"serializable", Needs::nothing, ":serializable"},
    {"serializable", Needs::sessions, ":strong-session-serializable"},
    {"strong-snapshot-isolation", Needs::times, ":strong-snapshot-isolation"},
    {"strict-serializable", Needs::times, ":strong-serializable"},
};

// A level that is refuted if so much counts.
struct Refutation {
  const Level* level;
  Needs needs;
};

bool implies(const Model& model, const Refutation& weak) {
  const Level* level = find_row(levels(), model.level);
  return model.counts >= weak.needs && implies(*level, *weak.level);
}

bool implies(const Model& strong, const Model& weak) {
  return implies(strong,
                 Refutation{find_row(levels(), weak.level), weak.counts});
}

Needs needs_of(const History& history, const Violation& violation) {
  Needs needs = Needs::nothing;
  // That the initial state comes first has nothing to do with sessions.
  const auto count = [&](Reason reason, TxnId from) {
    if (reason == Reason::real_time) needs = Needs::times;
    if (reason == Reason::session_order && !history.is_init(from)) {
      needs = std::max(needs, Needs::sessions);
    }
  };
  walk(
      violation, [&](const Edge& edge) { count(edge.reason, edge.from); },
      [&](const Step& step) { count(step.reason, step.from); });
  return needs;
}

}  // namespace

ModelOf model_named(std::string_view name) {
  for (const Model& model : kModels) {
    if (plain_name(model.name.substr(1)) != name) continue;
    return {find_row(levels(), model.level), model.counts != Needs::nothing};
  }
  return {};
}

std::vector<std::string_view> model_names() {
  std::vector<std::string_view> names;
  for (const Model& model : kModels) names.push_back(model.name.substr(1));
  return names;
}

namespace {

// Elle knows cycles by their anti-dependencies. Ours are named after all that
// their proof needs, so that what a lemma rests on counts as well; only of one
// that needs real time the cycle itself must tell.
std::string_view cycle_type(Kind kind, const CycleTraits& traits) {
  const std::string_view none = traits.reads_from ? ":G1c" : ":G0";
  switch (kind) {
    case Kind::real_time_violation:
      if (traits.missed_more) {
        return traits.adjacent ? ":G2-item" : ":G-nonadjacent-item";
      }
      return traits.missed_one ? ":G-single-item" : none;
    case Kind::dependency_cycle:
      return none;
    case Kind::causality_cycle:
      return ":G1c";
    case Kind::read_skew:
      return ":G-single-item";
    case Kind::long_fork:
    case Kind::g_nonadjacent:
      return ":G-nonadjacent-item";
    case Kind::write_skew:
    case Kind::g2_item:
      return ":G2-item";
    default:
      return "";  // no cycle, or one that Elle does not know
  }
}

constexpr std::string_view kInternal = ":internal";

// Of what is wrong with one read. Empty: ours, as future-read and
// incompatible-order are.
std::string_view read_type(Kind kind) {
  switch (kind) {
    case Kind::aborted_read:
      return ":G1a";
    case Kind::intermediate_read:
      return ":G1b";
    case Kind::own_write_ignored:
    case Kind::stale_own_write:
    case Kind::non_repeatable_read:
      return kInternal;
    case Kind::duplicate_element:
      return ":duplicate-elements";
    default:
      return "";
  }
}

}  // namespace

std::string elle_type(Kind kind, const CycleTraits& traits) {
  std::string type(read_type(kind));
  if (!type.empty()) return type;
  type = cycle_type(kind, traits);
  if (type.empty()) return type.append(":").append(anomaly(kind).name);
  if (kind == Kind::real_time_violation) return type.append(kElleRealtime);
  return type.append(traits.sessions ? kElleProcess : "");
}

bool needs_sessions(const History& history, const Violation& violation) {
  return needs_of(history, violation) >= Needs::sessions;
}

Refuted refuted_models(const History& history, const Report& report) {
  const Level* const atomic = &weakest_with_repeatable_reads();
  std::vector<Refutation> refutations;
  for (const LevelReport& level : report.levels) {
    if (level.verdict != Verdict::violated) continue;
    for (const Violation& violation : level.violations) {
      // What contradicts a transaction itself is internal to Elle, and the
      // first model that forbids it is read-atomic.
      const bool raised = read_type(violation.kind) == kInternal &&
                          implies(*atomic, *level.level);
      const Refutation refutation{raised ? atomic : level.level,
                                  needs_of(history, violation)};
      const bool known =
          std::ranges::any_of(refutations, [&](const Refutation& other) {
            return other.level == refutation.level &&
                   other.needs == refutation.needs;
          });
      if (!known) refutations.push_back(refutation);
    }
  }
  std::vector<const Model*> broken;
  for (const Model& model : kModels) {
    if (std::ranges::any_of(refutations, [&](const Refutation& r) {
          return implies(model, r);
        })) {
      broken.push_back(&model);
    }
  }
  Refuted refuted;
  for (const Model* model : broken) {
    const bool undercut = std::ranges::any_of(broken, [&](const Model* other) {
      return other != model && implies(*model, *other);
    });
    (undercut ? refuted.stronger : refuted.weakest).emplace_back(model->name);
  }
  std::ranges::sort(refuted.weakest);
  std::ranges::sort(refuted.stronger);
  return refuted;
}

}  // namespace awdit
