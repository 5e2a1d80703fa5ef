#include "check/session_sight.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <span>

#include "base/budget.h"
#include "base/parallel.h"
#include "check/read_gatherer.h"

namespace awdit {
namespace {

// So many writers of a key are named one by one.
constexpr std::uint32_t kFewWriters = 16;

// The seen writers of one key, as far as they matter.
struct Seen {
  std::uint32_t session = kNoId;  // whose walk has entered some
  std::uint32_t newest = kNoId;   // of these, in the guessed order
  // Second pass:
  std::uint32_t last = kNoId;  // entered
  std::uint32_t list = kNoId;  // its number
  std::uint32_t count = 0;     // entered in it
};

// A read that is held against the first `count` of a list. Second pass.
struct Asked {
  std::uint32_t list, count;
  std::uint32_t key, source, reader;
};

// What has been entered in the lists of a session, and what follows for those
// who ask. Second pass.
class Lists {
 public:
  void clear() {
    entered_.clear();
    asked_.clear();
    lists_ = 0;
  }
  std::uint32_t add_list() { return lists_++; }
  void enter(std::uint32_t list, std::uint32_t txn) {
    entered_.push_back({list, txn});
  }
  void ask(const Asked& asked) { asked_.push_back(asked); }

  // Adds the inferences, and returns what goes through hubs.
  HubBundle conclude(unsigned worker, std::uint32_t session,
                     Inferences& inferences) {
    arrange();
    bundle_ = {.session = session, .hubs = 0, .members = {}, .inferences = {}};
    hub_.assign(txns_.size(), kNoId);
    for (const Asked& asked : asked_) {
      const auto add = [&](std::uint32_t from) {
        inferences.add(worker, {from, asked.source, asked.reader, asked.key});
      };
      const std::uint32_t* const list = txns_.data() + first_[asked.list];
      if (asked.count <= kFewWriters) {
        for (std::uint32_t i = 0; i < asked.count; ++i) {
          if (list[i] != asked.source) add(list[i]);
        }
        continue;
      }
      const std::uint32_t own = place_of(asked);
      cover(asked, 0, own, add);
      if (own < asked.count) cover(asked, own + 1, asked.count, add);
    }
    return std::move(bundle_);
  }

 private:
  struct Entry {
    std::uint32_t list, txn;
  };

  // List by list, each in the order of being seen.
  void arrange() {
    first_.assign(std::size_t{lists_} + 1, 0);
    for (const Entry& entry : entered_) ++first_[entry.list + 1];
    for (std::uint32_t i = 0; i < lists_; ++i) first_[i + 1] += first_[i];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    txns_.resize(entered_.size());
    by_txn_.resize(entered_.size());
    for (const Entry& entry : entered_) {
      const std::uint32_t at = next[entry.list]++;
      txns_[at] = entry.txn;
      by_txn_[at] = {entry.txn, at - first_[entry.list]};
    }
    for (std::uint32_t i = 0; i < lists_; ++i) {
      if (first_[i + 1] - first_[i] <= kFewWriters) continue;
      std::sort(by_txn_.begin() + first_[i], by_txn_.begin() + first_[i + 1],
                [](const Place& a, const Place& b) { return a.txn < b.txn; });
    }
  }

  // Where the source is among the first of its list; their count if it is not.
  // REQUIRES: the list is long.
  std::uint32_t place_of(const Asked& asked) const {
    const auto end = by_txn_.begin() + first_[asked.list + 1];
    const auto at = std::lower_bound(
        by_txn_.begin() + first_[asked.list], end, asked.source,
        [](const Place& a, std::uint32_t txn) { return a.txn < txn; });
    const bool found = at != end && at->txn == asked.source;
    return found ? std::min(at->place, asked.count) : asked.count;
  }

  // Those of the range come before the source.
  template <typename Add>
  void cover(const Asked& asked, std::uint32_t from, std::uint32_t end,
             const Add& add) {
    const std::uint32_t list = first_[asked.list];
    while (from < end) {
      std::uint32_t size = std::bit_floor(end - from);
      if (from != 0) size = std::min(size, from & (~from + 1));
      if (size == 1) {
        add(txns_[list + from]);
      } else {
        bundle_.inferences.push_back(
            {hub_of(list, from, size), asked.source, asked.reader, asked.key});
      }
      from += size;
    }
  }

