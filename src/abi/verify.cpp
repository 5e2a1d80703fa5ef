// Certificates held against histories.
#include <algorithm>
#include <utility>

#include "abi/asked.h"
#include "abi/failure.h"
#include "abi/handles.h"
#include "witness/witness.h"

namespace awdit::abi {
namespace {

constexpr const char* kCertificate = "certificate";

// The certificate and the history as it means it, if it is about it at all.
Trouble meet(const awdit_history& history, const void* bytes, std::size_t size,
             std::optional<Certificate>& certificate, Shared& held) {
  Result<Certificate> read = read_certificate(
      std::string_view(static_cast<const char*>(bytes), size), kCertificate);
  if (!read) return failed(std::move(read.error()));
  const Held& given = *history.held;
  held = given.history.session_order() && !read->session_order
             ? std::make_shared<Held>(
                   Held{as_checked(copy_of(history.held), *read), given.format,
                        given.name})
             : history.held;
  if (Outcome wrong =
          mismatch(kCertificate, given.name, held->history, *read)) {
    return failed(std::move(*wrong));
  }
  certificate.emplace(std::move(*read));
  return std::nullopt;
}

const LevelCheck* check_of(const awdit_checks* checks, std::size_t i) {
  if (checks == nullptr || i >= checks->checks.size()) return nullptr;
  return &checks->checks[i];
}

}  // namespace
}  // namespace awdit::abi

using namespace awdit::abi;

extern "C" {

awdit_status awdit_verify(const awdit_history* history, const void* certificate,
                          std::size_t size, const awdit_options*,
                          awdit_checks** checks, awdit_error** error) noexcept {
  if (checks != nullptr) *checks = nullptr;
  return guarded(error, [&]() -> Trouble {
    if (history == nullptr || certificate == nullptr || checks == nullptr) {
      return misuse("history, certificate or checks are NULL");
    }
    std::optional<awdit::Certificate> read;
    awdit::abi::Shared held;
    if (Trouble wrong = meet(*history, certificate, size, read, held)) {
      return wrong;
    }
    std::vector<awdit::LevelCheck> judged = awdit::verify(held->history, *read);
    *checks = new awdit_checks{std::move(held), std::move(judged)};
    return std::nullopt;
  });
}

std::int32_t awdit_checks_accepted(const awdit_checks* checks) noexcept {
  return checks != nullptr &&
         std::all_of(
             checks->checks.begin(), checks->checks.end(),
             [](const awdit::LevelCheck& check) { return check.accepted; });
}
std::size_t awdit_checks_levels(const awdit_checks* checks) noexcept {
  return checks == nullptr ? 0 : checks->checks.size();
}
const char* awdit_checks_level(const awdit_checks* checks,
                               std::size_t i) noexcept {
  const awdit::LevelCheck* const check = check_of(checks, i);
  return check == nullptr ? nullptr : literal(check->level->name);
}
std::int32_t awdit_checks_verdict(const awdit_checks* checks,
                                  std::size_t i) noexcept {
  const awdit::LevelCheck* const check = check_of(checks, i);
  return check == nullptr ? -1 : static_cast<std::int32_t>(check->verdict);
}
const char* awdit_checks_objection(const awdit_checks* checks,
                                   std::size_t i) noexcept {
  const awdit::LevelCheck* const check = check_of(checks, i);
  return check == nullptr ? nullptr : check->objection.c_str();
}

awdit_status awdit_checks_render(const awdit_checks* checks, const char* format,
                                 const char* certificate,
                                 const awdit_options* options,
                                 awdit_bytes** bytes,
                                 awdit_error** error) noexcept {
  if (bytes != nullptr) *bytes = nullptr;
  return guarded(error, [&]() -> Trouble {
    if (checks == nullptr || format == nullptr || bytes == nullptr) {
      return misuse("checks, format or bytes are NULL");
    }
    const awdit::ReportFormat* row = nullptr;
    if (Trouble wrong = awdit::abi::find_report(format, row)) return wrong;
    if (row->write_checks == nullptr) {
      return awdit::abi::no_such_name(
          "what a verifier says is written as text or json");
    }
    std::string text;
    {
      awdit::Sink sink(text);
      row->write_checks(
          checks->held->subject(),
          certificate == nullptr ? awdit::abi::kCertificate : certificate,
          checks->checks, Chosen(options)->report, sink);
    }
    awdit::abi::give(bytes, std::move(text));
    return std::nullopt;
  });
}

void awdit_checks_free(awdit_checks* checks) noexcept { delete checks; }

awdit_status awdit_report_of(const awdit_history* history,
                             const void* certificate, std::size_t size,
                             const awdit_options*, awdit_report** report,
                             awdit_error** error) noexcept {
  if (report != nullptr) *report = nullptr;
  return guarded(error, [&]() -> Trouble {
    if (history == nullptr || certificate == nullptr || report == nullptr) {
      return misuse("history, certificate or report are NULL");
    }
    std::optional<awdit::Certificate> read;
    awdit::abi::Shared held;
    if (Trouble wrong = meet(*history, certificate, size, read, held)) {
      return wrong;
    }
    for (const awdit::LevelCheck& check : awdit::verify(held->history, *read)) {
      if (check.accepted) continue;
      return awdit::abi::failed(
          {.where = awdit::abi::kCertificate,
           .message = std::string(check.level->name) +
                      " is not proven: " + check.objection});
    }
    const bool first = read->origin.first;
    awdit::Report told = awdit::report_of(held->history, std::move(*read));
    told.time_limit = awdit::kUsualTimeLimit;
    auto made =
        std::make_unique<awdit_report>(awdit_report{.held = std::move(held),
                                                    .report = std::move(told),
                                                    .first = first,
                                                    .certifiable = true});
    made->conclusion = awdit::conclusion(made->report);
    *report = made.release();
    return std::nullopt;
  });
}

}  // extern "C"
