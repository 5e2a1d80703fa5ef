// The command line as CLI11 sees it. Values stay strings here, so that every
// complaint about them is worded in one place (plan.cpp).
#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/table.h"
#include "check/check.h"
#include "format/format.h"

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

std::string main_footer() {
  return fmt::format(
      "Examples:\n"
      "  awdit check history.txt\n"
      "  awdit check --certificate proof.json history.txt\n"
      "  awdit verify history.txt proof.json\n\n{}",
      kExitCodes);
}

std::string check_footer() {
  return fmt::format(
      "Levels, weakest first:\n{}\n"
      "Formats:\n{}\n"
      "Examples:\n"
      "  awdit check history.txt             every level, with evidence\n"
      "  awdit check -i cc history.txt       causal consistency only\n"
      "  awdit check -i rc,ra --json *.txt   one JSON object per line\n"
      "  recorder | awdit check -            read standard input\n\n"
      "Of several histories only the conclusions are shown; name one alone to\n"
      "see its evidence.\n\n{}",
      table_text(levels()), table_text(formats()), kExitCodes);
}

std::string verify_footer() {
  return fmt::format(
      "Example:\n"
      "  awdit check --certificate proof.json history.txt\n"
      "  awdit verify history.txt proof.json\n\n{}",
      kExitCodes);
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
  CLI::App* list;
  bool version = false;
  CheckOptions check_options;
  VerifyOptions verify_options;
  ListOptions list_options;

  Grammar() {
    app.add_flag("--version", version, "Print the version");
    app.footer(main_footer);
    add_check();
    add_verify();
    list = app.add_subcommand("list", "List levels, formats or anomalies");
    list->add_option("WHAT", list_options.what, "levels, formats or anomalies")
        ->type_name("");
    for (CLI::App* part : {&app, check, verify, list}) {
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
    check->add_flag("--json", o.json, "One JSON object per line and history");
    check->add_flag("--first", o.first, "Stop at each level's first finding");
    check
        ->add_option("--limit", o.limit,
                     "Findings shown per kind in text (default 3, 0: all)")
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
    verify->add_flag("--json", o.json, "Print one JSON object");
    verify->footer(verify_footer);
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
    return Show{chosen.help(&chosen == &app ? "" : "awdit")};
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
  if (grammar.list->parsed()) return grammar.list_options;
  return Misuse{"no command given", "awdit"};
}

}  // namespace awdit::cli
