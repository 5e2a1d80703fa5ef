// The only way to make a History. Front door for writers (formats, recorders,
// tests).
//
// Operations arrive in input order in *shards*: a shard is a contiguous piece
// of the input that one thread parses on its own. Before each operation the
// shard is told which transaction it belongs to, by the input's own labels;
// transactions may be interleaved at will. `finish` then groups operations by
// session and transaction, interns the keys and freezes the columns. The result
// does not depend on the number of threads, nor on where shards were cut.
//
//   Builder builder({.initial_value = Atom::integer(0)});
//   Builder::Shard& shard = builder.add_shard();
//   shard.select(Atom::integer(session), txn_label);
//   shard.write(key, value);  shard.read(key, value);
//   Result<History> history = builder.finish(threads);
//
// Session order is the order in which a session's transactions first appear.
// The same label in two sessions names two transactions.
// Cost: O(operations) time, 12 to 20 bytes per operation while building.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/array.h"
#include "base/flat_index.h"
#include "base/ids.h"
#include "base/result.h"
#include "history/history.h"
#include "history/text_table.h"
#include "history/word_column.h"

namespace awdit {

class KeyTable;

// Whether a transaction would end before it began, as far as times and, where
// those are equal, ticks are known. That is a mistake of the recorder: readers
// of all formats refuse it, with its place and kIntervalRemedy.
bool ends_before_it_begins(
    const History::Times& times,
    const std::optional<History::Times>& ticks = std::nullopt);
inline constexpr std::string_view kIntervalRemedy =
    "Take the begin before the first request is sent and the end after the "
    "last reply, both from one monotonic clock; leave out a time that is not "
    "known.";

class Builder {
 public:
  struct Options {
    std::optional<Atom> initial_value;
    // The labels given to `select` are ids of the input, worth showing.
    bool labels_are_ids = false;
    // Shards record lines: of operations (Shard::at_line) ...
    bool has_lines = false;
    // ... or of transactions (Shard::txn_line); not both.
    bool has_txn_lines = false;
    Clock clock = Clock::none;
  };

  // What a label means to `select`.
  static constexpr std::int64_t kNoLabel = kNoTxnLabel;

  class Shard {
   public:
    // The following operations belong to transaction `label` of `session`.
    // Label kNoLabel: the session's one nameless transaction. The status is
    // taken from the call that creates the transaction.
    void select(Atom session, std::int64_t label,
                Status status = Status::committed) {
      if (session == last_session_ && label == last_label_) return;
      select_slow(session, label, status);
    }
    // What else is known of the selected transaction. Each at most once per
    // transaction; texts come from Builder::string.
    void times(std::int64_t begin, std::int64_t end);
    void ticks(std::int64_t begin, std::int64_t end);
    // Times of the selected transaction, and of all of the shard for which
    // nothing else is said, are of this clock domain; see ClockDomains. To be
    // said when the transaction is selected for the first time.
    void clock_domain(Atom name) { domains_.push_back({segment_, name.bits}); }
    void clock_domain_of_all(Atom name) { domain_ = name.bits; }
    void node(Atom text) { nodes_.push_back({segment_, text.bits}); }
    void meta(Atom json) { metas_.push_back({segment_, json.bits}); }
    // It begins `line` lines after the shard's first line.
    void txn_line(std::uint32_t line) {
      txn_lines_.push_back({segment_, line});
    }

    // The next operation stands `line` lines after the shard's first line
    // (which is line 0 here; the builder adds up the shards' line counts).
    // Only needed where it is not one more than that of the operation before.
    void at_line(std::uint32_t line) {
      if (line != next_line_) {
        jumps_.push_back({static_cast<std::uint32_t>(size_), line});
        next_line_ = line;
      }
    }
    void read(Atom key, Atom value) { add(key, value, 0); }
    void write(Atom key, Atom value) { add(key, value, 1); }
    // Either of them.
    void access(bool write, Atom key, Atom value) {
      add(key, value, write ? 1 : 0);
    }
    // Of histories of lists, see History::has_lists: do not mix with write, nor
    // with reads of anything but nil, which is the empty list.
    void append(Atom key, Atom element) {
      has_lists_ = true;
      add(key, element, 1);
    }
    void read_list(Atom key, std::span<const Atom> elements);
    // Any of the four; `elements`: of read_list, which has no value.
    void operation(OpKind kind, Atom key, Atom value,
                   std::span<const Atom> elements) {
      switch (kind) {
        case OpKind::read:
        case OpKind::write:
          return access(kind == OpKind::write, key, value);
        case OpKind::append:
          return append(key, value);
        case OpKind::read_list:
          return read_list(key, elements);
      }
    }

    // Like Builder::string, for the thread that fills this shard and for atoms
    // that are given to it only. A shard takes all its texts from here, or
    // none.
    Atom string(std::string_view text) {
      return {texts_.number(text), Atom::Kind::string};
    }
    // The same, for readers that have met the text's words anyway.
    Atom string(const TextWords& words, std::string_view text) {
      return {texts_.number(words, text), Atom::Kind::string};
    }
    // A text that was not named before and will never be again.
    Atom new_string(std::string_view text) {
      return {texts_.append(text), Atom::Kind::string};
    }
    // This text will be asked for soon; and a little later.
    void expect(const TextWords& words) const { texts_.expect(words); }
    void expect_more(const TextWords& words) const {
      texts_.expect_more(words);
    }
    // The shard is complete: what only filling it needs goes.
    void close() { texts_.close(); }

    // Adds to the labels of all sessions, which must be integers, for inputs
    // that number their sessions and are cut within. Nothing more may be added
    // to the shard.
    void shift_sessions(std::int64_t by) {
      for (Session& session : sessions_) {
        session.label.bits += static_cast<std::uint64_t>(by);
      }
    }

