// From invocations and completions to transactions.
//
// Idea: one pass over each piece of the file. An invocation only leaves a note
// with its process; the completion becomes a transaction at once, so that the
// input order of the history is the order of completions. Values of invocations
// are parsed only if the completion has none. What a process does first in a
// piece may have begun before it: settled when all pieces are read.
// Invariant: positions count all operations of the file, the nemesis's too, so
// that they are what :index would be.
// Cost: one lookup per operation, nothing on the heap but the notes.
// Sources: jepsen.history, elle.txn; docs/formats/jepsen-edn.md has the rules.
#include "format/jepsen_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "format/text_place.h"

namespace awdit {
namespace {

using Model = OpPlan::Model;
using Numbering = OpPlan::Numbering;
using Type = OpFrame::Type;
using Who = OpFrame::Who;

// An :index that may serve as a label.
bool has_index(const OpFrame& frame) {
  return frame.index.is_given() && frame.index.value != Builder::kNoLabel;
}

bool has_time(const OpFrame& frame) {
  return frame.time.is_given() && frame.time.value >= 0;
}

}  // namespace

JepsenOps::JepsenOps(const OpFile& file, const OpPlan& plan, Aim aim,
                     OpSource& source, Builder::Shard& shard,
                     const Piece& piece)
    : file_(file),
      plan_(plan),
      aim_(aim),
      source_(source),
      shard_(shard),
      position_(piece.position - 1),
      piece_(piece),
      // Lines in front of the first operation belong to the first piece.
      counted_(piece.from == file.first ? 0 : piece.from) {}

bool JepsenOps::fail(std::size_t offset, std::string message,
                     std::string hint) {
  error_ = error_at(file_.input, offset, std::move(message), std::move(hint));
  return false;
}

void JepsenOps::guess(const OpFrame& frame) {
  plan_.begun = true;
  const bool timed =
      has_time(frame) || frame.time.given == OpFrame::Number::Given::nil;
  plan_.clock = timed                        ? Clock::nanoseconds
                : frame.type == Type::invoke ? Clock::events
                                             : Clock::none;
  plan_.numbering = has_index(frame) ? Numbering::ascending : Numbering::absent;
  plan_.processes = frame.who == Who::client;
}

bool JepsenOps::use_positions() {
  plan_.numbering = Numbering::positions;
  return refute();
}

// The numbering, held against one more operation.
bool JepsenOps::examine_index(const OpFrame& frame) {
  switch (plan_.numbering) {
    case Numbering::ascending:
      if (!has_index(frame)) return use_positions();
      if (frame.index.value <= last_index_) {
        plan_.numbering = Numbering::unsorted;
        return refute();
      }
      if (last_index_ == kNoTime) first_index_ = frame.index.value;
      last_index_ = frame.index.value;
      return true;
    case Numbering::unsorted:
      if (!has_index(frame)) return use_positions();
      indices_.push_back(frame.index.value);
      return true;
    case Numbering::positions:
    case Numbering::absent:
      return true;
  }
  return true;
}

// The guesses, held against one more operation.
bool JepsenOps::examine(const OpFrame& frame) {
  const bool named = frame.who == Who::client;
  if (named != plan_.processes || (named && ignored_invocations_)) {
    return fail(frame.offset,
                !named
                    ? "this operation names no process, those before it do"
                    : "this operation names a process, those before it do not",
                "Sessions are made of processes: either all operations or none "
                "of them name an integer under \"process\".");
  }
  if (!examine_index(frame)) return false;
  if (frame.registers && plan_.model == Model::unknown) {
    flagged_ = true;
    use_model(Model::registers, true);
  }
  any_time_ |= has_time(frame);
  const bool has_at = frame.at.given != OpFrame::Number::Given::no;
  any_at_ |= has_at;
  const bool needs_time = frame.type != Type::info &&
                          frame.time.given != OpFrame::Number::Given::nil;
  if (plan_.clock == Clock::nanoseconds && needs_time && !has_time(frame)) {
    plan_.clock = Clock::none;
    return refute();
  }
  if (plan_.clock == Clock::none && (frame.type == Type::invoke || has_at)) {
    plan_.clock = Clock::events;
    return refute();
  }
  return true;
}

bool JepsenOps::use_model(Model model, bool certain) {
  const bool was_wrong = plan_.model != Model::unknown;
  plan_.model = model;
  plan_.model_is_certain = certain;
  return !was_wrong || refute();
}

// The model, held against one more micro-operation.
bool JepsenOps::examine(const MicroOps::Op& op) {
  const auto mixed = [&](std::string_view found, std::string_view others) {
    return fail(op.offset,
                fmt::format("{} in a history that also has {}", found, others),
                "A key is either a list that is appended to or a register that "
                "is written: check such workloads one by one.");
  };
  switch (op.kind) {
    case OpKind::write:
      if (plan_.model == Model::registers) {
        plan_.model_is_certain = true;
        break;
      }
      if (plan_.model_is_certain) return mixed("a write", "appends");
      return use_model(Model::registers, true);
    case OpKind::append:
      if (plan_.model == Model::lists) {
        plan_.model_is_certain = true;
        break;
      }
      if (plan_.model_is_certain) return mixed("an append", "writes");
      return use_model(Model::lists, true) && (!any_scalar_ || refute());
    case OpKind::read_list:
      if (plan_.model == Model::lists) break;
      // A vector that a register holds was taken for a list.
      if (plan_.model == Model::registers) return refute();
      return any_scalar_ ? use_model(Model::registers, false) && refute()
                         : use_model(Model::lists, false);
    case OpKind::read:
      if (op.value.kind == Atom::Kind::nil) break;
      any_scalar_ = true;
      if (plan_.model != Model::lists) break;
      if (!plan_.model_is_certain) return use_model(Model::registers, false);
      return fail(op.offset,
                  "this read does not return a list, although the history "
                  "appends to lists",
                  "A read of a list-append workload returns all elements, as "
                  "in [:r 5 [1 2 3]], or nil.");
  }
  return true;
}

// Whether examine() would learn nothing from it.
inline bool JepsenOps::is_usual(const MicroOps::Op& op) const {
  switch (op.kind) {
    case OpKind::write:
      return plan_.model == Model::registers && plan_.model_is_certain;
    case OpKind::append:
      return plan_.model == Model::lists && plan_.model_is_certain;
    case OpKind::read_list:
      return plan_.model == Model::lists;
    case OpKind::read:
      return op.value.kind == Atom::Kind::nil ||
             (any_scalar_ && plan_.model == Model::registers);
  }
  return false;
}

std::int64_t JepsenOps::label_of(const OpFrame& frame) const {
  using Given = OpFrame::Number::Given;
  if (plan_.own_ids && frame.id.given != Given::no) {
    return frame.id.given == Given::yes ? frame.id.value : Builder::kNoLabel;
  }
  const bool indexed = plan_.numbering == Numbering::ascending ||
                       plan_.numbering == Numbering::unsorted;
  return indexed && plan_.own_ids ? frame.index.value : position_;
}

JepsenOps::Moment JepsenOps::moment_of(const OpFrame& frame) const {
  Moment moment;
  if (has_time(frame)) moment.time = frame.time.value;
  if (frame.at.given != OpFrame::Number::Given::no) {
    if (frame.at.is_given()) moment.mark = frame.at.value;
    return moment;
  }
  switch (plan_.numbering) {
    case Numbering::ascending:
    case Numbering::unsorted:
      moment.mark = frame.index.value;
      break;
    case Numbering::positions:
      moment.mark = position_;
      break;
    case Numbering::absent:
      if (plan_.clock == Clock::events) moment.mark = position_;
      break;
  }
  return moment;
}

JepsenOps::Client& JepsenOps::client_of(std::int64_t process) {
  // Processes are small numbers, unless thousands of them have crashed.
  if (static_cast<std::uint64_t>(process) < kDirectClients) {
    if (slots_.empty()) slots_.resize(kDirectClients, FlatIndex::kAbsent);
    std::uint32_t& slot = slots_[static_cast<std::size_t>(process)];
    if (slot == FlatIndex::kAbsent) {
      slot = static_cast<std::uint32_t>(clients_.size());
      clients_.push_back({.process = process});
    }
    return clients_[slot];
  }
  const auto fresh = static_cast<std::uint32_t>(clients_.size());
  const std::uint32_t slot = client_index_.find_or_insert(
      mix64(static_cast<std::uint64_t>(process)), fresh,
      [&](std::uint32_t item) { return clients_[item].process == process; });
  if (slot == fresh) clients_.push_back({.process = process});
  return clients_[slot];
}

// Counted from 0. REQUIRES: offsets ascend from call to call.
std::uint32_t JepsenOps::line_of(std::size_t offset) {
  // Nearly always there is one line end between two operations.
  const char* const bytes = file_.input.bytes().data();
  while (counted_ < offset) {
    const void* const newline =
        std::memchr(bytes + counted_, '\n', offset - counted_);
    if (newline == nullptr) break;
    ++line_;
    counted_ =
        static_cast<std::size_t>(static_cast<const char*>(newline) - bytes) + 1;
  }
  counted_ = offset;
  return line_;
}

// Room for the rest of the piece, if it is like the beginning.
void JepsenOps::reserve() {
  if (counted_ <= piece_.from) return;
  const double times = 1.05 * static_cast<double>(piece_.to - piece_.from) /
                       static_cast<double>(counted_ - piece_.from);
  const auto scaled = [&](std::size_t count) {
    return static_cast<std::size_t>(static_cast<double>(count) * times);
  };
  shard_.reserve(scaled(shard_.size()));
  shard_.reserve_elements(scaled(elements_));
}

bool JepsenOps::add(const OpFrame& frame, const MicroOps* ops) {
  ++position_;
  if (aim_ == Aim::count || frame.who == Who::other) return true;
  if (frame.type == Type::none) {
    return fail(frame.offset, "this operation is of no known type",
                "Operations have a \"type\": invoke, ok, fail or info.");
  }
  if (frame.who == Who::nobody && frame.type == Type::invoke &&
      !(plan_.begun && plan_.processes)) {
    // Nothing says which completion belongs to it.
    ignored_invocations_ = true;
    return true;
  }
  if (!plan_.begun) guess(frame);
  if (!examine(frame)) return false;
  if (aim_ == Aim::begin) {
    found_ = true;
    return false;
  }
  if (frame.who == Who::nobody) return complete(frame, nullptr, ops);
  Client& client = client_of(frame.process);
  if (frame.type != Type::invoke) return complete(frame, &client, ops);
  if (client.open && !abandon(client)) return false;
  client.begins |= client.fresh;
  client.fresh = false;
  client.open = true;
  client.last = {.moment = moment_of(frame),
                 .label = label_of(frame),
                 .line = line_of(frame.offset),
                 .offset = frame.offset,
                 .value = frame.value};
  return true;
}

bool JepsenOps::read_value(Stretch value) {
  scratch_.clear();
  if (value.empty()) return true;
  error_ = source_.read_value(value, *this, scratch_);
  return !error_;
}

bool JepsenOps::complete(const OpFrame& frame, Client* client,
                         const MicroOps* ops) {
  const Status status = frame.type == Type::ok     ? Status::committed
                        : frame.type == Type::fail ? Status::aborted
                                                   : Status::unknown;
  const Invocation* const begun =
      client != nullptr && client->open ? &client->last : nullptr;
  if (ops == nullptr) {
    const Stretch value = !frame.value.empty() ? frame.value
                          : begun != nullptr   ? begun->value
                                               : Stretch{};
    if (!read_value(value)) return false;
    ops = &scratch_;
  }
  Moment end = moment_of(frame);
  if (status == Status::unknown) end = {};
  const Atom session =
      Atom::integer(frame.who == Who::client ? frame.process : position_);
  const std::int64_t label = label_of(frame);
  select(session, label, status, line_of(frame.offset));
  if (client != nullptr && client->fresh) {
    pending_.push_back({.process = frame.process,
                        .label = label,
                        .status = status,
                        .end = end,
                        .has_value = !frame.value.empty(),
                        .offset = frame.offset});
  } else if (!note_times(begun != nullptr ? begun->moment : Moment{}, end,
                         frame.offset)) {
    return false;
  }
  if (client != nullptr) client->open = client->fresh = false;
  return emit(*ops, status == Status::committed && !frame.value.empty());
}

// Adds to a transaction what its invocation tells, if there is one.
bool JepsenOps::settle(const Pending& pending, const Invocation* begun) {
  shard_.select(Atom::integer(pending.process), pending.label, pending.status);
  if (!note_times(begun != nullptr ? begun->moment : Moment{}, pending.end,
                  pending.offset)) {
    return false;
  }
  if (begun == nullptr || pending.has_value) return true;
  return read_value(begun->value) && emit(scratch_, false);
}

// The last invocation of the client will not complete any more.
bool JepsenOps::abandon(Client& client) {
  const Invocation& begun = client.last;
  if (!read_value(begun.value)) return false;
  client.open = false;
  select(Atom::integer(client.process), begun.label, Status::unknown,
         begun.line);
  return note_times(begun.moment, {}, begun.offset) && emit(scratch_, false);
}

// Begins a transaction.
void JepsenOps::select(Atom session, std::int64_t label, Status status,
                       std::uint32_t line) {
  constexpr std::uint32_t kSample = 512;
  if (++emitted_ == kSample) reserve();
  shard_.select(session, label, status);
  shard_.txn_line(line);
}

// `offset` is the place of the operation that completes.
bool JepsenOps::note_times(Moment begin, Moment end, std::size_t offset) {
  if (plan_.clock == Clock::none) return true;
  const History::Times marks{begin.mark, end.mark};
  const bool by_time = plan_.clock == Clock::nanoseconds;
  const History::Times times =
      by_time ? History::Times{begin.time, end.time} : marks;
  if (by_time ? ends_before_it_begins(times, marks)
              : ends_before_it_begins(times)) {
    return fail(offset, "this operation completes before it was invoked",
                std::string(kIntervalRemedy));
  }
  shard_.times(times.begin, times.end);
  if (by_time && (begin.mark != kNoTime || end.mark != kNoTime)) {
    shard_.ticks(begin.mark, end.mark);
  }
  return true;
}

bool JepsenOps::emit(const MicroOps& ops, bool keep_nil) {
  elements_ += ops.elements.size();
  for (const MicroOps::Op& op : ops.ops) {
    if (!is_usual(op) && !examine(op)) return false;
    if (op.kind == OpKind::read && !keep_nil &&
        op.value.kind == Atom::Kind::nil) {
      continue;
    }
    shard_.operation(op.kind, op.key, op.value,
                     std::span(ops.elements).subspan(op.first, op.size));
  }
  return true;
}

// Takes over the processes of the next piece as it leaves them, and gives it
// what they had invoked before it. False: they must be read together.
bool JepsenOps::follow(JepsenOps& piece) {
  for (const Pending& pending : piece.pending_) {
    const Client& client = client_of(pending.process);
    if (!piece.settle(pending, client.open ? &client.last : nullptr)) {
      return false;
    }
  }
  for (const Client& theirs : piece.clients_) {
    Client& client = client_of(theirs.process);
    // That transaction belongs between those of the piece.
    if (client.open && theirs.begins) return false;
    client.open = theirs.open;
    client.last = theirs.last;
    client.last.line += line_;
  }
  line_ += piece.line_;
  return true;
}

// What is still open will never complete.
bool JepsenOps::close() {
  std::vector<Client*> open;
  for (Client& client : clients_) {
    if (client.open) open.push_back(&client);
  }
  std::sort(open.begin(), open.end(), [](const Client* a, const Client* b) {
    return a->last.offset < b->last.offset;
  });
  for (Client* client : open) {
    client->last.line -= line_;  // the builder adds those of all pieces
    if (!abandon(*client)) return false;
  }
  return true;
}

}  // namespace awdit
