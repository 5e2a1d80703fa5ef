// The bytes of one input: a mapped file, or standard input read to its end.
// Directories, missing files and unreadable ones become errors that say so.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/buffer.h"
#include "base/result.h"

namespace awdit {

class Input {
 public:
  // "-" is standard input.
  static Result<Input> open(const std::string& path);
  // Bytes that are already in memory (tests, fuzzers); `bytes` must outlive it.
  static Input of(std::string_view bytes, std::string name = "<memory>");
  // Bytes that somebody else has read or unpacked.
  static Input of(Buffer bytes, std::string name);

  Input(Input&& other) noexcept;
  Input& operator=(Input&& other) noexcept;

  std::string_view bytes() const { return {data_, size_}; }
  // Whether kPadding bytes behind the last one may be read.
  bool padded() const { return padded_; }
  static constexpr std::size_t kPadding = Buffer::kPadding;
  // What messages call it: the path as given, or "<stdin>".
  const std::string& name() const { return name_; }

  // Keeps bytes() where they are for as long as anybody holds it, for those who
  // use them in place. Empty: they belong to somebody else, see of().
  std::shared_ptr<const void> keeper() const { return keeper_; }

  // A hint that bytes [from, to) are not needed again: a mapped file gives the
  // pages back, so that a large input does not count twice. Counts as done on
  // the gauge.
  void release(std::size_t from, std::size_t to) const;

 private:
  Input() = default;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  bool mapped_ = false;
  bool padded_ = false;
  std::shared_ptr<const void> keeper_;
  std::string name_;
};

}  // namespace awdit
