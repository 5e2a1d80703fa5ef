// A file of operations, read in pieces by several threads.
//
// Idea: each piece becomes a shard, and what was learned from the pieces is put
// together at the end: the places of processes, the numbering, the model. Where
// that refutes a guess, all is read again with a better one. Whatever else goes
// wrong (a mistake in the file, a history that mixes models) is left to one
// more round with a single piece, which meets things in the order of the file:
// so there is one rule for what is told, and threads cannot change it.
// Cost: one round, nearly always; one more, without values, where places in the
// file are names.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "format/jepsen_ops.h"
#include "format/pieces.h"

namespace awdit {
namespace {

using Model = OpPlan::Model;
using Numbering = OpPlan::Numbering;

}  // namespace

class JepsenPieces {
 public:
  JepsenPieces(const OpFile& file, unsigned threads);
  Result<History> read();

 private:
  using Aim = JepsenOps::Aim;
  struct Piece {
    std::unique_ptr<OpSource> source;
    Builder::Shard* shard = nullptr;
    std::optional<JepsenOps> ops;  // nothing: forgotten
  };
  enum class Round : std::uint8_t { done, refuted, troubled };

  bool begin();
  bool count();
  std::optional<std::size_t> run(Aim aim, Builder& builder);
  Round emit(Builder& builder);
  Round learn();
  Round judge(const JepsenOps& ops, Outcome error);
  void say_what_was_assumed(Builder& builder) const;
  template <typename Member>
  bool any(Member member) const {
    return std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
      return piece.ops && (*piece.ops).*member;
    });
  }

  const OpFile& file_;
  unsigned threads_;
  std::vector<std::size_t> starts_;      // of pieces
  std::vector<std::int64_t> positions_;  // [piece]; empty: not known
  std::vector<Piece> pieces_;
  OpPlan plan_;
  Outcome error_;
  std::uint32_t emitted_ = 0;
};

JepsenPieces::JepsenPieces(const OpFile& file, unsigned threads)
    : file_(file), threads_(threads), starts_{file.first} {
  if (file.head == 0) return;
  starts_ = guess_pieces(file.input.bytes().substr(0, file.end), file.first,
                         file.head);
}

// The plan that the first operation suggests, if there is one.
bool JepsenPieces::begin() {
  Builder nobody({});
  const std::unique_ptr<OpSource> source = file_.source();
  JepsenOps ops(file_, {}, Aim::begin, *source, nobody.add_shard(),
                {.from = file_.first, .to = file_.end});
  source->read(file_.first, file_.end, ops);
  plan_ = ops.plan_;
  return ops.found_;
}

std::optional<std::size_t> JepsenPieces::run(Aim aim, Builder& builder) {
  pieces_.clear();
  pieces_.resize(starts_.size());
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    piece.source = file_.source();
    piece.shard = &builder.add_shard();
    piece.ops.emplace(
        file_, plan_, aim, *piece.source, *piece.shard,
        JepsenOps::Piece{
            .from = starts_[i],
            .to = i + 1 == starts_.size() ? file_.end : starts_[i + 1],
            .position = positions_.empty() ? 0 : positions_[i]});
  }
  const auto read = [&](std::size_t i, std::size_t from, std::size_t to) {
    Piece& piece = pieces_[i];
    const std::size_t at = piece.source->read(from, to, *piece.ops);
    if (!piece.ops->wants_more()) return PieceReader::kStop;
    if (at == to && aim == Aim::emit) {
      piece.shard->lines = piece.ops->line_of(to);
    }
    if (at > from) file_.input.release(from, at);
    return at;
  };
  const auto forget = [&](std::size_t i) {
    pieces_[i].ops.reset();
    *pieces_[i].shard = Builder::Shard();
  };
  return read_pieces(starts_, file_.end, threads_,
                     {.read = read, .forget = forget});
}

// Where pieces begin, and how many operations come before each.
bool JepsenPieces::count() {
  Builder nobody({});
  if (run(Aim::count, nobody)) return false;
  std::vector<std::size_t> starts;
  std::int64_t position = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (!pieces_[i].ops) continue;
    starts.push_back(starts_[i]);
    positions_.push_back(position);
    position += pieces_[i].ops->position_ + 1;
  }
  starts_ = std::move(starts);
  return true;
}

// What follows from how a piece ended.
JepsenPieces::Round JepsenPieces::judge(const JepsenOps& ops, Outcome error) {
  if (ops.refuted_) {
    plan_ = ops.plan_;
    return Round::refuted;
  }
  error_ = ops.error_ ? ops.error_ : std::move(error);
  return Round::troubled;
}

