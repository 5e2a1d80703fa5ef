// Idea: a walk in the guessed order. The writers of a key form a chain, each
// with the one before it; a stale read goes back along it to its source, and
// the last one that it passes is the first that replaced what it read. Threads
// walk parts of the order; where a chain ends at the beginning of a part, it
// goes on in the parts before when all are done.
#include "check/looks.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "base/parallel.h"
#include "check/sources.h"

namespace awdit {
namespace {

// Versions that a read goes back before its reader is taken for a suspect. In a
// recording it is as many as there are sessions at most.
constexpr int kMostSteps = 256;

// So many writers that were overtaken are remembered, and one for each
// transaction; of more, nobody can tell who is to blame.
constexpr std::size_t kMostOvertaken = std::size_t{1} << 16;

// Time for memory to answer.
constexpr std::size_t kAhead = 8;    // transactions
constexpr std::uint32_t kMost = 24;  // operations

class Walk {
 public:
  Walk(const History& history, std::span<const std::uint32_t> sources,
       const Order& order, std::span<const std::uint32_t> previous,
       const StaleReads& stale, std::vector<std::size_t> cuts)
      : words_(history.op_words()),
        txn_ops_(history.txn_ops()),
        sources_(sources),
        order_(order.txns),
        ranks_(order.ranks),
        previous_(previous),
        stale_(stale),
        keys_(history.num_keys()),
        most_overtaken_(kMostOvertaken + history.num_txns()),
        cuts_(std::move(cuts)),
        parts_(cuts_.size() - 1) {}

  void run(unsigned threads, Looks& looks) {
    parallel_for(parts_.size(), threads,
                 [&](std::size_t p, unsigned) { walk(p, looks.suspects); });
    parallel_for(parts_.size(), threads,
                 [&](std::size_t p, unsigned) { go_on(p, looks.suspects); });
    std::size_t overtaken = 0;
    for (const Part& part : parts_) {
      // A walk through sources may take an initial value to be stale.
      std::ranges::copy_if(
          part.looks, std::back_inserter(looks.of),
          [](const Look& look) { return look.missed != kNoId; });
      overtaken += part.num_overtaken;
    }
    if (overtaken <= most_overtaken_) {
      for (const Part& part : parts_) {
        looks.overtaken.insert(looks.overtaken.end(), part.overtaken.begin(),
                               part.overtaken.end());
      }
    }
    looks.suspects.any = std::ranges::any_of(
        looks.of, [](const Look& look) { return look.is_suspect(); });
  }

 private:
  // A version of a key, by the rank of who wrote it.
  struct Version {
    std::uint32_t writer;
    std::uint32_t before;  // in `versions`; kNoId: in the parts before, if any
  };
  // With the version's writer, so that a write need not look at it.
  struct Latest {
    std::uint32_t version;  // in `versions`, or kNoId
    std::uint32_t writer;   // a rank, or kNoId
  };
  // An operation whose chain has ended.
  struct Open {
    std::uint32_t look;  // in `looks`
    std::uint32_t key;
    std::uint32_t source;  // a rank; kNoId: it is a write
    int steps;
  };
  struct Part {
    std::vector<Version> versions;
    Array<Latest> latest;  // [key]
    std::vector<Look> looks;
    std::vector<Open> open;
    std::size_t num_overtaken = 0;
    std::vector<Overtaken> overtaken;  // the first of them
  };

  void walk(std::size_t number, StaleReads& suspects) {
    Part& part = parts_[number];
    part.latest = Array<Latest>(keys_, {kNoId, kNoId});
    Latest* const all = part.latest.data();
    for (std::size_t r = cuts_[number]; r < cuts_[number + 1]; ++r) {
      // What comes is asked for in time: operations, then their keys.
      if (r + 2 * kAhead < cuts_[number + 1]) {
        const std::uint32_t begin = txn_ops_[order_[r + 2 * kAhead]].begin;
        __builtin_prefetch(words_.data() + begin);
        const auto coming = txn_ops_[order_[r + kAhead]];
        const std::uint32_t end = std::min(coming.end, coming.begin + kMost);
        for (std::uint32_t op = coming.begin; op < end; ++op) {
          __builtin_prefetch(&all[words_[op] >> 1], 1);
        }
      }
      const auto rank = static_cast<std::uint32_t>(r);
      const std::uint32_t txn = order_[rank];
      if (stale_.txns[txn] != 0) look(part, txn, suspects);
      for (std::uint32_t op = txn_ops_[txn].begin; op < txn_ops_[txn].end;
           ++op) {
        if ((words_[op] & 1) == 0) continue;
        Latest& latest = all[words_[op] >> 1];
        if (latest.writer == rank) continue;
        part.versions.push_back({rank, latest.version});
        latest = {static_cast<std::uint32_t>(part.versions.size()) - 1, rank};
      }
    }
  }

