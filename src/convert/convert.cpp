// First everything that must change is found out (Plan), then the losses are
// put into words, then the history is built anew, transaction by transaction in
// the order of the input. If nothing must change it is handed back as it came.
#include "convert/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/counted.h"
#include "base/json.h"
#include "base/utf8.h"
#include "check/check.h"
#include "convert/renumber.h"
#include "history/builder.h"

namespace awdit {
namespace {

using Atoms = Capacity::Atoms;
using Initial = Capacity::Initial;

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return letter(c) || (c >= '0' && c <= '9');
         });
}

bool is_broken_text(const History& history, Atom atom) {
  return atom.kind == Atom::Kind::string &&
         !is_utf8(history.strings()[atom.bits]);
}

bool fits(const History& history, Atom atom, Atoms wanted, bool utf8) {
  if (utf8 && is_broken_text(history, atom)) return false;
  const bool integer = atom.kind == Atom::Kind::integer;
  const bool negative = integer && (atom.bits >> 63) != 0;
  switch (wanted) {
    case Atoms::none:
      return false;
    case Atoms::naturals:
      return integer && !negative;
    case Atoms::words:
      return (integer && !negative) || atom.kind == Atom::Kind::natural;
    case Atoms::integers:
      return integer;
    case Atoms::identifiers:
      return atom.kind == Atom::Kind::string &&
             is_identifier(history.strings()[atom.bits]);
    case Atoms::labels:
      return atom.kind != Atom::Kind::nil;
    case Atoms::any:
      return true;
  }
  return false;
}

// Numbers that mean something else in a value's place.
bool is_reserved(Atom atom, Initial initial) {
  if (initial != Initial::cobra || atom.kind != Atom::Kind::integer) {
    return false;
  }
  constexpr std::uint64_t kMagic[] = {0xBEBEEBEE, 0xDEADBEEF, 0xABCDEFAB,
                                      0xADEAFBEE, 0x23332333, 0x66666666};
  return std::find(std::begin(kMagic), std::end(kMagic), atom.bits) !=
         std::end(kMagic);
}

// How the target will tell it; a text that it cannot hold becomes nil.
Initial initial_kind(const Capacity& capacity, const History& history) {
  const std::optional<Atom> value = history.initial_value();
  return capacity.initial == Initial::any && capacity.utf8 && value &&
                 is_broken_text(history, *value)
             ? Initial::nil
             : capacity.initial;
}

// What the target calls the initial state; empty: it has none.
std::optional<Atom> initial_of(Initial kind, const History& history) {
  switch (kind) {
    case Initial::none:
      return std::nullopt;
    case Initial::zero:
      return Atom::integer(0);
    case Initial::nil:
    case Initial::cobra:
      return Atom::nil();
    case Initial::any:
      return history.initial_value();
  }
  return std::nullopt;
}

class Fitter {
 public:
  Fitter(const History& history, const Format& target,
         const FitOptions& options)
      : history_(history),
        capacity_(target.capacity),
        options_(options),
        initial_state_(history),
        initial_kind_(initial_kind(capacity_, history)),
        initial_(initial_of(initial_kind_, history)) {}

  Outcome plan() {
    fate_.assign(history_.num_txns(), Fate::keep);
    if (Outcome failed = settle_outcomes()) return failed;
    settle_ids();
    settle_sessions();
    settle_keys();
    settle_lists();
    settle_initial();
    settle_values();
    settle_mapping();
    settle_notes();
    return std::nullopt;
  }

  bool changes() const { return changes_; }
  std::vector<std::string> take_losses() { return std::move(losses_); }

