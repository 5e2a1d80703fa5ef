#include "driver/list_text.h"

#include <charconv>

namespace awdit {

bool parse_list(std::string_view text, std::vector<WriteId>& elements) {
  elements.clear();
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    WriteId id = 0;
    const auto [next, error] = std::from_chars(at, end, id);
    if (error != std::errc()) return false;
    elements.push_back(id);
    at = next;
    if (at == end) break;
    if (*at != ',' || ++at == end) return false;
  }
  return true;
}

}  // namespace awdit
