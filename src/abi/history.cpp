// Histories read, written and counted.
#include <algorithm>
#include <utility>
#include <vector>

#include "abi/asked.h"
#include "abi/failure.h"
#include "abi/handles.h"
#include "abi/watch.h"
#include "base/memory.h"
#include "base/table.h"
#include "convert/convert.h"
#include "stats/stats.h"

namespace awdit::abi {
namespace {

// Errors about bytes have their place; those about calls need no name.
Trouble take(Result<Loaded> loaded, const std::string& name,
             awdit_history** history) {
  if (!loaded) return failed(std::move(loaded.error()));
  auto held = std::make_shared<Held>(
      Held{std::move(loaded->history), loaded->format, name});
  *history = new awdit_history{std::move(held)};
  return std::nullopt;
}

// No handler of SIGBUS, see Input::Options.
Access access_of(Watched& watched) {
  return {.may_map = false, .work = &watched.work};
}

std::string joined(const std::vector<std::string>& paths) {
  std::string name;
  for (const std::string& path : paths) {
    name += (name.empty() ? "" : ", ") + path;
  }
  return name;
}

Trouble write_as(const Shared& held, const Format& format,
                 const awdit_options& options, awdit_bytes** bytes,
                 awdit_bytes** losses) {
  if (format.write == nullptr || format.directory) {
    const std::string name(format.name);
    return failed({.message = format.write == nullptr
                                  ? name + " can only be read, not written"
                                  : name + " is a directory of files",
                   .hint = "Choose another format, or let awdit convert write "
                           "the directory."});
  }
  Result<Fitted> fitted =
      fit(copy_of(held), format, {.threads = options.threads});
  if (!fitted) return failed(std::move(fitted.error()));
  std::string text;
  {
    Sink sink(text);
    format.write(
        fitted->history,
        {[&](std::string_view) -> Sink& { return sink; }, options.threads});
  }
  std::string lost;
  for (const std::string& loss : fitted->losses) lost += loss + "\n";
  give(bytes, std::move(text));
  if (losses != nullptr) give(losses, std::move(lost));
  return std::nullopt;
}

template <typename Count>
std::uint64_t count(const awdit_history* history, Count&& of) {
  return history == nullptr ? 0 : of(history->held->history);
}

}  // namespace
}  // namespace awdit::abi

using namespace awdit::abi;

extern "C" {

awdit_status awdit_history_read(std::uint32_t abi, const char* const* paths,
                                std::size_t count, const char* format,
                                const awdit_options* options,
                                awdit_history** history,
                                awdit_error** error) noexcept {
  if (history != nullptr) *history = nullptr;
  return guarded(error, [&]() -> Trouble {
    if (Trouble wrong = awdit::abi::unless_known(abi)) return wrong;
    if (history == nullptr) return misuse("history is NULL");
    if (paths == nullptr || count == 0) return misuse("there is no path");
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
      if (paths[i] == nullptr) return misuse("a path is NULL");
      names.emplace_back(paths[i]);
      if (names.back() == "-") names.back() = "./-";
    }
    const awdit::Format* row = nullptr;
    if (Trouble wrong = awdit::abi::find_format(format, row)) return wrong;
    const Chosen chosen(options);
    return watch(*chosen, "reading", [&](awdit::abi::Watched& watched) {
      return take(
          awdit::read_history(names, row, chosen->threads,
                              awdit::abi::access_of(watched)),
          chosen->name.empty() ? awdit::abi::joined(names) : chosen->name,
          history);
    });
  });
}

