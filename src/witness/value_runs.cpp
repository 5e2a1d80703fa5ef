#include "witness/value_runs.h"

#include <algorithm>

namespace awdit {

void ValueRuns::sort(std::span<const std::uint32_t> ops) {
  entries_.resize(ops.size());
  indices_.resize(ops.size());
  at_ = 0;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    const Atom value = history_.value(OpId(ops[i]));
    entries_[i] = {value.bits, value.kind, !history_.is_write(OpId(ops[i])), i};
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) {
              if (a.bits != b.bits) return a.bits < b.bits;
              if (a.kind != b.kind) return a.kind < b.kind;
              if (a.is_read != b.is_read) return b.is_read;
              return a.index < b.index;
            });
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    indices_[i] = entries_[i].index;
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
  const std::span<const std::uint32_t> indices(indices_);
  run.value = {first.bits, first.kind};
  run.writes = indices.subspan(at_, reads - at_);
  run.reads = indices.subspan(reads, end - reads);
  at_ = end;
  return true;
}

}  // namespace awdit
