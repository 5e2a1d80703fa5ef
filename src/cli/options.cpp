// The command line as CLI11 sees it. Values stay strings here, so that every
// complaint about them is worded in one place (plan.cpp).
#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/table.h"
#include "check/check.h"
#include "cli/manual.h"
#include "format/format.h"
#include "generate/generate.h"
#include "report/report.h"

namespace awdit::cli {
namespace {

constexpr std::string_view kExitCodes =
    "Exit codes:\n"
    "  0  every level asked for holds        (verify: all accepted)\n"
    "  1  some level asked for is violated   (verify: some rejected)\n"
    "  2  usage, input or output error: nothing is concluded\n"
    "  3  nothing violated, but some level undecided";

template <typename Row>
std::string table_text(std::span<const Row> rows) {
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.name.size());
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("  {:<{}}", row.name, width);
    for (std::size_t i = 0; i < row.aliases.size(); ++i) {
      text += fmt::format("{}{}", i == 0 ? "  also: " : ", ", row.aliases[i]);
    }
    text += '\n';
  }
  return text;
}

std::string reports_text() {
  std::string text;
  for (const ReportFormat& row : reports()) {
    text += fmt::format("  {:<8}  {:<6}  {}\n", row.name, row.extension,
                        row.summary);
  }
  return text;
}

std::string main_footer() {
  return fmt::format(
      "Examples:\n"
      "  awdit check history.txt\n"
      "  awdit check --certificate proof.json history.txt\n"
      "  awdit verify history.txt proof.json\n"
      "  awdit report proof.json --report bug.md\n"
      "  awdit shrink history.edn story.edn\n"
      "  awdit convert history.edn history.awdit\n"
      "  awdit generate --level read-atomic | awdit check -\n"
      "  awdit stats history.txt\n\n{}",
      kExitCodes);
}

std::string check_footer() {
  return fmt::format(
      "Levels, weakest first:\n{}\n"
      "Formats:\n{}\n"
      "Reports, and the names of files that mean them:\n{}\n"
      "Examples:\n"
      "  awdit check history.txt               every level, with evidence\n"
      "  awdit check -i cc history.txt         causal consistency only\n"
      "  awdit check -i rc,ra --json *.txt     one JSON object per line\n"
      "  awdit check --report out.svg h.txt    a picture besides the text\n"
      "  awdit check -o junit *.txt > all.xml  for a CI server\n"
      "  recorder | awdit check -              read standard input\n\n"
      "Of several histories the text shows only the conclusions; name one "
      "alone\n"
      "to see its evidence.\n\n{}",
      table_text(levels()), table_text(formats()), reports_text(), kExitCodes);
}

std::string retell_footer() {
  return fmt::format(
      "The certificate is verified first, as by awdit verify; nothing is "
      "checked again.\nWithout HISTORY the paths that the certificate names "
      "are read, from the current\ndirectory.\n\n"
      "Reports, and the names of files that mean them:\n{}\n"
      "Example:\n"
      "  awdit check --certificate proof.json history.txt\n"
      "  awdit report proof.json --report story.svg --report bug.md\n\n"
      "Exit codes:\n"
      "  0  reported\n"
      "  1  the certificate is rejected: nothing is written\n"
      "  2  usage, input or output error",
      reports_text());
}

std::string verify_footer() {
  return fmt::format(
      "Example:\n"
      "  awdit check --certificate proof.json history.txt\n"
      "  awdit verify history.txt proof.json\n\n{}",
      kExitCodes);
}

std::string convert_footer() {
  std::string targets;
  for (const Format& format : formats()) {
    if (format.write == nullptr) continue;
    targets += fmt::format("  {:<12}  {}\n", format.name,
                           format.extension.empty() ? "" : format.extension);
  }
  return fmt::format(
      "Formats that can be written, and the names of files that mean them:\n"
      "{}\n"
      "A name that ends in .gz, .xz or .zst is compressed as well. Several "
      "inputs are\none history, e.g. the logs of several clients. What the "
      "target cannot hold is\nnamed on standard error.\n\n"
      "Examples:\n"
      "  awdit convert history.edn history.awdit\n"
      "  awdit convert --to plume --mapping names.jsonl history.edn out.txt\n"
      "  awdit convert --lossless logs/ history.jsonl.zst\n\n"
      "Exit codes:\n"
      "  0  written\n"
      "  2  usage, input or output error, or a loss under --lossless: nothing\n"
      "     is written",
      targets);
}

std::string shrink_footer() {
  return fmt::format(
      "Leaves out transactions and operations as long as the rest still "
      "violates the\nlevel in the same way: what is written is a handful of "
      "transactions to look at,\nto send to a vendor, or to keep as a test. "
      "Unless told otherwise it is about the\nweakest level that is violated, "
      "and about the most basic kind of violation there:\nawdit list anomalies "
      "has them in that order.\n\n"
      "The format is that of the output's name or, if it has none, that of the "
      "input. A\nname that ends in .gz, .xz or .zst is compressed as well. "
      "Several inputs are one\nhistory.\n\n"
      "Examples:\n"
      "  awdit shrink history.txt story.txt\n"
      "  awdit shrink -i causal --kind causal-violation history.edn story.edn\n"
      "  awdit shrink --to plume history.awdit - | awdit check -\n\n"
      "Exit codes:\n"
      "  0  written\n"
      "  1  there is no such violation: nothing is written\n"
      "  2  usage, input or output error: nothing is written");
}

