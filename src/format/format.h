// History formats. Front door.
//
// A format is one row of the table in formats.cpp and one file: it recognises
// its input, parses it straight into a Builder, writes a history that fits into
// it, and nothing else. What a format cannot hold is told by its Capacity;
// src/convert makes histories fit and names what is lost.
//
// Whatever is named is opened the same way: plain files, .gz .xz .zst .bz2
// .lz4, .tar and .zip of them, directories, "-" for standard input
// (container.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/input.h"
#include "base/result.h"
#include "base/sink.h"
#include "base/work.h"
#include "history/history.h"

namespace awdit {

// What a format can hold. The first of each row is the least.
struct Capacity {
  enum class Atoms : std::uint8_t {
    none,         // nothing: known by position only (sessions)
    naturals,     // 0 ... 2^63 - 1
    words,        // 0 ... 2^64 - 1
    integers,     // -2^63 ... 2^63 - 1
    identifiers,  // [A-Za-z_][A-Za-z0-9_]*
    labels,       // integers of 64 bits, signed or not, and texts
    any,          // and nil, and values nobody wrote
  };
  Atoms keys = Atoms::naturals;
  Atoms values = Atoms::naturals;  // besides the initial one
  Atoms sessions = Atoms::none;
  // Texts must be UTF-8, as in JSON.
  bool utf8 = false;
  // What a read of the initial state looks like.
  enum class Initial : std::uint8_t {
    none,  // there is none: a transaction must write it
    zero,
    nil,            // nil; absent becomes nil
    nil_or_absent,  // told apart
    any,            // whatever the history has
  };
  Initial initial = Initial::zero;
  // Integers that mean something else where a value stands.
  std::span<const std::uint64_t> reserved = {};
  // A read of 0 that nobody wrote counts as initial besides nil.
  bool zero_is_initial = false;
  bool ids = false;         // of transactions
  bool needs_ids = false;   // they are made up where the history has none
  bool unique_ids = false;  // over all sessions
  bool empty_txns = false;
  bool aborted = false;        // writes of aborted transactions
  bool aborted_whole = false;  // their reads and their identity, too
  bool unknown = false;        // outcomes
  // Reads of nil by transactions that did not commit (elsewhere they mean that
  // nothing was read).
  bool idle_nil_reads = true;
  bool lists = false;
  // Which clocks, as bits 1 << Clock.
  std::uint8_t clocks = 0;
  bool ticks = false;
  bool clock_domains = false;  // several, their names and relations
  bool nodes = false;
  bool meta = false;
  bool about = false;  // History::about
};

// Begins the next file of what is written and returns where its bytes go; the
// one before is complete then. Formats of one file call it once.
class NewFile {
 public:
  // `threads`: how many a writer may use to put its bytes together.
  template <typename Begin>
  NewFile(Begin begin, unsigned threads = 1)
      : begin_(std::move(begin)), threads_(threads) {}
  Sink& operator()(std::string_view name) const { return begin_(name); }
  unsigned threads() const { return threads_; }

 private:
  std::function<Sink&(std::string_view)> begin_;
  unsigned threads_;
};

// -- recording ----------------------------------------------------------------

// A key or value on its way to a file.
struct Term {
  Atom atom;                   // of kind string: bits are not looked at
  std::string_view text = {};  // of kind string
};

// A finished transaction, as a recorder knows it.
struct Record {
  struct Op {
    OpKind kind = OpKind::read;
    Term key;
    Term value;                       // read_list: not looked at
    std::span<const Term> list = {};  // read_list only
  };
  Term session;
  std::optional<std::int64_t> id = {};
  Status status = Status::committed;
  std::optional<History::Times> times = {};
  std::optional<History::Times> ticks = {};
  std::string_view node = {};  // "": none
  std::string_view meta = {};  // JSON text; "": none
  std::span<const Op> ops = {};
};

// What is said once about all records.
struct RecordingOptions {
  std::optional<Term> initial_value = Term{Atom::nil()};
  Clock clock = Clock::nanoseconds;
  // Whose clock it is; "": nobody's in particular. See ClockDomains.
  std::string_view clock_domain = {};
};

// Appends transactions to a file while they happen; what was flushed can be
// read even if the recorder dies.
class Recording {
 public:
  virtual ~Recording() = default;
  virtual void add(const Record& record) = 0;
  // The same transaction is about to commit: whoever reads the file before
  // `add` tells how it went, because the recorder died, finds it there with
  // unknown outcome. The record's status and end do not count yet. Formats that
  // cannot promise this do nothing.
  virtual void announce(const Record&) {}
  // The announcement does not count: its bytes have been taken back.
  virtual void retract() {}
  // Something about the whole, as JSON text; kept by formats that can.
  virtual void about(std::string_view) {}
  // Everything added so far reaches the sink.
  virtual void flush() = 0;
};

// -- the table ----------------------------------------------------------------

struct Format {
  std::string_view name;  // kebab-case, as typed
  std::span<const std::string_view> aliases = {};
  std::string_view summary;  // one line for help texts
  // How names of such files end, with the dot; "": in no way of their own.
  std::string_view extension = "";
  // Not text: nothing that a terminal should be shown.
  bool binary = false;
  // Reading gives the very history that was written: its numbers, its lines,
  // its warnings.
  bool exact = false;
  // A history is a directory of files, one per session.
  bool directory = false;
  // Several files may make one history (always so for directories).
  bool joins = false;
  // Whether a file looks like this format, judged from its beginning (the first
  // few kilobytes are enough). At most one row may say yes.
  bool (*sniff)(std::string_view head);
  // REQUIRES: files stay alive during the call only; exactly one unless
  // `joins`; none is empty.
  Result<History> (*parse)(std::span<const Input> files, unsigned threads);
  Capacity capacity = {};
  // REQUIRES: the history fits (see src/convert). nullptr: read only.
  void (*write)(const History& history, const NewFile& file) = nullptr;
  // nullptr: not for recorders. The sink must outlive the recording.
  std::unique_ptr<Recording> (*record)(
      Sink& sink, const RecordingOptions& options) = nullptr;
};

std::span<const Format> formats();

struct Loaded {
  History history;
  const Format* format;
};

// Who has chosen the path: somebody else may not name devices or pipes.
enum class PathsFrom : std::uint8_t { user, others };

// How it is read, besides.
struct Access {
  PathsFrom from = PathsFrom::user;
  bool may_map = true;   // see Input::Options
  Work* work = nullptr;  // nullptr: nobody looks
};

// Opens `path` ("-" is standard input) and parses it, as `format` or, if that
// is nullptr, as what it looks like. Files that change meanwhile are an error,
// and so is work that is cancelled.
Result<Loaded> read_history(const std::string& path, const Format* format,
                            unsigned threads, const Access& access = {});
// Several paths that are one history together.
Result<Loaded> read_history(std::span<const std::string> paths,
                            const Format* format, unsigned threads,
                            const Access& access = {});
// The bytes of a file, which messages call `name`.
Result<Loaded> read_history_of(Buffer bytes, const std::string& name,
                               const Format* format, unsigned threads,
                               const Access& access = {});

}  // namespace awdit
