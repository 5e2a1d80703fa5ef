#include "witness/list_reads.h"

#include <algorithm>

#include "witness/phrases.h"

namespace awdit {

void ListJudge::gather_appends(std::span<const std::uint32_t> ops) {
  appends_.clear();
  entries_.assign(ops.size(), {});
  std::uint32_t txn = kNoId;
  std::uint32_t first = 0;
  std::uint32_t own = 0;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    if (result_.op_txn[ops[i]] != txn) {
      txn = result_.op_txn[ops[i]];
      first = static_cast<std::uint32_t>(appends_.size());
      own = 0;
    }
    entries_[i].own = own;
    entries_[i].own_end = static_cast<std::uint32_t>(appends_.size());
    if (!history_.is_write(OpId(ops[i])) || result_.counts[txn] == 0) continue;
    ++own;
    entries_[i].append = static_cast<std::uint32_t>(appends_.size());
    appends_.push_back({OpId(ops[i]), txn, first, 0});
  }
  for (std::size_t i = appends_.size(); i-- > 0;) {
    const bool last =
        i + 1 == appends_.size() || appends_[i + 1].txn != appends_[i].txn;
    appends_[i].end =
        last ? static_cast<std::uint32_t>(i + 1) : appends_[i + 1].end;
  }
}

// False: an element is appended twice.
bool ListJudge::find_elements(std::span<const std::uint32_t> ops) {
  makers_.clear();
  runs_.sort(ops);
  for (ValueRuns::Run run; runs_.next(run);) {
    std::uint32_t append = kNoId;
    OpId aborted;
    for (const std::uint32_t i : run.writes) {
      const OpId op(ops[i]);
      if (counts(op.v)) {
        if (append != kNoId) {
          result_.malformed = describe_twin(history_, appends_[append].op, op);
          return false;
        }
        append = entries_[i].append;
      } else if (!aborted.valid() &&
                 history_.status(TxnId(result_.op_txn[op.v])) ==
                     Status::aborted) {
        aborted = op;
      }
    }
    for (std::size_t i = 0; i < run.reads.size(); ++i) {
      Entry& list = entries_[run.reads[i]];
      const std::uint32_t place = run.places[i];
      if (list.makers == kNoId) {
        list.makers = static_cast<std::uint32_t>(makers_.size());
        makers_.resize(
            makers_.size() + history_.list_size(OpId(ops[run.reads[i]])),
            kNoId);
      }
      makers_[list.makers + place] = append;
      if (i != 0 && run.reads[i] == run.reads[i - 1]) {
        list.repeated = std::min(list.repeated, place);
      }
      if (append != kNoId) {
        if (run.reads[i] == runs_.spine()) {
          appends_[append].place = std::min(appends_[append].place, place);
        }
        continue;
      }
      if (!aborted.valid()) {
        list.thin_air = std::min(list.thin_air, place);
      } else if (place < list.aborted) {
        list.aborted = place;
        list.aborted_append = aborted;
      }
    }
  }
  return true;
}

void ListJudge::find_in_beginnings(std::span<const std::uint32_t> ops) {
  for (const std::uint32_t i : runs_.beginnings()) {
    const Entry& spine = entries_[runs_.spine()];
    const std::size_t size = history_.list_size(OpId(ops[i]));
    if (spine.thin_air < size) entries_[i].thin_air = spine.thin_air;
    if (spine.repeated < size) entries_[i].repeated = spine.repeated;
    if (spine.aborted < size) {
      entries_[i].aborted = spine.aborted;
      entries_[i].aborted_append = spine.aborted_append;
    }
  }
}

