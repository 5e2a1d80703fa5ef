#include "report/page_story.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "base/json.h"
#include "history/text.h"
#include "report/arrows.h"
#include "report/page_order.h"
#include "report/page_strips.h"
#include "report/page_text.h"
#include "report/reproducer.h"
#include "tell/tell.h"

namespace awdit {
namespace {

constexpr std::size_t kMostTxns = 40;
constexpr std::size_t kMostSteps = 30;
constexpr std::size_t kMostOps = 24;  // of a transaction
constexpr std::size_t kNote = 600;

// Of `n` things the first and last ones, `most` altogether: whether to keep i.
bool kept(std::size_t i, std::size_t n, std::size_t most) {
  return n <= most || i < most / 2 || i >= n - most / 2;
}

// An operation of init: it writes every key.
std::int64_t init_op(KeyId key) { return -1 - std::int64_t{key.v}; }

class Writer {
 public:
  Writer(const PageFrame& frame, const Story& story, Sink& sink)
      : frame_(frame), history_(frame.history), story_(story), json_(sink) {
    for (std::size_t i = 0; i < story.txns.size(); ++i) {
      if (!kept(i, story.txns.size(), kMostTxns)) continue;
      const TxnId txn = story.txns[i].txn;
      wanted_.push_back(txn);
      shorten_.add_name(history_.txn_name(txn));
      shorten_.add_name(history_.session_name(history_.session(txn)));
      for (const Exhibit& exhibit : story.txns[i].ops) {
        shorten_.add(history_, exhibit.op);
      }
    }
    wanted_.push_back(history_.init_txn());
    std::ranges::sort(wanted_);
    drawn_ = page_arrows(history_, story, wanted_);
    if (!awdit::has_init(history_, drawn_.arrows)) wanted_.pop_back();
    order_ = page_order(history_, wanted_, drawn_.arrows);
  }

  void write() {
    const Anomaly& row = anomaly(story_.violation.kind);
    json_.begin_object();
    json_.field("kind", row.name);
    json_.field("name", title(row.kind));
    json_.field("also", row.also);
    json_.field("sentence", row.sentence);
    json_.field("title", shorten_(story_.title));
    json_.field("headline", shorten_(story_.headline));
    if (const std::string plain = plain_words(history_, story_.violation);
        !plain.empty()) {
      json_.field("plain", shorten_(plain));
    }
    json_.field("count", story_.count);
    json_.field("level", story_.level->name);
    json_.array("breaks", level_names(story_.breaks));
    json_.array("keeps", level_names(story_.keeps));
    json_.array("weakest_broken", level_names(weakest_of(story_.breaks)));
    json_.array("strongest_kept", level_names(strongest_of(story_.keeps)));
    json_.begin_array("keys");
    for (std::size_t i = 0; i < story_.keys.size() && i < kMostTxns; ++i) {
      json_.value(cut(history_.key_label(story_.keys[i]), kLabel));
    }
    json_.end_array();
    json_.field("by_time", order_.by_time);
    lanes();
    json_.array("transactions", order_.txns,
                [&](const TxnId txn) { transaction(txn); });
    json_.field("transactions_left_out",
                story_.txns.size() - (wanted_.size() - (has_init() ? 1 : 0)));
    arrows();
    steps();
    json_.field("contradiction", shorten_(story_.proof.contradiction));
    guilty();
    write_strips(frame_, story_, order_.txns, json_);
    json_.array("terms", story_.terms,
                [&](const Word* term) { json_.value(term->word); });
    reproducer();
    json_.end_object();
  }

 private:
  bool has_init() const { return history_.is_init(wanted_.back()); }
  std::size_t place(TxnId txn) const {
    return static_cast<std::size_t>(std::ranges::find(order_.txns, txn) -
                                    order_.txns.begin());
  }
  bool is_shown(TxnId txn) const {
    return std::ranges::binary_search(wanted_, txn);
  }
  const StoryTxn& shown(TxnId txn) const {
    return *std::ranges::find_if(
        story_.txns, [&](const StoryTxn& t) { return t.txn == txn; });
  }
  std::string txn_name(TxnId txn) const {
    return cut_name(history_.txn_name(txn));
  }
  std::string session_name(SessionId session) const {
    return cut_name(history_.session_name(session));
  }

  // -- who -----------------------------------------------------------------

  // Transactions [first, last) of a session that are not shown.
  void gap(std::uint32_t first, std::uint32_t last) {
    constexpr std::uint32_t kEnds = 3;
    json_.begin_object();
    json_.field("count", last - first);
    json_.begin_array("names");
    for (std::uint32_t t = first; t < last; ++t) {
      if (last - first > 2 * kEnds && t == first + kEnds) t = last - kEnds;
      json_.value(txn_name(TxnId(t)));
    }
    json_.end_array();
    json_.end_object();
  }

