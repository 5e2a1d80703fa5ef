// Directories by the file system, everything packed by libarchive.
#include "format/container.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/gauge.h"

namespace awdit {
namespace {

namespace fs = std::filesystem;

// Tars of compressed files of tars: nobody needs more.
constexpr int kDeepest = 3;
// Text of histories shrinks by 5 to 100; what grows by more than this, to more
// than that, is made to fill the memory.
constexpr std::size_t kHarmless = std::size_t{256} << 20;
constexpr std::size_t kGreatestGrowth = 1000;

enum class Packing { none, archive };

Packing packing_of(std::string_view bytes) {
  using namespace std::string_view_literals;
  constexpr std::string_view kMagics[] = {
      "\x1f\x8b"sv,          // gzip
      "\xfd\x37zXZ\x00"sv,   // xz
      "\x28\xb5\x2f\xfd"sv,  // zstd
      "BZh"sv,               // bzip2
      "\x04\x22\x4d\x18"sv,  // lz4
      "PK\x03\x04"sv,        // zip
  };
  for (const std::string_view magic : kMagics) {
    if (bytes.starts_with(magic)) return Packing::archive;
  }
  constexpr std::size_t kTarMagic = 257;
  if (bytes.size() > kTarMagic + 5 && bytes.substr(kTarMagic, 5) == "ustar") {
    return Packing::archive;
  }
  return Packing::none;
}

struct Closer {
  void operator()(archive* a) const { archive_read_free(a); }
};
using Archive = std::unique_ptr<archive, Closer>;

Error broken(const std::string& name, archive* a) {
  const char* text = archive_error_string(a);
  return Error{
      .where = name,
      .message = fmt::format("the compressed data is damaged or ends too "
                             "early: {}",
                             text == nullptr ? "unknown error" : text),
      .excerpt = "",
      .hint =
          "Fetch the file again, or unpack it by hand to see how far it "
          "goes."};
}

Error bomb(const std::string& name, std::size_t packed) {
  return Error{
      .where = name,
      .message = fmt::format("{} bytes unpack to more than {} times as many",
                             packed, kGreatestGrowth),
      .excerpt = "",
      .hint =
          "No recorded history is that uniform. If this one is, "
          "unpack it by hand and name the result."};
}

bool skipped(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.empty() || name[0] == '.';
}

Outcome unpack(const Input& input, int depth, std::vector<Input>& files,
               bool& many);

Outcome take(Input file, int depth, std::vector<Input>& files, bool& many) {
  if (depth < kDeepest && packing_of(file.bytes()) != Packing::none) {
    return unpack(file, depth + 1, files, many);
  }
  files.push_back(std::move(file));
  return std::nullopt;
}

Outcome unpack(const Input& input, int depth, std::vector<Input>& files,
               bool& many) {
  const Archive a(archive_read_new());
  if (a == nullptr) throw std::bad_alloc();
  archive_read_support_filter_gzip(a.get());
  archive_read_support_filter_xz(a.get());
  archive_read_support_filter_zstd(a.get());
  archive_read_support_filter_bzip2(a.get());
  archive_read_support_filter_lz4(a.get());
  archive_read_support_format_tar(a.get());
  archive_read_support_format_zip(a.get());
  archive_read_support_format_raw(a.get());
  archive_read_support_format_empty(a.get());
  const std::string_view packed = input.bytes();
  if (archive_read_open_memory(a.get(), packed.data(), packed.size()) !=
      ARCHIVE_OK) {
    return broken(input.name(), a.get());
  }
  std::size_t total = 0;
  la_int64_t eaten = 0;  // packed bytes that the gauge knows of
  for (archive_entry* entry = nullptr;;) {
    const int got = archive_read_next_header(a.get(), &entry);
    if (got == ARCHIVE_EOF) return std::nullopt;
    if (got != ARCHIVE_OK && got != ARCHIVE_WARN) {
      return broken(input.name(), a.get());
    }
    const bool raw = archive_format(a.get()) == ARCHIVE_FORMAT_RAW;
    const char* inner = archive_entry_pathname_utf8(entry);
    if (inner == nullptr) inner = archive_entry_pathname(entry);
    const std::string name = raw ? input.name()
                                 : fmt::format("{}/{}", input.name(),
                                               inner == nullptr ? "?" : inner);
    if (!raw) {
      many = true;
      if (archive_entry_filetype(entry) != AE_IFREG || skipped(name)) continue;
    }
    Buffer buffer;
    for (;;) {
      constexpr std::size_t kBite = std::size_t{1} << 18;
      const la_ssize_t size =
          archive_read_data(a.get(), buffer.room(kBite), kBite);
      if (size == 0) break;
      if (size < 0) return broken(name, a.get());
      buffer.grow(static_cast<std::size_t>(size));
      const la_int64_t now = archive_filter_bytes(a.get(), -1);
      gauge().done.fetch_add(static_cast<std::uint64_t>(now - eaten),
                             std::memory_order_relaxed);
      eaten = now;
      total += static_cast<std::size_t>(size);
      if (total > kHarmless && total / kGreatestGrowth > packed.size()) {
        return bomb(input.name(), packed.size());
      }
    }
    if (Outcome failed =
            take(Input::of(std::move(buffer), name), depth, files, many)) {
      return failed;
    }
  }
}

Outcome open_directory(const std::string& path, std::vector<Input>& files) {
  std::error_code code;
  std::vector<std::string> paths;
  bool folders = false;
  for (fs::directory_iterator at(path, code), end; !code && at != end;
       at.increment(code)) {
    std::error_code ignored;
    if (skipped(at->path())) continue;
    if (at->is_regular_file(ignored)) {
      paths.push_back(at->path().string());
    } else {
      folders |= at->is_directory(ignored);
    }
  }
  if (code) return Error{.where = path, .message = code.message()};
  if (paths.empty()) {
    return Error{.where = path,
                 .message = folders ? "this directory holds directories only"
                                    : "this directory is empty",
                 .excerpt = "",
                 .hint = folders ? "Name the one that holds the history."
                                 : "Did the recorder run?"};
  }
  std::sort(paths.begin(), paths.end(), natural_less);
  bool many = true;
  for (const std::string& file : paths) {
    Result<Input> input = Input::open(file);
    if (!input) return std::move(input.error());
    if (Outcome failed = take(std::move(*input), 0, files, many)) return failed;
  }
  return std::nullopt;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto number = [&](std::string_view text, std::size_t& at) {
        while (at < text.size() && text[at] == '0') ++at;
        const std::size_t start = at;
        while (at < text.size() && is_digit(text[at])) ++at;
        return text.substr(start, at - start);
      };
      const std::string_view x = number(a, i);
      const std::string_view y = number(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a[i] != b[j]) {
        return static_cast<unsigned char>(a[i]) <
               static_cast<unsigned char>(b[j]);
      }
      ++i;
      ++j;
    }
  }
  const std::size_t rest_a = a.size() - i, rest_b = b.size() - j;
  // Names that differ in leading zeros only still need an order.
  return rest_a != rest_b ? rest_a < rest_b : a < b;
}

Result<Container> open_container(const std::string& path) {
  Container container;
  std::error_code code;
  if (path != "-" && fs::is_directory(path, code)) {
    container.name = path;
    container.many = true;
    if (Outcome failed = open_directory(path, container.files)) return *failed;
    return container;
  }
  Result<Input> input = Input::open(path);
  if (!input) return std::move(input.error());
  container.name = input->name();
  if (Outcome failed =
          take(std::move(*input), 0, container.files, container.many)) {
    return *failed;
  }
  if (container.many) {
    std::stable_sort(container.files.begin(), container.files.end(),
                     [](const Input& a, const Input& b) {
                       return natural_less(a.name(), b.name());
                     });
  }
  return container;
}

}  // namespace awdit
