// Statistics for programs: docs/stats.schema.json.
#include "base/json.h"
#include "report/rows.h"

namespace awdit {
namespace {

constexpr int kVersion = 1;

void write_spread(JsonWriter& json, std::string_view field,
                  const Spread& spread) {
  json.begin_object(field);
  json.field("count", spread.count);
  json.field("total", spread.total);
  json.field("least", spread.least);
  json.field("median", spread.median);
  json.field("most", spread.most);
  json.begin_array("buckets");
  for (std::size_t i = 0; i < spread.buckets.size(); ++i) {
    if (spread.buckets[i] == 0) continue;
    json.record("from", bucket_first(i), "to", bucket_last(i), "count",
                spread.buckets[i]);
  }
  json.end_array();
  json.end_object();
}

void write_time(JsonWriter& json, const std::optional<TimeSpan>& time) {
  json.key("time");
  if (!time) {
    json.null();
    return;
  }
  json.record("clock", name(time->clock), "first", time->first, "last",
              time->last, "transactions", time->transactions);
}

void write_power(JsonWriter& json, const Result<Power>& power) {
  json.key("power");
  if (!power) {
    json.null();
    return;
  }
  json.begin_array();
  for (const Chance& chance : chances()) {
    const std::uint64_t count = (*power).*chance.count;
    json.record("anomaly", anomaly(chance.kind).name, "chances", count,
                "judgement", name(judge(count)));
  }
  json.end_array();
}

}  // namespace

void write_stats_json(const Subject& subject, const Stats& stats,
                      const ReportOptions& /*options*/, Sink& sink) {
  const History& history = subject.history;
  JsonWriter json(sink);
  json.begin_object();
  json.field("version", kVersion);
  json.begin_object("history");
  json.field("path", subject.path);
  json.field("format", subject.format);
  json.field("sessions", history.num_sessions());
  json.field("transactions", history.num_txns());
  json.field("committed", stats.committed);
  json.field("aborted", stats.aborted);
  json.field("unknown", stats.unknown);
  json.field("operations", history.num_ops());
  json.field("reads", stats.reads);
  json.field("writes", stats.writes);
  json.field("keys", history.num_keys());
  json.field("lists", history.has_lists());
  json.end_object();
  json.field("initial_reads", stats.initial_reads);
  json.field("repeated_writes", stats.repeated_writes);
  write_spread(json, "operations_per_transaction", stats.txn_ops);
  write_spread(json, "operations_per_key", stats.key_ops);
  write_spread(json, "transactions_per_session", stats.session_txns);
  if (stats.list_sizes) {
    write_spread(json, "elements_per_read", *stats.list_sizes);
  }
  write_time(json, stats.time);
  write_power(json, stats.power);
  json.array("warnings", history.warnings());
  json.end_object();
  sink.append('\n');
}

}  // namespace awdit
