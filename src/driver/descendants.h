// Who descends from a process, as /proc tells it. Not just its group: servers
// give some of their processes groups of their own.
#pragma once

#include <vector>

namespace awdit {

// Without `ancestor` itself; parents before children. What is forked meanwhile
// may be missing: stop the ancestor first.
std::vector<int> descendants(int ancestor);

}  // namespace awdit
