#include "check/sources.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "check/lists.h"
#include "check/promotion.h"
#include "check/source_finder.h"

namespace awdit {
namespace {

Error duplicate_write(const History& history, EqualWrites pair) {
  OpId first(pair.first);
  OpId second(pair.second);
  if (history.place(first).line > history.place(second).line) {
    std::swap(first, second);
  }
  const std::uint32_t line = history.place(second).line;
  const auto by = [&](OpId op) {
    const std::string name = history.txn_name(history.txn_of(op));
    if (line == 0) return fmt::format("by {}", name);
    return fmt::format("by {} (line {})", name, history.place(op).line);
  };
  const std::string key = history.key_label(history.key(first));
  const std::string value = history.to_string(history.value(first));
  const bool lists = history.has_lists();
  return Error{
      .where = line == 0 ? "" : fmt::format("{}:1", line),
      .message = fmt::format("key {} gets the {} {} twice: {} and {}", key,
                             lists ? "element" : "value", value, by(first),
                             by(second)),
      .excerpt = "",
      .hint = fmt::format(
          "Reads of {}{}{} cannot be attributed, so no verdict would be sound. "
          "Record unique {} per key.",
          lists ? value : key, lists ? " in " : "=", lists ? key : value,
          lists ? "elements" : "values")};
}

}  // namespace

Result<Attributed> find_sources(const History& history, unsigned threads) {
  JoinedReads joined = join_reads(history, threads);
  if (joined.duplicate) return duplicate_write(history, *joined.duplicate);
  Attributed result{std::move(joined.sources), {}};
  Sources& sources = result.sources;
  std::optional<ListFinder> lists;
  if (history.has_lists()) {
    lists.emplace(history, threads, sources.of)
        .read_lists(joined.reads_of_unknown);
  }
  result.live = promote(history, std::move(joined.reads_of_unknown));
  for (const TxnId txn : result.live.promoted) {
    for (const OpId op : history.ops(txn)) {
      sources.reads += history.is_write(op) ? 0 : 1;
    }
  }
  if (const auto pair = find_live(history, result.live, joined.suspects)) {
    return duplicate_write(history, *pair);
  }
  if (lists) {
    sources.findings = lists->judge(result.live);
  } else if (history.has_unknown()) {
    std::erase_if(sources.findings, [&](const Violation& finding) {
      return !result.live[history.txn_of(read_of(finding)).v];
    });
  }
  return result;
}

}  // namespace awdit
