// A circle of dependencies is best told by what was missed: whoever takes part
// in it read something that another one had replaced, or was about to. Of many
// such reads the first few stand for the rest.
#include <fmt/format.h>

#include <vector>

#include "base/counted.h"
#include "tell/headlines.h"
#include "tell/phrases.h"
#include "tell/proof.h"

namespace awdit {
namespace {

constexpr std::size_t kNames = 5;  // transactions named before they are counted
constexpr std::size_t kMisses = 3;  // reads told before the rest is counted

std::string lost_update(const History& history, const LostUpdate& lost) {
  const auto name = [&](OpId op) {
    return history.txn_name(history.txn_of(op));
  };
  const bool initial = !lost.write.valid();
  // Of lists one of them may have read it with its own elements behind.
  if (history.has_lists() &&
      history.list_size(lost.read) != history.list_size(lost.other)) {
    const TxnId source =
        initial ? history.init_txn() : history.txn_of(lost.write);
    return fmt::format(
        "{} and {}, and both appended to it: neither saw the other's element",
        describe_read(history, lost.read, source),
        describe_read(history, lost.other, source));
  }
  const std::string read = quote(history, lost.read);
  return fmt::format("{} and {} both read {}{}{} and both {}", name(lost.read),
                     name(lost.other), initial ? "the initial " : "", read,
                     initial ? "" : " from " + name(lost.write),
                     history.has_lists()
                         ? "appended to it: neither saw the other's element"
                         : "overwrote it: one of the two updates is lost");
}

class Sentence {
 public:
  Sentence(const History& history, Kind kind, const Cycle& cycle)
      : history_(history), kind_(kind), edges_(cycle.edges) {
    for (const Edge& edge : edges_) {
      if (edge.reason == Reason::anti_dependency) missed_.push_back(&edge);
      if (edge.reason == Reason::real_time) timed_.push_back(&edge);
    }
  }

  std::string text() const {
    switch (kind_) {
      case Kind::write_skew:
        return fmt::format("{}, while {}: neither saw the other",
                           replaced(*missed_[0]), replaced(*missed_[1]));
      case Kind::long_fork:
        return long_fork();
      case Kind::read_skew:
        return read_skew();
      case Kind::real_time_violation:
        return real_time();
      case Kind::g_nonadjacent:
        return around() + ": no order of snapshots and commits allows it";
      case Kind::g2_item:
        return around() + ": no serial order allows it";
      default:
        return circle();
    }
  }

 private:
  std::string name(TxnId txn) const { return history_.txn_name(txn); }
  std::string told(const Edge& edge) const {
    return describe_dependency(history_, edge);
  }
  std::string missed(const Edge& edge) const {
    return fmt::format("{} missed {}", name(edge.from),
                       describe_missed(history_, edge.other_write));
  }

  // "t1 read the initial x=0 and t2 overwrote it"
  std::string replaced(const Edge& edge) const {
    return fmt::format(
        "{} and {} {}",
        describe_read(history_, edge.read, writer_of(history_, edge.write)),
        name(edge.to),
        history_.has_lists()
            ? fmt::format("appended {}",
                          history_.to_string(history_.value(edge.other_write)))
            : "overwrote it");
  }

  // The cycle is a miss, how the missed write is known, and both once more,
  // beginning anywhere.
  std::string long_fork() const {
    // As the proof begins: behind the last miss.
    const std::size_t first =
        edges_[0].reason == Reason::anti_dependency ? 3 : 0;
    // edges_[at]: who was read; edges_[at + 1]: what the reader missed.
    const auto saw = [&](std::size_t at) {
      return fmt::format(
          "{} but missed {}", told(edges_[at % 4]),
          describe_missed(history_, edges_[(at + 1) % 4].other_write));
    };
    return fmt::format("{}, while {}", saw(first), saw(first + 2));
  }

  std::string read_skew() const {
    const Edge& edge = *missed_.front();
    return fmt::format(
        "{} although it comes after {}, which had {}",
        describe_read(history_, edge.read, writer_of(history_, edge.write)),
        name(edge.to), overwritten(history_, edge.other_write));
  }

  std::string misses() const {
    std::vector<std::string> reads;
    for (const Edge* edge : missed_) reads.push_back(missed(*edge));
    return listed(reads, kMisses);
  }

  // The misses may all be in what the circle rests on.
  std::string around() const { return missed_.empty() ? circle() : misses(); }

  std::string real_time() const {
    if (timed_.empty()) {
      return around() + ": no order that agrees with the times allows it";
    }
    const Edge& time = *timed_.front();
    if (edges_.size() == 2 && timed_.size() == 1) {
      const Edge& other = edges_[&time == &edges_[0] ? 1 : 0];
      if (other.reason == Reason::reads_from) {
        return fmt::format("{}, which began only after {} had ended",
                           told(other), name(other.to));
      }
      return fmt::format("{}, although {}", told(other), told(time));
    }
    const std::string when = timed_.size() == 1
                                 ? told(time)
                                 : fmt::format("{}, and so on", told(time));
    if (missed_.empty()) {
      return fmt::format("{} depend on each other in a circle, given that {}",
                         names(), when);
    }
    return fmt::format(
        "{}, although {}: no order that agrees with the times "
        "allows it",
        misses(), when);
  }

  std::string circle() const {
    if (edges_.size() == 2) {
      return fmt::format("{}, yet {}", told(edges_[0]), told(edges_[1]));
    }
    return fmt::format("{} depend on each other in a circle", names());
  }

  std::string names() const {
    std::vector<std::string> all;
    for (const Edge& edge : edges_) all.push_back(name(edge.from));
    return listed(all, kNames);
  }

  const History& history_;
  const Kind kind_;
  const std::vector<Edge>& edges_;
  std::vector<const Edge*> missed_, timed_;
};

}  // namespace

std::string dependency_headline(const History& history,
                                const Violation& violation) {
  if (const LostUpdate* const lost = violation.lost_update()) {
    return lost_update(history, *lost);
  }
  return Sentence(history, violation.kind, *violation.cycle()).text();
}

}  // namespace awdit
