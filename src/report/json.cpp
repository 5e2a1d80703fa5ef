// The report for programs: one object per history, on one line. Its shape is
// promised in docs/check-output.schema.json and docs/verify-output.schema.json;
// what changes the meaning of a field there changes kVersion here.
//
// Unlike the text it lists every finding at every level that it breaks, each
// edge with all its operations: nothing is left to be looked up. Transactions
// of more than kFewOps operations show only those that the finding rests on,
// lists of more than kFewElements elements only their beginning and end.
#include "base/json.h"

#include "report/piece.h"

namespace awdit {
namespace {

constexpr int kVersion = 1;
constexpr std::uint32_t kFewOps = 8;
constexpr std::size_t kFewElements = 100;

std::string_view type_name(Reason reason) {
  static constexpr std::string_view kNames[] = {"so", "wr", "inferred",
                                                "rt", "ww", "rw"};
  return kNames[static_cast<std::size_t>(reason)];
}

class Object : Piece {
 public:
  using Piece::Piece;

  void write() {
    json_.begin_object();
    json_.field("version", kVersion);
    write_history();
    json_.field("stopped_at_first", options_.first);
    json_.objects("levels", report_.levels,
                  [&](const LevelReport& level) { write_level(level); });
    json_.array("strongest_holding", level_names(strongest_holding(report_)));
    json_.array("weakest_violated", level_names(weakest_violated(report_)));
    if (options_.known.any()) write_news();
    json_.array("warnings", history_.warnings());
    json_.end_object();
    sink_.append('\n');
  }

 private:
  void write_history() {
    const Tally counts = tally(history_, report_);
    json_.begin_object("history");
    json_.field("path", subject_.path);
    json_.field("format", subject_.format);
    json_.field("sessions", num_sessions(history_));
    json_.field("transactions", history_.num_txns());
    json_.field("operations", history_.num_ops());
    json_.field("keys", history_.num_keys());
    json_.field("committed", counts.committed);
    json_.field("aborted", counts.aborted);
    json_.field("unknown", counts.unknown);
    json_.field("promoted", report_.promoted.size());
    json_.field("dropped", report_.dropped);
    json_.field("session_order", history_.session_order());
    const std::vector<std::string> recorded = recorded_sentences(history_);
    if (!recorded.empty()) {
      json_.array("recorded", recorded);
    }
    json_.end_object();
  }

  void write_news() {
    const std::vector<std::uint64_t> counts = count_kinds(report_);
    for (const bool wanted : {true, false}) {
      std::vector<std::string_view> names;
      for (const Anomaly& row : anomalies()) {
        if (counts[static_cast<std::size_t>(row.kind)] != 0 &&
            options_.known.has(row.kind) == wanted) {
          names.push_back(row.name);
        }
      }
      json_.array(wanted ? "known" : "new", names);
    }
  }

  void write_level(const LevelReport& level) {
    json_.field("level", level.level->name);
    json_.field("verdict", name(level.verdict));
    if (level.follows_from != nullptr) {
      json_.field("follows_from", level.follows_from->name);
    }
    if (level.limit != Limit::none) {
      json_.field("limit", name(level.limit));
    }
    if (level.inherited != 0) json_.field("inherited", level.inherited);
    if (level.more) json_.field("more", true);
    if (!level.set_aside.empty()) {
      json_.array("set_aside", level.set_aside,
                  [&](const OpId read) { write_op(read); });
    }
    json_.begin_array("violations");
    for (const Violation& violation : level.violations) {
      if (sink_.closed()) break;
      write_violation(*level.level, violation);
    }
    json_.end_array();
  }