  Result<History> build() {
    Builder builder({.initial_value = initial_,
                     .labels_are_ids = ids_,
                     .clock = keep_times_ ? history_.clock() : Clock::none});
    Builder::Shard& shard = builder.add_shard();
    shard.reserve(history_.num_ops());
    texts_.assign(history_.strings().size(), Atom::nil());
    if (!init_keys_.empty()) write_initial_state(builder, shard);
    if (keep_domains_ && keep_times_) {
      domains_ = carry_clock_domains(history_, builder, shard);
    }
    std::int64_t next_id = 0;
    for (const std::uint32_t number : history_.input_order()) {
      const TxnId txn(number);
      if (fate_[number] == Fate::drop) continue;
      ++next_id;
      add_txn(builder, shard, txn, next_id);
    }
    for (const std::string& warning : history_.warnings()) {
      builder.warn(warning);
    }
    if (capacity_.about) {
      for (const std::string& json : history_.about()) builder.about(json);
    }
    if (options_.mapping != nullptr) write_mapping(*options_.mapping);
    return builder.finish(options_.threads);
  }

 private:
  enum class Fate : std::uint8_t { keep, commit, drop };

  void lose(std::string what) {
    losses_.push_back(std::move(what));
    changes_ = true;
  }
  // Renumbering: recoverable if the mapping is kept.
  void rename(std::string what) {
    changes_ = true;
    if (options_.mapping == nullptr) losses_.push_back(std::move(what));
  }

  bool kept(TxnId txn) const { return fate_[txn.v] != Fate::drop; }
  Status status_of(TxnId txn) const {
    return fate_[txn.v] == Fate::commit ? Status::committed
                                        : history_.status(txn);
  }
  bool nameless(TxnId txn) const {
    return status_of(txn) == Status::aborted && !capacity_.aborted_whole;
  }

  // -- transactions ----------------------------------------------------------

  Outcome settle_outcomes() {
    if (history_.has_unknown() && !capacity_.unknown) {
      Options options;
      options.threads = options_.threads;
      const Result<Report> report = check(history_, {}, options);
      if (!report) {
        Error error = report.error();
        error.hint =
            "Unknown outcomes cannot be settled, because reads cannot be "
            "attributed. Convert to a format that holds unknown outcomes.";
        return error;
      }
      for (const TxnId txn : history_.txns()) {
        if (history_.status(txn) == Status::unknown) {
          fate_[txn.v] = Fate::drop;
        }
      }
      for (const TxnId txn : report->promoted) fate_[txn.v] = Fate::commit;
      lose(fmt::format(
          "the unknown outcome of {}: {} written as committed, because their "
          "writes were read, {} left out",
          counted(report->promoted.size() + report->dropped, "transaction"),
          report->promoted.size(), report->dropped));
    } else if (history_.has_unknown()) {
      commit_idle_readers();
    }
    std::uint64_t aborted = 0, identities = 0, empty = 0, idle = 0;
    std::vector<std::uint8_t> met(history_.num_sessions(), 0);
    for (const TxnId txn : history_.txns()) {
      if (!kept(txn)) continue;
      if (history_.ops(txn).size() == 0 && !capacity_.empty_txns) {
        fate_[txn.v] = Fate::drop;
        ++empty;
        continue;
      }
      const Status status = status_of(txn);
      if (status == Status::aborted) {
        if (!capacity_.aborted) {
          fate_[txn.v] = Fate::drop;
          ++aborted;
        } else if (!capacity_.aborted_whole) {
          std::uint8_t& seen = met[history_.session(txn).v];
          const bool named = !history_.has_ids() || history_.txn_label(txn);
          if (named || seen != 0) ++identities;
          seen = 1;
        }
      }
      if (status != Status::committed && !capacity_.idle_nil_reads) {
        for (const OpId op : history_.ops(txn)) idle += is_idle(txn, op);
      }
    }
    if (aborted != 0) {
      lose(fmt::format("{}; reads of their writes become thin-air reads",
                       counted(aborted, "aborted transaction")));
    }
    if (identities != 0) {
      lose(fmt::format("the identity of {}: those of a session are one",
                       counted(identities, "aborted transaction")));
    }
    if (empty != 0) {
      lose(counted(empty, "transaction") + " without operations");
    }
    if (idle != 0) {
      lose(fmt::format("{} of nil by transactions that did not commit",
                       counted(idle, "read")));
    }
    return std::nullopt;
  }

