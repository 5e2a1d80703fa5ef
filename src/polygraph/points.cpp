#include "polygraph/points.h"

#include "base/make_set.h"

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
  std::vector<std::uint32_t>& first = sources_.first;
  std::vector<std::uint32_t>& sources = sources_.items;
  const auto end_point = [&] {
    first.push_back(static_cast<std::uint32_t>(sources.size()));
  };
  first.reserve(std::size_t{size_} + 1);
  sources.reserve(polygraph.reads.size());
  std::vector<std::uint32_t> writers;
  for (std::uint32_t t = 0; t < polygraph.txns; ++t) {
    const std::uint32_t previous = polygraph.previous[t];
    writers.clear();
    for (const Polygraph::Read& read : polygraph.reads_of(t)) {
      if (read.version == Polygraph::kInitial) continue;
      const std::uint32_t writer = polygraph.writer[read.version];
      if (writer != previous) writers.push_back(writer);
    }
    if (writers.size() > 1) make_set(writers);
    for (const std::uint32_t writer : writers) {
      sources.push_back(commit(writer));
    }
    for (std::uint32_t clock = 0; clock < clocks; ++clock) {
      const std::uint32_t behind =
          polygraph.ended_before[std::size_t{t} * clocks + clock];
      if (behind != polygraph.clock_first[clock]) {
        sources.push_back(first_time_ + behind - 1);
      }
    }
    end_point();
    if (split_ != 0) end_point();  // a commit follows its snapshot only
  }
  for (std::uint32_t i = 0; i < times; ++i) {
    sources.push_back(commit(polygraph.ended[i]));
    end_point();
  }
}

}  // namespace awdit
