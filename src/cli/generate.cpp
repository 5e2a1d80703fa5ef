// awdit generate: make, fit, write.
#include "generate/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/destination.h"
#include "cli/help_text.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/quantity.h"
#include "cli/values.h"
#include "convert/convert.h"

namespace awdit::cli {
namespace {

std::string generate_footer() {
  std::vector<std::pair<std::string_view, std::string>> strongest;
  for (const Level& level : levels()) {
    if (level.real_time) continue;
    Names planted;
    for (const Gadget* gadget : gadgets_above(level)) {
      planted.push_back(gadget->name);
    }
    if (planted.empty()) planted = {"nothing is planted"};
    // More than two do not fit into a line.
    strongest.emplace_back(
        level.name, planted.size() > 2
                        ? fmt::format("{} and {} others", planted.front(),
                                      planted.size() - 1)
                        : fmt::format("{}", fmt::join(planted, ", ")));
  }
  return fmt::format(
      "Transactions run one after another on a single store, each in a random "
      "session, so\nevery level holds; there are no times. Whatever is meant "
      "to break is planted: a few\nextra transactions on keys of their own. "
      "The same options give the same output.\nNumbers may be written as 10k, "
      "5M or 1e6, shares as 0.25 or 25%.\n\n"
      "Levels, and what is planted to break the next stronger ones:\n{}\n"
      "Anomalies:\n{}\n"
      "Reductions: graphs as histories that are as hard to check as any; the "
      "level holds\nunless the graph has a triangle:\n{}\n"
      "Examples:\n"
      "  awdit generate | awdit check -\n"
      "  awdit generate -i causal --seed 7 -o history.txt\n"
      "  awdit generate --ops 10M --sessions 50 --keys 1M --distribution zipf "
      "-o big.txt\n"
      "  awdit generate --anomaly lost-update --aborted 5% -o history.txt.gz\n"
      "  awdit generate --reduction ra --nodes 1k --triangle -o hard.txt\n\n"
      "Exit codes:\n"
      "  0  written\n"
      "  2  usage or output error: nothing is written",
      two_columns(strongest), summaries(gadgets()), summaries(reductions()));
}

// "8" or "4-12".
Value txn_ops_into(Parameters& parameters) {
  return {[&parameters](const std::string& option,
                        const std::string& typed) -> Wrong {
    const auto range = parse_range(typed);
    if (!range) {
      return refused(option, "a whole number or two, such as 8 or 4-12", typed);
    }
    // What fits but makes no sense is refused later, by invalid().
    if (range->first > UINT32_MAX || range->second > UINT32_MAX) {
      return more_than_any_history(option, typed);
    }
    parameters.min_txn_ops = static_cast<std::uint32_t>(range->first);
    parameters.max_txn_ops = static_cast<std::uint32_t>(range->second);
    return std::nullopt;
  }};
}

// "uniform", "zipf", "zipf:0.99", "hotspot", "hotspot:0.2:0.8".
std::optional<Distribution> parse_distribution(std::string_view typed) {
  using Kind = Distribution::Kind;
  Distribution result;
  std::vector<double> numbers;
  const std::string_view name = typed.substr(0, typed.find(':'));
  for (std::size_t at = name.size(); at < typed.size();) {
    const std::size_t next = std::min(typed.find(':', at + 1), typed.size());
    const std::string_view word = typed.substr(at + 1, next - at - 1);
    const auto number =
        name == "zipf" ? parse_decimal(word) : parse_share(word);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    at = next;
  }
  if (name == "zipf" && numbers.size() < 2) {
    result.kind = Kind::zipf;
    if (!numbers.empty()) result.theta = numbers[0];
  } else if (name == "hotspot" && (numbers.empty() || numbers.size() == 2)) {
    result.kind = Kind::hotspot;
    if (!numbers.empty()) result.hot_keys = numbers[0];
    if (!numbers.empty()) result.hot_accesses = numbers[1];
  } else if (name != "uniform" || !numbers.empty()) {
    return std::nullopt;
  }
  return result;
}

// Whether the output has session after session.
std::optional<bool> parse_order(const std::string& typed) {
  if (typed != "time" && typed != "session") return std::nullopt;
  return typed == "session";
}

// Options of a run, which do not go with a reduction, and the other way round.
constexpr const char* kOfRuns[] = {
    "--sessions",    "--transactions", "--ops",     "--txn-ops", "--keys",
    "--reads",       "--distribution", "--aborted", "--unknown", "--lists",
    "--list-length", "--order",        "--anomaly"};
constexpr const char* kOfReductions[] = {"--nodes", "--edges", "--triangle"};

class Generate : public Task {
 public:
  explicit Generate(Grammar& grammar) : grammar_(grammar) {
    Parameters& p = parameters_;
    grammar.heading("Output");
    grammar.option(
        "-o,--out", "PATH",
        "Default: standard output; .gz, .xz and .zst are\ncompressed", out_);
    grammar.option("--to", "FORMAT",
                   "Default: by the name of the output, or plume",
                   row_into(formats(), "format", format_));
    grammar.old_option("-f,--format", row_into(formats(), "format", format_));
    add_count(grammar, "--seed", "Seed of the random choices", p.seed);
    add_quiet(grammar, false);
    add_threads(grammar, threads_);
    add_size(grammar);
    add_happenings(grammar);
    grammar.heading("What breaks");
    grammar.option("-i,--isolation", "LEVEL", "The strongest level that holds",
                   row_into(levels(), "level", level_));
    grammar.old_option("--level", row_into(levels(), "level", level_));
    grammar.options("--anomaly", "NAME",
                    "Plant this at a random point; names with commas",
                    anomalies_, names_of(gadgets()));
    add_reduction(grammar);
    grammar.footer(generate_footer);
  }

