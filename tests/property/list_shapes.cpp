// Lists as a store would return them: transactions commit one after another,
// each sees the appends of those before its snapshot, then its own. Changes of
// single lists then bring in every finding: elements are swapped, left out,
// doubled, cut off, put in from any transaction whatever became of it, or made
// up.
#include <algorithm>
#include <map>

#include "property/shapes.h"

namespace awdit::property {
namespace {

using List = std::vector<std::int64_t>;

class Filler {
 public:
  Filler(const Shape& shape, Script& script, Random& random)
      : shape_(shape), script_(script), random_(random) {
    for (const ScriptTxn& txn : script.txns) {
      for (const ScriptOp& op : txn.ops) {
        if (op.write) appended_[op.key].push_back(op.value);
      }
    }
  }

  void run() {
    script_.lists = true;
    for (std::size_t t = 0; t < script_.txns.size(); ++t) {
      const std::size_t snapshot = snapshot_before(t, shape_.stale);
      std::map<int, List> own;
      for (ScriptOp& op : script_.txns[t].ops) {
        if (op.write) {
          own[op.key].push_back(op.value);
          continue;
        }
        op.list = list_as_of(
            chance(shape_.torn) ? snapshot_before(t, 100) : snapshot, op.key);
        op.list.insert(op.list.end(), own[op.key].begin(), own[op.key].end());
        while (chance(shape_.change)) change(op.list, op.key);
      }
    }
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  bool chance(int percent) {
    return percent != 0 && below(100) < static_cast<std::size_t>(percent);
  }

  // Transactions below the result are visible.
  std::size_t snapshot_before(std::size_t t, int stale) {
    return chance(stale) ? t - below(t + 1) : t;
  }

  List list_as_of(std::size_t snapshot, int key) const {
    List list;
    for (std::size_t t = 0; t < snapshot; ++t) {
      const ScriptTxn& txn = script_.txns[t];
      const bool took_effect =
          txn.status == Status::committed ||
          (txn.status == Status::unknown ? t % 2 == 0
                                         : shape_.dirty && t % 3 == 0);
      if (!took_effect) continue;
      for (const ScriptOp& op : txn.ops) {
        if (op.write && op.key == key) list.push_back(op.value);
      }
    }
    return list;
  }

  void change(List& list, int key) {
    const auto place = [&](std::size_t extra) {
      return list.begin() + static_cast<long>(below(list.size() + extra));
    };
    const List& all = appended_[key];
    switch (below(list.empty() ? 2 : 7)) {
      case 0:
        list.insert(place(1), 1000 + static_cast<std::int64_t>(below(5)));
        break;
      case 1:
        if (!all.empty()) list.insert(place(1), all[below(all.size())]);
        break;
      case 2:
        std::iter_swap(place(0), place(0));
        break;
      case 3:
        list.erase(place(0));
        break;
      case 4: {
        const std::int64_t copy = *place(0);
        list.insert(place(1), copy);
        break;
      }
      case 5:
        list.erase(place(0), list.end());
        break;
      case 6:
        std::shuffle(list.begin(), list.end(), random_);
        break;
    }
  }

  const Shape& shape_;
  Script& script_;
  Random& random_;
  std::map<int, List> appended_;  // [key], by whomever
};

}  // namespace

void fill_lists(const Shape& shape, Script& script, Random& random) {
  Filler(shape, script, random).run();
}

}  // namespace awdit::property
