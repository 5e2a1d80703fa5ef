#include "report/arrows.h"

#include <algorithm>
#include <unordered_set>

#include "base/flat_index.h"

namespace awdit {
namespace {

// Red for what must be and cannot be, as in Elle's plots red is for writes
// overwritten.
constexpr ArrowStyle kStyles[] = {
    {Arrow::Kind::session, "session", "session", "#6b7480", "#9aa4b1", "",
     "same session, one after the other"},
    {Arrow::Kind::read, "read", "read", "#0b62b8", "#6db3f7", "",
     "was read by"},
    {Arrow::Kind::time, "time", "time", "#6b7480", "#9aa4b1", "1 4",
     "had ended before it began"},
    {Arrow::Kind::inferred, "inferred", "must", "#c02700", "#ff7a5c", "6 4",
     "must come before, says the level"},
    {Arrow::Kind::missed, "missed", "missed", "#8a3ffc", "#c39bff", "6 4",
     "did not see"},
    {Arrow::Kind::contrast, "contrast", "expected", "#c02700", "#ff7a5c", "2 4",
     "contradicts"},
};

// All that the steps of the proof rest on, step by step: some several times.
class Teller {
 public:
  Teller(const History& history, const Story& story)
      : history_(history), story_(story) {}

  std::vector<Arrow> tell() {
    for (const ProofStep& step : story_.proof.steps) {
      ++number_;
      for (const Step& part : step.path) add(part);
      if (step.edge) add(*step.edge);
    }
    if (const LostUpdate* const lost = story_.violation.lost_update()) {
      add_lost_update(*lost);
    } else if (const Finding* const finding = story_.violation.finding()) {
      add_finding(story_.violation.kind, *finding);
    }
    return std::move(arrows_);
  }

 private:
  void add(const Step& step) {
    if (step.reason == Reason::reads_from) {
      put(Arrow::Kind::read, step.from, step.to, step.write, step.read,
          history_.key(step.read));
    } else {
      put(step.reason == Reason::real_time ? Arrow::Kind::time
                                           : Arrow::Kind::session,
          step.from, step.to, OpId(), OpId(), KeyId());
    }
  }

  void add(const Edge& edge) {
    for (const Step& part : edge.seen) add(part);
    if (edge.reason == Reason::anti_dependency) {
      // What was read instead, so that it can be seen.
      add_read(edge.read, edge.write);
      add_missed(edge.read, edge.other_write);
    } else if (edge.reason == Reason::version_order) {
      put(Arrow::Kind::inferred, edge.from, edge.to, edge.write,
          edge.other_write, edge.key);
    } else {
      // The read that the rule is about, so that it can be seen.
      put(Arrow::Kind::read, edge.to, edge.reader, edge.write, edge.read,
          edge.key);
      put(Arrow::Kind::inferred, edge.from, edge.to, edge.other_write,
          edge.write, edge.key);
    }
  }

  // Each read the same, and neither what the other wrote: the write that the
  // other step tells.
  void add_lost_update(const LostUpdate& lost) {
    const OpId reads[] = {lost.read, lost.other};
    for (number_ = 1; number_ <= 2; ++number_) {
      add_read(reads[number_ - 1], lost.write);
      add_missed(reads[number_ - 1],
                 story_.proof.steps[2 - number_].ops.back());
    }
  }

  // What a wrong read returned, and what it should have or what contradicts it.
  void add_finding(Kind kind, const Finding& v) {
    for (; number_ > 0; --number_) {
      const std::vector<OpId>& ops = story_.proof.steps[number_ - 1].ops;
      if (std::ranges::find(ops, v.read) != ops.end()) break;
    }
    if (v.write.valid() || kind == Kind::own_write_ignored ||
        kind == Kind::non_repeatable_read) {
      add_read(v.read, v.write);
    }
    if (v.other.valid()) {
      put(Arrow::Kind::contrast, history_.txn_of(v.other),
          history_.txn_of(v.read), v.other, v.read, history_.key(v.read));
    }
  }

