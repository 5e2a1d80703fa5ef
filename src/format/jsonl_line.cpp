// Fields may come in any order, so a line fills a scratch transaction first.
// Fields that we do not know are mistakes: the format is ours, and a misspelt
// "status" must not become a committed transaction.
#include "format/jsonl_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/table.h"
#include "base/utf8.h"
#include "format/leading_digits.h"

namespace awdit {
namespace {

using Txn = JsonlTransaction;

constexpr std::string_view kText = "a text in quotes";
constexpr std::string_view kKey = "a key: an integer or a text";
constexpr std::string_view kValue = "a value: an integer, a text or null";
constexpr std::string_view kInitial =
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

// The field that stands here, spelt as usual; kJsonlFields.size() if none does.
unsigned usual_field(const char* p) {
  if (p[0] != '"') return kJsonlFields.size();
  const auto guess = [&] {
    switch (p[1]) {
      case 's':
        return p[2] == 'e' ? Txn::session_field : Txn::status_field;
      case 'i':
        return Txn::id_field;
      case 't':
        return p[2] == 'i' && p[3] == 'm' ? Txn::times_field : Txn::ticks_field;
      case 'm':
        return Txn::meta_field;
      default:
        return Txn::ops_field;
    }
  };
  const unsigned field = guess();
  const std::string_view name = kJsonlFields[field];
  const bool is = std::strncmp(p + 1, name.data(), name.size()) == 0 &&
                  p[1 + name.size()] == '"' && p[2 + name.size()] == ':';
  return is ? field : kJsonlFields.size();
}

}  // namespace

const char* JsonlLine::parse(const char* p) {
  txn.fields = 0;
  txn.status = Status::committed;
  txn.ops.clear();
  txn.elements.clear();
  unnamed_.clear();
  is_header = is_about = false;
  json.enter_line(p);
  if (!json.open('{', "\"{\", the beginning of a transaction")) return nullptr;
  const char* const start = json.at();
  for (bool first = true; json.next('}'); first = false) {
    if (!member(first)) return nullptr;
  }
  if (json.failed()) return nullptr;
  if (!is_header && !is_about && !complete(start)) return nullptr;
  if (*json.at() == '\n') return json.at() + 1;
  json.expected("the end of the line");
  return nullptr;
}

bool JsonlLine::complete(const char* start) {
  for (const Txn::Field field : {Txn::session_field, Txn::ops_field}) {
    if (!txn.has(field)) {
      return json.fail(start, fmt::format("the field \"{}\" is missing",
                                          kJsonlFields[field]));
    }
  }
  if (txn.has(Txn::id_field) && txn.id == Builder::kNoLabel &&
      txn.status != Status::aborted) {
    return json.fail(start, "only an aborted transaction may be without an id");
  }
  return true;
}

bool JsonlLine::member(bool first) {
  const char* const start = json.at();
  const unsigned usual = fast && !is_header && !is_about ? usual_field(start)
                                                         : kJsonlFields.size();
  if (usual != kJsonlFields.size() && (txn.fields >> usual & 1) == 0) {
    txn.fields |= 1u << usual;
    json.move_to(start + kJsonlFields[usual].size() + 3);
    return value(usual);
  }
  std::string_view name;
  if (!json.text(name, kText)) return false;
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
  if (!json.colon()) return false;
  if (is_about) {
    about.clear();
    return json.skip(&about);
  }
  return is_header ? header_value(field) : value(field);
}

std::span<const std::string_view> JsonlLine::fields() const {
  if (is_about) return kJsonlAboutFields;
  if (is_header) return kJsonlHeaderFields;
  return kJsonlFields;
}

bool JsonlLine::header_value(unsigned field) {
  const char* const start = json.at();
  if (field == 0) {
    Atom version;
    if (!integer(version, "the version, 1")) return false;
    header = {};
    return version == Atom::integer(1) ||
           json.fail(start,
                     "this version of the format is not known here; known "
                     "is 1");
  }
  if (field == 2) return named("clock", kClockNames, header.clock.emplace());
  if (field == 3) return domain(header.domain.emplace());
  if (field == 4) return relations();
  if (*start == 'f') {
    header.initial = std::nullopt;
    return json.word("false", kInitial);
  }
  if (*start == '"') {
    std::string_view text;
    header.initial = Atom{0, Atom::Kind::string};
    if (!json.text(text, kInitial)) return false;
    header.initial_text = text;
    return true;
  }
  return term(header.initial.emplace(), kInitial);
}

template <typename Enum, std::size_t kCount>
bool JsonlLine::named(std::string_view what,
                      const std::string_view (&names)[kCount], Enum& value) {
  const char* const start = json.at();
  std::string_view word;
  if (!json.text(word, kText)) return false;
  return enum_named(word, names, value) ||
         json.fail(start, unknown_word(what, word, names));
}

bool JsonlLine::domain(std::string& name) {
  const char* const start = json.at();
  std::string_view text;
  if (!json.text(text, "the name of a clock domain, a text")) return false;
  name = text;
  return !text.empty() || json.fail(start, "a clock domain must have a name");
}

bool JsonlLine::relations() {
  if (!json.open('[', "a list of relations")) return false;
  while (json.next(']')) {
    if (!relation()) return false;
  }
  return !json.failed();
}

// ["a","b",offset,error]
bool JsonlLine::relation() {
  const char* const start = json.at();
  JsonlHeader::Relation made{};
  if (!json.open('[', "a relation, [from, to, offset, error]") ||
      !domain(made.from) || !json.comma() || !domain(made.to) ||
      !json.comma() || !distance(made.offset, false) || !json.comma() ||
      !distance(made.error, true) || !json.close(']')) {
    return false;
  }
  if (made.from == made.to) {
    return json.fail(start, "a clock is related to itself");
  }
  header.relations.push_back(std::move(made));
  return true;
}

bool JsonlLine::distance(std::int64_t& value, bool is_error) {
  const char* const start = json.at();
  Atom atom;
  if (!integer(atom, is_error ? "an error, an integer that is not negative"
                              : "an offset, an integer")) {
    return false;
  }
  value = static_cast<std::int64_t>(atom.bits);
  constexpr std::int64_t kFarthest = ClockDomains::kFarthest;
  if (atom.kind != Atom::Kind::integer || value > kFarthest ||
      value < (is_error ? 0 : -kFarthest)) {
    return json.fail(start, is_error
                                ? "the error is not between 0 and 2^61"
                                : "the offset is not between -2^61 and 2^61");
  }
  return true;
}

bool JsonlLine::value(unsigned field) {
  switch (Txn::Field(field)) {
    case Txn::session_field:
      return term(txn.session, "a session: an integer or a text");
    case Txn::id_field:
      return integer_or_null(txn.id, "an id: an integer or null",
                             "the id is not between -2^63 + 1 and 2^63 - 1");
    case Txn::status_field:
      return named("status", kStatusNames, txn.status);
    case Txn::ops_field:
      return ops();
    case Txn::times_field:
      txn.times_at = json.at();
      return times(txn.times);
    case Txn::ticks_field:
      return times(txn.ticks);
    case Txn::node_field: {
      std::string_view text;
      if (!json.text(text, kText)) return false;
      txn.node = shard_.string(text);
      return true;
    }
    case Txn::meta_field:
      return meta();
    case Txn::domain_field:
      if (!domain(compact_)) return false;
      txn.domain = shard_.string(compact_);
      return true;
  }
  return false;
}

// Recorders note the same few things again and again.
bool JsonlLine::meta() {
  constexpr std::size_t kMostKnown = 8, kLongest = 64;
  const char* const start = json.at();
  for (const KnownMeta& known : known_metas_) {
    if (std::strncmp(start, known.raw.data(), known.raw.size()) == 0) {
      json.move_to(start + known.raw.size());
      txn.meta = known.atom;
      return true;
    }
  }
  compact_.clear();
  if (!json.skip(&compact_)) return false;
  txn.meta = shard_.string(compact_);
  const std::string_view raw(start,
                             static_cast<std::size_t>(json.at() - start));
  // An object shows by itself where it ends.
  if (fast && *start == '{' && raw.ends_with('}') && raw.size() <= kLongest &&
      known_metas_.size() < kMostKnown) {
    known_metas_.push_back({std::string(raw), txn.meta});
  }
  return true;
}

// An integer, or why there is none.
bool JsonlLine::integer(Atom& atom, std::string_view wanted) {
  const char* const start = json.at();
  const char* const end = JsonReader::number(start, atom);
  if (end != nullptr && *end != '.' && *end != 'e' && *end != 'E') {
    json.move_to(end);
    return true;
  }
  const char* const digits = start + (*start == '-' ? 1 : 0);
  if (!is_digit(*digits)) return json.expected_at(digits, wanted);
  if (end != nullptr) return json.expected(wanted);
  return json.fail(start, *digits == '0'
                              ? "JSON numbers have no leading zeros"
                              : "the number does not fit into 64 bits");
}

// The least number of 64 bits stands for null.
bool JsonlLine::integer_or_null(std::int64_t& number, std::string_view wanted,
                                const char* out_of_range) {
  static_assert(Builder::kNoLabel == kNoTime);
  const char* const start = json.at();
  if (*start == 'n') {
    number = kNoTime;
    return json.word("null", wanted);
  }
  Atom atom;
  if (!integer(atom, wanted)) return false;
  number = static_cast<std::int64_t>(atom.bits);
  return (atom.kind == Atom::Kind::integer && number != kNoTime) ||
         json.fail(start, out_of_range);
}

// A key or a value.
bool JsonlLine::term(Atom& atom, std::string_view wanted) {
  switch (*json.at()) {
    case '"': {
      std::string_view text;
      if (!json.text(text, wanted)) return false;
      atom = shard_.string(text);
      return true;
    }
    case 'n':
      atom = Atom::nil();
      return json.word("null", wanted);
    case '{':
      atom = Atom::absent();
      json.open('{', wanted);
      return json.close('}', "\"}\": only {} stands for an absent value");
    default:
      return integer(atom, wanted);
  }
}

bool JsonlLine::times(History::Times& pair) {
  return json.open('[', "two times, [begin, end]") && time(pair.begin) &&
         json.comma() && time(pair.end) && json.close(']');
}

bool JsonlLine::time(std::int64_t& time) {
  return integer_or_null(time, "a time: an integer or null",
                         "the time is not between -2^63 + 1 and 2^63 - 1");
}

bool JsonlLine::ops() {
  if (!json.open('[', "a list of operations")) return false;
  while (json.next(']')) {
    const char* const end = fast ? fast_op(json.at()) : nullptr;
    if (end != nullptr) {
      json.move_to(end);
      continue;
    }
    name_keys();
    if (!op()) return false;
  }
  name_keys();
  return !json.failed();
}

// Finding a text is waiting for memory, so all of a transaction are waited for
// at once; they are named in their order.
void JsonlLine::name_keys() {
  for (const Unnamed& key : unnamed_) shard_.expect_more(key.words);
  for (const Unnamed& key : unnamed_) {
    txn.ops[key.op].key = shard_.string(key.words, key.text);
  }
  unnamed_.clear();
}

// A number, or a text of printable ASCII that is not long; its end, or nullptr
// and no mistake. A text is left to name_keys.
const char* JsonlLine::fast_key(const char* p, Atom& key) {
  if (*p != '"') return JsonReader::number(p, key);
  ++p;
  Unnamed text;
  std::size_t size = 0;
  for (std::uint64_t& word : text.words.words) {
    const std::uint64_t bytes = eight_bytes(p + size);
    const unsigned plain = JsonReader::plain_ascii(bytes);
    size += plain;
    if (plain == 8) {
      word = bytes;
      continue;
    }
    word = bytes & ((std::uint64_t{1} << (8 * plain)) - 1);
    break;
  }
  if (size > TextWords::kLongest || p[size] != '"') return nullptr;
  text.words.set_size(size);
  text.text = {p, size};
  text.op = txn.ops.size();
  shard_.expect(text.words);
  unnamed_.push_back(text);
  return p + size + 1;
}

// ["w",1,2], ["r","x",2] or ["r",1,null]: no blanks, values are numbers;
// nullptr and no mistake if it is spelt otherwise. Same meaning as op(), a
// third of the time.
const char* JsonlLine::fast_op(const char* p) {
  if (p[0] != '[' || p[1] != '"' || p[3] != '"' || p[4] != ',' ||
      (p[2] != 'w' && p[2] != 'r')) {
    return nullptr;
  }
  Op op{.kind = p[2] == 'w' ? OpKind::write : OpKind::read,
        .key = {},
        .value = Atom::nil()};
  const std::size_t unnamed = unnamed_.size();
  const char* const key_end = fast_key(p + 5, op.key);
  if (key_end == nullptr) return nullptr;
  const char* const place = key_end + 1;
  const char* end = nullptr;
  if (*key_end == ',') {
    end = std::memcmp(place, "null", 4) == 0
              ? place + 4
              : JsonReader::number(place, op.value);
  }
  if (end == nullptr || *end != ']') {
    unnamed_.resize(unnamed);
    return nullptr;
  }
  if (register_op == nullptr && (p[2] == 'w' || op.value != Atom::nil())) {
    register_op = p;
  }
  txn.ops.push_back(op);
  return end + 1;
}

bool JsonlLine::op() {
  const char* const start = json.at();
  Op op{.kind = OpKind::read, .key = {}, .value = Atom::absent()};
  if (!json.open('[', "an operation, [\"r\", key, value]")) return false;
  const char* const place = json.at();
  std::string_view word;
  if (!json.text(word, kText)) return false;
  if (word == "w") {
    op.kind = OpKind::write;
  } else if (word == "append") {
    op.kind = OpKind::append;
  } else if (word != "r") {
    return json.expected_at(place, "\"r\", \"w\" or \"append\"");
  }
  if (!json.comma() || !term(op.key, kKey)) return false;
  if (*json.at() == ',') {
    json.comma();
    if (*json.at() == '[' && op.kind == OpKind::read
            ? !list(op)
            : !term(op.value, kValue)) {
      return false;
    }
  }
  if (!json.close(']')) return false;
  if (op.kind == OpKind::append || op.kind == OpKind::read_list) {
    if (list_op == nullptr) list_op = start;
  } else if (register_op == nullptr &&
             (op.kind == OpKind::write || op.value != Atom::nil())) {
    register_op = start;
  }
  txn.ops.push_back(op);
  return true;
}

bool JsonlLine::list(Op& op) {
  op.kind = OpKind::read_list;
  json.open('[', kValue);
  while (json.next(']')) {
    ++op.size;
    if (!term(txn.elements.emplace_back(), kValue)) return false;
  }
  return !json.failed();
}

}  // namespace awdit
