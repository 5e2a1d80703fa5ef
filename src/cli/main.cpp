// awdit: what was typed becomes a task, the task is carried out, the outcome
// becomes the exit code.
#include <exception>
#include <new>

#include "cli/command_line.h"
#include "cli/console.h"

namespace awdit::cli {
namespace {

Exit carry_out(Task& task, Output& out) {
  const Result<Exit> exit = [&]() -> Result<Exit> {
    try {
      return task.run(out);
    } catch (const std::bad_alloc&) {
      return task.out_of_memory();
    }
  }();
  if (exit) return *exit;
  task.fail(exit.error(), out);
  return Exit::error;
}

Exit run(int argc, const char* const* argv, Output& out) {
  try {
    CommandLine line;
    Task* const task = line.read(argc, argv);
    return task == nullptr ? Exit::error : carry_out(*task, out);
  } catch (const std::bad_alloc&) {
    print_error({.where = "awdit", .message = "not enough memory"});
  } catch (const std::exception& failure) {
    print_error({.where = "awdit", .message = failure.what()});
  }
  return Exit::error;
}

}  // namespace
}  // namespace awdit::cli

int main(int argc, char** argv) {
  awdit::cli::prepare_console();
  awdit::cli::Output out;
  const awdit::cli::Exit exit = awdit::cli::run(argc, argv, out);
  return static_cast<int>(out.finish(exit));
}