  void look(Part& part, std::uint32_t txn, StaleReads& suspects) {
    const auto [begin, end] = txn_ops_[txn];
    Look look{ranks_[txn], 0, kNoId, 0};
    if (previous_[txn] != kNoId) look.seen = ranks_[previous_[txn]];
    for (std::uint32_t op = begin; op < end; ++op) {
      if (!is_external(sources_[op])) continue;
      look.seen = std::max(look.seen, ranks_[sources_[op]]);
    }
    part.looks.push_back(look);
    const auto number = static_cast<std::uint32_t>(part.looks.size()) - 1;
    for (std::uint32_t op = begin; op < end; ++op) {
      Open open{number, words_[op] >> 1, kNoId, 0};
      if (is_external(sources_[op])) {
        open.source = ranks_[sources_[op]];
      } else if ((words_[op] & 1) == 0) {
        continue;
      }
      if (!go_back(part, open, part, suspects)) part.open.push_back(open);
    }
  }

  // Returns false if the chain ends in this part.
  bool go_back(const Part& there, Open& open, Part& mine,
               StaleReads& suspects) {
    Look& look = mine.looks[open.look];
    std::uint32_t at = there.latest[open.key].version;
    if (open.source == kNoId) {  // a write wants the latest
      if (at == kNoId) return false;
      look.replaced = std::max(look.replaced, there.latest[open.key].writer);
      return true;
    }
    std::uint32_t missed = kNoId;
    while (at != kNoId && there.versions[at].writer > open.source) {
      missed = ++open.steps > kMostSteps ? 0 : there.versions[at].writer;
      if (missed == 0) break;
      if (missed <= look.seen && mine.num_overtaken++ < most_overtaken_) {
        mine.overtaken.push_back({open.source, missed, look.reader});
      }
      at = there.versions[at].before;
    }
    if (missed != kNoId) {
      look.missed = std::min(look.missed, missed);
      if (missed <= look.seen) suspects.mark(order_[look.reader], open.key);
    }
    return at != kNoId;
  }

  void go_on(std::size_t number, StaleReads& suspects) {
    Part& mine = parts_[number];
    for (Open& open : mine.open) {
      for (std::size_t before = number; before != 0; --before) {
        if (go_back(parts_[before - 1], open, mine, suspects)) break;
      }
    }
    mine.open = {};
  }

  const std::span<const std::uint32_t> words_;
  const std::span<const History::OpSpan> txn_ops_;
  const std::span<const std::uint32_t> sources_;
  const std::span<const std::uint32_t> order_;
  const std::span<const std::uint32_t> ranks_;
  const std::span<const std::uint32_t> previous_;
  const StaleReads& stale_;
  const std::size_t keys_;
  const std::size_t most_overtaken_;
  const std::vector<std::size_t> cuts_;
  std::vector<Part> parts_;
};

}  // namespace

std::uint32_t Looks::num_suspects() const {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(of, &Look::is_suspect));
}

Looks find_looks(const History& history, const Split& split,
                 std::span<const std::uint32_t> sources, const Order& order,
                 std::span<const std::uint32_t> previous,
                 const StaleReads& stale) {
  Looks looks;
  looks.suspects = StaleReads(history);
  Walk(history, sources, order, previous, stale,
       split.cut(history, order.txns, 2 * sizeof(std::uint32_t)))
      .run(split.threads, looks);
  return looks;
}

}  // namespace awdit