// Backwards, so that what a transaction appends later is known before its read
// is met.
void ListJudge::find_future(std::span<const std::uint32_t> ops) {
  std::uint32_t txn = kNoId;
  std::uint32_t later = kNoId;  // the first place of those in the spine
  for (std::size_t i = ops.size(); i-- > 0;) {
    if (result_.op_txn[ops[i]] != txn) later = kNoId;
    txn = result_.op_txn[ops[i]];
    Entry& entry = entries_[i];
    if (entry.append != kNoId) {
      later = std::min(later, appends_[entry.append].place);
    } else if (history_.is_write(OpId(ops[i]))) {
      continue;
    } else if (entry.makers == kNoId || i == runs_.spine()) {
      if (later < history_.list_size(OpId(ops[i]))) entry.future = later;
    } else {
      const std::size_t size = history_.list_size(OpId(ops[i]));
      for (std::uint32_t place = 0; place < size; ++place) {
        const std::uint32_t append = makers_[entry.makers + place];
        if (append != kNoId && appends_[append].txn == txn &&
            appends_[append].op.v > ops[i]) {
          entry.future = place;
          break;
        }
      }
    }
  }
}

// Where the block that begins at `at` ends; kNoId if it is not whole.
std::uint32_t ListJudge::block_end(std::span<const std::uint32_t> makers,
                                   std::size_t at) const {
  if (makers[at] == kNoId) return kNoId;
  const Append& append = appends_[makers[at]];
  const std::size_t size = append.end - append.first;
  if (makers[at] != append.first || size > makers.size() - at) return kNoId;
  for (std::size_t i = 1; i < size; ++i) {
    if (makers[at + i] != append.first + i) return kNoId;
  }
  return static_cast<std::uint32_t>(at + size);
}

void ListJudge::walk_spine(std::span<const std::uint32_t> ops) {
  const std::size_t size =
      runs_.spine() == kNoId ? 0 : history_.list_size(OpId(ops[runs_.spine()]));
  whole_.assign(size + 1, 0);
  if (size == 0) return;
  const auto makers = std::span<const std::uint32_t>(makers_).subspan(
      entries_[runs_.spine()].makers, size);
  std::uint32_t whole = 0;
  while (whole < size) {
    const std::uint32_t end = block_end(makers, whole);
    if (end == kNoId) break;
    std::fill(whole_.begin() + whole, whole_.begin() + end, whole);
    whole = end;
  }
  std::fill(whole_.begin() + whole, whole_.end(), whole);
}

bool ListJudge::ends_with_own(OpId read, const Entry& entry) const {
  const std::size_t size = history_.list_size(read);
  if (size < entry.own) return false;
  for (std::uint32_t i = 1; i <= entry.own; ++i) {
    if (history_.element(read, size - i) !=
        history_.value(appends_[entry.own_end - i].op)) {
      return false;
    }
  }
  return true;
}

// Of the block at `start` that is not whole: an append that is not at its place
// behind or before that of the element there.
std::uint32_t ListJudge::find_torn(std::span<const std::uint32_t> makers,
                                   std::uint32_t start) const {
  const Append& append = appends_[makers[start]];
  if (append.first != makers[start]) return append.first;
  for (std::uint32_t other = append.first; other < append.end; ++other) {
    const std::size_t at = start + std::size_t{other - append.first};
    if (at >= makers.size() || makers[at] != other) return other;
  }
  return append.first;  // not reached: the block is whole
}

