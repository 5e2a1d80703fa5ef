// Writes the operations of a history as Jepsen records them, in EDN or in JSON,
// which differ in spelling only. Private to format/.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/sink.h"
#include "history/history.h"

namespace awdit {

struct JepsenSpelling {
  // Before the first operation, between two, and behind the last one.
  std::string_view begin, between, end;
  // Keys with what follows them; `registers` with its value, too.
  std::string_view index, time, type, process, id, at, registers, value;
  std::array<std::string_view, 4> types;  // invoke, ok, fail, info
  std::string_view read, write, append;   // up to the key
  std::string_view comma;                 // between parts of one thing
  std::string_view nil;
  // A text as a key or a value.
  std::string (*text)(std::string_view);
};

void write_jepsen(const History& history, const JepsenSpelling& spelling,
                  Sink& sink);

}  // namespace awdit
