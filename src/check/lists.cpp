// Idea: the lists that a key's reads return are beginnings of one another,
// nearly always. So the elements of the longest list are looked up among the
// key's appends, once; any other list is compared with it, which is a scan over
// memory, and if it is a beginning of the longest it has its findings as far as
// it reaches. Only lists that differ are looked up themselves.
//
// Findings come in this order, one per read at most: an element that nobody
// appended; an element that only aborted transactions appended; what the last
// element shows (source_finder.cpp); an element that is there twice; and a list
// that contradicts the longest of those that are still without a finding. The
// last needs to know who is live, hence a second pass.
//
// Cost: O(n + sum of the lists' lengths) expected, plus sorting the appends of
// each key. Source: Kingsbury and Alvaro, Elle (VLDB 2020), sections 4 and 5.
#include "check/lists.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "base/flat_index.h"

namespace awdit {
namespace {

constexpr std::uint32_t kNone = 0xFFFF'FFFFu;

// The appends of one key, findable by element. Appends of equal elements form
// a group: committed ones first, then those of unknown outcome, then aborted
// ones, each in the order of the input.
class Appends {
 public:
  struct Append {
    Atom element;
    std::uint32_t op;
    std::uint32_t txn;
    Status status;
  };

  void clear() { appends_.clear(); }
  void add(const Append& append) { appends_.push_back(append); }

  void finish() {
    std::sort(
        appends_.begin(), appends_.end(), [](const Append& a, const Append& b) {
          return std::tuple(a.element.bits, a.element.kind, rank(a.status),
                            a.op) < std::tuple(b.element.bits, b.element.kind,
                                               rank(b.status), b.op);
        });
    const std::size_t capacity = std::bit_ceil(appends_.size() * 2 + 1);
    mask_ = capacity - 1;
    slots_.assign(capacity, 0);
    listed_in_.assign(appends_.size(), 0);
    for (std::uint32_t i = 0; i < appends_.size(); ++i) {
      if (i != 0 && appends_[i - 1].element == appends_[i].element) continue;
      std::uint64_t at = hash_of(appends_[i].element) & mask_;
      while (slots_[at] != 0) at = (at + 1) & mask_;
      slots_[at] = i + 1;
    }
  }

  // The first of the element's group, or kNone. It has the best claim.
  std::uint32_t find(Atom element) const {
    for (std::uint64_t at = hash_of(element) & mask_;; at = (at + 1) & mask_) {
      if (slots_[at] == 0) return kNone;
      if (appends_[slots_[at] - 1].element == element) return slots_[at] - 1;
    }
  }
  const Append& operator[](std::uint32_t i) const { return appends_[i]; }

  // Notes that list number `list` (from 1) has the group's element; whether it
  // was noted before.
  bool is_repeated(std::uint32_t first, std::uint32_t list) {
    return std::exchange(listed_in_[first], list) == list;
  }

  // Calls promote(txn) for the unknown transactions that must have committed if
  // one with the operations `own` read the group's element. Two are enough:
  // with both promoted the history is malformed.
  // REQUIRES: the group's first append is of unknown outcome.
  template <typename Promote>
  void read_unknown(std::uint32_t first, History::OpSpan own,
                    Promote&& promote) const {
    const Atom element = appends_[first].element;
    const auto end = std::partition_point(
        appends_.begin() + first, appends_.end(), [&](const Append& append) {
          return append.element == element && append.status == Status::unknown;
        });
    // The reader appended it as well: that is where it has it from.
    const auto mine = std::partition_point(
        appends_.begin() + first, end,
        [&](const Append& append) { return append.op < own.begin; });
    if (mine != end && mine->op < own.end) return;
    promote(appends_[first].txn);
    if (appends_.begin() + first + 1 != end) promote(appends_[first + 1].txn);
  }

 private:
  static int rank(Status status) {
    return status == Status::committed ? 0 : status == Status::unknown ? 1 : 2;
  }
  static std::uint64_t hash_of(Atom atom) {
    return mix64(atom.bits ^ (static_cast<std::uint64_t>(atom.kind) << 56));
  }

