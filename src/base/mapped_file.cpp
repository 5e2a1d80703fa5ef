// Mappings are registered in a fixed table of atomics: a handler may neither
// lock nor allocate. More than a few files at a time are not worth a row each:
// they are read instead.
#include "base/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace awdit {
namespace {

std::size_t page_size() {
  static const auto kPage = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return kPage;
}

// How SIGBUS was handled before us.
struct sigaction before {};

bool same_time(const struct timespec& a, const struct timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

struct MappedFile::Slot {
  // The part that the file is behind; begin 0: free. Written by one thread at
  // a time, `begin` last when taken and first when freed.
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> lost{false};
};

class MappedFile::Slots {
 public:
  Slots() {
    page_size();  // before the handler asks for it
    struct sigaction action {};
    action.sa_sigaction = [](int signal, siginfo_t* info, void* context) {
      on_bus_error(signal, info, context);
    };
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &before);
  }

  // nullptr: none is free.
  Slot* take(const char* memory, std::size_t size) {
    const std::lock_guard lock(mutex_);
    for (Slot& slot : slots_) {
      if (slot.begin.load() != 0) continue;
      slot.lost.store(false);
      slot.end.store(reinterpret_cast<std::uintptr_t>(memory) + size);
      slot.begin.store(reinterpret_cast<std::uintptr_t>(memory));
      return &slot;
    }
    return nullptr;
  }
  void free(Slot& slot) {
    const std::lock_guard lock(mutex_);
    slot.begin.store(0);
  }

  // Called by the handler: lays zeros over what is lost. False: not ours.
  bool replace(std::uintptr_t address) {
    for (Slot& slot : slots_) {
      const std::uintptr_t begin = slot.begin.load();
      const std::uintptr_t end = slot.end.load();
      if (begin == 0 || address < begin || address >= end ||
          slot.begin.load() != begin) {
        continue;
      }
      const std::uintptr_t page = address / page_size() * page_size();
      void* const zeros =
          mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
      if (zeros == MAP_FAILED) return false;
      slot.lost.store(true);
      return true;
    }
    return false;
  }

 private:
  // Fewer than the descriptors that a process may usually have.
  static constexpr std::size_t kMost = 128;
  std::mutex mutex_;
  std::array<Slot, kMost> slots_;
};

// Never destroyed: the handler stays.
MappedFile::Slots& MappedFile::slots() {
  static Slots* const kSlots = new Slots;
  return *kSlots;
}

// NOLINTNEXTLINE(bugprone-signal-handler): nothing but atomics and mmap
void MappedFile::on_bus_error(int signal, void* info, void* context) {
  const int saved = errno;
  auto* const what = static_cast<siginfo_t*>(info);
  if (slots().replace(reinterpret_cast<std::uintptr_t>(what->si_addr))) {
    errno = saved;
    return;
  }
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr) {
    before.sa_sigaction(signal, what, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  } else {
    // Nobody else wants it: the access is tried again, and ends us.
    sigaction(SIGBUS, &before, nullptr);
    if (what->si_code <= 0) raise(SIGBUS);  // sent by somebody, not by memory
  }
  errno = saved;
}

std::shared_ptr<const MappedFile> MappedFile::map(int descriptor,
                                                  const struct stat& info,
                                                  std::size_t padding) {
  const auto size = static_cast<std::size_t>(info.st_size);
  const std::size_t page = page_size();
  const std::size_t whole = size / page * page;
  const std::size_t mapped = (size + padding + page - 1) / page * page;
  // Memory of our own first, with room behind the end; then the file is laid
  // over the pages that it fills.
  void* const memory =
      mmap(nullptr, mapped, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  const std::shared_ptr<MappedFile> file(new MappedFile);
  file->memory_ = static_cast<char*>(memory);
  file->mapped_ = mapped;
  file->size_ = size;
  file->modified_ = info.st_mtim;
  if (whole != 0) {
    file->slot_ = slots().take(file->memory_, whole);
    if (file->slot_ == nullptr ||
        mmap(memory, whole, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor,
             0) == MAP_FAILED) {
      return nullptr;
    }
    madvise(memory, whole, MADV_SEQUENTIAL);
  }
  // What is cut off by now shows in the size.
  if (mprotect(file->memory_ + whole, mapped - whole, PROT_READ | PROT_WRITE) !=
      0) {
    return nullptr;
  }
  for (std::size_t at = whole; at < size;) {
    const ssize_t got = pread(descriptor, file->memory_ + at, size - at,
                              static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return nullptr;
    if (got == 0) break;
    at += static_cast<std::size_t>(got);
  }
  mprotect(file->memory_ + whole, mapped - whole, PROT_READ);
  file->descriptor_ = descriptor;
  return file;
}

MappedFile::~MappedFile() {
  if (slot_ != nullptr) slots().free(*slot_);
  munmap(memory_, mapped_);
  if (descriptor_ >= 0) close(descriptor_);
}

bool same_file_state(int descriptor, const struct stat& info) {
  struct stat now {};
  return fstat(descriptor, &now) == 0 && now.st_size == info.st_size &&
         same_time(now.st_mtim, info.st_mtim);
}

MappedFile::Trouble MappedFile::trouble() const {
  struct stat mapped {};
  mapped.st_size = static_cast<off_t>(size_);
  mapped.st_mtim = modified_;
  if (!same_file_state(descriptor_, mapped)) return Trouble::changed;
  return slot_ != nullptr && slot_->lost.load() ? Trouble::unreadable
                                                : Trouble::none;
}

void MappedFile::release(std::size_t from, std::size_t to) const {
  const std::size_t page = page_size();
  from = (from + page - 1) / page * page;
  // The last page is no file's, and would be zeros afterwards.
  to = (to < size_ ? to : size_) / page * page;
  if (from < to) madvise(memory_ + from, to - from, MADV_DONTNEED);
}

}  // namespace awdit
