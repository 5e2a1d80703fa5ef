/* A client in C99: what docs/library.md promises, call by call. Quiet if all is
 * well. */
#include <awdit/awdit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                              \
  do {                                                                 \
    if (!(condition)) {                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);  \
      exit(1);                                                         \
    }                                                                  \
  } while (0)

/* Two transactions read x and both write it: a lost update. */
static awdit_history* lost_update(void) {
  awdit_error* error = NULL;
  awdit_history* history = NULL;
  awdit_builder* builder = NULL;
  awdit_session *alice = NULL, *bob = NULL;
  const awdit_value x = awdit_text("x", 1), nothing = awdit_nil();
  const awdit_value one = awdit_integer(1), two = awdit_integer(2);
  const awdit_value a = awdit_text("alice", 5), b = awdit_integer(2);
  EXPECT(awdit_builder_new(AWDIT_ABI, &builder, &error) == AWDIT_OK);
  EXPECT(awdit_builder_session(builder, &a, &alice) == AWDIT_OK);
  EXPECT(awdit_builder_session(builder, &b, &bob) == AWDIT_OK);
  EXPECT(awdit_session_begin(alice, AWDIT_NO_ID) == AWDIT_OK);
  EXPECT(awdit_session_begin(bob, AWDIT_NO_ID) == AWDIT_OK);
  EXPECT(awdit_session_read(alice, &x, &nothing) == AWDIT_OK);
  EXPECT(awdit_session_read(bob, &x, &nothing) == AWDIT_OK);
  EXPECT(awdit_session_write(alice, &x, &one) == AWDIT_OK);
  EXPECT(awdit_session_write(bob, &x, &two) == AWDIT_OK);
  EXPECT(awdit_session_times(alice, 10, 20) == AWDIT_OK);
  EXPECT(awdit_session_note(alice, "{\"sql\": \"UPDATE\"}") == AWDIT_OK);
  EXPECT(awdit_session_commit(alice) == AWDIT_OK);
  EXPECT(awdit_session_commit(bob) == AWDIT_OK);
  EXPECT(awdit_builder_finish(builder, NULL, &history, &error) == AWDIT_OK);
  EXPECT(awdit_builder_finish(builder, NULL, NULL, NULL) == AWDIT_MISUSE);
  EXPECT(awdit_session_begin(alice, AWDIT_NO_ID) == AWDIT_MISUSE);
  awdit_builder_free(builder);
  EXPECT(awdit_history_sessions(history) == 2);
  EXPECT(awdit_history_transactions(history) == 2);
  EXPECT(awdit_history_operations(history) == 4);
  return history;
}

static void verdicts(const awdit_history* history) {
  awdit_error* error = NULL;
  awdit_options* options = NULL;
  awdit_report* report = NULL;
  awdit_bytes *certificate = NULL, *text = NULL;
  awdit_checks* checks = NULL;
  size_t i;
  EXPECT(awdit_options_new(AWDIT_ABI, &options, &error) == AWDIT_OK);
  EXPECT(awdit_options_certificate(options, 1) == AWDIT_OK);
  EXPECT(awdit_options_threads(options, 2) == AWDIT_OK);
  EXPECT(awdit_check(history, "causal,snapshot-isolation", options, &report,
                     &error) == AWDIT_OK);
  EXPECT(awdit_report_levels(report) == 2);
  EXPECT(awdit_report_worst(report) == AWDIT_VIOLATED);
  EXPECT(awdit_report_verdict_on(report, "causal") == AWDIT_HOLDS);
  EXPECT(awdit_report_verdict_on(report, "SI") == AWDIT_VIOLATED);
  EXPECT(awdit_report_verdict_on(report, "serializable") == -1);
  EXPECT(awdit_report_violations(report, 1) == 1);
  EXPECT(strcmp(awdit_report_violation(report, 1, 0), "lost-update") == 0);
  for (i = 0; i < awdit_table_size(AWDIT_REPORTS); ++i) {
    const char* name = awdit_table_name(AWDIT_REPORTS, i);
    EXPECT(awdit_report_render(report, name, NULL, &text, &error) == AWDIT_OK);
    EXPECT(awdit_bytes_size(text) == strlen(awdit_bytes_data(text)));
    EXPECT(awdit_bytes_size(text) > 100);
    awdit_bytes_free(text);
  }
  EXPECT(awdit_report_certificate(report, &certificate, &error) == AWDIT_OK);
  awdit_report_free(report);
  EXPECT(awdit_verify(history, awdit_bytes_data(certificate),
                      awdit_bytes_size(certificate), NULL, &checks,
                      &error) == AWDIT_OK);
  EXPECT(awdit_checks_accepted(checks) == 1);
  EXPECT(awdit_checks_levels(checks) == 2);
  EXPECT(awdit_checks_verdict(checks, 1) == AWDIT_VIOLATED);
  awdit_checks_free(checks);
  EXPECT(awdit_report_of(history, awdit_bytes_data(certificate),
                         awdit_bytes_size(certificate), NULL, &report,
                         &error) == AWDIT_OK);
  EXPECT(awdit_report_verdict_on(report, "SI") == AWDIT_VIOLATED);
  awdit_report_free(report);
  awdit_bytes_free(certificate);
  awdit_options_free(options);
}

