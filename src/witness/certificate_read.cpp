// Certificates from text.
//
// simdjson parses the whole text into its flat tape first; then we walk it with
// the path of the current element at hand, so that a complaint says where:
// "levels[2].violations[0].edges[3].from: expected a number, found a string".
// Fields we do not know are ignored, so that later minor additions stay
// readable; a newer version is refused, because its evidence may mean something
// else. A field that an object has twice is refused whatever it is called:
// readers of JSON take the first, the last or none of them, so that two
// verifiers would judge two different certificates.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "base/table.h"
#include "witness/certificate_names.h"
#include "witness/witness.h"

namespace awdit {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

std::string_view describe(element_type type) {
  return type == element_type::ARRAY        ? "an array"
         : type == element_type::OBJECT     ? "an object"
         : type == element_type::STRING     ? "a string"
         : type == element_type::BOOL       ? "a truth value"
         : type == element_type::NULL_VALUE ? "null"
                                            : "a number";
}

// What a certificate says may be long or strange; messages quote it briefly.
std::string shown(std::string_view text) {
  std::string result(text.substr(0, 40));
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20) c = '?';
  }
  if (result.size() < text.size()) result += "...";
  return result;
}

// An object with the path that leads to it. The first thing that is wrong is
// kept in `error`; what is asked for afterwards may be empty.
class Node {
 public:
  Node(std::string& error, element self, std::string path)
      : error_(error), self_(self), path_(std::move(path)) {}

  bool has(std::string_view field) const { return find(field).has_value(); }

  // Which is as good as none at all.
  bool is_empty_array(std::string_view field) const {
    simdjson::dom::array items;
    const std::optional<element> found = find(field);
    return found && !found->get(items) && items.size() == 0;
  }

  std::string_view text(std::string_view field) const {
    std::string_view value;
    const std::optional<element> found = required(field);
    if (found && found->get(value)) mismatch(join(field), "a string", *found);
    return value;
  }

  // "" if it is absent.
  std::string_view optional_text(std::string_view field) const {
    return has(field) ? text(field) : std::string_view();
  }
  bool optional_flag(std::string_view field, bool otherwise) const {
    bool value = otherwise;
    const std::optional<element> found = find(field);
    if (found && found->get(value))
      mismatch(join(field), "true or false", *found);
    return value;
  }

  template <typename Body>
  void each_text(std::string_view field, Body body) const {
    each(field, [&](element item, std::size_t index) {
      std::string_view value;
      if (item.get(value)) {
        mismatch(fmt::format("{}[{}]", join(field), index), "a string", item);
        return false;
      }
      body(value);
      return true;
    });
  }

  // A count or an id; what means "none" to us cannot be one.
  std::uint32_t number(std::string_view field) const {
    const std::optional<element> found = required(field);
    return found ? to_number(*found, join(field)) : kNoId;
  }
  // Absent ids are left out.
  std::uint32_t optional_number(std::string_view field) const {
    const std::optional<element> found = find(field);
    return found ? to_number(*found, join(field)) : kNoId;
  }

  Node object(std::string_view field) const {
    const std::optional<element> found = required(field);
    if (found && !found->is_object())
      mismatch(join(field), "an object", *found);
    return Node(error_, found.value_or(self_), join(field));
  }

  // Calls body(Node) for each object of an array.
  template <typename Body>
  void each_object(std::string_view field, Body body) const {
    each(field, [&](element item, std::size_t index) {
      std::string path = fmt::format("{}[{}]", join(field), index);
      if (item.is_object()) {
        body(Node(error_, item, std::move(path)));
      } else {
        mismatch(path, "an object", item);
      }
      return error_.empty();
    });
  }

  template <typename Body>
  void each_number(std::string_view field, Body body) const {
    each(field, [&](element item, std::size_t index) {
      std::uint64_t value = 0;
      if (item.get(value) || value >= kNoId) {
        to_number(item, fmt::format("{}[{}]", join(field), index));
        return false;
      }
      body(static_cast<std::uint32_t>(value));
      return true;
    });
  }

  void complain_about(std::string_view field, std::string what) const {
    complain(join(field), std::move(what));
  }

