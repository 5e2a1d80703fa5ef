// Verdicts with their evidence. See awdit.h.
#ifndef AWDIT_REPORT_HPP
#define AWDIT_REPORT_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "awdit/handle.hpp"
#include "awdit/options.hpp"

namespace awdit {
inline namespace v1 {

enum class Verdict : int {
  none = -1,  // it was not asked for
  holds = AWDIT_HOLDS,
  violated = AWDIT_VIOLATED,
  undecided = AWDIT_UNDECIDED
};

class Report {
 public:
  explicit Report(awdit_report* report) : report_(report) {}

  // The worst of all.
  Verdict worst() const { return Verdict{awdit_report_worst(get())}; }
  // On the level of this name.
  Verdict operator[](const std::string& level) const {
    return Verdict{awdit_report_verdict_on(get(), level.c_str())};
  }
  std::string_view conclusion() const { return awdit_report_conclusion(get()); }

  // Of level i, weakest first. REQUIRES: i < levels().
  std::size_t levels() const { return awdit_report_levels(get()); }
  std::string_view level(std::size_t i) const {
    return awdit_report_level(get(), i);
  }
  Verdict verdict(std::size_t i) const {
    return Verdict{awdit_report_verdict(get(), i)};
  }
  std::string_view limit(std::size_t i) const {
    return awdit_report_limit(get(), i);
  }
  std::size_t violations(std::size_t i) const {
    return awdit_report_violations(get(), i);
  }
  // REQUIRES: j < violations(i).
  std::string_view violation(std::size_t i, std::size_t j) const {
    return awdit_report_violation(get(), i, j);
  }

  // "text", "json", "html", ...
  Bytes render(const std::string& format, const Options& options = {}) const {
    return Bytes(detail::made<awdit_bytes>([&](awdit_bytes** b,
                                               awdit_error** e) {
      return awdit_report_render(get(), format.c_str(), options.get(), b, e);
    }));
  }
  // Of a check with Options::certificate.
  Bytes certificate() const {
    return Bytes(
        detail::made<awdit_bytes>([&](awdit_bytes** b, awdit_error** e) {
          return awdit_report_certificate(get(), b, e);
        }));
  }

  const awdit_report* get() const noexcept { return report_.get(); }

 private:
  detail::Handle<awdit_report, awdit_report_free> report_;
};

}  // namespace v1
}  // namespace awdit

#endif
