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

#include "base/archive_library.h"
#include "base/budget.h"
#include "base/counted.h"

namespace awdit {
namespace {

namespace fs = std::filesystem;

// Tars of compressed files of tars: nobody needs more.
constexpr int kDeepest = 3;
// Text of histories shrinks by 5 to 100; what grows by more than this, to more
// than that, is made to fill the memory.
constexpr std::size_t kHarmless = std::size_t{64} << 20;
constexpr std::size_t kGreatestGrowth = 200;
// Bytes that are read or unpacked at once.
constexpr std::size_t kBite = std::size_t{1} << 18;

bool is_packed(std::string_view bytes) {
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
    if (bytes.starts_with(magic)) return true;
  }
  constexpr std::size_t kTarMagic = 257;
  return bytes.size() > kTarMagic + 5 && bytes.substr(kTarMagic, 5) == "ustar";
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
      .hint =
          "Fetch the file again, or unpack it by hand to see how far it "
          "goes."};
}

Error bomb(const std::string& name, std::size_t packed) {
  return Error{.where = name,
               .message = fmt::format("{} unpack to more than {} times as many",
                                      counted(packed, "byte"), kGreatestGrowth),
               .hint =
                   "No recorded history is that uniform. If this one is, "
                   "unpack it by hand and name the result."};
}

bool skipped(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.empty() || name[0] == '.';
}

class Opener {
 public:
  Opener(const ContainerOptions& options, Container& container)
      : container_(container), plausible_(options.plausible) {
    input_.regular_only = options.regular_only;
    input_.may_map = options.may_map;
    input_.work = options.work;
    if (plausible_ == nullptr) return;
    input_.wanted = [this](std::string_view head) { return wanted(head); };
  }
  Opener(const Opener&) = delete;
  Opener& operator=(const Opener&) = delete;

  Outcome file(const std::string& path) {
    Result<Input> input = Input::open(path, input_);
    if (!input) return std::move(input.error());
    if (!container_.many) container_.name = input->name();
    return this->input(std::move(*input));
  }
  Outcome input(Input input) {
    packed_ = input.bytes().size();
    unpacked_ = 0;
    return take(std::move(input), 0);
  }
  Outcome directory(const std::string& path);

 private:
  bool wanted(std::string_view head) const {
    return plausible_ == nullptr || is_packed(head) || plausible_(head);
  }

  Outcome take(Input file, int depth) {
    if (depth == kDeepest || !is_packed(file.bytes())) {
      container_.files.push_back(std::move(file));
      return std::nullopt;
    }
    Outcome failed = unpack(file, depth + 1);
    if (Outcome changed = file.changed()) return changed;
    return failed;
  }

  Outcome unpack(const Input& input, int depth);
  Outcome unpack_entry(const Input& input, archive* a, const std::string& name,
                       bool alone, int depth);
  Outcome count(const Input& input, std::size_t unpacked, std::size_t eaten);

  Container& container_;
  bool (*plausible_)(std::string_view head);
  Input::Options input_ = {};
  // Of the file that is being opened, whatever is in what.
  std::size_t packed_ = 0;
  std::size_t unpacked_ = 0;
  std::size_t held_ = 0;  // of all files
  std::size_t most_held_ = 0;
};

// What is unpacked stays in proportion to what it came from: to the bytes that
// were eaten, so that a bomb is known long before it is unpacked.
Outcome Opener::count(const Input& input, std::size_t unpacked,
                      std::size_t eaten) {
  constexpr std::size_t kReadAhead = kBite;
  unpacked_ += unpacked;
  if (unpacked_ > kHarmless &&
      unpacked_ / kGreatestGrowth > std::min(eaten + kReadAhead, packed_)) {
    return bomb(input.name(), packed_);
  }
  if (held_ > kHarmless) {
    if (most_held_ == 0) most_held_ = Input::most_held();
    if (most_held_ != 0 && held_ > most_held_) {
      return Input::too_many(
          input.name(),
          "Unpack it by hand and name the result: files are not held.");
    }
  }
  return std::nullopt;
}

Outcome Opener::unpack_entry(const Input& input, archive* a,
                             const std::string& name, bool alone, int depth) {
  Buffer buffer;
  bool judged = false, cut = false;
  for (la_int64_t eaten = archive_filter_bytes(a, -1);;) {
    const la_ssize_t got = archive_read_data(a, buffer.room(kBite), kBite);
    if (got == 0) break;
    if (got < 0) return broken(name, a);
    const auto size = static_cast<std::size_t>(got);
    const la_int64_t now = archive_filter_bytes(a, -1);
    Budget::ask(input_.work);
    if (input_.work != nullptr) {
      input_.work->add_done(static_cast<std::uint64_t>(now - eaten));
    }
    eaten = now;
    if (!cut) {
      buffer.grow(size);
      held_ += size;
    }
    // Of a file in a file, only the whole of it is known.
    if (Outcome failed =
            count(input, size,
                  depth == 1 ? static_cast<std::size_t>(eaten) : packed_)) {
      return failed;
    }
    if (judged || buffer.bytes().size() < Input::kHead) continue;
    judged = true;
    cut = !wanted(buffer.bytes());
    // In an archive, others follow.
    if (cut && alone) break;
  }
  return take(Input::of(std::move(buffer), name, cut, input_.work), depth);
}

Outcome Opener::unpack(const Input& input, int depth) {
  if (Outcome failed = load_archive_library()) return failed;
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
  // A file is read, not mapped: what a decompressor saw must not change.
  const std::string_view packed = input.bytes();
  const int opened =
      input.descriptor() >= 0
          ? archive_read_open_fd(a.get(), input.descriptor(), kBite)
          : archive_read_open_memory(a.get(), packed.data(), packed.size());
  if (opened != ARCHIVE_OK) return broken(input.name(), a.get());
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
      container_.many = true;
      if (archive_entry_filetype(entry) != AE_IFREG || skipped(name)) continue;
    }
    if (Outcome failed = unpack_entry(input, a.get(), name, raw, depth)) {
      return failed;
    }
    // There is one such entry, and perhaps nobody wants its rest.
    if (raw) return std::nullopt;
  }
}

Outcome Opener::directory(const std::string& path) {
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
                 .hint = folders ? "Name the one that holds the history."
                                 : "Did the recorder run?"};
  }
  std::sort(paths.begin(), paths.end(), natural_less);
  for (const std::string& name : paths) {
    if (Outcome failed = file(name)) return failed;
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

namespace {

void put_in_order(Container& container) {
  if (!container.many) return;
  std::stable_sort(container.files.begin(), container.files.end(),
                   [](const Input& a, const Input& b) {
                     return natural_less(a.name(), b.name());
                   });
}

}  // namespace

Result<Container> open_container(Buffer bytes, std::string name,
                                 const ContainerOptions& options) {
  Container container;
  container.name = name;
  Opener opener(options, container);
  Input input =
      Input::of(std::move(bytes), std::move(name), false, options.work);
  if (Outcome failed = opener.input(std::move(input))) return *failed;
  put_in_order(container);
  return container;
}

Result<Container> open_container(const std::string& path,
                                 const ContainerOptions& options) {
  Container container;
  Opener opener(options, container);
  std::error_code code;
  if (path != "-" && fs::is_directory(path, code)) {
    container.name = path;
    container.many = true;
    if (Outcome failed = opener.directory(path)) return *failed;
    return container;
  }
  if (Outcome failed = opener.file(path)) return *failed;
  put_in_order(container);
  return container;
}

}  // namespace awdit
