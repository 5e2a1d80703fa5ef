#include "cli/grammar.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace awdit::cli {

Grammar::Grammar(CLI::App& command, const Grammars& all)
    : command_(command), all_(all) {
  declare(command.get_help_ptr(), "", {});
}

void Grammar::declare(CLI::Option* option, const std::string& type,
                      Names offered) {
  Declared& row = declared_.emplace_back();
  for (const std::string& name : option->get_snames()) {
    row.names.push_back("-" + name);
  }
  for (const std::string& name : option->get_lnames()) {
    row.names.push_back("--" + name);
  }
  row.type = row.names.empty() ? option->get_name(true) : type;
  row.text = option->get_description();
  std::replace(row.text.begin(), row.text.end(), '\n', ' ');
  row.heading = heading_;
  row.offered = std::move(offered);
  option->group(heading_)->type_name(type);
}

void Grammar::footer(std::string (*text)()) { command_.footer(text); }

void Grammar::flag(const std::string& names, const std::string& text,
                   bool& given) {
  declare(command_.add_flag(names, given, text), "", {});
}

void Grammar::option(const std::string& names, const std::string& type,
                     const std::string& text, std::string& value,
                     Names offered) {
  declare(command_.add_option(names, value, text), type, std::move(offered));
}

void Grammar::option(const std::string& names, const std::string& type,
                     const std::string& text, Value value) {
  CLI::Option* const option =
      command_.add_option(names, typed_.emplace_back(), text);
  declare(option, type, value.offered);
  values_.emplace_back(option, std::move(value));
}

void Grammar::options(const std::string& names, const std::string& type,
                      const std::string& text, std::vector<std::string>& values,
                      Names offered) {
  declare(command_.add_option(names, values, text)->allow_extra_args(false),
          type, std::move(offered));
}

void Grammar::old_option(const std::string& names, std::string& value) {
  command_.add_option(names, value)->group("");
}

void Grammar::old_option(const std::string& names, Value value) {
  values_.emplace_back(
      command_.add_option(names, typed_.emplace_back())->group(""),
      std::move(value));
}

void Grammar::argument(const std::string& name, const std::string& text,
                       std::string& value, Names offered) {
  declare(command_.add_option(name, value, text), "", std::move(offered));
}

void Grammar::arguments(const std::string& name, const std::string& text,
                        std::vector<std::string>& values, Names offered) {
  declare(command_.add_option(name, values, text), "", std::move(offered));
}

bool Grammar::given(const std::string& name) const {
  return command_.count(name) != 0;
}

Wrong Grammar::understand() const {
  for (const auto& [option, value] : values_) {
    for (const std::string& typed : option->results()) {
      if (Wrong wrong = value.take(option->get_name(), typed)) return wrong;
    }
  }
  return std::nullopt;
}

std::string Grammar::name() const { return command_.get_name(); }

std::string Grammar::summary() const { return command_.get_description(); }

std::string Grammar::footer() const {
  std::string text = command_.get_footer();
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string Grammar::help() const {
  // "awdit check", not "check", in the usage line of a command. Not App::help,
  // which would answer for the command that was typed.
  std::string text = command_.get_formatter()->make_help(
      &command_, (command_.get_parent() == nullptr ? "" : "awdit ") + name(),
      CLI::AppFormatMode::Normal);
  // CLI11 leaves two blank lines between groups of options.
  for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) {
    text.erase(at, 1);
  }
  return text;
}

}  // namespace awdit::cli
