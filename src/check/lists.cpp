// Idea: the lists that a key's reads return are beginnings of one another,
// nearly always. So the elements of the longest list are looked up among the
// key's appends, once; any other list is compared with it, which is a scan over
// memory, and if it is a beginning of the longest, then what was found out
// about that one holds for it, as far as it reaches. Only lists that differ are
// looked up themselves.
//
// A list is P, a version that others made, followed by what the reader itself
// has appended to the key so far. P must consist of whole blocks: all that a
// transaction appends to the key, in program order. The maker of its last block
// is the source of the read, whether or not own elements follow.
//
// Findings come in this order, one per read at most: an element that nobody
// appended; one that only aborted transactions appended; one that the reader
// appends only later; own elements that are not the end of the list; a block
// that is not whole; an element that is there twice; and a list that
// contradicts the longest of those that are still without a finding. The last
// needs to know who is live, hence a second pass.
//
// Cost: O(n + sum of the lists' lengths) expected.
// Source: docs/levels/README.md, "Lists"; Kingsbury and Alvaro, Elle (VLDB
// 2020), sections 4 and 5.
#include <algorithm>

#include "check/appends.h"
#include "check/source_finder.h"

namespace awdit {
namespace {

constexpr std::uint32_t kNone = Appends::kNone;

// Where the elements of a list come from.
struct Origin {
  std::vector<std::uint32_t> appends;  // [place], or kNone
  // [place] -> where its block begins, as far as blocks are whole
  std::vector<std::uint32_t> block;
  std::uint32_t broken = 0;  // where the first block that is not whole begins
  // Places, or kNone.
  std::uint32_t thin_air = kNone;  // the first that nobody appended
  std::uint32_t aborted = kNone;   // the first that only aborted ones appended
  std::uint32_t repeated = kNone;  // the first that is there before
  std::vector<std::uint32_t> unknown;  // of elements of unknown outcome
  // [group] -> the number of the list, and the place in it
  std::vector<std::pair<std::uint32_t, std::uint32_t>> listed;
};

bool element_is(const History& history, OpId read, std::uint32_t place,
                Atom element) {
  return history.element(read, place) == element;
}

// Looks up the elements of a list for a reader with the operations `own`.
void trace(const History& history, OpId read, std::uint32_t number,
           const Appends& appends, History::OpSpan own, Origin& origin) {
  const auto size = static_cast<std::uint32_t>(history.list_size(read));
  origin.thin_air = origin.aborted = origin.repeated = kNone;
  origin.unknown.clear();
  origin.appends.assign(size, kNone);
  if (origin.listed.empty()) origin.listed.assign(appends.size(), {0, 0});
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t best = appends.find(history.element(read, i));
    if (best == kNone) {
      origin.thin_air = std::min(origin.thin_air, i);
      continue;
    }
    origin.appends[i] = appends.claim_for(best, own);
    if (origin.listed[best].first == number) {
      origin.repeated = std::min(origin.repeated, i);
      continue;
    }
    origin.listed[best] = {number, i};
    switch (appends[best].status) {
      case Status::committed:
        break;
      case Status::unknown:
        origin.unknown.push_back(i);
        break;
      case Status::aborted:
        origin.aborted = std::min(origin.aborted, i);
        break;
    }
  }
  origin.block.assign(size, kNone);
  origin.broken = 0;
  while (origin.broken < size) {
    const std::uint32_t begin = origin.broken;
    const std::uint32_t append = origin.appends[begin];
    if (append == kNone || append != appends[append].block) return;
    const std::uint32_t length = appends[append].block_end - append;
    if (length > size - begin) return;
    for (std::uint32_t j = 0; j < length; ++j) {
      if (!element_is(history, read, begin + j, appends[append + j].element)) {
        return;
      }
    }
    std::fill_n(origin.block.begin() + begin, length, begin);
    origin.broken += length;
  }
}

// REQUIRES: `read` is no longer than `other`, and no beginning of it.
std::uint32_t first_difference(const History& history, OpId read, OpId other) {
  std::uint32_t i = 0;
  while (history.element(read, i) == history.element(other, i)) ++i;
  return i;
}

// One read, and what its list is made of.
struct Reading {
  OpId read;
  std::uint32_t txn;
  std::uint32_t size;
  std::uint32_t number;     // of the traced list
  std::uint32_t own_begin;  // appends of its own before it ...
  std::uint32_t own_end;    // ... and from here on after it
};

class Judge {
 public:
  Judge(const History& history, const Appends& appends, const Origin& origin,
        const Reading& reading)
      : history_(history),
        appends_(appends),
        origin_(origin),
        reading_(reading) {}

