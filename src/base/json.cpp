#include "base/json.h"

#include "base/utf8.h"

namespace awdit {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// What stands for the byte behind a backslash; '\0': nothing does.
char escape(char byte) {
  constexpr std::string_view kMeant = "\"\\\b\f\n\r\t";
  constexpr std::string_view kNames = "\"\\bfnrt";
  const std::size_t at = kMeant.find(byte);
  return at == std::string_view::npos ? '\0' : kNames[at];
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
    const char escaped = length == 1 ? escape(text[i]) : '\0';
    const int control = utf8_control(text.substr(i, length));
    if (length != 0 && escaped == '\0' && control < 0) {
      i += length;
      continue;
    }
    sink.append(text.substr(plain, i - plain));
    if (length == 0) {
      sink.append(kReplacement);
    } else if (escaped != '\0') {
      sink.append('\\');
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
  literal(std::to_string(number));
}

void JsonWriter::natural(std::uint64_t number) {
  literal(std::to_string(number));
}

}  // namespace awdit
