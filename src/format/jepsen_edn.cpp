// Histories of Jepsen and Elle in EDN: a stream of operation maps, or one
// vector of them. See docs/formats/jepsen-edn.md.
//
// Idea: one pass over the bytes, in pieces (jepsen_pieces.cpp). Of an operation
// only what counts is looked at; the value of an invocation, and of keys that
// nobody asks for, is skipped bracket by bracket. Invariant: keys come in any
// order, so nothing is concluded before the map is closed; micro-operations are
// parsed on the way if the type is known by then.
#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "format/atom_cache.h"
#include "format/edn_reader.h"
#include "format/edn_text.h"
#include "format/jepsen_ops.h"
#include "format/jepsen_write.h"
#include "format/leading_digits.h"
#include "format/rows.h"
#include "format/text_place.h"

namespace awdit {
namespace {

using Form = EdnReader::Form;
using Type = OpFrame::Type;
using Who = OpFrame::Who;

constexpr std::string_view kOpHint =
    "A history is a sequence of maps like {:type :ok, :process 0, :f :txn, "
    ":value [[:w 5 1] [:r 6 nil]]}, or one vector of them.";

// Consumes the keyword if it names a type.
Type take_type(EdnReader& reader) {
  if (reader.take(":invoke")) return Type::invoke;
  if (reader.take(":ok")) return Type::ok;
  if (reader.take(":fail")) return Type::fail;
  if (reader.take(":info")) return Type::info;
  return Type::none;
}

class EdnSource final : public OpSource {
 public:
  // `closer`: of what encloses all operations; '\0': nothing does.
  EdnSource(const Input& input, char closer)
      : input_(input),
        bytes_(input.bytes()),
        closer_(closer),
        reader_(bytes_) {}

  std::size_t read(std::size_t from, std::size_t to, JepsenOps& ops) override;
  Outcome error() override { return std::exchange(error_, std::nullopt); }
  Outcome read_value(Stretch value, JepsenOps& ops, MicroOps& result) override;

 private:
  bool operation(JepsenOps& ops);
  bool field(JepsenOps& ops);
  bool value_field(JepsenOps& ops);
  bool number(OpFrame::Number& number);
  bool process();
  bool type();
  bool ends();
  bool micro_ops(EdnReader& reader, JepsenOps& ops, MicroOps& result);
  bool micro_op(EdnReader& reader, JepsenOps& ops, MicroOps& result);
  bool elements(EdnReader& reader, JepsenOps& ops, MicroOps& result,
                MicroOps::Op& op);
  bool close(EdnReader& reader, char closer, const char* wanted);
  bool atom(EdnReader& reader, JepsenOps& ops, const char* what, Atom& atom);
  bool skip(EdnReader& reader) {
    return reader.skip() || broken(reader, reader.problem());
  }
  // Notes an error; always false.
  bool broken(const EdnReader& reader, std::string message,
              std::string_view hint = kOpHint) {
    error_ =
        error_at(input_, reader.at(), std::move(message), std::string(hint));
    return false;
  }
  bool expected(const EdnReader& reader, Form form, std::string_view wanted,
                std::string_view hint);

