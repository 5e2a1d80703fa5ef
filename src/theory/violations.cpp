#include "theory/violations.h"

#include <algorithm>
#include <utility>

namespace awdit {

Violations::Violations(List own) {
  const std::size_t count = own.size();
  inherit(std::make_shared<const List>(std::move(own)), 0, count);
}

void Violations::inherit(std::shared_ptr<const List> list, std::size_t first,
                         std::size_t count) {
  if (count == 0) return;
  parts_.push_back({std::move(list), first, size() + count});
}

const Violation& Violations::operator[](std::size_t i) const {
  const auto part = std::upper_bound(
      parts_.begin(), parts_.end(), i,
      [](std::size_t at, const Part& candidate) { return at < candidate.end; });
  const std::size_t begin = part == parts_.begin() ? 0 : (part - 1)->end;
  return (*part->list)[part->first + i - begin];
}

}  // namespace awdit
