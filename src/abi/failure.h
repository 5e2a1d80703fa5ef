// How calls fail. Private to abi/.
//
// A body returns a Failure, or nothing if all went well. Memory that runs out
// and what is thrown against the rules of the house end here as well. The error
// that says that there is no memory needs none.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "abi/abi.h"
#include "base/result.h"

// What C sees of an error: texts that belong to it.
struct awdit_error {
  awdit_status status;
  const char* message;
  const char* where;
  const char* excerpt;
  const char* hint;
  const char* text;
};

namespace awdit::abi {

struct Failure {
  awdit_status status;
  Error error;
};
using Trouble = std::optional<Failure>;

// A rule of awdit.h that the caller broke.
inline Failure misuse(std::string rule, std::string hint = {}) {
  return {AWDIT_MISUSE, {.message = std::move(rule), .hint = std::move(hint)}};
}
inline Failure failed(Error error) { return {AWDIT_FAILED, std::move(error)}; }
// That there is no such name.
inline Failure no_such_name(std::string message) {
  return {AWDIT_FAILED, {.message = std::move(message)}};
}

// Hands out the failure, where anybody wants it, and returns its status.
awdit_status hand_out(Failure failure, awdit_error** error) noexcept;
awdit_status hand_out_no_memory(awdit_error** error) noexcept;
awdit_status hand_out_exception(awdit_error** error) noexcept;

template <typename Body>
awdit_status guarded(awdit_error** error, Body&& body) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    Trouble trouble = body();
    return trouble ? hand_out(std::move(*trouble), error) : AWDIT_OK;
  } catch (...) {
    return hand_out_exception(error);
  }
}

// That the caller was made for another ABI.
Trouble unless_known(std::uint32_t abi);

}  // namespace awdit::abi
