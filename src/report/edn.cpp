// The report for Jepsen's users: a map as Elle's checkers return it, with
// Elle's names where they mean the same and ours otherwise. What Elle has no
// place for stands in keys of our own namespace, :awdit/..., which its readers
// skip.
//
//   {:valid? false, :anomaly-types [:G1a],
//    :anomalies {:G1a [{:op {...}, :writer {...}, :mop [:r "x" 1]}]},
//    :not #{:read-committed}, :also-not #{...}}
//
// Several histories are a vector of such maps. Results are read into memory as
// a whole, so groups, steps and elements are bounded and what is left out is
// counted.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/utf8.h"
#include "report/edn_models.h"
#include "report/piece.h"
#include "report/rows.h"
#include "tell/tell.h"

namespace awdit {
namespace {

constexpr std::uint32_t kGroupsPerKind = 100;
constexpr std::size_t kSteps = 1'000;
constexpr std::size_t kElements = 1'000;

std::string edn_string(std::string_view text) {
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = utf8_sequence(text.substr(i));
    const char c = text[i];
    if (size == 0) {
      result += "\xEF\xBF\xBD";  // U+FFFD
    } else if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (c == '\r') {
      result += "\\r";
    } else if (const int control = utf8_control(text.substr(i, size));
               control >= 0) {
      result += fmt::format("\\u{:04x}", control);
    } else {
      result += text.substr(i, size);
    }
    i += std::max<std::size_t>(size, 1);
  }
  return result + "\"";
}

bool is_keyword(std::string_view text) {
  if (text.size() < 2 || text[0] != ':') return false;
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (!letter(text[1])) return false;
  return std::all_of(text.begin() + 2, text.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '?';
  });
}

class ResultMap : Piece {
 public:
  using Piece::Piece;

  void write() {
    put("{{:valid? {}", validity());
    if (!shown_.told.empty()) {
      write_anomalies();
      const Refuted refuted = refuted_models(history_, report_);
      put("\n :not {}\n :also-not {}", set_of(refuted.weakest),
          set_of(refuted.stronger));
    }
    put("\n :awdit/path {}", edn_string(subject_.path));
    if (!history_.session_order()) put("\n :awdit/session-order false");
    put("\n :awdit/levels {{");
    for (std::size_t i = 0; i < report_.levels.size(); ++i) {
      put("{}:{} :{}", i == 0 ? "" : ", ", report_.levels[i].level->name,
          name(report_.levels[i].verdict));
    }
    put("}}");
    write_more();
    if (!shown_.untold.list().empty()) {
      put("\n :awdit/left-out {{");
      for (const Untold::OfKind& rest : shown_.untold.list()) {
        put("{}:{} {}", &rest == &shown_.untold.list().front() ? "" : ", ",
            anomaly(rest.kind).name, rest.violations);
      }
      put("}}");
    }
    put("}}\n");
  }

 private:
  template <typename... Parts>
  void put(fmt::format_string<Parts...> pattern, Parts&&... parts) {
    sink_.append(fmt::format(pattern, std::forward<Parts>(parts)...));
  }

  // Levels that may have more violations than were found.
  void write_more() {
    std::vector<std::string> names;
    for (const LevelReport& level : report_.levels) {
      if (level.more) names.push_back(":" + std::string(level.level->name));
    }
    if (!names.empty()) put("\n :awdit/more {}", set_of(names));
  }

  std::string_view validity() const {
    std::string_view valid = "true";
    for (const LevelReport& level : report_.levels) {
      if (level.verdict == Verdict::violated) return "false";
      if (level.verdict == Verdict::undecided) valid = ":unknown";
    }
    return valid;
  }

  std::string type_of(const Violation& violation) const {
    CycleTraits traits{.sessions = needs_sessions(history_, violation)};
    if (const Cycle* const cycle = violation.cycle()) {
      std::size_t missed = 0;
      const Edge* before = &cycle->edges.back();
      for (const Edge& edge : cycle->edges) {
        traits.reads_from |= edge.reason == Reason::reads_from;
        if (edge.reason == Reason::anti_dependency) {
          ++missed;
          traits.adjacent |= before->reason == Reason::anti_dependency;
        }
        before = &edge;
      }
      traits.missed_one = missed == 1;
      traits.missed_more = missed > 1;
    }
    return elle_type(violation.kind, traits);
  }

  static std::string set_of(const std::vector<std::string>& names) {
    std::string text = "#{";
    for (const std::string& name : names) {
      if (text.size() > 2) text += " ";
      text += name;
    }
    return text + "}";
  }

