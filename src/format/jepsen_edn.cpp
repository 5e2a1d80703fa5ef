// Histories of Jepsen and Elle in EDN: a stream of operation maps, or one
// vector of them. See docs/formats/jepsen-edn.md.
//
// Idea: one pass over the bytes, in pieces (jepsen_pieces.cpp). Of an operation
// only what counts is looked at; the value of an invocation, and of keys that
// nobody asks for, is skipped bracket by bracket. Invariant: keys come in any
// order, so nothing is concluded before the map is closed; micro-operations are
// parsed on the way if the type is known by then.
#include <memory>
#include <string>
#include <utility>

#include "format/edn_micro_ops.h"
#include "format/edn_reader.h"
#include "format/edn_text.h"
#include "format/jepsen_ops.h"
#include "format/jepsen_write.h"
#include "format/rows.h"
#include "format/text_place.h"

namespace awdit {
namespace {

using Form = EdnReader::Form;
using Type = OpFrame::Type;
using Who = OpFrame::Who;

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
        reader_(bytes_),
        values_(input) {}

  std::size_t read(std::size_t from, std::size_t to, JepsenOps& ops) override {
    // Bit by bit, so that pages of the file can go as soon as they are read.
    constexpr std::size_t kBite = std::size_t{4} << 20;
    std::size_t released = from;
    std::size_t at = from;  // between operations
    values_.take_error();
    // A piece that begins in the middle of something does not look beyond
    // itself.
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

  Outcome error() override { return values_.take_error(); }

  Outcome read_value(Stretch value, JepsenOps& ops, MicroOps& result) override {
    EdnReader reader(bytes_, value.from);
    result.clear();
    if (values_.read(reader, ops, result)) return std::nullopt;
    return values_.take_error();
  }

 private:
  // REQUIRES: next_untagged() found a map.
  bool operation(JepsenOps& ops) {
    frame_.begin(reader_.at());
    is_parsed_ = false;
    reader_.enter();
    for (;;) {
      const Form form = reader_.next();
      if (form == Form::close && reader_.closer() == '}') break;
      if (form == Form::close || form == Form::end || form == Form::broken) {
        if (form == Form::end) reader_.move_to(frame_.offset);
        return form == Form::end
                   ? values_.broken(reader_, "this operation is never closed")
                   : expected(form, "a key or \"}\"");
      }
      if (!field(ops)) return false;
    }
    reader_.enter();
    return ops.add(frame_, is_parsed_ ? &parsed_ : nullptr);
  }

  // A key of an operation and what belongs to it.
  bool field(JepsenOps& ops) {
    if (reader_.next() != Form::keyword) {
      return skip() && skip();
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
      return skip();
    }
    reader_.token();
    const Form form = reader_.next();
    if (form != Form::keyword && form != Form::word) return skip();
    reader_.token();
    return true;
  }

  bool value_field(JepsenOps& ops) {
    const Form form = reader_.next();
    const std::size_t start = reader_.at();
    is_parsed_ = false;
    frame_.value = {};
    const bool wanted = ops.wants_values() && frame_.type != Type::none &&
                        frame_.type != Type::invoke && frame_.who != Who::other;
    if (wanted && form == Form::vector) {
      parsed_.clear();
      if (values_.read(reader_, ops, parsed_)) {
        is_parsed_ = true;
        frame_.value = {start, reader_.at() - start};
        return true;
      }
      // It may be a nemesis: then its value is its own affair.
      values_.take_error();
      reader_.move_to(start);
    }
    if (!skip()) return false;
    if (form != Form::word || reader_.since(start) != "nil") {
      frame_.value = {start, reader_.at() - start};
    }
    return true;
  }

  bool number(OpFrame::Number& number) {
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
    return skip();
  }

  bool process() {
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

  bool type() {
    frame_.type = Type::none;
    if (reader_.next_untagged() == Form::keyword) {
      frame_.type = take_type(reader_);
    }
    return frame_.type != Type::none || skip();
  }

  // Whether all is in order behind the last operation.
  bool ends() {
    Form form = reader_.next_untagged();
    if (closer_ == '\0') {
      return form == Form::end ||
             expected(form, "an operation, a map like {:type :ok ...}");
    }
    if (form != Form::close || reader_.closer() != closer_) {
      return expected(form, "an operation or the end of all operations");
    }
    reader_.enter();
    form = reader_.next();
    return form == Form::end || expected(form, "the end of the file");
  }

  bool skip() { return values_.skip(reader_); }
  bool expected(Form form, std::string_view wanted) {
    return values_.expected(reader_, form, wanted, kEdnOpHint);
  }

  const Input& input_;
  std::string_view bytes_;
  char closer_;
  EdnReader reader_;
  EdnMicroOps values_;
  OpFrame frame_;
  MicroOps parsed_;
  bool is_parsed_ = false;  // parsed_ is the value of frame_
};
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
