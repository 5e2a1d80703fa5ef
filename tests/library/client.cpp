// A client in C++17, which sees our headers and nothing else of us. Quiet if
// all is well.
#include <awdit/awdit.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

#if defined(AWDIT_CHECKED) || defined(AWDIT_ASSERT) || \
    defined(_GLIBCXX_ASSERTIONS) || defined(AWDIT_VERSION)
#error "what is ours reached a consumer"
#endif

namespace {

void expect(bool condition, const char* what) {
  if (condition) return;
  std::cerr << what << '\n';
  std::exit(1);
}

// The reader has seen y, but not the x that was written before it.
awdit::History stale_read() {
  awdit::Builder builder;
  awdit::Session writer = builder.session("writer");
  awdit::Session reader = builder.session(2);
  writer.begin(1).write("x", 1).commit();
  writer.begin(2).write("y", 1).commit();
  reader.begin(3).read("y", 1).read("x", awdit::nil).commit();
  return builder.finish();
}

}  // namespace

int main() {
  const awdit::History history = stale_read();
  expect(history.operations() == 4, "four operations");
  const awdit::Report report =
      awdit::check(history, "all", awdit::Options().certificate().threads(1));
  expect(report["read-committed"] == awdit::Verdict::holds, "read-committed");
  expect(report["causal"] == awdit::Verdict::violated, "causal");
  expect(report["strict-serializable"] == awdit::Verdict::none, "no times");
  expect(awdit::verify(history, report.certificate().view()).accepted(),
         "the certificate");
  expect(report.render("text").view().find("t3") != std::string_view::npos,
         "the text");
  const auto smallest = awdit::shrink(history, "causal");
  expect(smallest && smallest->history.transactions() == 3, "the smallest");
  expect(!awdit::shrink(history, "read-committed"), "nothing to shrink");

  awdit::Builder wrong;
  wrong.session(1).write("x", 1);
  try {
    wrong.finish();
    expect(false, "a write outside of a transaction");
  } catch (const awdit::Error& error) {
    expect(error.status() == AWDIT_MISUSE, "misuse");
    expect(!error.hint().empty(), "what to do");
  }
  awdit::Cancel cancel;
  cancel.now();
  try {
    awdit::check(history, "all", awdit::Options().cancel(cancel));
    expect(false, "cancelled");
  } catch (const awdit::Error& error) {
    expect(error.status() == AWDIT_CANCELLED, "cancelled");
  }
  return 0;
}
