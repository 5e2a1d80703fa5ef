// Arbitrary bytes as `chronos`: no crash, no leak, errors with a place, and a
// verdict with evidence for whatever is a history. See scrutiny.h.
#include "scrutiny.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  awdit::fuzz::parse_and_scrutinise("chronos",
                                    awdit::fuzz::as_text(data, size));
  return 0;
}
