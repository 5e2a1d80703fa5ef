// What lists tell about the order of those who appended.
//
// Of all live transactions it is known already (check/list_versions.h). Of a
// few of them only their own lists may be called upon, and only they are
// ordered: then the longest list among them tells, as it does there.
#include <map>
#include <set>

#include "check/dependencies.h"

namespace awdit {
namespace {

std::vector<Shown> all_shown(const Index& index) {
  const ListVersions& versions = index.versions();
  std::vector<Shown> found;
  found.reserve(versions.txns.size());
  versions.for_each_pair(
      [&](std::uint32_t older, std::uint32_t newer, std::uint32_t number) {
        const ListVersions::Key& key = versions.key_of(number);
        found.push_back({key.key, older, newer,
                         index.history().txn_of(key.shown).v, key.shown});
      });
  return found;
}

class Lists {
 public:
  Lists(const Index& index, std::span<const std::uint32_t> txns)
      : history_(index.history()) {
    for (const std::uint32_t txn : txns) {
      for (const OpId op : history_.ops(TxnId(txn))) {
        if (history_.is_write(op)) {
          appends_[history_.key(op).v].emplace(history_.value(op), txn);
        } else if (is_external(index.sources()[op.v])) {
          OpId& longest = longest_[history_.key(op).v];
          if (!longest.valid() ||
              history_.list_size(longest) < history_.list_size(op)) {
            longest = op;
          }
        }
      }
    }
  }

  std::vector<Shown> shown() {
    for (const auto& [key, list] : longest_) order(key, list);
    return std::move(found_);
  }

 private:
  void order(std::uint32_t key, OpId list) {
    const std::uint32_t reader = history_.txn_of(list).v;
    std::uint32_t last = kNoId;
    std::set<std::uint32_t> listed, later;
    const auto& appends = appends_[key];
    for (std::size_t i = 0; i < history_.list_size(list); ++i) {
      const auto append = appends.find(history_.element(list, i));
      if (append == appends.end() || append->second == last) continue;
      if (last != kNoId) {
        found_.push_back({key, last, append->second, reader, list});
      }
      last = append->second;
      listed.insert(last);
    }
    if (last == kNoId) return;
    // Whoever is not in the list comes after its end.
    for (const auto& [element, txn] : appends) {
      if (!listed.contains(txn)) later.insert(txn);
    }
    for (const std::uint32_t txn : later) {
      found_.push_back({key, last, txn, reader, list});
    }
  }

  const History& history_;
  // [key] -> element -> who appended it
  std::map<std::uint32_t, std::map<Atom, std::uint32_t>> appends_;
  std::map<std::uint32_t, OpId> longest_;  // [key]
  std::vector<Shown> found_;
};

}  // namespace

std::vector<Shown> shown_in_lists(const Index& index,
                                  std::span<const std::uint32_t> txns) {
  // Without init.
  if (txns.size() + 1 == index.order().size()) return all_shown(index);
  return Lists(index, txns).shown();
}

}  // namespace awdit
