// Lists of findings about one read. Private to check/.
#pragma once

#include <algorithm>
#include <vector>

#include "theory/theory.h"

namespace awdit {

// REQUIRES: it is a finding.
inline OpId read_of(const Violation& finding) {
  return finding.finding()->read;
}

inline void sort_by_read(std::vector<Violation>& findings) {
  std::sort(findings.begin(), findings.end(),
            [](const Violation& a, const Violation& b) {
              return read_of(a) < read_of(b);
            });
}

}  // namespace awdit
