// awdit list: what the tables hold.
#include <fmt/format.h>
#include <unistd.h>

#include "base/fit.h"
#include "base/table.h"
#include "cli/command.h"
#include "cli/help_text.h"
#include "cli/values.h"
#include "driver/driver.h"
#include "format/format.h"
#include "report/report.h"
#include "simulated/simulated.h"
#include "theory/theory.h"
#include "workload/workload.h"

namespace awdit::cli {
namespace {

// "  (also: rc, ra)", or nothing.
std::string also_known_as(std::span<const std::string_view> aliases) {
  return aliases.empty() ? "" : fmt::format("  ({})", also(aliases));
}

using Lines = std::vector<std::string>;

// Each row by its names, with what `tell` says about it below.
template <typename Row, typename Tell>
std::string listed(std::span<const Row> rows, Tell tell) {
  std::string text;
  for (const Row& row : rows) {
    text += row.name;
    text += also_known_as(aliases_of(row)) + "\n";
    for (const std::string& line : tell(row)) text += "    " + line + "\n";
  }
  return text;
}

std::string list_levels() {
  return listed(levels(), [](const Level& level) {
    Lines lines = {fmt::format("{}: {}", level.title, level.summary)};
    if (!level.implies.empty()) {
      lines.push_back(
          fmt::format("Implies: {}", fmt::join(level.implies, ", ")));
    }
    if (level.real_time) {
      lines.emplace_back("Needs the times when transactions began and ended");
    }
    lines.push_back(fmt::format("Source: {}", level.source));
    return lines;
  });
}

std::string list_formats() {
  return listed(formats(), [](const Format& format) {
    return Lines{std::string(format.summary)};
  });
}

std::string list_anomalies() {
  return listed(anomalies(), [](const Anomaly& row) {
    Lines lines = {std::string(row.sentence)};
    if (!row.also.empty()) lines.push_back(fmt::format("Also: {}", row.also));
    return lines;
  });
}

std::string list_reports() {
  return listed(reports(), [](const ReportFormat& row) {
    return Lines{fmt::format("{}: {}", row.extension, row.summary)};
  });
}

std::string list_drivers() {
  return listed(drivers(), [](const Driver& driver) {
    Lines lines = {std::string(driver.summary)};
    if (driver.open == nullptr) {
      lines.push_back(fmt::format("Not built: needs {}", driver.package));
    }
    for (const Promise& level : driver.levels) {
      lines.push_back(fmt::format("--level {}{}: {}", level.name,
                                  also_known_as(level.aliases), level.summary));
    }
    for (const Knob& knob : driver.knobs) {
      lines.push_back(
          fmt::format("--set {}={}: {}", knob.name, knob.values, knob.summary));
    }
    return lines;
  });
}

std::string list_workloads() {
  return listed(workloads(), [](const WorkloadKind& row) {
    Lines lines = {std::string(row.summary),
                   fmt::format("Shows: {}", row.exposes)};
    for (const Setting& setting : row.settings) {
      lines.push_back(fmt::format("-p {}={}: {}", setting.name, setting.value,
                                  setting.summary));
    }
    return lines;
  });
}

std::string list_faults() {
  return listed(faults(), [](const FaultKind& row) {
    return Lines{std::string(row.summary)};
  });
}

std::string list_bugs() {
  return listed(planted_bugs(), [](const PlantedBug& row) {
    return Lines{std::string(row.summary),
                 fmt::format("Breaks: {} ({})", row.breaks, row.anomaly),
                 fmt::format("Shows if a workload {}", row.needs)};
  });
}

struct Listing {
  std::string_view name;
  std::string (*text)();
};
constexpr Listing kListings[] = {
    {"levels", list_levels},       {"formats", list_formats},
    {"anomalies", list_anomalies}, {"reports", list_reports},
    {"drivers", list_drivers},     {"workloads", list_workloads},
    {"faults", list_faults},       {"bugs", list_bugs}};

// "levels, formats or anomalies"
std::string all_names() {
  const Names names = names_of(std::span<const Listing>(kListings));
  return fmt::format("{} or {}",
                     fmt::join(names.begin(), names.end() - 1, ", "),
                     names.back());
}

class List : public Task {
 public:
  explicit List(Grammar& grammar) {
    grammar.argument("WHAT", wrapped_line(all_names(), 56, 0), what_,
                     names_of(std::span<const Listing>(kListings)));
  }

  Wrong settle() override {
    const std::span<const Listing> rows = kListings;
    if (what_.empty()) {
      return Misuse{fmt::format("list what? {}", all_names())};
    }
    listing_ = find_row(rows, what_);
    if (listing_ != nullptr) return std::nullopt;
    return Misuse{unknown_name_message("list", what_, rows)};
  }

  Result<Exit> run(Output& out) override {
    out.print(fitted(listing_->text(), STDOUT_FILENO));
    return Exit::ok;
  }

 private:
  std::string what_;
  const Listing* listing_ = nullptr;
};

}  // namespace

const Command kListCommand = {"list", "List levels, drivers, workloads, ...",
                              make<List>};

}  // namespace awdit::cli
