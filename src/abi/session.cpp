// What a client did, call by call.
#include <algorithm>
#include <limits>

#include "abi/handles.h"
#include "abi/recorder.h"
#include "format/json_value.h"

namespace awdit::abi {

void Open::clear() {
  id = AWDIT_NO_ID;
  plain = true;
  ops.clear();
  elements.clear();
  texts.clear();
  times.reset();
  ticks.reset();
  domain.reset();
  node.reset();
  note.reset();
}

namespace {

// Runs body(session), which returns what is wrong; that is remembered. Memory
// that runs out leaves the history without something: it is broken as well.
template <typename Body>
awdit_status in(awdit_session* session, Body&& body) noexcept {
  if (session == nullptr) return AWDIT_MISUSE;
  try {
    if (session->builder->finished.load(std::memory_order_acquire)) {
      return AWDIT_MISUSE;
    }
    Trouble trouble = body(*session);
    return trouble ? session->builder->breaks(std::move(*trouble)) : AWDIT_OK;
  } catch (...) {
    session->builder->out_of_memory.store(true);
    return AWDIT_NO_MEMORY;
  }
}

template <typename Body>
awdit_status in_txn(awdit_session* session, Body&& body) noexcept {
  return in(session, [&](awdit_session& those) -> Trouble {
    if (!those.open) [[unlikely]] {
      return misuse("a session is used outside of a transaction",
                    "Call awdit_session_begin first.");
    }
    return body(those.txn, those);
  });
}

// False: it is no value.
bool keep(Open& txn, const awdit_value* value, Kept& kept) {
  if (value == nullptr) return false;
  switch (value->kind) {
    case AWDIT_INTEGER:
      kept = {value->bits, 0, Atom::Kind::integer};
      return true;
    case AWDIT_NATURAL:
      kept = {value->bits, 0, Atom::natural(value->bits).kind};
      return true;
    case AWDIT_TEXT:
      if (value->text == nullptr && value->bits != 0) return false;
      if (value->bits > UINT32_MAX) return false;
      kept = {txn.texts.size(), static_cast<std::uint32_t>(value->bits),
              Atom::Kind::string};
      if (value->bits != 0) txn.texts.append(value->text, value->bits);
      return true;
    case AWDIT_NIL:
      kept = {Atom::nil().bits, 0, Atom::Kind::nil};
      return true;
    case AWDIT_ABSENT:
      kept = {Atom::absent().bits, 0, Atom::Kind::nil};
      return true;
    default:
      return false;
  }
}

std::optional<Kept> keep(Open& txn, const char* text) {
  const awdit_value value =
      awdit_text(text, std::char_traits<char>::length(text));
  Kept kept{};
  keep(txn, &value, kept);
  return kept;
}

Failure no_value() {
  return misuse("a key or a value is NULL or of no kind that awdit.h names");
}

Kept integer(std::int64_t number) {
  return {static_cast<std::uint64_t>(number), 0, Atom::Kind::integer};
}

// A read of nothing is one of an empty list, too.
void note_use(awdit_session& session, OpKind kind, const Kept& value) {
  if (kind == OpKind::append || kind == OpKind::read_list) {
    session.lists = true;
  } else if (kind == OpKind::write || value.kind != Atom::Kind::nil) {
    session.registers = true;
  }
}

awdit_status add(awdit_session* session, OpKind kind, const awdit_value* key,
                 const awdit_value* value) noexcept {
  return in_txn(session, [&](Open& txn, awdit_session& those) -> Trouble {
    Kept where{}, what{};
    if (!keep(txn, key, where) || !keep(txn, value, what)) return no_value();
    if (where.kind == Atom::Kind::nil) return misuse("a key is nil");
    note_use(those, kind, what);
    txn.plain = txn.plain && kind != OpKind::append &&
                where.kind == Atom::Kind::integer &&
                what.kind == Atom::Kind::integer;
    txn.ops.emplace_back(kind, where, what);
    return std::nullopt;
  });
}

// The usual case on a path without branches that make something: a tenth of
// the time of recording is spent here.
awdit_status add(awdit_session* session, OpKind kind, std::int64_t key,
                 std::int64_t value) noexcept {
  const Open::Op op{kind, integer(key), integer(value)};
  if (session != nullptr && session->open &&
      !session->builder->finished.load(std::memory_order_acquire) &&
      session->txn.ops.size() != session->txn.ops.capacity()) [[likely]] {
    session->registers = true;
    session->txn.ops.push_back(op);
    return AWDIT_OK;
  }
  return in_txn(session, [&](Open& txn, awdit_session& those) -> Trouble {
    those.registers = true;
    txn.ops.push_back(op);
    return std::nullopt;
  });
}

// -- the end of a transaction
// --------------------------------------------------

Atom atom_of(const Kept& kept, std::string_view texts, Builder::Shard& shard) {
  if (kept.kind != Atom::Kind::string) return {kept.bits, kept.kind};
  return shard.string(texts.substr(kept.bits, kept.size));
}

Failure mixed() {
  return misuse("a history holds lists or single values, not both",
                "Lists are written by append and read by read_list, single "
                "values by write and read.");
}

// REQUIRES: the builder is locked.
Trouble rules_of_whole(awdit_builder& builder, awdit_session& session) {
  const Open& txn = session.txn;
  const bool has_id = txn.id != AWDIT_NO_ID;
  if (builder.have_ids.value_or(has_id) != has_id) {
    return misuse("some transactions have ids, others have none",
                  "Give ids to all, or AWDIT_NO_ID.");
  }
  builder.have_ids = has_id;
  if (has_id && !session.ids.insert(txn.id).second) {
    return misuse("two transactions of a session have the id " +
                  std::to_string(txn.id));
  }
  builder.lists |= session.lists;
  builder.registers |= session.registers;
  if (builder.lists && builder.registers) return mixed();
  return std::nullopt;
}

void add_plain(const Open& txn, Builder::Shard& shard) {
  for (const Open::Op& op : txn.ops) {
    shard.access(op.kind == OpKind::write, {op.key_bits, Atom::Kind::integer},
                 {op.value_bits, Atom::Kind::integer});
  }
}

void add_any(const Open& txn, Builder::Shard& shard) {
  const auto atom = [&](const Kept& kept) {
    return atom_of(kept, txn.texts, shard);
  };
  std::vector<Atom> list;
  std::size_t next = 0;
  for (const Open::Op& op : txn.ops) {
    const Atom key = atom(op.key());
    if (op.kind != OpKind::read_list) {
      shard.operation(op.kind, key, atom(op.value()), {});
      continue;
    }
    list.clear();
    for (std::uint64_t i = 0; i < op.value_bits; ++i) {
      list.push_back(atom(txn.elements[next++]));
    }
    shard.read_list(key, list);
  }
}

// Takes over what a session kept. REQUIRES: the builder is locked.
void take_over(awdit_builder& builder, const awdit_session& session,
               const Open& txn, Status status) {
  Builder::Shard& shard = builder.shard;
  // Transactions without ids are numbered: no two are mixed up.
  shard.select({session.name.bits, session.name.kind},
               txn.id != AWDIT_NO_ID ? txn.id : builder.txns, status);
  ++builder.txns;
  if (txn.times) {
    builder.timed |= txn.times->begin != kNoTime || txn.times->end != kNoTime;
    shard.times(txn.times->begin, txn.times->end);
  }
  if (txn.ticks) shard.ticks(txn.ticks->begin, txn.ticks->end);
  if (txn.domain) shard.clock_domain(atom_of(*txn.domain, txn.texts, shard));
  if (txn.node) shard.node(atom_of(*txn.node, txn.texts, shard));
  if (txn.note) shard.meta(atom_of(*txn.note, txn.texts, shard));
  if (txn.plain) {
    add_plain(txn, shard);
  } else {
    add_any(txn, shard);
  }
}

// More operations than that are no longer held back, and room is made for so
// many: addresses, no memory. With still more they are copied in the end.
constexpr std::size_t kFew = 4096;
constexpr std::size_t kRoom = std::size_t{1} << 26;

void hold_back(awdit_builder& builder, const awdit_session& session, Open& txn,
               Status status) {
  builder.held_ops += txn.ops.size();
  builder.held_back.push_back({&session, status, std::move(txn)});
  txn = {};
  if (builder.held_ops <= kFew) return;
  try {
    builder.builder.reserve({&kRoom, 1});
  } catch (const std::bad_alloc&) {
    // Addresses are short: it grows as it can.
  }
  let_go(builder);
}

awdit_status end(awdit_session* session, Status status) noexcept {
  return in_txn(session, [&](Open& txn, awdit_session& those) -> Trouble {
    if (txn.times && ends_before_it_begins(*txn.times, txn.ticks)) {
      return misuse("a transaction ends before it begins",
                    std::string(kIntervalRemedy));
    }
    awdit_builder& builder = *those.builder;
    const std::lock_guard lock(builder.mutex);
    // Somebody else may have finished it, or broken a rule.
    if (builder.finished.load() || builder.broken) {
      return misuse("the history was finished, or a rule was broken before");
    }
    if (Trouble wrong = rules_of_whole(builder, those)) return wrong;
    those.open = false;
    if (!builder.flows) {
      hold_back(builder, those, txn, status);
      return std::nullopt;
    }
    take_over(builder, those, txn, status);
    txn.clear();
    return std::nullopt;
  });
}

}  // namespace

void let_go(awdit_builder& builder) {
  builder.flows = true;
  for (const Ended& ended : builder.held_back) {
    take_over(builder, *ended.session, ended.txn, ended.status);
  }
  builder.held_back = {};
}

void end_open(awdit_session& session) {
  if (session.open) end(&session, Status::unknown);
}

}  // namespace awdit::abi

