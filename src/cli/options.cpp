// The command line as CLI11 sees it. Values stay strings here, so that every
// complaint about them is worded in one place (plan.cpp).
#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/password.h"
#include "base/table.h"
#include "check/check.h"
#include "cli/choices.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "format/format.h"
#include "generate/generate.h"
#include "report/report.h"
#include "run/run.h"

namespace awdit::cli {
namespace {

template <typename Row>
std::vector<std::string_view> names_of(std::span<const Row> rows) {
  std::vector<std::string_view> names;
  for (const Row& row : rows) names.push_back(row.name);
  return names;
}

// Those of databases, for --level: of each, and of all of them.
Values levels_of_databases() {
  Values values{.type = "LEVEL", .names = {}, .group = "Database"};
  for (const Driver& driver : drivers()) {
    Values::OfDatabase of{.databases = {driver.name},
                          .names = names_of(driver.levels)};
    of.databases.insert(of.databases.end(), driver.aliases.begin(),
                        driver.aliases.end());
    for (const std::string_view name : of.names) {
      if (std::find(values.names.begin(), values.names.end(), name) ==
          values.names.end()) {
        values.names.push_back(name);
      }
    }
    values.by_database.push_back(std::move(of));
  }
  return values;
}

// What shells may offer.
std::vector<Values> typical_values() {
  return {{"LEVEL", names_of(levels())},
          levels_of_databases(),
          {"FORMAT", names_of(formats())},
          {"REPORT", names_of(reports())},
          {"NAME", names_of(gadgets())},
          {"KIND", names_of(anomalies())},
          {"WORD", words_to_explain()},
          {"SHELL", {shells().begin(), shells().end()}},
          {"DATABASE", names_of(drivers())},
          {"WORKLOAD", names_of(workloads())},
          {"FAULT", names_of(faults())},
          {"WHAT",
           {"levels", "formats", "anomalies", "reports", "drivers", "workloads",
            "faults", "bugs"}}};
}

// The whole command line grammar; `typed` receives what it finds.
struct Grammar {
  CLI::App app{
      "Tests whether a database kept its isolation promise: reads a "
      "history of\ntransactions and decides which isolation levels it "
      "satisfies, with evidence.\n",
      "awdit"};
  CLI::App* check;
  CLI::App* verify;
  CLI::App* retell;
  CLI::App* convert;
  CLI::App* shrink;
  CLI::App* generate;
  CLI::App* run;
  CLI::App* record;
  CLI::App* stats;
  CLI::App* explain;
  CLI::App* list;
  CLI::App* completions;
  CLI::App* man;
  CLI::App* help;
  bool version = false;
  CheckOptions check_options;
  VerifyOptions verify_options;
  RetellOptions retell_options;
  ConvertOptions convert_options;
  ShrinkOptions shrink_options;
  GenerateOptions generate_options;
  TestOptions run_options;
  RecordOptions record_options;
  StatsOptions stats_options;
  ExplainOptions explain_options;
  ListOptions list_options;
  CompletionOptions completion_options;
  HelpOptions help_options;

  Grammar() {
    app.add_flag("--version", version, "Print the version");
    app.footer(main_footer);
    // Behind a command its name and those of others are arguments: a directory
    // may be called "run".
    app.require_subcommand(0, 1);
    add_run();
    add_record();
    add_check();
    add_verify();
    add_retell();
    add_convert();
    add_shrink();
    add_generate();
    add_stats();
    explain = app.add_subcommand(
        "explain", "Say what a level, an anomaly or a word means");
    explain
        ->add_option("WORD", explain_options.words,
                     "E.g. causal, write skew, P4; none: list them all")
        ->type_name("");
    explain->footer(
        "Examples:\n"
        "  awdit explain read-atomic\n"
        "  awdit explain causal-violation\n"
        "  awdit explain G1a\n"
        "  awdit explain repeatable read\n"
        "  awdit explain depends on");
    list = app.add_subcommand("list", "List levels, drivers, workloads, ...");
    list->add_option("WHAT", list_options.what,
                     "levels, formats, anomalies, reports, drivers, "
                     "workloads,\nfaults or bugs")
        ->type_name("");
    completions =
        app.add_subcommand("completions", "Print the completions for a shell");
    completions
        ->add_option("SHELL", completion_options.shell, "bash, zsh or fish")
        ->type_name("");
    completions->footer(
        "Example:\n"
        "  awdit completions bash > ~/.local/share/bash-completion/completions/"
        "awdit");
    man = app.add_subcommand("man", "Print the manual page");
    man->footer("Example:\n  awdit man | man -l -");
    help = app.add_subcommand("help", "Say how a command is used");
    help->add_option("COMMAND", help_options.command,
                     "E.g. check; none: what commands there are")
        ->type_name("");
    for (CLI::App* part :
         {&app, run, record, check, verify, retell, convert, shrink, generate,
          stats, explain, list, completions, man, help}) {
      part->get_formatter()->column_width(26);
    }
  }

