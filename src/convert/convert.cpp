// First everything that must change is found out (plan.h), then the history is
// built anew, transaction by transaction in the order of the input. If nothing
// must change it is handed back as it came.
#include "convert/convert.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "convert/mapping.h"
#include "convert/plan.h"
#include "history/builder.h"

namespace awdit {
namespace {

using Initial = Capacity::Initial;

class Rebuilder {
 public:
  explicit Rebuilder(const Plan& plan)
      : plan_(plan),
        history_(plan.history),
        builder_({.initial_value = plan.initial,
                  .labels_are_ids = plan.ids,
                  .clock = plan.keep_times ? history_.clock() : Clock::none}),
        shard_(builder_.add_shard()),
        texts_(history_.strings().size(), Atom::nil()),
        made_up_(plan.first_made_up) {}

  Result<History> build() {
    shard_.reserve(history_.num_ops());
    if (!plan_.init_keys.empty()) write_initial_state();
    if (plan_.keep_domains && plan_.keep_times) {
      domains_ = carry_clock_domains(history_, builder_, shard_);
    }
    std::int64_t next_id = 0;
    for (const std::uint32_t number : history_.input_order()) {
      if (plan_.kept(TxnId(number))) add_txn(TxnId(number), ++next_id);
    }
    for (const std::string& warning : history_.warnings()) {
      builder_.warn(warning);
    }
    if (plan_.capacity.about) {
      for (const std::string& json : history_.about()) builder_.about(json);
    }
    return builder_.finish(plan_.options.threads);
  }

 private:
  // The same atom in the new history.
  Atom carry(Atom atom) {
    if (atom.kind != Atom::Kind::string) return atom;
    Atom& known = texts_[atom.bits];
    if (known.kind == Atom::Kind::nil) {
      known = builder_.string(history_.strings()[atom.bits]);
    }
    return known;
  }

  Atom new_key(KeyId key) {
    if (!plan_.renumber_keys) return carry(history_.key_atom(key));
    if (plan_.capacity.keys == Capacity::Atoms::identifiers) {
      return builder_.string(fmt::format("k{}", key.v + 1));
    }
    return Atom::integer(std::int64_t{key.v} + 1);
  }

  Atom new_session(SessionId session) {
    if (!plan_.renumber_sessions) return carry(history_.session_atom(session));
    // The session that writes the initial state comes first.
    const std::int64_t before = plan_.init_keys.empty() ? 0 : 1;
    return Atom::integer(plan_.session_number[session.v] + before);
  }

  Atom new_initial(Atom value) const {
    if (plan_.keep_absent && value.kind == Atom::Kind::nil) return value;
    if (plan_.initial_kind == Initial::any) return value;
    return plan_.initial.value_or(Atom::integer(0));
  }

  Atom new_value(OpId op) {
    const Atom value = history_.value(op);
    if (plan_.initial_state.is_read(op)) return carry(new_initial(value));
    if (plan_.numbers) return Atom::integer(plan_.numbers->of(op));
    return carry(value);
  }

  void write_initial_state() {
    shard_.select(Atom::integer(1), 0);
    for (const KeyId key : plan_.init_keys) {
      shard_.write(new_key(key), Atom::integer(0));
    }
  }

  std::int64_t new_id(TxnId txn, std::int64_t position) {
    if (plan_.nameless(txn)) return Builder::kNoLabel;
    if (!plan_.ids || plan_.renumber_ids) return position;
    const std::optional<std::int64_t> id = history_.txn_label(txn);
    if (id) return *id;
    return plan_.capacity.needs_ids ? ++made_up_ : Builder::kNoLabel;
  }

  // A commit that nobody confirmed may have taken effect after its client left:
  // nothing must follow from when that was. A database's own stamps are no such
  // times.
  std::int64_t new_end(TxnId txn, const History::Times& times) const {
    const bool guessed = plan_.fate[txn.v] == Plan::Fate::commit;
    return guessed && history_.clock() != Clock::hybrid ? kNoTime : times.end;
  }

  void add_txn(TxnId txn, std::int64_t position) {
    shard_.select(new_session(history_.session(txn)), new_id(txn, position),
                  plan_.status_of(txn));
    if (const auto times = history_.times(txn); times && plan_.keep_times) {
      shard_.times(times->begin, new_end(txn, *times));
    }
    if (const auto ticks = history_.ticks(txn); ticks && plan_.keep_ticks) {
      shard_.ticks(ticks->begin, new_end(txn, *ticks));
    }
    if (!domains_.empty() && !history_.has_one_clock()) {
      shard_.clock_domain(domains_[history_.clock_domain(txn)]);
    }
    if (plan_.keeps_node(txn) && !history_.node(txn).empty()) {
      shard_.node(builder_.string(history_.node(txn)));
    }
    if (plan_.keeps_meta(txn) && !history_.meta(txn).empty()) {
      shard_.meta(builder_.string(history_.meta(txn)));
    }
    for (const OpId op : history_.ops(txn)) {
      if (!plan_.is_idle(txn, op)) add_op(op);
    }
  }

  void add_op(OpId op) {
    const Atom key = new_key(history_.key(op));
    if (!plan_.keep_lists) {
      shard_.access(history_.is_write(op), key, new_value(op));
    } else if (history_.is_write(op)) {
      shard_.append(key, new_value(op));
    } else {
      list_.clear();
      for (std::size_t i = 0; i < history_.list_size(op); ++i) {
        list_.push_back(plan_.numbers
                            ? Atom::integer(plan_.numbers->of_element(op, i))
                            : carry(history_.element(op, i)));
      }
      shard_.read_list(key, list_);
    }
  }

  const Plan& plan_;
  const History& history_;
  Builder builder_;
  Builder::Shard& shard_;
  std::vector<Atom> texts_;    // [old string] -> new atom; nil: not yet known
  std::int64_t made_up_;       // the last id that was made up
  std::vector<Atom> domains_;  // [clock domain] -> its name
  std::vector<Atom> list_;     // scratch
};

}  // namespace

Result<Fitted> fit(History history, const Format& target,
                   const FitOptions& options) {
  Plan plan(history, target, options);
  if (Outcome failed = settle_outcomes(plan)) return *failed;
  settle_ids(plan);
  settle_sessions(plan);
  settle_keys(plan);
  settle_lists(plan);
  settle_initial(plan);
  settle_values(plan);
  settle_mapping(plan);
  settle_notes(plan);
  if (!plan.changes) return Fitted{std::move(history), std::move(plan.losses)};
  if (options.mapping != nullptr) write_mapping(plan, *options.mapping);
  Result<History> fitted = Rebuilder(plan).build();
  if (!fitted) return std::move(fitted.error());
  return Fitted{std::move(*fitted), std::move(plan.losses)};
}

}  // namespace awdit
