// Where rendered bytes go: a buffer in front of a callback.
//
// Reports append to a Sink and never learn whether it is a terminal, a file or
// a string in a test; a million findings pass through it in constant memory.
// Once the callback says no (a closed pipe, a full disk) the sink is closed and
// swallows the rest; long loops look at closed() to stop early.
// Not for several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace awdit {

class Sink {
 public:
  // Takes the bytes; false: no further bytes are wanted.
  using Write = std::function<bool(std::string_view)>;

  explicit Sink(Write write) : write_(std::move(write)) {}
  // Appends to a string that outlives the sink.
  explicit Sink(std::string& text)
      : write_([&text](std::string_view bytes) {
          text += bytes;
          return true;
        }) {}
  ~Sink() { flush(); }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  void append(std::string_view bytes) {
    if (closed_) return;
    if (bytes.size() >= kFlushAt) {
      flush();
      closed_ = closed_ || !write_(bytes);
      return;
    }
    buffer_ += bytes;
    if (buffer_.size() >= kFlushAt) flush();
  }
  void append(char byte) { append(std::string_view(&byte, 1)); }

  void flush() {
    if (!closed_ && !buffer_.empty()) closed_ = !write_(buffer_);
    buffer_.clear();
  }

  bool closed() const { return closed_; }

 private:
  static constexpr std::size_t kFlushAt = std::size_t{1} << 16;

  Write write_;
  std::string buffer_;
  bool closed_ = false;
};

}  // namespace awdit
