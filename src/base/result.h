// Errors as values.
//
// Bad input and a hostile world are expected; they travel as `Result<T>` and
// carry what a person needs: where it happened, what was wrong, and what to do
// about it. Findings about a history are data, never errors. Our own bugs are
// AWDIT_ASSERT (base/assert.h). Named after std::expected, so that it can be
// replaced by it once C++23 is everywhere.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace awdit {

struct Error {
  // "file:line:column", "file" or "" when no place is known.
  std::string where = {};
  // One sentence without a final full stop: what was expected, what was found.
  std::string message = {};
  // The offending line of input with a caret below it, or "".
  std::string excerpt = {};
  // What the user can do about it; full sentences, or "".
  std::string hint = {};
};

// Renders an error as the command line shows it, with a final newline.
std::string to_string(const Error& error);

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  // REQUIRES: has_value().
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // REQUIRES: !has_value().
  Error& error() { return std::get<1>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

// Success or an error, for functions that return nothing else.
using Outcome = std::optional<Error>;

}  // namespace awdit