  // Sessions, in the order in which their first transaction is met.
  void lanes() {
    std::vector<SessionId> sessions;
    for (const TxnId txn : order_.txns) {
      if (history_.is_init(txn)) continue;
      const SessionId session = history_.session(txn);
      if (std::ranges::find(sessions, session) == sessions.end()) {
        sessions.push_back(session);
      }
    }
    json_.begin_array("lanes");
    for (const SessionId session : sessions) {
      const IdRange<TxnId> all = history_.txns(session);
      json_.begin_object();
      json_.field("session", session_name(session));
      json_.field("transactions", all.size());
      json_.begin_array("shown");
      std::uint32_t next = all.first;
      for (const TxnId txn : order_.txns) {
        if (history_.is_init(txn) || history_.session(txn) != session) continue;
        json_.value(place(txn));
        next = txn.v + 1;
      }
      json_.end_array();
      if (next != all.last) {
        json_.key("after");
        gap(next, all.last);
      }
      json_.end_object();
    }
    json_.end_array();
  }

  void transaction(TxnId txn) {
    json_.begin_object();
    json_.field("name", txn_name(txn));
    if (history_.is_init(txn)) {
      json_.field("status", "initial");
      initial_ops();
      json_.end_object();
      return;
    }
    json_.field("status", name(history_.status(txn)));
    json_.field("session", session_name(history_.session(txn)));
    json_.field("position", history_.input_position(txn) + 1);
    if (const auto label = history_.txn_label(txn)) json_.field("id", *label);
    if (is_promoted(frame_.report, txn)) json_.field("promoted", true);
    if (const std::string_view node = history_.node(txn); !node.empty()) {
      json_.field("node", cut(node, kLabel));
    }
    if (const std::string_view meta = history_.meta(txn); !meta.empty()) {
      json_.field("meta", cut(meta, kNote));
    }
    if (const auto times = shown_times(history_, txn)) {
      if (times->begin != kNoTime) time("begin", times->begin);
      if (times->end != kNoTime) time("end", times->end);
    }
    const StoryTxn& mine = shown(txn);
    if (const std::string lines = lines_text(history_, mine.ops);
        !lines.empty()) {
      json_.field("lines", cut(lines, 60));
    }
    // Ids grow along a session: the one shown before it, or its beginning.
    std::uint32_t before = history_.txns(history_.session(txn)).first;
    const auto at = std::ranges::lower_bound(wanted_, txn);
    if (at != wanted_.begin()) before = std::max(before, (at - 1)->v + 1);
    if (before != txn.v) {
      json_.key("before");
      gap(before, txn.v);
    }
    json_.begin_array("operations");
    std::uint64_t omitted = mine.omitted;
    for (std::size_t i = 0; i < mine.ops.size(); ++i) {
      if (kept(i, mine.ops.size(), kMostOps) || is_anchor(mine.ops[i].op)) {
        operation(mine.ops[i]);
      } else {
        ++omitted;
      }
    }
    json_.end_array();
    if (omitted != 0) json_.field("operations_left_out", omitted);
    json_.end_object();
  }

  bool is_anchor(OpId op) const {
    return std::ranges::any_of(drawn_.arrows, [&](const Arrow& arrow) {
      return arrow.at_from == op || arrow.at_to == op;
    });
  }

  void time(std::string_view field, std::int64_t at) {
    json_.field(field, time_text(history_.clock(), frame_.first_time, at));
  }

  void operation(const Exhibit& exhibit) {
    const OpId op = exhibit.op;
    const bool lists = history_.has_lists();
    const bool is_write = history_.is_write(op);
    json_.begin_object();
    json_.field("id", op.v);
    json_.field("type", !is_write ? "read" : lists ? "append" : "write");
    json_.field("key", cut(history_.key_label(history_.key(op)), kLabel));
    json_.field("value", cut(lists && !is_write
                                 ? list_text(history_, op, {exhibit.element})
                                 : history_.to_string(history_.value(op)),
                             kLabel));
    if (const std::uint32_t line = history_.place(op).line; line != 0) {
      json_.field("line", line);
    }
    if (exhibit.source == Source::txn) {
      json_.field("from", txn_name(exhibit.from));
    } else if (exhibit.source == Source::nobody) {
      json_.null("from");
    }
    json_.end_object();
  }

  void initial_ops() {
    std::vector<KeyId> keys;
    for (const Arrow& arrow : drawn_.arrows) {
      const bool touches =
          history_.is_init(arrow.from) || history_.is_init(arrow.to);
      if (touches && arrow.key.valid() &&
          std::ranges::find(keys, arrow.key) == keys.end()) {
        keys.push_back(arrow.key);
      }
    }
    json_.begin_array("operations");
    for (const KeyId key : keys) {
      json_.begin_object();
      json_.field("id", init_op(key));
      json_.field("type", "initial");
      json_.field("key", cut(history_.key_label(key), kLabel));
      json_.field("value", initial_text(history_));
      json_.end_object();
    }
    json_.end_array();
  }

  // -- why -----------------------------------------------------------------

  void end(std::string_view txn_field, TxnId txn, std::string_view op_field,
           OpId op, KeyId key) {
    json_.field(txn_field, place(txn));
    if (history_.is_init(txn) && key.valid()) {
      json_.field(op_field, init_op(key));
    } else if (op.valid()) {
      json_.field(op_field, op.v);
    }
  }