  void add_run() {
    CheckOptions& o = run_options.check;
    run = app.add_subcommand(
        "run", "Drive a database, record what it did, and check that");
    add_recording(*run, run_options.record);
    const char* const group = "Check";
    run->add_option("-i,--isolation", o.levels,
                    "Levels to decide (default: what the database claims)")
        ->type_name("LEVEL")
        ->allow_extra_args(false)
        ->group(group);
    add_search(*run, o.search, group);
    run->add_option("--output", o.output,
                    "What to print: text (default), json, ...")
        ->type_name("REPORT")
        ->group(group);
    run->add_flag("--json", o.json, "The same as --output json")->group(group);
    run->add_option("--report", o.reports,
                    "Write a report there, of the kind its name tells;\nmay be "
                    "given several times")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->group(group);
    run->add_option("--certificate", o.certificate,
                    "Write the evidence there, for awdit verify")
        ->type_name("FILE")
        ->group(group);
    run->add_option("--limit", o.limit,
                    "Findings shown per kind to people (default 3, 0: all)")
        ->type_name("N")
        ->group(group);
    run->footer(run_footer);
  }

  void add_record() {
    record = app.add_subcommand(
        "record", "Drive a database and record what its clients saw");
    add_recording(*record, record_options);
    record
        ->add_flag("--no-record", record_options.no_record,
                   "Drive it without recording, to see what that costs")
        ->group("Output");
    record->footer(record_footer);
  }

  static void add_recording(CLI::App& command, RecordOptions& o) {
    const ::awdit::RunOptions usual;
    const auto add = [&](const char* group, const char* name,
                         std::string& value, const char* type,
                         const std::string& text) {
      command.add_option(name, value, text)->type_name(type)->group(group);
    };
    const auto add_all = [&](const char* group, const char* name,
                             std::vector<std::string>& values, const char* type,
                             const std::string& text) {
      command.add_option(name, values, text)
          ->type_name(type)
          ->group(group)
          ->allow_extra_args(false);
    };
    add_all("Database", "--db", o.databases, "DATABASE",
            "rocksdb (default), sqlite, postgres, mariadb, simulated, or "
            "a\nURL; standbys in further ones");
    command
        .add_flag("--start", o.start, "Start a private server for the occasion")
        ->group("Database");
    command
        .add_flag("--drop", o.drop,
                  "Afterwards drop what awdit made: its tables, or the file\n"
                  "or directory that was not there before")
        ->group("Database");
    add("Database", "--level", o.level, "LEVEL",
        "Of the database, see below (default: its first)");
    add_all("Database", "--set", o.knobs, "NAME=VALUE",
            "Of the database, see awdit list drivers");
    add("Database", "--timeout", o.timeout, "SECONDS",
        "A session gives up on a silent database (default 10)");
    add("Workload", "-w,--workload", o.workload, "WORKLOAD",
        "What the clients do (default mixed), see below");
    add_all("Workload", "-p,--parameter", o.settings, "NAME=N",
            "Of the workload, see awdit list workloads");
    add("Workload", "--sessions", o.sessions, "N",
        fmt::format("How many clients at a time (default {})", usual.sessions));
    add("Workload", "--transactions", o.transactions, "N",
        fmt::format("Tasks altogether (default {})", usual.tasks));
    add("Workload", "--duration", o.duration, "TIME",
        "Such as 30s, 5m; with or instead of --transactions");
    add("Workload", "--retries", o.retries, "N",
        "Retry a refused task up to N times (default 0)");
    add("Workload", "--pause", o.pause, "MICROSECONDS",
        "Before operations, at the most (default: the workload's)");
    command
        .add_flag("--hop", o.hop, "Transactions that only read go to any node")
        ->group("Workload");
    command
        .add_flag("--no-last-reads", o.no_finale,
                  "Do not read everything when all have finished")
        ->group("Workload");
    add("Workload", "--seed", o.seed, "N",
        fmt::format("Of the random choices (default {})", usual.seed));
    add_all("Faults", "--faults", o.faults, "FAULT",
            "What happens to the database, names with commas");
    add("Faults", "--calm", o.calm, "TIME",
        "Between two faults, about (default 2s)");
    add("Faults", "--trouble", o.trouble, "TIME",
        "How long a fault lasts, about (default 500ms)");
    add("Output", "-o,--out", o.out, "PATH",
        "The history: a file whose name tells the format, or\na directory");
    command
        .add_flag("-q,--quiet", o.quiet,
                  command.get_name() == "run"
                      ? "Print nothing but errors, unless --output or --json "
                        "is given"
                      : "Print nothing but errors")
        ->group("Output");
    add("Output", "--threads", o.threads, "N",
        "For reading and checking (default: one per processor)");
  }

