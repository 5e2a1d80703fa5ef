#include "witness/value_runs.h"

#include <algorithm>
#include <tuple>

namespace awdit {

void ValueRuns::find_spine(std::span<const std::uint32_t> ops) {
  spine_ = kNoId;
  beginnings_.clear();
  sizes_.assign(ops.size(), 0);
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    if (history_.is_write(OpId(ops[i]))) continue;
    sizes_[i] = static_cast<std::uint32_t>(history_.list_size(OpId(ops[i])));
    if (spine_ == kNoId || sizes_[i] > sizes_[spine_]) spine_ = i;
  }
}

void ValueRuns::sort(std::span<const std::uint32_t> ops) {
  const bool lists = history_.has_lists();
  if (lists) find_spine(ops);
  entries_.clear();
  at_ = 0;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    const OpId op(ops[i]);
    if (history_.is_write(op) || !lists) {
      const Atom value = history_.value(op);
      entries_.push_back(
          {value.bits, i, 0, value.kind, !history_.is_write(op)});
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

bool ValueRuns::next(Run& run) {
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

}  // namespace awdit