  void arrows() {
    json_.begin_array("arrows");
    for (std::size_t i = 0; i < drawn_.arrows.size(); ++i) {
      const Arrow& arrow = drawn_.arrows[i];
      json_.begin_object();
      json_.field("type", style_of(arrow.kind).name_on_page);
      end("from", arrow.from, "from_op", arrow.at_from, arrow.key);
      end("to", arrow.to, "to_op", arrow.at_to, arrow.key);
      if (arrow.step != 0) {
        json_.field("step", arrow.step);
        const std::optional<Edge>& edge =
            story_.proof.steps[arrow.step - 1].edge;
        if (edge && edge->reason == Reason::inferred) derivation(*edge);
      }
      json_.end_object();
    }
    json_.end_array();
  }

  void derivation(const Edge& edge) {
    const Derivation why = derivation_of(history_, *story_.level, edge);
    json_.begin_object("derivation");
    json_.field("reader", txn_name(edge.reader));
    json_.field("returned", txn_name(edge.to));
    json_.field("other", txn_name(edge.from));
    json_.field("key", cut(history_.key_label(edge.key), kLabel));
    json_.field("axiom", story_.level->name);
    json_.field("read", shorten_(why.read));
    json_.field("wrote", shorten_(why.wrote));
    json_.array("seen", why.seen, [&](const std::string& sentence) {
      json_.value(shorten_(sentence));
    });
    json_.field("rule", shorten_(why.rule));
    json_.field("alternative", shorten_(why.alternative));
    json_.field("refuted", shorten_(why.refuted));
    json_.field("conclusion", shorten_(why.conclusion));
    json_.end_object();
  }

  void steps() {
    const std::vector<ProofStep>& all = story_.proof.steps;
    json_.begin_array("steps");
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!kept(i, all.size(), kMostSteps)) continue;
      json_.begin_object();
      json_.field("number", i + 1);
      json_.field("claim", shorten_(all[i].claim));
      json_.field("reason", shorten_(all[i].reason));
      if (all[i].edge) json_.field("inferred", true);
      if (all[i].depth != 0) json_.field("depth", all[i].depth);
      json_.begin_array("operations");
      std::size_t written = 0;
      for (const OpId op : all[i].ops) {
        if (is_shown(history_.txn_of(op)) && ++written <= kMostTxns) {
          json_.value(op.v);
        }
      }
      json_.end_array();
      json_.array("arrows", drawn_.of_step[i]);
      json_.end_object();
    }
    json_.end_array();
    json_.field("steps_left_out",
                all.size() <= kMostSteps ? 0 : all.size() - kMostSteps);
  }

  // The reads that returned what they must not.
  void guilty() {
    json_.begin_array("guilty");
    // Of two reads neither is to blame more than the other.
    if (const Finding* const finding = story_.violation.finding()) {
      json_.value(finding->read.v);
      if (story_.violation.kind == Kind::incompatible_order) {
        json_.value(finding->other.v);
      }
    } else if (const LostUpdate* const lost = story_.violation.lost_update()) {
      json_.value(lost->read.v);
      json_.value(lost->other.v);
    }
    std::vector<OpId> reads;
    for (const Arrow& arrow : drawn_.arrows) {
      if (arrow.step == 0) continue;
      const ProofStep& step = story_.proof.steps[arrow.step - 1];
      if (!step.edge || step.lemma || !step.edge->read.valid()) continue;
      const OpId read = step.edge->read;
      if (std::ranges::find(reads, read) != reads.end()) continue;
      reads.push_back(read);
      json_.value(read.v);
    }
    json_.end_array();
  }

  void reproducer() {
    const Reproducer small = reproducer_of(history_, story_);
    if (small.text.empty()) return;
    json_.record_field("reproducer", "format", small.format, "text",
                       small.text);
  }

  const PageFrame& frame_;
  const History& history_;
  const Story& story_;
  JsonWriter json_;
  Shortener shorten_;
  std::vector<TxnId> wanted_;  // ascending; init last, if it is shown
  PageArrows drawn_;
  PageOrder order_;
};

// The write that a read returned, as far as the evidence says; none: init's.
OpId source_of(const History& history, const Exhibit& read) {
  if (read.source != Source::txn || history.is_init(read.from)) return OpId();
  for (const OpId op : history.ops(read.from)) {
    if (history.is_write(op) && history.key(op) == history.key(read.op) &&
        history.value(op) == history.value(read.op)) {
      return op;
    }
  }
  return OpId();
}

}  // namespace

std::vector<OpId> page_ops(const History& history, const Story& story) {
  std::vector<OpId> ops;
  for (std::size_t i = 0; i < story.txns.size(); ++i) {
    if (!kept(i, story.txns.size(), kMostTxns)) continue;
    for (const Exhibit& exhibit : story.txns[i].ops) {
      ops.push_back(exhibit.op);
      const OpId source = source_of(history, exhibit);
      if (source.valid()) ops.push_back(source);
    }
  }
  return ops;
}

std::string page_story(const PageFrame& frame, const Story& story) {
  std::string text;
  Sink sink(text);
  Writer(frame, story, sink).write();
  sink.flush();
  return text;
}

}  // namespace awdit
