#include "cli/certificate.h"

#include <fmt/format.h>

#include <utility>

#include "base/input.h"
#include "cli/sniff.h"

namespace awdit::cli {
namespace {

std::string counts(std::uint32_t sessions, std::uint32_t transactions,
                   std::uint32_t operations) {
  return fmt::format("{} sessions, {} transactions and {} operations", sessions,
                     transactions, operations);
}

}  // namespace

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
  const Result<Input> input = Input::open(path, {.wanted = wanted});
  if (!input) return input.error();
  const Result<Input> settled = input->settled(1);
  if (!settled) return settled.error();
  if (Outcome changed = input->changed()) return *changed;
  return read_certificate(settled->bytes(), settled->name());
}

History as_checked(History history, const Certificate& certificate) {
  return certificate.session_order ? std::move(history)
                                   : std::move(history).without_session_order();
}

Outcome mismatch(const std::string& certificate_name,
                 const std::string& history_name, const History& history,
                 const Certificate& certificate) {
  if (certificate.levels.empty()) {
    return Error{.where = certificate_name,
                 .message = "the certificate makes no claim"};
  }
  if (certificate.sessions == history.num_sessions() &&
      certificate.transactions == history.num_txns() &&
      certificate.operations == history.num_ops()) {
    return std::nullopt;
  }
  return Error{
      .where = certificate_name,
      .message = fmt::format(
          "this is not the certificate of {}: it was made for {}, but the "
          "history has {}",
          history_name,
          counts(certificate.sessions, certificate.transactions,
                 certificate.operations),
          counts(history.num_sessions(), history.num_txns(),
                 history.num_ops())),
      .hint =
          "Name the very file that was checked, or make a new certificate "
          "with awdit check --certificate."};
}

}  // namespace awdit::cli
