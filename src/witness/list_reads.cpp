#include "witness/list_reads.h"

#include <algorithm>
#include <tuple>

namespace awdit {

void ElementRuns::find_spine(std::span<const std::uint32_t> ops) {
  spine_ = kNoId;
  beginnings_.clear();
  sizes_.assign(ops.size(), 0);
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    if (history_.is_write(OpId(ops[i]))) continue;
    sizes_[i] = static_cast<std::uint32_t>(history_.list_size(OpId(ops[i])));
    if (spine_ == kNoId || sizes_[i] > sizes_[spine_]) spine_ = i;
  }
}

void ElementRuns::sort(std::span<const std::uint32_t> ops) {
  find_spine(ops);
  entries_.clear();
  at_ = 0;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    const OpId op(ops[i]);
    if (history_.is_write(op)) {
      const Atom value = history_.value(op);
      entries_.push_back({value.bits, i, 0, value.kind, false});
      continue;
    }
    if (i != spine_ &&
        first_difference(history_, op, OpId(ops[spine_])) == kNoId) {
      beginnings_.push_back(i);
      continue;
    }
    for (std::uint32_t place = 0; place < sizes_[i]; ++place) {
      const Atom value = history_.element(op, place);
      entries_.push_back({value.bits, i, place, value.kind, true});
    }
  }
  std::sort(
      beginnings_.begin(), beginnings_.end(),
      [&](std::uint32_t a, std::uint32_t b) { return sizes_[a] > sizes_[b]; });
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) {
              return std::tie(a.bits, a.kind, a.is_read, a.index, a.place) <
                     std::tie(b.bits, b.kind, b.is_read, b.index, b.place);
            });
  indices_.resize(entries_.size());
  places_.resize(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    indices_[i] = entries_[i].index;
    places_[i] = entries_[i].place;
  }
}

bool ElementRuns::next(Run& run) {
  if (at_ == entries_.size()) return false;
  const Entry first = entries_[at_];
  const auto same = [&](std::size_t i) {
    return i < entries_.size() && entries_[i].bits == first.bits &&
           entries_[i].kind == first.kind;
  };
  std::size_t reads = at_;
  while (same(reads) && !entries_[reads].is_read) ++reads;
  std::size_t end = reads;
  while (same(end)) ++end;
  run.value = {first.bits, first.kind};
  run.writes = std::span(indices_).subspan(at_, reads - at_);
  run.reads = std::span(indices_).subspan(reads, end - reads);
  run.places = std::span(places_).subspan(reads, end - reads);
  at_ = end;
  return true;
}

std::uint32_t first_difference(const History& history, OpId a, OpId b) {
  const std::size_t shorter =
      std::min(history.list_size(a), history.list_size(b));
  for (std::size_t i = 0; i < shorter; ++i) {
    if (history.element(a, i) != history.element(b, i)) {
      return static_cast<std::uint32_t>(i);
    }
  }
  return kNoId;
}

void ListJudge::find_elements(std::span<const std::uint32_t> ops) {
  places_.assign(ops.size(), {});
  runs_.sort(ops);
  for (ElementRuns::Run run; runs_.next(run);) {
    bool counted = false;
    OpId aborted;
    for (const std::uint32_t i : run.writes) {
      const TxnId writer(result_.op_txn[ops[i]]);
      counted |= result_.counts[writer.v] != 0;
      if (!aborted.valid() && history_.status(writer) == Status::aborted) {
        aborted = OpId(ops[i]);
      }
    }
    for (std::size_t i = 0; i < run.reads.size(); ++i) {
      Places& list = places_[run.reads[i]];
      const std::uint32_t place = run.places[i];
      if (i != 0 && run.reads[i] == run.reads[i - 1]) {
        list.repeated = std::min(list.repeated, place);
      }
      if (counted) continue;
      if (!aborted.valid()) {
        list.thin_air = std::min(list.thin_air, place);
      } else if (place < list.aborted) {
        list.aborted = place;
        list.aborted_append = aborted;
      }
    }
  }
  for (const std::uint32_t i : runs_.beginnings()) {
    const Places& spine = places_[runs_.spine()];
    const std::size_t size = history_.list_size(OpId(ops[i]));
    if (spine.thin_air < size) places_[i].thin_air = spine.thin_air;
    if (spine.repeated < size) places_[i].repeated = spine.repeated;
    if (spine.aborted < size) {
      places_[i].aborted = spine.aborted;
      places_[i].aborted_append = spine.aborted_append;
    }
  }
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

void ListJudge::judge(std::span<const std::uint32_t> ops, std::size_t first) {
  find_elements(ops);
  const auto by_read = [](const ReadFinding& a, const ReadFinding& b) {
    return a.read < b.read;
  };
  std::vector<ReadFinding>& findings = result_.findings;
  const auto begin = findings.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<ReadFinding> of_last_elements(begin, findings.end());
  findings.erase(begin, findings.end());
  std::sort(of_last_elements.begin(), of_last_elements.end(), by_read);

  sound_.clear();
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    const OpId read(ops[i]);
    if (history_.is_write(read) ||
        result_.counts[result_.op_txn[read.v]] == 0) {
      continue;
    }
    const Places& list = places_[i];
    if (list.thin_air != kNoId) {
      findings.push_back(
          {Kind::thin_air_read, read, OpId(), OpId(), list.thin_air});
    } else if (list.aborted != kNoId) {
      findings.push_back({Kind::aborted_read, read, list.aborted_append, OpId(),
                          list.aborted});
    } else if (const ReadFinding* found =
                   find_finding(of_last_elements, read)) {
      findings.push_back(*found);
    } else if (list.repeated != kNoId) {
      findings.push_back(
          {Kind::duplicate_element, read, OpId(), OpId(), list.repeated});
    } else {
      sound_.push_back(read);
      continue;
    }
    result_.source[read.v] = Attribution::kNone;
  }
  find_incompatible();
}

}  // namespace awdit
