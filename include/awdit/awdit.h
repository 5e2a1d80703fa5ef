/* libawdit: tests whether a database kept its isolation promise. The C ABI.
 *
 *   awdit_history* history = NULL;
 *   awdit_report* report = NULL;
 *   awdit_error* error = NULL;
 *   const char* path = "history.edn";
 *   if (awdit_history_read(AWDIT_ABI, &path, 1, NULL, NULL, &history, &error)
 *       || awdit_check(history, "causal", NULL, &report, &error)) {
 *     fputs(awdit_error_text(error), stderr);
 *   }
 *
 * Handles are opaque. Whatever a function hands out through a pointer to a
 * pointer is the caller's, to be given to the _free function of its type; NULL
 * may be given there, too. Texts and bytes that a function returns belong to
 * the handle that it was asked of, end in a zero byte and last as long as the
 * handle; those of tables last for ever. All texts are UTF-8 where the history
 * was.
 *
 * Errors are values: every function that can fail returns a status. If it is
 * not AWDIT_OK, nothing is handed out but, where `error` is not NULL, an error
 * that says more. Bad use (no handle, a call out of order) is AWDIT_MISUSE.
 * Nothing is thrown, printed or ended, no signal handler is installed, and the
 * library keeps no state between calls besides the handles and a pool of
 * memory, which awdit_history_free of a large history gives back.
 *
 * Threads: different handles may be used at the same time. Of one handle, all
 * functions with `const` in front of the handle's type may run at the same
 * time; a builder may be used by many threads, each of its sessions by one at a
 * time. Functions marked "signal" may be called by a signal handler.
 */
#ifndef AWDIT_AWDIT_H
#define AWDIT_AWDIT_H

#include <stddef.h>
#include <stdint.h>

/* The version of all that is declared here. A later one adds functions and
 * constants; what is here stays. */
#define AWDIT_ABI 1

