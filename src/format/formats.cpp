// THE table of formats, and what reads a history through it.
#include <array>

#include "format/format.h"
#include "format/rows.h"

namespace awdit {
namespace {

constexpr std::array<std::string_view, 3> kPlumeAliases = {"polysi", "text",
                                                           "plume-text"};
constexpr std::array<std::string_view, 1> kAwditTestAliases = {"test"};

constexpr std::array<Format, 2> kFormats = {{
    {.name = "plume",
     .aliases = kPlumeAliases,
     .summary = "one operation per line: r(key,value,session,txn)",
     .sniff = sniff_plume,
     .parse = parse_plume},
    {.name = "awdit-test",
     .aliases = kAwditTestAliases,
     .summary = "r KEY VALUE lines, --- between transactions, === sessions",
     .sniff = sniff_awdit_test,
     .parse = parse_awdit_test},
}};

constexpr std::size_t kHead = 4096;

Error unrecognised(const Input& input) {
  std::string names;
  for (const Format& format : kFormats) {
    names += "\n  ";
    names += format.name;
    names += "  ";
    names += format.summary;
  }
  return Error{.where = input.name() + ":1:1",
               .message =
                   "this does not look like a history in any format "
                   "known here",
               .excerpt = "",
               .hint = "Known formats:" + names +
                       "\nName one with --format if the beginning of the file "
                       "is unusual."};
}

}  // namespace

std::span<const Format> formats() { return kFormats; }

Result<Loaded> read_history(const std::string& path, const Format* format,
                            unsigned threads) {
  Result<Input> input = Input::open(path);
  if (!input) return std::move(input.error());
  if (input->bytes().empty()) {
    return Error{.where = input->name() + ":1:1",
                 .message = "the file is empty",
                 .excerpt = "",
                 .hint =
                     "A history needs at least one operation; did the "
                     "recorder run?"};
  }
  if (format == nullptr) {
    const std::string_view head = input->bytes().substr(0, kHead);
    for (const Format& candidate : kFormats) {
      if (candidate.sniff(head)) {
        format = &candidate;
        break;
      }
    }
    if (format == nullptr) return unrecognised(*input);
  }
  Result<History> history = format->parse(*input, threads);
  if (!history) {
    Error error = std::move(history.error());
    if (error.where.empty()) error.where = input->name();
    return error;
  }
  if (history->num_ops() == 0) {
    return Error{.where = input->name() + ":1:1",
                 .message = "the file holds no operation",
                 .excerpt = "",
                 .hint =
                     "A history needs at least one operation; did the "
                     "recorder run?"};
  }
  return Loaded{std::move(*history), format};
}

}  // namespace awdit
