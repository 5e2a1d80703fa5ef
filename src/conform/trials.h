// The trials, by what they are about. Private to conform/.
#pragma once

#include <functional>
#include <string_view>

#include "conform/stand.h"

namespace awdit {

struct TrialRow {
  std::string_view name;
  // Says what failed by stand.fail(); whatever it leaves is cleaned up.
  void (*run)(Stand& stand);
  // Only if the database claims this level; "": always.
  std::string_view level = "";
  bool interactive = false;  // needs transactions that are not sent whole
  bool lists = false;
};

// try_values.cpp: one session after the other.
void try_absent(Stand& stand);
void try_reset(Stand& stand);
void try_integers(Stand& stand);
void try_texts(Stand& stand);
void try_keys(Stand& stand);
void try_loaded(Stand& stand);
void try_own_writes(Stand& stand);
void try_rollback(Stand& stand);
void try_commit(Stand& stand);
void try_lists(Stand& stand);

// try_conflicts.cpp: two sessions, step by step.
void try_uncommitted(Stand& stand);
void try_abandoned(Stand& stand);
void try_lost_update(Stand& stand);
void try_repeated_read(Stand& stand);
void try_fractured_read(Stand& stand);
void try_write_skew(Stand& stand);
void try_after_refusal(Stand& stand);

}  // namespace awdit
