// A command of awdit is one file of its name and one row of commands.cpp. The
// file says what may be typed (grammar), what that means (settle) and what is
// done about it (run), in this order: whoever mistypes is told before anything
// is touched.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/console.h"
#include "cli/grammar.h"

namespace awdit::cli {

// What a command is about to do. Made with the grammar, whose options write
// into it.
class Task {
 public:
  Task() = default;
  virtual ~Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  // Every option has been understood: whether they make sense together. After
  // this only the world can go wrong, not the question.
  virtual Wrong settle() { return std::nullopt; }
  virtual Result<Exit> run(Output& out) = 0;
  // What to say if memory runs out on the way.
  virtual Error out_of_memory() const {
    return {.where = "awdit", .message = "not enough memory"};
  }
  // Tells what went wrong.
  virtual void fail(const Error& error, Output&) { print_error(error); }
};

struct Command {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Task> (*make)(Grammar& grammar);
};

template <typename T>
std::unique_ptr<Task> make(Grammar& grammar) {
  return std::make_unique<T>(grammar);
}

// Each where the command is.
extern const Command kRunCommand, kRecordCommand, kCheckCommand, kVerifyCommand,
    kReportCommand, kConvertCommand, kShrinkCommand, kGenerateCommand,
    kStatsCommand, kExplainCommand, kListCommand, kDriverTestCommand,
    kCompletionsCommand, kManCommand, kHelpCommand;

std::span<const Command* const> commands();
Names command_names();
// "unknown command 'chekc'; did you mean 'check'?"
std::string unknown_command(const std::string& name);

}  // namespace awdit::cli
