#include "cli/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/password.h"
#include "base/table.h"
#include "cli/help_text.h"
#include "driver/driver.h"

namespace awdit::cli {
namespace {

// A text to print instead of doing anything.
class Show : public Task {
 public:
  explicit Show(std::string text) : text_(std::move(text)) {}
  Result<Exit> run(Output& out) override {
    out.print(fitted(text_, STDOUT_FILENO));
    return Exit::ok;
  }

 private:
  std::string text_;
};

std::string program_footer() {
  return fmt::format(
      "Examples:\n"
      "  awdit run --workload c-twitter\n"
      "  awdit check history.txt\n"
      "  awdit check --certificate proof.json history.txt\n"
      "  awdit verify history.txt proof.json\n"
      "  awdit report proof.json --report bug.md\n"
      "  awdit shrink history.edn story.edn\n"
      "  awdit convert history.edn history.awdit\n"
      "  awdit generate -i read-atomic | awdit check -\n"
      "  awdit stats history.txt\n"
      "  awdit help check\n\n"
      "An existing file is replaced once the new one is complete, but an input "
      "never is.\nA directory must be new or empty.\n\n{}",
      kExitCodes);
}

// An option whose value was given, but is empty; "": none. A variable of a
// script that was never set must not become the default.
std::string given_empty(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (!option->nonpositional()) continue;
    for (const std::string& value : option->results()) {
      if (value.empty()) return option->get_name();
    }
  }
  return "";
}

std::string suggestion(const std::string& word, const Names& known) {
  const std::string_view near = nearest_name(word, known);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

}  // namespace

std::string unknown_command(const std::string& name) {
  return fmt::format("unknown command '{}'{}", name,
                     suggestion(name, command_names()));
}

CommandLine::CommandLine()
    : program_(std::make_unique<CLI::App>(
          "Tests whether a database kept its isolation promise: reads a "
          "history of\ntransactions and decides which isolation levels it "
          "satisfies, with evidence.\n",
          "awdit")) {
  // Inherited by the commands.
  program_->get_formatter()->column_width(26);
  // Behind a command its name and those of others are arguments: a directory
  // may be called "run".
  program_->require_subcommand(0, 1);
  const auto add = [this](CLI::App* app) -> Grammar& {
    apps_.push_back(app);
    return *grammars_.emplace_back(std::make_unique<Grammar>(*app, grammars_));
  };
  Grammar& whole = add(program_.get());
  whole.flag("--version", "Print the version", version_);
  whole.footer(program_footer);
  tasks_.push_back(nullptr);
  for (const Command* command : commands()) {
    tasks_.push_back(command->make(add(program_->add_subcommand(
        std::string(command->name), std::string(command->summary)))));
  }
}

CommandLine::~CommandLine() = default;

std::size_t CommandLine::chosen() const {
  const std::vector<CLI::App*> found = program_->get_subcommands();
  const auto at = found.empty()
                      ? apps_.begin()
                      : std::find(apps_.begin(), apps_.end(), found.front());
  return static_cast<std::size_t>(at - apps_.begin());
}

std::string CommandLine::unexpected() const {
  const std::vector<std::string> left = program_->remaining(true);
  const std::string word = left.empty() ? "" : left.front();
  const std::string shown = address_without_password(word);
  const Grammar& grammar = *grammars_[chosen()];
  if (word.size() > 1 && word.front() == '-') {
    Names known;
    for (const Grammar::Declared& option : grammar.declared()) {
      if (!option.names.empty()) known.push_back(option.names.back());
    }
    return fmt::format("unknown option '{}'{}", shown, suggestion(word, known));
  }
  if (chosen() == 0) return unknown_command(shown);
  const bool database = driver_of(word) != nullptr &&
                        apps_[chosen()]->get_option_no_throw("--db") != nullptr;
  return fmt::format("unknown argument '{}'{}", shown,
                     database ? "; a database is named with --db" : "");
}

Wrong CommandLine::parse(int argc, const char* const* argv) {
  // "--limit=" is "--limit" and an empty value; CLI11 would take the next word.
  std::vector<std::string> names;
  std::vector<const char*> words;
  names.reserve(static_cast<std::size_t>(argc));
  bool options = true;
  for (int i = 0; i < argc; ++i) {
    const std::string_view word = argv[i];
    options = options && word != "--";
    if (options && word.starts_with("--") &&
        word.find('=') + 1 == word.size()) {
      words.push_back(
          names.emplace_back(word.substr(0, word.size() - 1)).c_str());
      words.push_back("");
    } else {
      words.push_back(argv[i]);
    }
  }
  try {
    program_->parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::CallForHelp&) {
    tasks_[0] = std::make_unique<Show>(grammars_[chosen()]->help());
    return std::nullopt;
  } catch (const CLI::ExtrasError&) {
    return Misuse{unexpected()};
  } catch (const CLI::Error& error) {
    return Misuse{error.what()};
  }
  if (const std::string name = given_empty(*apps_[chosen()]); !name.empty()) {
    return Misuse{
        fmt::format("{} needs a value; it was given an empty one", name)};
  }
  if (version_) {
    tasks_[0] = std::make_unique<Show>("awdit " AWDIT_VERSION "\n");
    return std::nullopt;
  }
  if (chosen() == 0) return Misuse{"no command given"};
  if (Wrong wrong = grammars_[chosen()]->understand()) return wrong;
  return tasks_[chosen()]->settle();
}

Task* CommandLine::read(int argc, const char* const* argv) {
  const Wrong wrong = parse(argc, argv);
  if (!wrong) return tasks_[tasks_[0] != nullptr ? 0 : chosen()].get();
  print_misuse(wrong->message, wrong->details,
               chosen() == 0 || wrong->of_program
                   ? "awdit"
                   : "awdit " + grammars_[chosen()]->name());
  return nullptr;
}

}  // namespace awdit::cli
