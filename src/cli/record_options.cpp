#include "cli/record_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/help_text.h"
#include "cli/values.h"

namespace awdit::cli {
namespace {

// Each name once.
Names levels_of_databases() {
  Names names;
  for (const Driver& driver : drivers()) {
    for (const Promise& level : driver.levels) {
      if (std::find(names.begin(), names.end(), level.name) == names.end()) {
        names.push_back(level.name);
      }
    }
  }
  return names;
}

}  // namespace

std::string recording_text() {
  std::vector<std::pair<std::string_view, std::string>> databases;
  for (const Driver& driver : drivers()) {
    databases.emplace_back(
        driver.name,
        driver.open == nullptr ? fmt::format("not built ({})", driver.package)
        : driver.foreign
            ? "those that the driver offers"
            : fmt::format("{}", fmt::join(names_of(driver.levels), ", ")));
  }
  return fmt::format(
      "Databases and their levels, the default first:\n{}\n"
      "Workloads:\n{}\n"
      "Faults:\n{}\n",
      two_columns(databases), summaries(workloads()), summaries(faults()));
}

void RecordOptions::add(Grammar& grammar) {
  grammar_ = &grammar;
  add_database(grammar);
  add_workload(grammar);
  add_faults(grammar);
  grammar.heading("Output");
  grammar.option("-o,--out", "PATH",
                 "Where the history goes: a file whose name says the\nformat, "
                 "or a directory",
                 plan_.out);
  add_threads(grammar, plan_.threads,
              "For reading and checking (default: one per processor)");
}

void RecordOptions::add_no_record(Grammar& grammar) {
  grammar.flag("--no-record",
               "Run without recording, to see what recording costs",
               no_record_);
}

void RecordOptions::add_database(Grammar& grammar) {
  DatabaseOptions& database = plan_.database;
  grammar.heading("Database");
  grammar.options(
      "--db", "DATABASE",
      "rocksdb (default), sqlite, postgres, mariadb, simulated, a\nURL "
      "or exec:COMMAND; may be given again, for each standby",
      database.urls, names_of(drivers()));
  grammar.flag("--start", "Start a private server for this run",
               database.start);
  grammar.flag("--drop",
               "Afterwards drop what awdit created: its tables, or the\nfile "
               "or directory that did not exist before",
               plan_.drop);
  grammar.option(
      "--level", "LEVEL",
      "Isolation level of the database, see below (default: the\nfirst)",
      level_, levels_of_databases());
  grammar.options("--set", "NAME=VALUE",
                  "Setting of the database; awdit list drivers shows them",
                  knobs_);
  grammar.option(
      "--timeout", "TIME",
      "Give up on a request without an answer after this long,\nin whole "
      "seconds (default 10s)",
      seconds_into(database.timeout_seconds));
}

void RecordOptions::add_workload(Grammar& grammar) {
  RunOptions& run = plan_.run;
  plan_.workload = find_row(workloads(), "mixed");
  grammar.heading("Workload");
  grammar.option("-w,--workload", "WORKLOAD",
                 "What the clients do (default mixed), see below",
                 row_into(workloads(), "workload", plan_.workload));
  grammar.options("-p,--parameter", "NAME=N",
                  "Parameter of the workload; awdit list workloads shows\nthem",
                  settings_);
  add_count(grammar, "--sessions", "Number of concurrent sessions",
            run.sessions, 1, 10000);
  add_count(grammar, "--transactions", "Tasks in total", run.tasks, 1);
  grammar.option(
      "--duration", "TIME",
      "How long to run, such as 30s or 5m; with or instead of\n--transactions",
      time_into(duration_));
  add_count(grammar, "--retries", "Retry a refused task up to N times",
            run.retries, 0, 1000000);
  grammar.option("--pause", "MICROSECONDS",
                 "Longest pause before an operation (default: the\nworkload's)",
                 count_into(run.pause, 0, 10000000));
  grammar.flag("--hop", "Send read-only transactions to any node", run.hop);
  grammar.flag("--no-last-reads",
               "Do not read everything once all sessions have finished",
               no_finale_);
  add_count(grammar, "--seed", "Seed of the random choices", run.seed);
}

void RecordOptions::add_faults(Grammar& grammar) {
  FaultPlan& faults = plan_.run.faults;
  grammar.heading("Faults");
  grammar.options("--faults", "FAULT", "Faults to inject, names with commas",
                  faults_, names_of(::awdit::faults()));
  grammar.option("--calm", "TIME",
                 "Approximate time between faults (default 2s)",
                 time_into(faults.calm));
  grammar.option("--trouble", "TIME",
                 "Approximate length of a fault (default 500ms)",
                 time_into(faults.trouble));
}

Wrong RecordOptions::settle() {
  Wrong wrong = settle_database();
  if (!wrong) wrong = settle_knobs();
  if (!wrong) wrong = settle_workload();
  if (!wrong) wrong = settle_size();
  if (!wrong) wrong = settle_faults();
  if (!wrong) wrong = settle_out();
  return wrong;
}

Wrong RecordOptions::settle_database() {
  DatabaseOptions& database = plan_.database;
  if (database.urls.empty()) database.urls = {"rocksdb"};
  // Not the whole of it: there may be a password.
  const auto scheme = [](const std::string& url) {
    return url.substr(0, url.find(':'));
  };
  const std::string& first = database.urls.front();
  plan_.driver = driver_of(first);
  if (plan_.driver == nullptr) {
    return Misuse{unknown_name_message("database", scheme(first), drivers())};
  }
  const Driver& driver = *plan_.driver;
  if (driver.open == nullptr) {
    return Misuse{
        fmt::format("awdit was built without {}: install {} and build it again",
                    driver.name, driver.package)};
  }
  for (const std::string& other : database.urls) {
    if (driver_of(other) == &driver) continue;
    return Misuse{fmt::format("'{}' and '{}' are not the same database",
                              scheme(first), scheme(other))};
  }
  if (database.start && !driver.starts) {
    return Misuse{fmt::format(
        "{} {}: there is nothing to --start", driver.name,
        driver.foreign ? "leaves servers to the driver" : "runs inside awdit")};
  }
  if (driver.foreign) {
    foreign_level_.name = level_;
    database.level = &foreign_level_;
    return std::nullopt;
  }
  database.level = level_.empty() ? &driver.levels.front()
                                  : find_named(driver.levels, level_);
  if (database.level != nullptr) return std::nullopt;
  return Misuse{unknown_name_message(fmt::format("{} level", driver.name),
                                     level_, driver.levels)};
}

Wrong RecordOptions::settle_knobs() {
  for (const std::string& text : knobs_) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      return refused("--set", "NAME=VALUE", text);
    }
    const std::string name = text.substr(0, equals);
    const std::span<const Knob> known = plan_.driver->knobs;
    if (!plan_.driver->foreign &&
        std::none_of(known.begin(), known.end(),
                     [&](const Knob& knob) { return knob.name == name; })) {
      return Misuse{fmt::format(
          "{} has no setting '{}'; awdit list drivers shows those it has",
          plan_.driver->name, name)};
    }
    plan_.database.knobs.emplace_back(name, text.substr(equals + 1));
  }
  return std::nullopt;
}

