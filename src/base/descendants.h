// Who descends from a process, as /proc tells it. Not just its group: servers
// give some of their processes groups of their own.
#pragma once

#include <vector>

namespace awdit {

// Without `ancestor` itself; parents before children. What is forked meanwhile
// may be missing: stop the ancestor first.
std::vector<int> descendants(int ancestor);

// Whether none of its threads runs any more, or it is gone: a SIGSTOP takes
// effect some time after it was sent.
bool has_stopped(int process);

}  // namespace awdit
