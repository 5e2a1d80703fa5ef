#include "library/certified.h"

#include <fmt/format.h>

#include <utility>

namespace awdit {
namespace {

std::string counts(std::uint32_t sessions, std::uint32_t transactions,
                   std::uint32_t operations) {
  return fmt::format("{} sessions, {} transactions and {} operations", sessions,
                     transactions, operations);
}

}  // namespace

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

}  // namespace awdit
