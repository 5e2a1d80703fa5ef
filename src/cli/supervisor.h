// A process that stays when the work is over, to tidy up after it.
//
// Whoever dies cannot clean up: not in the middle of starting a server, not
// while a database inside of us writes its files from threads of its own, and
// not at all by SIGKILL. So the work is done by a child. The parent does
// nothing but wait for it, hand signals on and, when it has ended by whatever
// cause, sweep away what it has left (base/temporary_directory.h); then it ends
// as the child did, by the same exit code or the same signal. It is there
// before anything is made, and it holds nothing that could fail. If the parent
// itself is killed by SIGKILL, the kernel kills the child with it, and the next
// start sweeps.
//
// The child has a process group of its own: a terminal's Ctrl-C, or a kill of
// the whole group, reaches the parent, which hands it on exactly once. So a
// second signal is one that somebody sent.
#pragma once

#include <string>

#include "base/result.h"

namespace awdit::cli {

// Returns in the child; the parent never does. REQUIRES: there is one thread.
// `place` is a directory that the child may make, "" if none: if it did and
// left it empty, it goes as well. An error, in the only process, if there
// cannot be two.
Outcome supervise(const std::string& place);

}  // namespace awdit::cli
