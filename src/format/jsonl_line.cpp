// Fields may come in any order, so a line fills a scratch transaction first.
// Fields that we do not know are mistakes: the format is ours, and a misspelt
// "status" must not become a committed transaction.
#include "format/jsonl_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/table.h"
#include "base/utf8.h"
#include "format/json_text.h"

namespace awdit {
namespace {

using Txn = JsonlTransaction;

constexpr const char* kKey = "a key: an integer or a text";
constexpr const char* kValue = "a value: an integer, a text or null";
constexpr const char* kInitial =
    "the initial value: an integer, a text, null or false";

// "there is no field "opps"; did you mean "ops"?"
std::string unknown_word(std::string_view what, std::string_view typed,
                         std::span<const std::string_view> known) {
  std::string text =
      fmt::format("there is no {} \"{}\"", what, visible(typed.substr(0, 40)));
  const std::string_view near = nearest_name(typed, known);
  if (!near.empty()) text += fmt::format("; did you mean \"{}\"?", near);
  return text;
}

}  // namespace

const char* JsonlLine::parse(const char* p) {
  txn.fields = 0;
  txn.status = Status::committed;
  txn.ops.clear();
  txn.elements.clear();
  is_header = is_about = false;
  p = json.punctuation(p, '{', "\"{\", the beginning of a transaction");
  if (p == nullptr) return nullptr;
  const char* const start = p;
  if (*p == '}') {
    ++p;
  } else {
    for (;;) {
      p = member(p, p == start);
      if (p == nullptr) return nullptr;
      p = JsonLine::skip_blanks(p);
      if (*p != ',' && *p != '}') return json.expected(p, "\",\" or \"}\"");
      if (*p++ == '}') break;
      p = JsonLine::skip_blanks(p);
    }
  }
  if (!is_header && !is_about && !complete(start)) return nullptr;
  p = JsonLine::skip_blanks(p);
  if (*p != '\n') return json.expected(p, "the end of the line");
  return p + 1;
}

bool JsonlLine::complete(const char* start) {
  for (const Txn::Field field : {Txn::session_field, Txn::ops_field}) {
    if (!txn.has(field)) {
      json.fail(start, fmt::format("the field \"{}\" is missing",
                                   kJsonlFields[field]));
      return false;
    }
  }
  if (txn.has(Txn::id_field) && txn.id == Builder::kNoLabel &&
      txn.status != Status::aborted) {
    json.fail(start, "only an aborted transaction may be without an id");
    return false;
  }
  return true;
}

const char* JsonlLine::member(const char* p, bool first) {
  const char* const start = p;
  std::string_view name;
  p = json.string(p, name);
  if (p == nullptr) return nullptr;
  is_header |= first && name == kJsonlHeaderFields[0];
  is_about |= first && name == kJsonlAboutFields[0];
  const std::span<const std::string_view> names = fields();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    return json.fail(start, unknown_word("field", name, names));
  }
  const auto field = static_cast<unsigned>(found - names.begin());
  if ((txn.fields >> field & 1) != 0) {
    return json.fail(start,
                     fmt::format("the field \"{}\" stands here twice", name));
  }
  txn.fields |= 1u << field;
  p = json.punctuation(p, ':', "\":\"");
  if (p == nullptr) return nullptr;
  if (is_about) return json.value(p, about);
  return is_header ? header_value(p, field) : value(p, field);
}

std::span<const std::string_view> JsonlLine::fields() const {
  if (is_about) return kJsonlAboutFields;
  if (is_header) return kJsonlHeaderFields;
  return kJsonlFields;
}

const char* JsonlLine::header_value(const char* p, unsigned field) {
  if (field == 0) {
    Atom version;
    const char* const end = json.integer(p, version, "the version, 1");
    if (end != nullptr && version != Atom::integer(1)) {
      return json.fail(p,
                       "this version of the format is not known here; known "
                       "is 1");
    }
    header = {};
    return end;
  }
  if (field == 2) return clock(p);
  if (field == 3) return domain(p, header.domain.emplace());
  if (field == 4) return relations(p);
  if (*p == 'f') {
    header.initial = std::nullopt;
    return json.literal(p, "false", kInitial);
  }
  if (*p == '"') {
    std::string_view text;
    p = json.string(p, text);
    header.initial = Atom{0, Atom::Kind::string};
    header.initial_text = text;
    return p;
  }
  Atom atom;
  p = term(p, atom, kInitial);
  header.initial = atom;
  return p;
}

const char* JsonlLine::clock(const char* p) {
  const char* const start = p;
  std::string_view word;
  p = json.string(p, word);
  if (p == nullptr) return nullptr;
  if (enum_named(word, kClockNames, header.clock.emplace())) return p;
  return json.fail(start, unknown_word("clock", word, kClockNames));
}

