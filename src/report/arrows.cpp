#include "report/arrows.h"

#include <algorithm>
#include <unordered_set>

namespace awdit {
namespace {

// Red for what must be and cannot be, as in Elle's plots red is for writes
// overwritten.
constexpr ArrowStyle kStyles[] = {
    {Arrow::Kind::session, "session", "#6b7480", "#9aa4b1", "",
     "same session, one after the other"},
    {Arrow::Kind::read, "read", "#0b62b8", "#6db3f7", "", "was read by"},
    {Arrow::Kind::time, "time", "#6b7480", "#9aa4b1", "1 4",
     "had ended before it began"},
    {Arrow::Kind::inferred, "inferred", "#c02700", "#ff7a5c", "6 4",
     "must come before, says the level"},
    {Arrow::Kind::missed, "missed", "#8a3ffc", "#c39bff", "6 4", "did not see"},
    {Arrow::Kind::contrast, "contrast", "#c02700", "#ff7a5c", "2 4",
     "contradicts"},
};

class Collector {
 public:
  explicit Collector(const History& history) : history_(history) {}

  void add(const Step& step, std::uint32_t number) {
    if (step.reason == Reason::session_order) {
      push({step.from, step.to, OpId(), OpId(), Arrow::Kind::session, number});
    } else if (step.reason == Reason::real_time) {
      push({step.from, step.to, OpId(), OpId(), Arrow::Kind::time, number});
    } else {
      push({step.from, step.to, step.write, step.read, Arrow::Kind::read,
            number});
    }
  }

  void add(const Edge& edge, std::uint32_t number) {
    if (edge.reason == Reason::inferred) {
      for (const Step& part : edge.seen) add(part, number);
      add_inferred(edge, number);
    } else if (edge.reason == Reason::version_order) {
      push({edge.from, edge.to, edge.write, edge.other_write,
            Arrow::Kind::inferred, number});
    } else {
      // What was read instead, so that it can be seen.
      add_read(edge.read, edge.write, number);
      push({edge.from, edge.to, edge.read, edge.other_write,
            Arrow::Kind::missed, number});
    }
  }

  void add_inferred(const Edge& edge, std::uint32_t number) {
    // The read that the rule is about, so that it can be seen.
    push({edge.to, edge.reader, edge.write, edge.read, Arrow::Kind::read,
          number});
    push({edge.from, edge.to, edge.other_write, edge.write,
          Arrow::Kind::inferred, number});
  }

  void add_lost_update(const LostUpdate& lost, const Proof& proof) {
    std::uint32_t number = 0;
    for (const OpId read : {lost.read, lost.other}) {
      add_read(read, lost.write, ++number);
    }
    number = 0;
    for (const OpId read : {lost.read, lost.other}) {
      // The write that the step before or after this one tells.
      const ProofStep& other = proof.steps[number == 0 ? 1 : 0];
      const OpId write = other.ops.back();
      push({history_.txn_of(read), history_.txn_of(write), read, write,
            Arrow::Kind::missed, ++number});
    }
  }

  void add_finding(Kind kind, const Finding& finding) {
    const bool from_nowhere = kind == Kind::thin_air_read ||
                              kind == Kind::duplicate_element ||
                              kind == Kind::incompatible_order;
    if (finding.write.valid() || !from_nowhere) {
      add_read(finding.read, finding.write, 0);
    }
    if (finding.other.valid()) {
      push({history_.txn_of(finding.other), history_.txn_of(finding.read),
            finding.other, finding.read, Arrow::Kind::contrast, 0});
    }
  }

  std::vector<Arrow> finish() { return std::move(arrows_); }

 private:
  void add_read(OpId read, OpId write, std::uint32_t number) {
    push({write.valid() ? history_.txn_of(write) : history_.init_txn(),
          history_.txn_of(read), write, read, Arrow::Kind::read, number});
  }

  void push(const Arrow& arrow) {
    std::uint64_t hash = static_cast<std::uint64_t>(arrow.kind);
    for (const std::uint32_t id :
         {arrow.from.v, arrow.to.v, arrow.at_from.v, arrow.at_to.v}) {
      hash = (hash ^ id) * 0x9E37'79B9'7F4A'7C15u;
      hash ^= hash >> 29;
    }
    if (known_.insert(hash).second) arrows_.push_back(arrow);
  }

  const History& history_;
  std::vector<Arrow> arrows_;
  std::unordered_set<std::uint64_t> known_;
};

}  // namespace

std::vector<Arrow> arrows_of(const History& history, const Story& story) {
  Collector collector(history);
  if (const LostUpdate* const lost = story.violation.lost_update()) {
    collector.add_lost_update(*lost, story.proof);
    return collector.finish();
  }
  if (const Finding* const finding = story.violation.finding()) {
    collector.add_finding(story.violation.kind, *finding);
    return collector.finish();
  }
  std::uint32_t number = 0;
  for (const ProofStep& step : story.proof.steps) {
    ++number;
    for (const Step& part : step.path) collector.add(part, number);
    if (step.edge) collector.add(*step.edge, number);
  }
  return collector.finish();
}

bool is_contested(const Story& story, OpId op) {
  const Violation& violation = story.violation;
  if (const Finding* const finding = violation.finding()) {
    return op == finding->read;
  }
  if (const LostUpdate* const lost = violation.lost_update()) {
    return op == lost->read || op == lost->other;
  }
  const std::vector<Edge>& edges = violation.cycle()->edges;
  return std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) {
    return (edge.reason == Reason::inferred ||
            edge.reason == Reason::anti_dependency) &&
           edge.read == op;
  });
}

bool has_init(const History& history, const std::vector<Arrow>& arrows) {
  return std::any_of(arrows.begin(), arrows.end(), [&](const Arrow& arrow) {
    return history.is_init(arrow.from) || history.is_init(arrow.to);
  });
}

const ArrowStyle& style_of(Arrow::Kind kind) {
  return kStyles[static_cast<std::size_t>(kind)];
}

}  // namespace awdit