  std::vector<Append> appends_;
  std::vector<std::uint32_t> slots_;      // first of a group + 1, or 0
  std::vector<std::uint32_t> listed_in_;  // [first of a group] -> list
  std::uint64_t mask_ = 0;
};

// Where the elements of a list come from.
struct Origin {
  // Places, or kNone.
  std::uint32_t thin_air = kNone;  // the first that nobody appended
  std::uint32_t aborted = kNone;   // the first that only aborted ones appended
  std::uint32_t repeated = kNone;  // the first that is there before
  // Places of elements appended with unknown outcome, with their groups.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> unknown;
  OpId aborted_append;
};

void trace(const History& history, OpId read, std::uint32_t number,
           Appends& appends, Origin& origin) {
  origin.thin_air = origin.aborted = origin.repeated = kNone;
  origin.unknown.clear();
  const auto size = static_cast<std::uint32_t>(history.list_size(read));
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t group = appends.find(history.element(read, i));
    if (group == kNone) {
      origin.thin_air = std::min(origin.thin_air, i);
      continue;
    }
    if (appends.is_repeated(group, number)) {
      origin.repeated = std::min(origin.repeated, i);
      continue;
    }
    switch (appends[group].status) {
      case Status::committed:
        break;
      case Status::unknown:
        origin.unknown.emplace_back(i, group);
        break;
      case Status::aborted:
        if (origin.aborted == kNone) {
          origin.aborted = i;
          origin.aborted_append = OpId(appends[group].op);
        }
        break;
    }
  }
}

// Whether the list of `read` is a beginning of that of `longer`.
bool begins(const History& history, OpId read, OpId longer) {
  const auto bits = history.list_bits(read);
  const auto kinds = history.list_kinds(read);
  return bits.size() <= history.list_size(longer) &&
         std::equal(bits.begin(), bits.end(),
                    history.list_bits(longer).begin()) &&
         std::equal(kinds.begin(), kinds.end(),
                    history.list_kinds(longer).begin());
}

// REQUIRES: `read` is no longer than `other`, and no beginning of it.
std::uint32_t first_difference(const History& history, OpId read, OpId other) {
  std::uint32_t i = 0;
  while (history.element(read, i) == history.element(other, i)) ++i;
  return i;
}

constexpr auto fill = [](std::uint32_t txn, std::uint32_t op,
                         std::uint32_t word, auto& tuple) {
  tuple = {word, op, txn};
};

bool by_read(const Violation& a, const Violation& b) { return a.read < b.read; }

}  // namespace

struct ListFinder::Tuple {
  std::uint32_t word;
  std::uint32_t op;
  std::uint32_t txn;

  bool is_write() const { return (word & 1) != 0; }
};

struct ListFinder::Worker {
  Appends appends;
  Origin longest;
  Origin single;
  std::vector<Violation> unfounded;
  std::vector<Violation> repeating;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reads_of_unknown;

  void report(const Origin& origin, std::uint32_t size, const Tuple& read) {
    const auto finding = [&](Kind kind, std::uint32_t element, OpId write) {
      return Violation{.kind = kind,
                       .read = OpId(read.op),
                       .write = write,
                       .other = OpId(),
                       .element = element,
                       .edges = {}};
    };
    if (origin.thin_air < size) {
      unfounded.push_back(
          finding(Kind::thin_air_read, origin.thin_air, OpId()));
    } else if (origin.aborted < size) {
      unfounded.push_back(
          finding(Kind::aborted_read, origin.aborted, origin.aborted_append));
    } else if (origin.repeated < size) {
      repeating.push_back(
          finding(Kind::duplicate_element, origin.repeated, OpId()));
    }
  }
};