// False: it has a finding.
bool ListJudge::judge_list(std::span<const std::uint32_t> ops,
                           std::uint32_t entry) {
  const OpId read(ops[entry]);
  const Entry& list = entries_[entry];
  const auto size = static_cast<std::uint32_t>(history_.list_size(read));
  const auto report = [&](Kind kind, OpId write, OpId other,
                          std::uint32_t element) {
    result_.findings.push_back({kind, read, write, other, element});
    return false;
  };
  // Without an initial state the empty list is nobody's as well.
  if (list.thin_air != kNoId ||
      (size == 0 && !history_.is_initial(Atom::nil()))) {
    return report(Kind::thin_air_read, OpId(), OpId(), list.thin_air);
  }
  if (list.aborted != kNoId) {
    return report(Kind::aborted_read, list.aborted_append, OpId(),
                  list.aborted);
  }
  // All elements have an append from here on.
  const std::uint32_t first = list.makers != kNoId ? list.makers
                              : size != 0 ? entries_[runs_.spine()].makers
                                          : 0;
  const auto makers =
      std::span<const std::uint32_t>(makers_).subspan(first, size);
  if (list.future != kNoId) {
    return report(Kind::future_read, appends_[makers[list.future]].op, OpId(),
                  list.future);
  }
  if (!ends_with_own(read, list)) {
    const OpId latest = appends_[list.own_end - 1].op;
    if (size == 0) {
      return report(Kind::own_write_ignored, OpId(), latest, kNoId);
    }
    const Append& last = appends_[makers.back()];
    const bool stale = last.txn == result_.op_txn[read.v] && last.op != latest;
    return report(stale ? Kind::stale_own_write : Kind::own_write_ignored,
                  last.op, latest, kNoId);
  }
  const std::uint32_t seen = size - list.own;  // elements of P
  const auto before_own = makers.first(seen);
  std::uint32_t whole = 0;
  if (list.makers == kNoId || entry == runs_.spine()) {
    whole = whole_[seen];
  } else {
    while (whole < seen) {
      const std::uint32_t end = block_end(before_own, whole);
      if (end == kNoId) break;
      whole = end;
    }
  }
  if (whole != seen) {
    return report(Kind::intermediate_read, appends_[makers[whole]].op,
                  appends_[find_torn(before_own, whole)].op, whole);
  }
  if (list.repeated != kNoId) {
    return report(Kind::duplicate_element, OpId(), OpId(), list.repeated);
  }
  result_.source[read.v] =
      seen == 0 ? Attribution::kInit : appends_[before_own.back()].op.v;
  return true;
}

// All lists are measured by the longest; of equally long ones by the first.
void ListJudge::find_incompatible() {
  OpId longest;
  for (const OpId read : sound_) {
    const std::size_t size = history_.list_size(read);
    const std::size_t most = longest.valid() ? history_.list_size(longest) : 0;
    if (!longest.valid() || size > most || (size == most && read < longest)) {
      longest = read;
    }
  }
  for (const OpId read : sound_) {
    const std::uint32_t place = first_difference(history_, read, longest);
    if (place == kNoId) continue;
    result_.findings.push_back(
        {Kind::incompatible_order, read, OpId(), longest, place});
    result_.source[read.v] = Attribution::kNone;
  }
}

void ListJudge::judge(std::span<const std::uint32_t> ops) {
  gather_appends(ops);
  if (!find_elements(ops)) return;
  find_in_beginnings(ops);
  find_future(ops);
  walk_spine(ops);
  sound_.clear();
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    if (history_.is_write(OpId(ops[i])) || !counts(ops[i])) continue;
    if (judge_list(ops, i)) sound_.push_back(OpId(ops[i]));
  }
  find_incompatible();
}

bool shows_torn_block(const History& history, const Attribution& attribution,
                      OpId read, std::uint32_t place, OpId write, OpId other) {
  const KeyId key = history.key(read);
  for (const OpId op : {write, other}) {
    if (op.v >= history.num_ops() || !history.is_write(op) ||
        history.key(op) != key) {
      return false;
    }
  }
  const TxnId maker(attribution.op_txn[write.v]);
  if (attribution.op_txn[other.v] != maker.v ||
      attribution.counts[maker.v] == 0) {
    return false;
  }
  std::size_t seen = history.list_size(read);
  const TxnId reader(attribution.op_txn[read.v]);
  for (const std::uint32_t op : attribution.ops_on(key, reader)) {
    if (op < read.v && history.is_write(OpId(op))) --seen;
  }
  if (place >= seen || history.element(read, place) != history.value(write)) {
    return false;
  }
  std::int64_t away = 0;  // appends from `write` to `other`
  for (const std::uint32_t op : attribution.ops_on(key, maker)) {
    if (!history.is_write(OpId(op))) continue;
    if (op >= write.v && op < other.v) ++away;
    if (op >= other.v && op < write.v) --away;
  }
  const std::int64_t at = std::int64_t{place} + away;
  return at < 0 || at >= static_cast<std::int64_t>(seen) ||
         history.element(read, static_cast<std::size_t>(at)) !=
             history.value(other);
}

}  // namespace awdit
