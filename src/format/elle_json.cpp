// The operations of Jepsen as elle-cli reads them: one JSON array of objects.
// See docs/formats/elle-json.md.
//
// Idea: as jepsen_edn.cpp, with the other spelling. Where an object says first
// whose completion it is, which is usual, its micro-operations are parsed on
// the way; otherwise, and where an invocation's are needed, they are visited
// again.
#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "base/json.h"
#include "base/utf8.h"
#include "format/atom_cache.h"
#include "format/jepsen_ops.h"
#include "format/jepsen_write.h"
#include "format/json_text.h"
#include "format/leading_digits.h"
#include "format/pieces.h"
#include "format/rows.h"

namespace awdit {
namespace {

using Type = OpFrame::Type;
using Who = OpFrame::Who;

constexpr std::string_view kHint =
    "A history is an array of objects like {\"type\": \"ok\", \"process\": 0, "
    "\"value\": [[\"w\", 5, 1], [\"r\", 6, null]]}. Transactions of the "
    "workloads list-append (\"append\" and \"r\" of lists), rw-register and "
    "long-fork (\"w\" and \"r\") can be checked; bank, set, counter and "
    "cas-register histories are something else.";

Type type_of(std::string_view name) {
  if (name == "ok") return Type::ok;
  if (name == "invoke") return Type::invoke;
  if (name == "fail") return Type::fail;
  if (name == "info") return Type::info;
  return Type::none;
}

// A micro-operation as it is usually spelled, ["r", 5, null] or ["w",5,7]: the
// byte behind it, or nullptr if this is none. Padding makes it safe anywhere.
const char* usual_micro_op(const char* p, MicroOps::Op& op) {
  const auto comma = [](const char* at) -> const char* {
    if (*at != ',') return nullptr;
    return at[1] == ' ' ? at + 2 : at + 1;
  };
  if (p[0] != '[' || p[1] != '"') return nullptr;
  if ((p[2] == 'r' || p[2] == 'w') && p[3] == '"') {
    op.kind = p[2] == 'r' ? OpKind::read : OpKind::write;
    p += 4;
  } else if (std::memcmp(p + 2, "append\"", 7) == 0) {
    op.kind = OpKind::append;
    p += 9;
  } else {
    return nullptr;
  }
  p = comma(p);
  if (p == nullptr) return nullptr;
  p = usual_integer(p, op.key.bits);
  if (p == nullptr) return nullptr;
  p = comma(p);
  if (p == nullptr) return nullptr;
  if (std::memcmp(p, "null", 4) == 0) {
    op.value = Atom::nil();
    p += 4;
  } else {
    op.value.kind = Atom::Kind::integer;
    p = usual_integer(p, op.value.bits);
  }
  return p != nullptr && *p == ']' ? p + 1 : nullptr;
}

class JsonSource final : public OpSource {
 public:
  explicit JsonSource(const JsonText& text)
      : text_(text), mark_(text.input().bytes().size() - text.bytes().size()) {}

  std::size_t read(std::size_t from, std::size_t to, JepsenOps& ops) override {
    const std::size_t end = offset(text_.bytes().data() + text_.bytes().size());
    JsonReader json(text_, place(from));
    error_.reset();
    if (to != end) json.skip_no_further_than(place(to));
    bool more = *json.at() != ']' || from != offset(json.at());
    if (!more) json.open(']', "the end of the array");
    while (more) {
      const std::size_t at = offset(json.at());
      if (at >= to && to != end) return at;
      if (operation(json, ops)) {
        if (offset(json.at()) > to) return at;
        if (!ops.add(frame_, is_parsed_ ? &parsed_ : nullptr)) return at;
        more = json.next(']');
      } else if (to != end) {
        return at;
      }
      if (json.failed()) break;
      json.release_passed();
    }
    if (!json.failed() && !json.at_end()) json.expected("the end of the file");
    if (!json.failed()) return end;
    error_ = json.error();
    return PieceReader::kStop;
  }

  Outcome error() override { return std::exchange(error_, std::nullopt); }

  Outcome read_value(Stretch value, JepsenOps& ops, MicroOps& result) override {
    JsonReader json(text_, place(value.from));
    result.clear();
    if (micro_ops(json, ops, result)) return std::nullopt;
    return json.error();
  }