// A line each: name and summary.
template <typename Row>
std::string summaries(std::span<const Row> rows) {
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.name.size());
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("  {:<{}}  {}\n", row.name, width, row.summary);
  }
  return text;
}

std::string generate_footer() {
  std::string strongest;
  for (const Ceiling& ceiling : ceilings()) {
    strongest += fmt::format(
        "  {:<19}  {}\n", ceiling.name,
        ceiling.gadget.empty() ? "nothing is planted" : ceiling.gadget);
  }
  return fmt::format(
      "Transactions run one after the other on one store, each in a random "
      "session, so\nthat every level holds. What shall break is planted: a "
      "few more transactions, on\nkeys of their own. Equal options give equal "
      "output. Numbers may be written 10k, 5M\nor 1e6, shares 0.25 or "
      "25%.\n\n"
      "Levels, and what is planted to break the next stronger one:\n{}\n"
      "Anomalies:\n{}\n"
      "Reductions: graphs as histories that are as hard to check as it gets; "
      "the level\nholds unless there is a triangle:\n{}\n"
      "Examples:\n"
      "  awdit generate | awdit check -\n"
      "  awdit generate --level causal --seed 7 -o history.txt\n"
      "  awdit generate --ops 10M --sessions 50 --keys 1M --distribution zipf "
      "-o big.txt\n"
      "  awdit generate --anomaly lost-update --aborted 5% -o history.txt.gz\n"
      "  awdit generate --reduction ra --nodes 1k --triangle -o hard.txt\n\n"
      "Exit codes:\n"
      "  0  written\n"
      "  2  usage or output error: nothing is written",
      strongest, summaries(gadgets()), summaries(reductions()));
}

std::string stats_footer() {
  return fmt::format(
      "Counts what a history holds, and how much a clean verdict about it "
      "would be worth:\nhow often a violation could have been seen.\n\n"
      "Examples:\n"
      "  awdit stats history.txt\n"
      "  awdit generate --keys 10k | awdit stats -\n\n"
      "Exit codes:\n"
      "  0  counted\n"
      "  2  usage, input or output error");
}

template <typename Row>
std::vector<std::string_view> names_of(std::span<const Row> rows) {
  std::vector<std::string_view> names;
  for (const Row& row : rows) names.push_back(row.name);
  return names;
}

// What shells may offer.
std::vector<Values> typical_values() {
  return {{"LEVEL", names_of(levels())},
          {"FORMAT", names_of(formats())},
          {"REPORT", names_of(reports())},
          {"NAME", names_of(gadgets())},
          {"KIND", names_of(anomalies())},
          {"WORD", words_to_explain()},
          {"SHELL", {shells().begin(), shells().end()}},
          {"WHAT", {"levels", "formats", "anomalies", "reports"}}};
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
  CLI::App* stats;
  CLI::App* explain;
  CLI::App* list;
  CLI::App* completions;
  CLI::App* man;
  bool version = false;
  CheckOptions check_options;
  VerifyOptions verify_options;
  RetellOptions retell_options;
  ConvertOptions convert_options;
  ShrinkOptions shrink_options;
  GenerateOptions generate_options;
  StatsOptions stats_options;
  ExplainOptions explain_options;
  ListOptions list_options;
  CompletionOptions completion_options;

  Grammar() {
    app.add_flag("--version", version, "Print the version");
    app.footer(main_footer);
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
                     "E.g. causal, fractured-read; none: list them all")
        ->type_name("");
    explain->footer(
        "Examples:\n"
        "  awdit explain read-atomic\n"
        "  awdit explain causal-violation\n"
        "  awdit explain depends on");
    list = app.add_subcommand("list",
                              "List levels, formats, anomalies or reports");
    list->add_option("WHAT", list_options.what,
                     "levels, formats, anomalies or reports")
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
    for (CLI::App* part : {&app, check, verify, retell, convert, shrink,
                           generate, stats, explain, list, completions, man}) {
      part->get_formatter()->column_width(26);
    }
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
    for (const CLI::App* command : app.get_subcommands({})) {
      owned.push_back(command->get_name());
    }
  }
  const std::vector<std::string_view> names(owned.begin(), owned.end());
  const std::string_view near = nearest_name(word, names);
  std::string message = fmt::format("unknown {} '{}'", what, word);
  if (!near.empty()) message += fmt::format("; did you mean '{}'?", near);
  return message;
}

}  // namespace

Typed parse(int argc, const char* const* argv) {
  Grammar grammar;
  CLI::App& app = grammar.app;
  const auto command = [&] {
    CLI::App& chosen = grammar.chosen();
    return &chosen == &app ? "awdit" : "awdit " + chosen.get_name();
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    // "awdit check", not "check", in the usage line of a command.
    CLI::App& chosen = grammar.chosen();
    std::string text = chosen.help(&chosen == &app ? "" : "awdit");
    // CLI11 leaves two blank lines between groups of options.
    for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) {
      text.erase(at, 1);
    }
    return Show{std::move(text)};
  } catch (const CLI::ExtrasError&) {
    return Misuse{unexpected(app, grammar.chosen()), command()};
  } catch (const CLI::ArgumentMismatch& error) {
    return Misuse{error.what(), command()};
  } catch (const CLI::Error& error) {
    return Misuse{error.what(), command()};
  }
  if (grammar.version) return Show{"awdit " AWDIT_VERSION "\n"};
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
    return Show{completion(app, typical_values(), shell)};
  }
  if (grammar.list->parsed()) return grammar.list_options;
  return Misuse{"no command given", "awdit"};
}

}  // namespace awdit::cli
