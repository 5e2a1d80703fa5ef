// The history: what client sessions read and wrote. Front door for readers.
//
// A History is immutable. It is a set of dense columns, so that a checker walks
// memory in order:
//
//   session  ->  its transactions, contiguous, in session order
//   txn      ->  its operations, contiguous, in program order
//   op       ->  read or write, key, value, place in the input
//
// Ids are dense. TxnIds are session-major: they grow along each session, and
// session after session; sessions are numbered by first appearance in the
// input. OpIds grow along each transaction, and the transactions lie in the
// order in which they first appear in the input, so that reading the input in
// order is reading memory in order. Keys are numbered by the order of their
// labels (integers first).
//
// The implicit initial transaction (`init`, see docs/levels) has no operations
// and no row; it is named by `init_txn()`, one past the last transaction.
//
// Glossary: txn = transaction, op = operation, so = session order, wr =
// reads-from, co = commit order, hb = happens-before = (so u wr)+.
//
// Nothing here knows a file format, an isolation level or a database.
// Threads: a History may be read by any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/array.h"
#include "base/ids.h"
#include "base/table.h"
#include "history/clock_domains.h"
#include "history/texts.h"
#include "history/word_column.h"

namespace awdit {

enum class Status : std::uint8_t { committed, aborted, unknown };
inline constexpr std::string_view kStatusNames[] = {"committed", "aborted",
                                                    "unknown"};
inline std::string_view name(Status status) {
  return name_of(status, kStatusNames);
}

// What an operation does; the last two are of histories of lists.
enum class OpKind : std::uint8_t { read, write, append, read_list };

// A key or a value as the input has it. Two atoms are equal iff kind and bits
// are; strings are interned per history, so that comparing them is comparing
// numbers. Lists are no atoms: see History::has_lists.
struct Atom {
  enum class Kind : std::uint8_t {
    integer,  // bits: two's complement, -2^63 ... 2^63-1
    natural,  // bits: an integer of 2^63 ... 2^64-1
    string,   // bits: index into the history's strings
    nil,      // bits: 0 "nil", 1 "absent"
  };
  std::uint64_t bits = 0;
  Kind kind = Kind::integer;

  static constexpr Atom integer(std::int64_t value) {
    return {static_cast<std::uint64_t>(value), Kind::integer};
  }
  static constexpr Atom natural(std::uint64_t value) {
    return value >> 63 ? Atom{value, Kind::natural}
                       : Atom{value, Kind::integer};
  }
  static constexpr Atom nil() { return {0, Kind::nil}; }
  // Nil as well, of a key that did not exist: some recorders tell them apart.
  static constexpr Atom absent() { return {1, Kind::nil}; }
  // Any order, to sort and to search by.
  friend constexpr auto operator<=>(const Atom&, const Atom&) = default;
};

// What the times of a history count.
enum class Clock : std::uint8_t {
  none,          // there are no times
  nanoseconds,   // of the client; ticks, if any, break ties
  milliseconds,  // likewise
  events,        // positions in one order of all begins and ends
  hybrid,  // the database's own: physical time, ticks are the logical part
};
inline constexpr std::string_view kClockNames[] = {
    "none", "nanoseconds", "milliseconds", "events", "hybrid"};
inline std::string_view name(Clock clock) {
  return name_of(clock, kClockNames);
}

// Where an operation is in the input. Lines and columns count from 1; line
// 0 means "no place" (histories made in memory).
struct Place {
  std::uint32_t line = 0;
};

class History {
 public:
  std::uint32_t num_sessions() const { return sessions_; }
  std::uint32_t num_txns() const { return txns_; }
  std::uint32_t num_ops() const { return ops_; }
  std::uint32_t num_keys() const { return keys_; }

  // -- sessions ------------------------------------------------------------
  IdRange<SessionId> sessions() const { return {0, sessions_}; }
  IdRange<TxnId> txns(SessionId s) const {
    return {session_first_txn_[s.v], session_first_txn_[s.v + 1]};
  }
  Atom session_atom(SessionId s) const {
    return {session_bits_[s.v], Atom::Kind(session_kind_[s.v])};
  }
  // The input's own name of the session, e.g. "3".
  std::string session_label(SessionId s) const;
  // Its short name in messages: "s3", or the label itself if it is a text.
  std::string session_name(SessionId s) const;

  // Whether the order of a session's transactions counts. If not, each
  // transaction is a session of its own, under the name of the one it was of.
  bool session_order() const { return session_position_.empty(); }
  // This history without session order; ids of transactions, operations and
  // keys, and names, stay as they are. O(transactions).
  History without_session_order() &&;

  // A history that lies in the columns of another one, for those who consume
  // one that others keep. O(sentences).
  static History sharing(std::shared_ptr<const History> whole);

  // This history with one more warning; see warnings().
  History with_warning(std::string sentence) &&;