  // Of transactions of unknown outcome some formats cannot tell that they read
  // nil. That counts where their writes were read: these are written as
  // committed, which is what they are taken for anyway.
  void commit_idle_readers() {
    std::vector<std::uint8_t> reads(history_.num_txns(), 0);
    bool any = false;
    for (const TxnId txn : history_.txns()) {
      if (history_.status(txn) != Status::unknown) continue;
      for (const OpId op : history_.ops(txn)) {
        if (!is_idle(txn, op)) continue;
        any = true;
        reads[txn.v] = 1;
      }
    }
    if (!any) return;
    Options options;
    options.threads = options_.threads;
    const Result<Report> report = check(history_, {}, options);
    if (!report) return;  // no reader can be found, and no verdict either
    std::uint64_t committed = 0;
    for (const TxnId txn : report->promoted) {
      if (reads[txn.v] == 0) continue;
      fate_[txn.v] = Fate::commit;
      ++committed;
    }
    if (committed == 0) return;
    lose(fmt::format(
        "the unknown outcome of {}: written as committed, because their writes "
        "were read and they read nil",
        counted(committed, "transaction")));
  }

  bool is_idle(TxnId txn, OpId op) const {
    if (capacity_.idle_nil_reads || history_.is_write(op) ||
        status_of(txn) == Status::committed) {
      return false;
    }
    // Also a nil that somebody wrote.
    const bool nil = history_.value(op).kind == Atom::Kind::nil &&
                     (!history_.has_lists() || history_.list_size(op) == 0);
    return nil || initial_state_.contains(history_.key(op), history_.value(op));
  }

  void settle_ids() {
    ids_ = capacity_.ids && history_.has_ids();
    if (history_.has_ids() && !capacity_.ids) {
      lose("the ids of transactions");
    }
    std::vector<std::int64_t> labels;
    bool missing = !history_.has_ids();
    if (ids_) {
      for (const TxnId txn : history_.txns()) {
        if (!kept(txn) || nameless(txn)) continue;
        const std::optional<std::int64_t> id = history_.txn_label(txn);
        if (id) {
          labels.push_back(*id);
        } else {
          missing = true;
        }
      }
      if (capacity_.unique_ids) {
        std::sort(labels.begin(), labels.end());
        if (std::adjacent_find(labels.begin(), labels.end()) != labels.end() ||
            (!labels.empty() && labels.front() <= 0)) {
          renumber_ids_ = true;
          lose(
              "the ids of transactions, which are not unique: numbered from 1");
        }
      }
    }
    if (capacity_.needs_ids && missing) {
      // Beyond all that exist, so that none is used twice.
      changes_ = true;
      if (!ids_) renumber_ids_ = true;
      ids_ = true;
      if (!labels.empty()) {
        first_made_up_ = *std::max_element(labels.begin(), labels.end());
      }
    }
  }

  // Numbers follow the order of appearance of what is kept, as readers count.
  void settle_sessions() {
    session_number_.assign(history_.num_sessions(), 0);
    std::uint32_t sessions = 0;
    bool fit = true, ordinary = true;
    for (const std::uint32_t txn : history_.input_order()) {
      if (!kept(TxnId(txn))) continue;
      const SessionId session = history_.session(TxnId(txn));
      std::uint32_t& number = session_number_[session.v];
      if (number != 0) continue;
      number = ++sessions;
      const Atom label = history_.session_atom(session);
      fit &= fits(history_, label, capacity_.sessions, capacity_.utf8);
      ordinary &= label == Atom::integer(number);
    }
    if (fit) return;
    renumber_sessions_ = true;
    if (!ordinary) {
      rename(fmt::format("the names of {}: numbered from 1",
                         counted(sessions, "session")));
    }
  }

  // -- keys and values -------------------------------------------------------

