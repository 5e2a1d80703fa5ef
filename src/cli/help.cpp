// awdit help: what --help says of a command, or of the whole program.
#include <unistd.h>

#include "cli/command.h"

namespace awdit::cli {
namespace {

class Help : public Task {
 public:
  explicit Help(Grammar& grammar) : all_(grammar.all()) {
    grammar.argument("COMMAND", "Such as check; none: list all commands",
                     command_, command_names());
  }

  Wrong settle() override {
    for (const auto& grammar : all_) {
      if (grammar->name() == (command_.empty() ? "awdit" : command_)) {
        meant_ = grammar.get();
        return std::nullopt;
      }
    }
    return Misuse{.message = unknown_command(command_), .of_program = true};
  }

  Result<Exit> run(Output& out) override {
    out.print(fitted(meant_->help(), STDOUT_FILENO));
    return Exit::ok;
  }

 private:
  const Grammars& all_;
  std::string command_;  // empty: all of them
  const Grammar* meant_ = nullptr;
};

}  // namespace

const Command kHelpCommand = {"help", "Show how to use a command", make<Help>};

}  // namespace awdit::cli