 private:
  std::optional<element> find(std::string_view field) const {
    element found;
    if (self_.at_key(field).get(found)) return std::nullopt;
    return found;
  }
  std::optional<element> required(std::string_view field) const {
    std::optional<element> found = find(field);
    if (!found) complain(path_, fmt::format("\"{}\" is missing", field));
    return found;
  }

  // Calls body(element, index) for the items of an array until it returns
  // false.
  template <typename Body>
  void each(std::string_view field, Body body) const {
    const std::optional<element> found = required(field);
    if (!found) return;
    simdjson::dom::array items;
    if (found->get(items)) {
      mismatch(join(field), "an array", *found);
      return;
    }
    std::size_t index = 0;
    for (const element item : items) {
      if (!body(item, index++)) return;
    }
  }

  std::uint32_t to_number(element item, const std::string& path) const {
    std::uint64_t value = 0;
    if (item.get(value)) {
      complain(path, item.is_number()
                         ? "expected a whole number that is not negative"
                         : fmt::format("expected a number, found {}",
                                       describe(item.type())));
      return kNoId;
    }
    if (value >= kNoId) {
      complain(path, fmt::format("{} is too large", value));
      return kNoId;
    }
    return static_cast<std::uint32_t>(value);
  }

  std::string join(std::string_view field) const {
    if (path_.empty()) return std::string(field);
    return fmt::format("{}.{}", path_, field);
  }
  void mismatch(std::string_view path, std::string_view expected,
                element found) const {
    complain(path, fmt::format("expected {}, found {}", expected,
                               describe(found.type())));
  }
  void complain(std::string_view path, std::string what) const {
    if (!error_.empty()) return;
    error_ = path.empty() ? std::move(what) : fmt::format("{}: {}", path, what);
  }

  std::string& error_;
  element self_;
  std::string path_;
};

// The first of `rows` whose name(row) is the field's text; if there is none,
// that is complained about, and it is the first of all. `what`: "kind".
template <typename Rows, typename Name>
const auto& read_name(const Node& place, std::string_view what,
                      const Rows& rows, Name&& name) {
  const std::string_view text = place.text(what);
  const auto found =
      std::find_if(std::begin(rows), std::end(rows),
                   [&](const auto& row) { return name(row) == text; });
  if (found != std::end(rows)) return *found;
  place.complain_about(what,
                       fmt::format("unknown {} \"{}\"", what, shown(text)));
  return *std::begin(rows);
}

// read(Node) of each object of an array, which may be absent unless it is
// `needed`.
template <typename Read>
auto read_list(const Node& place, std::string_view field, Read&& read,
               bool needed = false) {
  std::vector<decltype(read(place))> all;
  if (needed || place.has(field)) {
    place.each_object(field, [&](const Node& it) { all.push_back(read(it)); });
  }
  return all;
}

// A step is of one of the first two.
Reason read_reason(const Node& place, std::size_t rows = kReasons.size()) {
  return read_name(place, "reason", std::span(kReasons).first(rows),
                   [](const auto& row) { return row.second; })
      .first;
}

// Likewise the numbers of an array.
template <typename Number>
std::vector<Number> read_numbers(const Node& place, std::string_view field,
                                 bool needed = false) {
  std::vector<Number> all;
  if (needed || place.has(field)) {
    place.each_number(field,
                      [&](std::uint32_t number) { all.emplace_back(number); });
  }
  return all;
}

Step read_step(const Node& place) {
  for (const char* field : {"other_write", "reader", "key", "seen"}) {
    if (place.has(field) && !place.is_empty_array(field)) {
      place.complain_about(field, "a step of what was seen has no such field");
    }
  }
  return {TxnId(place.number("from")), TxnId(place.number("to")),
          read_reason(place, 2), OpId(place.optional_number("write")),
          OpId(place.optional_number("read"))};
}

