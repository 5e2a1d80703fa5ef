// libawdit in C++17: errors that are thrown, bytes, and handles that free
// themselves. Everything here is inline and rests on awdit.h alone.
//
// The inline namespace keeps these names apart from those within the library.
#ifndef AWDIT_HANDLE_HPP
#define AWDIT_HANDLE_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "awdit/awdit.h"

namespace awdit {
inline namespace v1 {

// What any function here throws, besides std::bad_alloc.
class Error : public std::runtime_error {
 public:
  Error(awdit_status status, const awdit_error* error)
      : std::runtime_error(awdit_error_message(error)),
        status_(status),
        where_(awdit_error_where(error)),
        excerpt_(awdit_error_excerpt(error)),
        hint_(awdit_error_hint(error)),
        text_(awdit_error_text(error)) {}

  awdit_status status() const noexcept { return status_; }
  // what() is the message; see awdit.h for these.
  const std::string& where() const noexcept { return where_; }
  const std::string& excerpt() const noexcept { return excerpt_; }
  const std::string& hint() const noexcept { return hint_; }
  const std::string& text() const noexcept { return text_; }

 private:
  awdit_status status_;
  std::string where_, excerpt_, hint_, text_;
};

namespace detail {

template <typename T, void (*kFree)(T*) noexcept>
struct Freed {
  void operator()(T* handle) const noexcept { kFree(handle); }
};
template <typename T, void (*kFree)(T*) noexcept>
using Handle = std::unique_ptr<T, Freed<T, kFree>>;

using ErrorHandle = Handle<awdit_error, awdit_error_free>;

// Throws unless all is well.
inline void expect(awdit_status status, awdit_error* error) {
  const ErrorHandle owned(error);
  if (status == AWDIT_OK) return;
  if (status == AWDIT_NO_MEMORY) throw std::bad_alloc();
  throw Error(status, error);
}

// Calls make(&handle, &error).
template <typename T, typename Make>
T* made(Make&& make) {
  T* handle = nullptr;
  awdit_error* error = nullptr;
  const awdit_status status = make(&handle, &error);
  expect(status, error);
  return handle;
}

}  // namespace detail

// Bytes that the library made.
class Bytes {
 public:
  explicit Bytes(awdit_bytes* bytes) : bytes_(bytes) {}
  const char* data() const { return awdit_bytes_data(bytes_.get()); }
  std::size_t size() const { return awdit_bytes_size(bytes_.get()); }
  std::string_view view() const { return {data(), size()}; }
  std::string str() const { return std::string(view()); }

 private:
  detail::Handle<awdit_bytes, awdit_bytes_free> bytes_;
};

inline std::string_view version() { return awdit_version(); }

}  // namespace v1
}  // namespace awdit

#endif
