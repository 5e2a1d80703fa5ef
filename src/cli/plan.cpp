#include "cli/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/parallel.h"
#include "base/table.h"
#include "cli/choices.h"

namespace awdit::cli {
namespace {

constexpr std::string_view kCheck = "awdit check";
constexpr std::string_view kVerify = "awdit verify";
constexpr std::string_view kRetell = "awdit report";
constexpr std::string_view kConvert = "awdit convert";
constexpr std::string_view kShrink = "awdit shrink";
constexpr std::string_view kStats = "awdit stats";

Plan plan_check(CheckOptions typed, bool colour) {
  CheckPlan plan;
  if (typed.paths.empty()) {
    return misuse(kCheck,
                  "no history given: name a file, or - for standard input");
  }
  if (std::count(typed.paths.begin(), typed.paths.end(), "-") > 1) {
    return misuse(kCheck, "standard input (-) can be read only once");
  }
  if (auto wrong = choose_levels(kCheck, typed.levels, plan.levels))
    return *wrong;
  if (auto wrong = choose_search(kCheck, typed.search, plan.options,
                                 plan.session_order)) {
    return *wrong;
  }
  if (auto wrong = choose_format(kCheck, typed.format, plan.format)) {
    return *wrong;
  }
  if (typed.quiet && (typed.verbose || typed.json || !typed.output.empty())) {
    return misuse(kCheck, fmt::format("--quiet and {} exclude each other",
                                      typed.verbose ? "--verbose"
                                      : typed.json  ? "--json"
                                                    : "--output"));
  }
  plan.documents.quiet = typed.quiet;
  plan.verbose = typed.verbose;
  plan.join = typed.join && typed.paths.size() > 1;
  const std::size_t histories = plan.join ? 1 : typed.paths.size();
  if (auto wrong =
          choose_documents(kCheck, typed.output, typed.json, typed.reports,
                           typed.limit, histories, plan.documents)) {
    return *wrong;
  }
  plan.documents.options.colour = colour;
  plan.documents.options.first = typed.first;
  if (auto wrong =
          choose_threads(kCheck, typed.threads, plan.options.threads)) {
    return *wrong;
  }
  if (!typed.certificate.empty() && histories > 1) {
    return misuse(kCheck, "--certificate takes one history at a time");
  }
  if (auto wrong = choose_places(kCheck, typed.reports, {typed.certificate})) {
    return *wrong;
  }
  plan.options.first = typed.first;
  plan.options.only_first_level = typed.only_first_level;
  plan.options.commit_order = !typed.certificate.empty();
  plan.certificate = std::move(typed.certificate);
  plan.paths = std::move(typed.paths);
  return plan;
}

Plan plan_verify(VerifyOptions typed, bool colour) {
  VerifyPlan plan;
  if (typed.history.empty() || typed.certificate.empty()) {
    return misuse(kVerify, "a history and its certificate are needed");
  }
  if (typed.history == "-" && typed.certificate == "-") {
    return misuse(kVerify, "standard input (-) can be read only once");
  }
  if (auto wrong = choose_format(kVerify, typed.format, plan.format)) {
    return *wrong;
  }
  if (auto wrong = choose_report_of(
          kVerify, typed.output, typed.json,
          [](const ReportFormat& row) { return row.write_checks != nullptr; },
          plan.report)) {
    return *wrong;
  }
  plan.threads = default_threads();
  plan.report_options.colour = colour;
  plan.history = std::move(typed.history);
  plan.certificate = std::move(typed.certificate);
  return plan;
}

Plan plan_retell(RetellOptions typed, bool colour) {
  RetellPlan plan;
  if (typed.certificate.empty()) {
    return misuse(kRetell, "no certificate given");
  }
  if (typed.history == "-" && typed.certificate == "-") {
    return misuse(kRetell, "standard input (-) can be read only once");
  }
  if (auto wrong = choose_format(kRetell, typed.format, plan.format)) {
    return *wrong;
  }
  if (auto wrong = choose_threads(kRetell, typed.threads, plan.threads)) {
    return *wrong;
  }
  if (auto wrong =
          choose_documents(kRetell, typed.output, typed.json, typed.reports,
                           typed.limit, 1, plan.documents)) {
    return *wrong;
  }
  plan.documents.options.colour = colour;
  plan.history = std::move(typed.history);
  plan.certificate = std::move(typed.certificate);
  return plan;
}

Plan plan_convert(ConvertOptions typed) {
  ConvertPlan plan;
  if (typed.paths.size() < 2) {
    return misuse(kConvert, "an input and an output are needed");
  }
  plan.out = std::move(typed.paths.back());
  typed.paths.pop_back();
  if (std::count(typed.paths.begin(), typed.paths.end(), "-") > 1) {
    return misuse(kConvert, "standard input (-) can be read only once");
  }
  if (auto wrong = choose_format(kConvert, typed.from, plan.from)) {
    return *wrong;
  }
  if (auto wrong = choose_format(kConvert, typed.to, plan.to)) return *wrong;
  if (plan.to == nullptr) plan.to = format_of_name(plan.out);
  if (plan.to == nullptr) {
    return misuse(kConvert,
                  fmt::format("the name '{}' does not tell the format to "
                              "write: say it with --to",
                              plan.out));
  }
  if (plan.to->write == nullptr) {
    return misuse(kConvert, fmt::format("{} can be read only", plan.to->name));
  }
  if (auto wrong = choose_threads(kConvert, typed.threads, plan.threads)) {
    return *wrong;
  }
  if (auto wrong = choose_places(kConvert, {}, {plan.out, typed.mapping})) {
    return *wrong;
  }
  plan.lossless = typed.lossless;
  plan.mapping = std::move(typed.mapping);
  plan.paths = std::move(typed.paths);
  return plan;
}

struct KindRow {
  std::string_view name;
  std::span<const std::string_view> aliases;
  Kind kind;
};

std::optional<Misuse> choose_kind(const std::string& name,
                                  std::optional<Kind>& kind) {
  if (name.empty()) return std::nullopt;
  std::vector<KindRow> rows;
  for (const Anomaly& row : anomalies())
    rows.push_back({row.name, {}, row.kind});
  const std::span<const KindRow> table = rows;
  const KindRow* const row = find_row(table, name);
  if (row == nullptr) {
    return misuse(kShrink, unknown_name_message("kind", name, table));
  }
  kind = row->kind;
  return std::nullopt;
}

Plan plan_shrink(ShrinkOptions typed) {
  ShrinkPlan plan;
  if (typed.paths.size() < 2) {
    return misuse(kShrink, "an input and an output are needed");
  }
  plan.out = std::move(typed.paths.back());
  typed.paths.pop_back();
  if (std::count(typed.paths.begin(), typed.paths.end(), "-") > 1) {
    return misuse(kShrink, "standard input (-) can be read only once");
  }
  if (auto wrong = choose_levels(kShrink, typed.levels, plan.levels)) {
    return *wrong;
  }
  if (auto wrong = choose_search(kShrink, typed.search, plan.options,
                                 plan.session_order)) {
    return *wrong;
  }
  if (auto wrong = choose_kind(typed.kind, plan.kind)) return *wrong;
  if (auto wrong = choose_format(kShrink, typed.from, plan.from)) return *wrong;
  if (auto wrong = choose_format(kShrink, typed.to, plan.to)) return *wrong;
  if (plan.to == nullptr) plan.to = format_of_name(plan.out);
  if (plan.to != nullptr && plan.to->write == nullptr) {
    return misuse(kShrink, fmt::format("{} can be read only", plan.to->name));
  }
  if (auto wrong =
          choose_threads(kShrink, typed.threads, plan.options.threads)) {
    return *wrong;
  }
  plan.paths = std::move(typed.paths);
  return plan;
}

Plan plan_stats(StatsOptions typed, bool colour) {
  StatsPlan plan;
  if (typed.path.empty()) {
    return misuse(kStats,
                  "no history given: name a file, or - for standard input");
  }
  if (auto wrong = choose_format(kStats, typed.format, plan.format)) {
    return *wrong;
  }
  if (auto wrong = choose_threads(kStats, typed.threads, plan.threads)) {
    return *wrong;
  }
  if (auto wrong = choose_report_of(
          kStats, typed.output, typed.json,
          [](const ReportFormat& row) { return row.write_stats != nullptr; },
          plan.report)) {
    return *wrong;
  }
  plan.report_options.colour = colour;
  plan.path = std::move(typed.path);
  return plan;
}

Plan plan_explain(const ExplainOptions& typed, bool colour) {
  ExplainPlan plan;
  plan.report_options.colour = colour;
  for (const std::string& word : typed.words) {
    plan.word += (plan.word.empty() ? "" : " ") + word;
  }
  if (plan.word.empty()) return plan;
  Sink nowhere([](std::string_view) { return true; });
  if (explain_word(plan.word, {}, nowhere)) return plan;
  const std::string_view near = nearest_name(plan.word, names_to_explain());
  return misuse(
      "awdit explain",
      fmt::format("there is no entry '{}'{}", plan.word,
                  near.empty() ? "; awdit explain lists them all"
                               : fmt::format("; did you mean '{}'?", near)));
}

struct ListRow {
  std::string_view name;
  std::span<const std::string_view> aliases;
  Listing what;
};
constexpr ListRow kLists[] = {{"levels", {}, Listing::levels},
                              {"formats", {}, Listing::formats},
                              {"anomalies", {}, Listing::anomalies},
                              {"reports", {}, Listing::reports},
                              {"drivers", {}, Listing::drivers},
                              {"workloads", {}, Listing::workloads},
                              {"faults", {}, Listing::faults},
                              {"bugs", {}, Listing::bugs}};

Plan plan_list(const ListOptions& typed) {
  const std::span<const ListRow> lists = kLists;
  if (typed.what.empty()) {
    return misuse("awdit list",
                  "list what? levels, formats, anomalies, reports, drivers, "
                  "workloads, faults or bugs");
  }
  if (const ListRow* row = find_row(lists, typed.what)) {
    return ListPlan{row->what};
  }
  return misuse("awdit list", unknown_name_message("list", typed.what, lists));
}

}  // namespace

Plan make_plan(Typed typed, bool colour) {
  if (auto* check = std::get_if<CheckOptions>(&typed)) {
    return plan_check(std::move(*check), colour);
  }
  if (auto* verify = std::get_if<VerifyOptions>(&typed)) {
    return plan_verify(std::move(*verify), colour);
  }
  if (auto* retell = std::get_if<RetellOptions>(&typed)) {
    return plan_retell(std::move(*retell), colour);
  }
  if (auto* convert = std::get_if<ConvertOptions>(&typed)) {
    return plan_convert(std::move(*convert));
  }
  if (auto* shrink = std::get_if<ShrinkOptions>(&typed)) {
    return plan_shrink(std::move(*shrink));
  }
  if (auto* generate = std::get_if<GenerateOptions>(&typed)) {
    return plan_generate(std::move(*generate));
  }
  if (auto* record = std::get_if<RecordOptions>(&typed)) {
    return plan_record(std::move(*record));
  }
  if (auto* test = std::get_if<TestOptions>(&typed)) {
    return plan_test(std::move(*test), colour);
  }
  if (auto* stats = std::get_if<StatsOptions>(&typed)) {
    return plan_stats(std::move(*stats), colour);
  }
  if (auto* explain = std::get_if<ExplainOptions>(&typed)) {
    return plan_explain(*explain, colour);
  }
  if (auto* list = std::get_if<ListOptions>(&typed)) return plan_list(*list);
  if (auto* show = std::get_if<Show>(&typed)) return std::move(*show);
  return std::get<Misuse>(std::move(typed));
}

}  // namespace awdit::cli
