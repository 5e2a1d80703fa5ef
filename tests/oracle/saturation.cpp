// Naive saturation: put so u wr into a matrix, add every edge the axiom infers
// (not only the few that the paper's algorithms need), close it transitively
// and count the strongly connected components. Slow, and hard to get wrong.
//
// The order of appends that lists show belongs to the commit order at every
// level, though the axioms do not speak of it. A component is called after the
// least that closes a cycle in it: so and wr, then what lists show, then the
// level's axiom.
#include "oracle/oracle.h"

namespace awdit::oracle {
namespace {

// Warshall's algorithm.
Matrix closure(Matrix m) {
  for (std::size_t k = 0; k < m.size(); ++k) {
    for (std::size_t i = 0; i < m.size(); ++i) {
      if (!m[i][k]) continue;
      for (std::size_t j = 0; j < m.size(); ++j) {
        if (m[k][j]) m[i][j] = true;
      }
    }
  }
  return m;
}

// The components with a cycle, given a closed relation: nodes that reach each
// other and themselves.
std::vector<std::vector<std::size_t>> cyclic_components(const Matrix& closed) {
  std::vector<std::vector<std::size_t>> components;
  std::vector<bool> taken(closed.size(), false);
  for (std::size_t i = 0; i < closed.size(); ++i) {
    if (taken[i] || !closed[i][i]) continue;
    std::vector<std::size_t> component;
    for (std::size_t j = i; j < closed.size(); ++j) {
      if (closed[i][j] && closed[j][i]) {
        component.push_back(j);
        taken[j] = true;
      }
    }
    components.push_back(component);
  }
  return components;
}

Matrix so_wr_of(const Facts& facts) {
  const std::size_t n = facts.init + 1;
  Matrix m(n, std::vector<bool>(n, false));
  for (std::uint32_t b : facts.live) {
    m[facts.init][b] = true;
    for (std::uint32_t a : facts.live) {
      if (facts.so(a, b)) m[a][b] = true;
    }
  }
  for (const Read& read : facts.reads) m[read.writer][read.reader] = true;
  return m;
}

// One per component, but for those that have a cycle of a smaller relation
// already. Both are closed.
void add_cycles(Kind kind, const Matrix& closed, const Matrix& smaller,
                Findings& findings) {
  for (const auto& component : cyclic_components(closed)) {
    bool has_one_already = false;
    for (std::size_t t : component) has_one_already |= smaller[t][t];
    if (!has_one_already) findings.insert({kind, kNone});
  }
}

}  // namespace

Findings saturate(const Facts& facts, const Oracle& oracle) {
  Findings findings = facts.read_findings;
  if (oracle.repeatable_reads) {
    for (const Read& read : facts.reads) {
      if (read.repeats_differently) {
        findings.insert({Kind::non_repeatable_read, read.op});
      }
    }
  }
  const Matrix so_wr = so_wr_of(facts);
  const Matrix hb = closure(so_wr);
  const std::size_t causality_cycles = cyclic_components(hb).size();
  for (std::size_t i = 0; i < causality_cycles; ++i) {
    findings.insert({Kind::causality_cycle, kNone});
  }
  Matrix co = so_wr;
  for (const Facts::Listed& two : facts.listed) co[two.older][two.newer] = true;
  const Matrix shown = closure(co);
  add_cycles(Kind::dependency_cycle, shown, hb, findings);
  if (!oracle.cycle) return findings;
  if (oracle.needs_acyclic_hb && causality_cycles != 0) return findings;

  oracle.infer(facts, so_wr, hb, co);
  add_cycles(*oracle.cycle, closure(co), shown, findings);
  return findings;
}

Kind as_own(const Level& level, Kind kind) {
  for (const Level& weaker : levels()) {
    if (weaker.premise != Premise::nobody && weaker.cycle == kind &&
        implies(level, weaker)) {
      return level.cycle;
    }
  }
  return kind;
}

Findings as_own(const Level& level, const Findings& findings) {
  Findings own;
  for (const auto& [kind, read] : findings) {
    own.insert({as_own(level, kind), read});
  }
  return own;
}

std::string to_string(const Findings& findings) {
  std::map<std::string_view, int> counts;
  for (const Finding& finding : findings) ++counts[anomaly(finding.first).name];
  std::string text;
  for (const auto& [kind, count] : counts) {
    if (!text.empty()) text += ", ";
    text += kind;
    if (count > 1) text += " x" + std::to_string(count);
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace awdit::oracle
