#include "witness/judge_edge.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "witness/judge_violation.h"
#include "witness/phrases.h"

namespace awdit {
namespace {

// A row per premise: which ways from t2 to t3 it allows, in the order of the
// steps, and whom the reader sees, in words. That they are steps of session
// order and reads-from, and lead from t2 to t3, is asked before.
struct Sight {
  Premise premise;
  bool (*fits)(const Edge& edge);
  std::string_view words;
};
// "r" is a step of reads-from, "s" one along a session.
bool is_of_form(const Edge& edge, std::string_view form) {
  return std::equal(edge.seen.begin(), edge.seen.end(), form.begin(),
                    form.end(), [](const Step& step, char letter) {
                      return (step.reason == Reason::reads_from) ==
                             (letter == 'r');
                    });
}
constexpr Sight kSights[] = {
    {Premise::read_before,
     [](const Edge& edge) {
       const Step& first = edge.seen.front();
       return edge.seen.size() == 1 && first.reason == Reason::reads_from &&
              first.read < edge.read;
     },
     "what it read from before"},
    {Premise::session, [](const Edge& edge) { return is_of_form(edge, "s"); },
     "its own session"},
    {Premise::read_session,
     [](const Edge& edge) { return is_of_form(edge, "rs"); },
     "what its session had read from before"},
    {Premise::session_read,
     [](const Edge& edge) { return is_of_form(edge, "sr"); },
     "the sessions of those it read from, up to these"},
    {Premise::read_read,
     [](const Edge& edge) {
       return is_of_form(edge, "rr") || is_of_form(edge, "rsr");
     },
     "what the sessions of those it read from had read from"},
    {Premise::direct, [](const Edge& edge) { return edge.seen.size() == 1; },
     "what it read from and its own session"},
    {Premise::depends_on, [](const Edge&) { return true; }, ""},
};

// nullptr: the level infers nothing.
const Sight* sight_of(const Level& level) {
  const auto sight = std::ranges::find(kSights, level.premise, &Sight::premise);
  return sight == std::end(kSights) ? nullptr : sight;
}

}  // namespace

EdgeJudge::EdgeJudge(const History& history, const Attribution& attribution,
                     const Level& level)
    : history_(history),
      attribution_(attribution),
      level_(level),
      repeatable_reads_(demands_repeatable_reads(level)) {}

std::string EdgeJudge::objection(const Edge& edge) const {
  if (!takes_part(edge.from)) return "its source is no committed transaction";
  if (!takes_part(edge.to)) return "its target is no committed transaction";
  if (edge.reason == Reason::inferred) return to_inferred(edge);
  if (edge.other_write.valid() || edge.reader.valid() || edge.key.valid() ||
      !edge.seen.empty()) {
    return "only an inferred edge has a reader, a key and another write";
  }
  return to_step(step_of(edge));
}

std::string EdgeJudge::to_dependency(const Edge& edge) const {
  if (!takes_part(edge.from)) return "its source is no committed transaction";
  if (!takes_part(edge.to)) return "its target is no committed transaction";
  if (history_.is_init(edge.to)) return "nothing comes before init";
  if (edge.reader.valid() || !edge.seen.empty()) {
    return "only an inferred edge has a reader and what it saw";
  }
  return "";
}

std::string EdgeJudge::to_step(const Step& step) const {
  if (!takes_part(step.from)) return "its source is no committed transaction";
  if (!takes_part(step.to)) return "its target is no committed transaction";
  switch (step.reason) {
    case Reason::session_order:
      if (step.write.valid() || step.read.valid()) {
        return "session order rests on no operation, yet it names one";
      }
      return to_session_order(step.from, step.to);
    case Reason::reads_from:
      return to_reads_from(step.from, step.to, step.write, step.read);
    case Reason::inferred:
    case Reason::real_time:
    case Reason::version_order:
    case Reason::anti_dependency:
      break;
  }
  return "its reason does not fit";
}

std::string EdgeJudge::to_session_order(TxnId from, TxnId to) const {
  if (history_.is_init(to)) return "nothing comes before init";
  if (history_.is_init(from)) return "";
  if (history_.session(from) != history_.session(to)) {
    return fmt::format("{} and {} are not of one session", name(from),
                       name(to));
  }
  if (from >= to) {
    return fmt::format("{} does not come before {} in its session", name(from),
                       name(to));
  }
  return "";
}

std::string EdgeJudge::to_reads_from(TxnId from, TxnId to, OpId write,
                                     OpId read) const {
  if (!is_read(read)) return "it names no read of this history";
  if (attribution_.op_txn[read.v] != to.v) {
    return fmt::format("the read it names is not one of {}", name(to));
  }
  if (attribution_.source[read.v] == Attribution::kNone) {
    return fmt::format(
        "{}'s read of {} returned no valid version of another transaction",
        name(to), quote(history_, read));
  }
  const TxnId writer = attribution_.writer(history_, read.v);
  const OpId source =
      history_.is_init(writer) ? OpId() : OpId(attribution_.source[read.v]);
  if (writer != from) {
    return fmt::format("{} read {} from {}, not from {}", name(to),
                       quote(history_, read), name(writer), name(from));
  }
  if (write != source) {
    return fmt::format("the write it names is not what {}'s read returned",
                       name(to));
  }
  return "";
}

std::string EdgeJudge::to_inferred(const Edge& edge) const {
  if (!takes_part(edge.reader) || history_.is_init(edge.reader)) {
    return "its reader is no committed transaction";
  }
  if (edge.from == edge.to) return "it leads from a transaction to itself";
  const std::string objection =
      to_reads_from(edge.to, edge.reader, edge.write, edge.read);
  if (!objection.empty()) return objection;
  if (history_.key(edge.read) != edge.key) {
    return "the read it names is of another key";
  }
  if (repeatable_reads_ &&
      find_finding(attribution_.unrepeatable, edge.read) != nullptr) {
    return fmt::format(
        "{}'s read of {} differs from its first one and is "
        "judged as a non-repeatable read only",
        name(edge.reader), history_.key_label(edge.key));
  }
  if (!is_write(edge.other_write) ||
      history_.key(edge.other_write) != edge.key ||
      attribution_.op_txn[edge.other_write.v] != edge.from.v) {
    return fmt::format("the other write it names is no write of {} by {}",
                       history_.key_label(edge.key), name(edge.from));
  }
  return to_seen(edge);
}

// That the reader saw edge.from, in the sense of the level.
std::string EdgeJudge::to_seen(const Edge& edge) const {
  if (edge.seen.empty()) {
    return fmt::format("it does not show that {} saw {}", name(edge.reader),
                       name(edge.from));
  }
  if (edge.seen.front().from != edge.from ||
      edge.seen.back().to != edge.reader) {
    return fmt::format("what it shows does not lead from {} to {}",
                       name(edge.from), name(edge.reader));
  }
  for (std::size_t i = 0; i < edge.seen.size(); ++i) {
    const Step& step = edge.seen[i];
    if (i != 0 && step.from != edge.seen[i - 1].to) {
      return fmt::format("step {} does not begin where step {} ends", i + 1, i);
    }
    const std::string objection = to_step(step);
    if (!objection.empty()) return fmt::format("step {}: {}", i + 1, objection);
  }
  const Sight* const sight = sight_of(level_);
  if (sight == nullptr) return fmt::format("{} infers nothing", level_.title);
  if (sight->fits(edge)) return "";
  return fmt::format("under {} the reader sees only {}", level_.title,
                     sight->words);
}

bool show_enough_for(const Level& level, std::span<const Edge> edges) {
  const Sight* const sight = sight_of(level);
  bool any = false;
  for (const Edge& edge : edges) {
    if (edge.reason != Reason::inferred) continue;
    if (sight == nullptr || edge.seen.empty() || !sight->fits(edge)) {
      return false;
    }
    any = true;
  }
  return any;
}

std::string objection_to_circle(
    std::span<const Edge> edges,
    const std::function<std::string(const Edge&)>& to_edge) {
  if (edges.empty()) return "its cycle is empty";
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::string wrong = to_edge(edges[i]);
    if (!wrong.empty()) return fmt::format("edge {}: {}", i + 1, wrong);
    const std::size_t next = (i + 1) % edges.size();
    if (edges[i].to != edges[next].from) {
      return fmt::format("edge {} does not begin where edge {} ends", next + 1,
                         i + 1);
    }
  }
  return "";
}

}  // namespace awdit
