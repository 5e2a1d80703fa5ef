// What the live view and the summary say.
#include "cli/live_view.h"

#include <gtest/gtest.h>

namespace awdit::cli {
namespace {

RunView some() {
  RunView view;
  view.sessions = 8;
  view.active = 8;
  view.tasks = 6102;
  view.committed = 5980;
  view.aborted = 112;
  view.elapsed = std::chrono::milliseconds(12'400);
  view.reasons = {
      {"40001", "", 100}, {"40P01", "", 9}, {"busy", "", 2}, {"1213", "", 1}};
  return view;
}

TEST(LiveView, SaysHowMuchOfTheTimeIsOver) {
  const std::string text = live_text(some(), "mixed on postgres",
                                     {.duration = std::chrono::seconds(20)});
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "recording mixed on postgres  12 of 20 s");
  EXPECT_NE(text.find("\n############........  6,102 tasks  "),
            std::string::npos)
      << text;
  const std::string short_one =
      live_text(some(), "x", {.duration = std::chrono::milliseconds(12'500)});
  EXPECT_EQ(short_one.substr(0, short_one.find('\n')),
            "recording x  12 of 12.5 s");
}

TEST(LiveView, IsNeverBeyondTheEnd) {
  const std::string text =
      live_text(some(), "x", {.duration = std::chrono::seconds(8)});
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "recording x  8 of 8 s, finishing");
  EXPECT_NE(text.find("\n####################  6,102 tasks  "),
            std::string::npos);
}

TEST(LiveView, CountsSecondsIfTasksMakeTheEnd) {
  const std::string text = live_text(some(), "x", {.tasks = 10000});
  EXPECT_EQ(text.substr(0, text.find('\n')), "recording x  12.4 s");
  EXPECT_NE(text.find("\n############........  6102 of 10000 tasks"),
            std::string::npos)
      << text;
}

TEST(LiveView, SaysWhatCodesMean) {
  const std::string reasons =
      "trouble: 40001 serialization failure (100), 40P01 deadlock (9), busy "
      "(2), 1213 deadlock (1)";
  EXPECT_NE(live_text(some(), "x", {}).find(reasons), std::string::npos);
  EXPECT_NE(summary_text(some()).find(reasons), std::string::npos);
}

}  // namespace
}  // namespace awdit::cli