  // The source of the read, or kSetAside and a finding.
  std::uint32_t source(std::vector<Violation>& found) const {
    // Without an initial state nobody made the empty list either.
    if (origin_.thin_air < reading_.size ||
        (reading_.size == 0 && !history_.is_initial(Atom::nil()))) {
      return find(found, Kind::thin_air_read,
                  reading_.size == 0 ? kNoId : origin_.thin_air);
    }
    if (origin_.aborted < reading_.size) {
      return find(found, Kind::aborted_read, origin_.aborted,
                  op_at(origin_.aborted));
    }
    if (const std::uint32_t append = future_append(); append != kNone) {
      return find(found, Kind::future_read, place_of(append), op_of(append));
    }
    const std::uint32_t own = reading_.own_end - reading_.own_begin;
    if (!ends_with_own(own)) {
      return find(
          found,
          ends_with_stale() ? Kind::stale_own_write : Kind::own_write_ignored,
          kNoId, reading_.size == 0 ? OpId() : op_at(reading_.size - 1),
          op_of(reading_.own_end - 1));
    }
    const std::uint32_t seen = reading_.size - own;
    if (const std::uint32_t block = broken_block(seen); block != kNone) {
      return find_intermediate(found, block, seen);
    }
    if (origin_.repeated < reading_.size) {
      return find(found, Kind::duplicate_element, origin_.repeated);
    }
    if (seen == 0) return history_.init_txn().v;
    return appends_[origin_.appends[seen - 1]].txn;
  }

 private:
  OpId op_of(std::uint32_t append) const { return OpId(appends_[append].op); }
  OpId op_at(std::uint32_t place) const {
    return op_of(origin_.appends[place]);
  }

  std::uint32_t find(std::vector<Violation>& found, Kind kind,
                     std::uint32_t element, OpId write = OpId(),
                     OpId other = OpId()) const {
    found.push_back({kind, Finding{reading_.read, write, other, element}});
    return kSetAside;
  }

  // Where the element of an append of one's own stands in the list, or kNone.
  std::uint32_t place_of(std::uint32_t append) const {
    const auto [number, place] = origin_.listed[appends_.group(append)];
    return number == reading_.number && place < reading_.size ? place : kNone;
  }

  // The append by the reader after the read whose element stands first.
  std::uint32_t future_append() const {
    const std::uint32_t begin = reading_.own_end;
    if (begin == appends_.size() || appends_[begin].txn != reading_.txn) {
      return kNone;
    }
    const std::uint32_t end = appends_[begin].block_end;
    // Through the shorter of the two.
    if (end - begin > reading_.size) {
      for (std::uint32_t place = 0; place < reading_.size; ++place) {
        const std::uint32_t append = origin_.appends[place];
        if (append >= begin && append < end) return append;
      }
      return kNone;
    }
    std::uint32_t first = kNone;
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t place = place_of(i);
      if (place == kNone) continue;
      if (first == kNone || place < place_of(first)) first = i;
    }
    return first;
  }

  bool ends_with_own(std::uint32_t own) const {
    if (own > reading_.size) return false;
    for (std::uint32_t j = 0; j < own; ++j) {
      if (!element_is(history_, reading_.read, reading_.size - own + j,
                      appends_[reading_.own_begin + j].element)) {
        return false;
      }
    }
    return true;
  }
  // Whether the last element is one's own, but not the latest.
  bool ends_with_stale() const {
    if (reading_.size == 0) return false;
    const std::uint32_t last = origin_.appends[reading_.size - 1];
    return last >= reading_.own_begin && last + 1 < reading_.own_end;
  }

