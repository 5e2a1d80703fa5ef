#include "cli/doomed.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "cli/signals.h"

namespace awdit::cli {
namespace {

char doomed[16][PATH_MAX];  // "": none

// Removes the files of an open directory. Only calls that a signal handler may
// make, so that the kernel is asked for the names by hand.
void unlink_all(int directory) {
  struct Entry {
    std::uint64_t inode;
    std::int64_t next;
    std::uint16_t size;
    std::uint8_t kind;
    char name[1];  // and more
  };
  alignas(Entry) char entries[4096];
  for (;;) {
    const long got =
        ::syscall(SYS_getdents64, directory, entries, sizeof entries);
    if (got <= 0) return;
    for (long at = 0; at < got;) {
      const auto* const entry = reinterpret_cast<const Entry*>(entries + at);
      ::unlinkat(directory, entry->name, 0);
      at += entry->size;
    }
  }
}

void remove_directory(const char* path) {
  const int top = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Again if another thread has just made a file.
  for (int attempt = 0; top >= 0 && attempt < 100; ++attempt) {
    const int inner =
        ::openat(top, kDoomedFiles, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (inner < 0) break;
    unlink_all(inner);
    ::close(inner);
    if (::unlinkat(top, kDoomedFiles, AT_REMOVEDIR) == 0) break;
  }
  ::rmdir(path);
}

void remove_doomed() {
  for (const char* path : doomed) {
    if (path[0] != '\0' && ::unlink(path) != 0) remove_directory(path);
  }
}

void remove_and_die(int signal) {
  remove_doomed();
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

void doom(const std::string& path) {
  if (path.size() + 1 > sizeof doomed[0]) return;
  for (char* const entry : doomed) {
    if (entry[0] != '\0') continue;
    std::memcpy(entry, path.c_str(), path.size() + 1);
    break;
  }
  std::at_quick_exit(remove_doomed);
  for (const int signal : kEndingSignals) {
    // Who was started with a signal ignored (nohup) keeps it so.
    struct sigaction old {};
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler != SIG_IGN) {
      std::signal(signal, remove_and_die);
    }
  }
}

void spare(const std::string& path) {
  for (char* const entry : doomed) {
    if (path == entry) entry[0] = '\0';
  }
}

}  // namespace awdit::cli