    // Room for this many operations, so that appending never copies. Memory
    // that is never written costs nothing.
    void reserve(std::size_t operations);
    // Likewise for elements of lists.
    void reserve_elements(std::size_t count) {
      if (count > elements_.size()) elements_.enlarge(count, num_elements_);
    }
    std::size_t size() const { return size_; }

    // How many lines the shard spans, for the line numbers of the next ones.
    std::uint32_t lines = 0;

   private:
    friend class Builder;
    // A transaction, as far as this shard saw it. There are many: 16 bytes.
    struct Segment {
      std::uint32_t session : 30;  // index into sessions_
      std::uint32_t status : 2;
      std::uint32_t ops;
      std::int64_t label;
    };
    static constexpr std::size_t kMaxSessions = std::size_t{1} << 30;
    struct Session {
      Atom label;
      std::uint32_t open;  // its most recent segment
    };
    struct Jump {
      std::uint32_t op;
      std::uint32_t line;
    };
    struct TimesOf {
      std::uint32_t segment;
      History::Times times;
    };
    struct NoteOf {
      std::uint32_t segment;
      std::uint64_t note;
    };
    struct List {
      std::uint32_t op;  // of the shard, later of the history
      std::uint32_t size;
    };

    void add(Atom key, Atom value, std::uint32_t is_write) {
      if (size_ == keys_.size()) reserve(size_ + size_ / 4 + 64);
      keys_.set(size_, key.bits);
      values_.set(size_, value.bits);
      const std::size_t bit = size_ % 64;
      std::uint64_t& writes = writes_[size_ / 64];
      writes = (bit == 0 ? 0 : writes) | std::uint64_t{is_write} << bit;
      if (!segment_of_.empty()) segment_of_[size_] = segment_;
      ++size_;
      ++segments_[segment_].ops;
      ++next_line_;
      if (key.kind != Atom::Kind::integer || !key_kinds_.empty()) {
        add_kind(key_kinds_, key);
      }
      if (value.kind != Atom::Kind::integer || !value_kinds_.empty()) {
        add_kind(value_kinds_, value);
      }
    }
    static std::uint64_t hash_of(Atom atom);
    std::uint32_t word(std::size_t op, const KeyTable& keys) const;
    void add_kind(PageVector<std::uint8_t>& kinds, Atom atom);
    void rename_texts(std::span<const std::uint32_t> names);
    void select_slow(Atom session, std::int64_t label, Status status);
    void interleave();
    template <typename Body>
    void for_each_run(Body&& body) const;

    std::size_t size_ = 0;                // operations so far
    WordColumn keys_;                     // [op] -> bits of the key
    WordColumn values_;                   // [op] -> bits of the value
    Array<std::uint64_t> writes_;         // [op / 64] -> bits: is it a write
    PageVector<std::uint8_t> key_kinds_;  // [op], empty while all are integers
    PageVector<std::uint8_t> value_kinds_;  // likewise
    PageVector<Segment> segments_;
    std::vector<Session> sessions_;
    FlatIndex session_index_;
    TextTable texts_;
    PageVector<Jump> jumps_;
    PageVector<TimesOf> times_;
    PageVector<TimesOf> ticks_;
    PageVector<NoteOf> nodes_;                // -> string
    PageVector<NoteOf> metas_;                // -> string
    PageVector<NoteOf> txn_lines_;            // -> line
    PageVector<NoteOf> domains_;              // -> string
    std::optional<std::uint64_t> domain_;     // string, of all others
    PageVector<List> lists_;                  // lists that are not empty
    std::size_t num_elements_ = 0;            // of all lists
    WordColumn elements_;                     // bits
    PageVector<std::uint8_t> element_kinds_;  // empty while all are integers
    bool has_lists_ = false;
    Atom last_session_ = {2, Atom::Kind::nil};  // nobody's label
    std::int64_t last_label_ = 0;
    std::uint32_t segment_ = 0;
    std::uint32_t next_line_ = 0;
    // [op] -> segment; empty while operations lie segment after segment, which
    // ends when it goes back to a segment that is not the last.
    Array<std::uint32_t> segment_of_;
  };

  explicit Builder(Options options);
  ~Builder();
  Builder(Builder&&) noexcept;

  // Shards in the order of the input. Different threads may fill different
  // shards; adding shards is for one thread. References stay valid.
  Shard& add_shard();

  // For inputs that tell these only on the way.
  void set_initial_value(std::optional<Atom> value);
  void set_clock(Clock clock);
  void set_labels_are_ids(bool are);
  // What is known between two clocks: see ClockDomains::Relation, which says
  // what is required of the numbers. The names differ.
  void relate_clocks(std::string_view from, std::string_view to,
                     std::int64_t offset, std::int64_t error);

  // Shard::reserve for all shards at once, [shard] -> operations, out of one
  // piece of memory: if the input has each transaction's operations together,
  // as most have, `finish` leaves them where they are.
  void reserve(std::span<const std::size_t> operations);

  // An atom for a text; equal texts give equal atoms. Not for several threads.
  Atom string(std::string_view text);

  // A remark for the user, kept in the history.
  void warn(std::string sentence);

  // What a recorder says about the whole, see History::about.
  void about(std::string json);

  // Fails only where the input exceeds the model (2^32 operations, 2^31
  // transactions or keys, 512 clock domains), or where clocks are related in
  // ways that contradict each other.
  Result<History> finish(unsigned threads);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Tells the builder of the clock domains of another history, of which the shard
// takes over transactions: all are of the first domain, unless it is said
// otherwise by one of the names that are returned, [domain].
std::vector<Atom> carry_clock_domains(const History& history, Builder& builder,
                                      Builder::Shard& shard);

}  // namespace awdit
