#include "cli/manual.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

namespace awdit::cli {
namespace {

constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

std::vector<CLI::App*> commands_of(CLI::App& app) {
  return app.get_subcommands([](CLI::App*) { return true; });
}

// "-i", "--isolation"
std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) {
    names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    names.push_back("--" + name);
  }
  return names;
}

bool is_positional(const CLI::Option& option) {
  return option.get_snames().empty() && option.get_lnames().empty();
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() != 0;
}

// One line, as tables of options want it.
std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// -- roff
// -----------------------------------------------------------------------

std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string roff_options(CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    std::string head;
    if (is_positional(*option)) {
      head = fmt::format("\\fI{}\\fR", roff(option->get_name(true)));
    } else {
      for (const std::string& name : spellings(*option)) {
        if (!head.empty()) head += ", ";
        head += fmt::format("\\fB{}\\fR", roff(name));
      }
      if (takes_value(*option)) {
        head += fmt::format(" \\fI{}\\fR", roff(option->get_type_name()));
      }
    }
    text += fmt::format(".TP\n{}\n{}\n", head,
                        roff(on_one_line(option->get_description())));
  }
  return text;
}

// What help texts have below the options, as it stands there.
std::string roff_footer(CLI::App& app) {
  std::string footer = app.get_footer();
  while (!footer.empty() && footer.back() == '\n') footer.pop_back();
  if (footer.empty()) return "";
  return fmt::format(".PP\n.nf\n{}\n.fi\n", roff(footer));
}

// -- completions
// ------------------------------------------------------------------

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

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

// The names that may stand for an argument; empty: a file.
std::string values_of(std::span<const Values> values, std::string_view type) {
  for (const Values& row : values) {
    if (row.type == type && row.group.empty()) return words_of(row.names);
  }
  return "";
}

// The row for an option; nullptr: a file.
const Values* row_of(std::span<const Values> values,
                     const CLI::Option& option) {
  const Values* found = nullptr;
  for (const Values& row : values) {
    if (row.type != option.get_type_name()) continue;
    if (row.group == option.get_group()) return &row;
    if (row.group.empty() && found == nullptr) found = &row;
  }
  return found;
}

// Likewise, what may follow it.
std::string values_of(std::span<const Values> values,
                      const CLI::Option& option) {
  const Values* const row = row_of(values, option);
  return row == nullptr ? "" : words_of(row->names);
}

