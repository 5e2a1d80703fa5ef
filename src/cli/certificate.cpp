#include "cli/certificate.h"

#include <utility>

#include "base/input.h"
#include "cli/progress.h"
#include "cli/sniff.h"

namespace awdit::cli {

void put_in_order(std::string& history, std::string& certificate) {
  if (looks_like_certificate(certificate)) return;
  if (looks_like_certificate(history) ||
      (looks_like_history(certificate) && !looks_like_history(history))) {
    std::swap(history, certificate);
  }
}

Result<Certificate> load_certificate(const std::string& path) {
  // A stream that does not begin as JSON objects do is not read on.
  const auto wanted = [](std::string_view head) {
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && head[first] == '{';
  };
  const Result<Input> input =
      Input::open(path, {.wanted = wanted, .work = &current_work()});
  if (!input) return input.error();
  const Result<Input> settled = input->settled(1);
  if (!settled) return settled.error();
  if (Outcome changed = input->changed()) return *changed;
  return read_certificate(settled->bytes(), settled->name());
}

}  // namespace awdit::cli
