#include "base/json.h"

#include <charconv>

#include "base/utf8.h"

namespace awdit {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// The escape for a byte below 0x80 that may not stand for itself, or "".
std::string_view escape(char byte) {
  switch (byte) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return {};
  }
}

}  // namespace

void append_json_string(std::string_view text, Sink& sink) {
  constexpr char kHex[] = "0123456789abcdef";
  sink.append('"');
  std::size_t plain = 0;  // text[plain, i) needs no escape
  std::size_t i = 0;
  while (i < text.size()) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\') {
      ++i;  // nearly always
      continue;
    }
    const std::size_t length = utf8_sequence(text.substr(i));
    const std::string_view escaped = length == 1 ? escape(text[i]) : "";
    const int control = utf8_control(text.substr(i, length));
    if (length != 0 && escaped.empty() && control < 0) {
      i += length;
      continue;
    }
    sink.append(text.substr(plain, i - plain));
    if (length == 0) {
      sink.append(kReplacement);
    } else if (!escaped.empty()) {
      sink.append(escaped);
    } else {
      sink.append("\\u00");
      sink.append(kHex[control >> 4]);
      sink.append(kHex[control & 0xF]);
    }
    i += length == 0 ? 1 : length;
    plain = i;
  }
  sink.append(text.substr(plain));
  sink.append('"');
}

std::string json_string(std::string_view text) {
  std::string quoted;
  Sink sink(quoted);
  append_json_string(text, sink);
  sink.flush();
  return quoted;
}

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (started_.empty()) return;
  if (started_.back()) sink_.append(',');
  started_.back() = true;
}

void JsonWriter::open(char bracket) {
  separate();
  sink_.append(bracket);
  started_.push_back(false);
}

void JsonWriter::close(char bracket) {
  started_.pop_back();
  sink_.append(bracket);
}

void JsonWriter::key(std::string_view name) {
  separate();
  append_json_string(name, sink_);
  sink_.append(':');
  after_key_ = true;
}

void JsonWriter::value(std::string_view text) {
  separate();
  append_json_string(text, sink_);
}

void JsonWriter::literal(std::string_view text) {
  separate();
  sink_.append(text);
}

void JsonWriter::integer(std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  literal({digits, static_cast<std::size_t>(end - digits)});
}

void JsonWriter::natural(std::uint64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  literal({digits, static_cast<std::size_t>(end - digits)});
}

}  // namespace awdit
