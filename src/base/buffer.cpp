#include "base/buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace awdit {

Buffer::Buffer(std::string_view copied) {
  char* const bytes = room(copied.size());
  if (!copied.empty()) std::memcpy(bytes, copied.data(), copied.size());
  grow(copied.size());
}

Buffer::~Buffer() {
  if (data_ != nullptr) munmap(data_, capacity_);
}

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

void swap(Buffer& a, Buffer& b) noexcept {
  std::swap(a.data_, b.data_);
  std::swap(a.size_, b.size_);
  std::swap(a.capacity_, b.capacity_);
}

char* Buffer::room(std::size_t bytes) {
  const std::size_t needed = size_ + bytes + kPadding;
  if (needed > capacity_) {
    constexpr std::size_t kSmallest = std::size_t{1} << 16;
    std::size_t capacity = std::max(kSmallest, capacity_);
    while (capacity < needed) capacity *= 2;
    void* const memory =
        data_ == nullptr
            ? mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
            : mremap(data_, capacity_, capacity, MREMAP_MAYMOVE);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<char*>(memory);
    capacity_ = capacity;
  }
  return data_ + size_;
}

}  // namespace awdit
