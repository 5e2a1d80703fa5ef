#include "format/jsonl_piece.h"

#include <utility>

#include "format/pieces.h"
#include "format/text_place.h"

namespace awdit {
namespace {

using Txn = JsonlTransaction;

std::size_t count_ops(std::string_view text) {
  std::size_t ops = 0;
  for (std::size_t i = 0; (i = text.find("[\"", i)) != std::string_view::npos;
       i += 2) {
    ++ops;
  }
  return ops;
}

}  // namespace

std::size_t JsonlPiece::estimate_ops() const {
  return estimate({begin(), static_cast<std::size_t>(end() - begin())},
                  count_ops);
}

const char* odd_jsonl_id(bool has_id) {
  return has_id ? "this transaction has an id, unlike those before"
                : "this transaction has no id, unlike those before";
}

// Whether nothing but blanks stands before `p` in its file.
bool JsonlPiece::begins_file(const char* p) const {
  const std::string_view bytes = input->bytes();
  return bytes.find_first_not_of(" \t\r\n", byte_order_mark(bytes)) >=
         spot(p).offset;
}

void JsonlPiece::add(const JsonlLine& line, const char* start,
                     std::uint32_t number, const Terms& terms) {
  const Txn& txn = line.txn;
  const bool has_id = txn.has(Txn::id_field);
  if (txns++ == 0) {
    first_txn = spot(start);
    ids = has_id;
  }
  if (ids != has_id) return fail(start, odd_jsonl_id(has_id), kJsonlIdHint);
  // A name of its own for each transaction that has none.
  const auto place = static_cast<std::int64_t>((std::uint64_t{file} << 44) +
                                               spot(start).offset);
  shard->select(txn.session, has_id ? txn.id : place, txn.status);
  if (terms.only_file) shard->txn_line(number);
  if (txn.has(Txn::times_field)) {
    if (terms.no_clock) {
      return fail(start,
                  "there are times, but the header says \"clock\": "
                  "\"none\"",
                  kJsonlHeaderHint);
    }
    if (ends_before_it_begins(txn.times, txn.has(Txn::ticks_field)
                                             ? std::optional(txn.ticks)
                                             : std::nullopt)) {
      return fail(txn.times_at, "the transaction ends before it begins",
                  kIntervalRemedy);
    }
    timed |= txn.times.begin != kNoTime || txn.times.end != kNoTime;
    shard->times(txn.times.begin, txn.times.end);
  }
  if (txn.has(Txn::ticks_field)) {
    shard->ticks(txn.ticks.begin, txn.ticks.end);
  }
  if (txn.has(Txn::domain_field)) shard->clock_domain(txn.domain);
  if (txn.has(Txn::node_field)) shard->node(txn.node);
  if (txn.has(Txn::meta_field)) shard->meta(txn.meta);
  const Atom* elements = txn.elements.data();
  for (const Txn::Op& op : txn.ops) {
    shard->operation(op.kind, op.key, op.value, {elements, op.size});
    elements += op.size;
  }
}

void JsonlPiece::parse(const Terms& terms) {
  constexpr std::size_t kBite = std::size_t{4} << 20;
  if (terms.domain) shard->clock_domain_of_all(shard->string(*terms.domain));
  JsonlLine line(*shard);
  const char* released = begin();
  shard->lines = for_each_line(line, [&](const char* start, const char* next,
                                         std::uint32_t number) {
    if (next == nullptr) {
      mistake = line.json.mistake();
      if (line.is_header) hint = kJsonlHeaderHint;
    } else if (line.is_header) {
      if (!begins_file(start)) {
        fail(start, "a header must be the first line", kJsonlHeaderHint);
      }
    } else if (line.is_about) {
      about.push_back(std::move(line.about));
    } else {
      add(line, start, number, terms);
    }
    if (mistake.at != nullptr) {
      at = spot(mistake.at);
      return false;
    }
    // Pages of the file can go as soon as they are read.
    if (tail.empty() && static_cast<std::size_t>(next - released) >= kBite) {
      input->release(spot(released).offset, spot(next).offset);
      released = next;
    }
    return true;
  });
  shard->close();
  if (line.list_op != nullptr) list_op = spot(line.list_op);
  if (line.register_op != nullptr) register_op = spot(line.register_op);
}

}  // namespace awdit
