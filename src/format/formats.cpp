// THE table of formats, and what reads a history through it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/budget.h"
#include "format/cobra_log.h"
#include "format/container.h"
#include "format/format.h"
#include "format/rows.h"
#include "format/text_place.h"

namespace awdit {
namespace {

constexpr std::array<std::string_view, 3> kPlumeAliases = {"polysi", "text",
                                                           "plume-text"};
constexpr std::array<std::string_view, 1> kAwditTestAliases = {"test"};
constexpr std::array<std::string_view, 3> kJepsenEdnAliases = {"edn", "jepsen",
                                                               "elle-edn"};
constexpr std::array<std::string_view, 2> kElleJsonAliases = {"elle",
                                                              "elle-cli"};

constexpr std::uint8_t bit(Clock clock) {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(clock));
}

// In JSON, texts are UTF-8.
constexpr Capacity as_json(Capacity capacity) {
  capacity.utf8 = true;
  return capacity;
}

// What the formats of Jepsen hold; they differ in spelling only.
constexpr Capacity kJepsenCapacity = {
    .keys = Capacity::Atoms::labels,
    .values = Capacity::Atoms::any,
    .sessions = Capacity::Atoms::integers,
    .initial = Capacity::Initial::nil,
    .ids = true,
    .needs_ids = true,
    .empty_txns = true,
    .aborted = true,
    .aborted_whole = true,
    .unknown = true,
    .idle_nil_reads = false,
    .lists = true,
    .clocks = bit(Clock::nanoseconds) | bit(Clock::events),
    .ticks = true};

constexpr std::array<std::string_view, 1> kDbcopAliases = {"bincode"};
constexpr std::array<std::string_view, 1> kDbcopHistAliases = {"hist"};
constexpr std::array<std::string_view, 2> kChronosAliases = {"aion",
                                                             "timekiller"};

constexpr std::array<std::string_view, 1> kAwditJsonlAliases = {"jsonl"};
constexpr std::array<std::string_view, 1> kAwditAliases = {"awdit-binary"};

// Our own formats hold all that a history can.
constexpr Capacity kEverything = {.keys = Capacity::Atoms::any,
                                  .values = Capacity::Atoms::any,
                                  .sessions = Capacity::Atoms::any,
                                  .initial = Capacity::Initial::any,
                                  .ids = true,
                                  .empty_txns = true,
                                  .aborted = true,
                                  .aborted_whole = true,
                                  .unknown = true,
                                  .lists = true,
                                  .clocks = 0xFF,
                                  .ticks = true,
                                  .clock_domains = true,
                                  .nodes = true,
                                  .meta = true,
                                  .about = true};

constexpr std::array<Format, 12> kFormats = {{
    {.name = "plume",
     .aliases = kPlumeAliases,
     .summary = "one operation per line: r(key,value,session,txn)",
     .extension = ".txt",
     .joins = true,
     .sniff = sniff_plume,
     .parse = parse_plume,
     .capacity = {.sessions = Capacity::Atoms::naturals,
                  .ids = true,
                  .needs_ids = true,
                  .aborted = true},
     .write = write_plume},
    {.name = "awdit-test",
     .aliases = kAwditTestAliases,
     .summary = "r KEY VALUE lines, --- between transactions, === sessions",
     .sniff = sniff_awdit_test,
     .parse = parse_awdit_test,
     .capacity = {.keys = Capacity::Atoms::words,
                  .values = Capacity::Atoms::words,
                  .initial = Capacity::Initial::none},
     .write = write_awdit_test},
    {.name = "jepsen-edn",
     .aliases = kJepsenEdnAliases,
     .summary = "operation maps of Jepsen and Elle: {:type :ok, :value ...}",
     .extension = ".edn",
     .sniff = sniff_jepsen_edn,
     .parse = parse_jepsen_edn,
     .capacity = kJepsenCapacity,
     .write = write_jepsen_edn},
    {.name = "elle-json",
     .aliases = kElleJsonAliases,
     .summary = "the same operations as an array of JSON objects",
     .extension = ".json",
     .sniff = sniff_elle_json,
     .parse = parse_elle_json,
     .capacity = as_json(kJepsenCapacity),
     .write = write_elle_json},
    {.name = "dbcop",
     .aliases = kDbcopAliases,
     .summary = "history.bincode of DBCop, also written by PolySI and AWDIT",
     .extension = ".bincode",
     .binary = true,
     .sniff = sniff_dbcop,
     .parse = parse_dbcop,
     .capacity = {.keys = Capacity::Atoms::words,
                  .values = Capacity::Atoms::words,
                  .empty_txns = true,
                  .aborted = true,
                  .aborted_whole = true},
     .write = write_dbcop},
    {.name = "dbcop-json",
     .summary = "JSON of the newer dbcop: params and data, or data alone",
     .sniff = sniff_dbcop_json,
     .parse = parse_dbcop_json,
     .capacity = {.keys = Capacity::Atoms::words,
                  .values = Capacity::Atoms::words,
                  .initial = Capacity::Initial::nil,
                  .zero_is_initial = true,
                  .empty_txns = true,
                  .aborted = true,
                  .aborted_whole = true},
     .write = write_dbcop_json},
    {.name = "dbcop-hist",
     .aliases = kDbcopHistAliases,
     .summary = "[x:=1 y==2] lines, --- between sessions",
     .extension = ".hist",
     .sniff = sniff_dbcop_hist,
     .parse = parse_dbcop_hist,
     .capacity = {.keys = Capacity::Atoms::identifiers,
                  .values = Capacity::Atoms::words,
                  .initial = Capacity::Initial::nil,
                  .zero_is_initial = true,
                  .empty_txns = true,
                  .aborted = true,
                  .aborted_whole = true},
     .write = write_dbcop_hist},
    {.name = "viper",
     .summary = "directory of Viper's J*.log, a JSON object per transaction",
     .directory = true,
     .joins = true,
     .sniff = sniff_viper,
     .parse = parse_viper,
     .capacity = {.keys = Capacity::Atoms::integers,
                  .values = Capacity::Atoms::integers,
                  .empty_txns = true},
     .write = write_viper},
    {.name = "chronos",
     .aliases = kChronosAliases,
     .summary = "JSON of Chronos and Aion, with the database's timestamps",
     .sniff = sniff_chronos,
     .parse = parse_chronos,
     .capacity = {.values = Capacity::Atoms::integers,
                  .sessions = Capacity::Atoms::labels,
                  .utf8 = true,
                  .initial = Capacity::Initial::nil,
                  .zero_is_initial = true,
                  .ids = true,
                  .needs_ids = true,
                  .unique_ids = true,
                  .empty_txns = true,
                  .lists = true,
                  .clocks = bit(Clock::hybrid),
                  .ticks = true},
     .write = write_chronos},
    {.name = "cobra",
     .summary = "Cobra's binary client logs, a directory of T1.log, T2.log ...",
     .binary = true,
     .directory = true,
     .joins = true,
     .sniff = sniff_cobra,
     .parse = parse_cobra,
     .capacity = {.keys = Capacity::Atoms::integers,
                  .values = Capacity::Atoms::integers,
                  .initial = Capacity::Initial::nil_or_absent,
                  .reserved = cobra::kReserved,
                  .ids = true,
                  .needs_ids = true,
                  .unique_ids = true,
                  .empty_txns = true,
                  .clocks = bit(Clock::milliseconds)},
     .write = write_cobra},
    {.name = "awdit-jsonl",
     .aliases = kAwditJsonlAliases,
     .summary = "for recorders: a JSON object per line, each a transaction",
     .extension = ".jsonl",
     .joins = true,
     .sniff = sniff_awdit_jsonl,
     .parse = parse_awdit_jsonl,
     .capacity = as_json(kEverything),
     .write = write_awdit_jsonl,
     .record = record_awdit_jsonl},
    {.name = "awdit",
     .aliases = kAwditAliases,
     .summary = "awdit's own binary files: small, checksummed, loaded at once",
     .extension = ".awdit",
     .binary = true,
     .exact = true,
     .sniff = sniff_awdit,
     .parse = parse_awdit,
     .capacity = kEverything,
     .write = write_awdit,
     .record = record_awdit},
}};

constexpr std::size_t kHead = 4096;

// What begins like this, or nullptr.
const Format* recognise(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, kHead);
  for (const Format& format : kFormats) {
    if (format.sniff(head)) return &format;
  }
  return nullptr;
}
const Format* recognise(const Input& file) { return recognise(file.bytes()); }

