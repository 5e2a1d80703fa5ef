// What `awdit record` and `awdit run` were asked for.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "base/table.h"
#include "check/check.h"
#include "cli/choices.h"
#include "cli/plan.h"
#include "cli/quantity.h"

namespace awdit::cli {
namespace {

using Wrong = std::optional<Misuse>;

// The names in "a,b"-like lists.
std::vector<std::string> names_in(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists) {
    for (std::string_view rest = list;;) {
      const std::size_t comma = rest.find(',');
      names.emplace_back(rest.substr(0, comma));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return names;
}

class Planner {
 public:
  Planner(std::string_view command, RecordOptions& typed, RecordPlan& plan)
      : command_(command), typed_(typed), plan_(plan) {}

  Wrong run() {
    Wrong wrong = choose_database();
    if (!wrong) wrong = choose_workload();
    if (!wrong) wrong = choose_size();
    if (!wrong) wrong = choose_faults();
    if (!wrong) wrong = choose_out();
    if (!wrong) wrong = choose_threads(command_, typed_.threads, plan_.threads);
    plan_.quiet = typed_.quiet;
    plan_.drop = typed_.drop;
    return wrong;
  }

 private:
  Misuse refuse(std::string message) const {
    return misuse(command_, std::move(message));
  }

  Wrong choose_database() {
    DatabaseOptions& database = plan_.database;
    if (typed_.databases.empty()) typed_.databases = {"rocksdb"};
    const std::string& first = typed_.databases.front();
    plan_.driver = driver_of(first);
    if (plan_.driver == nullptr) {
      return refuse(unknown_name_message(
          "database", first.substr(0, first.find(':')), drivers()));
    }
    const Driver& driver = *plan_.driver;
    if (driver.open == nullptr) {
      return refuse(
          fmt::format("awdit was built without {}: install {} and build it "
                      "again",
                      driver.name, driver.package));
    }
    for (const std::string& other : typed_.databases) {
      if (driver_of(other) != &driver) {
        // Not all of them: there may be passwords.
        return refuse(fmt::format("'{}' and '{}' are not the same database",
                                  first.substr(0, first.find(':')),
                                  other.substr(0, other.find(':'))));
      }
    }
    if (typed_.start && !driver.starts) {
      return refuse(
          fmt::format("{} runs inside awdit: there is nothing to "
                      "--start",
                      driver.name));
    }
    database.urls = typed_.databases;
    database.start = typed_.start;
    database.level = &driver.levels.front();
    if (!typed_.level.empty()) {
      database.level = find_named(driver.levels, typed_.level);
      if (database.level == nullptr) {
        return refuse(unknown_name_message(fmt::format("{} level", driver.name),
                                           typed_.level, driver.levels));
      }
    }
    for (const std::string& text : typed_.knobs) {
      if (Wrong wrong = choose_knob(text)) return wrong;
    }
    if (typed_.timeout.empty()) return std::nullopt;
    const auto seconds = number(typed_.timeout);
    if (!seconds || *seconds == 0) {
      return refuse(fmt::format("--timeout takes whole seconds; found '{}'",
                                typed_.timeout));
    }
    database.timeout_seconds = *seconds;
    return std::nullopt;
  }

  Wrong choose_knob(const std::string& text) {
    const Driver& driver = *plan_.driver;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      return refuse(fmt::format("--set takes NAME=VALUE; found '{}'", text));
    }
    const std::string name = text.substr(0, equals);
    std::vector<std::string_view> known;
    for (const Knob& knob : driver.knobs) known.push_back(knob.name);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return refuse(
          fmt::format("{} has no setting '{}'; awdit list drivers "
                      "names them",
                      driver.name, name));
    }
    plan_.database.knobs.emplace_back(name, text.substr(equals + 1));
    return std::nullopt;
  }

