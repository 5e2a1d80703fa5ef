// Certificates as text, without blanks: a commit order of 10^7 transactions is
// most of it. The fields are described in docs/certificate.md.
#include "base/json.h"
#include "base/sink.h"
#include "witness/certificate_names.h"
#include "witness/witness.h"

namespace awdit {
namespace {

template <typename Tag>
void write_id(JsonWriter& json, std::string_view field, Id<Tag> id) {
  if (id.valid()) json.field(field, id.v);
}

void write_step(JsonWriter& json, const Step& step) {
  write_id(json, "from", step.from);
  write_id(json, "to", step.to);
  json.field("reason", kReasons[static_cast<std::size_t>(step.reason)].second);
  write_id(json, "write", step.write);
  write_id(json, "read", step.read);
}

void write_edge(JsonWriter& json, const Edge& edge) {
  json.begin_object();
  write_step(json, {edge.from, edge.to, edge.reason, edge.write, edge.read});
  write_id(json, "other_write", edge.other_write);
  write_id(json, "reader", edge.reader);
  write_id(json, "key", edge.key);
  if (!edge.seen.empty()) {
    json.key("seen");
    json.begin_array();
    for (const Step& step : edge.seen) {
      json.begin_object();
      write_step(json, step);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

void write_edges(JsonWriter& json, std::string_view field,
                 std::span<const Edge> edges) {
  if (edges.empty()) return;
  json.key(field);
  json.begin_array();
  for (const Edge& edge : edges) write_edge(json, edge);
  json.end_array();
}

// Recursion as deep as lemmas nest, kDeepestLemma at most.
void write_lemmas(JsonWriter& json, std::string_view field,
                  std::span<const Lemma> lemmas) {
  if (lemmas.empty()) return;
  json.key(field);
  json.begin_array();
  for (const Lemma& lemma : lemmas) {
    json.begin_object();
    write_id(json, "key", lemma.key);
    write_id(json, "older", lemma.older);
    write_id(json, "newer", lemma.newer);
    write_id(json, "shown", lemma.shown);
    write_lemmas(json, "under", lemma.under);
    write_edges(json, "cycle", lemma.cycle);
    json.end_object();
  }
  json.end_array();
}

void write_violation(JsonWriter& json, const Violation& violation) {
  json.begin_object();
  json.field("kind", anomaly(violation.kind).name);
  if (const Finding* const finding = violation.finding()) {
    write_id(json, "read", finding->read);
    write_id(json, "write", finding->write);
    write_id(json, "other", finding->other);
    if (finding->element != kNoId) json.field("element", finding->element);
  } else if (const LostUpdate* const lost = violation.lost_update()) {
    write_id(json, "read", lost->read);
    write_id(json, "write", lost->write);
    write_id(json, "other", lost->other);
  } else {
    write_edges(json, "edges", violation.cycle()->edges);
    write_lemmas(json, "lemmas", violation.cycle()->lemmas);
  }
  json.end_object();
}

void write_level(JsonWriter& json, const LevelReport& level) {
  json.begin_object();
  json.field("level", level.level->name);
  json.field("verdict", name(level.verdict));
  if (level.follows_from != nullptr) {
    json.field("follows_from", level.follows_from->name);
  }
  if (level.limit != Limit::none) {
    json.field("limit", kLimits[static_cast<std::size_t>(level.limit)].second);
  }
  if (level.verdict == Verdict::holds) {
    json.key("commit_order");
    json.begin_array();
    for (const TxnId txn : level.commit_order) json.value(txn.v);
    json.end_array();
    if (speaks_of_snapshots(*level.level)) {
      json.key("snapshots");
      json.begin_array();
      for (const std::uint32_t size : level.snapshots) json.value(size);
      json.end_array();
    }
  } else if (level.verdict == Verdict::violated) {
    if (level.inherited != 0) json.field("inherited", level.inherited);
    if (level.more) json.field("more", true);
    if (!level.set_aside.empty()) {
      json.key("set_aside");
      json.begin_array();
      for (const OpId read : level.set_aside) json.value(read.v);
      json.end_array();
    }
    json.key("violations");
    json.begin_array();
    for (const Violation& violation : level.violations) {
      write_violation(json, violation);
    }
    json.end_array();
  }
  json.end_object();
}

}  // namespace

std::string write_certificate(const History& history, const Report& report,
                              const Origin& origin) {
  std::string text;
  {
    Sink sink(text);
    JsonWriter json(sink);
    json.begin_object();
    json.field("format", kCertificateFormat);
    json.field("version", kCertificateVersion);
    json.key("history");
    json.begin_object();
    if (!origin.paths.empty()) {
      json.key("paths");
      json.begin_array();
      for (const std::string& path : origin.paths)
        json.value(std::string_view(path));
      json.end_array();
      json.field("format", origin.format);
    }
    json.field("sessions", history.num_sessions());
    json.field("transactions", history.num_txns());
    json.field("operations", history.num_ops());
    json.end_object();
    if (!history.session_order()) json.field("session_order", false);
    if (origin.first) json.field("stopped_at_first", true);
    json.key("levels");
    json.begin_array();
    for (const LevelReport& level : report.levels) write_level(json, level);
    json.end_array();
    json.end_object();
    sink.append('\n');
  }
  return text;
}

}  // namespace awdit
