#include "theory/verdicts.h"

namespace awdit {

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::violated:
      return "violated";
    case Verdict::undecided:
      return "undecided";
  }
  return "?";
}

std::string_view name(Limit limit) {
  switch (limit) {
    case Limit::none:
      return "";
    case Limit::time:
      return "time";
    case Limit::memory:
      return "memory";
    case Limit::proof:
      return "proof";
  }
  return "?";
}

}  // namespace awdit
