// Arbitrary bytes as a certificate: reading never crashes, and the verifier
// never believes a wrong verdict, whatever ids and operations it is told.
#include <string>
#include <vector>

#include "check/check.h"
#include "history/text.h"
#include "scrutiny.h"
#include "witness/witness.h"

namespace {

// Small, yet every kind of edge and several findings occur in it.
constexpr std::string_view kHistories[] = {
    "s1: W(x,1) W(y,1) | W(x,2) W(y,2)\n"
    "s2: R(y,1) R(x,2)\n",
    "s1: W(x,1) | W(x,2) | R(x,1)\n"
    "s2: R(x,2) W(z,1)\n"
    "s3: R(z,1) R(x,0) W(y,5)!\n",
    "s1: W(x,1) R(y,1) | W(z,1)\n"
    "s2: R(x,1) W(y,1) | R(z,1) R(x,1)\n",
    "s1: W(x,1) | R(y,0) W(x,2)\n"
    "s2: R(x,1) W(y,1)\n",
    "s1: A(x,1) | R(x,[1]) A(x,2)\n"
    "s2: R(x,[1]) A(x,3)\n"
    "s3: R(x,[1 3]) R(x,[1 3])\n",
};

bool truth(const awdit::History& history, const awdit::Level& level,
           awdit::Verdict claimed) {
  const awdit::Level* const asked[] = {&level};
  const auto report = awdit::check(history, asked, {});
  return report.has_value() && report->levels[0].verdict == claimed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const auto certificate =
      awdit::read_certificate(awdit::fuzz::as_text(data, size), "certificate");
  if (!certificate) {
    if (certificate.error().message.empty()) {
      awdit::fuzz::complain("an error without a message");
    }
    return 0;
  }
  for (const std::string_view text : kHistories) {
    const auto history = awdit::parse_text(text);
    for (const awdit::LevelReport& claim : certificate->levels) {
      if (awdit::verify(*history, claim).accepted &&
          !truth(*history, *claim.level, claim.verdict)) {
        awdit::fuzz::complain("a wrong verdict was accepted", &*history);
      }
    }
  }
  return 0;
}
