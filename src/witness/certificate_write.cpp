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
  write_step(json, step_of(edge));
  write_id(json, "other_write", edge.other_write);
  write_id(json, "reader", edge.reader);
  write_id(json, "key", edge.key);
  if (edge.seen.empty()) return;
  json.objects("seen", edge.seen,
               [&](const Step& step) { write_step(json, step); });
}

void write_edges(JsonWriter& json, std::string_view field,
                 std::span<const Edge> edges) {
  if (edges.empty()) return;
  json.objects(field, edges, [&](const Edge& edge) { write_edge(json, edge); });
}

// Recursion as deep as lemmas nest, kDeepestLemma at most.
void write_lemmas(JsonWriter& json, std::string_view field,
                  std::span<const Lemma> lemmas) {
  if (lemmas.empty()) return;
  json.objects(field, lemmas, [&](const Lemma& lemma) {
    write_id(json, "key", lemma.key);
    write_id(json, "older", lemma.older);
    write_id(json, "newer", lemma.newer);
    write_id(json, "shown", lemma.shown);
    write_lemmas(json, "under", lemma.under);
    write_edges(json, "cycle", lemma.cycle);
  });
}

void write_violation(JsonWriter& json, const Violation& violation) {
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
}

void write_level(JsonWriter& json, const LevelReport& level) {
  json.field("level", level.level->name);
  json.field("verdict", name(level.verdict));
  if (level.follows_from != nullptr) {
    json.field("follows_from", level.follows_from->name);
  }
  if (level.limit != Limit::none) {
    json.field("limit", kLimits[static_cast<std::size_t>(level.limit)].second);
  }
  if (level.verdict == Verdict::holds) {
    json.array("commit_order", level.commit_order,
               [&](TxnId txn) { json.value(txn.v); });
    if (speaks_of_snapshots(*level.level)) {
      json.array("snapshots", level.snapshots);
    }
  } else if (level.verdict == Verdict::violated) {
    if (level.inherited != 0) json.field("inherited", level.inherited);
    if (level.more) json.field("more", true);
    if (!level.set_aside.empty()) {
      json.array("set_aside", level.set_aside,
                 [&](OpId read) { json.value(read.v); });
    }
    json.objects("violations", level.violations,
                 [&](const Violation& it) { write_violation(json, it); });
  }
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
    json.begin_object("history");
    if (!origin.paths.empty()) {
      json.array("paths", origin.paths);
      json.field("format", origin.format);
    }
    json.field("sessions", history.num_sessions());
    json.field("transactions", history.num_txns());
    json.field("operations", history.num_ops());
    json.end_object();
    if (!history.session_order()) json.field("session_order", false);
    if (origin.first) json.field("stopped_at_first", true);
    json.objects("levels", report.levels,
                 [&](const LevelReport& level) { write_level(json, level); });
    json.end_object();
    sink.append('\n');
  }
  return text;
}

}  // namespace awdit
