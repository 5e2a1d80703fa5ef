// How a command declares what may be typed: each option once, with its text for
// --help and with what understands its value.
//
// CLI11 takes the command line apart and writes help texts; nobody but
// grammar.cpp and command_line.cpp sees it. Values are understood only after
// everything has been read, in the order of the declarations, so that a
// complaint about a value never hides one about the line as a whole.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace awdit::cli {

// Something typed that makes no sense: one line, and perhaps further ones, our
// own words only.
struct Misuse {
  std::string message;
  std::string details = {};
  bool of_program = false;  // not of the command: awdit --help helps
};
// Nothing: all is well.
using Wrong = std::optional<Misuse>;

using Names = std::vector<std::string_view>;

// What may stand behind an option.
struct Value {
  // Understands what was typed, or says what is wrong with it. The option is
  // named as people know it: "--threads".
  std::function<Wrong(const std::string& option, const std::string& typed)>
      take;
  Names offered = {};  // by shells; none: any file
};

class Grammar;
// That of the whole program first, then those of its commands.
using Grammars = std::vector<std::unique_ptr<Grammar>>;

class Grammar {
 public:
  // Both must outlive it, and so must every variable that is declared.
  Grammar(CLI::App& command, const Grammars& all);

  // -- declaring --------------------------------------------------------------
  // --help lists what is declared from now on below this heading.
  void heading(std::string text) { heading_ = std::move(text); }
  // What --help says below the options.
  void footer(std::string (*text)());

  // `names`: "-i,--isolation". `type` stands for the value in help texts.
  // Variables are untouched by an option that is not given.
  void flag(const std::string& names, const std::string& text, bool& given);
  void option(const std::string& names, const std::string& type,
              const std::string& text, Value value);
  void option(const std::string& names, const std::string& type,
              const std::string& text, std::string& value, Names offered = {});
  // One that may be given several times.
  void options(const std::string& names, const std::string& type,
               const std::string& text, std::vector<std::string>& values,
               Names offered = {});
  // Spellings of old that still work; nobody is told of them but by documents.
  void old_option(const std::string& names, std::string& value);
  void old_option(const std::string& names, Value value);
  // What is no option.
  void argument(const std::string& name, const std::string& text,
                std::string& value, Names offered = {});
  void arguments(const std::string& name, const std::string& text,
                 std::vector<std::string>& values, Names offered = {});

  // -- after the line has been read -------------------------------------------
  // Whether the option is on it.
  bool given(const std::string& name) const;
  // Hands the values to those who understand them.
  Wrong understand() const;

  // -- what was declared, for those who print it ------------------------------
  struct Declared {
    std::vector<std::string> names;  // "-i", "--isolation"; of arguments: none
    std::string type;     // what stands for the value; "": it is a flag
    std::string text;     // on one line
    std::string heading;  // where --help has it
    Names offered;        // what may stand for the value; none: any file
  };
  const std::vector<Declared>& declared() const { return declared_; }
  std::string name() const;
  std::string summary() const;
  std::string footer() const;
  // What --help prints.
  std::string help() const;
  const Grammars& all() const { return all_; }

 private:
  void declare(CLI::Option* option, const std::string& type, Names offered);

  CLI::App& command_;
  const Grammars& all_;
  std::string heading_ = "Options";
  std::vector<Declared> declared_;
  std::deque<std::string> typed_;
  std::vector<std::pair<const CLI::Option*, Value>> values_;
};

}  // namespace awdit::cli