  Wrong settle() override {
    Wrong wrong = settle_families();
    if (!wrong) wrong = settle_plants();
    if (!wrong) wrong = settle_target();
    if (wrong) return wrong;
    if (const Outcome bad = invalid(parameters_)) return Misuse{bad->message};
    return std::nullopt;
  }

  Result<Exit> run(Output& out) override {
    Progress progress;
    const std::string name = output_name(out_);
    Result<std::unique_ptr<Destination>> destination =
        open_destination(out_, *format_, {}, out);
    if (!destination) return std::move(destination.error());
    progress.stage("generating", name);
    Result<History> history = generate(parameters_, threads_);
    if (!history) return std::move(history.error());
    Result<Fitted> fitted =
        fit(std::move(*history), *format_, {.threads = threads_});
    if (!fitted) return std::move(fitted.error());
    progress.stage("writing", name);
    if (Outcome failed =
            write_history(fitted->history, *format_, **destination, threads_)) {
      return std::move(*failed);
    }
    progress.clear();
    print_losses(name, *format_, fitted->losses);
    return Exit::ok;
  }

  Error out_of_memory() const override {
    return {.where = "awdit generate",
            .message = "not enough memory for this history",
            .hint = "Ask for fewer operations or keys."};
  }

 private:
  void add_size(Grammar& grammar) {
    Parameters& p = parameters_;
    grammar.heading("Size");
    add_count(grammar, "--sessions", "Number of sessions", p.sessions);
    add_count(grammar, "--transactions", "Transactions in total",
              p.transactions);
    grammar.option("--ops", "N",
                   "Operations in total, instead of --transactions",
                   count_into(p.operations));
    grammar.option("--txn-ops", "N|MIN-MAX",
                   fmt::format("Operations per transaction (default {}-{})",
                               p.min_txn_ops, p.max_txn_ops),
                   txn_ops_into(p));
    add_count(grammar, "--keys", "Number of keys", p.keys);
  }

  void add_happenings(Grammar& grammar) {
    Parameters& p = parameters_;
    grammar.heading("What happens");
    grammar.option(
        "--reads", "SHARE",
        fmt::format("Share of operations that are reads (default {})", p.reads),
        share_into(p.reads));
    grammar.option(
        "--distribution", "D",
        fmt::format(
            "How keys are chosen: uniform (default), zipf[:THETA]\n(default "
            "{}), hotspot[:KEYS:ACCESSES] (shares,\ndefault {}:{})",
            p.distribution.theta, p.distribution.hot_keys,
            p.distribution.hot_accesses),
        value_into(p.distribution,
                   "uniform, zipf:THETA or hotspot:KEYS:ACCESSES",
                   parse_distribution));
    grammar.option("--aborted", "SHARE",
                   "Share of transactions that abort (default 0)",
                   share_into(p.aborted));
    grammar.option("--unknown", "SHARE",
                   "Share of transactions of unknown outcome; half of\nthem "
                   "take effect (default 0)",
                   share_into(p.unknown));
    grammar.flag("--lists", "Writes append to lists, reads return whole lists",
                 p.lists);
    add_count(grammar, "--list-length",
              "Replace a key by a fresh one when its list has N\nelements",
              p.list_length);
    grammar.option("--order", "ORDER",
                   "Order of the output: time (default; as executed) "
                   "or\nsession (one session after another)",
                   value_into(p.by_session, "time or session", parse_order));
  }