Edge read_edge(const Node& place) {
  Edge edge;
  edge.from = TxnId(place.number("from"));
  edge.to = TxnId(place.number("to"));
  edge.reason = read_reason(place);
  edge.write = OpId(place.optional_number("write"));
  edge.read = OpId(place.optional_number("read"));
  edge.other_write = OpId(place.optional_number("other_write"));
  edge.reader = TxnId(place.optional_number("reader"));
  edge.key = KeyId(place.optional_number("key"));
  edge.seen = read_list(place, "seen", read_step);
  return edge;
}

// Recursion as deep as the JSON is nested, which the parser limits.
Lemma read_lemma(const Node& place) {
  Lemma lemma;
  lemma.key = KeyId(place.number("key"));
  lemma.older = TxnId(place.number("older"));
  lemma.newer = TxnId(place.number("newer"));
  lemma.shown = OpId(place.optional_number("shown"));
  lemma.under = read_list(place, "under", read_lemma);
  lemma.cycle = read_list(place, "cycle", read_edge);
  return lemma;
}

// Evidence has the form of its kind. What it has besides would be lost: then it
// is read as that, and the verifier rejects it for its form.
Violation read_violation(const Node& place) {
  Violation violation;
  const Anomaly& row = read_name(place, "kind", anomalies(),
                                 [](const Anomaly& it) { return it.name; });
  violation.kind = row.kind;
  const Finding reads{.read = OpId(place.optional_number("read")),
                      .write = OpId(place.optional_number("write")),
                      .other = OpId(place.optional_number("other")),
                      .element = place.optional_number("element")};
  Cycle cycle{read_list(place, "edges", read_edge),
              read_list(place, "lemmas", read_lemma)};
  const bool has_reads = reads.read.valid() || reads.write.valid() ||
                         reads.other.valid() || reads.element != kNoId;
  const bool has_cycle = !cycle.edges.empty() || !cycle.lemmas.empty();
  const bool of_reads =
      row.form == Form::finding || row.form == Form::lost_update;
  if (of_reads ? has_cycle : !has_reads) {
    violation.evidence = std::move(cycle);
  } else if (row.form == Form::lost_update && reads.element == kNoId) {
    violation.evidence = LostUpdate{reads.read, reads.other, reads.write};
  } else {
    violation.evidence = reads;
  }
  return violation;
}

const Level* read_level_name(const Node& place, std::string_view field) {
  const std::string_view name = place.text(field);
  const Level* level = find_row(levels(), name);
  if (level == nullptr) {
    place.complain_about(field,
                         unknown_name_message("level", shown(name), levels()));
  }
  return level;
}

LevelReport read_level(const Node& place) {
  LevelReport report;
  report.level = read_level_name(place, "level");
  constexpr Verdict kVerdicts[] = {Verdict::holds, Verdict::violated,
                                   Verdict::undecided};
  report.verdict = read_name(place, "verdict", kVerdicts,
                             [](Verdict it) { return name(it); });
  const bool holds = report.verdict == Verdict::holds;
  report.commit_order = read_numbers<TxnId>(place, "commit_order", holds);
  report.snapshots = read_numbers<std::uint32_t>(
      place, "snapshots",
      holds && report.level != nullptr && speaks_of_snapshots(*report.level));
  report.violations = read_list(place, "violations", read_violation,
                                report.verdict == Verdict::violated);
  if (place.has("follows_from")) {
    report.follows_from = read_level_name(place, "follows_from");
  }
  if (place.has("limit")) {
    // Limit::none has no name that could be given.
    report.limit = read_name(place, "limit", std::span(kLimits).subspan(1),
                             [](const auto& row) { return row.second; })
                       .first;
  }
  if (place.has("inherited")) report.inherited = place.number("inherited");
  report.more = place.optional_flag("more", false);
  report.set_aside = read_numbers<OpId>(place, "set_aside");
  return report;
}