  // Where the first block begins that is not whole within the first `seen`
  // elements, or kNone.
  std::uint32_t broken_block(std::uint32_t seen) const {
    if (seen == 0) return kNone;
    if (seen > origin_.broken) return origin_.broken;
    const std::uint32_t begin = origin_.block[seen - 1];
    const std::uint32_t append = origin_.appends[begin];
    return begin + (appends_[append].block_end - append) == seen ? kNone
                                                                 : begin;
  }

  // Of a block that begins at `begin` and is not whole: an element of it, and
  // an append of the same transaction that is not at its place beside it.
  std::uint32_t find_intermediate(std::vector<Violation>& found,
                                  std::uint32_t begin,
                                  std::uint32_t seen) const {
    const std::uint32_t append = origin_.appends[begin];
    const std::uint32_t first = appends_[append].block;
    if (append != first) {
      return find(found, Kind::intermediate_read, begin, op_of(append),
                  op_of(first));
    }
    const std::uint32_t last = appends_[first].block_end - 1;
    const auto in_place = [&](std::uint32_t other) {
      const std::uint32_t place = begin + (other - first);
      return place < seen && element_is(history_, reading_.read, place,
                                        appends_[other].element);
    };
    std::uint32_t missing = first;
    while (in_place(missing)) ++missing;
    return find(found, Kind::intermediate_read, begin + (missing - 1 - first),
                op_of(missing - 1), op_of(in_place(last) ? missing : last));
  }

  const History& history_;
  const Appends& appends_;
  const Origin& origin_;
  const Reading& reading_;
};

}  // namespace

struct ListFinder::Worker {
  Appends appends;
  Origin longest;
  Origin single;
  std::vector<Violation> found;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reads_of_unknown;

  // Notes which transactions of unknown outcome must have committed if `reader`
  // did. Of several that appended an element two are enough: with both promoted
  // the history is malformed.
  void note_unknown(const Origin& origin, std::uint32_t size,
                    std::uint32_t reader, History::OpSpan own) {
    for (const std::uint32_t place : origin.unknown) {
      if (place >= size) break;
      const Append& append = appends[origin.appends[place]];
      // The reader appended it as well: that is where it has it from.
      if (append.txn == reader) continue;
      if (!appends.several_unknown()) {
        reads_of_unknown.emplace_back(reader, append.txn);
        continue;
      }
      const std::uint32_t best = appends.group(origin.appends[place]);
      if (appends[appends.claim_for(best, own)].txn == reader) continue;
      const auto claims = appends.unknown_ones(best);
      for (std::size_t i = 0; i < claims.size() && i < 2; ++i) {
        reads_of_unknown.emplace_back(reader, appends[claims[i]].txn);
      }
    }
  }
};

