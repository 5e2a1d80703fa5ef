#include "report/exhibit.h"

#include <algorithm>

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
  void add_thin_air(OpId op) {
    found_.push_back({.op = op, .source = Source::nobody});
  }

  // One entry per operation, the one that knows the source if any does.
  std::vector<Exhibit> finish() {
    std::sort(found_.begin(), found_.end(),
              [](const Exhibit& a, const Exhibit& b) {
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

}  // namespace

std::vector<Exhibit> exhibits_of(const History& history,
                                 const Violation& violation) {
  Collector collector;
  if (violation.read.valid()) {
    if (violation.write.valid()) {
      collector.add_read(violation.read, history.txn_of(violation.write));
    } else if (violation.kind == Kind::thin_air_read) {
      collector.add_thin_air(violation.read);
    } else {
      collector.add_read(violation.read, history.init_txn());
    }
    collector.add(violation.write);
    collector.add(violation.other);
  }
  for (const Edge& edge : violation.edges) {
    if (edge.reason == Reason::reads_from) {
      collector.add_read(edge.read, edge.from);
    } else if (edge.reason == Reason::inferred) {
      collector.add_read(edge.read, edge.to);
    }
    collector.add(edge.write);
    collector.add(edge.other_write);
    for (const Step& step : edge.seen) {
      if (step.reason != Reason::reads_from) continue;
      collector.add_read(step.read, step.from);
      collector.add(step.write);
    }
  }
  return collector.finish();
}

std::vector<Exhibit> exhibits_in(const History& history, TxnId txn,
                                 const std::vector<Exhibit>& exhibits) {
  const IdRange<OpId> ops = history.ops(txn);
  const auto before = [](const Exhibit& exhibit, std::uint32_t op) {
    return exhibit.op.v < op;
  };
  const auto first =
      std::lower_bound(exhibits.begin(), exhibits.end(), ops.first, before);
  const auto last = std::lower_bound(first, exhibits.end(), ops.last, before);
  return {first, last};
}

std::vector<KeyId> keys_of(const History& history, const Violation& violation) {
  std::vector<KeyId> keys;
  if (violation.read.valid()) keys.push_back(history.key(violation.read));
  for (const Edge& edge : violation.edges) {
    if (edge.reason == Reason::inferred) keys.push_back(edge.key);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace awdit