  void add_read(OpId read, OpId write) {
    put(Arrow::Kind::read,
        write.valid() ? history_.txn_of(write) : history_.init_txn(),
        history_.txn_of(read), write, read, history_.key(read));
  }
  void add_missed(OpId read, OpId write) {
    put(Arrow::Kind::missed, history_.txn_of(read), history_.txn_of(write),
        read, write, history_.key(read));
  }
  void put(Arrow::Kind kind, TxnId from, TxnId to, OpId at_from, OpId at_to,
           KeyId key) {
    arrows_.push_back({from, to, at_from, at_to, key, kind, number_});
  }

  const History& history_;
  const Story& story_;
  std::uint32_t number_ = 0;  // of the step
  std::vector<Arrow> arrows_;
};

std::uint64_t hash_of(const Arrow& arrow) {
  std::uint64_t hash = static_cast<std::uint64_t>(arrow.kind);
  for (const std::uint32_t id :
       {arrow.from.v, arrow.to.v, arrow.at_from.v, arrow.at_to.v}) {
    hash = mix64(hash ^ id);
  }
  return hash;
}

bool is_conclusion(const Arrow& arrow) {
  return arrow.kind == Arrow::Kind::inferred ||
         arrow.kind == Arrow::Kind::missed;
}

// Of what contradicts a read the page draws only what it should have returned.
bool is_drawn(const Arrow& arrow, Kind kind) {
  return arrow.step != 0 &&
         (arrow.kind != Arrow::Kind::contrast ||
          kind == Kind::own_write_ignored || kind == Kind::stale_own_write ||
          kind == Kind::intermediate_read);
}

}  // namespace

std::vector<Arrow> arrows_of(const History& history, const Story& story) {
  std::vector<Arrow> arrows = Teller(history, story).tell();
  std::unordered_set<std::uint64_t> known;
  std::erase_if(arrows, [&](const Arrow& arrow) {
    return !known.insert(hash_of(arrow)).second;
  });
  if (story.violation.lost_update() != nullptr) {
    std::stable_partition(arrows.begin(), arrows.end(), [](const Arrow& arrow) {
      return arrow.kind == Arrow::Kind::read;
    });
  } else if (story.violation.finding() != nullptr) {
    for (Arrow& arrow : arrows) arrow.step = 0;
  }
  return arrows;
}

PageArrows page_arrows(const History& history, const Story& story,
                       std::span<const TxnId> wanted) {
  const auto is_wanted = [&](TxnId txn) {
    return std::ranges::binary_search(wanted, txn);
  };
  PageArrows result;
  result.of_step.resize(story.proof.steps.size());
  for (Arrow arrow : Teller(history, story).tell()) {
    if (!is_drawn(arrow, story.violation.kind) || !is_wanted(arrow.from) ||
        !is_wanted(arrow.to)) {
      continue;
    }
    std::vector<std::uint32_t>& mine = result.of_step[arrow.step - 1];
    if (!is_conclusion(arrow)) arrow.step = 0;
    // Few transactions are wanted, so few arrows there are.
    const auto found =
        std::ranges::find_if(result.arrows, [&](const Arrow& other) {
          return hash_of(other) == hash_of(arrow) &&
                 // What was proven is used again without an arrow of its own.
                 (other.step == arrow.step ||
                  arrow.kind == Arrow::Kind::inferred);
        });
    const auto index =
        static_cast<std::uint32_t>(found - result.arrows.begin());
    if (found == result.arrows.end()) result.arrows.push_back(arrow);
    if (std::ranges::find(mine, index) == mine.end()) {
      mine.push_back(index);
    }
  }
  return result;
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
  return std::ranges::any_of(edges, [&](const Edge& edge) {
    return (edge.reason == Reason::inferred ||
            edge.reason == Reason::anti_dependency) &&
           edge.read == op;
  });
}

bool has_init(const History& history, const std::vector<Arrow>& arrows) {
  return std::ranges::any_of(arrows, [&](const Arrow& arrow) {
    return history.is_init(arrow.from) || history.is_init(arrow.to);
  });
}

const ArrowStyle& style_of(Arrow::Kind kind) {
  return kStyles[static_cast<std::size_t>(kind)];
}

}  // namespace awdit