const char* JsonlLine::domain(const char* p, std::string& name) {
  if (*p != '"') return json.expected(p, "the name of a clock domain, a text");
  const char* const start = p;
  std::string_view text;
  p = json.string(p, text);
  if (p == nullptr) return nullptr;
  if (text.empty()) return json.fail(start, "a clock domain must have a name");
  name = text;
  return p;
}

const char* JsonlLine::relations(const char* p) {
  p = json.punctuation(p, '[', "a list of relations");
  if (p == nullptr) return nullptr;
  return array(p, [&](const char* at) { return relation(at); });
}

// ["a","b",offset,error]
const char* JsonlLine::relation(const char* p) {
  const char* const start = p;
  JsonlHeader::Relation made{};
  p = json.punctuation(p, '[', "a relation, [from, to, offset, error]");
  if (p != nullptr) p = domain(p, made.from);
  if (p != nullptr) p = json.punctuation(p, ',', "\",\"");
  if (p != nullptr) p = domain(p, made.to);
  if (p != nullptr) p = json.punctuation(p, ',', "\",\"");
  if (p != nullptr) p = distance(p, made.offset, false);
  if (p != nullptr) p = json.punctuation(p, ',', "\",\"");
  if (p != nullptr) p = distance(p, made.error, true);
  if (p == nullptr) return nullptr;
  p = JsonLine::skip_blanks(p);
  if (*p != ']') return json.expected(p, "\"]\"");
  if (made.from == made.to) {
    return json.fail(start, "a clock is related to itself");
  }
  header.relations.push_back(std::move(made));
  return p + 1;
}

const char* JsonlLine::distance(const char* p, std::int64_t& value,
                                bool is_error) {
  Atom atom;
  const char* const end =
      json.integer(p, atom,
                   is_error ? "an error, an integer that is not negative"
                            : "an offset, an integer");
  if (end == nullptr) return nullptr;
  value = static_cast<std::int64_t>(atom.bits);
  constexpr std::int64_t kFarthest = ClockDomains::kFarthest;
  if (atom.kind != Atom::Kind::integer || value > kFarthest ||
      value < (is_error ? 0 : -kFarthest)) {
    return json.fail(p, is_error ? "the error is not between 0 and 2^61"
                                 : "the offset is not between -2^61 and 2^61");
  }
  return end;
}

const char* JsonlLine::value(const char* p, unsigned field) {
  switch (Txn::Field(field)) {
    case Txn::session_field:
      return term(p, txn.session, "a session: an integer or a text");
    case Txn::id_field:
      return id(p);
    case Txn::status_field:
      return status(p);
    case Txn::ops_field:
      return ops(p);
    case Txn::times_field:
      txn.times_at = p;
      return times(p, txn.times);
    case Txn::ticks_field:
      return times(p, txn.ticks);
    case Txn::node_field: {
      std::string_view text;
      p = json.string(p, text);
      if (p != nullptr) txn.node = shard_.string(text);
      return p;
    }
    case Txn::meta_field:
      p = json.value(p, compact_);
      if (p != nullptr) txn.meta = shard_.string(compact_);
      return p;
    case Txn::domain_field:
      p = domain(p, compact_);
      if (p != nullptr) txn.domain = shard_.string(compact_);
      return p;
  }
  return nullptr;
}

// A key or a value.
const char* JsonlLine::term(const char* p, Atom& atom, const char* wanted) {
  switch (*p) {
    case '"': {
      std::string_view text;
      p = json.string(p, text);
      if (p != nullptr) atom = shard_.string(text);
      return p;
    }
    case 'n':
      atom = Atom::nil();
      return json.literal(p, "null", wanted);
    case '{':
      atom = Atom::absent();
      p = JsonLine::skip_blanks(p + 1);
      if (*p == '}') return p + 1;
      return json.expected(p, "\"}\": only {} stands for an absent value");
    default:
      return json.integer(p, atom, wanted);
  }
}

const char* JsonlLine::id(const char* p) {
  constexpr const char* kWanted = "an id: an integer or null";
  Atom atom;
  if (*p == 'n') {
    txn.id = Builder::kNoLabel;
    return json.literal(p, "null", kWanted);
  }
  const char* const end = json.integer(p, atom, kWanted);
  txn.id = static_cast<std::int64_t>(atom.bits);
  if (end != nullptr &&
      (atom.kind != Atom::Kind::integer || txn.id == Builder::kNoLabel)) {
    return json.fail(p, "the id is not between -2^63 + 1 and 2^63 - 1");
  }
  return end;
}

