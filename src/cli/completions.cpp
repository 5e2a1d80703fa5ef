// awdit completions: what shells may offer, made from the grammar of the
// command line and the tables of names.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/values.h"
#include "driver/driver.h"

namespace awdit::cli {
namespace {

using Declared = Grammar::Declared;

// Words with blanks are typed with hyphens.
std::string words_of(std::span<const std::string_view> names,
                     std::string_view separator = " ") {
  std::string text;
  for (const std::string_view name : names) {
    std::string word(name);
    std::replace(word.begin(), word.end(), ' ', '-');
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

// All spellings of all options.
std::string options_of(const Grammar& grammar) {
  std::string text;
  for (const Declared& option : grammar.declared()) {
    for (const std::string& name : option.names) {
      text += (text.empty() ? "" : " ") + name;
    }
  }
  return text;
}

// The names that an argument without an option may have; "": a file.
std::string arguments_of(const Grammar& grammar) {
  for (const Declared& option : grammar.declared()) {
    if (option.names.empty()) return words_of(option.offered);
  }
  return "";
}

// Sets `words` to the levels of the database behind --db, which bash cuts at
// its colons; other shells cannot look back.
std::string bash_by_database() {
  std::string cases;
  for (const Driver& driver : drivers()) {
    Names databases = {driver.name};
    databases.insert(databases.end(), driver.aliases.begin(),
                     driver.aliases.end());
    cases += fmt::format("                        {}) words='{}' ;;\n",
                         words_of(databases, "|"),
                         words_of(names_of(driver.levels)));
  }
  return fmt::format(
      "                    words='{}'\n"
      "                    local i at database\n"
      "                    for ((i = 2; i < COMP_CWORD; ++i)); do\n"
      "                        at=$((i + 1))\n"
      "                        if [[ ${{COMP_WORDS[i]}} == --db=* ]]; then\n"
      "                            database=${{COMP_WORDS[i]#--db=}}\n"
      "                        elif [[ ${{COMP_WORDS[i]}} == --db ]]; then\n"
      "                            [[ ${{COMP_WORDS[at]}} == = ]] && "
      "at=$((at + 1))\n"
      "                            database=${{COMP_WORDS[at]}}\n"
      "                        else continue\n"
      "                        fi\n"
      "                        case ${{database%%:*}} in\n{}"
      "                        esac\n"
      "                        break\n"
      "                    done",
      words_of(names_of(drivers().front().levels)), cases);
}

std::string bash(const Grammars& all) {
  std::string cases;
  for (const auto& command : std::span(all).subspan(1)) {
    std::string after;
    for (const Declared& option : command->declared()) {
      if (option.names.empty() || option.type.empty()) continue;
      const std::string pattern =
          fmt::format("{}", fmt::join(option.names, "|"));
      if (pattern == "--level" && option.heading == "Database") {
        after += fmt::format("                {})\n{} ;;\n", pattern,
                             bash_by_database());
        continue;
      }
      const std::string words = words_of(option.offered);
      after += fmt::format("                {}) words='{}'; files={} ;;\n",
                           pattern, words, words.empty() ? 1 : 0);
    }
    const std::string arguments = arguments_of(*command);
    cases += fmt::format(
        "        {})\n"
        "            case $previous in\n{}"
        "                *) if [[ $current == -* ]]; then words='{}'\n"
        "                   else words='{}'; files={}; fi ;;\n"
        "            esac ;;\n",
        command->name(), after, options_of(*command), arguments,
        arguments.empty() ? 1 : 0);
  }
  return fmt::format(
      "# Completion of awdit for bash: source it, or put it into\n"
      "# /usr/share/bash-completion/completions/awdit.\n"
      "_awdit() {{\n"
      "    local current=${{COMP_WORDS[COMP_CWORD]}}\n"
      "    local previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "    local words='' files=0\n"
      "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "        words='{} {}'\n"
      "    else\n"
      "        case ${{COMP_WORDS[1]}} in\n{}"
      "        esac\n"
      "    fi\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "    if [ \"$files\" -eq 1 ]; then\n"
      "        local file\n"
      "        while IFS= read -r file; do COMPREPLY+=(\"$file\"); done \\\n"
      "            < <(compgen -f -- \"$current\")\n"
      "    fi\n"
      "}}\n"
      "complete -o filenames -F _awdit awdit\n",
      words_of(command_names()), options_of(*all.front()), cases);
}

// Inside single quotes of a zsh specification.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      out += '\\';
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string zsh(const Grammars& all) {
  std::string commands, cases;
  for (const auto& command : std::span(all).subspan(1)) {
    commands += fmt::format("        '{}:{}'\n", command->name(),
                            zsh_text(command->summary()));
    std::string specs;
    for (const Declared& option : command->declared()) {
      std::string action;
      if (!option.type.empty()) {
        const std::string words = words_of(option.offered);
        action = fmt::format(":{}:{}", zsh_text(option.type),
                             words.empty() ? "_files" : "(" + words + ")");
      }
      for (const std::string& name : option.names) {
        specs += fmt::format(" \\\n                '*{}[{}]{}'", name,
                             zsh_text(option.text), action);
      }
    }
    const std::string arguments = arguments_of(*command);
    specs += fmt::format(" \\\n                '*:argument:{}'",
                         arguments.empty() ? "_files" : "(" + arguments + ")");
    cases += fmt::format("        {})\n            _arguments{} ;;\n",
                         command->name(), specs);
  }
  return fmt::format(
      "#compdef awdit\n"
      "# Completion of awdit for zsh: put it as _awdit into a folder of "
      "$fpath.\n"
      "_awdit() {{\n"
      "    local -a commands=(\n{}    )\n"
      "    if (( CURRENT == 2 )); then\n"
      "        _describe command commands\n"
      "        return\n"
      "    fi\n"
      "    local command=$words[2]\n"
      "    shift words\n"
      "    (( CURRENT-- ))\n"
      "    case $command in\n{}"
      "    esac\n"
      "}}\n"
      "_awdit \"$@\"\n",
      commands, cases);
}

std::string fish_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string fish(const Grammars& all) {
  std::string text =
      "# Completion of awdit for fish: put it as awdit.fish into\n"
      "# ~/.config/fish/completions.\n";
  for (const auto& command : std::span(all).subspan(1)) {
    text += fmt::format(
        "complete -c awdit -n __fish_use_subcommand -f -a {} -d '{}'\n",
        command->name(), fish_text(command->summary()));
    const std::string when =
        fmt::format("-n '__fish_seen_subcommand_from {}'", command->name());
    const std::string arguments = arguments_of(*command);
    if (!arguments.empty()) {
      text += fmt::format("complete -c awdit {} -f -a '{}'\n", when, arguments);
    }
    for (const Declared& option : command->declared()) {
      if (option.names.empty()) continue;
      text += fmt::format("complete -c awdit {}", when);
      for (const std::string& name : option.names) {
        const bool word = name.starts_with("--");
        text += (word ? " -l " : " -s ") + name.substr(word ? 2 : 1);
      }
      if (!option.type.empty()) {
        const std::string words = words_of(option.offered);
        text += words.empty() ? " -r -F" : fmt::format(" -x -a '{}'", words);
      }
      text += fmt::format(" -d '{}'\n", fish_text(option.text));
    }
  }
  return text;
}

struct Shell {
  std::string_view name;
  std::string (*script)(const Grammars& all);
};
constexpr Shell kShells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

class Completions : public Task {
 public:
  explicit Completions(Grammar& grammar) : all_(grammar.all()) {
    grammar.argument("SHELL", "bash, zsh or fish", typed_,
                     names_of(std::span<const Shell>(kShells)));
    grammar.footer([]() -> std::string {
      return "Example:\n"
             "  awdit completions bash > "
             "~/.local/share/bash-completion/completions/awdit";
    });
  }

  Wrong settle() override {
    if (typed_.empty()) return Misuse{"for which shell? bash, zsh or fish"};
    shell_ = find_row(std::span<const Shell>(kShells), typed_);
    if (shell_ != nullptr) return std::nullopt;
    return Misuse{
        fmt::format("unknown shell '{}'; known: bash, zsh, fish", typed_)};
  }

  Result<Exit> run(Output& out) override {
    out.print(shell_->script(all_));
    return Exit::ok;
  }

 private:
  const Grammars& all_;
  std::string typed_;
  const Shell* shell_ = nullptr;
};

}  // namespace

const Command kCompletionsCommand = {
    "completions", "Print completions for a shell", make<Completions>};

}  // namespace awdit::cli