void ListFinder::read_key(Worker& worker, std::span<const Tuple> tuples) const {
  const History& history = *index_.history_;
  worker.appends.clear();
  const Tuple* longest = nullptr;
  const auto size_of = [&](const Tuple& tuple) {
    return static_cast<std::uint32_t>(history.list_size(OpId(tuple.op)));
  };
  for (const Tuple& tuple : tuples) {
    const Status status = history.status(TxnId(tuple.txn));
    if (tuple.is_write()) {
      worker.appends.add(
          {history.value(OpId(tuple.op)), tuple.op, tuple.txn, status});
    } else if (status != Status::aborted &&
               (longest == nullptr || size_of(tuple) > size_of(*longest))) {
      longest = &tuple;
    }
  }
  if (longest == nullptr || size_of(*longest) == 0) return;
  worker.appends.finish();
  std::uint32_t lists = 0;
  trace(history, OpId(longest->op), ++lists, worker.appends, worker.longest);
  for (const Tuple& tuple : tuples) {
    if (tuple.is_write() ||
        history.status(TxnId(tuple.txn)) == Status::aborted) {
      continue;
    }
    const Origin* origin = &worker.longest;
    if (!begins(history, OpId(tuple.op), OpId(longest->op))) {
      trace(history, OpId(tuple.op), ++lists, worker.appends, worker.single);
      origin = &worker.single;
    }
    const std::uint32_t size = size_of(tuple);
    worker.report(*origin, size, tuple);
    for (const auto& [place, group] : origin->unknown) {
      if (place >= size) break;
      worker.appends.read_unknown(
          group, history.txn_ops()[tuple.txn], [&](std::uint32_t writer) {
            worker.reads_of_unknown.emplace_back(tuple.txn, writer);
          });
    }
  }
}

void ListFinder::read_elements(
    std::vector<std::pair<std::uint32_t, std::uint32_t>>& reads_of_unknown) {
  const History& history = *index_.history_;
  std::vector<Worker> workers(index_.threads_);
  for_each_key<Tuple>(
      history, layout_, history.input_order(), index_.threads_, fill,
      [&](unsigned worker, std::uint32_t, std::span<Tuple> tuples) {
        read_key(workers[worker], tuples);
      });
  for (Worker& worker : workers) {
    std::move(worker.unfounded.begin(), worker.unfounded.end(),
              std::back_inserter(unfounded_));
    std::move(worker.repeating.begin(), worker.repeating.end(),
              std::back_inserter(repeating_));
    reads_of_unknown.insert(reads_of_unknown.end(),
                            worker.reads_of_unknown.begin(),
                            worker.reads_of_unknown.end());
  }
}

std::vector<Violation> ListFinder::incompatible_reads() const {
  const History& history = *index_.history_;
  std::vector<std::vector<Violation>> found(index_.threads_);
  for_each_key<Tuple>(
      history, layout_, history.input_order(), index_.threads_, fill,
      [&](unsigned worker, std::uint32_t, std::span<Tuple> tuples) {
        const auto counts = [&](const Tuple& tuple) {
          return !tuple.is_write() && index_.live(tuple.txn) &&
                 index_.source_[tuple.op] != kSetAside;
        };
        OpId longest;
        for (const Tuple& tuple : tuples) {
          if (counts(tuple) &&
              (!longest.valid() || history.list_size(OpId(tuple.op)) >
                                       history.list_size(longest))) {
            longest = OpId(tuple.op);
          }
        }
        for (const Tuple& tuple : tuples) {
          const OpId read(tuple.op);
          if (!counts(tuple) || begins(history, read, longest)) continue;
          found[worker].push_back(
              {.kind = Kind::incompatible_order,
               .read = read,
               .write = OpId(),
               .other = longest,
               .element = first_difference(history, read, longest),
               .edges = {}});
        }
      });
  std::vector<Violation> all;
  for (std::vector<Violation>& some : found) {
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

void ListFinder::judge(std::vector<Violation>& findings) {
  const History& history = *index_.history_;
  // The first finding about a read in the order of these three is the one.
  std::vector<Violation> all = std::move(unfounded_);
  const auto add = [&](std::vector<Violation>& more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
  };
  add(findings);
  add(repeating_);
  std::erase_if(all, [&](const Violation& finding) {
    return !index_.live(history.txn_of(finding.read).v);
  });
  std::stable_sort(all.begin(), all.end(), by_read);
  all.erase(std::unique(all.begin(), all.end(),
                        [](const Violation& a, const Violation& b) {
                          return a.read == b.read;
                        }),
            all.end());
  for (const Violation& finding : all) {
    index_.source_[finding.read.v] = kSetAside;
  }
  std::vector<Violation> incompatible = incompatible_reads();
  for (const Violation& finding : incompatible) {
    index_.source_[finding.read.v] = kSetAside;
  }
  add(incompatible);
  std::sort(all.begin(), all.end(), by_read);
  findings = std::move(all);
}

}  // namespace awdit
