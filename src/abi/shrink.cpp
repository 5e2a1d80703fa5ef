// The smallest part of a history that shows a violation.
#include <utility>

#include "abi/asked.h"
#include "abi/failure.h"
#include "abi/handles.h"
#include "abi/watch.h"
#include "base/table.h"

namespace awdit::abi {
namespace {

Trouble find_kind(const char* name, std::optional<Kind>& kind) {
  if (name == nullptr) return std::nullopt;
  const Anomaly* const row = find_row(anomalies(), name);
  if (row == nullptr) {
    return no_such_name(unknown_name_message("kind", name, anomalies()));
  }
  kind = row->kind;
  return std::nullopt;
}

Trouble shrink_to(const Shared& held, const SmallestPlan& plan,
                  awdit_shrunk** shrunk) {
  std::optional<Smallest> smallest;
  NoneFound none;
  if (Outcome wrong = find_smallest(held->history, plan, smallest, none)) {
    if (wrong->where.empty()) wrong->where = held->name;
    return failed(std::move(*wrong));
  }
  if (!smallest) {
    return Failure{AWDIT_NOTHING,
                   {.where = held->name, .message = std::move(none.why)}};
  }
  auto part = std::make_shared<Held>(
      Held{std::move(smallest->part),
           plan.format != nullptr ? plan.format : held->format, held->name});
  *shrunk = new awdit_shrunk{std::move(part), smallest->level, smallest->kind,
                             std::move(smallest->headline), smallest->minimal};
  return std::nullopt;
}

}  // namespace
}  // namespace awdit::abi

using namespace awdit::abi;

extern "C" {

awdit_status awdit_shrink(const awdit_history* history, const char* levels,
                          const char* kind, const char* format,
                          const awdit_options* options, awdit_shrunk** shrunk,
                          awdit_error** error) noexcept {
  if (shrunk != nullptr) *shrunk = nullptr;
  return guarded(error, [&]() -> Trouble {
    if (history == nullptr || shrunk == nullptr) {
      return misuse("history or shrunk is NULL");
    }
    const Chosen chosen(options);
    awdit::WantedLevels wanted;
    if (Trouble wrong = awdit::abi::choose_levels(levels, wanted)) return wrong;
    awdit::SmallestPlan plan;
    if (Trouble wrong = awdit::abi::find_kind(kind, plan.kind)) return wrong;
    if (Trouble wrong = awdit::abi::find_format(format, plan.format)) {
      return wrong;
    }
    if (plan.format != nullptr && plan.format->write == nullptr) {
      return awdit::abi::no_such_name(std::string(plan.format->name) +
                                      " can only be read, not written");
    }
    const awdit::abi::Shared held =
        awdit::abi::as_asked(history->held, *chosen);
    plan.levels = wanted.asked_of(held->history);
    plan.options = chosen->check;
    plan.options.threads = chosen->threads;
    return watch(*chosen, "checking", [&](awdit::abi::Watched& watched) {
      plan.options.work = &watched.work;
      plan.stage = [&](std::string_view stage) {
        watched.stage.store(literal(stage));
      };
      Trouble trouble = shrink_to(held, plan, shrunk);
      return trouble;
    });
  });
}

awdit_status awdit_shrunk_history(const awdit_shrunk* shrunk,
                                  awdit_history** history,
                                  awdit_error** error) noexcept {
  if (history != nullptr) *history = nullptr;
  return guarded(error, [&]() -> Trouble {
    if (shrunk == nullptr || history == nullptr) {
      return misuse("shrunk or history is NULL");
    }
    *history = new awdit_history{shrunk->held};
    return std::nullopt;
  });
}
const char* awdit_shrunk_level(const awdit_shrunk* shrunk) noexcept {
  return shrunk == nullptr ? nullptr : literal(shrunk->level->name);
}
const char* awdit_shrunk_kind(const awdit_shrunk* shrunk) noexcept {
  return shrunk == nullptr ? nullptr
                           : literal(awdit::anomaly(shrunk->kind).name);
}
const char* awdit_shrunk_headline(const awdit_shrunk* shrunk) noexcept {
  return shrunk == nullptr ? nullptr : shrunk->headline.c_str();
}
std::int32_t awdit_shrunk_minimal(const awdit_shrunk* shrunk) noexcept {
  return shrunk != nullptr && shrunk->minimal;
}
void awdit_shrunk_free(awdit_shrunk* shrunk) noexcept { delete shrunk; }

}  // extern "C"
