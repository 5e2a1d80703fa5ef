// A set of small numbers as the text of a payload: a bitmap in base64, as
// C-Twitter keeps who follows whom. Private to workload/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace awdit {

class Bitmap {
 public:
  // Numbers 0 ... size - 1; none is in it.
  explicit Bitmap(std::uint32_t size);
  // What is not ours in the text is left out.
  Bitmap(std::uint32_t size, std::string_view payload);

  // REQUIRES: number < size.
  void set(std::uint32_t number, bool in);
  // The least numbers of the set, in order; at most that many.
  std::vector<std::uint32_t> first(std::size_t most) const;
  std::string payload() const;

 private:
  std::uint32_t size_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace awdit
