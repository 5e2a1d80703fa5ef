// Temporaries that must not outlive us.
//
// What is named here goes when a signal ends the process, or when memory runs
// out: files, and directories of files. SIGKILL spares them; the next who
// writes there sweeps (base/temporary_directory.h). Few at a time: a signal
// handler knows sixteen.
#pragma once

#include <string>

namespace awdit::cli {

// To be called while signals are held (signals.h), so that there is no moment
// in which a file exists and is not named.
void doom(const std::string& path);
// It has become something to keep, or is gone.
void spare(const std::string& path);

// Where a doomed directory keeps its files.
inline constexpr const char* kDoomedFiles = "files";

}  // namespace awdit::cli
