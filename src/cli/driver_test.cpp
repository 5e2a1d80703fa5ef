// awdit driver-test: whether a driver does what it must, before it is trusted
// with a run.
#include "driver/driver.h"

#include <fmt/format.h>

#include <iterator>

#include "base/counted.h"
#include "base/fit.h"
#include "base/password.h"
#include "base/table.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/supervisor.h"
#include "cli/values.h"
#include "conform/conform.h"
#include "theory/theory.h"

namespace awdit::cli {
namespace {

std::string driver_test_footer() {
  return "Tries step by step what awdit relies on, and says in plain words "
         "what "
         "is wrong. It\nempties the database. Write a driver by "
         "docs/drivers/exec.md.\n\n"
         "Examples:\n"
         "  awdit driver-test 'exec:python3 mydriver.py'\n"
         "  awdit driver-test --level snapshot 'exec:./mydriver --port 7000'\n"
         "  awdit driver-test sqlite\n\n"
         "Exit codes:\n"
         "  0  nothing is wrong\n"
         "  1  something is\n"
         "  2  usage error, or the driver cannot be asked at all";
}

class DriverTest : public Task {
 public:
  explicit DriverTest(Grammar& grammar) {
    grammar.argument("DRIVER", "As behind --db: exec:COMMAND, sqlite, a URL",
                     url_, names_of(drivers()));
    grammar.option("--level", "LEVEL",
                   "Isolation level of the database (default: the first)",
                   level_);
    grammar.options("--set", "NAME=VALUE",
                    "Setting of the database; awdit list drivers shows them",
                    knobs_);
    options_.timeout_seconds = 3;
    grammar.option(
        "--timeout", "TIME",
        "Give up on a request without an answer after this long,\nin "
        "whole seconds (default 3s)",
        seconds_into(options_.timeout_seconds));
    add_quiet(grammar, false);
    grammar.footer(driver_test_footer);
  }

  Wrong settle() override {
    if (url_.empty()) {
      return Misuse{"which driver? exec:COMMAND, as behind --db"};
    }
    driver_ = driver_of(url_);
    if (driver_ == nullptr) {
      return Misuse{unknown_name_message(
          "database", url_.substr(0, url_.find(':')), drivers())};
    }
    if (driver_->open == nullptr) {
      return Misuse{fmt::format("awdit was built without {}: install {}",
                                driver_->name, driver_->package)};
    }
    options_.urls = {url_};
    for (const std::string& text : knobs_) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos) {
        return refused("--set", "NAME=VALUE", text);
      }
      options_.knobs.emplace_back(text.substr(0, equals),
                                  text.substr(equals + 1));
    }
    return settle_level();
  }

  Result<Exit> run(Output& out) override {
    if (Outcome failed = supervise("")) return std::move(*failed);
    auto database = driver_->open(options_);
    if (!database) return placed(std::move(database.error()));
    const std::string claims =
        (*database)->claims().value_or(std::string(options_.level->claims));
    const Level* const level = find_named(levels(), claims);
    if (!claims.empty() && level == nullptr) {
      return placed(Error{
          .message = unknown_name_message("level", visible(claims), levels())});
    }
    tell(out, fmt::format("{}, which claims {}\n\n", (*database)->describe(),
                          level == nullptr ? "no level" : level->name));
    std::size_t failed = 0;
    std::size_t tried = 0;
    conform(**database, level == nullptr ? "" : level->name,
            [&](const Trial& trial) {
              if (trial.result != Trial::Result::skipped) ++tried;
              if (trial.result == Trial::Result::failed) ++failed;
              tell(out, text_of(trial));
            });
    if (failed == 0) {
      tell(out, fmt::format("\nNothing is wrong in {}. What it does under load "
                            "a run tells:\n  awdit run --db '{}'\n",
                            counted(tried, "trial"),
                            visible(without_password(url_))));
      return Exit::ok;
    }
    tell(out,
         fmt::format("\n{} of {} failed. Mend the first one first: the others "
                     "may follow from it.\n",
                     failed, counted(tried, "trial")));
    return Exit::violated;
  }

 private:
  Wrong settle_level() {
    if (driver_->foreign) {
      foreign_level_.name = level_;
      options_.level = &foreign_level_;
      return std::nullopt;
    }
    options_.level = level_.empty() ? &driver_->levels.front()
                                    : find_named(driver_->levels, level_);
    if (options_.level != nullptr) return std::nullopt;
    return Misuse{unknown_name_message(fmt::format("{} level", driver_->name),
                                       level_, driver_->levels)};
  }

  Error placed(Error error) const {
    if (error.where.empty()) error.where = url_.substr(0, url_.find(':'));
    return error;
  }

  static void tell(Output& out, const std::string& text) {
    if (!quiet()) out.print(text);
  }

  static std::string text_of(const Trial& trial) {
    constexpr std::size_t kLine = 79, kIndent = 9;
    switch (trial.result) {
      case Trial::Result::passed:
        return fmt::format("  ok     {}\n", trial.name);
      case Trial::Result::skipped:
        return fmt::format("  -      {}: not tried, {}\n", trial.name,
                           trial.words);
      case Trial::Result::failed:
        break;
    }
    const std::string indent(kIndent, ' ');
    return fmt::format(
        "  WRONG  {}\n{}\n", trial.name,
        wrapped_line(indent + visible(without_password(trial.words)), kLine,
                     kIndent));
  }

  std::string url_;
  std::string level_;
  Promise foreign_level_;
  std::vector<std::string> knobs_;
  const Driver* driver_ = nullptr;
  DatabaseOptions options_;
};

}  // namespace

const Command kDriverTestCommand = {
    "driver-test", "Try whether a driver does what it must", make<DriverTest>};

}  // namespace awdit::cli