Wrong RecordOptions::settle_workload() {
  const WorkloadKind& workload = *plan_.workload;
  if (workload.lists && !plan_.driver->lists) {
    return Misuse{fmt::format("{} works on lists, which {} does not support",
                              workload.name, plan_.driver->name)};
  }
  plan_.settings.emplace(workload);
  for (const std::string& text : settings_) {
    const std::size_t equals = text.find('=');
    std::uint64_t value = 0;
    if (equals == std::string::npos ||
        count_into(value).take("", text.substr(equals + 1))) {
      return refused("--parameter", "NAME=NUMBER, such as users=1000", text);
    }
    if (const Outcome bad =
            plan_.settings->set(text.substr(0, equals), value)) {
      return Misuse{bad->message};
    }
  }
  return std::nullopt;
}

Wrong RecordOptions::settle_size() {
  RunOptions& run = plan_.run;
  if (duration_.count() != 0) {
    if (plan_.driver->simulated) {
      return Misuse{"a simulated database has no clock: use --transactions"};
    }
    run.duration = duration_;
    if (!grammar_->given("--transactions")) run.tasks = 0;
  }
  if (!grammar_->given("--pause")) run.pause = plan_.workload->pause;
  run.finale = !no_finale_;
  plan_.database.seed = run.seed;
  return std::nullopt;
}

Wrong RecordOptions::settle_faults() {
  std::vector<Fault>& kinds = plan_.run.faults.kinds;
  for (const std::string& name : names_in(faults_)) {
    const FaultKind* const kind = find_row(faults(), name);
    if (kind == nullptr) {
      return Misuse{unknown_name_message("fault", name, faults())};
    }
    kinds.push_back(kind->fault);
  }
  if (kinds.empty() &&
      (grammar_->given("--calm") || grammar_->given("--trouble"))) {
    return Misuse{"--calm and --trouble work only with --faults"};
  }
  plan_.database.faults = kinds;
  return std::nullopt;
}

Wrong RecordOptions::settle_out() {
  plan_.record = !no_record_;
  if (plan_.out.empty()) return std::nullopt;
  if (no_record_) return Misuse{"--out and --no-record cannot be combined"};
  if (plan_.out == "-") {
    return Misuse{
        "the history needs a file or a directory: sessions append to it "
        "concurrently"};
  }
  plan_.format = format_of_name(plan_.out);
  if (plan_.format == nullptr) return std::nullopt;
  if (Wrong wrong = unless_writable(*plan_.format)) return wrong;
  if (!plan_.workload->lists || plan_.format->capacity.lists) {
    return std::nullopt;
  }
  return Misuse{fmt::format(
      "{} cannot hold lists; name a file that ends in .awdit or .jsonl",
      plan_.format->name)};
}

}  // namespace awdit::cli
