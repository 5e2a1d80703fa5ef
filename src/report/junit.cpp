// The report for CI servers that show JUnit's XML: a history is a suite, a
// level a test. Only elements and attributes that Jenkins' schema has and that
// GitLab reads are used. The time of a suite is that of its recording, not of
// the check, so that equal checks give equal bytes.
//
// A story is told at the weakest level that it breaks; the stronger ones refer
// to it, as in the text report.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/block.h"
#include "report/markup.h"
#include "report/rows.h"

namespace awdit {
namespace {

class Junit : public ReportWriter {
 public:
  Junit(const ReportOptions& options, Sink& sink)
      : ReportWriter(options, sink, asked_groups(options)) {
    sink_.append(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"awdit\">\n");
  }

  void write(const Subject& subject, const Excerpt& found) override {
    const Report& report = found.all.report;
    std::size_t failures = 0, skipped = 0;
    for (const LevelReport& level : report.levels) {
      const bool known = is_known(report, level, options_.known);
      failures += level.verdict == Verdict::violated && !known ? 1 : 0;
      skipped += level.verdict == Verdict::undecided || known ? 1 : 0;
    }
    const std::string path = xml_text(subject.path);
    begin_suite(path, report.levels.size(), failures, 0, skipped,
                recorded_seconds(subject.history));
    write_properties(subject, report);
    for (std::size_t i = 0; i < report.levels.size(); ++i) {
      if (sink_.closed()) return;
      const LevelReport& level = report.levels[i];
      sink_.append(fmt::format("    <testcase classname=\"{}\" name=\"{}\"",
                               path, level.level->name));
      switch (level.verdict) {
        case Verdict::holds:
          sink_.append("/>\n");
          break;
        case Verdict::undecided:
          sink_.append(fmt::format(
              ">\n      <skipped message=\"undecided{}\"/>\n    "
              "</testcase>\n",
              level.limit == Limit::none ? ""
                                         : ": " + limit_text(level.limit)));
          break;
        case Verdict::violated:
          if (is_known(report, level, options_.known)) {
            sink_.append(fmt::format(
                ">\n      <skipped message=\"violated, as is known: {}\"/>\n"
                "    </testcase>\n",
                xml_text(verdict_note(level, found.all.digests[i],
                                      options_.first))));
            break;
          }
          sink_.append(">\n");
          write_failure(subject.history, report, found, i);
          sink_.append("    </testcase>\n");
          break;
      }
    }
    sink_.append("  </testsuite>\n");
  }

  void add_error(std::string_view path, const Error& error) override {
    const std::string name = xml_text(path);
    begin_suite(name, 1, 0, 1, 0);
    sink_.append(fmt::format(
        "    <testcase classname=\"{}\" name=\"has a verdict\">\n"
        "      <error message=\"{}\" type=\"no-verdict\">{}"
        "</error>\n"
        "    </testcase>\n"
        "  </testsuite>\n",
        name, xml_text(error.message), xml_lines(to_string(error))));
  }

  void end() override { sink_.append("</testsuites>\n"); }

 private:
  void begin_suite(const std::string& name, std::size_t tests,
                   std::size_t failures, int errors, std::size_t skipped,
                   std::optional<double> seconds = std::nullopt) {
    sink_.append(fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
        "skipped=\"{}\"{}>\n",
        name, tests, failures, errors, skipped,
        seconds ? fmt::format(" time=\"{:.3f}\"", *seconds) : ""));
  }

  void write_properties(const Subject& subject, const Report& report) {
    const History& history = subject.history;
    sink_.append("    <properties>\n");
    const auto property = [&](std::string_view name, const std::string& value) {
      sink_.append(fmt::format("      <property name=\"{}\" value=\"{}\"/>\n",
                               name, value));
    };
    for (const auto& [name, fact] : recorded_facts(history)) {
      property(name, xml_text(fact));
    }
    property("format", xml_text(subject.format));
    property("sessions", std::to_string(num_sessions(history)));
    property("transactions", std::to_string(history.num_txns()));
    property("operations", std::to_string(history.num_ops()));
    property("session-order", history.session_order() ? "true" : "false");
    property("conclusion", xml_text(conclusion(report)));
    sink_.append("    </properties>\n");
  }

  void write_failure(const History& history, const Report& report,
                     const Excerpt& found, std::size_t at) {
    const LevelReport& level = report.levels[at];
    // The first in the order of the table; a test has one type.
    const auto kind =
        std::ranges::min_element(level.violations, {}, &Violation::kind);
    std::string text;
    {
      Sink told(text);
      const Screen plain(told);
      for (const Story* story : found.told) {
        if (story->level != level.level) continue;
        append_block(history, report, *story, plain);
      }
    }
    if (text.empty()) {
      text =
          "\nThe same as at a weaker level: see the tests before this one.\n";
    }
    for (const Untold::OfKind& rest : found.untold.list()) {
      if (found.all.digests[at].of_kind[static_cast<std::size_t>(rest.kind)] ==
          0) {
        continue;
      }
      text += "\n" + untold_text(rest.violations, rest.kind) +
              " (--limit 0 shows all).\n";
    }
    sink_.append(fmt::format(
        "      <failure message=\"{}\" type=\"{}\">{}</failure>\n",
        xml_text(verdict_note(level, found.all.digests[at], options_.first)),
        kind == level.violations.end() ? "violated" : anomaly(kind->kind).name,
        xml_lines(text)));
  }
};

}  // namespace

std::unique_ptr<ReportWriter> open_junit(const ReportOptions& options,
                                         Sink& sink) {
  return std::make_unique<Junit>(options, sink);
}

}  // namespace awdit
