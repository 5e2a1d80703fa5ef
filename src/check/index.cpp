#include "check/index.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
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

Outlook Index::outlook(std::span<const std::uint32_t> order) const {
  Outlook other{.order = order_of(*history_, live_, order)};
  other.stale = find_stale_reads(*history_, split_, sources(), other.order);
  other.looks = find_looks(*history_, split_, sources(), other.order,
                           followed(), other.stale);
  return other;
}

const Looks& Index::looks() {
  if (!looks_) {
    if (!history_->session_order()) {
      recorded_ = previous_recorded(*history_, live_, ranks());
    }
    looks_ =
        find_looks(*history_, split_, sources(), order_, followed(), stale_);
  }
  return *looks_;
}

// A few stale reads are judged as fast as they are told apart.
void Index::find_suspects() {
  if (looks_ || !stale_.any || !acyclic_ || !versions_agree_) return;
  budget().ask();
  if (stale_.found.count > history_->num_ops() / 1024) looks();
}

void Index::mend_roughly() {
  find_suspects();
  if (roughly_mended_) return;
  roughly_mended_ = true;
  // So many are no slips of a clock, and to be looked at anyhow.
  const std::uint32_t most = history_->num_txns() / 64;
  if (!looks_ || looks_->num_suspects() > std::max(most, 64u)) return;
  for (std::uint32_t before = kNoId; looks().suspects.any;) {
    const std::uint32_t now = looks().num_suspects();
    if (now >= before / 2 || !mend(Blame::whoever)) return;
    before = now;
  }
}

bool Index::mend() {
  if (mended_) return false;
  mended_ = true;
  bool helped = false;
  constexpr int kTries = 24;
  constexpr Blame kAll[] = {Blame::whoever, Blame::others, Blame::writers};
  std::size_t at = 0, in_vain = 0;
  for (int tries = 0; tries < kTries && looks().suspects.any; ++tries) {
    budget().ask();
    const bool better = mend(kAll[at]);
    in_vain = better ? 0 : in_vain + 1;
    if (in_vain == std::size(kAll)) break;
    helped = helped || better;
    if (!better) at = (at + 1) % std::size(kAll);
  }
  return helped;
}

// Takes the mended order if it has fewer suspects. It contains reads-from of
// the whole history, whatever is left out: so it is one for all that follows.
bool Index::mend(Blame blame) {
  // Of lists the versions would have to be those of the whole, too.
  if (leaves_out_reads() && history_->has_lists()) return false;
  looks();
  exchange_left_out();
  const std::vector<std::uint32_t> order =
      mend_order(*history_, order_, sources(), followed(), *looks_, blame);
  exchange_left_out();
  if (order.empty()) return false;
  Outlook better = outlook(order);
  if (better.looks.num_suspects() >= looks().num_suspects() ||
      !versions_ascend(versions_, better.order.ranks.span())) {
    return false;
  }
  order_ = std::move(better.order);
  stale_ = std::move(better.stale);
  stale_is_whole_ = !leaves_out_reads();
  looks_ = std::move(better.looks);
  has_events_ = false;
  known_ = {};
  return true;
}

// Makes the order one that contains reads-from and the versions of lists, or at
// least the former, if there is one.
// `stale_is_known`: the stale reads are those of the order as it is, and only
// they may be the wrong way round.
void Index::put_sources_first(bool stale_is_known) {
  std::vector<RankSpan> within;
  if (stale_is_known && stale_.found.count <= StaleReads::kFew) {
    for (const StaleRead& read : stale_.found.few) {
      const std::uint32_t source = sources_.of[read.op];
      if (!is_external(source)) continue;
      const std::uint32_t reader = order_.ranks[read.txn];
      if (order_.ranks[source] < reader) continue;
      within.push_back({reader, order_.ranks[source]});
    }
    merge_spans(within);
  } else if (order_.txns.size() > 1) {
    within = {{1, static_cast<std::uint32_t>(order_.txns.size()) - 1}};
  }
  const auto sorted = [&](const ListVersions& versions) {
    return topological_order(*history_, order_, previous_.span(), sources(),
                             versions, within);
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
                           std::uint32_t grain, const Work* work) {
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
  Budget::ask(work);
  if (!walked) {
    Result<Attributed> found = find_sources(history, index.split_.threads);
    if (!found) return std::move(found.error());
    index.sources_ = std::move(found->sources);
    index.live_ = std::move(found->live);
    Budget::ask(work);
    guess();
    index.find_stale();
    index.sources_.non_repeatable =
        find_non_repeatable(history, index.sources(), index.order().subspan(1),
                            index.split_.threads);
  }
  Budget::ask(work);
  index.previous_ = previous_live(history, index.live_);
  const bool versions_agree = index.find_versions();
  if (!versions_agree || index.stale_.found.disordered) {
    index.put_sources_first(versions_agree);
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
  known_.near.reset();
}

}  // namespace awdit
