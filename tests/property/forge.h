// Evidence that is wrong, each piece for a reason that can be stated: the
// verifier must reject every one.
#pragma once

#include <string>
#include <vector>

#include "check/check.h"
#include "oracle/oracle.h"
#include "property/script.h"

namespace awdit::property {

struct Forgery {
  std::string what;
  LevelReport claim;
};

// Wrong variants of a right report. The oracle's facts are needed to know that
// a change really makes it wrong.
std::vector<Forgery> forge(const History& history, const oracle::Facts& facts,
                           const LevelReport& report, Random& random);

}  // namespace awdit::property
