// Nearly all micro-operations are spelled in one way, which is tried first.
// What is neither an integer nor nil is a text in the history: the same piece
// of the file becomes an atom once (atom_cache.h).
#include "format/edn_micro_ops.h"

#include <fmt/format.h>

#include <cstring>

#include "base/utf8.h"
#include "format/edn_text.h"
#include "format/leading_digits.h"
#include "format/text_place.h"

namespace awdit {
namespace {

using Form = EdnReader::Form;

constexpr std::string_view kWorkloadHint =
    "Transactions of the workloads list-append ([:append k v] and [:r k [v "
    "...]]), rw-register and long-fork ([:w k v] and [:r k v]) can be checked. "
    "Bank, set, counter and cas-register histories, and the [key value] of "
    "jepsen.independent, are something else.";

std::string described(const EdnReader& reader, Form form,
                      std::string_view bytes) {
  constexpr std::pair<Form, const char*> kNames[] = {
      {Form::map, "a map"},       {Form::vector, "a vector"},
      {Form::list, "a list"},     {Form::set, "a set"},
      {Form::string, "a string"}, {Form::character, "a character"}};
  for (const auto& [known, name] : kNames) {
    if (known == form) return name;
  }
  if (form != Form::keyword) return found_at(bytes, reader.at());
  EdnReader copy = reader;
  return visible(copy.token().substr(0, 32));
}

constexpr std::size_t kUsualSpelling = 64;

// The elements behind the bracket before p as they are usually spelled,
// 1 2 3]: the byte behind them, or nullptr if they are not, and then none of
// them has been taken. Up to `last` the next kUsualSpelling bytes may be read.
const char* usual_elements(const char* p, const char* last,
                           std::vector<Atom>& elements) {
  if (*p == ']') return p + 1;
  const std::size_t before = elements.size();
  for (;;) {
    Atom element;
    p = usual_integer(p, element.bits);
    if (p == nullptr || (*p != ' ' && *p != ']')) break;
    elements.push_back(element);
    if (*p++ == ']') return p;
    if (p > last) break;
  }
  elements.resize(before);
  return nullptr;
}

// A micro-operation as it is usually spelled, [:r 5 nil], [:w 5 7] or, if lists
// are none of the values, [:r 5 [1 2]]: the byte behind it, or nullptr if this
// is none. Up to `last` the next kUsualSpelling bytes may be read; it is
// nullptr if lists are values.
// REQUIRES: so many bytes may be read at p.
const char* usual_micro_op(const char* p, const char* last, MicroOps& result,
                           MicroOps::Op& op) {
  if (std::memcmp(p, "[:append ", 9) == 0) {
    op.kind = OpKind::append;
    p += 9;
  } else if (p[0] == '[' && p[1] == ':' && (p[2] == 'r' || p[2] == 'w') &&
             p[3] == ' ') {
    op.kind = p[2] == 'r' ? OpKind::read : OpKind::write;
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
  } else if (*p == '[' && op.kind == OpKind::read && last != nullptr) {
    op.kind = OpKind::read_list;
    op.first = result.elements.size();
    p = usual_elements(p + 1, last, result.elements);
    op.size = result.elements.size() - op.first;
    if (p != nullptr && *p != ']') result.elements.resize(op.first);
  } else {
    op.value.kind = Atom::Kind::integer;
    p = usual_integer(p, op.value.bits);
  }
  return p != nullptr && *p == ']' ? p + 1 : nullptr;
}

}  // namespace

bool EdnMicroOps::broken(const EdnReader& reader, std::string message,
                         std::string_view hint) {
  error_ = error_at(input_, reader.at(), std::move(message), std::string(hint));
  return false;
}

bool EdnMicroOps::expected(const EdnReader& reader, Form form,
                           std::string_view wanted, std::string_view hint) {
  if (form == Form::broken) return broken(reader, reader.problem());
  return broken(reader,
                fmt::format("expected {}, found {}", wanted,
                            described(reader, form, input_.bytes())),
                hint);
}

bool EdnMicroOps::close(EdnReader& reader, char closer, const char* wanted) {
  const Form form = reader.next();
  if (form != Form::close || reader.closer() != closer) {
    return expected(reader, form, wanted, kWorkloadHint);
  }
  reader.enter();
  return true;
}

// A key or a value.
bool EdnMicroOps::atom(EdnReader& reader, JepsenOps& ops, const char* what,
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
bool EdnMicroOps::elements(EdnReader& reader, JepsenOps& ops, MicroOps& result,
                           MicroOps::Op& op) {
  const char closer = reader.closer() == '[' ? ']' : ')';
  reader.enter();
  op.kind = OpKind::read_list;
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

// REQUIRES: next_untagged() found a vector or a list.
bool EdnMicroOps::micro_op(EdnReader& reader, JepsenOps& ops,
                           MicroOps& result) {
  MicroOps::Op op{.offset = reader.at()};
  const char closer = reader.closer() == '[' ? ']' : ')';
  reader.enter();
  const Form form = reader.next();
  if (reader.take(":append")) {
    op.kind = OpKind::append;
  } else if (reader.take(":w")) {
    op.kind = OpKind::write;
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
  if (op.kind == OpKind::read && value != Form::close) {
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
  } else if (op.kind != OpKind::read &&
             !atom(reader, ops, "a value", op.value)) {
    return false;
  }
  result.ops.push_back(op);
  return close(reader, closer, "the end of the micro-operation");
}

bool EdnMicroOps::read(EdnReader& reader, JepsenOps& ops, MicroOps& result) {
  const Form form = reader.next_untagged();
  if (form != Form::vector && form != Form::list) {
    return expected(reader, form,
                    "a transaction, which is a vector of micro-operations like "
                    "[:r key value]",
                    kWorkloadHint);
  }
  const char closer = form == Form::vector ? ']' : ')';
  const char* const bytes = input_.bytes().data();
  reader.enter();
  const char* const last =
      ops.lists_are_values() || reader.left() < kUsualSpelling
          ? nullptr
          : bytes + (reader.at() + reader.left() - kUsualSpelling);
  for (;;) {
    const Form inner = reader.next_untagged();
    // The usual spelling first.
    if (reader.left() >= kUsualSpelling) {
      const std::size_t start = reader.at();
      MicroOps::Op usual{.offset = start};
      const char* const end =
          usual_micro_op(bytes + start, last, result, usual);
      if (end != nullptr) {
        result.ops.push_back(usual);
        reader.move_to(static_cast<std::size_t>(end - bytes));
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

}  // namespace awdit