const char* JsonlLine::status(const char* p) {
  const char* const start = p;
  std::string_view word;
  p = json.string(p, word);
  if (p == nullptr) return nullptr;
  if (enum_named(word, kStatusNames, txn.status)) return p;
  return json.fail(start, unknown_word("status", word, kStatusNames));
}

const char* JsonlLine::times(const char* p, History::Times& pair) {
  p = json.punctuation(p, '[', "two times, [begin, end]");
  if (p != nullptr) p = time(p, pair.begin);
  if (p != nullptr) p = json.punctuation(p, ',', "\",\"");
  if (p != nullptr) p = time(p, pair.end);
  if (p == nullptr) return nullptr;
  p = JsonLine::skip_blanks(p);
  return *p == ']' ? p + 1 : json.expected(p, "\"]\"");
}

const char* JsonlLine::time(const char* p, std::int64_t& time) {
  constexpr const char* kWanted = "a time: an integer or null";
  if (*p == 'n') {
    time = kNoTime;
    return json.literal(p, "null", kWanted);
  }
  Atom atom;
  const char* const end = json.integer(p, atom, kWanted);
  time = static_cast<std::int64_t>(atom.bits);
  if (end != nullptr && (atom.kind != Atom::Kind::integer || time == kNoTime)) {
    return json.fail(p, "the time is not between -2^63 + 1 and 2^63 - 1");
  }
  return end;
}

const char* JsonlLine::ops(const char* p) {
  p = json.punctuation(p, '[', "a list of operations");
  if (p == nullptr) return nullptr;
  return array(p, [&](const char* at) {
    const char* const end = fast_op(at);
    return end != nullptr ? end : op(at);
  });
}

// ["w",1,2], ["r",1,2] or ["r",1,null], all numbers, no blanks; nullptr and no
// mistake if it is spelt otherwise. Same meaning as op(), half the time.
const char* JsonlLine::fast_op(const char* p) {
  if (p >= fast_until || p[0] != '[' || p[1] != '"' || p[3] != '"' ||
      p[4] != ',' || (p[2] != 'w' && p[2] != 'r')) {
    return nullptr;
  }
  Op op{.kind = p[2] == 'w' ? OpKind::write : OpKind::read,
        .key = {},
        .value = Atom::nil()};
  const char* const key_end = JsonReader::number(p + 5, op.key);
  if (key_end == nullptr || *key_end != ',') return nullptr;
  const char* const place = key_end + 1;
  const char* const end = std::memcmp(place, "null", 4) == 0
                              ? place + 4
                              : JsonReader::number(place, op.value);
  if (end == nullptr || *end != ']') return nullptr;
  if (register_op == nullptr && (p[2] == 'w' || op.value != Atom::nil())) {
    register_op = p;
  }
  txn.ops.push_back(op);
  return end + 1;
}

const char* JsonlLine::op(const char* p) {
  const char* const start = p;
  Op op{.kind = OpKind::read, .key = {}, .value = Atom::absent()};
  p = json.punctuation(p, '[', "an operation, [\"r\", key, value]");
  if (p == nullptr) return nullptr;
  if (p[0] == '"' && (p[1] == 'r' || p[1] == 'w') && p[2] == '"') {
    if (p[1] == 'w') op.kind = OpKind::write;
    p += 3;
  } else {
    const char* const place = p;
    std::string_view word;
    p = json.string(p, word);
    if (p == nullptr) return nullptr;
    if (word != "append") {
      return json.expected(place, "\"r\", \"w\" or \"append\"");
    }
    op.kind = OpKind::append;
  }
  p = json.punctuation(p, ',', "\",\"");
  if (p == nullptr) return nullptr;
  p = term(p, op.key, kKey);
  if (p == nullptr) return nullptr;
  p = JsonLine::skip_blanks(p);
  if (*p == ',') {
    p = JsonLine::skip_blanks(p + 1);
    p = *p == '[' && op.kind == OpKind::read ? list(p + 1, op)
                                             : term(p, op.value, kValue);
    if (p == nullptr) return nullptr;
    p = JsonLine::skip_blanks(p);
  }
  if (*p != ']') return json.expected(p, "\"]\"");
  if (op.kind == OpKind::append || op.kind == OpKind::read_list) {
    if (list_op == nullptr) list_op = start;
  } else if (register_op == nullptr &&
             (op.kind == OpKind::write || op.value != Atom::nil())) {
    register_op = start;
  }
  txn.ops.push_back(op);
  return p + 1;
}

const char* JsonlLine::list(const char* p, Op& op) {
  op.kind = OpKind::read_list;
  return array(JsonLine::skip_blanks(p), [&](const char* at) {
    ++op.size;
    return term(at, txn.elements.emplace_back(), kValue);
  });
}

}  // namespace awdit
