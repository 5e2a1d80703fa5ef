// Certificates held against the histories they were made for. See awdit.h.
#ifndef AWDIT_VERIFY_HPP
#define AWDIT_VERIFY_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "awdit/handle.hpp"
#include "awdit/history.hpp"
#include "awdit/options.hpp"
#include "awdit/report.hpp"

namespace awdit {
inline namespace v1 {

class Checks {
 public:
  explicit Checks(awdit_checks* checks) : checks_(checks) {}

  // All of it.
  bool accepted() const { return awdit_checks_accepted(get()) != 0; }

  // Of level i. REQUIRES: i < levels().
  std::size_t levels() const { return awdit_checks_levels(get()); }
  std::string_view level(std::size_t i) const {
    return awdit_checks_level(get(), i);
  }
  Verdict verdict(std::size_t i) const {
    return Verdict{awdit_checks_verdict(get(), i)};
  }
  // "": accepted.
  std::string_view objection(std::size_t i) const {
    return awdit_checks_objection(get(), i);
  }

  // "text" or "json"
  Bytes render(const std::string& format,
               const std::string& certificate = "certificate",
               const Options& options = {}) const {
    return Bytes(
        detail::made<awdit_bytes>([&](awdit_bytes** b, awdit_error** e) {
          return awdit_checks_render(get(), format.c_str(), certificate.c_str(),
                                     options.get(), b, e);
        }));
  }

  const awdit_checks* get() const noexcept { return checks_.get(); }

 private:
  detail::Handle<awdit_checks, awdit_checks_free> checks_;
};

inline Checks verify(const History& history, std::string_view certificate,
                     const Options& options = {}) {
  return Checks(
      detail::made<awdit_checks>([&](awdit_checks** c, awdit_error** e) {
        return awdit_verify(history.get(), certificate.data(),
                            certificate.size(), options.get(), c, e);
      }));
}

// The report that a certificate proves; nothing is checked again.
inline Report report_of(const History& history, std::string_view certificate,
                        const Options& options = {}) {
  return Report(
      detail::made<awdit_report>([&](awdit_report** r, awdit_error** e) {
        return awdit_report_of(history.get(), certificate.data(),
                               certificate.size(), options.get(), r, e);
      }));
}

}  // namespace v1
}  // namespace awdit

#endif