  void add_reduction(Grammar& grammar) {
    Graph& graph = parameters_.graph;
    grammar.heading("Hard instances");
    grammar.option("--reduction", "NAME",
                   "Encode a random graph, instead of a run",
                   row_into(reductions(), "reduction", parameters_.reduction));
    add_count(grammar, "--nodes", "Nodes of the graph", graph.nodes);
    grammar.option("--edges", "N",
                   "Edges of the graph (default: half of those possible)",
                   count_into(edges_));
    grammar.flag("--triangle", "Put a triangle into the graph", graph.triangle);
  }

  // Options that do not go together, or only together.
  Wrong settle_families() {
    const auto given = [this](const char* name) {
      return grammar_.given(name);
    };
    if (given("--reduction")) {
      if (level_ != nullptr) {
        return Misuse{"--isolation cannot be combined with --reduction"};
      }
      for (const char* const name : kOfRuns) {
        if (!given(name)) continue;
        return Misuse{
            fmt::format("{} cannot be combined with --reduction", name)};
      }
    } else {
      for (const char* const name : kOfReductions) {
        if (!given(name)) continue;
        return Misuse{fmt::format("{} works only with --reduction", name)};
      }
    }
    if (given("--transactions") && given("--ops")) {
      return Misuse{
          "--transactions and --ops cannot be combined: one follows from the "
          "other"};
    }
    if (level_ != nullptr && given("--anomaly")) {
      return Misuse{
          "--isolation and --anomaly cannot be combined: both say what breaks"};
    }
    if (given("--list-length") && !parameters_.lists) {
      return Misuse{"--list-length works only with --lists"};
    }
    if (given("--ops") && parameters_.operations == 0) {
      return Misuse{"--ops must be at least 1; found 0"};
    }
    if (given("--edges")) parameters_.graph.edges = edges_;
    return std::nullopt;
  }

  Wrong settle_plants() {
    if (level_ != nullptr) {
      if (level_->real_time) {
        return Misuse{
            fmt::format("{} needs times, which generated histories do not have",
                        level_->name)};
      }
      parameters_.plant = gadgets_above(*level_);
    }
    for (const std::string& name : names_in(anomalies_)) {
      const Gadget* const gadget = find_row(gadgets(), name);
      if (gadget == nullptr) {
        return Misuse{unknown_name_message("anomaly", name, gadgets())};
      }
      parameters_.plant.push_back(gadget);
    }
    return std::nullopt;
  }

  Wrong settle_target() {
    if (format_ == nullptr) format_ = format_of_name(out_);
    if (format_ == nullptr) format_ = find_row(formats(), "plume");
    if (Wrong wrong = unless_writable(*format_)) return wrong;
    if (format_->directory && out_ == "-") {
      return Misuse{
          fmt::format("a {} history is a directory of files: name one with -o",
                      format_->name)};
    }
    if (!parameters_.lists || format_->capacity.lists) return std::nullopt;
    Names able;
    for (const Format& format : formats()) {
      if (format.write == nullptr || !format.capacity.lists) continue;
      able.push_back(format.name);
    }
    return Misuse{
        fmt::format("{} cannot hold lists; choose another with --to: {}",
                    format_->name, fmt::join(able, ", "))};
  }

  const Grammar& grammar_;
  Parameters parameters_;
  std::uint64_t edges_ = 0;
  const Level* level_ = nullptr;
  std::vector<std::string> anomalies_;  // each perhaps a list with commas
  std::string out_ = "-";               // standard output
  const Format* format_ = nullptr;
  unsigned threads_ = 1;
};

}  // namespace

const Command kGenerateCommand = {
    "generate", "Write a history made to order, with known levels",
    make<Generate>};

}  // namespace awdit::cli
