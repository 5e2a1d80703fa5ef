#include "cli/expected.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/input.h"
#include "base/table.h"
#include "base/utf8.h"
#include "cli/console.h"
#include "cli/values.h"

namespace awdit::cli {
namespace {

// More is no baseline.
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

void ExpectedOptions::add(Grammar& grammar) {
  grammar.options("--allow", "KIND",
                  "Anomalies of this kind are told, but do not fail; may be "
                  "given\nseveral times, or with commas",
                  kinds_, names_of(anomalies()));
  grammar.option("--expect", "FILE",
                 "The same for those that this baseline names, a line each",
                 path_);
  grammar.option("--write-baseline", "FILE",
                 "Write the anomalies that were found, for --expect",
                 baseline_);
}

Wrong ExpectedOptions::settle(bool first, ExpectedPlan& plan) const {
  for (const std::string& name : names_in(kinds_)) {
    const Anomaly* const row = find_row(anomalies(), name);
    if (row == nullptr) {
      return Misuse{unknown_name_message("anomaly", name, anomalies())};
    }
    plan.allowed.add(row->kind);
  }
  plan.path = path_;
  plan.baseline = baseline_;
  if (plan.writes() && (plan.allowed.any() || !path_.empty())) {
    return Misuse{fmt::format("--write-baseline and {} cannot be combined",
                              path_.empty() ? "--allow" : "--expect"),
                  "A baseline has all that was found.\n"};
  }
  if (first && (plan.writes() || plan.allowed.any() || !path_.empty())) {
    return Misuse{fmt::format("--first and {} cannot be combined",
                              plan.writes()    ? "--write-baseline"
                              : !path_.empty() ? "--expect"
                                               : "--allow"),
                  "What is known might hide what is new.\n"};
  }
  return std::nullopt;
}

Result<Expected> Expected::open(const ExpectedPlan& plan,
                                const std::vector<std::string>& never) {
  Expected expected;
  expected.known_ = plan.allowed;
  expected.found_.assign(anomalies().size(), 0);
  if (!plan.path.empty()) {
    if (Outcome failed = expected.read(plan.path)) return std::move(*failed);
  }
  if (plan.writes()) {
    Result<AtomicFile> file =
        AtomicFile::create(plan.baseline, "the baseline", never);
    if (!file) return std::move(file.error());
    expected.baseline_.emplace(std::move(*file));
  }
  return expected;
}

Outcome Expected::read(const std::string& path) {
  const std::string hint =
      "A baseline has the name of an anomaly in each line, # before remarks; "
      "--write-baseline writes one.";
  Result<Input> input = Input::open(path);
  if (!input) {
    Error error = std::move(input.error());
    error.hint = hint;
    return error;
  }
  path_ = input->name();
  std::string_view rest = input->bytes();
  if (rest.size() > kMostBytes) {
    return Error{.where = path_,
                 .message = "this is larger than any baseline",
                 .hint = hint};
  }
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string_view name = trimmed(line.substr(0, line.find('#')));
    if (name.empty()) continue;
    const Anomaly* const row = find_row(anomalies(), name);
    if (row == nullptr) {
      const auto column = static_cast<std::size_t>(name.data() - line.data());
      const std::string_view shown = name.substr(0, 40);
      return Error{.where = fmt::format("{}:{}:{}", path_, number, column + 1),
                   .message = visible(
                       unknown_name_message("anomaly", shown, anomalies())),
                   .hint = hint};
    }
    known_.add(row->kind);
    lines_.push_back({row->kind, number});
  }
  return std::nullopt;
}

void Expected::note(const Report& report) {
  const std::vector<std::uint64_t> counts = count_kinds(report);
  for (std::size_t i = 0; i < counts.size(); ++i) found_[i] += counts[i];
}

bool Expected::expects(const Report& report, const LevelReport& level) const {
  return baseline_ || is_known(report, level, known_);
}

Outcome Expected::finish(bool everything_was_decided) {
  for (const Line& line : lines_) {
    if (!everything_was_decided ||
        found_[static_cast<std::size_t>(line.kind)] != 0) {
      continue;
    }
    print_note(
        fmt::format("{}:{}", path_, line.number),
        fmt::format("{} was not found this time", anomaly(line.kind).name));
  }
  if (!baseline_) return std::nullopt;
  std::string text = "# Known anomalies: with --expect, only others fail.\n";
  std::size_t width = 0;
  for (const Anomaly& row : anomalies()) {
    if (found_[static_cast<std::size_t>(row.kind)] == 0) continue;
    width = std::max(width, row.name.size());
  }
  for (const Anomaly& row : anomalies()) {
    const std::uint64_t found = found_[static_cast<std::size_t>(row.kind)];
    if (found == 0) continue;
    text += fmt::format("{:<{}}  # {}\n", row.name, width, found);
  }
  baseline_->write(text);
  return baseline_->commit();
}

}  // namespace awdit::cli
