// The table of trials, in the order in which an author should mend things.
#include "conform/conform.h"

#include <fmt/format.h>

#include "conform/trials.h"

namespace awdit {
namespace {

constexpr TrialRow kTrials[] = {
    {"a key that was never written is not there", try_absent},
    {"integers come back as they were", try_integers},
    {"texts come back as they were", try_texts},
    {"keys are kept apart", try_keys},
    {"reset leaves nothing", try_reset},
    {"first rows are loaded", try_loaded},
    {"a transaction sees what it wrote", try_own_writes, "", true},
    {"a commit is seen by others", try_commit},
    {"nobody sees what is not committed", try_uncommitted,
     "adya-read-committed", true},
    {"a rollback leaves nothing", try_rollback, "", true},
    {"a session that ends without a commit leaves nothing", try_abandoned, "",
     true},
    {"lists keep what is appended", try_lists, "", false, true},
    {"no update is lost", try_lost_update, "parallel-snapshot-isolation", true},
    {"a transaction reads the same twice", try_repeated_read, "read-atomic",
     true},
    {"a transaction is seen as a whole", try_fractured_read, "read-atomic",
     true},
    {"two that exclude each other do not both commit", try_write_skew,
     "serializable", true},
    {"a session goes on after a refusal", try_after_refusal, "", true},
};

// Why it is not tried; "": it is.
std::string objection(const TrialRow& row, const Stand& stand,
                      const Database& database) {
  if (row.interactive && stand.whole()) {
    return "transactions are sent whole";
  }
  if (row.lists && !database.lists()) return "it has no lists";
  if (row.level.empty() || stand.claims(row.level)) return "";
  return fmt::format("it does not claim {}", row.level);
}

}  // namespace

bool conform(Database& database, std::string_view claims,
             const std::function<void(const Trial&)>& tell) {
  Stand stand(database, claims);
  bool all = true;
  for (const TrialRow& row : kTrials) {
    Trial trial{.name = row.name};
    trial.words = stand.hopeless() ? "the driver broke the protocol"
                                   : objection(row, stand, database);
    if (!trial.words.empty()) {
      trial.result = Trial::Result::skipped;
    } else {
      row.run(stand);
      stand.end_sessions();
      trial.words = stand.failure();
      if (!trial.words.empty()) trial.result = Trial::Result::failed;
    }
    all = all && trial.result != Trial::Result::failed;
    tell(trial);
  }
  return all;
}

}  // namespace awdit