  const Input& input_;
  std::string_view bytes_;
  char closer_;
  EdnReader reader_;
  AtomCache texts_;
  OpFrame frame_;
  MicroOps parsed_;
  bool is_parsed_ = false;  // parsed_ is the value of frame_
  Outcome error_;
};

constexpr std::string_view kWorkloadHint =
    "Transactions of the workloads list-append ([:append k v] and [:r k [v "
    "...]]), rw-register and long-fork ([:w k v] and [:r k v]) can be checked. "
    "Bank, set, counter and cas-register histories, and the [key value] of "
    "jepsen.independent, are something else.";

std::string described(const EdnReader& reader, Form form,
                      std::string_view bytes) {
  switch (form) {
    case Form::map:
      return "a map";
    case Form::vector:
      return "a vector";
    case Form::list:
      return "a list";
    case Form::set:
      return "a set";
    case Form::string:
      return "a string";
    case Form::character:
      return "a character";
    case Form::keyword: {
      EdnReader copy = reader;
      return visible(copy.token().substr(0, 32));
    }
    default:
      return found_at(bytes, reader.at());
  }
}

bool EdnSource::expected(const EdnReader& reader, Form form,
                         std::string_view wanted, std::string_view hint) {
  if (form == Form::broken) return broken(reader, reader.problem());
  return broken(reader,
                fmt::format("expected {}, found {}", wanted,
                            described(reader, form, bytes_)),
                hint);
}

bool EdnSource::close(EdnReader& reader, char closer, const char* wanted) {
  const Form form = reader.next();
  if (form != Form::close || reader.closer() != closer) {
    return expected(reader, form, wanted, kWorkloadHint);
  }
  reader.enter();
  return true;
}

// A key or a value.
bool EdnSource::atom(EdnReader& reader, JepsenOps& ops, const char* what,
                     Atom& atom) {
  const Form form = reader.next();
  std::int64_t integer = 0;
  if (form == Form::word && reader.small_integer(integer)) {
    atom = Atom::integer(integer);
    return true;
  }
  const std::size_t start = reader.at();
  if (form == Form::keyword || form == Form::word) {
    const Atom* const known = texts_.find(reader.token());
    if (known != nullptr) {
      atom = *known;
      return true;
    }
  } else if (form == Form::close || form == Form::end) {
    return expected(reader, form, what, kWorkloadHint);
  } else {
    if (!skip(reader)) return false;
    const Atom* const known = texts_.find(reader.since(start));
    if (known != nullptr) {
      atom = *known;
      return true;
    }
  }
  reader.move_to(start);
  EdnAtom found = edn_atom(reader);
  if (found.problem != nullptr) return broken(reader, found.problem);
  atom = found.is_text ? ops.string(found.text) : found.atom;
  texts_.insert(reader.since(start), atom);
  return true;
}

// REQUIRES: next_untagged() found a vector or a list.
bool EdnSource::elements(EdnReader& reader, JepsenOps& ops, MicroOps& result,
                         MicroOps::Op& op) {
  const char closer = bytes_[reader.at()] == '[' ? ']' : ')';
  reader.enter();
  op.kind = MicroOps::Op::Kind::read_list;
  op.first = result.elements.size();
  for (Form form; (form = reader.next()) != Form::close;) {
    std::int64_t integer = 0;
    if (form == Form::word && reader.small_integer(integer)) {
      result.elements.push_back(Atom::integer(integer));
      continue;
    }
    Atom element;
    if (!atom(reader, ops, "an element", element)) return false;
    result.elements.push_back(element);
  }
  op.size = result.elements.size() - op.first;
  return close(reader, closer, "the end of the list");
}

// A micro-operation as it is usually spelled, [:r 5 nil] or [:w 5 7]: the byte
// behind it, or nullptr if this is none.
// REQUIRES: kUsualSpelling bytes may be read.
constexpr std::size_t kUsualSpelling = 64;
const char* usual_micro_op(const char* p, MicroOps::Op& op) {
  using Kind = MicroOps::Op::Kind;
  if (std::memcmp(p, "[:append ", 9) == 0) {
    op.kind = Kind::append;
    p += 9;
  } else if (p[0] == '[' && p[1] == ':' && (p[2] == 'r' || p[2] == 'w') &&
             p[3] == ' ') {
    op.kind = p[2] == 'r' ? Kind::read : Kind::write;
    p += 4;
  } else {
    return nullptr;
  }
  p = usual_integer(p, op.key.bits);
  if (p == nullptr || *p != ' ') return nullptr;
  ++p;
  if (std::memcmp(p, "nil", 3) == 0) {
    op.value = Atom::nil();
    p += 3;
  } else {
    op.value.kind = Atom::Kind::integer;
    p = usual_integer(p, op.value.bits);
  }
  return p != nullptr && *p == ']' ? p + 1 : nullptr;
}

// REQUIRES: next_untagged() found a vector or a list.
bool EdnSource::micro_op(EdnReader& reader, JepsenOps& ops, MicroOps& result) {
  using Kind = MicroOps::Op::Kind;
  MicroOps::Op op{.offset = reader.at()};
  const char closer = bytes_[reader.at()] == '[' ? ']' : ')';
  reader.enter();
  const Form form = reader.next();
  if (reader.take(":append")) {
    op.kind = Kind::append;
  } else if (reader.take(":w")) {
    op.kind = Kind::write;
  } else if (!reader.take(":r")) {
    return expected(reader, form, ":r, :w or :append", kWorkloadHint);
  }
  const Form key = reader.next();
  const std::size_t key_start = reader.at();
  if (!atom(reader, ops, "a key", op.key)) return false;
  if (op.key.kind == Atom::Kind::nil) {
    reader.move_to(key_start);
    return expected(reader, key, "a key", kWorkloadHint);
  }
  Form value = reader.next();
  if (op.kind == Kind::read && value != Form::close) {
    // Only where the value is a list is a tag before it of no meaning.
    const std::size_t tag = reader.at();
    value = reader.next_untagged();
    if ((value == Form::vector || value == Form::list) &&
        !ops.lists_are_values()) {
      if (!elements(reader, ops, result, op)) return false;
    } else {
      reader.move_to(tag);
      if (!atom(reader, ops, "a value", op.value)) return false;
    }
  } else if (op.kind != Kind::read && !atom(reader, ops, "a value", op.value)) {
    return false;
  }
  result.ops.push_back(op);
  return close(reader, closer, "the end of the micro-operation");
}

bool EdnSource::micro_ops(EdnReader& reader, JepsenOps& ops, MicroOps& result) {
  const Form form = reader.next_untagged();
  if (form != Form::vector && form != Form::list) {
    return expected(reader, form,
                    "a transaction, which is a vector of micro-operations like "
                    "[:r key value]",
                    kWorkloadHint);
  }
  const char closer = form == Form::vector ? ']' : ')';
  reader.enter();
  for (;;) {
    const Form inner = reader.next_untagged();
    // The usual spelling first.
    if (reader.left() >= kUsualSpelling) {
      const std::size_t start = reader.at();
      MicroOps::Op usual{.offset = start};
      const char* const end = usual_micro_op(bytes_.data() + start, usual);
      if (end != nullptr) {
        result.ops.push_back(usual);
        reader.move_to(static_cast<std::size_t>(end - bytes_.data()));
        continue;
      }
    }
    if (inner == Form::vector || inner == Form::list) {
      if (!micro_op(reader, ops, result)) return false;
    } else if (inner == Form::close) {
      return close(reader, closer, "the end of the transaction");
    } else {
      return expected(reader, inner, "a micro-operation like [:r key value]",
                      kWorkloadHint);
    }
  }
}

Outcome EdnSource::read_value(Stretch value, JepsenOps& ops, MicroOps& result) {
  EdnReader reader(bytes_, value.from);
  result.clear();
  if (micro_ops(reader, ops, result)) return std::nullopt;
  return std::exchange(error_, std::nullopt);
}

bool EdnSource::number(OpFrame::Number& number) {
  using Given = OpFrame::Number::Given;
  number.given = Given::no;
  const Form form = reader_.next_untagged();
  if (form == Form::word) {
    if (reader_.small_integer(number.value)) {
      number.given = Given::yes;
      return true;
    }
    const std::size_t start = reader_.at();
    const EdnAtom atom = edn_atom(reader_);
    if (atom.problem == nullptr && !atom.is_text &&
        atom.atom.kind != Atom::Kind::natural) {
      number.given =
          atom.atom.kind == Atom::Kind::nil ? Given::nil : Given::yes;
      number.value = static_cast<std::int64_t>(atom.atom.bits);
    }
    reader_.move_to(start);
  }
  return skip(reader_);
}

bool EdnSource::process() {
  const Form form = reader_.next_untagged();
  if (form == Form::word && reader_.small_integer(frame_.process)) {
    frame_.who = Who::client;
    return true;
  }
  OpFrame::Number process;
  if (!number(process)) return false;
  frame_.process = process.value;
  frame_.who =
      process.is_given() ? Who::client
      : form == Form::word && process.given == OpFrame::Number::Given::nil
          ? Who::nobody
          : Who::other;
  return true;
}

bool EdnSource::type() {
  frame_.type = Type::none;
  if (reader_.next_untagged() == Form::keyword) {
    frame_.type = take_type(reader_);
  }
  return frame_.type != Type::none || skip(reader_);
}

bool EdnSource::value_field(JepsenOps& ops) {
  const Form form = reader_.next();
  const std::size_t start = reader_.at();
  is_parsed_ = false;
  frame_.value = {};
  const bool wanted = ops.wants_values() && frame_.type != Type::none &&
                      frame_.type != Type::invoke && frame_.who != Who::other;
  if (wanted && form == Form::vector) {
    parsed_.clear();
    if (micro_ops(reader_, ops, parsed_)) {
      is_parsed_ = true;
      frame_.value = {start, reader_.at() - start};
      return true;
    }
    // It may be a nemesis: then its value is its own affair.
    error_.reset();
    reader_.move_to(start);
  }
  if (!skip(reader_)) return false;
  if (form != Form::word || reader_.since(start) != "nil") {
    frame_.value = {start, reader_.at() - start};
  }
  return true;
}

// A key of an operation and what belongs to it.
bool EdnSource::field(JepsenOps& ops) {
  if (reader_.next() != Form::keyword) {
    return skip(reader_) && skip(reader_);
  }
  if (reader_.take(":value")) return value_field(ops);
  if (reader_.take(":type")) return type();
  if (reader_.take(":time")) return number(frame_.time);
  if (reader_.take(":index")) return number(frame_.index);
  if (reader_.take(":process")) return process();
  if (reader_.take(":awdit/id")) return number(frame_.id);
  if (reader_.take(":awdit/at")) return number(frame_.at);
  if (reader_.take(":awdit/registers")) {
    frame_.registers = true;
    return skip(reader_);
  }
  reader_.token();
  const Form form = reader_.next();
  if (form != Form::keyword && form != Form::word) return skip(reader_);
  reader_.token();
  return true;
}

// REQUIRES: next_untagged() found a map.
bool EdnSource::operation(JepsenOps& ops) {
  frame_.begin(reader_.at());
  is_parsed_ = false;
  reader_.enter();
  for (;;) {
    const Form form = reader_.next();
    if (form == Form::close && reader_.closer() == '}') break;
    if (form == Form::close || form == Form::end || form == Form::broken) {
      if (form == Form::end) reader_.move_to(frame_.offset);
      return form == Form::end
                 ? broken(reader_, "this operation is never closed")
                 : expected(reader_, form, "a key or \"}\"", kOpHint);
    }
    if (!field(ops)) return false;
  }
  reader_.enter();
  return ops.add(frame_, is_parsed_ ? &parsed_ : nullptr);
}

// Whether all is in order behind the last operation.
bool EdnSource::ends() {
  Form form = reader_.next_untagged();
  if (closer_ == '\0') {
    return form == Form::end ||
           expected(reader_, form, "an operation, a map like {:type :ok ...}",
                    kOpHint);
  }
  if (form != Form::close || reader_.closer() != closer_) {
    return expected(reader_, form, "an operation or the end of all operations",
                    kOpHint);
  }
  reader_.enter();
  form = reader_.next();
  return form == Form::end ||
         expected(reader_, form, "the end of the file", kOpHint);
}

std::size_t EdnSource::read(std::size_t from, std::size_t to, JepsenOps& ops) {
  // Bit by bit, so that pages of the file can go as soon as they are read.
  constexpr std::size_t kBite = std::size_t{4} << 20;
  std::size_t released = from;
  std::size_t at = from;  // between operations
  error_.reset();
  // A piece that begins in the middle of something does not look beyond itself.
  reader_ = EdnReader(bytes_.substr(0, to), from);
  while (reader_.next_untagged() == Form::map) {
    if (!operation(ops)) return at;
    at = reader_.at();
    if (at - released >= kBite) {
      input_.release(released, at);
      released = at;
    }
  }
  if (to == bytes_.size()) return ends() ? to : at;
  // A comment may hide that this is no end.
  EdnReader beyond(bytes_, at);
  return beyond.next_untagged() == Form::map && beyond.at() == to ? to : at;
}

}  // namespace

// Like an operation: a map whose :type is one of the four. Where the first
// bytes end before that key, one that only operations have is enough.
bool sniff_jepsen_edn(std::string_view head) {
  EdnReader reader(head, byte_order_mark(head));
  Form form = reader.next_untagged();
  if (form == Form::vector || form == Form::list) {
    reader.enter();
    form = reader.next_untagged();
  }
  if (form != Form::map) return false;
  reader.enter();
  bool promising = false;
  while (reader.next() == Form::keyword) {
    const std::string_view key = reader.token();
    if (key == ":type") {
      return reader.next_untagged() == Form::keyword &&
             take_type(reader) != Type::none;
    }
    promising |= key == ":process" || key == ":index" || key == ":value";
    if (!reader.skip()) return promising;
  }
  return promising && reader.next() == Form::end;
}

Result<History> parse_jepsen_edn(std::span<const Input> files,
                                 unsigned threads) {
  const Input& input = files.front();
  EdnReader reader(input.bytes(), byte_order_mark(input.bytes()));
  std::size_t first = reader.at();
  char closer = '\0';
  Form form = reader.next_untagged();
  if (form == Form::vector || form == Form::list) {
    closer = form == Form::vector ? ']' : ')';
    reader.enter();
    first = reader.at();
    form = reader.next_untagged();
  }
  std::size_t head = 0;
  if (form == Form::map) {
    first = reader.at();
    reader.enter();
    if (reader.next() == Form::keyword) {
      reader.token();
      head = reader.at() - first;
    }
  }
  return read_jepsen(
      {.input = input,
       .first = first,
       .head = head,
       .end = input.bytes().size(),
       .source = [&] { return std::make_unique<EdnSource>(input, closer); }},
      threads);
}

void write_jepsen_edn(const History& history, const NewFile& file) {
  write_jepsen(history,
               {.begin = "",
                .between = "\n",
                .end = "\n",
                .index = ":index ",
                .time = ":time ",
                .type = ":type ",
                .process = ":process ",
                .id = ":awdit/id ",
                .at = ":awdit/at ",
                .registers = ":awdit/registers true, ",
                .value = ":f :txn, :value ",
                .types = {":invoke", ":ok", ":fail", ":info"},
                .read = "[:r ",
                .write = "[:w ",
                .append = "[:append ",
                .comma = " ",
                .nil = "nil",
                .text = edn_form},
               file("history.edn"));
}

}  // namespace awdit
