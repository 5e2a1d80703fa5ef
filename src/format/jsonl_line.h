// A line of awdit-jsonl: a transaction, the header, or something about all.
// Private to format/. See docs/formats/awdit-jsonl.md.
//
// A line that a dying recorder cut off is known by its mistake, which is where
// the line ends, and by nothing else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/json_text.h"
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

// How many bytes behind the newline of a line must be readable.
inline constexpr std::size_t kJsonlPadding = 8;
// A copy of a line, with its newline and the padding.
inline std::string padded_line(std::string_view line) {
  return std::string(line) + '\n' + std::string(kJsonlPadding, '\0');
}

class JsonlLine {
 public:
  // Texts are named by the shard.
  explicit JsonlLine(Builder::Shard& shard) : shard_(shard) {}

  // The line at p, not blank; returns the place behind its newline, or nullptr
  // and the mistake is in json.mistake(). REQUIRES: the line is padded.
  const char* parse(const char* p);

  JsonReader json;
  JsonlTransaction txn;
  JsonlHeader header;
  bool is_header = false;
  bool is_about = false;
  std::string about;  // JSON
  // Where the first operation stands that only histories of lists have, or
  // only those of single values; of all lines so far.
  const char* list_op = nullptr;
  const char* register_op = nullptr;
  // Operations in the usual spelling are read in one go; not so in some tests.
  bool fast = true;

 private:
  using Op = JsonlTransaction::Op;

  bool complete(const char* start);
  bool member(bool first);
  std::span<const std::string_view> fields() const;
  bool header_value(unsigned field);
  bool value(unsigned field);
  bool integer(Atom& atom, std::string_view wanted);
  bool integer_or_null(std::int64_t& number, std::string_view wanted,
                       const char* out_of_range);
  bool term(Atom& atom, std::string_view wanted);
  template <typename Enum, std::size_t kCount>
  bool named(std::string_view what, const std::string_view (&names)[kCount],
             Enum& value);
  bool domain(std::string& name);
  bool relations();
  bool relation();
  bool distance(std::int64_t& value, bool is_error);
  bool times(History::Times& pair);
  bool time(std::int64_t& time);
  bool ops();
  bool op();
  const char* fast_op(const char* p);
  const char* fast_key(const char* p, Atom& key);
  void name_keys();
  bool meta();
  bool list(Op& op);

  // A key of the operations read so far that is still to be named.
  struct Unnamed {
    TextWords words;
    std::string_view text;
    std::size_t op;  // in txn.ops
  };

  Builder::Shard& shard_;
  std::string compact_;
  std::vector<Unnamed> unnamed_;
  struct KnownMeta {
    std::string raw;  // as it stands in the line
    Atom atom;
  };
  std::vector<KnownMeta> known_metas_;
};

}  // namespace awdit
