#include "report/page_arrows.h"

#include <algorithm>

namespace awdit {
namespace {

class Drawer {
 public:
  Drawer(const History& history, const Story& story,
         std::span<const TxnId> wanted)
      : history_(history), story_(story), wanted_(wanted) {}

  PageArrows draw() {
    const std::vector<ProofStep>& steps = story_.proof.steps;
    result_.of_step.resize(steps.size());
    for (at_ = 0; at_ < steps.size(); ++at_) {
      for (const Step& step : steps[at_].path) add(step);
      if (steps[at_].edge) add(*steps[at_].edge);
    }
    if (const LostUpdate* const lost = story_.violation.lost_update()) {
      draw_lost_update(*lost);
    } else if (const Finding* const finding = story_.violation.finding()) {
      draw_finding(*finding);
    }
    return std::move(result_);
  }

 private:
  void add(const Step& step) {
    const bool read = step.reason == Reason::reads_from;
    put({.type = read                               ? PageArrowType::read
                 : step.reason == Reason::real_time ? PageArrowType::time
                                                    : PageArrowType::session,
         .from = step.from,
         .to = step.to,
         .from_op = read ? step.write : OpId(),
         .to_op = read ? step.read : OpId(),
         .key = read ? history_.key(step.read) : KeyId()});
  }

  std::uint32_t step() const { return static_cast<std::uint32_t>(at_); }

  void add_read(OpId read, OpId write) {
    put({.type = PageArrowType::read,
         .from = write.valid() ? history_.txn_of(write) : history_.init_txn(),
         .to = history_.txn_of(read),
         .from_op = write,
         .to_op = read,
         .key = history_.key(read)});
  }

  void add_missed(OpId read, OpId write) {
    put({.type = PageArrowType::missed,
         .from = history_.txn_of(read),
         .to = history_.txn_of(write),
         .from_op = read,
         .to_op = write,
         .key = history_.key(read),
         .step = step()});
  }

  void add(const Edge& edge) {
    if (edge.reason == Reason::anti_dependency) {
      add_read(edge.read, edge.write);
      add_missed(edge.read, edge.other_write);
      return;
    }
    if (edge.reason == Reason::version_order) {
      put({.type = PageArrowType::must,
           .from = edge.from,
           .to = edge.to,
           .from_op = edge.write,
           .to_op = edge.other_write,
           .key = edge.key,
           .step = step()});
      return;
    }
    for (const Step& part : edge.seen) add(part);
    put({.type = PageArrowType::read,
         .from = edge.to,
         .to = edge.reader,
         .from_op = edge.write,
         .to_op = edge.read,
         .key = edge.key});
    put({.type = PageArrowType::must,
         .from = edge.from,
         .to = edge.to,
         .from_op = edge.other_write,
         .to_op = edge.write,
         .key = edge.key,
         .step = step()});
  }

  // Each read the same, and neither what the other wrote.
  void draw_lost_update(const LostUpdate& lost) {
    const OpId reads[] = {lost.read, lost.other};
    for (at_ = 0; at_ < 2; ++at_) {
      add_read(reads[at_], lost.write);
      add_missed(reads[at_], story_.proof.steps[1 - at_].ops.back());
    }
  }

  // What a wrong read returned, and what it should have.
  void draw_finding(const Finding& v) {
    const Kind kind = story_.violation.kind;
    for (at_ = story_.proof.steps.size(); at_ > 0; --at_) {
      const std::vector<OpId>& ops = story_.proof.steps[at_ - 1].ops;
      if (std::find(ops.begin(), ops.end(), v.read) != ops.end()) break;
    }
    if (at_ == 0) return;
    --at_;
    const bool from_init =
        kind == Kind::own_write_ignored || kind == Kind::non_repeatable_read;
    if (v.write.valid() || from_init) add_read(v.read, v.write);
    if (kind == Kind::own_write_ignored || kind == Kind::stale_own_write ||
        kind == Kind::intermediate_read) {
      put({.type = PageArrowType::expected,
           .from = history_.txn_of(v.other),
           .to = history_.txn_of(v.read),
           .from_op = v.other,
           .to_op = v.read,
           .key = history_.key(v.read)});
    }
  }

  void put(const PageArrow& arrow) {
    const auto is_wanted = [&](TxnId txn) {
      return std::binary_search(wanted_.begin(), wanted_.end(), txn);
    };
    if (!is_wanted(arrow.from) || !is_wanted(arrow.to)) return;
    const auto same = [&](const PageArrow& other) {
      return other.type == arrow.type && other.from == arrow.from &&
             other.to == arrow.to && other.from_op == arrow.from_op &&
             other.to_op == arrow.to_op &&
             // What was proven is used again without an arrow of its own.
             (other.step == arrow.step || arrow.type == PageArrowType::must);
    };
    // Few transactions are wanted, so few arrows there are.
    const auto found =
        std::find_if(result_.arrows.begin(), result_.arrows.end(), same);
    const auto index =
        static_cast<std::uint32_t>(found - result_.arrows.begin());
    if (found == result_.arrows.end()) result_.arrows.push_back(arrow);
    std::vector<std::uint32_t>& mine = result_.of_step[at_];
    if (std::find(mine.begin(), mine.end(), index) == mine.end()) {
      mine.push_back(index);
    }
  }

  const History& history_;
  const Story& story_;
  std::span<const TxnId> wanted_;
  std::size_t at_ = 0;  // step
  PageArrows result_;
};

}  // namespace

std::string_view name(PageArrowType type) {
  switch (type) {
    case PageArrowType::session:
      return "session";
    case PageArrowType::read:
      return "read";
    case PageArrowType::time:
      return "time";
    case PageArrowType::must:
      return "must";
    case PageArrowType::missed:
      return "missed";
    case PageArrowType::expected:
      return "expected";
  }
  return "?";
}

PageArrows arrows_of(const History& history, const Story& story,
                     std::span<const TxnId> wanted) {
  return Drawer(history, story, wanted).draw();
}

}  // namespace awdit
