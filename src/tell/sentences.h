// Sentences and labels that every report for people uses, so that they say the
// same. Part of tell/tell.h.
//
// All of it is raw: labels of the history may hold any bytes. Who shows it
// makes it harmless in his own way.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "history/history.h"
#include "tell/digest.h"
#include "tell/exhibit.h"
#include "tell/proof.h"
#include "theory/theory.h"

namespace awdit {

// How the history came about, as far as its recorder said so in words that we
// know (docs/recording.md): "Recorded from RocksDB 7.8.3 at snapshot, ...", "2
// faults: kill at 1.2 s". Empty: nothing is known.
std::vector<std::string> recorded_sentences(const History& history);
// The same for programs, by name: database, level, workload, seed, and how many
// seconds it took. Only what is known.
std::vector<std::pair<std::string_view, std::string>> recorded_facts(
    const History& history);
// Seconds from the first begin to the last end, as clients saw it; nothing if
// times are not of a clock.
std::optional<double> recorded_seconds(const History& history);

// What a verdict rests on besides the committed transactions: a sentence about
// the aborted ones and one about those of unknown outcome, where there are any;
// and that the order of sessions does not count, if it does not.
std::vector<std::string> outcome_sentences(const History& history,
                                           const Report& report);

// The last of these by itself; empty if the order counts.
std::string session_order_sentence(const History& history);

// What stands beside a verdict: what was found, from which level it follows,
// why there is none. May be empty. `first`: see ReportOptions.
std::string verdict_note(const LevelReport& level, const LevelDigest& digest,
                         bool first);
// "the time limit was reached; --time-limit gives it longer"
std::string limit_text(Limit limit);

// Which reads were left out to look for further violations; empty if none.
std::string set_aside_sentence(const History& history, const Report& report);

// Whether every level asked for holds, and then how much that rests on: what is
// not read cannot be seen to break.
bool is_clean(const Report& report);
std::string extent_sentence(const History& history, const Report& report);

// "t6", "R x=3", "W x=3", of lists "append 3 to x", "read x=[1 2 3]": raw, not
// yet made fit for a terminal or a page. `element` is shown if a list is cut.
std::string op_text(const History& history, OpId op,
                    std::uint32_t element = kNoId);

// "line 5", "lines 7-9", "lines 3, 7-9"; empty where places are unknown.
std::string lines_text(const History& history,
                       const std::vector<Exhibit>& shown);

// "R x=3 (from t4)"
std::string exhibit_text(const History& history, const Exhibit& exhibit);

// "s3.1", the first transaction of session s3
std::string place_text(const History& history, TxnId txn);

// Whether it is of unknown outcome, but counts as committed.
bool is_promoted(const Report& report, TxnId txn);
// "aborted", "outcome unknown, but read from: counts as committed", or "".
std::string status_text(const History& history, const Report& report,
                        TxnId txn);

// Where it ran and what else the recorder noted, such as its SQL, shortened.
std::vector<std::string> notes_of(const History& history, TxnId txn);

// The claim of a step with its reason.
std::string step_text(const ProofStep& step);

// "Breaks read-atomic and all stronger levels. Allowed by read-committed and
// all weaker levels."
std::string breaks_sentence(const std::vector<const Level*>& breaks,
                            const std::vector<const Level*>& keeps);

std::vector<std::string_view> level_names(
    const std::vector<const Level*>& levels);
// "read-atomic, causal"
std::string names_of(const std::vector<const Level*>& levels);

// "... and 3 fractured reads on other keys or in other sessions"
std::string untold_text(std::uint64_t violations, Kind kind);

// -- the last sentence ------------------------------------------------------

// The asked levels that hold and that no other holding one implies, and those
// violated ones that imply no other violated one: in a chain one each, in a
// lattice perhaps several.
std::vector<const Level*> strongest_holding(const Report& report);
std::vector<const Level*> weakest_violated(const Report& report);

// "Strongest level that holds: read-atomic. Weakest that breaks: causal."
std::string conclusion(const Report& report);

}  // namespace awdit
