// THE table of commands.
#include "cli/command.h"

namespace awdit::cli {

std::unique_ptr<Task> make_run(Grammar& grammar);
std::unique_ptr<Task> make_record(Grammar& grammar);
std::unique_ptr<Task> make_check(Grammar& grammar);
std::unique_ptr<Task> make_verify(Grammar& grammar);
std::unique_ptr<Task> make_report(Grammar& grammar);
std::unique_ptr<Task> make_convert(Grammar& grammar);
std::unique_ptr<Task> make_shrink(Grammar& grammar);
std::unique_ptr<Task> make_generate(Grammar& grammar);
std::unique_ptr<Task> make_stats(Grammar& grammar);
std::unique_ptr<Task> make_explain(Grammar& grammar);
std::unique_ptr<Task> make_list(Grammar& grammar);
std::unique_ptr<Task> make_completions(Grammar& grammar);
std::unique_ptr<Task> make_man(Grammar& grammar);
std::unique_ptr<Task> make_help(Grammar& grammar);

namespace {

constexpr Command kCommands[] = {
    {"run", "Drive a database, record what it did, and check it", make_run},
    {"record", "Drive a database and record what its clients saw", make_record},
    {"check", "Decide which isolation levels histories satisfy", make_check},
    {"verify", "Check a certificate against the history it was made for",
     make_verify},
    {"report", "Report what a certificate proves, in any format", make_report},
    {"convert", "Write a history in another format", make_convert},
    {"shrink", "Write the smallest part that still shows a violation",
     make_shrink},
    {"generate", "Write a history made to order, with known levels",
     make_generate},
    {"stats", "Count what a history holds and what it could show", make_stats},
    {"explain", "Explain a level, an anomaly or a word", make_explain},
    {"list", "List levels, drivers, workloads, ...", make_list},
    {"completions", "Print completions for a shell", make_completions},
    {"man", "Print the manual page", make_man},
    {"help", "Show how to use a command", make_help},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace awdit::cli