std::string known_formats() {
  std::size_t width = 0;
  for (const Format& format : kFormats) {
    width = std::max(width, format.name.size());
  }
  std::string text;
  for (const Format& format : kFormats) {
    text += fmt::format("\n  {:<{}}  {}", format.name, width, format.summary);
  }
  return text;
}

Error unrecognised(const Container& container) {
  return Error{
      .where = container.many ? container.name : container.name + ":1:1",
      .message = container.many ? "no file in here looks like a history in any "
                                  "format known here"
                                : "this does not look like a history in any "
                                  "format known here",
      .hint = "Known formats:" + known_formats() +
              "\nName one with --format if the beginning of the file "
              "is unusual."};
}

Error without_operations(const std::string& where, std::string_view what) {
  return Error{.where = where,
               .message = std::string(what),
               .hint =
                   "A history needs at least one operation; did the "
                   "recorder run?"};
}

Error several(const Container& container, const Format& format,
              std::span<const std::size_t> chosen) {
  std::string names;
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < chosen.size() && i < kShown; ++i) {
    names += "\n  " + container.files[chosen[i]].name();
  }
  if (chosen.size() > kShown) {
    names += fmt::format("\n  and {} more", chosen.size() - kShown);
  }
  return Error{.where = container.name,
               .message = fmt::format("there are {} {} files here, each a "
                                      "history of its own",
                                      chosen.size(), format.name),
               .hint = "Name one of them:" + names};
}