 private:
  // Everything but what `ops` makes of it.
  bool operation(JsonReader& json, JepsenOps& ops) {
    frame_.begin(offset(json.at()));
    is_parsed_ = false;
    if (!json.open('{', "an operation, which is an object")) return false;
    std::string_view name;
    while (json.field(name)) {
      if (!field(json, name, ops)) return false;
    }
    return !json.failed();
  }

  bool field(JsonReader& json, std::string_view name, JepsenOps& ops) {
    if (name == "value") return value(json, ops);
    if (name == "type") {
      std::string_view type;
      frame_.type = Type::none;
      if (*json.at() != '"') return json.skip();
      if (!json.string(type, "a type")) return false;
      frame_.type = type_of(type);
      return true;
    }
    if (name == "process") return process(json);
    if (name == "index") return number(json, frame_.index);
    if (name == "time") return number(json, frame_.time);
    if (name == "awdit/id") return number(json, frame_.id);
    if (name == "awdit/at") return number(json, frame_.at);
    return json.skip();
  }

  bool value(JsonReader& json, JepsenOps& ops) {
    const char* const start = json.at();
    is_parsed_ = false;
    frame_.value = {};
    if (json.word("null")) return true;
    if (ops.wants_values() && frame_.who == Who::client &&
        frame_.type != Type::none && frame_.type != Type::invoke) {
      parsed_.clear();
      if (!micro_ops(json, ops, parsed_)) return false;
      is_parsed_ = true;
    } else if (!json.skip()) {
      return false;
    }
    frame_.value = {offset(start), 1};
    return true;
  }

  bool process(JsonReader& json) {
    OpFrame::Number process;
    if (!number(json, process)) return false;
    using Given = OpFrame::Number::Given;
    frame_.process = process.value;
    frame_.who = process.given == Given::yes   ? Who::client
                 : process.given == Given::nil ? Who::nobody
                                               : Who::other;
    return true;
  }

  // Anything but an integer and null is as if it were not there.
  static bool number(JsonReader& json, OpFrame::Number& number) {
    using Given = OpFrame::Number::Given;
    Atom atom;
    number.given = Given::no;
    if (json.signed_integer(atom)) {
      number = {Given::yes, static_cast<std::int64_t>(atom.bits)};
      return true;
    }
    if (json.word("null")) {
      number.given = Given::nil;
      return true;
    }
    return json.skip();
  }

  bool micro_ops(JsonReader& json, JepsenOps& ops, MicroOps& result) {
    if (!json.open('[',
                   "a transaction, which is an array of micro-operations like "
                   "[\"r\", key, value]")) {
      return false;
    }
    while (json.next(']')) {
      MicroOps::Op usual{.offset = offset(json.at())};
      const char* const end = usual_micro_op(json.at(), usual);
      if (end != nullptr) {
        result.ops.push_back(usual);
        json.move_to(end);
      } else if (!micro_op(json, ops, result)) {
        return false;
      }
    }
    return !json.failed();
  }

  bool micro_op(JsonReader& json, JepsenOps& ops, MicroOps& result) {
    constexpr std::string_view kShape =
        "a micro-operation like [\"r\", key, value]";
    MicroOps::Op op{.offset = offset(json.at())};
    if (!json.open('[', kShape)) return false;
    const char* place = json.at();
    std::string_view name;
    if (!json.next(']')) return json.expected_at(place, kShape);
    if (!json.string(name, "\"r\", \"w\" or \"append\"")) return false;
    if (name == "append") {
      op.kind = OpKind::append;
    } else if (name == "w") {
      op.kind = OpKind::write;
    } else if (name != "r") {
      return json.fail(
          place,
          fmt::format("expected \"r\", \"w\" or \"append\", found \"{}\"",
                      visible(name.substr(0, 32))));
    }
    place = json.at();
    if (!json.next(']')) {
      return json.failed() ? false : json.expected_at(place, "a key");
    }
    place = json.at();
    constexpr std::string_view kKey =
        "a key, which is an integer of 64 bits or a string";
    if (!atom(json, ops, kKey, op.key)) return false;
    if (op.key.kind == Atom::Kind::nil) return json.expected_at(place, kKey);
    place = json.at();
    if (!json.next(']')) {
      if (json.failed()) return false;
      if (op.kind != OpKind::read) return json.expected_at(place, "a value");
      result.ops.push_back(op);
      return true;
    }
    constexpr std::string_view kValue =
        "a value, which is an integer of 64 bits, a string or null";
    if (op.kind == OpKind::read && *json.at() == '[' &&
        !ops.lists_are_values()) {
      if (!elements(json, ops, result, op)) return false;
    } else if (!atom(json, ops, kValue, op.value)) {
      return false;
    }
    result.ops.push_back(op);
    place = json.at();
    if (json.next(']')) {
      return json.expected_at(place, "the end of the micro-operation");
    }
    return !json.failed();
  }

