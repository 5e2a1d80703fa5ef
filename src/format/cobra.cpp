// Cobra's client logs: a directory of binary files, one per session. See
// docs/formats/cobra.md.
//
// Idea: each log is walked twice, in parallel over logs: once to find out how
// it is written (nothing in the file says so) and which transactions deleted
// something, then into a shard of its own.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/flat_index.h"
#include "base/parallel.h"
#include "format/cobra_log.h"
#include "format/rows.h"
#include "format/text_place.h"
#include "history/builder.h"

namespace awdit {
namespace {

using cobra::kDelete;
using cobra::kGcFalse;
using cobra::kGcTrue;
using cobra::kInit;
using cobra::kNull;

bool is_outside(std::uint64_t txn) { return txn == kInit || txn == kNull; }

// Garbage collection of the instrumented client, no read of the application.
bool is_collection(const CobraRecord& record) {
  return record.type == 'R' && record.txn == kInit &&
         (record.write == kGcTrue || record.write == kGcFalse);
}

// "somewhere/T1.log" -> "T1"
std::string_view stem(std::string_view name) {
  name = last_name(name);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

Error error_in(const Input& input, std::size_t offset, std::string message,
               std::string hint) {
  return Error{.where = fmt::format("{}:byte {}", input.name(), offset),
               .message = std::move(message),
               .hint = std::move(hint)};
}

struct Log {
  const Input* input = nullptr;
  bool readable = false;
  CobraVariant variant = {};
  CobraMistake mistake = {};  // if not readable
  bool open = false;          // its last transaction does not end
  bool cut = false;           // it ends inside a record
  std::optional<std::size_t> backwards = {};  // where an end precedes its begin
  std::uint64_t txns = 0;
  std::vector<std::uint64_t> deleters = {};  // transactions, several times
};

// The first walk.
void survey(Log& log) {
  const std::string_view bytes = log.input->bytes();
  log.readable = find_variant(bytes, log.variant, log.mistake);
  if (!log.readable) return;
  CobraLog records(bytes, log.variant);
  std::uint64_t txn = 0;
  std::int64_t begin = kNoTime;
  walk_cobra(records, log.open, [&](const CobraRecord& record) {
    if (record.type == 'S') {
      txn = record.txn;
      begin = record.time;
      ++log.txns;
    } else if (record.type == 'C' || record.type == 'A') {
      if (log.variant.stamped && !log.backwards &&
          ends_before_it_begins({begin, record.time})) {
        log.backwards = record.offset;
      }
    } else if (record.write == kDelete) {
      log.deleters.push_back(record.type == 'R' ? record.txn : txn);
    }
  });
  log.cut = records.cut();
}

using Deletions = std::map<std::uint64_t, Atom>;  // by whom -> its text

Atom value_of(const CobraRecord& record, std::uint64_t txn,
              const Deletions& deletions) {
  const bool read = record.type == 'R';
  if (record.write == kDelete) {
    // Unknown only if the file changed since the first walk.
    const auto found = deletions.find(read ? record.txn : txn);
    return found == deletions.end() ? Atom::nil() : found->second;
  }
  if (read && is_outside(record.txn)) {
    if (record.write == kInit) return Atom::nil();
    if (record.write == kNull) return Atom::absent();
  }
  return Atom::integer(static_cast<std::int64_t>(record.write));
}

// The second walk. An end decides about a transaction, yet its status is
// needed at its beginning: operations wait until then.
void fill(const Log& log, Atom session, const Deletions& deletions,
          Builder::Shard& shard) {
  const std::string_view bytes = log.input->bytes();
  shard.reserve(bytes.size() / 28 + 1);
  CobraLog records(bytes, log.variant);
  std::vector<CobraRecord> waiting;
  CobraRecord begin{};
  const auto end = [&](Status status, std::int64_t time) {
    shard.select(session, static_cast<std::int64_t>(begin.txn), status);
    if (log.variant.stamped) shard.times(begin.time, time);
    for (const CobraRecord& op : waiting) {
      const Atom key = Atom::integer(static_cast<std::int64_t>(op.key));
      const Atom value = value_of(op, begin.txn, deletions);
      op.type == 'W' ? shard.write(key, value) : shard.read(key, value);
    }
    waiting.clear();
  };
  bool open = false;
  walk_cobra(records, open, [&](const CobraRecord& record) {
    if (record.type == 'S') {
      begin = record;
    } else if (record.type == 'C') {
      end(Status::committed, record.time);
    } else if (record.type == 'A') {
      end(Status::aborted, record.time);
    } else if (!is_collection(record)) {
      waiting.push_back(record);
    }
  });
  if (open) end(Status::unknown, kNoTime);
}

Outcome judge(const Log& log) {
  if (!log.readable) {
    return error_in(*log.input, log.mistake.offset, log.mistake.message,
                    "Cobra's logs are records of S, C, A, W and R with "
                    "big-endian numbers; was the file cut or converted?");
  }
  if (log.variant.text_keys) {
    return error_in(*log.input, 0,
                    "this log has texts as keys, which is not read here",
                    "Let the client log the hashes of keys, as Cobra's "
                    "benchmarks do.");
  }
  if (log.backwards) {
    return error_in(*log.input, *log.backwards,
                    "this transaction ends before it begins",
                    std::string(kIntervalRemedy));
  }
  return std::nullopt;
}

Outcome distinct_names(std::span<const Log> logs) {
  std::map<std::string_view, const Input*> seen;
  for (const Log& log : logs) {
    const auto [entry, is_new] =
        seen.emplace(stem(log.input->name()), log.input);
    if (is_new) continue;
    return error_in(*log.input, 0,
                    fmt::format("there are two logs of client {}; the other is "
                                "{}",
                                entry->first, entry->second->name()),
                    "Each directory of logs is a history of its own: name "
                    "one.");
  }
  return std::nullopt;
}

// The builder took two transactions for one: finds the second.
Error twice(std::span<const Log> logs) {
  for (const Log& log : logs) {
    CobraLog records(log.input->bytes(), log.variant);
    std::vector<std::pair<std::uint64_t, std::size_t>> begins;
    bool open = false;
    walk_cobra(records, open, [&](const CobraRecord& record) {
      if (record.type == 'S') begins.emplace_back(record.txn, record.offset);
    });
    std::sort(begins.begin(), begins.end());
    std::size_t second = SIZE_MAX;
    std::uint64_t txn = 0;
    for (std::size_t i = 1; i < begins.size(); ++i) {
      if (begins[i].first == begins[i - 1].first && begins[i].second < second) {
        std::tie(txn, second) = begins[i];
      }
    }
    if (second == SIZE_MAX) continue;
    return error_in(*log.input, second,
                    fmt::format("transaction {} begins a second time", txn),
                    "A client numbers its transactions; was a log appended to "
                    "an older one?");
  }
  return error_in(*logs[0].input, 0, "a transaction begins a second time", "");
}

void warn(Builder& builder, std::span<const Log> logs) {
  if (logs.size() == 1) {
    builder.warn(fmt::format(
        "only the log of one client was read, {}; if those of others lie "
        "beside it, name the directory.",
        stem(logs[0].input->name())));
  }
  for (const Log& log : logs) {
    if (!log.open && !log.cut) continue;
    builder.warn(
        fmt::format("{} ends {}, as a client leaves it that was stopped; {}.",
                    last_name(log.input->name()),
                    log.cut ? "inside a record" : "inside a transaction",
                    log.open ? "the outcome of its last transaction is unknown"
                             : "the record is left out"));
  }
}

}  // namespace

// The first two records begin as they must. Not more: a log that is damaged
// further on should be refused, not overlooked. Ids are small numbers, so that
// their bytes are no text.
bool sniff_cobra(std::string_view head) {
  constexpr std::string_view kRecords = "SCAWR";
  if (head.size() < 10 || head[0] != 'S') return false;
  const auto is_text = [](char c) { return c >= ' ' && c <= '~'; };
  if (std::all_of(head.begin() + 1, head.begin() + 9, is_text)) return false;
  return kRecords.find(head[9]) != std::string_view::npos ||
         (head.size() > 17 &&
          kRecords.find(head[17]) != std::string_view::npos);
}

Result<History> parse_cobra(std::span<const Input> files, unsigned threads) {
  std::vector<Log> logs(files.size());
  for (std::size_t i = 0; i < logs.size(); ++i) logs[i].input = &files[i];
  parallel_for(logs.size(), threads,
               [&](std::size_t i, unsigned) { survey(logs[i]); });
  for (const Log& log : logs) {
    if (Outcome failed = judge(log)) return *failed;
  }
  if (Outcome failed = distinct_names(logs)) return *failed;

  const bool stamped =
      std::any_of(logs.begin(), logs.end(),
                  [](const Log& log) { return log.variant.stamped; });
  Builder builder({.initial_value = Atom::nil(),
                   .labels_are_ids = true,
                   .clock = stamped ? Clock::milliseconds : Clock::none});
  std::vector<Atom> sessions;
  std::vector<Builder::Shard*> shards;
  Deletions deletions;
  std::uint64_t txns = 0;
  for (const Log& log : logs) {
    sessions.push_back(builder.string(stem(log.input->name())));
    shards.push_back(&builder.add_shard());
    txns += log.txns;
    for (const std::uint64_t txn : log.deleters) {
      Atom& text = deletions[txn];
      if (text.kind == Atom::Kind::string) continue;
      text = builder.string(
          fmt::format("deleted by {}", static_cast<std::int64_t>(txn)));
    }
  }
  warn(builder, logs);
  parallel_for(logs.size(), threads, [&](std::size_t i, unsigned) {
    fill(logs[i], sessions[i], deletions, *shards[i]);
  });
  Result<History> history = builder.finish(threads);
  if (history && history->num_txns() != txns) return twice(logs);
  return history;
}

}  // namespace awdit
