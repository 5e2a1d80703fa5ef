// Of all live transactions it is known already (check/list_versions.h). Of a
// few of them only their own lists may be called upon, and only they are
// ordered: then the longest list among them tells, as it does there.
#include "check/shown_in_lists.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

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

struct Append {
  std::uint32_t key;
  Atom element;
  std::uint32_t txn;
};

bool by_element(const Append& a, const Append& b) {
  return std::tie(a.key, a.element.kind, a.element.bits) <
         std::tie(b.key, b.element.kind, b.element.bits);
}

class Lists {
 public:
  Lists(const Index& index, std::span<const std::uint32_t> txns)
      : history_(index.history()) {
    for (const std::uint32_t txn : txns) {
      for (const OpId op : history_.ops(TxnId(txn))) {
        if (history_.is_write(op)) {
          appends_.push_back({history_.key(op).v, history_.value(op), txn});
        } else if (is_external(index.sources()[op.v])) {
          OpId& longest = longest_[history_.key(op).v];
          if (!longest.valid() ||
              history_.list_size(longest) < history_.list_size(op)) {
            longest = op;
          }
        }
      }
    }
    std::sort(appends_.begin(), appends_.end(), by_element);
  }

  std::vector<Shown> shown() {
    std::vector<std::uint32_t> keys;
    for (const auto& [key, list] : longest_) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    for (const std::uint32_t key : keys) order(key, longest_.at(key));
    return std::move(found_);
  }

 private:
  const Append* find(std::uint32_t key, Atom element) const {
    const Append wanted{key, element, 0};
    const auto at =
        std::lower_bound(appends_.begin(), appends_.end(), wanted, by_element);
    return at != appends_.end() && !by_element(wanted, *at) ? &*at : nullptr;
  }

  void order(std::uint32_t key, OpId list) {
    const std::uint32_t reader = history_.txn_of(list).v;
    std::uint32_t last = kNoId;
    std::vector<std::uint32_t> listed;
    for (std::size_t i = 0; i < history_.list_size(list); ++i) {
      const Append* append = find(key, history_.element(list, i));
      if (append == nullptr || append->txn == last) continue;
      if (last != kNoId) {
        found_.push_back({key, last, append->txn, reader, list});
      }
      last = append->txn;
      listed.push_back(last);
    }
    if (last == kNoId) return;
    // Whoever is not in the list comes after its end.
    std::sort(listed.begin(), listed.end());
    const auto [first, end] = std::equal_range(
        appends_.begin(), appends_.end(), Append{key, {}, 0},
        [](const Append& a, const Append& b) { return a.key < b.key; });
    std::vector<std::uint32_t> later;
    for (auto at = first; at != end; ++at) {
      if (!std::binary_search(listed.begin(), listed.end(), at->txn)) {
        later.push_back(at->txn);
      }
    }
    std::sort(later.begin(), later.end());
    later.erase(std::unique(later.begin(), later.end()), later.end());
    for (const std::uint32_t txn : later) {
      found_.push_back({key, last, txn, reader, list});
    }
  }

  const History& history_;
  std::vector<Append> appends_;                      // by element
  std::unordered_map<std::uint32_t, OpId> longest_;  // [key]
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