  bool elements(JsonReader& json, JepsenOps& ops, MicroOps& result,
                MicroOps::Op& op) {
    if (!json.open('[', "a list")) return false;
    op.kind = OpKind::read_list;
    op.first = result.elements.size();
    while (json.next(']')) {
      Atom element;
      if (!atom(json, ops, "an integer of 64 bits or a string", element)) {
        return false;
      }
      result.elements.push_back(element);
    }
    op.size = result.elements.size() - op.first;
    return !json.failed();
  }

  // A key or a value.
  bool atom(JsonReader& json, JepsenOps& ops, std::string_view what,
            Atom& atom) {
    if (json.integer(atom)) return true;
    if (json.word("null")) {
      atom = Atom::nil();
      return true;
    }
    const char* const place = json.at();
    std::string_view inside;
    if (!json.string(inside, what)) return false;
    const Atom* const known = texts_.find(inside);
    if (known != nullptr) {
      atom = *known;
      return true;
    }
    std::string text;
    json.move_to(place);
    if (!json.text(text, what)) return false;
    atom = ops.string(text);
    texts_.insert(inside, atom);
    return true;
  }

  // In the input, not in the text.
  std::size_t offset(const char* place) const {
    return static_cast<std::size_t>(place - text_.bytes().data()) + mark_;
  }

  const char* place(std::size_t offset) const {
    return text_.bytes().data() + (offset - mark_);
  }

  const JsonText& text_;
  std::size_t mark_;  // length of the byte order mark
  AtomCache texts_;
  OpFrame frame_;
  MicroOps parsed_;
  bool is_parsed_ = false;  // parsed_ is the value of frame_
  Outcome error_;
};

std::string json_string(std::string_view text) {
  std::string result;
  Sink sink(result);
  append_json_string(text, sink);
  sink.flush();
  return result;
}

}  // namespace

// An array of objects, one of which says that it is an operation.
bool sniff_elle_json(std::string_view head) {
  const std::string_view first = first_json_key(head, "[{");
  if (first.empty() || sniff_chronos(head)) return false;
  for (std::size_t at = 0; (at = head.find("\"type\"", at)) != head.npos;) {
    at = head.find_first_not_of(" \t\r\n", at + 6);
    if (at == head.npos || head[at] != ':') continue;
    at = head.find_first_not_of(" \t\r\n", at + 1);
    if (at == head.npos || head[at] != '"') continue;
    const std::size_t end = head.find('"', at + 1);
    if (end == head.npos) break;
    if (type_of(head.substr(at + 1, end - at - 1)) != Type::none) return true;
  }
  return false;
}

Result<History> parse_elle_json(std::span<const Input> files,
                                unsigned threads) {
  const JsonText text(files.front(), kHint);
  JsonReader json(text);
  if (!json.open('[', "an array of operations")) return json.error();
  const auto offset = [&](const char* place) {
    return files.front().bytes().size() - text.bytes().size() +
           static_cast<std::size_t>(place - text.bytes().data());
  };
  OpFile file{.input = files.front(),
              .first = offset(json.at()),
              .end = files.front().bytes().size(),
              .source = [&] { return std::make_unique<JsonSource>(text); }};
  std::string_view name;
  if (*json.at() == '{' && json.open('{', "") && json.field(name)) {
    file.head = offset(name.data() + name.size() + 1) - file.first;
  }
  return read_jepsen(file, threads);
}

void write_elle_json(const History& history, const NewFile& file) {
  write_jepsen(history,
               {.begin = "[\n",
                .between = ",\n",
                .end = "\n]\n",
                .index = "\"index\": ",
                .time = "\"time\": ",
                .type = "\"type\": ",
                .process = "\"process\": ",
                .id = "\"awdit/id\": ",
                .at = "\"awdit/at\": ",
                .registers = "",
                .value = "\"f\": \"txn\", \"value\": ",
                .types = {"\"invoke\"", "\"ok\"", "\"fail\"", "\"info\""},
                .read = "[\"r\", ",
                .write = "[\"w\", ",
                .append = "[\"append\", ",
                .comma = ", ",
                .nil = "null",
                .text = json_string},
               file("history.json"));
}

}  // namespace awdit
