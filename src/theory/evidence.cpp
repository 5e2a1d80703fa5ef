#include "theory/evidence.h"

namespace awdit {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E37'79B9'7F4A'7C15u;
  return hash ^ hash >> 29;
}

}  // namespace

Step step_of(const Edge& edge) {
  return {edge.from, edge.to, edge.reason, edge.write, edge.read};
}

bool has_form_of_kind(const Violation& violation) {
  switch (anomaly(violation.kind).form) {
    case Form::finding:
      return violation.finding() != nullptr;
    case Form::lost_update:
      return violation.lost_update() != nullptr;
    case Form::axiom_cycle:
    case Form::dependency_cycle:
      return violation.cycle() != nullptr;
  }
  return false;
}

std::uint64_t identity(const Violation& violation) {
  const auto kind = static_cast<std::uint64_t>(violation.kind);
  if (const Finding* const finding = violation.finding()) {
    return mix(mix(1, kind), finding->read.v);
  }
  if (const LostUpdate* const lost = violation.lost_update()) {
    return mix(mix(mix(1, kind), lost->read.v), lost->other.v);
  }
  std::uint64_t sum = 0;
  for (const Edge& edge : violation.cycle()->edges) {
    sum += mix(mix(mix(2, edge.from.v), edge.to.v), edge.read.v);
  }
  return mix(sum, kind);
}

}  // namespace awdit