Certificate read_root(const Node& root) {
  Certificate certificate;
  if (root.text("format") != kCertificateFormat) {
    root.complain_about("format",
                        fmt::format("this is not an {}", kCertificateFormat));
  }
  const std::uint32_t version = root.number("version");
  if (version != kCertificateVersion) {
    root.complain_about(
        "version",
        fmt::format("certificates of version {} cannot be read, only those of "
                    "version {}",
                    version, kCertificateVersion));
  }
  const Node history = root.object("history");
  certificate.sessions = history.number("sessions");
  certificate.transactions = history.number("transactions");
  certificate.operations = history.number("operations");
  Origin& origin = certificate.origin;
  if (history.has("paths")) {
    history.each_text("paths", [&](std::string_view path) {
      origin.paths.emplace_back(path);
    });
  }
  origin.format = history.optional_text("format");
  origin.first = root.optional_flag("stopped_at_first", false);
  certificate.session_order = root.optional_flag("session_order", true);
  root.each_object("levels", [&](const Node& level) {
    certificate.levels.push_back(read_level(level));
  });
  return certificate;
}

// Looks for an object that has a field twice, in everything that is there.
// Recursion as deep as the JSON is nested, which the parser limits; where it is
// is only put into words for the complaint.
class TwinFinder {
 public:
  // "levels[0]: \"verdict\" is there twice", or "".
  std::string find(element root) {
    visit(root, {});
    return std::move(found_);
  }

 private:
  struct Place {
    const Place* up = nullptr;
    std::string_view field = {};  // of an object, else index
    std::size_t index = 0;
    bool in_array = false;
  };

  void visit(element value, const Place& place) {
    simdjson::dom::array items;
    simdjson::dom::object fields;
    if (value.get(items) == simdjson::SUCCESS) {
      std::size_t index = 0;
      for (const element item : items) {
        if (item.is_array() || item.is_object()) {
          visit(item, {&place, {}, index, true});
          if (!found_.empty()) return;
        }
        ++index;
      }
    } else if (value.get(fields) == simdjson::SUCCESS) {
      std::vector<std::string_view> names;
      for (const auto& [name, item] : fields) names.push_back(name);
      std::sort(names.begin(), names.end());
      const auto twin = std::adjacent_find(names.begin(), names.end());
      if (twin != names.end()) {
        const std::string path = path_of(&place);
        found_ = fmt::format("{}{}\"{}\" is there twice", path,
                             path.empty() ? "" : ": ", shown(*twin));
        return;
      }
      for (const auto& [name, item] : fields) {
        if (!item.is_array() && !item.is_object()) continue;
        visit(item, {&place, name, 0, false});
        if (!found_.empty()) return;
      }
    }
  }

  static std::string path_of(const Place* place) {
    std::vector<const Place*> way;
    for (; place->up != nullptr; place = place->up) way.push_back(place);
    std::string path;
    for (auto at = way.rbegin(); at != way.rend(); ++at) {
      const Place& here = **at;
      path += here.in_array ? fmt::format("[{}]", here.index)
                            : fmt::format("{}{}", path.empty() ? "" : ".",
                                          shown(here.field));
    }
    return path;
  }

  std::string found_;
};

Error make_error(std::string_view file, std::string message) {
  return {.where = std::string(file),
          .message = std::move(message),
          .excerpt = "",
          .hint =
              "Certificates are written by: awdit check --certificate FILE "
              "HISTORY."};
}

}  // namespace

Result<Certificate> read_certificate(std::string_view text,
                                     std::string_view file) {
  simdjson::dom::parser parser;
  element root;
  const simdjson::error_code failed =
      parser.parse(text.data(), text.size(), true).get(root);
  if (failed != simdjson::SUCCESS) {
    return make_error(file, text.empty() ? "the certificate is empty"
                            : failed == simdjson::DEPTH_ERROR
                                ? "it is nested too deeply"
                                : "this is not JSON, or it was cut short");
  }
  if (!root.is_object()) {
    return make_error(file, fmt::format("expected an object, found {}",
                                        describe(root.type())));
  }
  std::string error;
  Certificate certificate = read_root(Node(error, root, ""));
  if (!error.empty()) return make_error(file, std::move(error));
  error = TwinFinder().find(root);
  if (!error.empty()) {
    Error twin = make_error(file, std::move(error));
    twin.hint =
        "Which of the two is meant cannot be told: leave one out, or write the "
        "certificate anew with awdit check --certificate FILE HISTORY.";
    return twin;
  }
  return certificate;
}

}  // namespace awdit
