// History formats. Front door.
//
// A format is one row of the table in formats.cpp and one file: it recognises
// its input, parses it straight into a Builder, and nothing else.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/input.h"
#include "base/result.h"
#include "history/history.h"

namespace awdit {

struct Format {
  std::string_view name;                      // kebab-case, as typed
  std::span<const std::string_view> aliases;  // may be empty
  std::string_view summary;                   // one line for help texts
  // Whether the input looks like this format, judged from its beginning (the
  // first few kilobytes are enough). At most one row may say yes.
  bool (*sniff)(std::string_view head);
  // REQUIRES: input stays alive during the call only.
  Result<History> (*parse)(const Input& input, unsigned threads);
};

std::span<const Format> formats();

struct Loaded {
  History history;
  const Format* format;
};

// Opens `path` ("-" is standard input) and parses it, as `format` or, if that
// is nullptr, as what it looks like.
Result<Loaded> read_history(const std::string& path, const Format* format,
                            unsigned threads);

}  // namespace awdit
