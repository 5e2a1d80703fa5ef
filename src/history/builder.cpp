// From shards to columns.
//
// Idea: a shard knows its transactions as *segments*: the operations of one
// transaction that the shard saw. Everything per transaction is done on
// segments, which are far fewer than operations; the operations are touched
// twice only, once to collect the keys and once to move them to their place.
//
//   1. sessions of all shards -> dense numbers, by first appearance
//   2. per session, its segments in input order -> transactions
//   3. prefix sums: first transaction of a session; operations by input order
//   4. keys -> dense numbers, by label (history/key_table)
//   5. each shard moves its operations to their final place; where that is the
//      order in which they lie, only the gaps between shards are closed, which
//      saves a third of the memory
//   6. what is known of single transactions; the elements of lists, which are
//      most of a history that has them, last, when all else is gone
//
// Steps 2, 5 and 6 run in parallel over sessions and shards. Every number
// depends only on the input's order, never on shard borders or threads.
#include "history/builder.h"

#include <fmt/format.h>

#include <utility>

#include "history/builder_state.h"

namespace awdit {
namespace {

Error too_large(std::string_view what) {
  return Error{.message = fmt::format("the history has too many {}", what),
               .hint = "Split the recording and check the parts one by one."};
}

}  // namespace

Builder::Builder(Options options) : state_(std::make_unique<State>()) {
  state_->options = options;
}
Builder::~Builder() = default;
Builder::Builder(Builder&&) noexcept = default;

Builder::Shard& Builder::add_shard() { return state_->shards.emplace_back(); }

void Builder::reserve(std::span<const std::size_t> operations) {
  State& state = *state_;
  AWDIT_ASSERT(operations.size() == state.shards.size());
  std::size_t sum = 0;
  for (const std::size_t size : operations) sum += size;
  state.key_room = Array<std::uint32_t>(sum);
  state.value_room = Array<std::uint32_t>(sum);
  std::size_t at = 0;
  for (std::size_t s = 0; s < operations.size(); ++s) {
    const auto slice = [&](const Array<std::uint32_t>& room) {
      return WordColumn(
          Array<std::uint32_t>::view(room.span().subspan(at, operations[s])));
    };
    Shard& shard = state.shards[s];
    AWDIT_ASSERT(shard.size_ == 0);
    shard.keys_ = slice(state.key_room);
    shard.values_ = slice(state.value_room);
    shard.writes_ = Array<std::uint64_t>(operations[s] / 64 + 1);
    at += operations[s];
  }
}

Atom Builder::string(std::string_view text) {
  return {state_->texts.number(text), Atom::Kind::string};
}

void Builder::set_initial_value(std::optional<Atom> value) {
  state_->options.initial_value = value;
}

void Builder::set_clock(Clock clock) { state_->options.clock = clock; }

void Builder::set_labels_are_ids(bool are) {
  state_->options.labels_are_ids = are;
}

void Builder::relate_clocks(std::string_view from, std::string_view to,
                            std::int64_t offset, std::int64_t error) {
  state_->clock_relations.push_back(
      {std::string(from), std::string(to), offset, error});
}

void Builder::warn(std::string sentence) {
  state_->warnings.push_back(std::move(sentence));
}

void Builder::about(std::string json) {
  state_->about.push_back(std::move(json));
}

Result<History> Builder::finish(unsigned threads) {
  State& state = *state_;
  constexpr std::size_t kMaxOps = 0xFFFF'FFF0u;
  constexpr std::size_t kMaxTxns = 0x7FFF'FFF0u;
  std::size_t ops = 0;
  std::size_t segments = 0;
  std::size_t texts = state.texts.size();
  for (const Shard& shard : state.shards) {
    texts += shard.texts_.size();
    ops += shard.size_;
    segments += shard.segments_.size();
    if (shard.sessions_.size() > Shard::kMaxSessions) {
      return too_large("sessions (more than 2^30)");
    }
  }
  if (ops > kMaxOps) return too_large("operations (more than 2^32)");
  if (texts > kMaxOps) return too_large("texts (more than 2^32)");
  if (segments > kMaxTxns) return too_large("transactions (more than 2^31)");

  History history;
  history.initial_value_ = state.options.initial_value;
  history.warnings_ = std::move(state.warnings);
  history.about_ = std::move(state.about);
  history.strings_ = state.name_texts(threads);
  state.merge_sessions();
  state.place_segments(history, threads);
  state.note_shared_labels(history);
  state.order_by_appearance(history);

  std::vector<KeyTable::Column> columns;
  for (const Shard& shard : state.shards) {
    columns.push_back({&shard.keys_, shard.size_, shard.key_kinds_});
  }
  KeyTable keys(columns, history.strings_, threads);
  if (keys.size() > kMaxTxns) return too_large("keys (more than 2^31)");
  history.keys_ = static_cast<std::uint32_t>(keys.size());
  state.move_operations(history, keys, threads);
  keys.take_labels(history.key_bits_, history.key_kind_);
  state.move_notes(history);
  if (Outcome failed = state.move_clock_domains(history)) return *failed;
  state.move_lists(history, threads);
  return history;
}

}  // namespace awdit
