#include "tell/exhibit.h"

#include <algorithm>

#include "base/make_set.h"
#include "witness/phrases.h"

namespace awdit {
namespace {

class Collector {
 public:
  void add(OpId op) {
    if (op.valid()) found_.push_back({.op = op});
  }
  void add_read(OpId op, TxnId from) {
    if (op.valid()) {
      found_.push_back({.op = op, .source = Source::txn, .from = from});
    }
  }
  // The read that a finding is about; `element` is kNoId unless it is about
  // one element of a list.
  void add_finding(OpId op, Source source, TxnId from, std::uint32_t element) {
    found_.push_back(
        {.op = op, .source = source, .from = from, .element = element});
  }

  // One entry per operation, the one that knows the source if any does.
  std::vector<Exhibit> finish() {
    std::ranges::sort(found_, [](const Exhibit& a, const Exhibit& b) {
      return a.op != b.op ? a.op < b.op : a.source > b.source;
    });
    const auto same = [](const Exhibit& a, const Exhibit& b) {
      return a.op == b.op;
    };
    found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
    return std::move(found_);
  }

 private:
  std::vector<Exhibit> found_;
};

// What an edge rests on besides what was seen.
void add_edge(const History& history, const Edge& edge, Collector& collector) {
  if (edge.reason == Reason::reads_from) {
    collector.add_read(edge.read, edge.from);
  } else if (edge.reason == Reason::inferred) {
    collector.add_read(edge.read, edge.to);
  } else if (edge.reason == Reason::anti_dependency) {
    collector.add_read(edge.read, writer_of(history, edge.write));
  }
  collector.add(edge.write);
  collector.add(edge.other_write);
}

// What somebody overwrote without having seen it. O(operations of the two).
void add_lost_update(const History& history, const LostUpdate& lost,
                     Collector& collector) {
  collector.add(lost.write);
  for (const OpId read : {lost.read, lost.other}) {
    collector.add_read(read, writer_of(history, lost.write));
    collector.add(last_write(history, history.txn_of(read), history.key(read)));
  }
}

// Whether the finding says where the read got its value.
Source source_of(Kind kind) {
  switch (kind) {
    case Kind::thin_air_read:
      return Source::nobody;
    case Kind::duplicate_element:
    case Kind::incompatible_order:
      return Source::unsaid;
    default:
      return Source::txn;
  }
}

}  // namespace

std::vector<Exhibit> exhibits_of(const History& history,
                                 const Violation& violation) {
  Collector collector;
  walk(
      violation,
      [&](const Finding& finding) {
        collector.add_finding(finding.read, source_of(violation.kind),
                              writer_of(history, finding.write),
                              finding.element);
        collector.add(finding.write);
        if (violation.kind == Kind::incompatible_order) {
          collector.add_finding(finding.other, Source::unsaid, TxnId(),
                                finding.element);
        } else {
          collector.add(finding.other);
        }
      },
      [&](const LostUpdate& lost) {
        add_lost_update(history, lost, collector);
      },
      [&](const Lemma& lemma) { collector.add(lemma.shown); },
      [&](const Edge& edge) { add_edge(history, edge, collector); },
      [&](const Step& step) {
        if (step.reason != Reason::reads_from) return;
        collector.add_read(step.read, step.from);
        collector.add(step.write);
      });
  return collector.finish();
}

std::vector<Exhibit> exhibits_in(const History& history, TxnId txn,
                                 const std::vector<Exhibit>& exhibits) {
  const IdRange<OpId> ops = history.ops(txn);
  const auto at = [&](std::uint32_t op) {
    return std::ranges::lower_bound(exhibits, OpId(op), {}, &Exhibit::op);
  };
  return {at(ops.first), at(ops.last)};
}

std::vector<KeyId> keys_of(const History& history, const Violation& violation) {
  if (const Finding* const finding = violation.finding()) {
    return {history.key(finding->read)};
  }
  if (const LostUpdate* const lost = violation.lost_update()) {
    return {history.key(lost->read)};
  }
  std::vector<KeyId> keys;
  const std::vector<Edge>& edges = violation.cycle()->edges;
  for (const Edge& edge : edges) {
    if (edge.reason == Reason::inferred ||
        edge.reason == Reason::version_order ||
        edge.reason == Reason::anti_dependency) {
      keys.push_back(edge.key);
    }
  }
  // Where only times are against it, it is about what was read.
  if (keys.empty() && violation.kind == Kind::real_time_violation) {
    for (const Edge& edge : edges) {
      if (edge.read.valid()) keys.push_back(history.key(edge.read));
    }
  }
  make_set(keys);
  return keys;
}

}  // namespace awdit
