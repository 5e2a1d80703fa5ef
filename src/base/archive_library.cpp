#include "base/archive_library.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>

#include <string>

#include "base/assert.h"

namespace awdit {
namespace {

// AWDIT_ARCHIVE_LIBRARY is the name by which a program that is linked with it
// would ask for it: "libarchive.so.13".
void* library() {
  static void* const kLibrary =
      dlopen(AWDIT_ARCHIVE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  return kLibrary;
}

template <typename Function>
Function* find(const char* name) {
  AWDIT_ASSERT(library() != nullptr);
  return reinterpret_cast<Function*>(dlsym(library(), name));
}

}  // namespace

Outcome load_archive_library() {
  if (library() != nullptr) return std::nullopt;
  return Error{
      .where = AWDIT_ARCHIVE_LIBRARY,
      .message =
          "the library that reads and writes packed files is "
          "missing",
      .hint = "Install it (libarchive13), or unpack and pack by hand."};
}

}  // namespace awdit

// A function whose parameters are not those of <archive.h> does not compile.
#define AWDIT_PASS_ON(result, name, parameters, arguments) \
  result name parameters {                                 \
    return awdit::find<decltype(::name)>(#name) arguments; \
  }

extern "C" {
AWDIT_PASS_ON(archive*, archive_read_new, (), ())
AWDIT_PASS_ON(int, archive_read_free, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_read_support_filter_bzip2, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_read_support_filter_gzip, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_read_support_filter_lz4, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_read_support_filter_xz, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_read_support_filter_zstd, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_read_support_format_empty, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_read_support_format_raw, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_read_support_format_tar, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_read_support_format_zip, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_read_open_fd,
              (struct archive * a, int descriptor, std::size_t block),
              (a, descriptor, block))
AWDIT_PASS_ON(int, archive_read_open_memory,
              (struct archive * a, const void* bytes, std::size_t size),
              (a, bytes, size))
AWDIT_PASS_ON(int, archive_read_next_header,
              (struct archive * a, archive_entry** entry), (a, entry))
AWDIT_PASS_ON(la_ssize_t, archive_read_data,
              (struct archive * a, void* bytes, std::size_t size),
              (a, bytes, size))
AWDIT_PASS_ON(la_int64_t, archive_filter_bytes,
              (struct archive * a, int filter), (a, filter))
AWDIT_PASS_ON(int, archive_format, (struct archive * a), (a))
AWDIT_PASS_ON(const char*, archive_error_string, (struct archive * a), (a))

AWDIT_PASS_ON(archive*, archive_write_new, (), ())
AWDIT_PASS_ON(int, archive_write_free, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_write_add_filter_gzip, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_write_add_filter_xz, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_write_add_filter_zstd, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_write_set_format_raw, (struct archive * a), (a))
AWDIT_PASS_ON(int, archive_write_set_bytes_per_block,
              (struct archive * a, int bytes), (a, bytes))
AWDIT_PASS_ON(int, archive_write_open,
              (struct archive * a, void* client, archive_open_callback* open,
               archive_write_callback* write, archive_close_callback* close),
              (a, client, open, write, close))
AWDIT_PASS_ON(int, archive_write_header,
              (struct archive * a, archive_entry* entry), (a, entry))
AWDIT_PASS_ON(la_ssize_t, archive_write_data,
              (struct archive * a, const void* bytes, std::size_t size),
              (a, bytes, size))
AWDIT_PASS_ON(int, archive_write_close, (struct archive * a), (a))

AWDIT_PASS_ON(archive_entry*, archive_entry_new, (), ())
AWDIT_PASS_ON(void, archive_entry_free, (struct archive_entry * entry), (entry))
AWDIT_PASS_ON(__LA_MODE_T, archive_entry_filetype,
              (struct archive_entry * entry), (entry))
AWDIT_PASS_ON(void, archive_entry_set_filetype,
              (struct archive_entry * entry, unsigned type), (entry, type))
AWDIT_PASS_ON(const char*, archive_entry_pathname,
              (struct archive_entry * entry), (entry))
AWDIT_PASS_ON(const char*, archive_entry_pathname_utf8,
              (struct archive_entry * entry), (entry))
AWDIT_PASS_ON(void, archive_entry_set_pathname,
              (struct archive_entry * entry, const char* name), (entry, name))
}
