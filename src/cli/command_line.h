// What was typed, from words to a task: nothing is done here yet.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"

namespace CLI {
class App;
}

namespace awdit::cli {

class CommandLine {
 public:
  CommandLine();
  ~CommandLine();

  // Returns what is to be done, which lives as long as this; nullptr: what was
  // typed makes no sense, and that has been told.
  Task* read(int argc, const char* const* argv);

 private:
  Wrong parse(int argc, const char* const* argv);
  // What was typed: a number of these, 0 for no command.
  std::size_t chosen() const;
  std::string unexpected() const;

  std::unique_ptr<CLI::App> program_;
  std::vector<CLI::App*> apps_;
  Grammars grammars_;
  // The first one shows help or the version, if that is asked for.
  std::vector<std::unique_ptr<Task>> tasks_;
  bool version_ = false;
};

}  // namespace awdit::cli