  void settle_keys() {
    for (std::uint32_t k = 0; k < history_.num_keys(); ++k) {
      if (fits(history_, history_.key_atom(KeyId(k)), capacity_.keys,
               capacity_.utf8))
        continue;
      renumber_keys_ = true;
      rename(fmt::format("the names of {}: {} in their order",
                         counted(history_.num_keys(), "key"),
                         capacity_.keys == Atoms::identifiers
                             ? "called k1, k2, ..."
                             : "numbered from 1"));
      return;
    }
  }

  void settle_lists() {
    keep_lists_ = history_.has_lists() && capacity_.lists;
    if (history_.has_lists() && !capacity_.lists) {
      lose(
          "lists: an append is written as a write, a read by its last "
          "element");
    }
  }

  // All values are numbers below 2^32, which nearly every format holds: nothing
  // has to be looked at one by one.
  bool has_plain_values() const {
    return history_.op_value_kinds().empty() &&
           !history_.op_values().is_wide() && !history_.has_lists();
  }

  void settle_initial() {
    const std::optional<Atom> theirs = history_.initial_value();
    std::uint64_t absent = 0, initial = 0;
    std::vector<std::uint8_t> reads(history_.num_keys(), 0);
    std::vector<std::uint8_t> absent_reads(history_.num_keys(), 0);
    if (!has_plain_values() || theirs != initial_ ||
        initial_kind_ == Initial::none) {
      for_each_op([&](OpId op) {
        if (!initial_state_.is_read(op)) return;
        ++initial;
        reads[history_.key(op).v] = 1;
        if (history_.value(op) != Atom::absent()) return;
        ++absent;
        absent_reads[history_.key(op).v] = 1;
      });
    }
    if (initial_kind_ != Initial::any) changes_ |= theirs != initial_;
    if (initial_kind_ != capacity_.initial) {
      lose("the initial value, a text that is not UTF-8: it becomes nil");
    }
    keep_absent_ =
        initial_kind_ == Initial::any || initial_kind_ == Initial::cobra;
    if (absent != 0 && !keep_absent_) {
      lose(fmt::format("that {} found no key, rather than nil",
                       counted(absent, "read")));
      // They must not seem to read a nil that somebody wrote.
      for_each_op([&](OpId op) {
        renumber_values_ |= history_.is_write(op) &&
                            history_.value(op) == Atom::nil() &&
                            absent_reads[history_.key(op).v] != 0;
      });
    }
    if (initial_kind_ == Initial::none && initial != 0) {
      for (std::uint32_t k = 0; k < history_.num_keys(); ++k) {
        if (reads[k] != 0) init_keys_.push_back(KeyId(k));
      }
      lose(fmt::format(
          "the initial state of {}: an ordinary first transaction writes 0",
          counted(init_keys_.size(), "key")));
    }
    if (capacity_.zero_is_initial && !keep_lists_) {
      renumber_values_ |= is_mistaken(Atom::integer(0), {});
    }
    const Atom ours = initial_.value_or(Atom::integer(0));
    if (initial_kind_ == Initial::any || theirs == ours) return;
    if (initial_kind_ == Initial::none && init_keys_.empty()) return;
    renumber_values_ |= is_mistaken(ours, reads);
  }

  // Whether reads of `value`, or of the initial state of keys to which it is
  // written, would be mistaken if it became initial. `reads`: [key] -> whether
  // its initial state is read; empty: nobody's is.
  bool is_mistaken(Atom value, const std::vector<std::uint8_t>& reads) const {
    std::vector<std::uint8_t> uses(history_.num_keys(), 0);
    for_each_op([&](OpId op) {
      if (history_.value(op) != value || initial_state_.is_read(op)) return;
      std::uint8_t& use = uses[history_.key(op).v];
      use = static_cast<std::uint8_t>(use | (history_.is_write(op) ? 1 : 2));
    });
    for (std::uint32_t k = 0; k < history_.num_keys(); ++k) {
      const bool written = (uses[k] & 1) != 0;
      if (written && !reads.empty() && reads[k] != 0) return true;
      if (!written && uses[k] != 0) return true;
    }
    return false;
  }