Error mixed(const Container& container, const Input& a, const Format& as_a,
            const Input& b, const Format& as_b) {
  return Error{
      .where = container.name,
      .message = fmt::format("{} looks like {}, but {} like {}", a.name(),
                             as_a.name, b.name(), as_b.name),
      .hint =
          "The files of a directory or an archive are one history. Say which "
          "one is meant with --format, or name the file."};
}

// "run/T12.log" -> "T#.log"
std::string pattern_of(std::string_view path) {
  std::string pattern;
  for (const char c : last_name(path)) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) {
      pattern += c;
    } else if (!pattern.ends_with('#')) {
      pattern += '#';
    }
  }
  return pattern;
}

// Files that look like nothing but are called like one that was chosen: a
// damaged log must be refused, not overlooked.
void choose_namesakes(const Container& container,
                      std::vector<std::size_t>& chosen) {
  std::set<std::string> patterns;
  for (const std::size_t i : chosen) {
    const std::string pattern = pattern_of(container.files[i].name());
    if (pattern.find('#') != std::string::npos) patterns.insert(pattern);
  }
  for (std::size_t i = 0; i < container.files.size(); ++i) {
    const Input& file = container.files[i];
    if (!file.bytes().empty() && recognise(file) == nullptr &&
        patterns.contains(pattern_of(file.name()))) {
      chosen.push_back(i);
    }
  }
  std::sort(chosen.begin(), chosen.end());
}

// A file that looked like nothing was not unpacked to its end.
Error not_like_others(const Input& file, const Format& format) {
  return Error{
      .where = file.name(),
      .message = fmt::format(
          "this does not look like {}, as the files beside it do", format.name),
      .hint =
          "It is called as they are, so it seems to belong to them. "
          "Say --format if it does, or take it away."};
}

// Which files of a directory or archive are the history: those that look like
// its format. Logs, notes and results beside them are left alone.
Outcome choose(const Container& container, const Format*& format,
               std::vector<std::size_t>& chosen) {
  const Input* first = nullptr;
  const Format* found = format;
  for (std::size_t i = 0; i < container.files.size(); ++i) {
    const Input& file = container.files[i];
    if (file.bytes().empty()) continue;
    const Format* looks = recognise(file);
    if (looks == nullptr || (format != nullptr && looks != format)) continue;
    if (found != nullptr && looks != found) {
      return mixed(container, *first, *found, file, *looks);
    }
    if (first == nullptr) first = &file;
    found = looks;
    chosen.push_back(i);
  }
  if (found == nullptr) return unrecognised(container);
  format = found;
  if (format->joins) choose_namesakes(container, chosen);
  if (chosen.empty()) {
    // Told what it is, and nothing looks like it: whatever is there, then.
    for (std::size_t i = 0; i < container.files.size(); ++i) {
      if (!container.files[i].bytes().empty()) chosen.push_back(i);
    }
  }
  if (chosen.empty()) {
    return without_operations(container.name, "all files here are empty");
  }
  for (const std::size_t i : chosen) {
    if (container.files[i].cut()) {
      return not_like_others(container.files[i], *format);
    }
  }
  if (chosen.size() > 1 && !format->joins) {
    return several(container, *format, chosen);
  }
  return std::nullopt;
}