void ListFinder::read_key(Worker& worker, std::span<const KeyedOp> tuples) {
  const History& history = history_;
  Appends& appends = worker.appends;
  appends.clear();
  const KeyedOp* longest = nullptr;
  const auto size_of = [&](const KeyedOp& tuple) {
    return static_cast<std::uint32_t>(history.list_size(OpId(tuple.op)));
  };
  for (const KeyedOp& tuple : tuples) {
    const Status status = history.status(TxnId(tuple.txn));
    if (tuple.is_write()) {
      appends.add(history.value(OpId(tuple.op)), tuple.op, tuple.txn, status);
    } else if (status != Status::aborted &&
               (longest == nullptr || size_of(tuple) > size_of(*longest))) {
      longest = &tuple;
    }
  }
  if (longest == nullptr) return;
  appends.finish();
  const History::OpSpan nobody{0, 0};
  std::uint32_t lists = 0;
  worker.longest.listed.clear();
  worker.single.listed.clear();
  trace(history, OpId(longest->op), ++lists, appends, nobody, worker.longest);
  std::uint32_t written = 0;  // appends so far
  std::uint32_t txn = kNoId, own_begin = 0;
  for (const KeyedOp& tuple : tuples) {
    if (tuple.txn != txn) {
      txn = tuple.txn;
      own_begin = written;
    }
    if (tuple.is_write()) {
      ++written;
      continue;
    }
    const Status status = history.status(TxnId(tuple.txn));
    if (status == Status::aborted) continue;
    const OpId read(tuple.op);
    const History::OpSpan own = history.txn_ops()[txn];
    // Whose an element of unknown outcome is may depend on the reader.
    const bool by_itself =
        (status == Status::unknown && appends.several_unknown()) ||
        !history.list_begins(read, OpId(longest->op));
    Reading reading{read, txn, size_of(tuple), 1, own_begin, written};
    Origin* origin = &worker.longest;
    if (by_itself) {
      differing_[tuple.word >> 1] = 1;
      origin = &worker.single;
      reading.number = ++lists;
      trace(history, read, lists, appends, own, *origin);
    }
    sources_[tuple.op] =
        Judge(history, appends, *origin, reading).source(worker.found);
    worker.note_unknown(*origin, reading.size, txn, own);
  }
}

void ListFinder::read_lists(
    std::vector<std::pair<std::uint32_t, std::uint32_t>>& reads_of_unknown) {
  const History& history = history_;
  std::vector<Worker> workers(threads_);
  for_each_key<KeyedOp>(
      history, make_key_layout(history, {}, threads_), history.input_order(),
      threads_, KeyedOp::make,
      [&](unsigned worker, std::uint32_t, std::span<KeyedOp> tuples) {
        read_key(workers[worker], tuples);
      });
  for (Worker& worker : workers) {
    std::move(worker.found.begin(), worker.found.end(),
              std::back_inserter(found_));
    reads_of_unknown.insert(reads_of_unknown.end(),
                            worker.reads_of_unknown.begin(),
                            worker.reads_of_unknown.end());
  }
}

std::vector<Violation> ListFinder::incompatible_reads(const Live& live) const {
  const History& history = history_;
  if (std::ranges::find(differing_, 1) == differing_.end()) {
    return {};
  }
  std::vector<std::vector<Violation>> found(threads_);
  for_each_key<KeyedOp>(
      history, make_key_layout(history, differing_, threads_),
      history.input_order(), threads_, KeyedOp::make,
      [&](unsigned worker, std::uint32_t, std::span<KeyedOp> tuples) {
        const auto counts = [&](const KeyedOp& tuple) {
          return !tuple.is_write() && live[tuple.txn] &&
                 sources_[tuple.op] != kSetAside;
        };
        OpId longest;
        for (const KeyedOp& tuple : tuples) {
          if (counts(tuple) &&
              (!longest.valid() || history.list_size(OpId(tuple.op)) >
                                       history.list_size(longest))) {
            longest = OpId(tuple.op);
          }
        }
        for (const KeyedOp& tuple : tuples) {
          const OpId read(tuple.op);
          if (!counts(tuple) || history.list_begins(read, longest)) continue;
          found[worker].push_back(
              {Kind::incompatible_order,
               Finding{.read = read,
                       .other = longest,
                       .element = first_difference(history, read, longest)}});
        }
      });
  std::vector<Violation> all;
  for (std::vector<Violation>& some : found) {
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

std::vector<Violation> ListFinder::judge(const Live& live) {
  const History& history = history_;
  std::vector<Violation> all = std::move(found_);
  std::erase_if(all, [&](const Violation& finding) {
    return !live[history.txn_of(read_of(finding)).v];
  });
  std::vector<Violation> incompatible = incompatible_reads(live);
  for (const Violation& finding : incompatible) {
    sources_[read_of(finding).v] = kSetAside;
  }
  std::move(incompatible.begin(), incompatible.end(), std::back_inserter(all));
  sort_by_read(all);
  return all;
}

}  // namespace awdit
