// A violation that is accepted, bent in every way that would make it prove
// nothing: each must be rejected, and for its own reason.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unit/witness/case.h"

namespace awdit {

inline constexpr std::string_view kPsi = "parallel-snapshot-isolation";
inline constexpr std::string_view kSi = "snapshot-isolation";
inline constexpr std::string_view kStrongSi = "strong-snapshot-isolation";
inline constexpr std::string_view kSer = "serializable";
inline constexpr std::string_view kStrict = "strict-serializable";

struct Bend {
  std::string_view what;
  std::function<void(Violation&)> bend;
  std::string_view objection;  // after "violation 1 is not proven: "
};

inline void expect_objection(const LevelCheck& check,
                             std::string_view objection) {
  expect_rejected(check,
                  "violation 1 is not proven: " + std::string(objection));
}

inline void expect_bends_rejected(const Case& story, std::string_view level,
                                  const Violation& right,
                                  const std::vector<Bend>& bends) {
  expect_accepted(story.judge(level, {right}));
  for (const Bend& bend : bends) {
    SCOPED_TRACE(bend.what);
    Violation wrong = right;
    bend.bend(wrong);
    expect_objection(story.judge(level, {wrong}), bend.objection);
  }
}

}  // namespace awdit
