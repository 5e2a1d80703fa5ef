// What --help says below the options of each command.
#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/fit.h"
#include "check/check.h"
#include "driver/driver.h"
#include "format/format.h"
#include "generate/generate.h"
#include "report/report.h"
#include "workload/workload.h"

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

std::string levels_text() {
  std::size_t width = 0;
  for (const Level& level : levels()) {
    width = std::max(width, level.name.size());
  }
  std::string text;
  for (const Level& level : levels()) {
    std::string line = fmt::format("  {:<{}}", level.name, width);
    for (std::size_t i = 0; i < level.aliases.size(); ++i) {
      line += fmt::format("{}{}", i == 0 ? "  also: " : ", ", level.aliases[i]);
    }
    if (level.real_time) line += "; needs times";
    text += wrapped_line(line, 80, width + 4) + "\n";
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

}  // namespace

std::string main_footer() {
  return fmt::format(
      "Examples:\n"
      "  awdit run --workload c-twitter\n"
      "  awdit check history.txt\n"
      "  awdit check --certificate proof.json history.txt\n"
      "  awdit verify history.txt proof.json\n"
      "  awdit report proof.json --report bug.md\n"
      "  awdit shrink history.edn story.edn\n"
      "  awdit convert history.edn history.awdit\n"
      "  awdit generate --level read-atomic | awdit check -\n"
      "  awdit stats history.txt\n"
      "  awdit help check\n\n"
      "What is written replaces a file that exists, once it is complete, but "
      "never an\ninput. A directory must be new or empty.\n\n{}",
      kExitCodes);
}

std::string check_footer() {
  return fmt::format(
      "Levels, from weak to strong; awdit explain \"repeatable read\" says what "
      "SQL's are:\n{}"
      "Those that need times are left out of all where a history has none. "
      "Above causal\na search may be needed; one that reaches a limit leaves "
      "its level undecided.\n\n"
      "Formats:\n{}\n"
      "Reports, and the names of files that mean them:\n{}\n"
      "Examples:\n"
      "  awdit check history.txt               every level, with evidence\n"
      "  awdit check -i cc history.txt         causal consistency only\n"
      "  awdit check -i si,ser --time-limit 10m --memory-limit 16G h.txt\n"
      "  awdit check --no-session-order h.edn  as Elle reads it by default\n"
      "  awdit check -i rc,ra --json *.txt     one JSON object per line\n"
      "  awdit check --report out.svg h.txt    a picture besides the text\n"
      "  awdit check -o junit *.txt > all.xml  for a CI server\n"
      "  recorder | awdit check -              read standard input\n\n"
      "Of several histories the text shows only the conclusions; name one "
      "alone\n"
      "to see its evidence.\n\n{}",
      levels_text(), table_text(formats()), reports_text(), kExitCodes);
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
      "target cannot hold is\nnamed on standard error. A file that exists is "
      "replaced once the new one is\ncomplete, an input never; a directory "
      "must be new or empty.\n\n"
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
      "  2  usage, input or output error: nothing is written\n"
      "  3  none is known, but some level is undecided: nothing is written");
}

std::string generate_footer() {
  std::string strongest;
  for (const Level& level : levels()) {
    if (level.real_time) continue;
    std::string planted;
    for (const Gadget* gadget : gadgets_above(level)) {
      planted += (planted.empty() ? "" : ", ") + std::string(gadget->name);
    }
    strongest += fmt::format("  {:<27}  {}\n", level.name,
                             planted.empty() ? "nothing is planted" : planted);
  }
  return fmt::format(
      "Transactions run one after the other on one store, each in a random "
      "session, so\nthat every level holds; there are no times. What shall "
      "break is planted: a few more\ntransactions, on keys of their own. Equal "
      "options give equal output. Numbers may be\nwritten 10k, 5M or 1e6, "
      "shares 0.25 or 25%.\n\n"
      "Levels, and what is planted to break the next stronger ones:\n{}\n"
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

namespace {

std::string drivers_text() {
  std::string text;
  for (const Driver& driver : drivers()) {
    text += fmt::format("  {:<10} ", driver.name);
    if (driver.open == nullptr) {
      text += fmt::format(" not built ({})\n", driver.package);
      continue;
    }
    for (std::size_t i = 0; i < driver.levels.size(); ++i) {
      text += fmt::format("{}{}", i == 0 ? " " : ", ", driver.levels[i].name);
    }
    text += '\n';
  }
  return text;
}

std::string recording_text() {
  return fmt::format(
      "Databases and their levels, the default first:\n{}\n"
      "Workloads:\n{}\n"
      "Faults:\n{}\n",
      drivers_text(), summaries(workloads()), summaries(faults()));
}

}  // namespace

std::string run_footer() {
  return fmt::format(
      "{}"
      "Ctrl-C ends the recording; what was recorded is checked.\n\n"
      "Examples:\n"
      "  awdit run -w c-twitter                      RocksDB, at snapshot\n"
      "  awdit run -w fracture --level plain-get -i all\n"
      "  awdit run --db postgres --start --level read-committed -i ra\n"
      "  awdit run --db postgres://me@host/test --duration 60s -o h.awdit\n"
      "  awdit run --db postgres --start --faults kill,drop-commit\n\n{}",
      recording_text(), kExitCodes);
}

std::string record_footer() {
  return fmt::format(
      "{}"
      "Each session appends to a file of its own, so that nothing is lost if "
      "awdit is\nkilled; the directory that is left can be checked as it is. "
      "Ctrl-C ends the\nrecording in good order. A file that exists is "
      "replaced once the recording is\ncomplete; a directory must be new or "
      "empty.\n\n"
      "Examples:\n"
      "  awdit record -w tpcc --sessions 50 --transactions 10k -o h.awdit\n"
      "  awdit record --db sqlite --level read-uncommitted -o h.jsonl\n"
      "  awdit record --db mariadb --start --duration 30s -o recording/\n\n"
      "Exit codes:\n"
      "  0  recorded\n"
      "  2  usage, database or output error",
      recording_text());
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

}  // namespace awdit::cli
