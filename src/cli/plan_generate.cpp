// What `awdit generate` was asked for.
#include <fmt/format.h>

#include <optional>

#include "base/table.h"
#include "check/check.h"
#include "cli/choices.h"
#include "cli/plan.h"
#include "cli/quantity.h"

namespace awdit::cli {
namespace {

constexpr std::string_view kGenerate = "awdit generate";

Misuse refuse(std::string message) {
  return misuse(kGenerate, std::move(message));
}

using Wrong = std::optional<Misuse>;

Wrong choose_wide(std::string_view option, const std::string& typed,
                  std::uint64_t& value) {
  if (typed.empty()) return std::nullopt;
  const auto count = parse_count(typed);
  if (!count) {
    return refuse(fmt::format(
        "{} takes a whole number, such as 10, 5k or 1e6; found '{}'", option,
        typed));
  }
  value = *count;
  return std::nullopt;
}

// What fits but makes no sense is refused later, by invalid().
Wrong narrow(std::string_view option, const std::string& typed,
             std::uint64_t wide, std::uint32_t& value) {
  if (wide > UINT32_MAX) {
    return refuse(
        fmt::format("{} {} is more than any history has", option, typed));
  }
  value = static_cast<std::uint32_t>(wide);
  return std::nullopt;
}

Wrong choose_count(std::string_view option, const std::string& typed,
                   std::uint32_t& value) {
  std::uint64_t wide = value;
  if (Wrong wrong = choose_wide(option, typed, wide)) return wrong;
  return narrow(option, typed, wide, value);
}

Wrong choose_share(std::string_view option, const std::string& typed,
                   double& value) {
  if (typed.empty()) return std::nullopt;
  const auto share = parse_share(typed);
  if (!share) {
    return refuse(
        fmt::format("{} takes a share, such as 0.25 or 25%; found "
                    "'{}'",
                    option, typed));
  }
  value = *share;
  return std::nullopt;
}

Wrong choose_txn_ops(const std::string& typed, Parameters& parameters) {
  if (typed.empty()) return std::nullopt;
  const auto range = parse_range(typed);
  if (!range) {
    return refuse(fmt::format(
        "--txn-ops takes a whole number or two, such as 8 or 4-12; found '{}'",
        typed));
  }
  if (Wrong wrong =
          narrow("--txn-ops", typed, range->first, parameters.min_txn_ops)) {
    return wrong;
  }
  return narrow("--txn-ops", typed, range->second, parameters.max_txn_ops);
}

// uniform, zipf, zipf:0.99, hotspot, hotspot:0.2:0.8
Wrong choose_distribution(const std::string& typed,
                          Distribution& distribution) {
  if (typed.empty()) return std::nullopt;
  std::vector<std::string_view> words;
  for (std::string_view rest = typed;;) {
    const std::size_t colon = rest.find(':');
    words.push_back(rest.substr(0, colon));
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  using Kind = Distribution::Kind;
  bool understood = false;
  if (words[0] == "uniform") {
    distribution.kind = Kind::uniform;
    understood = words.size() == 1;
  } else if (words[0] == "zipf") {
    distribution.kind = Kind::zipf;
    const auto theta =
        words.size() == 2 ? parse_decimal(words[1]) : std::nullopt;
    if (theta) distribution.theta = *theta;
    understood = words.size() == 1 || theta;
  } else if (words[0] == "hotspot") {
    distribution.kind = Kind::hotspot;
    const auto keys = words.size() == 3 ? parse_share(words[1]) : std::nullopt;
    const auto accesses =
        words.size() == 3 ? parse_share(words[2]) : std::nullopt;
    if (keys && accesses) {
      distribution.hot_keys = *keys;
      distribution.hot_accesses = *accesses;
    }
    understood = words.size() == 1 || (keys && accesses);
  }
  if (understood) return std::nullopt;
  return refuse(
      fmt::format("--distribution takes uniform, zipf:THETA or "
                  "hotspot:KEYS:ACCESSES; found '{}'",
                  typed));
}

Wrong choose_level(const std::string& typed, Parameters& parameters) {
  if (typed.empty()) return std::nullopt;
  const Level* level = find_row(levels(), typed);
  if (level == nullptr) {
    return refuse(unknown_name_message("level", typed, levels()));
  }
  if (level->real_time) {
    return refuse(
        fmt::format("{} needs times, and histories that are made "
                    "have none",
                    level->name));
  }
  const std::vector<const Gadget*> planted = gadgets_above(*level);
  parameters.plant.insert(parameters.plant.end(), planted.begin(),
                          planted.end());
  return std::nullopt;
}

Wrong choose_anomalies(const std::vector<std::string>& lists,
                       Parameters& parameters) {
  for (const std::string& list : lists) {
    for (std::string_view rest = list;;) {
      const std::size_t comma = rest.find(',');
      const std::string_view name = rest.substr(0, comma);
      const Gadget* gadget = find_row(gadgets(), name);
      if (gadget == nullptr) {
        return refuse(unknown_name_message("anomaly", name, gadgets()));
      }
      parameters.plant.push_back(gadget);
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return std::nullopt;
}

Wrong choose_order(const std::string& typed, Parameters& parameters) {
  if (typed.empty() || typed == "time") return std::nullopt;
  parameters.by_session = typed == "session";
  if (parameters.by_session) return std::nullopt;
  return refuse(
      fmt::format("--order takes time or session; found '{}'", typed));
}

// Options that make sense only with, or only without, a reduction.
Wrong mixed_families(const GenerateOptions& typed) {
  struct Row {
    std::string_view option;
    bool given;
  };
  const Row of_runs[] = {{"--sessions", !typed.sessions.empty()},
                         {"--transactions", !typed.transactions.empty()},
                         {"--ops", !typed.operations.empty()},
                         {"--txn-ops", !typed.txn_ops.empty()},
                         {"--keys", !typed.keys.empty()},
                         {"--reads", !typed.reads.empty()},
                         {"--distribution", !typed.distribution.empty()},
                         {"--aborted", !typed.aborted.empty()},
                         {"--unknown", !typed.unknown.empty()},
                         {"--lists", typed.lists},
                         {"--list-length", !typed.list_length.empty()},
                         {"--order", !typed.order.empty()},
                         {"--level", !typed.level.empty()},
                         {"--anomaly", !typed.anomalies.empty()}};
  const Row of_reductions[] = {{"--nodes", !typed.nodes.empty()},
                               {"--edges", !typed.edges.empty()},
                               {"--triangle", typed.triangle}};
  if (typed.reduction.empty()) {
    for (const Row& row : of_reductions) {
      if (row.given) {
        return refuse(fmt::format("{} goes with --reduction only", row.option));
      }
    }
    return std::nullopt;
  }
  for (const Row& row : of_runs) {
    if (row.given) {
      return refuse(fmt::format("{} does not go with --reduction", row.option));
    }
  }
  return std::nullopt;
}

Wrong choose_run(const GenerateOptions& typed, Parameters& p) {
  if (!typed.transactions.empty() && !typed.operations.empty()) {
    return refuse(
        "--transactions and --ops do not go together: one follows "
        "from the other");
  }
  if (!typed.level.empty() && !typed.anomalies.empty()) {
    return refuse(
        "--level and --anomaly do not go together: both say what "
        "breaks");
  }
  if (!typed.list_length.empty() && !typed.lists) {
    return refuse("--list-length goes with --lists only");
  }
  Wrong wrong;
  const auto failed = [&](Wrong outcome) {
    wrong = std::move(outcome);
    return wrong.has_value();
  };
  if (failed(choose_count("--sessions", typed.sessions, p.sessions)) ||
      failed(
          choose_wide("--transactions", typed.transactions, p.transactions)) ||
      failed(choose_wide("--ops", typed.operations, p.operations)) ||
      failed(choose_txn_ops(typed.txn_ops, p)) ||
      failed(choose_count("--keys", typed.keys, p.keys)) ||
      failed(choose_share("--reads", typed.reads, p.reads)) ||
      failed(choose_distribution(typed.distribution, p.distribution)) ||
      failed(choose_share("--aborted", typed.aborted, p.aborted)) ||
      failed(choose_share("--unknown", typed.unknown, p.unknown)) ||
      failed(choose_count("--list-length", typed.list_length, p.list_length)) ||
      failed(choose_order(typed.order, p)) ||
      failed(choose_level(typed.level, p)) ||
      failed(choose_anomalies(typed.anomalies, p))) {
    return wrong;
  }
  if (!typed.operations.empty() && p.operations == 0) {
    return refuse("--ops must be at least 1; found 0");
  }
  p.lists = typed.lists;
  return std::nullopt;
}

Wrong choose_reduction(const GenerateOptions& typed, Parameters& parameters) {
  if (typed.reduction.empty()) return std::nullopt;
  parameters.reduction = find_row(reductions(), typed.reduction);
  if (parameters.reduction == nullptr) {
    return refuse(
        unknown_name_message("reduction", typed.reduction, reductions()));
  }
  Graph& graph = parameters.graph;
  if (Wrong wrong = choose_count("--nodes", typed.nodes, graph.nodes)) {
    return wrong;
  }
  if (!typed.edges.empty()) {
    std::uint64_t edges = 0;
    if (Wrong wrong = choose_wide("--edges", typed.edges, edges)) return wrong;
    graph.edges = edges;
  }
  graph.triangle = typed.triangle;
  return std::nullopt;
}

Wrong choose_target(GenerateOptions& typed, GeneratePlan& plan) {
  plan.out = typed.out.empty() ? "-" : std::move(typed.out);
  if (Wrong wrong = choose_format(kGenerate, typed.format, plan.format)) {
    return wrong;
  }
  if (plan.format == nullptr) plan.format = format_of_name(plan.out);
  if (plan.format == nullptr) plan.format = find_row(formats(), "plume");
  if (plan.format->write == nullptr) {
    return refuse(fmt::format("{} can be read only", plan.format->name));
  }
  if (plan.format->directory && plan.out == "-") {
    return refuse(
        fmt::format("a {} history is a directory of files: name one "
                    "with -o",
                    plan.format->name));
  }
  if (plan.parameters.lists && !plan.format->capacity.lists) {
    std::string able;
    for (const Format& format : formats()) {
      if (format.write == nullptr || !format.capacity.lists) continue;
      able += able.empty() ? "" : ", ";
      able += format.name;
    }
    return refuse(fmt::format("{} cannot hold lists; {}{}", plan.format->name,
                              able.empty() ? "neither can any other format here"
                                           : "choose another --format: ",
                              able));
  }
  return std::nullopt;
}

}  // namespace

Plan plan_generate(GenerateOptions typed) {
  GeneratePlan plan;
  Parameters& parameters = plan.parameters;
  Wrong wrong = mixed_families(typed);
  if (!wrong) wrong = choose_run(typed, parameters);
  if (!wrong) wrong = choose_reduction(typed, parameters);
  if (!wrong) wrong = choose_wide("--seed", typed.seed, parameters.seed);
  if (!wrong) wrong = choose_threads(kGenerate, typed.threads, plan.threads);
  if (!wrong) wrong = choose_target(typed, plan);
  if (wrong) return *wrong;
  if (const Outcome bad = invalid(parameters)) return refuse(bad->message);
  return plan;
}

}  // namespace awdit::cli
