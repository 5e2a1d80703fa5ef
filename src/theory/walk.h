// The one walk through the evidence of a violation. Private to theory/; others
// include theory/theory.h.
//
// Whoever gathers operations, transactions or steps wants to see everything
// that evidence is made of, however deep lemmas nest, and says what to do with
// the parts that matter: each `visit` is called for every part that it takes.
// Parts are a Finding, a LostUpdate, a Lemma, a whole cycle
// (std::vector<Edge>), an Edge, a Step of what a reader saw. They may be
// changed on the way if the violation may.
//
// Order: the cycle itself before its lemmas; a lemma, then what is under it,
// then its cycle; a cycle, its edges, and after each edge its steps. Recursion
// as deep as lemmas nest: kDeepestLemma, or what a certificate's reader allows.
#pragma once

#include <type_traits>
#include <variant>

#include "theory/evidence.h"

namespace awdit {

// Calls those of the visits that take such a part.
template <typename Part, typename... Visits>
void meet(Part& part, Visits&... visits) {
  const auto call = [&](auto& visit) {
    if constexpr (std::is_invocable_v<decltype(visit), Part&>) visit(part);
  };
  (call(visits), ...);
}

// `edges`: std::vector<Edge>, const or not.
template <typename Edges, typename... Visits>
void walk_edges(Edges& edges, Visits&&... visits) {
  meet(edges, visits...);
  for (auto& edge : edges) {
    meet(edge, visits...);
    for (auto& step : edge.seen) meet(step, visits...);
  }
}

// `lemmas`: std::vector<Lemma>, const or not.
template <typename Lemmas, typename... Visits>
void walk_lemmas(Lemmas& lemmas, Visits&&... visits) {
  for (auto& lemma : lemmas) {
    meet(lemma, visits...);
    walk_lemmas(lemma.under, visits...);
    walk_edges(lemma.cycle, visits...);
  }
}

// `violation`: a Violation, const or not.
template <typename Evidence, typename... Visits>
void walk(Evidence& violation, Visits&&... visits) {
  std::visit(
      [&](auto& evidence) {
        using Part = std::remove_cvref_t<decltype(evidence)>;
        if constexpr (std::is_same_v<Part, Cycle>) {
          walk_edges(evidence.edges, visits...);
          walk_lemmas(evidence.lemmas, visits...);
        } else {
          meet(evidence, visits...);
        }
      },
      violation.evidence);
}

}  // namespace awdit
