// awdit explain: what the words mean.
#include <fmt/format.h>
#include <unistd.h>

#include "base/table.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "report/report.h"
#include "tell/tell.h"

namespace awdit::cli {
namespace {

class Explain : public Task {
 public:
  explicit Explain(Grammar& grammar) {
    grammar.arguments("WORD",
                      "Such as causal, write skew or P4; none: list them all",
                      words_, words_to_explain());
    grammar.footer([]() -> std::string {
      return "Examples:\n"
             "  awdit explain read-atomic\n"
             "  awdit explain causal-violation\n"
             "  awdit explain G1a\n"
             "  awdit explain repeatable read\n"
             "  awdit explain depends on";
    });
  }

  Wrong settle() override {
    entry_ = fmt::format("{}", fmt::join(words_, " "));
    if (entry_.empty()) return std::nullopt;
    meaning_ = meaning_of(entry_);
    if (meaning_.any()) return std::nullopt;
    const std::string_view near = nearest_name(entry_, names_to_explain());
    return Misuse{fmt::format("there is no entry '{}'{}", entry_,
                              near.empty()
                                  ? "; awdit explain lists them all"
                                  : fmt::format("; did you mean '{}'?", near))};
  }

  Result<Exit> run(Output& out) override {
    Sink sink = out.sink();
    if (!entry_.empty()) {
      explain_meaning(meaning_,
                      examples_of(meaning_.levels, meaning_.anomalies),
                      shown_as({}), sink);
      return Exit::ok;
    }
    sink.append("What can be explained:\n\n");
    for (const std::string_view word : words_to_explain()) {
      sink.append(fmt::format("  {}\n", word));
    }
    sink.append(
        fitted("\nTheir other names work as well: G1a, P4, A5B, SER, dirty "
               "read, ...\n",
               STDOUT_FILENO));
    return Exit::ok;
  }

 private:
  std::vector<std::string> words_;  // of one entry: "depends on"
  std::string entry_;               // empty: list all entries
  Meaning meaning_;
};

}  // namespace

const Command kExplainCommand = {
    "explain", "Explain a level, an anomaly or a word", make<Explain>};

}  // namespace awdit::cli