std::vector<std::string> options_of(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (std::string& name : spellings(*option)) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

// The names that an argument without an option may have; empty: files.
std::string arguments_of(CLI::App& app, std::span<const Values> values) {
  for (const CLI::Option* option : app.get_options()) {
    if (is_positional(*option)) {
      return values_of(values, option->get_name(true));
    }
  }
  return "";
}

// Sets `words` by what stands behind --db; bash cuts it at its colons.
std::string bash_by_database(const Values& row) {
  std::string cases;
  for (const Values::OfDatabase& of : row.by_database) {
    cases += fmt::format("                        {}) words='{}' ;;\n",
                         words_of(of.databases, "|"), words_of(of.names));
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
      words_of(row.by_database.front().names), cases);
}

std::string bash(CLI::App& app, std::span<const Values> values) {
  std::string cases;
  std::vector<std::string> names;
  for (CLI::App* command : commands_of(app)) {
    names.push_back(command->get_name());
    std::string after;
    for (const CLI::Option* option : command->get_options()) {
      if (is_positional(*option) || !takes_value(*option)) continue;
      std::string pattern;
      for (const std::string& name : spellings(*option)) {
        pattern += (pattern.empty() ? "" : "|") + name;
      }
      const Values* const row = row_of(values, *option);
      if (row != nullptr && !row->by_database.empty()) {
        after += fmt::format("                {})\n{} ;;\n", pattern,
                             bash_by_database(*row));
        continue;
      }
      const std::string words = values_of(values, *option);
      after += fmt::format("                {}) words='{}'; files={} ;;\n",
                           pattern, words, words.empty() ? 1 : 0);
    }
    const std::string arguments = arguments_of(*command, values);
    cases += fmt::format(
        "        {})\n"
        "            case $previous in\n{}"
        "                *) if [[ $current == -* ]]; then words='{}'\n"
        "                   else words='{}'; files={}; fi ;;\n"
        "            esac ;;\n",
        command->get_name(), after, join(options_of(*command)), arguments,
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
      join(names), join(options_of(app)), cases);
}

// Inside single quotes of a zsh specification.
std::string zsh_text(std::string text) {
  std::string out;
  for (const char c : on_one_line(std::move(text))) {
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

std::string zsh(CLI::App& app, std::span<const Values> values) {
  std::string commands, cases;
  for (CLI::App* command : commands_of(app)) {
    commands += fmt::format("        '{}:{}'\n", command->get_name(),
                            zsh_text(command->get_description()));
    std::string specs;
    for (const CLI::Option* option : command->get_options()) {
      if (is_positional(*option)) continue;
      std::string action;
      if (takes_value(*option)) {
        const std::string words = values_of(values, *option);
        action = fmt::format(":{}:{}", zsh_text(option->get_type_name()),
                             words.empty() ? "_files" : "(" + words + ")");
      }
      for (const std::string& name : spellings(*option)) {
        specs += fmt::format(" \\\n                '*{}[{}]{}'", name,
                             zsh_text(option->get_description()), action);
      }
    }
    const std::string arguments = arguments_of(*command, values);
    specs += fmt::format(" \\\n                '*:argument:{}'",
                         arguments.empty() ? "_files" : "(" + arguments + ")");
    cases += fmt::format("        {})\n            _arguments{} ;;\n",
                         command->get_name(), specs);
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

std::string fish_text(std::string text) {
  std::string out;
  for (const char c : on_one_line(std::move(text))) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string fish(CLI::App& app, std::span<const Values> values) {
  std::string text =
      "# Completion of awdit for fish: put it as awdit.fish into\n"
      "# ~/.config/fish/completions.\n";
  for (CLI::App* command : commands_of(app)) {
    const std::string& name = command->get_name();
    text += fmt::format(
        "complete -c awdit -n __fish_use_subcommand -f -a {} -d '{}'\n", name,
        fish_text(command->get_description()));
    const std::string when =
        fmt::format("-n '__fish_seen_subcommand_from {}'", name);
    const std::string arguments = arguments_of(*command, values);
    if (!arguments.empty()) {
      text += fmt::format("complete -c awdit {} -f -a '{}'\n", when, arguments);
    }
    for (const CLI::Option* option : command->get_options()) {
      if (is_positional(*option)) continue;
      text += fmt::format("complete -c awdit {}", when);
      for (const std::string& letter : option->get_snames()) {
        text += " -s " + letter;
      }
      for (const std::string& word : option->get_lnames()) {
        text += " -l " + word;
      }
      if (takes_value(*option)) {
        const std::string words = values_of(values, *option);
        text += words.empty() ? " -r -F" : fmt::format(" -x -a '{}'", words);
      }
      text += fmt::format(" -d '{}'\n", fish_text(option->get_description()));
    }
  }
  return text;
}

}  // namespace

std::string manual(CLI::App& app, std::string_view version) {
  std::string text = fmt::format(
      ".TH AWDIT 1 \"\" \"awdit {}\" \"User Commands\"\n"
      ".SH NAME\nawdit \\- test whether a database kept its isolation promise\n"
      ".SH SYNOPSIS\n.B awdit\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] "
      "[\\fIARGUMENTS\\fR]\n"
      ".SH DESCRIPTION\n{}\n",
      roff(version), roff(app.get_description()));
  text += ".SH OPTIONS\n" + roff_options(app) + roff_footer(app);
  text += ".SH COMMANDS\n";
  for (CLI::App* command : commands_of(app)) {
    text += fmt::format(".SS awdit {}\n{}\n", roff(command->get_name()),
                        roff(command->get_description()));
    text += roff_options(*command) + roff_footer(*command);
  }
  return text;
}

std::span<const std::string_view> shells() { return kShells; }

std::string completion(CLI::App& app, std::span<const Values> values,
                       std::string_view shell) {
  if (shell == "bash") return bash(app, values);
  if (shell == "zsh") return zsh(app, values);
  return fish(app, values);
}

}  // namespace awdit::cli
