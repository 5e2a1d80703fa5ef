// A line of awdit-jsonl: a transaction, the header, or something about all.
// Private to format/. See docs/formats/awdit-jsonl.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/json_line.h"
#include "history/builder.h"

namespace awdit {

// The fields of a transaction, and of the header.
inline constexpr std::array<std::string_view, 9> kJsonlFields = {
    "session", "id",   "status", "ops",         "times",
    "ticks",   "node", "meta",   "clock_domain"};
inline constexpr std::array<std::string_view, 5> kJsonlHeaderFields = {
    "awdit", "initial", "clock", "clock_domain", "clock_relations"};
inline constexpr std::array<std::string_view, 1> kJsonlAboutFields = {"about"};

struct JsonlTransaction {
  // Positions in kJsonlFields.
  enum Field : std::uint8_t {
    session_field,
    id_field,
    status_field,
    ops_field,
    times_field,
    ticks_field,
    node_field,
    meta_field,
    domain_field
  };
  struct Op {
    OpKind kind;
    std::uint32_t size = 0;  // elements of read_list
    Atom key;
    Atom value;  // of read_list: not looked at
  };
  unsigned fields = 0;  // bits 1 << Field of those that are there
  Atom session;
  std::int64_t id = 0;
  Status status = Status::committed;
  History::Times times{}, ticks{};
  const char* times_at = nullptr;
  Atom node, meta, domain;
  std::vector<Op> ops;
  std::vector<Atom> elements;

  bool has(Field field) const { return (fields >> field & 1) != 0; }
};

struct JsonlHeader {
  std::optional<Atom> initial = Atom::nil();  // of kind string: bits are 0
  std::string initial_text;
  std::optional<Clock> clock;

  std::optional<std::string> domain;  // of the file's times
  struct Relation {
    std::string from, to;
    std::int64_t offset, error;
  };
  std::vector<Relation> relations;

  // Whether what files of one history share is the same.
  bool agrees(const JsonlHeader& other) const {
    return initial == other.initial && initial_text == other.initial_text &&
           clock == other.clock;
  }
};

class JsonlLine {
 public:
  // Texts are named by the shard.
  explicit JsonlLine(Builder::Shard& shard) : shard_(shard) {}

  // The line at p, not blank; returns the place behind its newline, or nullptr
  // and the mistake is in json.mistake.
  const char* parse(const char* p);

  // Places before this one have kRoom bytes behind them: there, operations in
  // the usual spelling are read in one go.
  static constexpr std::size_t kRoom = 64;
  const char* fast_until = nullptr;

  JsonLine json;
  JsonlTransaction txn;
  JsonlHeader header;
  bool is_header = false;
  bool is_about = false;
  std::string about;  // JSON
  // Where the first operation stands that only histories of lists have, or
  // only those of single values; of all lines so far.
  const char* list_op = nullptr;
  const char* register_op = nullptr;

 private:
  using Op = JsonlTransaction::Op;

  bool complete(const char* start);
  const char* member(const char* p, bool first);
  std::span<const std::string_view> fields() const;
  const char* header_value(const char* p, unsigned field);
  const char* value(const char* p, unsigned field);
  const char* term(const char* p, Atom& atom, const char* wanted);
  const char* id(const char* p);
  const char* status(const char* p);
  const char* clock(const char* p);
  const char* domain(const char* p, std::string& name);
  const char* relations(const char* p);
  const char* relation(const char* p);
  const char* distance(const char* p, std::int64_t& value, bool is_error);
  const char* times(const char* p, History::Times& pair);
  const char* time(const char* p, std::int64_t& time);
  const char* ops(const char* p);
  const char* op(const char* p);
  const char* fast_op(const char* p);
  const char* list(const char* p, Op& op);
  // What stands behind the bracket of an array: element(p) returns the place
  // behind one.
  template <typename Element>
  const char* array(const char* p, const Element& element) {
    if (*p == ']') return p + 1;
    for (;;) {
      p = element(p);
      if (p == nullptr) return nullptr;
      p = JsonLine::skip_blanks(p);
      if (*p == ']') return p + 1;
      if (*p != ',') return json.expected(p, "\",\" or \"]\"");
      p = JsonLine::skip_blanks(p + 1);
    }
  }

  Builder::Shard& shard_;
  std::string compact_;
};

}  // namespace awdit