  void write_anomalies() {
    std::map<std::string, std::vector<const Story*>> of_type;
    for (const Story* story : shown_.told) {
      of_type[type_of(story->violation)].push_back(story);
    }
    put("\n :anomaly-types [");
    bool first = true;
    for (const auto& [type, group] : of_type) {
      put("{}{}", first ? "" : " ", type);
      first = false;
    }
    put("]\n :anomalies");
    first = true;
    for (const auto& [type, group] : of_type) {
      put("\n {}{}\n  [", first ? "{" : " ", type);
      first = false;
      for (const Story* story : group) {
        if (sink_.closed()) return;
        put("{}{{", story == group.front() ? "" : "\n   ");
        txns_.clear();
        for (const StoryTxn& txn : story->txns) txns_[txn.txn.v] = &txn;
        if (const Finding* const finding = story->violation.finding()) {
          write_finding(story->violation.kind, *finding);
        } else if (const LostUpdate* const lost =
                       story->violation.lost_update()) {
          write_lost_update(*lost);
        } else {
          write_cycle(*story, type);
        }
        put("\n    :awdit/kind :{}\n    :awdit/count {}\n    :awdit/headline "
            "{}}}",
            anomaly(story->violation.kind).name, story->count,
            edn_string(story->headline));
      }
      put("]");
    }
    put("}}");
  }

  // -- one read or two --------------------------------------------------------

  void write_lost_update(const LostUpdate& lost) {
    put(":key {}\n    :value {}\n    :txns [{}\n           {}]",
        key_of(lost.read), value_of(lost.read),
        op_of(history_.txn_of(lost.read)), op_of(history_.txn_of(lost.other)));
  }

  void write_finding(Kind kind, const Finding& found) {
    if (kind == Kind::incompatible_order) {
      put(":key {}\n    :values [{} {}]", key_of(found.read),
          value_of(found.read), value_of(found.other));
      return;
    }
    put(":op {}", op_of(history_.txn_of(found.read)));
    if (kind == Kind::aborted_read || kind == Kind::intermediate_read) {
      put("\n    :writer {}", op_of(history_.txn_of(found.write)));
    }
    put("\n    :mop {}", mop_of(found.read));
    switch (kind) {
      case Kind::own_write_ignored:
      case Kind::stale_own_write:
        // Of a list one knows only how it must end: with all own appends.
        if (history_.has_lists()) {
          put("\n    :expected [...");
          for (const OpId op : history_.ops(history_.txn_of(found.read))) {
            if (op < found.read && history_.is_write(op) &&
                history_.key(op) == history_.key(found.read)) {
              put(" {}", value_of(op));
            }
          }
          put("]");
        } else {
          put("\n    :expected {}", value_of(found.other));
        }
        break;
      case Kind::non_repeatable_read:
        put("\n    :expected {}", value_of(found.other));
        break;
      case Kind::duplicate_element:
        write_duplicates(found);
        break;
      default:
        if (found.element != kNoId) {
          put("\n    :element {}",
              atom(history_.element(found.read, found.element)));
        }
    }
  }

  void write_duplicates(const Finding& found) {
    const Atom element = history_.element(found.read, found.element);
    std::size_t times = 0;
    for (std::size_t i = 0; i < history_.list_size(found.read); ++i) {
      if (history_.element(found.read, i) == element) ++times;
    }
    put("\n    :duplicates {{{} {}}}", atom(element), times);
  }

  // -- cycles -----------------------------------------------------------------

  void write_cycle(const Story& story, const std::string& type) {
    const std::vector<Edge>& edges = story.violation.cycle()->edges;
    const std::size_t shown = std::min(edges.size(), kSteps);
    put(":cycle [");
    for (std::size_t i = 0; i < shown; ++i) {
      put("{}\n            ", op_of(edges[i].from));
    }
    put("{}]\n    :steps [", op_of(edges[shown - 1].to));
    for (std::size_t i = 0; i < shown; ++i) {
      put("{}", i == 0 ? "" : "\n            ");
      write_step(story, edges[i]);
    }
    put("]\n    :type {}", type);
    if (shown != edges.size()) {
      put("\n    :awdit/steps-left-out {}", edges.size() - shown);
    }
  }

  void write_step(const Story& story, const Edge& edge) {
    switch (edge.reason) {
      case Reason::session_order:
        put("{{:type :process, :process {}}}", process_of(edge.to));
        return;
      case Reason::real_time:
        put("{{:type :realtime}}");
        return;
      case Reason::reads_from:
        put("{{:type :wr, :key {}, :value {}", key_of(edge.read),
            last_value_of(edge.read));
        put_indices(edge, edge.write, edge.read);
        break;
      case Reason::inferred:
        put_versions(":ww", edge, edge.other_write, edge.write);
        put(", :awdit/reader {}, :awdit/because {}", op_of(edge.reader),
            edn_string(explain(history_, *story.level, edge)));
        break;
      case Reason::version_order:
        put_versions(":ww", edge, edge.write, edge.other_write);
        break;
      case Reason::anti_dependency:
        put_versions(":rw", edge, edge.read, edge.other_write);
        break;
    }
    put("}}");
  }