  // -- transactions --------------------------------------------------------
  IdRange<TxnId> txns() const { return {0, txns_}; }
  TxnId init_txn() const { return TxnId(txns_); }
  bool is_init(TxnId t) const { return t.v == txns_; }
  // REQUIRES for the next six: t is not init.
  SessionId session(TxnId t) const { return SessionId(txn_session_[t.v]); }
  // 0 for the first transaction of its session.
  std::uint32_t position(TxnId t) const {
    return t.v - session_first_txn_[txn_session_[t.v]];
  }
  // The same in the input, whether or not the order of sessions counts.
  std::uint32_t input_position(TxnId t) const {
    return session_order() ? position(t) : session_position_[t.v];
  }
  Status status(TxnId t) const { return Status(txn_status_[t.v]); }
  IdRange<OpId> ops(TxnId t) const {
    return {txn_ops_[t.v].begin, txn_ops_[t.v].end};
  }
  // The input's own id of the transaction, where the format has ids.
  std::optional<std::int64_t> txn_label(TxnId t) const;
  // The one short name used in text, JSON and pages: "t912" if the input's ids
  // are unique, otherwise "s3.7" (session name, position from 1); "init" for
  // the initial transaction; "s3.aborted" for plume's nameless aborted ones.
  std::string txn_name(TxnId t) const;
  // The transactions in the order in which they first appear in the input:
  // agrees with session order. A good first guess at a commit order.
  std::span<const std::uint32_t> input_order() const { return input_order_; }
  // Begin and end, in the unit of clock(); kNoTime where one is not known.
  // Empty: the input has no times, or none of this transaction.
  struct Times {
    std::int64_t begin;
    std::int64_t end;
    friend bool operator==(const Times&, const Times&) = default;
  };
  std::optional<Times> times(TxnId t) const;
  // Whose clock these are of: a number of clock_domains(), 0 if nobody named
  // one. Times of several domains are compared by what relates their clocks.
  std::uint32_t clock_domain(TxnId t) const {
    return txn_domain_.empty() ? 0 : txn_domain_[t.v];
  }
  const ClockDomains& clock_domains() const { return domains_; }
  // Whether all times are of one domain.
  bool has_one_clock() const { return txn_domain_.empty(); }
  // Whether `a` had ended before `b` began, as far as times and ticks tell;
  // never of an `a` of unknown outcome. REQUIRES: neither is init.
  bool ended_before(TxnId a, TxnId b) const;
  // What orders equal times: see Clock.
  std::optional<Times> ticks(TxnId t) const;
  Clock clock() const { return clock_; }
  // Where it ran, and what else the recorder noted (JSON text); "": nothing.
  std::string_view node(TxnId t) const { return text_of(txn_node_, t); }
  std::string_view meta(TxnId t) const { return text_of(txn_meta_, t); }
  // The same as atoms of kind string.
  std::optional<Atom> node_atom(TxnId t) const { return note(txn_node_, t); }
  std::optional<Atom> meta_atom(TxnId t) const { return note(txn_meta_, t); }
  bool has_ids() const { return !txn_label_.empty(); }
  bool has_ticks() const { return !txn_ticks_.empty(); }
  bool has_unknown() const { return has_unknown_; }

  // -- operations ----------------------------------------------------------
  bool is_write(OpId op) const { return (op_word_[op.v] & 1u) != 0; }
  OpKind kind(OpId op) const {
    if (has_lists()) return is_write(op) ? OpKind::append : OpKind::read_list;
    return is_write(op) ? OpKind::write : OpKind::read;
  }
  KeyId key(OpId op) const { return KeyId(op_word_[op.v] >> 1); }
  Atom value(OpId op) const {
    return {op_value_[op.v], op_value_kind_.empty()
                                 ? Atom::Kind::integer
                                 : Atom::Kind(op_value_kind_[op.v])};
  }
  Place place(OpId op) const {
    if (!op_line_.empty()) return {op_line_[op.v]};
    if (!txn_line_.empty()) return {txn_line_[txn_of(op).v]};
    return {one_op_per_line_ ? op.v + 1 : 0};
  }
  // The transaction of an operation: O(log transactions).
  TxnId txn_of(OpId op) const;

  // -- lists -----------------------------------------------------------------
  // Whether values are lists: every write appends one element, its value; every
  // read returns a whole list, and its value is the last element, nil if empty.
  bool has_lists() const { return !list_first_.empty(); }
  // In all lists that reads returned.
  std::size_t num_elements() const { return elements_.size(); }
  // The elements that a read returned. REQUIRES for these: has_lists().
  std::size_t list_size(OpId op) const {
    return list_first_[op.v + 1] - list_first_[op.v];
  }
  Atom element(OpId op, std::size_t i) const {
    const std::size_t at = list_first_[op.v] + i;
    return {elements_[at], element_kind_.empty()
                               ? Atom::Kind::integer
                               : Atom::Kind(element_kind_[at])};
  }
  // Whether the list that `read` returned is a beginning of that of `longer`.
  bool list_begins(OpId read, OpId longer) const;