  void write_violation(const Level& level, const Violation& violation) {
    const std::vector<Exhibit> exhibits = exhibits_of(history_, violation);
    json_.begin_object();
    json_.field("kind", anomaly(violation.kind).name);
    json_.field("headline", headline(history_, violation));
    json_.array("keys", keys_of(history_, violation),
                [&](KeyId key) { write_atom(history_.key_atom(key)); });
    if (const Finding* const finding = violation.finding()) {
      write_op_field("read", finding->read);
      write_op_field("write", finding->write);
      write_op_field("other", finding->other);
      if (finding->element != kNoId) {
        json_.begin_object("element");
        json_.field("index", finding->element);
        write_atom("value", history_.element(finding->read, finding->element));
        json_.end_object();
      }
    } else if (const LostUpdate* const lost = violation.lost_update()) {
      write_op_field("read", lost->read);
      write_op_field("write", lost->write);
      write_op_field("other", lost->other);
    }
    json_.objects("transactions", transactions_of(history_, violation),
                  [&](TxnId txn) {
                    write_txn(txn, exhibits_in(history_, txn, exhibits));
                  });
    static const Cycle kNone;
    const Cycle& cycle =
        violation.cycle() == nullptr ? kNone : *violation.cycle();
    write_edges("edges", level, cycle.edges);
    write_lemmas("lemmas", level, cycle.lemmas);
    json_.end_object();
  }

  void write_lemmas(std::string_view field, const Level& level,
                    const std::vector<Lemma>& lemmas) {
    if (lemmas.empty()) return;
    json_.objects(field, lemmas, [&](const Lemma& lemma) {
      write_atom("key", history_.key_atom(lemma.key));
      json_.field("older", history_.txn_name(lemma.older));
      json_.field("newer", history_.txn_name(lemma.newer));
      if (lemma.shown.valid()) write_op_field("shown", lemma.shown);
      write_lemmas("under", level, lemma.under);
      write_edges("cycle", level, lemma.cycle);
    });
  }

  void write_edges(std::string_view field, const Level& level,
                   const std::vector<Edge>& edges) {
    json_.objects(field, edges,
                  [&](const Edge& edge) { write_edge(level, edge); });
  }

  void write_txn(TxnId txn, const std::vector<Exhibit>& exhibits) {
    json_.field("name", history_.txn_name(txn));
    json_.field("session", history_.session_label(history_.session(txn)));
    json_.field("position", history_.input_position(txn) + 1);
    if (const auto label = history_.txn_label(txn)) {
      json_.field("id", *label);
    } else {
      json_.null("id");
    }
    json_.field("status", name(history_.status(txn)));
    if (history_.status(txn) == Status::unknown) {
      json_.field("promoted", is_promoted(report_, txn));
    }
    const IdRange<OpId> ops = history_.ops(txn);
    if (!ops.empty() && history_.place(OpId(ops.first)).line != 0) {
      json_.field("line", history_.place(OpId(ops.first)).line);
    }
    json_.begin_array("operations");
    std::size_t written = 0;
    if (ops.size() <= kFewOps) {
      auto exhibit = exhibits.begin();
      for (OpId op : ops) {
        const bool known = exhibit != exhibits.end() && exhibit->op == op;
        write_op(known ? *exhibit++ : Exhibit{.op = op});
        ++written;
      }
    } else {
      for (const Exhibit& exhibit : exhibits) write_op(exhibit);
      written = exhibits.size();
    }
    json_.end_array();
    json_.field("operations_omitted", ops.size() - written);
  }

  void write_edge(const Level& level, const Edge& edge) {
    if (sink_.closed()) return;
    json_.field("from", history_.txn_name(edge.from));
    json_.field("to", history_.txn_name(edge.to));
    json_.field("type", type_name(edge.reason));
    json_.field("why", explain(history_, level, edge));
    if (edge.reason == Reason::session_order ||
        edge.reason == Reason::real_time) {
      return;
    }
    if (edge.reason != Reason::version_order) {
      write_op_field("read", edge.read);
    }
    write_op_field("write", edge.write);
    if (edge.reason != Reason::reads_from) {
      write_op_field("other_write", edge.other_write);
    }
    if (edge.reason == Reason::version_order ||
        edge.reason == Reason::anti_dependency) {
      write_atom("key", history_.key_atom(edge.key));
    }
    if (edge.reason == Reason::inferred) {
      json_.field("axiom", level.name);
      json_.field("t1", history_.txn_name(edge.to));
      json_.field("t2", history_.txn_name(edge.from));
      json_.field("t3", history_.txn_name(edge.reader));
      write_atom("key", history_.key_atom(edge.key));
      json_.objects("seen", edge.seen,
                    [&](const Step& step) { write_step(step); });
    }
  }