  // The hub of `size` neighbours in a list, two or a greater power of it, from
  // a multiple of that on. It is noted at their middle, where no other one is,
  // and has a larger number than those in it. Recursion is as deep as the
  // logarithm of the size.
  std::uint32_t hub_of(std::uint32_t list, std::uint32_t from,
                       std::uint32_t size) {
    const std::uint32_t middle = from + size / 2;
    if (hub_[list + middle] != kNoId) return hub_[list + middle];
    std::uint32_t halves[] = {txns_[list + from], txns_[list + middle]};
    if (size > 2) {
      halves[0] = hub_of(list, from, size / 2);
      halves[1] = hub_of(list, middle, size / 2);
    }
    const std::uint32_t hub = kHub | bundle_.hubs++;
    hub_[list + middle] = hub;
    for (const std::uint32_t half : halves) {
      bundle_.members.push_back({half, hub});
    }
    return hub;
  }

  std::vector<Entry> entered_;  // in the order of the walk
  std::vector<Asked> asked_;
  std::uint32_t lists_ = 0;
  std::vector<std::uint32_t> first_;  // [list + 1] -> entry of txns_
  std::vector<std::uint32_t> txns_;
  struct Place {
    std::uint32_t txn, place;
  };
  std::vector<Place> by_txn_;       // long lists sorted by transaction
  std::vector<std::uint32_t> hub_;  // [entry of txns_], see hub_of
  HubBundle bundle_;
};

// What is held against sessions: keys, of which there are mostly few, and who
// writes which of them. Few of those read from write any.
class Wanted {
 public:
  Wanted(const Index& index, const Inferences& inferences)
      : txns_(index.history().num_txns()),
        number_(index.history().num_keys(), kNoId),
        first_(txns_, 0),
        blocks_((txns_ + kBlock - 1) / kBlock) {
    const std::vector<std::uint8_t> in_question = inferences.keys_in_question();
    for (std::uint32_t key = 0; key < number_.size(); ++key) {
      if (in_question[key] != 0) number_[key] = keys_++;
    }
    const auto words = index.history().op_words();
    const auto txn_ops = index.history().txn_ops();
    parallel_for(blocks_.size(), index.threads(),
                 [&](std::size_t at, unsigned) {
                   std::vector<std::uint32_t>& writes = blocks_[at];
                   const auto begin = static_cast<std::uint32_t>(at) * kBlock;
                   const std::uint32_t end = std::min(txns_, begin + kBlock);
                   for (std::uint32_t txn = begin; txn < end; ++txn) {
                     first_[txn] = static_cast<std::uint32_t>(writes.size());
                     if (!index.live(txn) || !inferences.wants(txn)) continue;
                     const auto ops = txn_ops[txn];
                     for (std::uint32_t op = ops.begin; op < ops.end; ++op) {
                       if ((words[op] & 1) == 0) continue;
                       const std::uint32_t number = number_[words[op] >> 1];
                       if (number != kNoId) writes.push_back(number);
                     }
                   }
                 });
  }

  std::uint32_t keys() const { return keys_; }
  // Of a key; kNoId if it is in no question.
  std::uint32_t number(std::uint32_t key) const { return number_[key]; }
  // Of the keys that a transaction writes, if it matters at all.
  std::span<const std::uint32_t> writes(std::uint32_t txn) const {
    const std::vector<std::uint32_t>& block = blocks_[txn / kBlock];
    const bool is_last = txn % kBlock == kBlock - 1 || txn + 1 == txns_;
    const std::size_t end = is_last ? block.size() : first_[txn + 1];
    return {block.data() + first_[txn], end - first_[txn]};
  }

 private:
  static constexpr std::uint32_t kBlock = 4096;
  std::uint32_t txns_;
  std::uint32_t keys_ = 0;
  std::vector<std::uint32_t> number_;  // [key]
  std::vector<std::uint32_t> first_;   // [txn], in its block
  // [txn / kBlock] -> the numbers of what its transactions write
  std::vector<std::vector<std::uint32_t>> blocks_;
};

class Walker {
 public:
  Walker(const Index& index, Inferences& inferences, const Wanted& wanted,
         unsigned worker)
      : index_(index),
        history_(index.history()),
        inferences_(inferences),
        wanted_(wanted),
        worker_(worker),
        pace_(index.budget()),
        seen_(wanted.keys()),
        entered_by_(history_.num_txns(), kNoId) {}