  // Of two versions of a key the one that `from` wrote or read, and the one of
  // `to`.
  void put_versions(std::string_view type, const Edge& edge, OpId from,
                    OpId to) {
    put("{{:type {}, :key {}, :value {}, :value' {}", type,
        atom(history_.key_atom(edge.key)), last_value_of(from),
        last_value_of(to));
    put_indices(edge, from, to);
  }

  void put_indices(const Edge& edge, OpId from, OpId to) {
    put_index(":a-mop-index", edge.from, from);
    put_index(":b-mop-index", edge.to, to);
  }

  // The place of an operation among those that its :value shows.
  void put_index(std::string_view field, TxnId txn, OpId op) {
    if (!op.valid() || history_.is_init(txn)) return;
    const StoryTxn* shown = shown_of(txn);
    if (shown == nullptr) return;
    for (std::size_t i = 0; i < shown->ops.size(); ++i) {
      if (shown->ops[i].op == op) put(", {} {}", field, i);
    }
  }

  // -- operations -------------------------------------------------------------

  // nullptr: the story does not show it.
  const StoryTxn* shown_of(TxnId txn) const {
    const auto found = txns_.find(txn.v);
    return found == txns_.end() ? nullptr : found->second;
  }

  std::string process_of(TxnId txn) const {
    if (history_.is_init(txn)) return ":awdit/init";
    return atom(history_.session_atom(history_.session(txn)));
  }

  std::string op_of(TxnId txn) const {
    if (history_.is_init(txn)) {
      return "{:index -1, :type :ok, :process :awdit/init, :f :txn, :value []}";
    }
    const auto label = history_.txn_label(txn);
    std::string_view type = ":ok";
    if (history_.status(txn) == Status::aborted) type = ":fail";
    if (history_.status(txn) == Status::unknown) type = ":info";
    std::string text =
        fmt::format("{{:index {}, :type {}, :process {}, :f :txn, :value [",
                    label ? *label : static_cast<std::int64_t>(txn.v), type,
                    process_of(txn));
    const StoryTxn* shown = shown_of(txn);
    if (shown == nullptr) return text + "]}";
    for (const Exhibit& exhibit : shown->ops) {
      if (text.back() != '[') text += " ";
      text += mop_of(exhibit.op);
    }
    text += "]";
    if (shown->omitted != 0) {
      text += fmt::format(", :awdit/mops-left-out {}", shown->omitted);
    }
    return text + "}";
  }

  std::string mop_of(OpId op) const {
    const std::string_view f = !history_.is_write(op) ? ":r"
                               : history_.has_lists() ? ":append"
                                                      : ":w";
    return fmt::format("[{} {} {}]", f, key_of(op), value_of(op));
  }

  std::string key_of(OpId op) const {
    return atom(history_.key_atom(history_.key(op)));
  }

  // Of init: nil.
  std::string last_value_of(OpId op) const {
    return op.valid() ? atom(history_.value(op)) : "nil";
  }

  std::string value_of(OpId op) const {
    if (!history_.has_lists() || history_.is_write(op)) {
      return atom(history_.value(op));
    }
    const std::size_t size = history_.list_size(op);
    std::string text = "[";
    for (std::size_t i = 0; i < size; ++i) {
      if (i != 0) text += " ";
      if (size > kElements && i == kElements / 2) {
        text += "... ";
        i = size - kElements / 2;
      }
      text += atom(history_.element(op, i));
    }
    return text + "]";
  }

  std::string atom(Atom atom) const {
    const std::string text = history_.to_string(atom);
    switch (atom.kind) {
      case Atom::Kind::integer:
        return text;
      case Atom::Kind::natural:
        return text + "N";
      case Atom::Kind::string:
        return is_keyword(text) ? text : edn_string(text);
      case Atom::Kind::nil:
        break;
    }
    return "nil";
  }

  // [txn] -> what the story that is written shows of it
  std::unordered_map<std::uint32_t, const StoryTxn*> txns_;
};

class Edn : public ReportWriter {
 public:
  Edn(const ReportOptions& options, Sink& sink)
      : ReportWriter(options, sink, kGroupsPerKind) {
    if (options_.several) sink_.append("[");
  }
  void write(const Subject& subject, const Excerpt& shown) override {
    ResultMap(subject, shown, options_, sink_).write();
  }
  void add_error(std::string_view path, const Error& error) override {
    sink_.append(fmt::format(
        "{{:valid? :unknown\n :error {}\n :awdit/path {}}}\n",
        edn_string(error.where + ": " + error.message), edn_string(path)));
  }
  void end() override {
    if (options_.several) sink_.append("]\n");
  }
};

}  // namespace

std::unique_ptr<ReportWriter> open_edn(const ReportOptions& options,
                                       Sink& sink) {
  return std::make_unique<Edn>(options, sink);
}

}  // namespace awdit
