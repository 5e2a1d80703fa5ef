// A file, a socket or a directory that is open, and closed when it is
// forgotten. What closing says is lost: who writes closes it himself.
#pragma once

#include <utility>

namespace awdit {

class Descriptor {
 public:
  // Of our own from now on; -1: none.
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  bool good() const { return number_ >= 0; }
  int number() const { return number_; }
  // Leaves closing it to the caller.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace awdit
