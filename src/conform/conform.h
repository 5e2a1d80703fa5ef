// Whether a database, through its driver, does what awdit relies on. Front
// door.
//
// A run judges a database; a mistake of the driver would be told as one of the
// database. So before that each promise of src/database/database.h is tried by
// itself, step by step and in plain words: what was done, what came back, what
// the author has probably forgotten. What a level forbids is tried only if the
// database claims that level.
//
// Every driver can be tried, those of ours as well (tests/unit/conform). It
// says nothing about the database under load: that is what runs are for.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "database/database.h"

namespace awdit {

struct Trial {
  enum class Result { passed, failed, skipped };
  std::string_view name;  // what was tried: "a rollback leaves nothing"
  Result result = Result::passed;
  // failed: what happened, and what is probably wrong; skipped: why.
  std::string words = {};
};

// Tries all, one after the other, and tells of each. Returns whether none
// failed. It empties the database. `claims`: a level of src/theory, or "".
bool conform(Database& database, std::string_view claims,
             const std::function<void(const Trial&)>& tell);

}  // namespace awdit
