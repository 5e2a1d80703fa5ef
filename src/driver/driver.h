// Databases that awdit can drive. Front door.
//
// A driver is one row of the table in drivers.cpp and one file: it opens a
// database (src/database says what that is). Nothing here knows a history, a
// workload or a terminal.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "database/database.h"

namespace awdit {

// A level that a database offers.
struct Promise {
  std::string_view name;  // as typed: "repeatable-read"
  std::span<const std::string_view> aliases = {};
  std::string_view summary;
  // The strongest level of the literature that it claims, by the name that
  // src/theory uses or would use: "snapshot-isolation"; "": none.
  std::string_view claims;
};

// Something that can be set, name=value.
struct Knob {
  std::string_view name;
  std::string_view values;  // for help texts; the first is the default
  std::string_view summary;
};

struct DatabaseOptions {
  // As typed after --db, each: "rocksdb", "rocksdb:/path", a URL. The first is
  // the primary.
  std::vector<std::string> urls = {};
  const Promise* level = nullptr;  // of a `foreign` driver: by its name only
  bool start = false;              // a private server in a temporary directory
  std::vector<std::pair<std::string, std::string>> knobs = {};
  std::uint64_t seed = 1;
  // What the run may do to it: prepared for when it is opened.
  std::vector<Fault> faults = {};
  // The transaction requests of a session that does not answer so long are
  // given up: Answer::lost.
  unsigned timeout_seconds = 10;
};

struct Driver {
  std::string_view name;
  std::span<const std::string_view> aliases = {};  // also schemes of URLs
  std::string_view summary;
  // The Debian package without which it is not built; "": needs none.
  std::string_view package;
  std::span<const Promise> levels;  // the first is the default; `foreign`: none
  std::span<const Knob> knobs;
  bool lists = false;   // append and read_list
  bool starts = false;  // DatabaseOptions::start
  // Its levels and settings are known only once it is open: any name goes
  // through to it, and `levels` and `knobs` are what is its own besides.
  bool foreign = false;
  // One thread runs all sessions, in an order drawn by the seed: the database
  // is a simulation and answers at once.
  bool simulated = false;
  // nullptr: not built.
  Result<std::unique_ptr<Database>> (*open)(const DatabaseOptions& options) =
      nullptr;
};

std::span<const Driver> drivers();

// The driver that an argument of --db means: by its name or its scheme.
const Driver* driver_of(std::string_view url);

struct FaultKind {
  std::string_view name;  // "kill"
  std::span<const std::string_view> aliases = {};
  std::string_view summary;
  Fault fault;
};
std::span<const FaultKind> faults();

}  // namespace awdit