Result<Loaded> parse_files(Container& container, const Format* format,
                           unsigned threads) {
  if (container.files.empty()) {
    return without_operations(container.name, "there is no file in here");
  }
  if (!container.many) {
    if (container.files[0].bytes().empty()) {
      return without_operations(container.name + ":1:1", "the file is empty");
    }
    if (format == nullptr) format = recognise(container.files[0]);
    if (format == nullptr) return unrecognised(container);
  } else {
    std::vector<std::size_t> chosen;
    if (Outcome failed = choose(container, format, chosen)) return *failed;
    std::vector<Input> files;
    for (const std::size_t i : chosen) {
      files.push_back(std::move(container.files[i]));
    }
    container.files = std::move(files);
  }
  Result<History> history = format->parse(container.files, threads);
  if (!history) {
    Error error = std::move(history.error());
    if (error.where.empty()) error.where = container.name;
    return error;
  }
  // A recorder that says how it recorded may have been stopped at once.
  if (history->num_ops() == 0 && history->about().empty()) {
    return without_operations(
        container.many ? container.name : container.name + ":1:1",
        container.many ? "the files hold no operation"
                       : "the file holds no operation");
  }
  return Loaded{std::move(*history), format};
}

// What was read of a file that changed meanwhile is worth nothing: neither a
// history nor the mistakes in it.
Result<Loaded> parse(Container container, const Format* format,
                     unsigned threads) {
  Result<Loaded> loaded = parse_files(container, format, threads);
  for (const Input& file : container.files) {
    if (Outcome changed = file.changed()) return *changed;
  }
  return loaded;
}

ContainerOptions options_for(const Format* format, const Access& access) {
  return {
      .plausible = format != nullptr
                       ? nullptr
                       : +[](std::string_view
                                 head) { return recognise(head) != nullptr; },
      .regular_only = access.from == PathsFrom::others,
      .may_map = access.may_map,
      .work = access.work};
}

// Here ends what is thrown when nobody wants the history any more.
template <typename Read>
Result<Loaded> unless_cancelled(const std::string& name, Read&& read) {
  try {
    return read();
  } catch (const UsedUp&) {
    return Error{.where = name, .message = "reading was cancelled"};
  }
}

}  // namespace

std::span<const Format> formats() { return kFormats; }

Result<Loaded> read_history(const std::string& path, const Format* format,
                            unsigned threads, const Access& access) {
  return read_history({&path, 1}, format, threads, access);
}

Result<Loaded> read_history(std::span<const std::string> paths,
                            const Format* format, unsigned threads,
                            const Access& access) {
  return unless_cancelled(paths[0], [&]() -> Result<Loaded> {
    const ContainerOptions options = options_for(format, access);
    if (paths.size() == 1) {
      Result<Container> container = open_container(paths[0], options);
      if (!container) return std::move(container.error());
      return parse(std::move(*container), format, threads);
    }
    Container all;
    all.many = true;
    for (const std::string& path : paths) {
      Result<Container> container = open_container(path, options);
      if (!container) return std::move(container.error());
      all.name += (all.name.empty() ? "" : ", ") + container->name;
      for (Input& file : container->files) all.files.push_back(std::move(file));
    }
    return parse(std::move(all), format, threads);
  });
}

Result<Loaded> read_history_of(Buffer bytes, const std::string& name,
                               const Format* format, unsigned threads,
                               const Access& access) {
  return unless_cancelled(name, [&]() -> Result<Loaded> {
    Result<Container> container =
        open_container(std::move(bytes), name, options_for(format, access));
    if (!container) return std::move(container.error());
    return parse(std::move(*container), format, threads);
  });
}

}  // namespace awdit