static void smallest(const awdit_history* history) {
  awdit_error* error = NULL;
  awdit_shrunk* shrunk = NULL;
  awdit_history *part = NULL, *again = NULL;
  awdit_bytes *bytes = NULL, *losses = NULL;
  EXPECT(awdit_shrink(history, "SI", NULL, "awdit-jsonl", NULL, &shrunk,
                      &error) == AWDIT_OK);
  EXPECT(strcmp(awdit_shrunk_kind(shrunk), "lost-update") == 0);
  EXPECT(awdit_shrunk_minimal(shrunk) == 1);
  EXPECT(awdit_shrunk_history(shrunk, &part, &error) == AWDIT_OK);
  awdit_shrunk_free(shrunk);
  EXPECT(awdit_history_transactions(part) == 2);
  EXPECT(awdit_history_write(part, "awdit-jsonl", NULL, &bytes, &losses,
                             &error) == AWDIT_OK);
  EXPECT(awdit_bytes_size(losses) == 0);
  EXPECT(awdit_history_parse(AWDIT_ABI, awdit_bytes_data(bytes),
                             awdit_bytes_size(bytes), NULL, NULL, &again,
                             &error) == AWDIT_OK);
  awdit_bytes_free(bytes);
  awdit_bytes_free(losses);
  EXPECT(strcmp(awdit_history_format(again), "awdit-jsonl") == 0);
  EXPECT(awdit_shrink(again, "causal", NULL, NULL, NULL, &shrunk, &error) ==
         AWDIT_NOTHING);
  EXPECT(shrunk == NULL);
  awdit_error_free(error);
  awdit_history_free(part);
  awdit_history_free(again);
}

static void errors(const awdit_history* history) {
  const char* path = "no-such-file";
  const char text[] = "r(1,2,3,4)\nnonsense\n";
  awdit_error* error = NULL;
  awdit_history* none = NULL;
  awdit_report* report = NULL;
  EXPECT(awdit_history_read(AWDIT_ABI, &path, 1, NULL, NULL, &none, &error) ==
         AWDIT_FAILED);
  EXPECT(none == NULL && awdit_error_status(error) == AWDIT_FAILED);
  EXPECT(strcmp(awdit_error_where(error), path) == 0);
  EXPECT(strcmp(awdit_error_message(error), "there is no such file") == 0);
  EXPECT(awdit_error_hint(error)[0] != '\0');
  awdit_error_free(error);
  EXPECT(awdit_history_parse(AWDIT_ABI, text, sizeof text - 1, "plume", NULL,
                             &none, &error) == AWDIT_FAILED);
  EXPECT(strncmp(awdit_error_where(error), "history:2:", 10) == 0);
  awdit_error_free(error);
  EXPECT(awdit_check(history, "casual", NULL, &report, &error) == AWDIT_FAILED);
  EXPECT(strstr(awdit_error_message(error), "did you mean 'causal'") != NULL);
  awdit_error_free(error);
  EXPECT(awdit_history_read(AWDIT_ABI + 1, &path, 1, NULL, NULL, &none,
                            &error) == AWDIT_MISUSE);
  awdit_error_free(error);
}

int main(void) {
  awdit_history* history;
  EXPECT(awdit_abi() == AWDIT_ABI);
  EXPECT(awdit_table_size(AWDIT_LEVELS) > 5);
  EXPECT(awdit_table_name(AWDIT_LEVELS, 1000) == NULL);
  EXPECT(awdit_table_size(17) == 0);
  history = lost_update();
  verdicts(history);
  smallest(history);
  errors(history);
  awdit_history_free(history);
  return 0;
}
