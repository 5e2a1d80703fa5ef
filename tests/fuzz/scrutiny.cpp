#include "scrutiny.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

#include "base/input.h"
#include "base/table.h"
#include "base/utf8.h"
#include "check/check.h"
#include "convert/convert.h"
#include "format/format.h"
#include "format/pieces.h"
#include "format/same.h"
#include "history/text.h"
#include "rendered.h"
#include "report/report.h"
#include "tell/tell.h"
#include "witness/witness.h"

namespace awdit::fuzz {
namespace {

constexpr std::uint32_t kMostOpsShrunk = 200;

Result<Report> check_all(const History& history, unsigned threads) {
  Options options;
  options.threads = threads;
  if (threads > 1) options.grain = 1;
  options.commit_order = true;
  return check(history, applicable_levels(history), options);
}

void expect_accepted(const History& history, const LevelReport& report,
                     const std::string& what) {
  const LevelCheck checked = verify(history, report);
  if (!checked.accepted) {
    complain(what + " of " + std::string(report.level->name) +
                 " rejected: " + checked.objection,
             &history);
  }
}

// Calls everything that makes text for people, for the sanitizers' sake.
void explain_all(const History& history, const LevelReport& report) {
  for (const Violation& violation : report.violations) {
    if (headline(history, violation).empty()) {
      complain("a violation without a headline", &history);
    }
    if (transactions_of(history, violation).empty()) {
      complain("a violation of nobody", &history);
    }
    walk(violation, [&](const Edge& edge) {
      if (explain(history, *report.level, edge).empty()) {
        complain("an edge without a reason", &history);
      }
    });
  }
}

// The simplest violation of each level stands alone once it is shrunk.
void shrink_all(const History& history, const Report& report) {
  if (history.num_ops() > kMostOpsShrunk) return;
  std::vector<Claim> claims;
  for (const LevelReport& level : report.levels) {
    if (const Violation* violation = simplest(level)) {
      claims.push_back({level.level, violation});
    }
  }
  const std::vector<Shrunk> stories = shrink(history, claims);
  for (std::size_t i = 0; i < stories.size(); ++i) {
    if (!stories[i].stands_alone) complain("no story", &history);
    LevelReport claim;
    claim.level = claims[i].level;
    claim.verdict = Verdict::violated;
    claim.violations = {stories[i].violation};
    expect_accepted(history, claim, "the story");
  }
}

}  // namespace

void complain(const std::string& what, const History* history) {
  std::fprintf(stderr, "%s\n", what.c_str());
  if (history != nullptr && history->num_ops() <= kMostOps) {
    std::fputs(to_text(*history).c_str(), stderr);
  }
  std::abort();
}

namespace {

// Every report can be told, is text, and is the same from the certificate.
void tell(const History& history, const Report& report,
          const Certificate& certificate) {
  const Report again = report_of(history, certificate);
  const Subject subject{.path = "h", .format = "f", .history = history};
  for (const ReportFormat& row : reports()) {
    const std::string text = rendered(row, subject, report);
    if (!is_utf8(text)) {
      complain("not UTF-8: " + std::string(row.name), &history);
    }
    if (text != rendered(row, subject, again)) {
      complain("the certificate tells another " + std::string(row.name),
               &history);
    }
  }
}

}  // namespace

void scrutinise(const History& history) {
  if (history.num_ops() > kMostOps) return;
  const Result<Report> one = check_all(history, 1);
  const Result<Report> three = check_all(history, 3);
  if (one.has_value() != three.has_value()) {
    complain("threads decide whether there is an error", &history);
  }
  if (!one) {
    if (to_string(one.error()) != to_string(three.error())) {
      complain("threads decide about the error", &history);
    }
    return;
  }
  for (std::size_t i = 0; i < one->levels.size(); ++i) {
    const LevelReport& report = one->levels[i];
    if (report.verdict != three->levels[i].verdict ||
        report.violations.size() != three->levels[i].violations.size()) {
      complain("threads decide about the verdict", &history);
    }
    expect_accepted(history, report, "evidence");
    explain_all(history, report);
  }
  shrink_all(history, *one);
  const Result<Certificate> certificate =
      read_certificate(write_certificate(history, *one), "certificate");
  if (!certificate) complain(to_string(certificate.error()), &history);
  for (const LevelReport& report : certificate->levels) {
    expect_accepted(history, report, "the certificate");
  }
  tell(history, *one, *certificate);
}

namespace {

// What was read can be written, and reading it again gives the same.
void write_and_read(History history, const Format& row) {
  if (row.write == nullptr) return;
  const Result<Fitted> fitted = fit(std::move(history), row, {});
  // Unknown outcomes cannot be settled where a value is written twice.
  if (!fitted || fitted->history.num_ops() == 0) return;
  std::deque<std::string> texts;
  std::deque<Sink> sinks;
  std::vector<std::string> names;
  row.write(fitted->history, [&](std::string_view name) -> Sink& {
    names.emplace_back(name);
    return sinks.emplace_back(texts.emplace_back());
  });
  std::vector<Input> files;
  for (std::size_t i = 0; i < sinks.size(); ++i) {
    sinks[i].flush();
    if (!texts[i].empty()) files.push_back(Input::of(texts[i], names[i]));
  }
  const Result<History> again = row.parse(files, 2);
  if (!again) {
    complain("what was written cannot be read: " + to_string(again.error()),
             &fitted->history);
  }
  const std::string differs = difference(fitted->history, *again, row.capacity);
  if (!differs.empty()) complain("read again: " + differs, &fitted->history);
}

}  // namespace

void parse_and_scrutinise(std::string_view format, std::string_view bytes) {
  const Format* row = find_row(formats(), format);
  if (row == nullptr) complain("no such format: " + std::string(format));
  for (const Format& other : formats()) {
    if (&other != row && other.sniff(bytes) && row->sniff(bytes)) {
      complain("two formats claim this input");
    }
  }
  const Input input = Input::of(bytes, "input");
  const Result<History> one = row->parse({&input, 1}, 1);
  const SmallPieces small(bytes.size() / 7);
  Result<History> three = row->parse({&input, 1}, 3);
  if (one.has_value() != three.has_value()) {
    complain("threads decide whether there is an error");
  }
  if (!one) {
    const std::string text = to_string(one.error());
    if (text != to_string(three.error())) {
      complain("threads decide about the error");
    }
    if (one.error().where.rfind("input:", 0) != 0) {
      complain("an error without a place: " + text);
    }
    return;
  }
  if (to_text(*one) != to_text(*three)) {
    complain("threads decide about the history", &*one);
  }
  scrutinise(*one);
  write_and_read(std::move(*three), *row);
}

}  // namespace awdit::fuzz