  void add_check() {
    CheckOptions& o = check_options;
    check = app.add_subcommand(
        "check", "Decide which isolation levels histories satisfy");
    check
        ->add_option("-i,--isolation", o.levels,
                     "Levels to decide: names with commas, or all (default)")
        ->type_name("LEVEL")
        ->allow_extra_args(false);
    add_search(*check, o.search, "Options");
    check
        ->add_option("-f,--format", o.format, "Default: by looking at the file")
        ->type_name("FORMAT");
    check->add_flag("--join", o.join, "All paths together are one history");
    add_outputs(*check, o.output, o.json, o.reports);
    check->add_flag("-q,--quiet", o.quiet,
                    "Print nothing but errors; the exit code tells");
    check->add_flag("-v,--verbose", o.verbose,
                    "Say on standard error what took how long");
    check->add_flag("--first", o.first, "Stop at each level's first finding");
    check->add_flag("--only-first-level", o.only_first_level,
                    "Do not search levels above a violated one");
    check
        ->add_option("--limit", o.limit,
                     "Findings shown per kind to people (default 3, 0: all)")
        ->type_name("N");
    check->add_option("--threads", o.threads, "Default: one per processor")
        ->type_name("N");
    check
        ->add_option("--certificate", o.certificate,
                     "Write the evidence there, for awdit verify")
        ->type_name("FILE");
    check->add_option("PATH", o.paths, "Histories; - is standard input")
        ->type_name("");
    check->footer(check_footer);
  }

  void add_verify() {
    VerifyOptions& o = verify_options;
    verify = app.add_subcommand(
        "verify", "Check a certificate against the history it was made for");
    verify->add_option("HISTORY", o.history, "The history; - is standard input")
        ->type_name("");
    verify->add_option("CERTIFICATE", o.certificate, "From check --certificate")
        ->type_name("");
    verify
        ->add_option("-f,--format", o.format, "Default: by looking at the file")
        ->type_name("FORMAT");
    add_output(*verify, o.output, o.json);
    verify->footer(verify_footer);
  }

  void add_retell() {
    RetellOptions& o = retell_options;
    retell = app.add_subcommand("report",
                                "Tell what a certificate proves, in any form");
    retell->add_option("CERTIFICATE", o.certificate, "From check --certificate")
        ->type_name("");
    retell
        ->add_option("HISTORY", o.history,
                     "Default: the one that the certificate names")
        ->type_name("");
    retell
        ->add_option("-f,--format", o.format, "Default: by looking at the file")
        ->type_name("FORMAT");
    add_outputs(*retell, o.output, o.json, o.reports);
    retell
        ->add_option("--limit", o.limit,
                     "Findings shown per kind to people (default 3, 0: all)")
        ->type_name("N");
    retell->add_option("--threads", o.threads, "Default: one per processor")
        ->type_name("N");
    retell->footer(retell_footer);
  }

