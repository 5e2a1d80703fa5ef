// Removes a directory with all that is in it, though a stranger may own parts.
//
// Root removes what an unprivileged account has filled, and that account may be
// at work meanwhile: swapping a directory for a symbolic link is an old way to
// make root delete something else. So nothing is reached by a path: directories
// are opened relative to their parent, never through a link, and only entries
// of directories that are open are unlinked.
//
// No recursion, and two open directories at most, however deep the tree is:
// what a subdirectory holds of further directories is moved up to the top
// before the subdirectory is removed. That costs a rename per directory, and
// gives up where a file system is mounted inside.
#pragma once

#include <chrono>
#include <string>

namespace awdit {

// `name` is an entry of the open directory `parent` (or of AT_FDCWD, and then
// it may be a path whose other components nobody else can change). Returns
// whether it is gone. Gives up after a while: whoever owns a part can fill it
// faster than we empty it.
bool remove_tree(int parent, const std::string& name,
                 std::chrono::seconds patience = std::chrono::seconds(60));

}  // namespace awdit
