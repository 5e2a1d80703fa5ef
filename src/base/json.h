// Writes JSON (RFC 8259) piece by piece into a Sink, without a tree.
//
//   JsonWriter json(sink);
//   json.begin_object();
//   json.field("path", path);
//   json.array("levels", levels, [&](const Level& level) { ... });
//   json.begin_object("times");  ...  json.end_object();
//   json.end_object();
//
// Commas and colons are the writer's business; that begin and end match and
// that keys stand only in objects is the caller's. Strings may hold any bytes:
// what is not UTF-8 becomes U+FFFD, so the output is always well-formed; and
// what a terminal would obey is escaped, so that it may be shown there.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/sink.h"

namespace awdit {

// `text` as a JSON string, quotes included.
void append_json_string(std::string_view text, Sink& sink);

class JsonWriter {
 public:
  explicit JsonWriter(Sink& sink) : sink_(sink) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  void key(std::string_view name);
  void begin_object(std::string_view name) {
    key(name);
    begin_object();
  }
  void begin_array(std::string_view name) {
    key(name);
    begin_array();
  }
  // A field that is an array: write(item) writes an entry for each item, if not
  // several or none.
  template <typename Items, typename Write>
  void array(std::string_view name, const Items& items, Write&& write) {
    begin_array(name);
    for (const auto& item : items) write(item);
    end_array();
  }
  template <typename Items>
  void array(std::string_view name, const Items& items) {
    array(name, items, [&](const auto& item) { value(item); });
  }

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  template <std::same_as<bool> B>
  void value(B flag) {
    literal(flag ? "true" : "false");
  }
  template <std::signed_integral I>
  void value(I number) {
    integer(static_cast<std::int64_t>(number));
  }
  template <std::unsigned_integral U>
  requires(!std::same_as<U, bool>) void value(U number) {
    natural(static_cast<std::uint64_t>(number));
  }
  void null() { literal("null"); }
  void null(std::string_view name) {
    key(name);
    null();
  }

  template <typename T>
  void field(std::string_view name, const T& content) {
    key(name);
    value(content);
  }
  // An object of plain fields: record("from", 1, "to", 5).
  template <typename... Parts>
  void record(const Parts&... parts) {
    begin_object();
    fields(parts...);
    end_object();
  }
  // A field that is such an object.
  template <typename... Parts>
  void record_field(std::string_view name, const Parts&... parts) {
    key(name);
    record(parts...);
  }

 private:
  void fields() {}
  template <typename T, typename... Parts>
  void fields(std::string_view name, const T& content, const Parts&... rest) {
    field(name, content);
    fields(rest...);
  }
  void open(char bracket);
  void close(char bracket);
  void separate();
  void literal(std::string_view text);
  void integer(std::int64_t number);
  void natural(std::uint64_t number);

  Sink& sink_;
  // [depth] -> whether that object or array already has an element
  std::vector<bool> started_;
  bool after_key_ = false;
};

}  // namespace awdit
