// Bytes that grow without being copied: pages are remapped, so that a stream of
// 10 GB never needs 20. Page-aligned, zero after the end.
#pragma once

#include <cstddef>
#include <string_view>

namespace awdit {

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::string_view copied);
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  friend void swap(Buffer& a, Buffer& b) noexcept;

  // Room for `bytes` more bytes; throws std::bad_alloc.
  char* room(std::size_t bytes);
  // The first `bytes` of the room have been filled.
  void grow(std::size_t bytes) { size_ += bytes; }

  // Followed by kPadding readable bytes.
  std::string_view bytes() const { return {data_, size_}; }
  static constexpr std::size_t kPadding = 64;

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace awdit
