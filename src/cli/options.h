// What was typed, before anyone asks whether it makes sense (that is plan.h).
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace awdit::cli {

struct CheckOptions {
  std::vector<std::string> levels;  // each perhaps a list with commas
  std::string format;               // empty: by looking at the file
  bool json = false;
  bool first = false;
  std::string limit;    // empty: the default
  std::string threads;  // empty: the default
  std::string certificate;
  std::vector<std::string> paths;
};

struct VerifyOptions {
  std::string history;
  std::string certificate;
  std::string format;
  bool json = false;
};

struct ListOptions {
  std::string what;
};

// A text to print instead of doing anything: help or version.
struct Show {
  std::string text;
};

// A usage error: one line, and the command whose --help helps.
struct Misuse {
  std::string message;
  std::string command;  // "awdit check"
};

using Typed =
    std::variant<CheckOptions, VerifyOptions, ListOptions, Show, Misuse>;

Typed parse(int argc, const char* const* argv);

}  // namespace awdit::cli