  // -- keys and values -----------------------------------------------------
  Atom key_atom(KeyId k) const {
    return {key_bits_[k.v], key_kind_.empty() ? Atom::Kind::integer
                                              : Atom::Kind(key_kind_[k.v])};
  }
  std::string key_label(KeyId k) const { return to_string(key_atom(k)); }
  std::string to_string(Atom atom) const;
  // The value that `init` writes to every key to which no transaction of the
  // input (of whatever status) writes that very value; empty: no init at all.
  std::optional<Atom> initial_value() const { return initial_value_; }
  // Whether a read of `value` that nobody wrote reads the initial state.
  bool is_initial(Atom value) const {
    return initial_value_ && (value == *initial_value_ ||
                              (value.kind == Atom::Kind::nil &&
                               initial_value_->kind == Atom::Kind::nil));
  }
  // [Atom.bits of kind string] -> its text, a std::string_view
  const Texts& strings() const { return strings_; }

  // -- raw columns for the inner loops -------------------------------------
  // [op] -> key * 2 + is_write
  std::span<const std::uint32_t> op_words() const { return op_word_; }
  // [op] -> bits of the value;  [op] -> its Atom::Kind, empty: all integers
  const WordColumn& op_values() const { return op_value_; }
  std::span<const std::uint8_t> op_value_kinds() const {
    return op_value_kind_;
  }
  // [txn] -> its operations
  struct OpSpan {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t size() const { return end - begin; }
  };
  std::span<const OpSpan> txn_ops() const { return txn_ops_; }
  // [txn] -> session;  [txn] -> Status
  std::span<const std::uint32_t> txn_sessions() const { return txn_session_; }
  std::span<const std::uint8_t> txn_statuses() const { return txn_status_; }
  // [session] -> first transaction, one entry more than sessions
  std::span<const std::uint32_t> session_first_txn() const {
    return session_first_txn_;
  }

  // -- what the recorder said about the whole --------------------------------
  // JSON texts, in their order: how it was recorded, faults. Not looked at
  // here, and no verdict depends on them.
  const std::vector<std::string>& about() const { return about_; }

  // -- what the reader should tell the user ----------------------------------
  // Full sentences, e.g. about an id that two sessions use.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  friend class Builder;
  friend class HistoryImage;
  History() = default;
  static std::optional<Atom> note(const Array<std::uint32_t>& column, TxnId t) {
    if (column.empty() || column[t.v] == kNoId) return std::nullopt;
    return Atom{column[t.v], Atom::Kind::string};
  }
  std::string_view text_of(const Array<std::uint32_t>& column, TxnId t) const {
    const std::optional<Atom> atom = note(column, t);
    return atom ? strings_[atom->bits] : std::string_view();
  }

  std::uint32_t sessions_ = 0, txns_ = 0, ops_ = 0, keys_ = 0;
  Array<std::uint32_t> session_first_txn_;  // [session + 1]
  Array<std::uint64_t> session_bits_;       // [session] -> label
  Array<std::uint8_t> session_kind_;        // [session]
  Array<std::uint32_t> session_position_;   // [txn] or empty: session_order()
  Array<OpSpan> txn_ops_;                   // [txn]
  Array<std::uint32_t> txn_session_;        // [txn]
  Array<std::uint8_t> txn_status_;          // [txn]
  Array<std::int64_t> txn_label_;           // [txn] or empty: no ids
  Array<Times> txn_times_;                  // [txn] or empty
  Array<Times> txn_ticks_;                  // [txn] or empty
  Array<std::uint32_t> txn_node_;           // [txn] -> string, or empty
  Array<std::uint32_t> txn_meta_;           // [txn] -> string, or empty
  Array<std::uint32_t> txn_line_;           // [txn] or empty: see place()
  Array<std::uint32_t> txn_domain_;         // [txn] or empty: all of domain 0
  Array<std::uint32_t> input_order_;        // [rank] -> txn
  Array<std::uint32_t> op_word_;            // [op]
  WordColumn op_value_;                     // [op]
  Array<std::uint8_t> op_value_kind_;       // [op] or empty: all integers
  Array<std::uint32_t> op_line_;            // [op] or empty: see place()
  Array<std::uint64_t> list_first_;         // [op + 1] -> first element
  WordColumn elements_;                     // bits
  Array<std::uint8_t> element_kind_;        // or empty: all integers
  Array<std::uint64_t> key_bits_;           // [key]
  Array<std::uint8_t> key_kind_;            // [key] or empty: all integers
  Texts strings_;                           // [Atom.bits of kind string]
  ClockDomains domains_;
  std::optional<Atom> initial_value_;
  Clock clock_ = Clock::none;
  bool labels_unique_ = false;
  bool one_op_per_line_ = false;  // line = op + 1
  bool has_unknown_ = false;
  std::vector<std::string> warnings_;
  std::vector<std::string> about_;
  std::shared_ptr<const void> keeper_;  // of columns that are views
};

// The label of a transaction that has none (plume's txn -1).
inline constexpr std::int64_t kNoTxnLabel = INT64_MIN;

// A begin or an end that nobody noted.
inline constexpr std::int64_t kNoTime = INT64_MIN;

}  // namespace awdit
