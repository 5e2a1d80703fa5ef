// awdit stats: read, count, show.
#include "stats/stats.h"

#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/values.h"

namespace awdit::cli {
namespace {

std::string stats_footer() {
  return "Counts what a history holds, and how much a clean verdict about it "
         "would be worth:\nhow often a violation could have been seen.\n\n"
         "Examples:\n"
         "  awdit stats history.txt\n"
         "  awdit generate --keys 10k | awdit stats -\n\n"
         "Exit codes:\n"
         "  0  counted\n"
         "  2  usage, input or output error";
}

class Count : public Task {
 public:
  explicit Count(Grammar& grammar) {
    grammar.argument("PATH", "The history; - is standard input", path_);
    add_format(grammar, format_);
    printed_.add(grammar, "What to print: text (default), json");
    printed_.add_old_letter(grammar);
    add_threads(grammar, threads_);
    grammar.footer(stats_footer);
  }

  Wrong settle() override {
    if (path_.empty()) return no_history();
    return printed_.settle("awdit stats", [](const ReportFormat& row) {
      return row.write_stats != nullptr;
    });
  }

  Result<Exit> run(Output& out) override {
    Progress progress;
    progress.stage("reading", name());
    const Result<Loaded> loaded =
        read_history(path_, format_, threads_, {.work = &current_work()});
    if (!loaded) return loaded.error();
    progress.stage("counting", name());
    const Stats stats = statistics(loaded->history, threads_);
    progress.clear();
    print_warnings(name(), loaded->history);
    Sink sink = out.sink();
    printed_.report().write_stats({.path = name(),
                                   .format = loaded->format->name,
                                   .history = loaded->history},
                                  stats, shown_as({}), sink);
    return Exit::ok;
  }

  Error out_of_memory() const override { return too_large(name()); }
  void fail(const Error& error, Output& out) override {
    printed_.fail(name(), error, out);
  }

 private:
  std::string name() const { return joined_name({&path_, 1}); }

  std::string path_;
  const Format* format_ = nullptr;  // nullptr: by looking at the file
  Printed printed_;
  unsigned threads_ = 1;
};

}  // namespace

const Command kStatsCommand = {
    "stats", "Count what a history holds and what it could show", make<Count>};

}  // namespace awdit::cli
