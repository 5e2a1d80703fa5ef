// Idea: a join of reads and writes on (key, value). Operations are regrouped by
// key (check/by_key.h); then each key has its own small hash table from value
// to write, which stays in the cache, and one sweep over the key's operations
// attributes its reads and judges them. Because the operations of a transaction
// are adjacent there, own writes need no further bookkeeping.
//
// A read gets at most one finding, tested in this order: thin air, aborted,
// future, own write ignored, stale own write, intermediate. Reads of lists are
// left to check/lists.cpp; here only their appends are looked at.
//
// Cost: O(n) expected. Source: the paper's algorithm CheckReadConsistency, with
// its "not own write" test put right and initial values added.
#include "check/source_finder.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <unordered_map>

#include "base/flat_index.h"
#include "check/by_key.h"

namespace awdit {
namespace {

struct Tuple {
  std::uint64_t value;
  std::uint32_t op;
  std::uint32_t txn;
  std::uint32_t word;
  std::uint8_t kind;    // of the value
  std::uint8_t status;  // of the transaction
  std::uint8_t final;   // a write: the transaction's last of the key
  std::uint8_t shared;  // a write: another unknown one writes the value too

  bool is_write() const { return (word & 1) != 0; }
  bool same_value(const Tuple& other) const {
    return value == other.value && kind == other.kind;
  }
};

struct Worker {
  std::vector<std::uint32_t> writes;  // tuple numbers, when there are few
  std::vector<std::uint32_t> slots;   // tuple number + 1, when there are many
  std::uint64_t mask = 0;
  bool hashed = false;
  std::uint64_t reads = 0;
  // [tuple] -> its transaction's last write of the key; only of keys that some
  // transaction writes more than once.
  std::vector<std::uint32_t> last_write;
  // Values that several unknown transactions write; known by the first write.
  // [its op] -> another writer;  [its op, writer] -> that one's write
  std::unordered_map<std::uint32_t, std::uint32_t> second_writer;
  std::unordered_map<std::uint64_t, std::uint32_t> shared_writes;
  std::vector<Violation> findings;
  std::vector<EqualWrites> duplicates;
  std::vector<EqualWrites> suspects;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reads_of_unknown;
};

constexpr std::uint32_t kNone = 0xFFFF'FFFFu;
constexpr std::size_t kFew = 8;

constexpr auto kCommitted = static_cast<std::uint8_t>(Status::committed);
constexpr auto kAborted = static_cast<std::uint8_t>(Status::aborted);
constexpr auto kUnknown = static_cast<std::uint8_t>(Status::unknown);

// Whose write a value is: the committed one's, else one of unknown outcome.
int claim(std::uint8_t status) {
  return status == kCommitted ? 2 : status == kUnknown ? 1 : 0;
}

std::uint64_t shared_key(std::uint32_t op, std::uint32_t txn) {
  return std::uint64_t{op} << 32 | txn;
}

std::uint64_t hash_of(const Tuple& tuple) {
  return mix64(tuple.value ^ (std::uint64_t{tuple.kind} << 56));
}

// The write of the tuple's value, or kNone.
std::uint32_t find_write(const Worker& worker, std::span<const Tuple> tuples,
                         const Tuple& wanted) {
  if (!worker.hashed) {
    for (const std::uint32_t i : worker.writes) {
      if (tuples[i].same_value(wanted)) return i;
    }
    return kNone;
  }
  for (std::uint64_t at = hash_of(wanted) & worker.mask;;
       at = (at + 1) & worker.mask) {
    const std::uint32_t slot = worker.slots[at];
    if (slot == 0) return kNone;
    if (tuples[slot - 1].same_value(wanted)) return slot - 1;
  }
}

// Marks final writes and makes the writes findable by value.
void enter_writes(Worker& worker, std::span<Tuple> tuples) {
  std::size_t count = 0;
  std::uint32_t writer = kNone;
  std::uint32_t last = kNone;
  for (auto i = static_cast<std::uint32_t>(tuples.size()); i-- > 0;) {
    if (!tuples[i].is_write()) continue;
    ++count;
    tuples[i].final = tuples[i].txn != writer ? 1 : 0;
    if (tuples[i].final != 0) {
      writer = tuples[i].txn;
      last = i;
    } else {
      if (worker.last_write.size() < tuples.size()) {
        worker.last_write.resize(tuples.size());
      }
      worker.last_write[i] = last;
    }
  }
  worker.writes.clear();
  worker.hashed = count > kFew;
  if (worker.hashed) {
    const std::size_t capacity = std::bit_ceil(count * 2);
    worker.slots.assign(capacity, 0);
    worker.mask = capacity - 1;
  }
  for (std::uint32_t i = 0; i < tuples.size(); ++i) {
    if (!tuples[i].is_write()) continue;
    Tuple& fresh = tuples[i];
    std::uint32_t* place = nullptr;  // of an equal write
    if (worker.hashed) {
      std::uint64_t at = hash_of(fresh) & worker.mask;
      while (worker.slots[at] != 0 &&
             !tuples[worker.slots[at] - 1].same_value(fresh)) {
        at = (at + 1) & worker.mask;
      }
      if (worker.slots[at] == 0) {
        worker.slots[at] = i + 1;
        continue;
      }
      place = &worker.slots[at];
    } else {
      for (std::uint32_t& entry : worker.writes) {
        if (tuples[entry].same_value(fresh)) place = &entry;
      }
      if (place == nullptr) {
        worker.writes.push_back(i);
        continue;
      }
    }
    Tuple& known = tuples[*place - (worker.hashed ? 1 : 0)];
    const EqualWrites pair{known.op, fresh.op};
    if (known.status == kCommitted && fresh.status == kCommitted) {
      worker.duplicates.push_back(pair);
    } else if (claim(known.status) > 0 && claim(fresh.status) > 0) {
      worker.suspects.push_back(pair);
      if (known.status == kUnknown && fresh.status == kUnknown) {
        known.shared = 1;
        worker.second_writer.try_emplace(known.op, fresh.txn);
        worker.shared_writes[shared_key(known.op, fresh.txn)] = i;
      }
    }
    if (claim(fresh.status) > claim(known.status)) {
      *place = worker.hashed ? i + 1 : i;
    }
  }
}

// The source of the read with number `read`; records a finding if it has one.
// `own_write`: the transaction's latest write of the key before it, or kNone.
std::uint32_t judge(const History& history, Worker& worker,
                    std::span<const Tuple> tuples, std::uint32_t read,
                    std::uint32_t own_write) {
  const Tuple& reader = tuples[read];
  const auto find = [&](Kind kind, OpId write, OpId other) {
    worker.findings.push_back({kind, Finding{OpId(reader.op), write, other}});
    return kSetAside;
  };
  std::uint32_t found = find_write(worker, tuples, reader);
  if (found != kNone && tuples[found].shared != 0) {
    // Among equal claims one's own comes first.
    const auto own_claim =
        worker.shared_writes.find(shared_key(tuples[found].op, reader.txn));
    if (own_claim != worker.shared_writes.end()) found = own_claim->second;
  }
  const OpId own = own_write == kNone ? OpId() : OpId(tuples[own_write].op);
  if (found == kNone) {
    if (!history.is_initial({reader.value, Atom::Kind(reader.kind)})) {
      return find(Kind::thin_air_read, OpId(), OpId());
    }
    if (own.valid()) return find(Kind::own_write_ignored, OpId(), own);
    return history.init_txn().v;
  }
  const Tuple& write = tuples[found];
  const OpId write_op(write.op);
  if (write.status == kAborted) {
    return find(Kind::aborted_read, write_op, OpId());
  }
  if (write.txn == reader.txn) {
    if (found > read) return find(Kind::future_read, write_op, OpId());
    if (found != own_write) return find(Kind::stale_own_write, write_op, own);
    return kOwnRead;
  }
  if (write.status == kUnknown) {
    worker.reads_of_unknown.emplace_back(reader.txn, write.txn);
    // Two are enough: with both promoted the history is malformed.
    if (write.shared != 0) {
      worker.reads_of_unknown.emplace_back(reader.txn,
                                           worker.second_writer[write.op]);
    }
  }
  if (own.valid()) return find(Kind::own_write_ignored, write_op, own);
  if (write.final == 0) {
    const std::uint32_t last = worker.last_write[found];
    return find(Kind::intermediate_read, write_op, OpId(tuples[last].op));
  }
  return write.txn;
}

void join_key(const History& history, Worker& worker, std::span<Tuple> tuples,
              Array<std::uint32_t>& sources) {
  enter_writes(worker, tuples);
  const bool lists = history.has_lists();
  std::uint32_t txn = kNone;
  std::uint32_t own_write = kNone;
  for (std::uint32_t i = 0; i < tuples.size(); ++i) {
    const Tuple& tuple = tuples[i];
    if (tuple.txn != txn) {
      txn = tuple.txn;
      own_write = kNone;
    }
    std::uint32_t& source = sources[tuple.op];
    if (tuple.is_write()) {
      own_write = i;
      source = kIsWrite;
    } else if (tuple.status == kAborted) {
      source = kSetAside;
    } else {
      if (tuple.status == kCommitted) ++worker.reads;
      source = lists ? kSetAside : judge(history, worker, tuples, i, own_write);
    }
  }
}

}  // namespace

JoinedReads join_reads(const History& history, unsigned threads) {
  JoinedReads joined;
  joined.sources.of = Array<std::uint32_t>(history.num_ops());
  const WordColumn& values = history.op_values();
  const auto kinds = history.op_value_kinds();
  const auto statuses = history.txn_statuses();
  std::vector<Worker> workers(threads);
  const KeyLayout layout = make_key_layout(history, {}, threads);

  for_each_key<Tuple>(
      history, layout, history.input_order(), threads,
      [&](std::uint32_t txn, std::uint32_t op, std::uint32_t word,
          Tuple& tuple) {
        tuple = {values[op],
                 op,
                 txn,
                 word,
                 kinds.empty() ? std::uint8_t{0} : kinds[op],
                 statuses[txn],
                 0,
                 0};
      },
      [&](unsigned worker, std::uint32_t, std::span<Tuple> tuples) {
        join_key(history, workers[worker], tuples, joined.sources.of);
      });

  const auto later = [&](const EqualWrites& a, const EqualWrites& b) {
    return std::pair(history.place(OpId(a.second)).line, a.second) <
           std::pair(history.place(OpId(b.second)).line, b.second);
  };
  std::vector<Violation>& findings = joined.sources.findings;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (Worker& worker : workers) {
    std::move(worker.findings.begin(), worker.findings.end(),
              std::back_inserter(findings));
    append(joined.suspects, worker.suspects);
    append(joined.reads_of_unknown, worker.reads_of_unknown);
    for (const EqualWrites& pair : worker.duplicates) {
      if (!joined.duplicate || later(pair, *joined.duplicate)) {
        joined.duplicate = pair;
      }
    }
    joined.sources.reads += worker.reads;
  }
  sort_by_read(findings);
  std::sort(joined.suspects.begin(), joined.suspects.end(), later);
  return joined;
}

}  // namespace awdit
