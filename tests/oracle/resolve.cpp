// What a history says before any level is asked: which transactions count,
// where each read got its value, and whether it was allowed to.
//
// An unknown transaction counts as committed once somebody who counts read one
// of its writes; we repeat until nothing changes. Attribution then prefers
// writers that count over aborted ones, and those over init.
//
// Of lists every element that is read counts here; what else a list says is in
// list_findings.cpp.
#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "oracle/list_findings.h"
#include "oracle/oracle.h"

namespace awdit::oracle {
namespace {

// Kind and bits of the value, with the key in front.
using Cell = std::tuple<std::uint32_t, int, std::uint64_t>;

Cell cell_of(const History& history, OpId op, Atom value) {
  return {history.key(op).v, static_cast<int>(value.kind), value.bits};
}

// What a read returned: the elements of a list, or its one value.
std::vector<Atom> values_of(const History& history, OpId read) {
  if (!history.has_lists()) return {history.value(read)};
  std::vector<Atom> elements;
  for (std::size_t i = 0; i < history.list_size(read); ++i) {
    elements.push_back(history.element(read, i));
  }
  return elements;
}

struct Writes {
  std::uint32_t txn;
  std::uint32_t op;
};

// key and value -> who wrote it
using WriteMap = std::map<Cell, std::vector<Writes>>;

WriteMap collect_writes(const History& history) {
  WriteMap writes;
  for (TxnId t : history.txns()) {
    for (OpId op : history.ops(t)) {
      if (!history.is_write(op)) continue;
      writes[cell_of(history, op, history.value(op))].push_back({t.v, op.v});
    }
  }
  return writes;
}

// Whether t is the writer of what it reads there, or some other transaction
// that was committed from the start is: then nobody else is promoted by it.
bool explained(const History& history, const std::vector<Writes>& writers,
               std::uint32_t t) {
  for (const Writes& w : writers) {
    if (w.txn == t) return true;
    if (history.status(TxnId(w.txn)) == Status::committed) return true;
  }
  return false;
}

void promote(const History& history, const WriteMap& writes, Facts& facts) {
  for (TxnId t : history.txns()) {
    if (history.status(t) == Status::committed) facts.live.insert(t.v);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (TxnId t : history.txns()) {
      if (!facts.live.contains(t.v)) continue;
      for (OpId op : history.ops(t)) {
        if (history.is_write(op)) continue;
        for (Atom value : values_of(history, op)) {
          const auto found = writes.find(cell_of(history, op, value));
          if (found == writes.end()) continue;
          if (explained(history, found->second, t.v)) continue;
          for (const Writes& w : found->second) {
            if (history.status(TxnId(w.txn)) != Status::unknown) continue;
            changed |= facts.live.insert(w.txn).second;
            facts.promoted.insert(w.txn);
          }
        }
      }
    }
  }
}

// What happened to one read of a live transaction.
class Judge {
 public:
  Judge(const History& history, const WriteMap& writes, Facts& facts)
      : history_(history), writes_(writes), facts_(facts) {}

  void judge(TxnId t, OpId op) {
    const auto [writer, write] = attribute(op, history_.value(op));
    const std::optional<Kind> kind = finding(t, op, writer, write);
    if (kind) {
      facts_.read_findings.insert({*kind, op.v});
      return;
    }
    if (writer != t.v) {
      facts_.reads.push_back({op.v, t.v, writer, history_.key(op).v});
    }
  }

 private:
  std::pair<std::uint32_t, std::uint32_t> by_init(Atom value) const {
    if (history_.is_initial(value)) return {facts_.init, kNone};
    return {kNone, kNone};
  }

  // Transaction and write, either kNone.
  std::pair<std::uint32_t, std::uint32_t> attribute(OpId op, Atom value) const {
    const auto found = writes_.find(cell_of(history_, op, value));
    if (found != writes_.end()) {
      for (const Writes& w : found->second) {
        if (facts_.live.contains(w.txn)) return {w.txn, w.op};
      }
      for (const Writes& w : found->second) {
        if (history_.status(TxnId(w.txn)) == Status::aborted) {
          return {w.txn, w.op};
        }
      }
      return {kNone, kNone};
    }
    return by_init(value);
  }

  // Last write of `key` among the operations [from, to) of one transaction.
  std::uint32_t last_write(std::uint32_t from, std::uint32_t to,
                           KeyId key) const {
    std::uint32_t last = kNone;
    for (std::uint32_t op = from; op < to; ++op) {
      if (history_.is_write(OpId(op)) && history_.key(OpId(op)) == key) {
        last = op;
      }
    }
    return last;
  }

  std::optional<Kind> finding(TxnId t, OpId op, std::uint32_t writer,
                              std::uint32_t write) const {
    if (writer == kNone) return Kind::thin_air_read;
    const bool by_init = writer == facts_.init;
    if (!by_init && !facts_.live.contains(writer)) return Kind::aborted_read;
    const bool own = writer == t.v;
    if (own && write > op.v) return Kind::future_read;
    const KeyId key = history_.key(op);
    const std::uint32_t own_last = last_write(history_.ops(t).first, op.v, key);
    if (!own && own_last != kNone) return Kind::own_write_ignored;
    if (own && write != own_last) return Kind::stale_own_write;
    if (own || by_init) return std::nullopt;
    const IdRange<OpId> theirs = history_.ops(TxnId(writer));
    if (write != last_write(theirs.first, theirs.last, key)) {
      return Kind::intermediate_read;
    }
    return std::nullopt;
  }

