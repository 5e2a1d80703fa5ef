// Driving a database and recording what its clients saw. Front door.
//
// A run has sessions; each has a connection, a thread and a file of its own,
// and does one task of the workload after the other. What the files hold is a
// sound history (docs/recording.md says why):
//
//   - the phase decides: what failed before COMMIT was sent did not commit;
//     after it, only an answer tells, and without one the outcome is unknown;
//   - an unknown outcome ends the session: what follows is another one, as the
//     commit may still take effect later;
//   - a transaction is in the file before COMMIT is sent, so that a recorder
//     that is killed leaves what others may have read;
//   - writes have ids that no other run uses: a read of a foreign id means that
//     the database is not ours alone, and the run is refused.
//
// A simulated database is run by one thread, which draws from the seed whose
// turn it is: equal seeds give equal files.
// No lock is taken between two operations, and a system call only when a
// megabyte of the file is full.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "driver/driver.h"
#include "workload/workload.h"

namespace awdit {

// -- faults over time ---------------------------------------------------------

struct FaultPlan {
  std::vector<Fault> kinds;  // drawn from, by the seed; empty: none
  // Calm and trouble take turns; each takes about so long.
  std::chrono::milliseconds calm{2000};
  std::chrono::milliseconds trouble{500};
};

// -- what is wanted -----------------------------------------------------------

struct RunOptions {
  std::uint32_t sessions = 8;
  // Tasks of all sessions together, dealt evenly; 0: as many as the duration
  // allows.
  std::uint64_t tasks = 10000;
  std::optional<std::chrono::milliseconds> duration;
  std::uint64_t seed = 1;
  // How often a refused task is tried again, as a new transaction.
  std::uint32_t retries = 0;
  // Pauses before operations, in microseconds at the most; few are long.
  std::uint32_t pause = 0;
  // Sessions take their transactions that only read to any node.
  bool hop = false;
  // Whether the workload's last reads are done.
  bool finale = true;
  FaultPlan faults;
  // The directory for the files, which exists and is empty; "": nothing is
  // recorded.
  std::string directory;
  // JSON members that the note about the run begins with: "\"driver\":...".
  std::string about;
};

// -- what is going on, for a live view ----------------------------------------

// Counters of one session; written by its thread, read by anybody.
struct SessionTally {
  std::atomic<std::uint64_t> committed{0};
  std::atomic<std::uint64_t> aborted{0};    // by the database
  std::atomic<std::uint64_t> withdrawn{0};  // by the workload
  std::atomic<std::uint64_t> unknown{0};
  std::atomic<std::uint64_t> operations{0};
  std::atomic<std::uint64_t> met{0};      // reads of what another session wrote
  std::atomic<std::uint64_t> stalled{0};  // nanoseconds, see RunView
};

struct TroubleCount {
  std::string code;  // of a Trouble
  std::string text;  // of the first one
  std::uint64_t count = 0;
};

struct RunView {
  std::uint32_t sessions = 0;  // that have been opened, successors included
  std::uint32_t active = 0;    // workers that have not finished
  std::uint64_t tasks = 0;     // begun
  std::uint64_t committed = 0;
  std::uint64_t aborted = 0;
  std::uint64_t withdrawn = 0;
  std::uint64_t unknown = 0;
  std::uint64_t operations = 0;
  // Reads of what another session of the run wrote; the last reads do not
  // count.
  std::uint64_t met = 0;
  // How long transactions took, all sessions together, that took at least a
  // quarter of a second and twenty times what they would have at the run's
  // best; only of recorded ones.
  std::chrono::nanoseconds stalled{0};
  std::chrono::nanoseconds elapsed{0};
  std::vector<TroubleCount> reasons;  // most frequent first
  std::string fault;                  // the one that lasts now; "": none
  std::uint32_t faults = 0;           // that were begun
};

// Why a run that is over means little, in one sentence each: it collapsed, or
// it is too small. Empty: it is as good as others.
std::vector<std::string> doubts(const RunView& view, const RunOptions& options);

// A run; make it, let a thread `execute` it, look at it from another.
class Run {
 public:
  // All three must outlive the run. REQUIRES: the database has been reset and
  // holds the workload's rows.
  Run(Database& database, Workload& workload, const Driver& driver,
      const RunOptions& options);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Returns when all sessions have finished. An error means that no verdict
  // should be drawn from the files.
  Outcome execute();
  // Sessions finish their transactions and stop. Safe in signal handlers.
  void stop();
  RunView view() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// -- ids of writes ------------------------------------------------------------

// What a history shows of an id: the count, then the session as five digits.
std::int64_t value_of(WriteId id);

}  // namespace awdit
