#include "check/index.h"

#include <algorithm>
#include <utility>

#include "check/commit_graph.h"
#include "check/source_walk.h"

namespace awdit {

// Whether the order contains the versions of lists.
bool Index::find_versions() {
  if (!history_->has_lists()) return true;
  versions_ = find_list_versions(*history_, sources(), order().subspan(1),
                                 split_.threads);
  return versions_ascend(versions_, ranks());
}

void Index::find_stale() {
  stale_ = find_stale_reads(*history_, split_, sources(), order_);
}

// Makes the order one that contains reads-from and the versions of lists, or at
// least the former, if there is one.
void Index::put_sources_first() {
  const auto sorted = [&](const ListVersions& versions) {
    return topological_order(*history_, order_, previous_.span(), sources(),
                             versions);
  };
  std::vector<std::uint32_t> order = sorted(versions_);
  if (order.empty() && !versions_.keys.empty()) order = sorted({});
  acyclic_ = !order.empty();
  if (acyclic_) {
    order_ = order_of(*history_, live_, order);
    find_stale();
  }
  versions_agree_ = versions_ascend(versions_, ranks());
}

// Those of what is known whatever the level.
void Index::find_cycles() {
  causality_cycles_.clear();
  dependency_cycles_.clear();
  if (!acyclic_) causality_cycles_ = find_causality_cycles(*this);
  if (!versions_agree_) dependency_cycles_ = find_dependency_cycles(*this);
}

Result<Index> Index::build(const History& history, unsigned threads,
                           std::uint32_t grain) {
  Index index;
  index.history_ = &history;
  index.split_ = {std::max(threads, 1u), std::max(grain, 1u)};
  const auto guess = [&] {
    index.order_ =
        order_of(history, index.live_, promising_order(history, index.live_));
  };
  bool walked = false;
  if (SourceWalk::suits(history)) {
    index.live_ = committed_only(history);
    guess();
    SourceWalk walk(history, index.split_, index.live_, index.order_);
    walked = walk.run();
    if (walked) {
      index.sources_ = std::move(walk.sources);
      index.stale_ = std::move(walk.stale);
    }
  }
  if (!walked) {
    Result<Attributed> found = find_sources(history, index.split_.threads);
    if (!found) return std::move(found.error());
    index.sources_ = std::move(found->sources);
    index.live_ = std::move(found->live);
    guess();
    index.find_stale();
    index.sources_.non_repeatable =
        find_non_repeatable(history, index.sources(), index.order().subspan(1),
                            index.split_.threads);
  }
  index.previous_ = previous_live(history, index.live_);
  if (!index.find_versions() || index.stale_.found.disordered) {
    index.put_sources_first();
  }
  index.write_sets_ = WriteSets(history);
  index.whole_is_cyclic_ = !index.acyclic_ || !index.versions_agree_;
  index.find_cycles();
  return index;
}

void Index::make_events(std::span<const std::uint8_t> keys) {
  if (has_events_ && std::ranges::equal(keys, events_of_)) return;
  // Memory may run out on the way.
  has_events_ = false;
  events_ = {};
  events_of_.assign(keys.begin(), keys.end());
  events_ = find_events(*history_, split_, sources(), order(), keys);
  has_events_ = true;
}

void Index::forget() {
  has_events_ = false;
  events_of_ = {};
  events_ = {};
  known_.dependencies.reset();
  known_.shown_order.reset();
}

}  // namespace awdit
