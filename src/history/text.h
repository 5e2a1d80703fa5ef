// The mini-notation for histories in tests, documents and golden files:
//
//     # a comment
//     s1: W(x,1) W(y,1) | R(x,2)
//     s2: W(x,2)! | R(y,1)?
//
// A line is a session (named before the colon; a name that comes again
// continues that session), `|` separates its transactions, `!` after the last
// operation of a transaction marks it aborted, `?` marks its outcome unknown.
// Before such a mark may stand when it began and ended, `@1-2`, in whole
// numbers from 0, either of which may be missing: `@1-` was never seen to end.
// That makes it a history with times (Clock::events). `@a:1-2` are times of the
// clock domain a, which nothing relates to others.
// Keys are integers or names, values are integers, names or nil. The initial
// value is 0, as in plume text: `init` writes it unless a transaction does.
// Histories of lists append and read whole lists, A(x,1) and R(x,[1 2]), and
// nothing else; then the initial value is nil, the empty list R(x,[]).
// Transactions are numbered from 1 in the order of the text: t1, t2, ...
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/result.h"
#include "history/history.h"

namespace awdit {

class JsonWriter;  // base/json.h

Result<History> parse_text(std::string_view text, std::string_view file = "");

// The history in this notation; parse_text(to_text(h)) has the same sessions,
// transactions, operations and labels of keys. Times are told if they count
// events; those of other clocks, which are long, are not.
std::string to_text(const History& history);

// As a value of JSON: a number, a string or null.
void write_atom(const History& history, Atom atom, JsonWriter& json);

// "W(x,1)"
std::string to_text(const History& history, OpId op);

// The list that a read returned, for messages: "[1 2 3]". Of a long one only
// the ends and what stands around the given places (those that are no places of
// it do not matter): "[1 2 3 ... 94 more ... 98 99 100]".
// REQUIRES: history.has_lists().
std::string list_text(const History& history, OpId read,
                      std::initializer_list<std::uint32_t> places = {});

}  // namespace awdit
