// The whole way: a workload on the simulated database, recorded by src/run into
// files, read back, checked. Refusals and lost answers must not make the
// recorder say anything that is not so; what is planted must survive it.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/table.h"
#include "check/check.h"
#include "driver/driver.h"
#include "format/format.h"
#include "property/another_name.h"
#include "run/run.h"
#include "simulated/simulated.h"
#include "workload/workload.h"

namespace awdit {
namespace {

class Directory {
 public:
  Directory() {
    std::string name = testing::TempDir() + "awdit-recorded-XXXXXX";
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Directory() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Wanted {
  std::string_view level;
  std::string_view workload;
  std::vector<std::pair<std::string, std::string>> knobs;
  std::uint64_t seed = 1;
  std::uint32_t retries = 0;
};

struct Recorded {
  std::vector<LevelReport> reports;
  std::uint64_t promoted = 0;
  RunView view;
};

Recorded record(const Wanted& wanted) {
  Recorded recorded;
  const Driver& driver = *driver_of("simulated");
  DatabaseOptions options;
  options.urls = {"simulated"};
  options.level = find_row(driver.levels, wanted.level);
  options.knobs = wanted.knobs;
  options.seed = wanted.seed;
  auto database = driver.open(options);
  EXPECT_TRUE(database) << database.error().message;
  const WorkloadKind* const kind = find_row(workloads(), wanted.workload);
  const Settings settings(*kind);
  const std::unique_ptr<Workload> workload =
      kind->make({settings, wanted.seed, 6});
  EXPECT_FALSE(
      (*database)->reset([&](const PutRow& put) { workload->load(put); }));
  const Directory directory;
  RunOptions run_options;
  run_options.sessions = 6;
  run_options.tasks = 3000;
  run_options.seed = wanted.seed;
  run_options.retries = wanted.retries;
  run_options.directory = directory.path();
  Run run(**database, *workload, driver, run_options);
  const Outcome failed = run.execute();
  EXPECT_FALSE(failed) << to_string(*failed);
  recorded.view = run.view();
  const Result<Loaded> loaded = read_history(directory.path(), nullptr, 1);
  EXPECT_TRUE(loaded) << to_string(loaded.error());
  const History& history = loaded->history;
  Result<Report> report = check(history, applicable_levels(history), {});
  EXPECT_TRUE(report) << to_string(report.error());
  recorded.promoted = report->promoted.size();
  recorded.reports = std::move(report->levels);
  return recorded;
}

TEST(Recorded, RefusalsAndLostAnswersBreakNoPromise) {
  for (const Promise& promise : driver_of("simulated")->levels) {
    const Level* const level = find_row(levels(), promise.claims);
    ASSERT_NE(level, nullptr) << promise.claims;
    for (const std::string_view workload : {"mixed", "list-append"}) {
      SCOPED_TRACE(testing::Message() << promise.name << ", " << workload);
      const Recorded recorded =
          record({.level = promise.name,
                  .workload = workload,
                  .knobs = {{"aborts", "5"}, {"unknown", "5"}},
                  .retries = 2});
      for (const LevelReport& report : recorded.reports) {
        if (!implies(*level, *report.level)) continue;
        EXPECT_EQ(report.verdict, Verdict::holds) << report.level->name;
      }
      EXPECT_GT(recorded.view.aborted, 50U);
      EXPECT_GT(recorded.view.unknown, 20U);
      EXPECT_GT(recorded.promoted, 5U);
    }
  }
}

// Most find what they need in the mixture; a long fork in its purest form, four
// transactions and nothing between them, is rare there.
std::string_view workload_for(const PlantedBug& bug) {
  if (bug.lists) return "list-append";
  return bug.anomaly == "long-fork" ? "long-fork" : "mixed";
}

TEST(Recorded, EveryPlantedBugIsFoundByName) {
  for (const PlantedBug& bug : planted_bugs()) {
    SCOPED_TRACE(bug.name);
    bool found = false;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Recorded recorded =
          record({.level = "serializable",
                  .workload = workload_for(bug),
                  .knobs = {{"bug", std::string(bug.name)}, {"rate", "30"}},
                  .seed = seed});
      const Level* const broken = find_row(levels(), bug.breaks);
      const bool strong = broken->cycles != Cycles::by_axiom;
      for (const LevelReport& report : recorded.reports) {
        if (!implies(*broken, *report.level)) continue;
        const std::string_view own = anomaly(report.level->cycle).name;
        const bool guarantee = is_session_guarantee(*report.level) &&
                               property::is_causal_by_another_name(bug, own);
        if (report.level != broken && !guarantee) {
          EXPECT_EQ(report.verdict, Verdict::holds) << report.level->name;
          continue;
        }
        for (const Violation& violation : report.violations) {
          const std::string_view name = anomaly(violation.kind).name;
          if (property::is_causal_by_another_name(bug, name)) {
            EXPECT_TRUE(report.level == broken || name == own) << name;
            found = true;
            continue;
          }
          // A cycle of dependencies has many names.
          EXPECT_TRUE(strong || name == bug.anomaly || name == bug.brings)
              << name;
          EXPECT_FALSE(guarantee) << name;
          found |= name == bug.anomaly;
        }
      }
    }
    EXPECT_TRUE(found);
  }
}

// The workload that is made to show it, and the first level that breaks.
TEST(Recorded, FittingWorkloadsBreakTheNextLevel) {
  struct Case {
    std::string_view level, workload, breaks;
  };
  constexpr Case kCases[] = {
      {"snapshot-isolation", "write-skew", "serializable"},
      {"parallel-snapshot-isolation", "long-fork", "prefix"},
      {"prefix", "mixed", "parallel-snapshot-isolation"},
      {"causal", "long-fork", "prefix"},
  };
  for (const Case& row : kCases) {
    SCOPED_TRACE(testing::Message() << row.level << ", " << row.workload);
    const Recorded recorded =
        record({.level = row.level, .workload = row.workload, .knobs = {}});
    const Level* const kept = find_row(levels(), row.level);
    for (const LevelReport& report : recorded.reports) {
      if (implies(*kept, *report.level)) {
        EXPECT_EQ(report.verdict, Verdict::holds) << report.level->name;
      } else if (report.level->name == row.breaks) {
        EXPECT_EQ(report.verdict, Verdict::violated) << report.level->name;
      }
    }
  }
}

TEST(Recorded, EqualSeedsGiveEqualRuns) {
  const auto tally = [](std::uint64_t seed) {
    const RunView view = record({.level = "serializable",
                                 .workload = "mixed",
                                 .knobs = {{"unknown", "3"}},
                                 .seed = seed})
                             .view;
    return std::vector<std::uint64_t>{view.committed, view.aborted,
                                      view.unknown, view.operations};
  };
  EXPECT_EQ(tally(1), tally(1));
  EXPECT_NE(tally(1), tally(2));
}

}  // namespace
}  // namespace awdit