  const History& history_;
  const WriteMap& writes_;
  Facts& facts_;
};

void mark_unrepeatable(std::vector<Read>& reads) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> first;
  for (Read& read : reads) {
    const auto [at, inserted] =
        first.try_emplace({read.reader, read.key}, read.writer);
    read.repeats_differently = at->second != read.writer;
  }
}

void relate(Facts& facts) {
  facts.directly_before.resize(facts.init);
  for (std::uint32_t b : facts.live) {
    facts.directly_before[b].insert(facts.init);
    for (std::uint32_t a : facts.live) {
      if (facts.so(a, b)) facts.directly_before[b].insert(a);
    }
  }
  for (const Read& read : facts.reads) {
    facts.directly_before[read.reader].insert(read.writer);
  }
  facts.past.resize(facts.init);
  for (std::uint32_t t : facts.live) {
    std::set<std::uint32_t>& seen = facts.past[t];
    std::vector<std::uint32_t> open{t};
    while (!open.empty()) {
      const std::uint32_t b = open.back();
      open.pop_back();
      if (b == facts.init) continue;
      for (std::uint32_t a : facts.directly_before[b]) {
        if (seen.insert(a).second) open.push_back(a);
      }
    }
  }
}

// How the clocks of two domains may stand: by how much that of `to` may be
// ahead of that of `from`, at the most. All walks along relations, no two steps
// to the same domain. Doubles: tests have small numbers.
double ahead(const ClockDomains& domains, std::uint32_t from, std::uint32_t to,
             std::set<std::uint32_t> passed = {}) {
  if (from == to) return 0;
  passed.insert(from);
  double most = std::numeric_limits<double>::infinity();
  for (const ClockDomains::Relation& r : domains.relations()) {
    for (const bool along : {true, false}) {
      const std::uint32_t here = along ? r.from : r.to;
      const std::uint32_t next = along ? r.to : r.from;
      if (here != from || passed.contains(next)) continue;
      const auto offset = static_cast<double>(along ? r.offset : -r.offset);
      most = std::min(most, offset + static_cast<double>(r.error) +
                                ahead(domains, next, to, passed));
    }
  }
  return most;
}

// The definition: within a domain times as they are, then ticks; across, only
// what is so however the clocks may stand.
bool had_ended(const History& history, TxnId a, TxnId b) {
  if (history.status(a) == Status::unknown) return false;
  const auto from = history.times(a), to = history.times(b);
  if (!from || !to || from->end == kNoTime || to->begin == kNoTime) {
    return false;
  }
  if (history.clock_domain(a) != history.clock_domain(b)) {
    return static_cast<double>(from->end) + ahead(history.clock_domains(),
                                                  history.clock_domain(a),
                                                  history.clock_domain(b)) <
           static_cast<double>(to->begin);
  }
  if (from->end != to->begin) return from->end < to->begin;
  const auto before = history.ticks(a), after = history.ticks(b);
  return before && after && before->end != kNoTime && after->begin != kNoTime &&
         before->end < after->begin;
}

void note_times(const History& history, Facts& facts) {
  facts.ended_before.resize(facts.init);
  if (history.clock() == Clock::none) return;
  for (std::uint32_t b : facts.live) {
    for (std::uint32_t a : facts.live) {
      if (a != b && had_ended(history, TxnId(a), TxnId(b))) {
        facts.ended_before[b].insert(a);
      }
    }
  }
}

}  // namespace

bool Facts::writes(std::uint32_t txn, std::uint32_t key) const {
  const auto found = writers.find(key);
  return found != writers.end() && found->second.contains(txn);
}

bool Facts::so(std::uint32_t before, std::uint32_t after) const {
  if (after == init) return false;
  if (before == init) return true;
  return session[before] == session[after] && before < after;
}

Facts resolve(const History& history) {
  Facts facts;
  facts.init = history.num_txns();
  for (TxnId t : history.txns()) {
    facts.session.push_back(history.session(t).v);
  }
  const WriteMap writes = collect_writes(history);
  promote(history, writes, facts);

  // init writes each key to which nobody, of whatever status, writes the
  // initial value.
  const std::optional<Atom> initial = history.initial_value();
  for (std::uint32_t key = 0; initial && key < history.num_keys(); ++key) {
    const Cell cell{key, static_cast<int>(initial->kind), initial->bits};
    if (history.has_lists() || !writes.contains(cell)) {
      facts.writers[key].insert(facts.init);
    }
  }
  for (const auto& [cell, writers] : writes) {
    int alive = 0;
    for (const Writes& w : writers) {
      if (!facts.live.contains(w.txn)) continue;
      facts.writers[std::get<0>(cell)].insert(w.txn);
      ++alive;
    }
    if (alive > 1) facts.malformed = true;
  }

  facts.keys = history.num_keys();
  if (history.has_lists()) {
    judge_lists(history, facts);
  } else {
    Judge judge(history, writes, facts);
    for (std::uint32_t t : facts.live) {
      for (OpId op : history.ops(TxnId(t))) {
        if (!history.is_write(op)) judge.judge(TxnId(t), op);
      }
    }
  }
  mark_unrepeatable(facts.reads);
  relate(facts);
  note_times(history, facts);
  return facts;
}

}  // namespace awdit::oracle
