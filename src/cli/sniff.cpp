#include "cli/sniff.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "format/format.h"

namespace awdit::cli {
namespace {

std::string head_of(const std::string& path) {
  std::error_code code;
  if (path == "-" || !std::filesystem::is_regular_file(path, code)) return "";
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return "";
  char head[4096];
  const std::size_t size = std::fread(head, 1, sizeof head, file);
  std::fclose(file);
  return {head, size};
}

}  // namespace

bool looks_like_history(const std::string& path) {
  const std::string head = head_of(path);
  return std::any_of(formats().begin(), formats().end(),
                     [&](const Format& format) { return format.sniff(head); });
}

bool looks_like_certificate(const std::string& path) {
  return head_of(path).find("\"awdit-certificate\"") != std::string::npos;
}

}  // namespace awdit::cli