// Puts together what the pieces tell about numbering and model. Of one piece,
// that is what it says itself.
JepsenPieces::Round JepsenPieces::learn() {
  std::int64_t last = kNoTime;
  bool writes = false, appends = false, registers = false, lists = false;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (!pieces_[i].ops) continue;
    const JepsenOps& ops = *pieces_[i].ops;
    if (i == 0) {
      plan_ = ops.plan_;
    } else if (ops.flagged_) {
      return Round::troubled;
    }
    if (ops.last_index_ != kNoTime) {
      if (last != kNoTime && ops.first_index_ <= last) {
        plan_.numbering = Numbering::unsorted;
        return Round::refuted;
      }
      last = ops.last_index_;
    }
    const OpPlan& plan = ops.plan_;
    registers |= plan.model == Model::registers;
    lists |= plan.model == Model::lists;
    writes |= plan.model == Model::registers && plan.model_is_certain;
    appends |= plan.model == Model::lists && plan.model_is_certain;
  }
  if (starts_.size() == 1) return Round::done;
  const bool scalars = any(&JepsenOps::any_scalar_);
  if (appends && (writes || scalars)) return Round::troubled;
  plan_.model_is_certain = writes || appends;
  if (lists && (registers || scalars)) {
    // Vectors that registers hold were taken for lists.
    plan_.model = Model::registers;
    return Round::refuted;
  }
  plan_.model = registers ? Model::registers
                : lists   ? Model::lists
                          : Model::unknown;
  return Round::done;
}

// Reads all into the builder.
JepsenPieces::Round JepsenPieces::emit(Builder& builder) {
  const auto failed = run(Aim::emit, builder);
  // What never completes comes last.
  const std::unique_ptr<OpSource> source = file_.source();
  JepsenOps rest(file_, plan_, Aim::emit, *source, builder.add_shard(),
                 {.from = file_.end, .to = file_.end});
  if (failed) {
    Piece& piece = pieces_[*failed];
    // A mistake between pieces may come before what went wrong in this one: by
    // the clock that it believed in until then.
    const Clock found = std::exchange(piece.ops->plan_.clock, plan_.clock);
    for (std::size_t i = 0; starts_.size() > 1 && i <= *failed; ++i) {
      if (pieces_[i].ops && !rest.follow(*pieces_[i].ops)) {
        return Round::troubled;
      }
    }
    piece.ops->plan_.clock = found;
    return judge(*piece.ops, piece.source->error());
  }
  emitted_ = 0;
  for (Piece& piece : pieces_) {
    if (!piece.ops) continue;
    emitted_ += piece.ops->emitted_;
    if (!rest.follow(*piece.ops)) return judge(*piece.ops, std::nullopt);
  }
  if (const Round round = learn(); round != Round::done) return round;
  rest.plan_ = plan_;
  rest.any_scalar_ = any(&JepsenOps::any_scalar_);
  if (!rest.close()) return judge(rest, std::nullopt);
  emitted_ += rest.emitted_;
  plan_ = rest.plan_;
  if (plan_.clock == Clock::nanoseconds && !any(&JepsenOps::any_time_) &&
      !any(&JepsenOps::any_at_)) {
    plan_.clock = Clock::none;
    return Round::refuted;
  }
  std::vector<std::int64_t> indices;
  for (const Piece& piece : pieces_) {
    if (!piece.ops) continue;
    const std::vector<std::int64_t>& more = piece.ops->indices_;
    indices.insert(indices.end(), more.begin(), more.end());
  }
  std::sort(indices.begin(), indices.end());
  if (std::adjacent_find(indices.begin(), indices.end()) != indices.end()) {
    plan_.numbering = Numbering::positions;
    return Round::refuted;
  }
  return Round::done;
}

void JepsenPieces::say_what_was_assumed(Builder& builder) const {
  if (!plan_.processes && emitted_ != 0) {
    builder.warn(
        std::string("no operation names its process: each is taken as a "
                    "session of its own, so that nothing follows from the "
                    "order of sessions.") +
        (any(&JepsenOps::ignored_invocations_)
             ? " Invocations are left out, as nothing says which completion is "
               "theirs."
             : ""));
  }
  if (plan_.numbering == Numbering::positions || !plan_.own_ids) {
    builder.warn(
        "the numbers of the operations repeat or are missing here and there: "
        "the order in the file numbers them instead, from 0.");
  }
}

Result<History> JepsenPieces::read() {
  const auto use_one_piece = [&] {
    starts_.resize(1);
    positions_.clear();
    plan_ = {};
  };
  if (starts_.size() > 1 && !begin()) use_one_piece();
  for (;;) {
    if (starts_.size() > 1 && positions_.empty() && plan_.counts() &&
        !count()) {
      use_one_piece();
    }
    Builder builder({.initial_value = Atom::nil(),
                     .labels_are_ids = true,
                     .has_txn_lines = true});
    const Round round = emit(builder);
    if (round == Round::refuted) continue;
    if (round == Round::troubled) {
      if (starts_.size() == 1) {
        // What was wrong is gone only where the file changed meanwhile.
        return error_ ? std::move(*error_)
                      : Error{.where = file_.input.name(),
                              .message = "the operations cannot be read"};
      }
      use_one_piece();
      continue;
    }
    say_what_was_assumed(builder);
    builder.set_clock(plan_.clock);
    pieces_.clear();
    Result<History> history = builder.finish(threads_);
    // Two transactions of a session with one label would have become one.
    if (history && history->num_txns() != emitted_ && plan_.own_ids) {
      plan_.own_ids = false;
      continue;
    }
    return history;
  }
}

Result<History> read_jepsen(const OpFile& file, unsigned threads) {
  return JepsenPieces(file, threads).read();
}

}  // namespace awdit
