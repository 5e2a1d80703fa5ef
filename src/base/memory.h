// How much memory there is for this process, and how much of it is in use.
//
// What a process may take is the least of several bounds: the machine's memory,
// the limits of the shell (ulimit -v, -d) and those of the control groups that
// it is in, which is how containers say it. Beyond the first three there is no
// memory available; beyond the last the system kills without a word, so that
// whoever wants to report something must stop before.
#pragma once

#include <cstdint>
#include <string>

namespace awdit {

// The least of these bounds, in bytes; 0: none is known.
std::uint64_t memory_of_process();

// The limit of the control groups of this process and of those above them, as
// the files below `root` tell it: proc/self/cgroup, sys/fs/cgroup. Both
// versions. 0: none.
std::uint64_t memory_of_groups(const std::string& root);

// Bytes of this process that no file is behind; 0: not known.
std::uint64_t memory_in_use();

// Gives freed memory back to the system, which otherwise keeps belonging to
// this process.
void release_memory();
// The part of it that array.cpp keeps for large arrays.
void release_pages();

}  // namespace awdit