  void settle_values() {
    const auto check = [&](Atom value) {
      renumber_values_ |=
          !fits(history_, value, capacity_.values, capacity_.utf8) ||
          is_reserved(value, initial_kind_);
    };
    const bool all_fit = has_plain_values() &&
                         capacity_.initial != Initial::cobra &&
                         capacity_.values != Atoms::none &&
                         capacity_.values != Atoms::identifiers;
    if (!all_fit) {
      for_each_op([&](OpId op) {
        if (renumber_values_) return;
        if (!initial_state_.is_read(op)) check(history_.value(op));
        if (!keep_lists_) return;
        for (std::size_t i = 0; i < history_.list_size(op); ++i) {
          check(history_.element(op, i));
        }
      });
    }
    if (!renumber_values_) return;
    rename("the values: numbered per key from 1 in their order");
    numbers_.emplace(history_, initial_state_);
  }

  // The mapping is JSON: it cannot tell all bytes.
  void settle_mapping() {
    if (options_.mapping == nullptr) return;
    bool broken = false;
    const auto look = [&](Atom atom) {
      broken = broken || is_broken_text(history_, atom);
    };
    for (std::uint32_t s = 0; s < history_.num_sessions(); ++s) {
      if (renumber_sessions_) look(history_.session_atom(SessionId(s)));
    }
    for (std::uint32_t k = 0; k < history_.num_keys(); ++k) {
      if (renumber_keys_ || numbers_) look(history_.key_atom(KeyId(k)));
    }
    if (numbers_) {
      numbers_->for_each(
          [&](KeyId, Atom value, std::uint32_t) { look(value); });
    }
    if (broken) {
      lose("bytes of names that are not UTF-8: U+FFFD in the mapping");
    }
  }

  template <typename Call>
  void for_each_op(Call&& call) const {
    // As operations lie in memory.
    for (const std::uint32_t number : history_.input_order()) {
      const TxnId txn(number);
      if (!kept(txn)) continue;
      for (const OpId op : history_.ops(txn)) call(op);
    }
  }

  // -- times and notes -------------------------------------------------------

  bool keeps_node(TxnId txn) const {
    return capacity_.nodes && (!capacity_.utf8 || is_utf8(history_.node(txn)));
  }
  bool keeps_meta(TxnId txn) const {
    return capacity_.meta && (!capacity_.utf8 || is_utf8(history_.meta(txn)));
  }

  void settle_notes() {
    std::uint64_t times = 0, ticks = 0, nodes = 0, metas = 0;
    for (const TxnId txn : history_.txns()) {
      times += history_.times(txn).has_value();
      ticks += history_.ticks(txn).has_value();
      nodes += !history_.node(txn).empty() && !keeps_node(txn);
      metas += !history_.meta(txn).empty() && !keeps_meta(txn);
    }
    keep_times_ =
        (capacity_.clocks >> static_cast<unsigned>(history_.clock()) & 1) != 0;
    // As times of one clock they would prove what nobody knows.
    const ClockDomains& domains = history_.clock_domains();
    keep_domains_ = capacity_.clock_domains &&
                    std::all_of(domains.names().begin(), domains.names().end(),
                                [&](const std::string& name) {
                                  return !capacity_.utf8 || is_utf8(name);
                                });
    const bool several = !history_.has_one_clock() && !keep_domains_;
    if (domains.size() != 0 && !keep_domains_) {
      if (times != 0 && keep_times_ && !several) lose("the name of the clock");
      changes_ = true;
    }
    keep_times_ = keep_times_ && !several;
    keep_ticks_ = keep_times_ && capacity_.ticks;
    // A clock that nobody looked at goes without a word.
    changes_ |= !keep_times_ && history_.clock() != Clock::none;
    if (times != 0 && !keep_times_) {
      lose("the times of " + counted(times, "transaction") +
           (several ? ", which are of several clocks" : ""));
    } else if (ticks != 0 && !keep_ticks_) {
      lose("the order of equal times of " + counted(ticks, "transaction"));
    }
    if (nodes != 0) {
      lose("the nodes of " + counted(nodes, "transaction"));
    }
    if (metas != 0) {
      lose("the metadata of " + counted(metas, "transaction"));
    }
    if (!history_.about().empty() && !capacity_.about) {
      lose("what the recorder said about the whole history");
    }
  }

