// Anomalies that are known already: they are told like all others, but nobody
// is called for them. Part of tell/tell.h.
//
// Whoever tests a database again and again cannot have it mended first; what
// fails a job is what is new. Known are kinds, not single findings: keys and
// sessions are others each time a database is driven.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "theory/theory.h"

namespace awdit {

class Known {
 public:
  void add(Kind kind) { kinds_ |= bit(kind); }
  void add(const Known& more) { kinds_ |= more.kinds_; }
  bool has(Kind kind) const { return (kinds_ & bit(kind)) != 0; }
  bool any() const { return kinds_ != 0; }

 private:
  static std::uint64_t bit(Kind kind) {
    return std::uint64_t{1} << static_cast<unsigned>(kind);
  }
  std::uint64_t kinds_ = 0;
};

// [kind] -> how many violations the level has that has most of them: stronger
// levels have those of weaker ones, too. O(violations of all levels).
std::vector<std::uint64_t> count_kinds(const Report& report);

// Whether a violated level has nothing but what is known. One that is violated
// because another is, without violations of its own, is as that one.
bool is_known(const Report& report, const LevelReport& level,
              const Known& known);

// "Known: 3 fractured reads. New: 1 long fork." Of nothing found: "".
std::string known_sentence(const Report& report, const Known& known);

}  // namespace awdit
