#include "driver/exec_quote.h"

#include "base/utf8.h"

namespace awdit {

std::string quoted_line(std::string_view line) {
  constexpr std::size_t kMost = 160;
  std::string shown = visible(line.substr(0, kMost));
  if (line.size() > kMost) {
    shown += "... (" + std::to_string(line.size()) + " bytes)";
  }
  return shown;
}

}  // namespace awdit