using namespace awdit::abi;

extern "C" {

awdit_status awdit_session_begin(awdit_session* session,
                                 std::int64_t id) noexcept {
  return in(session, [&](awdit_session& those) -> Trouble {
    if (those.open) {
      return misuse("a transaction begins within another of its session",
                    "End the one before: commit, abort or unknown.");
    }
    those.open = true;
    those.txn.id = id;
    return std::nullopt;
  });
}

awdit_status awdit_session_read(awdit_session* session, const awdit_value* key,
                                const awdit_value* value) noexcept {
  return add(session, awdit::OpKind::read, key, value);
}
awdit_status awdit_session_write(awdit_session* session, const awdit_value* key,
                                 const awdit_value* value) noexcept {
  return add(session, awdit::OpKind::write, key, value);
}
awdit_status awdit_session_read_integer(awdit_session* session,
                                        std::int64_t key,
                                        std::int64_t value) noexcept {
  return add(session, awdit::OpKind::read, key, value);
}
awdit_status awdit_session_write_integer(awdit_session* session,
                                         std::int64_t key,
                                         std::int64_t value) noexcept {
  return add(session, awdit::OpKind::write, key, value);
}
awdit_status awdit_session_append(awdit_session* session,
                                  const awdit_value* key,
                                  const awdit_value* element) noexcept {
  return add(session, awdit::OpKind::append, key, element);
}
awdit_status awdit_session_read_list(awdit_session* session,
                                     const awdit_value* key,
                                     const awdit_value* elements,
                                     std::size_t count) noexcept {
  return in_txn(session, [&](Open& txn, awdit_session& those) -> Trouble {
    awdit::abi::Kept where{};
    if (!keep(txn, key, where) || (elements == nullptr && count != 0)) {
      return awdit::abi::no_value();
    }
    if (where.kind == awdit::Atom::Kind::nil) return misuse("a key is nil");
    for (std::size_t i = 0; i < count; ++i) {
      if (!keep(txn, &elements[i], txn.elements.emplace_back())) {
        return awdit::abi::no_value();
      }
    }
    txn.plain = false;
    those.lists = true;
    txn.ops.emplace_back(awdit::OpKind::read_list, where,
                         awdit::abi::Kept{count, 0, {}});
    return std::nullopt;
  });
}

awdit_status awdit_session_times(awdit_session* session, std::int64_t begin,
                                 std::int64_t end) noexcept {
  return in_txn(session, [&](Open& txn, awdit_session&) -> Trouble {
    txn.times = {begin, end};
    return std::nullopt;
  });
}
awdit_status awdit_session_ticks(awdit_session* session, std::int64_t begin,
                                 std::int64_t end) noexcept {
  return in_txn(session, [&](Open& txn, awdit_session&) -> Trouble {
    txn.ticks = {begin, end};
    return std::nullopt;
  });
}
awdit_status awdit_session_clock_domain(awdit_session* session,
                                        const char* domain) noexcept {
  return in_txn(session, [&](Open& txn, awdit_session&) -> Trouble {
    if (domain == nullptr) return misuse("the clock domain is NULL");
    txn.domain = keep(txn, domain);
    return std::nullopt;
  });
}
awdit_status awdit_session_node(awdit_session* session,
                                const char* node) noexcept {
  return in_txn(session, [&](Open& txn, awdit_session&) -> Trouble {
    if (node == nullptr) return misuse("the node is NULL");
    txn.node = keep(txn, node);
    return std::nullopt;
  });
}
awdit_status awdit_session_note(awdit_session* session,
                                const char* json) noexcept {
  return in_txn(session, [&](Open& txn, awdit_session&) -> Trouble {
    if (json == nullptr) return misuse("the note is NULL");
    const awdit::Result<std::string> compact = awdit::compact_json(json);
    if (!compact) {
      return misuse(compact.error().message, compact.error().hint);
    }
    txn.note = keep(txn, compact->c_str());
    return std::nullopt;
  });
}

awdit_status awdit_session_commit(awdit_session* session) noexcept {
  return awdit::abi::end(session, awdit::Status::committed);
}
awdit_status awdit_session_abort(awdit_session* session) noexcept {
  return awdit::abi::end(session, awdit::Status::aborted);
}
awdit_status awdit_session_unknown(awdit_session* session) noexcept {
  return awdit::abi::end(session, awdit::Status::unknown);
}

}  // extern "C"