  Wrong choose_workload() {
    if (typed_.workload.empty()) typed_.workload = "mixed";
    plan_.workload = find_row(workloads(), typed_.workload);
    if (plan_.workload == nullptr) {
      return refuse(
          unknown_name_message("workload", typed_.workload, workloads()));
    }
    if (plan_.workload->lists && !plan_.driver->lists) {
      return refuse(fmt::format("{} works on lists, which {} does not offer",
                                plan_.workload->name, plan_.driver->name));
    }
    Settings settings(*plan_.workload);
    for (const std::string& text : typed_.settings) {
      const std::size_t equals = text.find('=');
      const auto value = equals == std::string::npos
                             ? std::nullopt
                             : parse_count(text.substr(equals + 1));
      if (!value) {
        return refuse(fmt::format(
            "--parameter takes NAME=NUMBER, such as users=1000; found '{}'",
            text));
      }
      const std::string name = text.substr(0, equals);
      if (const Outcome bad = settings.set(name, *value)) {
        return refuse(bad->message);
      }
      // The row's own name outlives what was typed.
      for (const Setting& row : plan_.workload->settings) {
        if (row.name == name) plan_.settings.emplace_back(row.name, *value);
      }
    }
    return std::nullopt;
  }

  Wrong choose_count(std::string_view option, const std::string& typed,
                     std::uint64_t least, std::uint64_t most,
                     std::uint64_t& value) const {
    if (typed.empty()) return std::nullopt;
    const auto count = parse_count(typed);
    if (!count || *count < least || *count > most) {
      return refuse(
          fmt::format("{} takes a whole number{}, such as 10, 5k or "
                      "1e6; found '{}'",
                      option,
                      most == std::numeric_limits<std::uint64_t>::max()
                          ? std::string()
                          : fmt::format(" from {} to {}", least, most),
                      typed));
    }
    value = *count;
    return std::nullopt;
  }

  Wrong choose_time(std::string_view option, const std::string& typed,
                    std::chrono::milliseconds& time) const {
    if (typed.empty()) return std::nullopt;
    const auto parsed = parse_duration(typed);
    if (!parsed || parsed->count() == 0) {
      return refuse(
          fmt::format("{} takes a time, such as 500ms, 30s or 5m; "
                      "found '{}'",
                      option, typed));
    }
    time = *parsed;
    return std::nullopt;
  }

  Wrong choose_size() {
    RunOptions& run = plan_.run;
    constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t sessions = run.sessions, retries = 0;
    std::uint64_t pause = plan_.workload->pause;
    std::chrono::milliseconds duration{0};
    Wrong wrong =
        choose_count("--sessions", typed_.sessions, 1, 10000, sessions);
    if (!wrong) {
      wrong = choose_count("--transactions", typed_.transactions, 1, kAny,
                           run.tasks);
    }
    if (!wrong) wrong = choose_time("--duration", typed_.duration, duration);
    if (!wrong) wrong = choose_count("--seed", typed_.seed, 0, kAny, run.seed);
    if (!wrong) {
      wrong = choose_count("--retries", typed_.retries, 0, 1000000, retries);
    }
    if (!wrong) {
      wrong = choose_count("--pause", typed_.pause, 0, 10000000, pause);
    }
    if (wrong) return wrong;
    if (duration.count() != 0) {
      if (plan_.driver->simulated) {
        return refuse(
            "a simulated database has no time: say how many --transactions");
      }
      run.duration = duration;
      if (typed_.transactions.empty()) run.tasks = 0;
    }
    run.sessions = static_cast<std::uint32_t>(sessions);
    run.retries = static_cast<std::uint32_t>(retries);
    run.pause = static_cast<std::uint32_t>(pause);
    run.hop = typed_.hop;
    run.finale = !typed_.no_finale;
    plan_.database.seed = run.seed;
    return std::nullopt;
  }

