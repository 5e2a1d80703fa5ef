// The only place where threads are made.
//
// `parallel_for(tasks, threads, body)` runs body(task, worker) once for every
// task in [0, tasks). Workers take tasks from a shared counter, so *which*
// worker runs a task is not determined; a caller whose result must not depend
// on it writes to places chosen by `task`, and uses `worker` (< threads) only
// to pick scratch memory. If a body throws (memory may run out), the remaining
// tasks are skipped and the first exception reaches the caller.
//
// Plain std::thread: our phases are few and long, so a pool would save nothing,
// and ThreadSanitizer sees every synchronisation.
#pragma once

#include <cstddef>
#include <functional>

namespace awdit {

void parallel_for(
    std::size_t tasks, unsigned threads,
    const std::function<void(std::size_t task, unsigned worker)>& body);

// What --threads defaults to: the processors this process may use.
unsigned default_threads();

}  // namespace awdit