#ifdef __GNUC__
#define AWDIT_API __attribute__((visibility("default")))
#else
#define AWDIT_API
#endif
#ifdef __cplusplus
#define AWDIT_NOEXCEPT noexcept
extern "C" {
#else
#define AWDIT_NOEXCEPT
#endif

/* -- status and errors ---------------------------------------------------- */

typedef int32_t awdit_status;
enum {
  AWDIT_OK = 0,
  AWDIT_FAILED = 1, /* the input or the world: the error says what and where */
  AWDIT_MISUSE = 2, /* the caller: the error says which rule */
  AWDIT_CANCELLED = 3, /* as was asked for */
  AWDIT_NO_MEMORY = 4,
  AWDIT_NOTHING = 5 /* awdit_shrink: there is no such violation */
};

typedef struct awdit_error awdit_error;

AWDIT_API awdit_status awdit_error_status(const awdit_error* error)
    AWDIT_NOEXCEPT;
/* One sentence without a full stop. Of no error: "". */
AWDIT_API const char* awdit_error_message(const awdit_error* error)
    AWDIT_NOEXCEPT;
/* "file:line:column", "file" or "". */
AWDIT_API const char* awdit_error_where(const awdit_error* error)
    AWDIT_NOEXCEPT;
/* The line of the input with a caret below the place, or "". */
AWDIT_API const char* awdit_error_excerpt(const awdit_error* error)
    AWDIT_NOEXCEPT;
/* What to do about it, in full sentences, or "". */
AWDIT_API const char* awdit_error_hint(const awdit_error* error) AWDIT_NOEXCEPT;
/* All of it as lines of text. */
AWDIT_API const char* awdit_error_text(const awdit_error* error) AWDIT_NOEXCEPT;
AWDIT_API void awdit_error_free(awdit_error* error) AWDIT_NOEXCEPT;

/* The ABI of the library that was found, and its version: "0.1.0". Functions
 * that make a handle out of nothing are given AWDIT_ABI and refuse another. */
AWDIT_API uint32_t awdit_abi(void) AWDIT_NOEXCEPT;
AWDIT_API const char* awdit_version(void) AWDIT_NOEXCEPT;

/* -- bytes ---------------------------------------------------------------- */

typedef struct awdit_bytes awdit_bytes;

AWDIT_API const char* awdit_bytes_data(const awdit_bytes* bytes) AWDIT_NOEXCEPT;
AWDIT_API size_t awdit_bytes_size(const awdit_bytes* bytes) AWDIT_NOEXCEPT;
AWDIT_API void awdit_bytes_free(awdit_bytes* bytes) AWDIT_NOEXCEPT;

/* -- tables --------------------------------------------------------------- */

enum {
  AWDIT_LEVELS = 0, /* weakest first */
  AWDIT_FORMATS = 1,
  AWDIT_ANOMALIES = 2, /* most basic first */
  AWDIT_REPORTS = 3
};

/* Rows of a table; 0: there is no such table. */
AWDIT_API size_t awdit_table_size(int32_t table) AWDIT_NOEXCEPT;
/* NULL: there is no such row. */
AWDIT_API const char* awdit_table_name(int32_t table,
                                       size_t row) AWDIT_NOEXCEPT;
AWDIT_API const char* awdit_table_summary(int32_t table,
                                          size_t row) AWDIT_NOEXCEPT;
/* Another name of the row; NULL: there is no such alias. */
AWDIT_API const char* awdit_table_alias(int32_t table, size_t row,
                                        size_t alias) AWDIT_NOEXCEPT;

/* -- options -------------------------------------------------------------- */

/* To stop what is under way: a flag that many calls may share. */
typedef struct awdit_cancel awdit_cancel;

AWDIT_API awdit_status awdit_cancel_new(uint32_t abi, awdit_cancel** cancel,
                                        awdit_error** error) AWDIT_NOEXCEPT;
/* Every call with this flag returns AWDIT_CANCELLED soon. By any thread;
 * signal. */
AWDIT_API void awdit_cancel_now(awdit_cancel* cancel) AWDIT_NOEXCEPT;
/* 1: awdit_cancel_now was called. */
AWDIT_API int32_t awdit_cancel_asked(const awdit_cancel* cancel) AWDIT_NOEXCEPT;
/* No call uses it any more. */
AWDIT_API void awdit_cancel_free(awdit_cancel* cancel) AWDIT_NOEXCEPT;

typedef struct awdit_progress {
  const char* stage; /* "reading", "checking", "shrinking" */
  const char* at;    /* a level, or "" */
  uint64_t done;     /* bytes; they count in reading only */
  uint64_t total;    /* 0: not known */
  double seconds;    /* since the call began */
} awdit_progress;
/* Called about ten times a second, by the thread that called the library. Not
 * 0: cancel. */
typedef int32_t (*awdit_progress_fn)(void* user,
                                     const awdit_progress* progress);

/* How things are done. Where options are an argument, NULL means the usual
 * ones, which are those of the command line. They may be used for many calls at
 * the same time, but not changed meanwhile. */
typedef struct awdit_options awdit_options;

AWDIT_API awdit_status awdit_options_new(uint32_t abi, awdit_options** options,
                                         awdit_error** error) AWDIT_NOEXCEPT;
AWDIT_API void awdit_options_free(awdit_options* options) AWDIT_NOEXCEPT;
/* At most 1024; 0: as many as there are processors, which is usual. */
AWDIT_API awdit_status awdit_options_threads(awdit_options* options,
                                             uint32_t threads) AWDIT_NOEXCEPT;
/* Seconds per level, 60 if not set, 0: no limit. Beyond it a level is
 * undecided. */
AWDIT_API awdit_status awdit_options_time_limit(awdit_options* options,
                                                double seconds) AWDIT_NOEXCEPT;
/* Bytes that a level may take besides the history, as far as the whole process
 * shows it; 0: no limit. If not set: by the size of the history. */
AWDIT_API awdit_status awdit_options_memory_limit(
    awdit_options* options, uint64_t bytes) AWDIT_NOEXCEPT;
/* Stop at each level's first finding. */
AWDIT_API awdit_status awdit_options_first(awdit_options* options,
                                           int32_t on) AWDIT_NOEXCEPT;
/* Do not search levels above one that is violated. */
AWDIT_API awdit_status awdit_options_only_first_level(
    awdit_options* options, int32_t on) AWDIT_NOEXCEPT;
/* 0: levels as Adya and Elle define them, without the order of a session's
 * transactions. For awdit_check and awdit_shrink. */
AWDIT_API awdit_status awdit_options_session_order(awdit_options* options,
                                                   int32_t on) AWDIT_NOEXCEPT;
/* Keep what awdit_report_certificate needs. */
AWDIT_API awdit_status awdit_options_certificate(awdit_options* options,
                                                 int32_t on) AWDIT_NOEXCEPT;
/* Findings of a kind that reports for people tell, 3 if not set; 0: all. */
AWDIT_API awdit_status awdit_options_findings(awdit_options* options,
                                              uint32_t findings) AWDIT_NOEXCEPT;
/* Of the text report: colours, frames of Unicode, columns (0: no limit). */
AWDIT_API awdit_status awdit_options_terminal(awdit_options* options,
                                              int32_t colour, int32_t blocks,
                                              uint32_t columns) AWDIT_NOEXCEPT;
/* What messages and reports call the history, instead of its path. */
AWDIT_API awdit_status awdit_options_name(awdit_options* options,
                                          const char* name) AWDIT_NOEXCEPT;
AWDIT_API awdit_status awdit_options_progress(awdit_options* options,
                                              awdit_progress_fn progress,
                                              void* user) AWDIT_NOEXCEPT;
/* Outlives all calls with these options; NULL: none. */
AWDIT_API awdit_status awdit_options_cancel(
    awdit_options* options, const awdit_cancel* cancel) AWDIT_NOEXCEPT;

/* -- histories ------------------------------------------------------------ */

/* What client sessions read and wrote. Never changes. */
typedef struct awdit_history awdit_history;

/* A file, or a directory, or several that are one history together; packed or
 * not. `format`: its name; NULL: by looking at the bytes. "-" is a file of that
 * name, not standard input. Files are read into memory. */
AWDIT_API awdit_status awdit_history_read(uint32_t abi,
                                          const char* const* paths,
                                          size_t count, const char* format,
                                          const awdit_options* options,
                                          awdit_history** history,
                                          awdit_error** error) AWDIT_NOEXCEPT;
/* The bytes of such a file, which are not needed any more afterwards. */
AWDIT_API awdit_status awdit_history_parse(uint32_t abi, const void* bytes,
                                           size_t size, const char* format,
                                           const awdit_options* options,
                                           awdit_history** history,
                                           awdit_error** error) AWDIT_NOEXCEPT;
/* The bytes of a file of this format. `losses`, unless NULL: what the format
 * could not hold, a line each, perhaps "". Formats that are a directory of
 * files fail. */
AWDIT_API awdit_status awdit_history_write(const awdit_history* history,
                                           const char* format,
                                           const awdit_options* options,
                                           awdit_bytes** bytes,
                                           awdit_bytes** losses,
                                           awdit_error** error) AWDIT_NOEXCEPT;
/* What it holds and what a check of it could show, as "text" or "json". */
AWDIT_API awdit_status awdit_history_stats(const awdit_history* history,
                                           const char* report,
                                           const awdit_options* options,
                                           awdit_bytes** bytes,
                                           awdit_error** error) AWDIT_NOEXCEPT;
AWDIT_API uint64_t awdit_history_sessions(const awdit_history* history)
    AWDIT_NOEXCEPT;
AWDIT_API uint64_t awdit_history_transactions(const awdit_history* history)
    AWDIT_NOEXCEPT;
AWDIT_API uint64_t awdit_history_operations(const awdit_history* history)
    AWDIT_NOEXCEPT;
AWDIT_API uint64_t awdit_history_keys(const awdit_history* history)
    AWDIT_NOEXCEPT;
/* The name of the format that it was read from; of a builder: "". */
AWDIT_API const char* awdit_history_format(const awdit_history* history)
    AWDIT_NOEXCEPT;
/* What the reader has to say, a sentence each; NULL: no more. */
AWDIT_API const char* awdit_history_warning(const awdit_history* history,
                                            size_t i) AWDIT_NOEXCEPT;
AWDIT_API void awdit_history_free(awdit_history* history) AWDIT_NOEXCEPT;

/* -- making a history ----------------------------------------------------- */

/* A key or a value. */
typedef struct awdit_value {
  uint32_t kind;
  uint32_t unused;  /* 0 */
  uint64_t bits;    /* the integer, or the length of the text */
  const char* text; /* any bytes; not needed any more after the call */
} awdit_value;
enum {
  AWDIT_INTEGER = 0, /* signed: bits are its two's complement */
  AWDIT_NATURAL = 1, /* not signed */
  AWDIT_TEXT = 2,
  AWDIT_NIL = 3,   /* nothing there */
  AWDIT_ABSENT = 4 /* likewise, if that is told apart from a null */
};

static inline awdit_value awdit_integer(int64_t integer) {
  awdit_value value = {AWDIT_INTEGER, 0, 0, NULL};
  value.bits = (uint64_t)integer;
  return value;
}
static inline awdit_value awdit_text(const char* text, size_t size) {
  awdit_value value = {AWDIT_TEXT, 0, 0, NULL};
  value.bits = (uint64_t)size;
  value.text = text;
  return value;
}
static inline awdit_value awdit_nil(void) {
  awdit_value value = {AWDIT_NIL, 0, 0, NULL};
  return value;
}

/* Collects sessions, then becomes a history. A rule of these functions that was
 * broken is remembered: awdit_builder_finish fails and says the first, so that
 * a recorder need not look at every status. */
typedef struct awdit_builder awdit_builder;
/* A client's connection: one transaction after the other. Belongs to its
 * builder and goes with it. */
typedef struct awdit_session awdit_session;

/* What times count. */
enum {
  AWDIT_NANOSECONDS = 1, /* usual */
  AWDIT_MILLISECONDS = 2,
  AWDIT_EVENTS = 3, /* positions in one order of all begins and ends */
  AWDIT_HYBRID = 4  /* the database's own; ticks are the logical part */
};
#define AWDIT_NO_ID INT64_MIN
#define AWDIT_NO_TIME INT64_MIN

AWDIT_API awdit_status awdit_builder_new(uint32_t abi, awdit_builder** builder,
                                         awdit_error** error) AWDIT_NOEXCEPT;
/* What a read returns before anybody wrote the key: nil if not set; NULL: there
 * is no such value. */
AWDIT_API awdit_status awdit_builder_initial(
    awdit_builder* builder, const awdit_value* value) AWDIT_NOEXCEPT;
AWDIT_API awdit_status awdit_builder_clock(awdit_builder* builder,
                                           int32_t clock) AWDIT_NOEXCEPT;
/* The clock of domain `to` shows `offset` more than that of `from`, give or
 * take `give`. */
AWDIT_API awdit_status awdit_builder_relate_clocks(awdit_builder* builder,
                                                   const char* from,
                                                   const char* to,
                                                   int64_t offset,
                                                   int64_t give) AWDIT_NOEXCEPT;
/* How it was recorded, faults, ...: a JSON value. */
AWDIT_API awdit_status awdit_builder_about(awdit_builder* builder,
                                           const char* json) AWDIT_NOEXCEPT;
/* The session of this name, new or not: an integer or a text. */
AWDIT_API awdit_status
awdit_builder_session(awdit_builder* builder, const awdit_value* name,
                      awdit_session** session) AWDIT_NOEXCEPT;
/* The end: nothing can be added any more, here or to sessions. A transaction
 * that was not ended is of unknown outcome. */
AWDIT_API awdit_status awdit_builder_finish(awdit_builder* builder,
                                            const awdit_options* options,
                                            awdit_history** history,
                                            awdit_error** error) AWDIT_NOEXCEPT;
AWDIT_API void awdit_builder_free(awdit_builder* builder) AWDIT_NOEXCEPT;

/* A transaction begins; `id`: its name in messages, or AWDIT_NO_ID. All have
 * ids or none. */
AWDIT_API awdit_status awdit_session_begin(awdit_session* session,
                                           int64_t id) AWDIT_NOEXCEPT;
AWDIT_API awdit_status
awdit_session_read(awdit_session* session, const awdit_value* key,
                   const awdit_value* value) AWDIT_NOEXCEPT;
AWDIT_API awdit_status
awdit_session_write(awdit_session* session, const awdit_value* key,
                    const awdit_value* value) AWDIT_NOEXCEPT;
/* The same of integers. */
AWDIT_API awdit_status awdit_session_read_integer(awdit_session* session,
                                                  int64_t key,
                                                  int64_t value) AWDIT_NOEXCEPT;
AWDIT_API awdit_status awdit_session_write_integer(
    awdit_session* session, int64_t key, int64_t value) AWDIT_NOEXCEPT;
/* Of histories of lists: a write adds an element, a read returns all. */
AWDIT_API awdit_status
awdit_session_append(awdit_session* session, const awdit_value* key,
                     const awdit_value* element) AWDIT_NOEXCEPT;
AWDIT_API awdit_status awdit_session_read_list(awdit_session* session,
                                               const awdit_value* key,
                                               const awdit_value* elements,
                                               size_t count) AWDIT_NOEXCEPT;
/* Of the transaction: when it was sent for the first time and when the last
 * answer was there; AWDIT_NO_TIME: not known. */
AWDIT_API awdit_status awdit_session_times(awdit_session* session,
                                           int64_t begin,
                                           int64_t end) AWDIT_NOEXCEPT;
/* What orders equal times. */
AWDIT_API awdit_status awdit_session_ticks(awdit_session* session,
                                           int64_t begin,
                                           int64_t end) AWDIT_NOEXCEPT;
/* Whose clock these times are of. */
AWDIT_API awdit_status awdit_session_clock_domain(
    awdit_session* session, const char* domain) AWDIT_NOEXCEPT;
/* Where it ran; and what else is worth noting: a JSON value. */
AWDIT_API awdit_status awdit_session_node(awdit_session* session,
                                          const char* node) AWDIT_NOEXCEPT;
AWDIT_API awdit_status awdit_session_note(awdit_session* session,
                                          const char* json) AWDIT_NOEXCEPT;
/* How it ended. Unknown: the answer to the commit was lost. */
AWDIT_API awdit_status awdit_session_commit(awdit_session* session)
    AWDIT_NOEXCEPT;
AWDIT_API awdit_status awdit_session_abort(awdit_session* session)
    AWDIT_NOEXCEPT;
AWDIT_API awdit_status awdit_session_unknown(awdit_session* session)
    AWDIT_NOEXCEPT;

/* -- checking ------------------------------------------------------------- */

enum { AWDIT_HOLDS = 0, AWDIT_VIOLATED = 1, AWDIT_UNDECIDED = 2 };

/* The verdicts of a check with their evidence. Keeps the history. */
typedef struct awdit_report awdit_report;

/* `levels`: names with commas between them, or "all", as after -i; NULL: all
 * that can be asked of the history. */
AWDIT_API awdit_status awdit_check(const awdit_history* history,
                                   const char* levels,
                                   const awdit_options* options,
                                   awdit_report** report,
                                   awdit_error** error) AWDIT_NOEXCEPT;
/* What a certificate says of the history, if it proves it; without checking
 * anything again. */
AWDIT_API awdit_status awdit_report_of(const awdit_history* history,
                                       const void* certificate, size_t size,
                                       const awdit_options* options,
                                       awdit_report** report,
                                       awdit_error** error) AWDIT_NOEXCEPT;
/* The worst of all: violated, then undecided, then holds. -1: no report. */
AWDIT_API int32_t awdit_report_worst(const awdit_report* report) AWDIT_NOEXCEPT;
/* "Strongest level that holds: ..." */
AWDIT_API const char* awdit_report_conclusion(const awdit_report* report)
    AWDIT_NOEXCEPT;
/* How many levels, weakest first. */
AWDIT_API size_t awdit_report_levels(const awdit_report* report) AWDIT_NOEXCEPT;
/* Of level i; NULL or -1: there is none. */
AWDIT_API const char* awdit_report_level(const awdit_report* report,
                                         size_t i) AWDIT_NOEXCEPT;
AWDIT_API int32_t awdit_report_verdict(const awdit_report* report,
                                       size_t i) AWDIT_NOEXCEPT;
/* Why it is undecided: "time", "memory", "proof"; otherwise "". */
AWDIT_API const char* awdit_report_limit(const awdit_report* report,
                                         size_t i) AWDIT_NOEXCEPT;
/* How many violations were found, those of weaker levels first; and what the
 * j-th of them is called. */
AWDIT_API size_t awdit_report_violations(const awdit_report* report,
                                         size_t i) AWDIT_NOEXCEPT;
AWDIT_API const char* awdit_report_violation(const awdit_report* report,
                                             size_t i, size_t j) AWDIT_NOEXCEPT;
/* The verdict on the level of this name; -1: it was not asked for. */
AWDIT_API int32_t awdit_report_verdict_on(const awdit_report* report,
                                          const char* level) AWDIT_NOEXCEPT;
/* The bytes of a report: "text", "json", "html", ... */
AWDIT_API awdit_status awdit_report_render(const awdit_report* report,
                                           const char* format,
                                           const awdit_options* options,
                                           awdit_bytes** bytes,
                                           awdit_error** error) AWDIT_NOEXCEPT;
/* The evidence, for awdit_verify, `awdit verify` and contrib/verify.py. Of a
 * check with awdit_options_certificate only. */
AWDIT_API awdit_status
awdit_report_certificate(const awdit_report* report, awdit_bytes** bytes,
                         awdit_error** error) AWDIT_NOEXCEPT;
AWDIT_API void awdit_report_free(awdit_report* report) AWDIT_NOEXCEPT;

/* -- verifying ------------------------------------------------------------ */

/* What a verifier says about each level of a certificate. */
typedef struct awdit_checks awdit_checks;

/* AWDIT_OK says that it was verified, not that all of it was accepted. */
AWDIT_API awdit_status awdit_verify(const awdit_history* history,
                                    const void* certificate, size_t size,
                                    const awdit_options* options,
                                    awdit_checks** checks,
                                    awdit_error** error) AWDIT_NOEXCEPT;
/* 1: all of it. */
AWDIT_API int32_t awdit_checks_accepted(const awdit_checks* checks)
    AWDIT_NOEXCEPT;
AWDIT_API size_t awdit_checks_levels(const awdit_checks* checks) AWDIT_NOEXCEPT;
/* Of level i; NULL or -1: there is none. */
AWDIT_API const char* awdit_checks_level(const awdit_checks* checks,
                                         size_t i) AWDIT_NOEXCEPT;
AWDIT_API int32_t awdit_checks_verdict(const awdit_checks* checks,
                                       size_t i) AWDIT_NOEXCEPT;
/* What is wrong with the evidence; "": nothing. */
AWDIT_API const char* awdit_checks_objection(const awdit_checks* checks,
                                             size_t i) AWDIT_NOEXCEPT;
/* As "text" or "json". `certificate`: what it is called there. */
AWDIT_API awdit_status awdit_checks_render(const awdit_checks* checks,
                                           const char* format,
                                           const char* certificate,
                                           const awdit_options* options,
                                           awdit_bytes** bytes,
                                           awdit_error** error) AWDIT_NOEXCEPT;
AWDIT_API void awdit_checks_free(awdit_checks* checks) AWDIT_NOEXCEPT;

/* -- shrinking ------------------------------------------------------------ */

/* The smallest part that still shows a violation. */
typedef struct awdit_shrunk awdit_shrunk;

/* Of the weakest violated level among `levels`, see awdit_check, and there of
 * this kind of violation, or of the most basic one (NULL). `format`: what it is
 * to be written in; NULL: everything is kept. AWDIT_NOTHING: there is none. */
AWDIT_API awdit_status awdit_shrink(const awdit_history* history,
                                    const char* levels, const char* kind,
                                    const char* format,
                                    const awdit_options* options,
                                    awdit_shrunk** shrunk,
                                    awdit_error** error) AWDIT_NOEXCEPT;
/* The part itself: the caller's, and independent of `shrunk`. */
AWDIT_API awdit_status awdit_shrunk_history(const awdit_shrunk* shrunk,
                                            awdit_history** history,
                                            awdit_error** error) AWDIT_NOEXCEPT;
AWDIT_API const char* awdit_shrunk_level(const awdit_shrunk* shrunk)
    AWDIT_NOEXCEPT;
AWDIT_API const char* awdit_shrunk_kind(const awdit_shrunk* shrunk)
    AWDIT_NOEXCEPT;
/* One sentence about the violation. */
AWDIT_API const char* awdit_shrunk_headline(const awdit_shrunk* shrunk)
    AWDIT_NOEXCEPT;
/* 1: nothing can be left out; 0: not everything was tried. */
AWDIT_API int32_t awdit_shrunk_minimal(const awdit_shrunk* shrunk)
    AWDIT_NOEXCEPT;
AWDIT_API void awdit_shrunk_free(awdit_shrunk* shrunk) AWDIT_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