  // -- building --------------------------------------------------------------

  // The same atom in the new history.
  Atom carry(Builder& builder, Atom atom) {
    if (atom.kind != Atom::Kind::string) return atom;
    Atom& known = texts_[atom.bits];
    if (known.kind == Atom::Kind::nil) {
      known = builder.string(history_.strings()[atom.bits]);
    }
    return known;
  }

  Atom new_key(Builder& builder, KeyId key) {
    if (!renumber_keys_) return carry(builder, history_.key_atom(key));
    if (capacity_.keys == Atoms::identifiers) {
      return builder.string(fmt::format("k{}", key.v + 1));
    }
    return Atom::integer(std::int64_t{key.v} + 1);
  }

  Atom new_session(Builder& builder, SessionId session) {
    if (!renumber_sessions_) {
      return carry(builder, history_.session_atom(session));
    }
    // The session that writes the initial state comes first.
    const std::int64_t before = init_keys_.empty() ? 0 : 1;
    return Atom::integer(session_number_[session.v] + before);
  }

  Atom new_initial(Atom value) const {
    if (keep_absent_ && value.kind == Atom::Kind::nil) return value;
    if (initial_kind_ == Initial::any) return value;
    return initial_.value_or(Atom::integer(0));
  }

  Atom new_value(Builder& builder, OpId op) {
    const Atom value = history_.value(op);
    if (initial_state_.is_read(op)) return carry(builder, new_initial(value));
    if (numbers_) return Atom::integer(numbers_->of(op));
    return carry(builder, value);
  }

  void write_initial_state(Builder& builder, Builder::Shard& shard) {
    shard.select(Atom::integer(1), 0);
    for (const KeyId key : init_keys_) {
      shard.write(new_key(builder, key), Atom::integer(0));
    }
  }

  std::int64_t new_id(TxnId txn, std::int64_t position) {
    if (nameless(txn)) return Builder::kNoLabel;
    if (!ids_ || renumber_ids_) return position;
    const std::optional<std::int64_t> id = history_.txn_label(txn);
    if (id) return *id;
    return capacity_.needs_ids ? ++first_made_up_ : Builder::kNoLabel;
  }

  // A commit that nobody confirmed may have taken effect after its client left:
  // nothing must follow from when that was. A database's own stamps are no such
  // times.
  std::int64_t new_end(TxnId txn, const History::Times& times) const {
    const bool guessed = fate_[txn.v] == Fate::commit;
    return guessed && history_.clock() != Clock::hybrid ? kNoTime : times.end;
  }

  void add_txn(Builder& builder, Builder::Shard& shard, TxnId txn,
               std::int64_t position) {
    shard.select(new_session(builder, history_.session(txn)),
                 new_id(txn, position), status_of(txn));
    if (keep_times_) {
      if (const auto times = history_.times(txn)) {
        shard.times(times->begin, new_end(txn, *times));
      }
    }
    if (keep_ticks_) {
      if (const auto ticks = history_.ticks(txn)) {
        shard.ticks(ticks->begin, new_end(txn, *ticks));
      }
    }
    if (!domains_.empty() && !history_.has_one_clock()) {
      shard.clock_domain(domains_[history_.clock_domain(txn)]);
    }
    if (keeps_node(txn) && !history_.node(txn).empty()) {
      shard.node(builder.string(history_.node(txn)));
    }
    if (keeps_meta(txn) && !history_.meta(txn).empty()) {
      shard.meta(builder.string(history_.meta(txn)));
    }
    std::vector<Atom> list;
    for (const OpId op : history_.ops(txn)) {
      if (is_idle(txn, op)) continue;
      const Atom key = new_key(builder, history_.key(op));
      if (!keep_lists_) {
        const Atom value = new_value(builder, op);
        if (history_.is_write(op)) {
          shard.write(key, value);
        } else {
          shard.read(key, value);
        }
      } else if (history_.is_write(op)) {
        shard.append(key, new_value(builder, op));
      } else {
        list.clear();
        for (std::size_t i = 0; i < history_.list_size(op); ++i) {
          list.push_back(numbers_ ? Atom::integer(numbers_->of_element(op, i))
                                  : carry(builder, history_.element(op, i)));
        }
        shard.read_list(key, list);
      }
    }
  }

