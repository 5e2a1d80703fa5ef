// awdit man: the manual page, made from the grammar of the command line: an
// option that exists is in it.
#include <fmt/format.h>

#include "cli/command.h"

namespace awdit::cli {
namespace {

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

// The options, and what help texts have below them, as it is printed there.
std::string roff_options(const Grammar& grammar) {
  std::string text;
  for (const Grammar::Declared& option : grammar.declared()) {
    std::string head;
    for (const std::string& name : option.names) {
      head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", roff(name));
    }
    if (!option.type.empty()) {
      head += fmt::format("{}\\fI{}\\fR", head.empty() ? "" : " ",
                          roff(option.type));
    }
    text += fmt::format(".TP\n{}\n{}\n", head, roff(option.text));
  }
  const std::string footer = grammar.footer();
  if (footer.empty()) return text;
  return text + fmt::format(".PP\n.nf\n{}\n.fi\n", roff(footer));
}

class Man : public Task {
 public:
  explicit Man(Grammar& grammar) : all_(grammar.all()) {
    grammar.footer(
        []() -> std::string { return "Example:\n  awdit man | man -l -"; });
  }

  Result<Exit> run(Output& out) override {
    const Grammar& program = *all_.front();
    out.print(fmt::format(
        ".TH AWDIT 1 \"\" \"awdit {}\" \"User Commands\"\n"
        ".SH NAME\nawdit \\- test whether a database kept its isolation "
        "promise\n"
        ".SH SYNOPSIS\n.B awdit\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] "
        "[\\fIARGUMENTS\\fR]\n"
        ".SH DESCRIPTION\n{}\n.SH OPTIONS\n{}.SH COMMANDS\n",
        roff(AWDIT_VERSION), roff(program.summary()), roff_options(program)));
    for (const auto& command : std::span(all_).subspan(1)) {
      out.print(fmt::format(".SS awdit {}\n{}\n{}", roff(command->name()),
                            roff(command->summary()), roff_options(*command)));
    }
    return Exit::ok;
  }

 private:
  const Grammars& all_;
};

}  // namespace

const Command kManCommand = {"man", "Print the manual page", make<Man>};

}  // namespace awdit::cli