  void write_step(const Step& step) {
    json_.field("from", history_.txn_name(step.from));
    json_.field("to", history_.txn_name(step.to));
    json_.field("type", type_name(step.reason));
    if (step.reason == Reason::reads_from) {
      write_op_field("read", step.read);
      write_op_field("write", step.write);
    }
  }

  // An operation on its own: it says which transaction it belongs to.
  void write_op_field(std::string_view field, OpId op) {
    json_.key(field);
    if (!op.valid()) {
      json_.null();
      return;
    }
    write_op(op);
  }
  void write_op(OpId op) {
    json_.begin_object();
    json_.field("transaction", history_.txn_name(history_.txn_of(op)));
    write_op_content(op);
    json_.end_object();
  }

  // An operation inside the list of its transaction.
  void write_op(const Exhibit& exhibit) {
    json_.begin_object();
    write_op_content(exhibit.op);
    if (exhibit.source == Source::txn) {
      json_.field("from", history_.txn_name(exhibit.from));
    } else if (exhibit.source == Source::nobody) {
      json_.null("from");
    }
    json_.end_object();
  }

  void write_op_content(OpId op) {
    const bool lists = history_.has_lists();
    const bool is_write = history_.is_write(op);
    json_.field("type", !is_write ? "read" : lists ? "append" : "write");
    write_atom("key", history_.key_atom(history_.key(op)));
    json_.key("value");
    if (lists && !is_write) {
      write_list(op);
    } else {
      write_atom(history_.value(op));
    }
    if (const std::uint32_t line = history_.place(op).line; line != 0) {
      json_.field("line", line);
    }
  }

  // Many findings may be about one long list.
  void write_list(OpId read) {
    const std::size_t size = history_.list_size(read);
    const std::size_t omitted = size > kFewElements ? size - kFewElements : 0;
    json_.begin_array();
    for (std::size_t i = 0; i < size; ++i) {
      if (omitted != 0 && i == kFewElements / 2) i += omitted;
      write_atom(history_.element(read, i));
    }
    json_.end_array();
    if (omitted != 0) json_.field("elements_omitted", omitted);
  }

  void write_atom(std::string_view field, Atom atom) {
    json_.key(field);
    write_atom(atom);
  }
  void write_atom(Atom atom) { awdit::write_atom(history_, atom, json_); }

  JsonWriter json_{sink_};
};

}  // namespace

void write_json(const Subject& subject, const Excerpt& shown,
                const ReportOptions& options, Sink& sink) {
  Object(subject, shown, options, sink).write();
}

void write_checks_json(const Subject& subject, std::string_view certificate,
                       std::span<const LevelCheck> checks,
                       const ReportOptions& /*options*/, Sink& sink) {
  JsonWriter json(sink);
  json.begin_object();
  json.field("version", kVersion);
  json.record_field("history", "path", subject.path, "format", subject.format,
                    "sessions", num_sessions(subject.history), "transactions",
                    subject.history.num_txns(), "operations",
                    subject.history.num_ops());
  json.field("certificate", certificate);
  bool all = true;
  json.objects("levels", checks, [&](const LevelCheck& check) {
    json.field("level", check.level->name);
    json.field("verdict", name(check.verdict));
    json.field("accepted", check.accepted);
    if (!check.accepted) json.field("objection", check.objection);
    all = all && check.accepted;
  });
  json.field("accepted", all);
  json.end_object();
  sink.append('\n');
}

void write_error_json(std::string_view path, const Error& error, Sink& sink) {
  JsonWriter json(sink);
  json.begin_object();
  json.field("version", kVersion);
  json.record_field("history", "path", path);
  json.record_field("error", "where", error.where, "message", error.message,
                    "hint", error.hint);
  json.end_object();
  sink.append('\n');
}

}  // namespace awdit