  // How levels are read and when the search for them ends.
  static void add_search(CLI::App& app, SearchOptions& o, const char* group) {
    app.add_flag("--no-session-order", o.no_session_order,
                 "The order of a session's transactions does not count:\n"
                 "levels as Adya and Elle define them")
        ->group(group);
    app.add_option("--time-limit", o.time_limit,
                   fmt::format("What a level may take, such as 90s or 2m "
                               "(default {} s,\n0: none); then it is undecided",
                               kUsualTimeLimit))
        ->type_name("SECONDS")
        ->group(group);
    app.add_option("--memory-limit", o.memory_limit,
                   "Likewise, besides the history, such as 512M or 4G "
                   "(default:\nboth together three quarters of what there is, "
                   "0: none)")
        ->type_name("BYTES")
        ->group(group);
  }

  // What goes to standard output.
  static void add_output(CLI::App& app, std::string& output, bool& json) {
    app.add_option("-o,--output", output, "What to print: text (default), json")
        ->type_name("REPORT");
    app.add_flag("--json", json, "The same as -o json");
  }
  static void add_outputs(CLI::App& app, std::string& output, bool& json,
                          std::vector<std::string>& files) {
    app.add_option("-o,--output", output,
                   "What to print: text (default), json, ..., see below")
        ->type_name("REPORT");
    app.add_flag("--json", json, "The same as -o json");
    app.add_option("--report", files,
                   "Write a report there, of the kind its name tells;\nmay "
                   "be given several times")
        ->type_name("FILE")
        ->allow_extra_args(false);
  }

  void add_convert() {
    ConvertOptions& o = convert_options;
    convert =
        app.add_subcommand("convert", "Write a history in another format");
    convert
        ->add_option("IN... OUT", o.paths,
                     "Inputs and the output; - is standard input or output")
        ->type_name("");
    convert->add_option("--from", o.from, "Default: by looking at the input")
        ->type_name("FORMAT");
    convert->add_option("--to", o.to, "Default: by the name of the output")
        ->type_name("FORMAT");
    convert->add_flag("--lossless", o.lossless,
                      "Refuse if the target cannot hold everything");
    convert
        ->add_option("--mapping", o.mapping,
                     "Write new numbers of sessions, keys and values there")
        ->type_name("FILE");
    convert->add_option("--threads", o.threads, "Default: one per processor")
        ->type_name("N");
    convert->footer(convert_footer);
  }

  void add_shrink() {
    ShrinkOptions& o = shrink_options;
    shrink = app.add_subcommand(
        "shrink", "Write the smallest part that still shows a violation");
    shrink
        ->add_option("IN... OUT", o.paths,
                     "Inputs and the output; - is standard input or output")
        ->type_name("");
    shrink
        ->add_option("-i,--isolation", o.levels,
                     "Default: the weakest level that is violated")
        ->type_name("LEVEL")
        ->allow_extra_args(false);
    add_search(*shrink, o.search, "Options");
    shrink
        ->add_option("--kind", o.kind,
                     "Of the violation (default: the most basic one)")
        ->type_name("KIND");
    shrink->add_option("--from", o.from, "Default: by looking at the input")
        ->type_name("FORMAT");
    shrink
        ->add_option("--to", o.to,
                     "Default: by the name of the output, or as the input")
        ->type_name("FORMAT");
    shrink->add_option("--threads", o.threads, "Default: one per processor")
        ->type_name("N");
    shrink->footer(shrink_footer);
  }

