// awdit record: drives a database and keeps what its clients saw.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/recording.h"

namespace awdit::cli {
namespace {

std::string record_footer() {
  return fmt::format(
      "{}"
      "Each session appends to a file of its own, so nothing is lost if awdit "
      "is killed; the\ndirectory left behind can be checked as it is. Ctrl-C "
      "ends the recording cleanly. An\nexisting file is replaced once the "
      "recording is complete; a directory must be new or\nempty.\n\n"
      "Examples:\n"
      "  awdit record -w tpcc --sessions 50 --transactions 10k -o h.awdit\n"
      "  awdit record --db sqlite --level read-uncommitted -o h.jsonl\n"
      "  awdit record --db mariadb --start --duration 30s -o recording/\n\n"
      "Exit codes:\n"
      "  0  recorded\n"
      "  2  usage, database or output error",
      recording_text());
}

class Record : public Task {
 public:
  explicit Record(Grammar& grammar) {
    options_.add(grammar);
    add_quiet(grammar, false);
    options_.add_no_record(grammar);
    grammar.footer(record_footer);
  }

  Wrong settle() override {
    if (Wrong wrong = options_.settle()) return wrong;
    if (!options_.plan().record || !options_.plan().out.empty()) {
      return std::nullopt;
    }
    return Misuse{
        "where should the history go? -o history.awdit, or -o NAME for a "
        "directory"};
  }

  Result<Exit> run(Output& out) override {
    const Result<Recorded> recorded = record(options_.plan(), out);
    if (!recorded) return recorded.error();
    return Exit::ok;
  }

  Error out_of_memory() const override { return too_much_to_record(); }

 private:
  RecordOptions options_;
};

}  // namespace

const Command kRecordCommand = {
    "record", "Drive a database and record what its clients saw", make<Record>};

}  // namespace awdit::cli
