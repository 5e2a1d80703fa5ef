#include "property/orbit.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace awdit::property {
namespace {

// A script as numbers, equal exactly for equal scripts.
using Text = std::vector<std::int64_t>;

// New names in the order in which the old ones appear.
class Names {
 public:
  std::int64_t of(std::int64_t old) {
    const auto at = std::find(old_.begin(), old_.end(), old);
    const auto name = at - old_.begin();
    if (at == old_.end()) old_.push_back(old);
    return name;
  }
  // The old name itself if it has not appeared.
  std::int64_t known(std::int64_t old) const {
    const auto at = std::find(old_.begin(), old_.end(), old);
    return at == old_.end() ? old : at - old_.begin();
  }

 private:
  std::vector<std::int64_t> old_;
};

// The script with its transactions in another order, named anew.
Text retold(const Script& script, const std::vector<std::size_t>& order) {
  Names sessions, keys;
  std::vector<Names> values;
  const auto values_of = [&](int key) -> Names& {
    const auto at = static_cast<std::size_t>(key);
    if (values.size() <= at) values.resize(at + 1);
    values[at].of(0);  // initial, and stays so
    return values[at];
  };
  for (std::size_t t : order) {
    for (const ScriptOp& op : script.txns[t].ops) {
      if (op.write) values_of(op.key).of(op.value);
    }
  }
  Text text;
  for (std::size_t t : order) {
    const ScriptTxn& txn = script.txns[t];
    text.insert(text.end(),
                {sessions.of(txn.session), std::int64_t(txn.status),
                 txn.times.begin, txn.times.end, std::int64_t(txn.ops.size())});
    for (const ScriptOp& op : txn.ops) {
      const Names& own = values_of(op.key);
      text.insert(text.end(), {op.write, keys.of(op.key), own.known(op.value),
                               std::int64_t(op.list.size())});
      for (std::int64_t element : op.list) text.push_back(own.known(element));
    }
  }
  return text;
}

bool keeps_sessions(const Script& script,
                    const std::vector<std::size_t>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      if (order[i] > order[j] &&
          script.txns[order[i]].session == script.txns[order[j]].session) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

Orbit orbit_of(const Script& script) {
  std::vector<std::size_t> order(script.txns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const Text own = retold(script, order);
  std::vector<Text> all;
  do {
    if (keeps_sessions(script, order)) all.push_back(retold(script, order));
  } while (std::next_permutation(order.begin(), order.end()));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  // Any number that the members agree on.
  std::uint64_t hash = 14695981039346656037u;
  for (std::int64_t number : all.front()) {
    hash = (hash ^ static_cast<std::uint64_t>(number)) * 1099511628211u;
  }
  return {all.size(), all[(hash >> 32) % all.size()] == own};
}

}  // namespace awdit::property
