// Verdicts, and what is made of them.
#include <algorithm>
#include <utility>

#include "abi/asked.h"
#include "abi/failure.h"
#include "abi/handles.h"
#include "abi/watch.h"
#include "base/table.h"
#include "library/library.h"
#include "witness/witness.h"

namespace awdit::abi {

namespace {

Error placed_in(const Held& held, Error error) {
  error.where = held.name + (error.where.empty() ? "" : ":") + error.where;
  return error;
}

std::int32_t number(Verdict verdict) {
  static_assert(int{AWDIT_HOLDS} == int(Verdict::holds) &&
                int{AWDIT_VIOLATED} == int(Verdict::violated) &&
                int{AWDIT_UNDECIDED} == int(Verdict::undecided));
  return static_cast<std::int32_t>(verdict);
}

Trouble check_levels(const Shared& held, const WantedLevels& wanted,
                     const awdit_options& chosen, Watched& watched,
                     awdit_report** report) {
  Options options = chosen.check;
  options.threads = chosen.threads;
  options.work = &watched.work;
  Result<Report> checked =
      check(held->history, wanted.asked_of(held->history), options);
  if (!checked) return failed(placed_in(*held, std::move(checked.error())));
  Shared told = held;
  if (held->format != nullptr) {
    if (auto hint =
            initial_value_hint(held->history, *held->format, *checked)) {
      told = std::make_shared<Held>(
          Held{copy_of(held).with_warning(std::move(*hint)), held->format,
               held->name});
    }
  }
  auto made = std::make_unique<awdit_report>(
      awdit_report{.held = std::move(told),
                   .report = std::move(*checked),
                   .first = options.first,
                   .certifiable = options.commit_order});
  made->conclusion = conclusion(made->report);
  *report = made.release();
  return std::nullopt;
}

const LevelReport* level_of(const awdit_report* report, std::size_t i) {
  if (report == nullptr || i >= report->report.levels.size()) return nullptr;
  return &report->report.levels[i];
}

}  // namespace
}  // namespace awdit::abi

using namespace awdit::abi;

extern "C" {

awdit_status awdit_check(const awdit_history* history, const char* levels,
                         const awdit_options* options, awdit_report** report,
                         awdit_error** error) noexcept {
  if (report != nullptr) *report = nullptr;
  return guarded(error, [&]() -> Trouble {
    if (history == nullptr || report == nullptr) {
      return misuse("history or report is NULL");
    }
    awdit::WantedLevels wanted;
    if (Trouble wrong = awdit::abi::choose_levels(levels, wanted)) return wrong;
    const Chosen chosen(options);
    const awdit::abi::Shared held =
        awdit::abi::as_asked(history->held, *chosen);
    return watch(*chosen, "checking", [&](awdit::abi::Watched& watched) {
      return check_levels(held, wanted, *chosen, watched, report);
    });
  });
}

std::int32_t awdit_report_worst(const awdit_report* report) noexcept {
  if (report == nullptr) return -1;
  std::int32_t worst = AWDIT_HOLDS;
  for (const awdit::LevelReport& level : report->report.levels) {
    if (level.verdict == awdit::Verdict::violated) return AWDIT_VIOLATED;
    if (level.verdict == awdit::Verdict::undecided) worst = AWDIT_UNDECIDED;
  }
  return worst;
}
const char* awdit_report_conclusion(const awdit_report* report) noexcept {
  return report == nullptr ? "" : report->conclusion.c_str();
}
std::size_t awdit_report_levels(const awdit_report* report) noexcept {
  return report == nullptr ? 0 : report->report.levels.size();
}
const char* awdit_report_level(const awdit_report* report,
                               std::size_t i) noexcept {
  const awdit::LevelReport* const level = level_of(report, i);
  return level == nullptr ? nullptr : literal(level->level->name);
}
std::int32_t awdit_report_verdict(const awdit_report* report,
                                  std::size_t i) noexcept {
  const awdit::LevelReport* const level = level_of(report, i);
  return level == nullptr ? -1 : number(level->verdict);
}
const char* awdit_report_limit(const awdit_report* report,
                               std::size_t i) noexcept {
  const awdit::LevelReport* const level = level_of(report, i);
  if (level == nullptr) return nullptr;
  return level->limit == awdit::Limit::none ? "" : literal(name(level->limit));
}
std::size_t awdit_report_violations(const awdit_report* report,
                                    std::size_t i) noexcept {
  const awdit::LevelReport* const level = level_of(report, i);
  return level == nullptr ? 0 : level->violations.size();
}
const char* awdit_report_violation(const awdit_report* report, std::size_t i,
                                   std::size_t j) noexcept {
  const awdit::LevelReport* const level = level_of(report, i);
  if (level == nullptr || j >= level->violations.size()) return nullptr;
  return literal(awdit::anomaly(level->violations[j].kind).name);
}
std::int32_t awdit_report_verdict_on(const awdit_report* report,
                                     const char* level) noexcept {
  if (report == nullptr || level == nullptr) return -1;
  try {
    const awdit::Level* const row = awdit::find_named(awdit::levels(), level);
    for (const awdit::LevelReport& entry : report->report.levels) {
      if (entry.level == row) return number(entry.verdict);
    }
  } catch (...) {
    // There is no memory to spell the name.
  }
  return -1;
}

awdit_status awdit_report_render(const awdit_report* report, const char* format,
                                 const awdit_options* options,
                                 awdit_bytes** bytes,
                                 awdit_error** error) noexcept {
  if (bytes != nullptr) *bytes = nullptr;
  return guarded(error, [&]() -> Trouble {
    if (report == nullptr || format == nullptr || bytes == nullptr) {
      return misuse("report, format or bytes are NULL");
    }
    const awdit::ReportFormat* row = nullptr;
    if (Trouble wrong = awdit::abi::find_report(format, row)) return wrong;
    const Chosen chosen(options);
    awdit::ReportOptions shown = chosen->report;
    shown.first = report->first;
    std::string text;
    {
      awdit::Sink sink(text);
      const auto writer = row->open(shown, sink);
      const awdit::Subject subject = report->held->subject();
      writer->add(subject, awdit::stories(subject.history, report->report,
                                          writer->groups()));
      writer->end();
    }
    awdit::abi::give(bytes, std::move(text));
    return std::nullopt;
  });
}

awdit_status awdit_report_certificate(const awdit_report* report,
                                      awdit_bytes** bytes,
                                      awdit_error** error) noexcept {
  if (bytes != nullptr) *bytes = nullptr;
  return guarded(error, [&]() -> Trouble {
    if (report == nullptr || bytes == nullptr) {
      return misuse("report or bytes are NULL");
    }
    if (!report->certifiable) {
      return misuse("the check did not keep what a certificate needs",
                    "Set awdit_options_certificate before awdit_check.");
    }
    awdit::Origin origin{.paths = {}, .format = {}, .first = report->first};
    if (report->held->format != nullptr) {
      origin.paths = {report->held->name};
      origin.format = report->held->format->name;
    }
    awdit::abi::give(bytes, awdit::write_certificate(report->held->history,
                                                     report->report, origin));
    return std::nullopt;
  });
}

void awdit_report_free(awdit_report* report) noexcept { delete report; }

}  // extern "C"