  // -- the mapping -----------------------------------------------------------

  void put(JsonWriter& json, std::string_view name, Atom atom) const {
    json.key(name);
    switch (atom.kind) {
      case Atom::Kind::integer:
        json.value(static_cast<std::int64_t>(atom.bits));
        return;
      case Atom::Kind::natural:
        json.value(atom.bits);
        return;
      case Atom::Kind::string:
        json.value(std::string_view(history_.strings()[atom.bits]));
        return;
      case Atom::Kind::nil:
        json.null();
        return;
    }
  }

  void write_mapping(Sink& sink) const {
    const auto line = [&](auto fill) {
      JsonWriter json(sink);
      json.begin_object();
      fill(json);
      json.end_object();
      sink.append('\n');
    };
    if (renumber_sessions_) {
      const std::uint32_t before = init_keys_.empty() ? 0 : 1;
      for (const SessionId session : history_.sessions()) {
        const std::uint32_t number = session_number_[session.v];
        if (number == 0) continue;
        line([&](JsonWriter& json) {
          put(json, "session", history_.session_atom(session));
          json.field("written_as", number + before);
        });
      }
    }
    if (renumber_keys_) {
      for (std::uint32_t k = 0; k < history_.num_keys(); ++k) {
        line([&](JsonWriter& json) {
          put(json, "key", history_.key_atom(KeyId(k)));
          if (capacity_.keys == Atoms::identifiers) {
            json.field("written_as", fmt::format("k{}", k + 1));
          } else {
            json.field("written_as", k + 1);
          }
        });
      }
    }
    if (!numbers_) return;
    numbers_->for_each([&](KeyId key, Atom value, std::uint32_t number) {
      line([&](JsonWriter& json) {
        put(json, "key", history_.key_atom(key));
        put(json, "value", value);
        json.field("written_as", number);
      });
    });
  }

  const History& history_;
  const Capacity& capacity_;
  const FitOptions& options_;
  InitialState initial_state_;
  Initial initial_kind_;
  std::optional<Atom> initial_;
  std::vector<Fate> fate_;                     // [txn]
  std::vector<std::uint32_t> session_number_;  // [session] from 1; 0: not kept
  std::vector<std::string> losses_;
  bool changes_ = false;
  bool ids_ = false;           // the new history has ids
  bool renumber_ids_ = false;  // from 1 in the order of the input
  std::int64_t first_made_up_ = 0;
  bool renumber_sessions_ = false;
  bool renumber_keys_ = false;
  bool renumber_values_ = false;
  bool keep_lists_ = false;
  bool keep_absent_ = false;
  bool keep_times_ = false;
  bool keep_ticks_ = false;
  bool keep_domains_ = false;
  std::vector<Atom> domains_;     // [clock domain] -> its name
  std::vector<KeyId> init_keys_;  // an added transaction writes these
  std::optional<ValueNumbers> numbers_;
  std::vector<Atom> texts_;  // [old string] -> new atom; nil: not yet known
};

}  // namespace

Result<Fitted> fit(History history, const Format& target,
                   const FitOptions& options) {
  Fitter fitter(history, target, options);
  if (Outcome failed = fitter.plan()) return *failed;
  std::vector<std::string> losses = fitter.take_losses();
  if (!fitter.changes()) return Fitted{std::move(history), std::move(losses)};
  Result<History> fitted = fitter.build();
  if (!fitted) return std::move(fitted.error());
  return Fitted{std::move(*fitted), std::move(losses)};
}

}  // namespace awdit