awdit_status awdit_history_parse(std::uint32_t abi, const void* bytes,
                                 std::size_t size, const char* format,
                                 const awdit_options* options,
                                 awdit_history** history,
                                 awdit_error** error) noexcept {
  if (history != nullptr) *history = nullptr;
  return guarded(error, [&]() -> Trouble {
    if (Trouble wrong = awdit::abi::unless_known(abi)) return wrong;
    if (history == nullptr || (bytes == nullptr && size != 0)) {
      return misuse("history or bytes are NULL");
    }
    const awdit::Format* row = nullptr;
    if (Trouble wrong = awdit::abi::find_format(format, row)) return wrong;
    const Chosen chosen(options);
    const std::string name = chosen->name.empty() ? "history" : chosen->name;
    return watch(*chosen, "reading", [&](awdit::abi::Watched& watched) {
      // The history may lie in its bytes, which the caller takes away.
      awdit::Buffer copy(
          std::string_view(static_cast<const char*>(bytes), size));
      return take(
          awdit::read_history_of(std::move(copy), name, row, chosen->threads,
                                 awdit::abi::access_of(watched)),
          name, history);
    });
  });
}

awdit_status awdit_history_write(const awdit_history* history,
                                 const char* format,
                                 const awdit_options* options,
                                 awdit_bytes** bytes, awdit_bytes** losses,
                                 awdit_error** error) noexcept {
  if (bytes != nullptr) *bytes = nullptr;
  if (losses != nullptr) *losses = nullptr;
  return guarded(error, [&]() -> Trouble {
    if (history == nullptr || format == nullptr || bytes == nullptr) {
      return misuse("history, format or bytes are NULL");
    }
    const awdit::Format* row = nullptr;
    if (Trouble wrong = awdit::abi::find_format(format, row)) return wrong;
    return write_as(history->held, *row, *Chosen(options), bytes, losses);
  });
}

awdit_status awdit_history_stats(const awdit_history* history,
                                 const char* report,
                                 const awdit_options* options,
                                 awdit_bytes** bytes,
                                 awdit_error** error) noexcept {
  if (bytes != nullptr) *bytes = nullptr;
  return guarded(error, [&]() -> Trouble {
    if (history == nullptr || report == nullptr || bytes == nullptr) {
      return misuse("history, report or bytes are NULL");
    }
    const awdit::ReportFormat* const row =
        awdit::find_row(awdit::reports(), report);
    if (row == nullptr || row->write_stats == nullptr) {
      return awdit::abi::no_such_name("statistics are written as text or json");
    }
    const Chosen chosen(options);
    const awdit::Stats stats =
        awdit::statistics(history->held->history, chosen->threads);
    std::string text;
    {
      awdit::Sink sink(text);
      row->write_stats(history->held->subject(), stats, chosen->report, sink);
    }
    awdit::abi::give(bytes, std::move(text));
    return std::nullopt;
  });
}

std::uint64_t awdit_history_sessions(const awdit_history* history) noexcept {
  return awdit::abi::count(history,
                           [](const auto& of) { return of.num_sessions(); });
}
std::uint64_t awdit_history_transactions(
    const awdit_history* history) noexcept {
  return awdit::abi::count(history,
                           [](const auto& of) { return of.num_txns(); });
}
std::uint64_t awdit_history_operations(const awdit_history* history) noexcept {
  return awdit::abi::count(history,
                           [](const auto& of) { return of.num_ops(); });
}
std::uint64_t awdit_history_keys(const awdit_history* history) noexcept {
  return awdit::abi::count(history,
                           [](const auto& of) { return of.num_keys(); });
}
const char* awdit_history_format(const awdit_history* history) noexcept {
  if (history == nullptr || history->held->format == nullptr) return "";
  return awdit::abi::literal(history->held->format->name);
}
const char* awdit_history_warning(const awdit_history* history,
                                  std::size_t i) noexcept {
  if (history == nullptr) return nullptr;
  const auto& warnings = history->held->history.warnings();
  return i < warnings.size() ? warnings[i].c_str() : nullptr;
}
void awdit_history_free(awdit_history* history) noexcept {
  // The pages of small ones serve those that follow.
  constexpr std::uint64_t kLarge = 4'000'000;  // operations
  const bool large = awdit_history_operations(history) > kLarge;
  delete history;
  if (large) awdit::release_pages();
}

}  // extern "C"
