// Which levels are meant and how they are read: -i, --no-session-order.
#pragma once

#include <string>
#include <vector>

#include "cli/grammar.h"
#include "history/history.h"
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
  // In the order of the table: the levels that can be asked of this history,
  // and those that were named even if they cannot: check() says why.
  std::vector<const Level*> asked_of(const History& history) const;

 private:
  struct Wanted {
    const Level* level;
    bool named;
  };
  std::vector<std::string> lists_;  // "rc,ra"
  bool no_session_order_ = false;
  std::vector<Wanted> wanted_;
};

}  // namespace awdit::cli