  void add_generate() {
    GenerateOptions& o = generate_options;
    const Parameters usual;
    generate = app.add_subcommand(
        "generate", "Write a history made to order, of known levels");
    const auto add = [&](const char* group, const char* name,
                         std::string& value, const char* type,
                         const std::string& text) {
      generate->add_option(name, value, text)->type_name(type)->group(group);
    };
    add("Output", "-o,--out", o.out, "PATH",
        "Default: standard output; .gz, .xz and .zst are\ncompressed");
    add("Output", "-f,--format", o.format, "FORMAT",
        "Default: by the name of the output, or plume");
    add("Output", "--seed", o.seed, "N",
        fmt::format("Of the random choices (default {})", usual.seed));
    add("Output", "--threads", o.threads, "N", "Default: one per processor");
    add("Size", "--sessions", o.sessions, "N",
        fmt::format("How many clients (default {})", usual.sessions));
    add("Size", "--transactions", o.transactions, "N",
        fmt::format("How many altogether (default {})", usual.transactions));
    add("Size", "--ops", o.operations, "N",
        "Operations altogether; instead of --transactions");
    add("Size", "--txn-ops", o.txn_ops, "N|MIN-MAX",
        fmt::format("Operations per transaction (default {}-{})",
                    usual.min_txn_ops, usual.max_txn_ops));
    add("Size", "--keys", o.keys, "N",
        fmt::format("To choose from (default {})", usual.keys));
    add("What happens", "--reads", o.reads, "SHARE",
        fmt::format("Operations that are reads (default {})", usual.reads));
    add("What happens", "--distribution", o.distribution, "D",
        fmt::format("Of the keys: uniform (default), zipf[:THETA] (default "
                    "{}),\nhotspot[:KEYS:ACCESSES] (shares, default {}:{})",
                    usual.distribution.theta, usual.distribution.hot_keys,
                    usual.distribution.hot_accesses));
    add("What happens", "--aborted", o.aborted, "SHARE",
        "Transactions that abort (default 0)");
    add("What happens", "--unknown", o.unknown, "SHARE",
        "Transactions whose outcome is not known; half of\nthem take effect "
        "(default 0)");
    generate
        ->add_flag("--lists", o.lists,
                   "Writes append to lists, reads return whole lists")
        ->group("What happens");
    add("What happens", "--list-length", o.list_length, "N",
        fmt::format("A key with so many elements is replaced by a\nfresh one "
                    "(default {})",
                    usual.list_length));
    add("What happens", "--order", o.order, "ORDER",
        "Of the output: time (default), as executed, or\nsession after "
        "session");
    add("What breaks", "--level", o.level, "LEVEL",
        "The strongest level that holds");
    generate
        ->add_option("--anomaly", o.anomalies,
                     "Plant it at a random point; names with commas")
        ->type_name("NAME")
        ->group("What breaks")
        ->allow_extra_args(false);
    add("Hard instances", "--reduction", o.reduction, "NAME",
        "Of a random graph; instead of a run");
    add("Hard instances", "--nodes", o.nodes, "N",
        fmt::format("Of the graph (default {})", usual.graph.nodes));
    add("Hard instances", "--edges", o.edges, "N",
        "Of the graph (default: half of the possible)");
    generate->add_flag("--triangle", o.triangle, "Add a triangle")
        ->group("Hard instances");
    generate->footer(generate_footer);
  }

  void add_stats() {
    StatsOptions& o = stats_options;
    stats = app.add_subcommand(
        "stats", "Count what a history holds and what it could show");
    stats->add_option("PATH", o.path, "The history; - is standard input")
        ->type_name("");
    stats
        ->add_option("-f,--format", o.format, "Default: by looking at the file")
        ->type_name("FORMAT");
    add_output(*stats, o.output, o.json);
    stats->add_option("--threads", o.threads, "Default: one per processor")
        ->type_name("N");
    stats->footer(stats_footer);
  }

  // The command that was chosen, or the whole program.
  CLI::App& chosen() {
    const std::vector<CLI::App*> found = app.get_subcommands();
    return found.empty() ? app : *found.front();
  }
};

std::vector<std::string_view> commands_of(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.emplace_back(command->get_name());
  }
  return names;
}

// What --help prints.
Show help_of(const CLI::App& app, const CLI::App& chosen) {
  // "awdit check", not "check", in the usage line of a command.
  std::string text = chosen.help(&chosen == &app ? "" : "awdit");
  // CLI11 leaves two blank lines between groups of options.
  for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) {
    text.erase(at, 1);
  }
  return {std::move(text), true};
}

// What `awdit help NAME` prints.
Typed help_for(const std::string& name) {
  // CLI11 answers for the command that was found, which is "help".
  const Grammar fresh;
  const CLI::App& app = fresh.app;
  if (name.empty()) return help_of(app, app);
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == name) return help_of(app, *command);
  }
  const std::string_view near = nearest_name(name, commands_of(app));
  return Misuse{near.empty() ? fmt::format("unknown command '{}'", name)
                             : fmt::format("unknown command '{}'; did you "
                                           "mean '{}'?",
                                           name, near),
                "awdit"};
}

