// Large arrays come from one region of address space that is handed out and
// taken back here. Memory that the system gives is zeroed by it first, and our
// phases follow each other, each with arrays of its own: taking over the pages
// of a phase that is done saves the zeroing, which is a quarter of the time of
// checking a large file. Freed pages are kept until the process ends, or until
// memory is short.
//
// Idea: first fit at the lowest address, neighbours joined when freed, so that
// what is in use stays together at the bottom of the region. The list is short
// (tens of arrays), so it is searched plainly. Where the region cannot be had
// (a limit on address space), each array is a mapping of its own.
#include "base/array.h"

#include <sys/mman.h>

#include <cstdint>
#include <map>
#include <mutex>

#include "base/memory.h"

namespace awdit {
namespace {

// Up to this malloc keeps what was freed at hand, but not if asked to align it.
// Small histories, of which tests check millions, spend a third of their time
// there otherwise.
constexpr std::size_t kSmall = 1024;
// Below this, malloc's bookkeeping is cheaper.
constexpr std::size_t kLarge = std::size_t{256} << 10;
// What is handed out is a multiple of this. Huge pages, which the region asks
// for because the joins jump through these arrays, may span several arrays.
constexpr std::size_t kGranule = std::size_t{64} << 10;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kRegion = std::size_t{1} << 38;

std::size_t granules(std::size_t bytes) {
  return (bytes + kGranule - 1) / kGranule * kGranule;
}

class Region {
 public:
  Region() {
    void* memory = mmap(nullptr, kRegion + kHugePage, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    base_ = (reinterpret_cast<std::uintptr_t>(memory) + kHugePage - 1) /
            kHugePage * kHugePage;
#ifdef MADV_HUGEPAGE
    madvise(reinterpret_cast<void*>(base_), kRegion, MADV_HUGEPAGE);
#endif
    free_[base_] = kRegion;
  }

  void* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    for (auto at = free_.begin(); at != free_.end(); ++at) {
      if (at->second < bytes) continue;
      const std::uintptr_t place = at->first;
      const std::size_t rest = at->second - bytes;
      free_.erase(at);
      if (rest != 0) free_[place + bytes] = rest;
      return reinterpret_cast<void*>(place);
    }
    return nullptr;
  }

  void release() {
    const std::lock_guard lock(mutex_);
    if (!kept_) return;
    kept_ = false;
    for (const auto& [place, bytes] : free_) {
      madvise(reinterpret_cast<void*>(place), bytes, MADV_DONTNEED);
    }
  }

  // Returns false if the memory is not from here.
  bool give_back(void* memory, std::size_t bytes) {
    const auto place = reinterpret_cast<std::uintptr_t>(memory);
    if (base_ == 0 || place < base_ || place >= base_ + kRegion) return false;
    const std::lock_guard lock(mutex_);
    kept_ = true;
    auto at = free_.emplace(place, bytes).first;
    if (const auto after = std::next(at);
        after != free_.end() && at->first + at->second == after->first) {
      at->second += after->second;
      free_.erase(after);
    }
    if (at != free_.begin()) {
      const auto before = std::prev(at);
      if (before->first + before->second == at->first) {
        before->second += at->second;
        free_.erase(at);
      }
    }
    return true;
  }

 private:
  std::mutex mutex_;
  std::uintptr_t base_ = 0;
  std::map<std::uintptr_t, std::size_t> free_;  // place -> bytes
  bool kept_ = false;  // pages of what was given back, since they were released
};

// Never destroyed: arrays of static storage may outlive it.
Region& region() {
  static Region* const kRegionOfProcess = new Region;
  return *kRegionOfProcess;
}

}  // namespace

void* allocate_pages(std::size_t bytes, std::size_t alignment) {
  if (bytes < kLarge) {
    void* memory = bytes <= kSmall && alignment <= alignof(std::max_align_t)
                       ? std::malloc(bytes)
                       : std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  bytes = granules(bytes);
  if (void* memory = region().take(bytes)) return memory;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

void release_pages() { region().release(); }

void free_pages(void* memory, std::size_t bytes) {
  if (bytes < kLarge) {
    std::free(memory);
  } else if (!region().give_back(memory, granules(bytes))) {
    munmap(memory, granules(bytes));
  }
}

}  // namespace awdit
