// A regular file, mapped, that others may change while it is read.
//
// Idea: a page that the file no longer has raises SIGBUS. A handler knows all
// mappings of this process; it lays zeros over the rest of the file and notes
// that its bytes are lost, and whoever was reading reads on. Parsers know
// nothing of it: what they made of the zeros is thrown away, because the
// reader asks `trouble` when they are done, before anybody trusts the result.
// Other changes are told by size and time of change.
// Invariant: memory behind the file's last full page is ours, so that the zeros
// behind the end are there whatever happens to the file. But bytes before it
// may differ from one look to the next: a parser must not leave the mapping or
// break a promise to others for it, and who keeps bytes must copy them first
// (Input::settled).
// Cost: none while nothing happens; a descriptor for as long as it is mapped.
// Other handlers of SIGBUS get what is not ours.
#pragma once

#include <cstddef>
#include <ctime>
#include <memory>

struct stat;  // <sys/stat.h>

namespace awdit {

class MappedFile {
 public:
  // Takes the descriptor over if it succeeds. nullptr: it cannot be mapped, or
  // there are many such files already. REQUIRES: `info` is that of a regular
  // file that is not empty. `padding` bytes behind the end may be read.
  static std::shared_ptr<const MappedFile> map(int descriptor,
                                               const struct stat& info,
                                               std::size_t padding);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const char* data() const { return memory_; }
  std::size_t size() const { return size_; }
  int descriptor() const { return descriptor_; }

  enum class Trouble { none, changed, unreadable };
  // What has happened to the file since it was mapped.
  Trouble trouble() const;
  // A hint that these bytes are not needed again.
  void release(std::size_t from, std::size_t to) const;

 private:
  struct Slot;
  class Slots;
  static Slots& slots();
  static void on_bus_error(int signal, void* info, void* context);

  MappedFile() = default;
  char* memory_ = nullptr;
  std::size_t mapped_ = 0;  // bytes of memory
  std::size_t size_ = 0;    // of the file
  int descriptor_ = -1;
  struct timespec modified_ {};
  Slot* slot_ = nullptr;
};

// Whether the file is still as `info` says.
bool same_file_state(int descriptor, const struct stat& info);

}  // namespace awdit