  Wrong choose_faults() {
    FaultPlan& plan = plan_.run.faults;
    for (const std::string& name : names_in(typed_.faults)) {
      const FaultKind* const kind = find_row(faults(), name);
      if (kind == nullptr) {
        return refuse(unknown_name_message("fault", name, faults()));
      }
      plan.kinds.push_back(kind->fault);
    }
    if (plan.kinds.empty() &&
        (!typed_.calm.empty() || !typed_.trouble.empty())) {
      return refuse("--calm and --trouble go with --faults only");
    }
    plan_.database.faults = plan.kinds;
    if (Wrong wrong = choose_time("--calm", typed_.calm, plan.calm)) {
      return wrong;
    }
    return choose_time("--trouble", typed_.trouble, plan.trouble);
  }

  Wrong choose_out() {
    plan_.record = !typed_.no_record;
    plan_.out = std::move(typed_.out);
    if (plan_.out.empty()) return std::nullopt;
    if (typed_.no_record) {
      return refuse("--out and --no-record exclude each other");
    }
    if (plan_.out == "-") {
      return refuse(
          "the history needs a file or a directory: sessions append "
          "to it at the same time");
    }
    plan_.format = format_of_name(plan_.out);
    if (plan_.format != nullptr && plan_.format->write == nullptr) {
      return refuse(fmt::format("{} can be read only", plan_.format->name));
    }
    if (plan_.format != nullptr && plan_.workload->lists &&
        !plan_.format->capacity.lists) {
      return refuse(
          fmt::format("{} cannot hold lists; name a file that ends "
                      "in .awdit or .jsonl",
                      plan_.format->name));
    }
    return std::nullopt;
  }

  std::string_view command_;
  RecordOptions& typed_;
  RecordPlan& plan_;
};

// The level that the database claims and all that it implies; every level if
// it claims none.
void claimed_levels(const RecordPlan& plan, std::vector<Wanted>& chosen) {
  const std::span<const Level> table = levels();
  const Level* const claim = find_row(table, plan.database.level->claims);
  for (const Level& level : table) {
    if (claim == nullptr || implies(*claim, level)) chosen.push_back({&level});
  }
}

}  // namespace

Plan plan_record(RecordOptions typed) {
  constexpr std::string_view kCommand = "awdit record";
  RecordPlan plan;
  if (typed.out.empty() && !typed.no_record) {
    return misuse(kCommand,
                  "where to? -o history.awdit, or -o NAME for a directory");
  }
  if (const Wrong wrong = Planner(kCommand, typed, plan).run()) return *wrong;
  return plan;
}

Plan plan_test(TestOptions typed, bool colour) {
  constexpr std::string_view kCommand = "awdit run";
  TestPlan plan;
  if (const Wrong wrong = Planner(kCommand, typed.record, plan.record).run()) {
    return *wrong;
  }
  CheckPlan& check = plan.check;
  if (typed.check.levels.empty()) {
    claimed_levels(plan.record, check.levels);
  } else if (const Wrong wrong =
                 choose_levels(kCommand, typed.check.levels, check.levels)) {
    return *wrong;
  }
  if (const Wrong wrong = choose_search(kCommand, typed.check.search,
                                        check.options, check.session_order)) {
    return *wrong;
  }
  if (const Wrong wrong = choose_documents(
          kCommand, typed.check.output, typed.check.json, typed.check.reports,
          typed.check.limit, 1, check.documents)) {
    return *wrong;
  }
  if (const Wrong wrong =
          choose_places(kCommand, typed.check.reports,
                        {plan.record.out, typed.check.certificate})) {
    return *wrong;
  }
  check.documents.options.colour = colour;
  // Who asks for a certain output means it.
  check.documents.quiet =
      typed.record.quiet && !typed.check.json && typed.check.output.empty();
  check.options.threads = plan.record.threads;
  check.options.commit_order = !typed.check.certificate.empty();
  check.certificate = std::move(typed.check.certificate);
  if (!check.certificate.empty() && plan.record.out.empty()) {
    return misuse(kCommand,
                  "--certificate proves something about a history: keep it "
                  "with -o");
  }
  return plan;
}

}  // namespace awdit::cli