std::string unexpected(CLI::App& app, CLI::App& chosen) {
  const std::vector<std::string> left = app.remaining(true);
  const std::string word = left.empty() ? "" : left.front();
  std::vector<std::string> owned;
  std::string what = "argument";
  if (word.size() > 1 && word.front() == '-') {
    what = "option";
    for (const CLI::Option* option : chosen.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        owned.push_back("--" + name);
      }
    }
  } else if (&chosen == &app) {
    what = "command";
    for (const std::string_view name : commands_of(app)) {
      owned.emplace_back(name);
    }
  }
  const std::vector<std::string_view> names(owned.begin(), owned.end());
  const std::string_view near = nearest_name(word, names);
  std::string message =
      fmt::format("unknown {} '{}'", what, address_without_password(word));
  if (what == "argument" && driver_of(word) != nullptr &&
      (&chosen == app.get_subcommand("run") ||
       &chosen == app.get_subcommand("record"))) {
    return message + "; a database follows --db";
  }
  if (!near.empty()) message += fmt::format("; did you mean '{}'?", near);
  return message;
}

// An option whose value was given, but is empty; "": none. A variable of a
// script that was never set must not become the default.
std::string given_empty(const CLI::App& chosen) {
  for (const CLI::Option* option : chosen.get_options()) {
    if (!option->nonpositional()) continue;
    for (const std::string& value : option->results()) {
      if (value.empty()) return option->get_name();
    }
  }
  return "";
}

}  // namespace

Typed parse(int argc, const char* const* argv) {
  Grammar grammar;
  CLI::App& app = grammar.app;
  const auto command = [&] {
    CLI::App& chosen = grammar.chosen();
    return &chosen == &app ? "awdit" : "awdit " + chosen.get_name();
  };
  // "--limit=" is "--limit" and an empty value; CLI11 would take the next word.
  std::vector<std::string> names;
  std::vector<const char*> words;
  names.reserve(static_cast<std::size_t>(argc));
  bool options = true;
  for (int i = 0; i < argc; ++i) {
    const std::string_view word = argv[i];
    options = options && word != "--";
    if (options && word.starts_with("--") &&
        word.find('=') + 1 == word.size()) {
      words.push_back(
          names.emplace_back(word.substr(0, word.size() - 1)).c_str());
      words.push_back("");
    } else {
      words.push_back(argv[i]);
    }
  }
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::CallForHelp&) {
    return help_of(app, grammar.chosen());
  } catch (const CLI::ExtrasError&) {
    return Misuse{unexpected(app, grammar.chosen()), command()};
  } catch (const CLI::ArgumentMismatch& error) {
    return Misuse{error.what(), command()};
  } catch (const CLI::Error& error) {
    return Misuse{error.what(), command()};
  }
  if (const std::string name = given_empty(grammar.chosen()); !name.empty()) {
    return Misuse{
        fmt::format("{} needs a value, it was given an empty one", name),
        command()};
  }
  if (grammar.version) return Show{"awdit " AWDIT_VERSION "\n"};
  if (grammar.help->parsed()) {
    return help_for(grammar.help_options.command);
  }
  if (grammar.run->parsed()) return grammar.run_options;
  if (grammar.record->parsed()) return grammar.record_options;
  if (grammar.check->parsed()) return grammar.check_options;
  if (grammar.verify->parsed()) return grammar.verify_options;
  if (grammar.retell->parsed()) return grammar.retell_options;
  if (grammar.convert->parsed()) return grammar.convert_options;
  if (grammar.shrink->parsed()) return grammar.shrink_options;
  if (grammar.generate->parsed()) return grammar.generate_options;
  if (grammar.stats->parsed()) return grammar.stats_options;
  if (grammar.explain->parsed()) return grammar.explain_options;
  if (grammar.man->parsed()) return Show{manual(app, AWDIT_VERSION)};
  if (grammar.completions->parsed()) {
    const std::string& shell = grammar.completion_options.shell;
    const std::span<const std::string_view> known = shells();
    if (std::find(known.begin(), known.end(), shell) == known.end()) {
      return Misuse{shell.empty()
                        ? "for which shell? bash, zsh or fish"
                        : fmt::format("unknown shell '{}'; known: bash, zsh, "
                                      "fish",
                                      shell),
                    "awdit completions"};
    }
    std::vector<Values> values = typical_values();
    values.push_back({"COMMAND", commands_of(app)});
    return Show{completion(app, values, shell)};
  }
  if (grammar.list->parsed()) return grammar.list_options;
  return Misuse{"no command given", "awdit"};
}

}  // namespace awdit::cli
