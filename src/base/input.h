// The bytes of one input: a mapped file, or standard input read to its end.
// Directories, missing files and unreadable ones become errors that say so.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/array.h"
#include "base/result.h"

namespace awdit {

class Input {
 public:
  // "-" is standard input.
  static Result<Input> open(const std::string& path);
  // Bytes that are already in memory (tests, fuzzers); `bytes` must outlive it.
  static Input of(std::string_view bytes, std::string name = "<memory>");

  ~Input();
  Input(Input&& other) noexcept;
  Input& operator=(Input&&) = delete;

  std::string_view bytes() const { return {data_, size_}; }
  // What messages call it: the path as given, or "<stdin>".
  const std::string& name() const { return name_; }

  // A hint that bytes [from, to) are not needed again: a mapped file gives the
  // pages back, so that a large input does not count twice.
  void release(std::size_t from, std::size_t to) const;

 private:
  Input() = default;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  bool mapped_ = false;
  Array<char> buffer_;
  std::string name_;
};

}  // namespace awdit
