// awdit run: record, then check what was recorded.
#include <fmt/format.h>

#include "base/table.h"
#include "cli/check.h"
#include "cli/command.h"
#include "cli/help_text.h"
#include "cli/outputs.h"
#include "cli/recording.h"
#include "cli/time_limit.h"
#include "cli/values.h"

namespace awdit::cli {
namespace {

std::string run_footer() {
  return fmt::format(
      "{}"
      "Ctrl-C ends the recording; what was recorded is checked.\n\n"
      "Examples:\n"
      "  awdit run -w c-twitter                      RocksDB, at snapshot\n"
      "  awdit run -w fracture --level plain-get -i all\n"
      "  awdit run --db postgres --start --level read-committed -i ra\n"
      "  awdit run --db postgres://me@host/test --duration 60s -o h.awdit\n"
      "  awdit run --db postgres --start --faults kill,drop-commit\n\n{}",
      recording_text(), kExitCodes);
}

class Run : public Task {
 public:
  explicit Run(Grammar& grammar) {
    options_.add(grammar);
    grammar.heading("Check");
    check_.isolation.add(
        grammar, "Levels to decide (default: what the database claims)");
    add_limits(grammar, check_.options);
    outputs_.add(grammar, "What to print: text (default), json, ...", false);
    add_certificate(grammar, check_.certificate);
    outputs_.add_limit(grammar);
    expected_.add(grammar);
    grammar.footer(run_footer);
  }

  Wrong settle() override {
    if (Wrong wrong = options_.settle()) return wrong;
    const RecordPlan& plan = options_.plan();
    // By default the level that the database claims and all that it implies;
    // every level if it claims none.
    if (Wrong wrong = check_.isolation.settle(
            find_row(levels(), plan.database.level->claims))) {
      return wrong;
    }
    if (Wrong wrong = outputs_.settle(1, check_.documents)) return wrong;
    std::vector<std::string> places = outputs_.files();
    if (Wrong wrong = expected_.settle(false, check_.expected)) return wrong;
    places.insert(places.end(),
                  {plan.out, check_.certificate, check_.expected.baseline});
    if (Wrong wrong = unless_apart(places)) return wrong;
    check_.options.threads = plan.threads;
    check_.options.commit_order = !check_.certificate.empty();
    if (check_.certificate.empty() || !plan.out.empty()) return std::nullopt;
    return Misuse{
        "--certificate proves something about a history: keep that with -o"};
  }

  Result<Exit> run(Output& out) override {
    const RecordPlan& plan = options_.plan();
    Result<Recorded> recorded = record(plan, out);
    if (!recorded) return std::move(recorded.error());
    if (plan.driver->foreign && !recorded->claims.empty()) {
      check_.isolation.use_claim(*find_row(levels(), recorded->claims));
    }
    check_.paths = {recorded->path};
    if (plan.out.empty()) {
      check_.name =
          fmt::format("{} on {}", plan.workload->name, plan.driver->name);
    }
    return check_histories(check_, out, std::move(recorded->loaded));
  }

  Error out_of_memory() const override { return too_much_to_record(); }

 private:
  RecordOptions options_;
  CheckPlan check_;
  Outputs outputs_;
  ExpectedOptions expected_;
};

}  // namespace

const Command kRunCommand = {
    "run", "Drive a database, record what it did, and check it", make<Run>};

}  // namespace awdit::cli
