// Which levels are meant by their names. Part of library/library.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// What is wrong with a name; `details`: lines that say more, or "".
struct NotALevel {
  std::string message;
  std::string details = {};
};

class WantedLevels {
 public:
  // `lists`: names as people type them, with commas between them ("rc,ra"),
  // "all" among them. None: `claim` and all that it implies, or every level.
  std::optional<NotALevel> choose(std::span<const std::string> lists,
                                  const Level* claim = nullptr);

  // In the order of the table: the levels that can be asked of this history,
  // and those that were named even if they cannot: check() says why.
  std::vector<const Level*> asked_of(const History& history) const;

 private:
  struct Wanted {
    const Level* level;
    bool named;
  };
  std::vector<Wanted> wanted_;
};

}  // namespace awdit