  // REQUIRES: all questions are of one session, and ascend.
  void walk(Sight sight, std::span<const Question> questions) {
    session_ = history_.txn_sessions()[questions.front().at];
    lists_.clear();
    std::size_t next = 0;
    for (std::uint32_t txn = history_.session_first_txn()[session_];
         next < questions.size(); ++txn) {
      if (!index_.live(txn)) continue;
      if (sight == Sight::up_to) look(txn);
      for (; next < questions.size() && questions[next].at == txn; ++next) {
        answer(questions[next].reader);
      }
      if (sight == Sight::before) look(txn);
    }
    if (inferences_.stale_only()) return;
    HubBundle bundle = lists_.conclude(worker_, session_, inferences_);
    if (bundle.hubs != 0) inferences_.add(worker_, std::move(bundle));
  }

 private:
  // Enters those that the transaction read from.
  void look(std::uint32_t txn) {
    const auto sources = index_.sources();
    const auto [begin, end] = history_.txn_ops()[txn];
    const std::uint32_t init = history_.init_txn().v;
    pace_.step(1 + end - begin);
    for (std::uint32_t op = begin; op < end; ++op) {
      const std::uint32_t from = sources[op];
      if (from >= init) continue;
      const std::span<const std::uint32_t> writes = wanted_.writes(from);
      if (writes.empty() || entered_by_[from] == session_) continue;
      entered_by_[from] = session_;
      pace_.step(writes.size());
      for (const std::uint32_t number : writes) enter(seen_[number], from);
    }
  }

  void enter(Seen& seen, std::uint32_t txn) {
    if (seen.session != session_) {
      seen = Seen{.session = session_, .newest = txn};
      if (!inferences_.stale_only()) seen.list = lists_.add_list();
    }
    if (index_.ranks()[txn] > index_.ranks()[seen.newest]) seen.newest = txn;
    if (inferences_.stale_only() || seen.last == txn) return;
    seen.last = txn;
    ++seen.count;
    lists_.enter(seen.list, txn);
  }

  // What follows from the reads of this one.
  void answer(std::uint32_t reader) {
    gather_reads(index_, reader, reads_);
    pace_.step(1 + reads_.size());
    for (const ExternalRead& read : reads_) {
      const std::uint32_t number = wanted_.number(read.key);
      if (number == kNoId || !inferences_.wants(read.source)) continue;
      const Seen& seen = seen_[number];
      if (seen.session != session_) continue;
      // Of many in a list that one is named all the same: what so and wr
      // contradict by themselves is told read by read.
      const bool named = inferences_.stale_only() || seen.count > kFewWriters;
      if (named && seen.newest != read.source) {
        inferences_.add(worker_, {seen.newest, read.source, reader, read.key});
      }
      if (inferences_.stale_only()) continue;
      lists_.ask({.list = seen.list,
                  .count = seen.count,
                  .key = read.key,
                  .source = read.source,
                  .reader = reader});
    }
  }

  const Index& index_;
  const History& history_;
  Inferences& inferences_;
  const Wanted& wanted_;
  unsigned worker_;
  Pace pace_;
  std::uint32_t session_ = kNoId;
  std::vector<Seen> seen_;                 // [number of a wanted key]
  std::vector<std::uint32_t> entered_by_;  // [txn] -> session
  std::vector<ExternalRead> reads_;
  Lists lists_;
};

}  // namespace

void infer_from_sight(const Index& index, Inferences& inferences, Sight sight,
                      std::vector<std::vector<Question>> found) {
  std::vector<Question> questions;
  for (std::vector<Question>& some : found) {
    questions.insert(questions.end(), some.begin(), some.end());
    some = {};
  }
  std::sort(questions.begin(), questions.end());
  const auto sessions = index.history().txn_sessions();
  std::vector<std::size_t> cuts;  // where the questions of a session begin
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (i == 0 || sessions[questions[i].at] != sessions[questions[i - 1].at]) {
      cuts.push_back(i);
    }
  }
  cuts.push_back(questions.size());
  const Wanted wanted(index, inferences);
  std::vector<std::unique_ptr<Walker>> walkers(index.threads());
  parallel_for(
      cuts.size() - 1, index.threads(), [&](std::size_t task, unsigned worker) {
        std::unique_ptr<Walker>& walker = walkers[worker];
        if (walker == nullptr) {
          walker = std::make_unique<Walker>(index, inferences, wanted, worker);
        }
        walker->walk(sight, {questions.data() + cuts[task],
                             cuts[task + 1] - cuts[task]});
      });
}

std::uint32_t last_reader_of(const Index& index, OpFinder& finder,
                             std::uint32_t source, std::uint32_t last) {
  Pace pace(index.budget());
  for (std::uint32_t at = last; at != kNoId; at = index.previous(at)) {
    pace.step(1 + index.history().ops(TxnId(at)).size());
    if (finder.read_from(at, source).valid()) return at;
  }
  return kNoId;
}

}  // namespace awdit
