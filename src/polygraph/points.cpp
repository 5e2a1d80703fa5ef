#include "polygraph/points.h"

#include <algorithm>

namespace awdit {

Points::Points(const Polygraph& polygraph, const Demand& demand)
    : polygraph_(polygraph),
      forbidden_(demand.forbidden),
      split_(demand.forbidden == Forbidden::prefix ||
                     demand.forbidden == Forbidden::snapshot
                 ? 1
                 : 0) {
  first_time_ = polygraph.txns << split_;
  const auto times =
      static_cast<std::uint32_t>(demand.real_time ? polygraph.ended.size() : 0);
  size_ = first_time_ + times;
  const auto clocks =
      static_cast<std::uint32_t>(times != 0 ? polygraph.clocks() : 0);
  chains_ = polygraph.chains + clocks;
  first_.reserve(std::size_t{size_} + 1);
  first_.push_back(0);
  sources_.reserve(polygraph.reads.size());
  std::vector<std::uint32_t> writers;
  for (std::uint32_t t = 0; t < polygraph.txns; ++t) {
    const std::uint32_t previous = polygraph.previous[t];
    writers.clear();
    for (const Polygraph::Read& read : polygraph.reads_of(t)) {
      if (read.version == Polygraph::kInitial) continue;
      const std::uint32_t writer = polygraph.writer[read.version];
      if (writer != previous) writers.push_back(writer);
    }
    if (writers.size() > 1) {
      std::sort(writers.begin(), writers.end());
      writers.erase(std::unique(writers.begin(), writers.end()), writers.end());
    }
    for (const std::uint32_t writer : writers) {
      sources_.push_back(commit(writer));
    }
    for (std::uint32_t clock = 0; clock < clocks; ++clock) {
      const std::uint32_t behind =
          polygraph.ended_before[std::size_t{t} * clocks + clock];
      if (behind != polygraph.clock_first[clock]) {
        sources_.push_back(first_time_ + behind - 1);
      }
    }
    first_.push_back(static_cast<std::uint32_t>(sources_.size()));
    if (split_ != 0) {  // the commit follows its snapshot and nothing else
      first_.push_back(static_cast<std::uint32_t>(sources_.size()));
    }
  }
  for (std::uint32_t i = 0; i < times; ++i) {
    sources_.push_back(commit(polygraph.ended[i]));
    first_.push_back(static_cast<std::uint32_t>(sources_.size()));
  }
}

}  // namespace awdit
