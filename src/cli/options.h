// What was typed, before anyone asks whether it makes sense (that is plan.h).
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace awdit::cli {

// How the levels are read, and what the search for them may take.
struct SearchOptions {
  bool no_session_order = false;
  std::string time_limit;    // empty: the default
  std::string memory_limit;  // empty: the default
};

struct CheckOptions {
  std::vector<std::string> levels;  // each perhaps a list with commas
  SearchOptions search;
  std::string format;                // empty: by looking at the file
  std::string output;                // empty: text
  std::vector<std::string> reports;  // files
  bool json = false;
  bool first = false;
  bool only_first_level = false;
  bool join = false;
  bool quiet = false;
  bool verbose = false;
  std::string limit;    // empty: the default
  std::string threads;  // empty: the default
  std::string certificate;
  std::vector<std::string> paths;
};

struct VerifyOptions {
  std::string history;
  std::string certificate;
  std::string format;
  std::string output;
  bool json = false;
};

struct RetellOptions {
  std::string certificate;
  std::string history;  // empty: the one that the certificate names
  std::string format;
  std::string output;
  std::vector<std::string> reports;
  bool json = false;
  std::string limit;
  std::string threads;
};

struct ConvertOptions {
  std::vector<std::string> paths;  // the last one is the output
  std::string from;
  std::string to;
  bool lossless = false;
  std::string mapping;
  std::string threads;
};

struct ShrinkOptions {
  std::vector<std::string> paths;   // the last one is the output
  std::vector<std::string> levels;  // each perhaps a list with commas
  SearchOptions search;
  std::string kind;  // empty: the most basic one
  std::string from;
  std::string to;
  std::string threads;
};

struct GenerateOptions {
  // Empty: the default.
  std::string sessions, transactions, operations, txn_ops, keys, reads;
  std::string distribution, aborted, unknown, list_length, order, level;
  std::vector<std::string> anomalies;  // each perhaps a list with commas
  std::string reduction, nodes, edges, seed, format, out, threads;
  bool lists = false;
  bool triangle = false;
};

struct RecordOptions {
  std::vector<std::string> databases;  // the primary first
  // Empty: the default.
  std::string workload, sessions, transactions, duration, level, seed;
  std::string retries, pause, calm, trouble, timeout, out, threads;
  std::vector<std::string> settings;  // name=value, of the workload
  std::vector<std::string> knobs;     // name=value, of the database
  std::vector<std::string> faults;    // each perhaps a list with commas
  bool start = false;
  bool drop = false;
  bool hop = false;
  bool no_finale = false;
  bool no_record = false;
  bool quiet = false;
};

// `awdit run`: record, then check.
struct TestOptions {
  RecordOptions record;
  CheckOptions check;
};

struct StatsOptions {
  std::string path;
  std::string format;
  std::string output;
  bool json = false;
  std::string threads;
};

struct ListOptions {
  std::string what;
};

struct ExplainOptions {
  std::vector<std::string> words;  // of one entry: "depends on"
};

struct HelpOptions {
  std::string command;  // empty: all of them
};

struct CompletionOptions {
  std::string shell;
};

// A text to print instead of doing anything: help or version.
struct Show {
  std::string text;
  bool for_people = false;  // who see lines, not bytes
};

// A usage error: one line, and the command whose --help helps.
struct Misuse {
  std::string message;
  std::string command;       // "awdit check"
  std::string details = {};  // further lines, our own words only
};

using Typed =
    std::variant<CheckOptions, VerifyOptions, RetellOptions, ConvertOptions,
                 ShrinkOptions, GenerateOptions, RecordOptions, TestOptions,
                 StatsOptions, ListOptions, ExplainOptions, Show, Misuse>;

Typed parse(int argc, const char* const* argv);

}  // namespace awdit::cli
