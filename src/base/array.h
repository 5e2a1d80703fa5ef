// A fixed-size heap array whose elements start uninitialised: columns are
// written once, in full, often by several threads, and zeroing them first would
// double the memory traffic. Move-only; elements must be trivial. A view shows
// elements that lie elsewhere (a mapped file) and must outlive it; it is only
// read.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace awdit {

// REQUIRES: alignment is a power of two, 64 at most. Throws std::bad_alloc. See
// array.cpp.
void* allocate_pages(std::size_t bytes, std::size_t alignment);
void free_pages(void* memory, std::size_t bytes);

// For vectors that grow large: what they leave behind is used again.
template <typename T>
struct PageAllocator {
  using value_type = T;
  PageAllocator() = default;
  template <typename U>
  PageAllocator(const PageAllocator<U>&) {}  // NOLINT: meant to convert
  T* allocate(std::size_t size) {
    return static_cast<T*>(allocate_pages(size * sizeof(T), alignof(T)));
  }
  void deallocate(T* memory, std::size_t size) {
    free_pages(memory, size * sizeof(T));
  }
  friend bool operator==(const PageAllocator&, const PageAllocator&) {
    return true;
  }
};

template <typename T>
using PageVector = std::vector<T, PageAllocator<T>>;

template <typename T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  explicit Array(std::size_t size) : size_(size), capacity_(size) {
    if (size != 0) {
      data_ = static_cast<T*>(allocate_pages(size * sizeof(T), alignof(T)));
    }
  }
  Array(std::size_t size, T fill) : Array(size) {
    for (std::size_t i = 0; i < size; ++i) data_[i] = fill;
  }
  static Array view(std::span<const T> elements) {
    Array array;
    array.data_ = const_cast<T*>(elements.data());
    array.size_ = elements.size();
    return array;
  }
  ~Array() { reset(); }
  Array(Array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    if (this != &other) {
      reset();
      data_ = std::exchange(other.data_, nullptr);
      size_ = std::exchange(other.size_, 0);
      capacity_ = std::exchange(other.capacity_, 0);
    }
    return *this;
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) {
    AWDIT_ASSERT(i < size_);
    return data_[i];
  }
  const T& operator[](std::size_t i) const {
    AWDIT_ASSERT(i < size_);
    return data_[i];
  }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  operator std::span<const T>() const { return {data_, size_}; }
  std::span<const T> span() const { return {data_, size_}; }

  // Forgets the elements from `size` on; their memory is kept.
  void truncate(std::size_t size) {
    AWDIT_ASSERT(size <= size_);
    size_ = size;
  }
  void reset() {
    if (capacity_ != 0) free_pages(data_, capacity_ * sizeof(T));
    data_ = nullptr;
    size_ = capacity_ = 0;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  // 0: empty, or a view
};

}  // namespace awdit
