// Which levels are meant and how they are read: -i, --no-session-order.
#pragma once

#include <string>
#include <vector>

#include "cli/grammar.h"
#include "history/history.h"
#include "library/library.h"
#include "theory/theory.h"

namespace awdit::cli {

class Isolation {
 public:
  void add(Grammar& grammar, const std::string& text);
  // If no level was named: `claim` and all that it implies, or every level.
  Wrong settle(const Level* claim = nullptr);
  // The claim became known only later; it counts if no level was named.
  void use_claim(const Level& claim);

  // The history, as the levels are to read it.
  History applied_to(History history) const;
  // See WantedLevels.
  std::vector<const Level*> asked_of(const History& history) const {
    return wanted_.asked_of(history);
  }

 private:
  std::vector<std::string> lists_;  // "rc,ra"
  bool no_session_order_ = false;
  WantedLevels wanted_;
};

}  // namespace awdit::cli
