// libarchive, loaded when something is packed.
//
// It draws in a dozen libraries, libxml2 and ICU among them, of which a plain
// file needs none: 0.8 ms and 2 MB of every run. So the program is not linked
// with it; archive_library.cpp has the functions of <archive.h> that we call,
// and each passes on to the library's own.
#pragma once

#include "base/result.h"

namespace awdit {

// REQUIRED before any of those functions is called. An error tells that the
// library was uninstalled. Safe from several threads.
Outcome load_archive_library();

}  // namespace awdit
