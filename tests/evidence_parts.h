// The parts of a violation, to be changed at will. REQUIRES: its evidence is of
// that form.
#pragma once

#include <variant>
#include <vector>

#include "theory/theory.h"

namespace awdit {

inline Finding& finding_of(Violation& violation) {
  return std::get<Finding>(violation.evidence);
}
inline const Finding& finding_of(const Violation& violation) {
  return std::get<Finding>(violation.evidence);
}
inline LostUpdate& lost_update_of(Violation& violation) {
  return std::get<LostUpdate>(violation.evidence);
}
inline const LostUpdate& lost_update_of(const Violation& violation) {
  return std::get<LostUpdate>(violation.evidence);
}
inline std::vector<Edge>& edges_of(Violation& violation) {
  return std::get<Cycle>(violation.evidence).edges;
}
inline const std::vector<Edge>& edges_of(const Violation& violation) {
  return std::get<Cycle>(violation.evidence).edges;
}
inline std::vector<Lemma>& lemmas_of(Violation& violation) {
  return std::get<Cycle>(violation.evidence).lemmas;
}
inline const std::vector<Lemma>& lemmas_of(const Violation& violation) {
  return std::get<Cycle>(violation.evidence).lemmas;
}

// The read that a finding is about, the first one of a lost update; none of a
// cycle.
inline OpId read_of(const Violation& violation) {
  if (const Finding* finding = violation.finding()) return finding->read;
  if (const LostUpdate* lost = violation.lost_update()) return lost->read;
  return OpId();
}

}  // namespace awdit
