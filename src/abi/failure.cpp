#include "abi/failure.h"

#include <memory>
#include <new>

namespace awdit::abi {
namespace {

// An error with the texts that it points at.
struct Owned : awdit_error {
  explicit Owned(Failure failure)
      : error(std::move(failure.error)), all(to_string(error)) {
    status = failure.status;
    message = error.message.c_str();
    where = error.where.c_str();
    excerpt = error.excerpt.c_str();
    hint = error.hint.c_str();
    text = all.c_str();
  }
  const Error error;
  const std::string all;
};

// Never changed, and never freed.
constinit awdit_error no_memory = {AWDIT_NO_MEMORY,
                                   "there is not enough memory",
                                   "",
                                   "",
                                   "",
                                   "there is not enough memory\n"};

}  // namespace

awdit_status hand_out(Failure failure, awdit_error** error) noexcept {
  const awdit_status status = failure.status;
  if (error == nullptr) return status;
  try {
    *error = new Owned(std::move(failure));
    return status;
  } catch (...) {
    return hand_out_no_memory(error);
  }
}

awdit_status hand_out_no_memory(awdit_error** error) noexcept {
  if (error != nullptr) *error = &no_memory;
  return AWDIT_NO_MEMORY;
}

// To be called while something is being caught.
awdit_status hand_out_exception(awdit_error** error) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return hand_out_no_memory(error);
  } catch (...) {
    try {
      return hand_out(failed({.message = "something went wrong within awdit",
                              .hint = "This is a bug in awdit."}),
                      error);
    } catch (...) {
      return hand_out_no_memory(error);
    }
  }
}

Trouble unless_known(std::uint32_t abi) {
  if (abi == AWDIT_ABI) return std::nullopt;
  return misuse("the program was made for version " + std::to_string(abi) +
                    " of the ABI, but this library has version " +
                    std::to_string(AWDIT_ABI),
                "Build the program with the awdit.h of this library.");
}

namespace {

const char* text_of(const awdit_error* error, const char* awdit_error::*part) {
  return error == nullptr ? "" : error->*part;
}

}  // namespace

}  // namespace awdit::abi

using namespace awdit::abi;

extern "C" {

awdit_status awdit_error_status(const awdit_error* error) noexcept {
  return error == nullptr ? AWDIT_OK : error->status;
}
const char* awdit_error_message(const awdit_error* error) noexcept {
  return text_of(error, &awdit_error::message);
}
const char* awdit_error_where(const awdit_error* error) noexcept {
  return text_of(error, &awdit_error::where);
}
const char* awdit_error_excerpt(const awdit_error* error) noexcept {
  return text_of(error, &awdit_error::excerpt);
}
const char* awdit_error_hint(const awdit_error* error) noexcept {
  return text_of(error, &awdit_error::hint);
}
const char* awdit_error_text(const awdit_error* error) noexcept {
  return text_of(error, &awdit_error::text);
}
void awdit_error_free(awdit_error* error) noexcept {
  if (error != &no_memory) delete static_cast<Owned*>(error);
}

std::uint32_t awdit_abi(void) noexcept { return AWDIT_ABI; }
const char* awdit_version(void) noexcept { return AWDIT_VERSION; }

}  // extern "C"
