// Parts are small histories of their own. They are opened in parallel, their
// texts are entered one part after the other (so that the result does not
// depend on threads), then each part fills a shard of its own.
#include "format/awdit_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "history/builder.h"
#include "history/image.h"

namespace awdit {
namespace {

Error mistake(const AwditPart& part, std::string message, std::string hint) {
  return Error{
      .where = fmt::format("{}:byte {}", part.input->name(), part.offset),
      .message = std::move(message),
      .hint = std::move(hint)};
}

constexpr const char* kIdsHint =
    "A recorder must give each transaction of a session an id of its own.";

// A part as the whole history names things.
struct Piece {
  const History* history;
  std::vector<Atom> texts;       // [string of the part]
  std::vector<Atom> domains;     // [clock domain of the part] -> its name
  std::int64_t first_label = 0;  // of transactions without ids

  Atom whole(Atom atom) const {
    return atom.kind == Atom::Kind::string ? texts[atom.bits] : atom;
  }
};

// Whether it holds something that a history of lists cannot.
bool has_registers(const History& history) {
  if (history.has_lists()) return false;
  for (std::uint32_t op = 0; op < history.num_ops(); ++op) {
    if (history.is_write(OpId(op)) || history.value(OpId(op)) != Atom::nil()) {
      return true;
    }
  }
  return false;
}

void fill(Builder::Shard& shard, const Piece& piece, bool ids) {
  const History& part = *piece.history;
  shard.reserve(part.num_ops());
  std::vector<Atom> list;
  std::int64_t label = piece.first_label;
  for (const std::uint32_t number : part.input_order()) {
    const TxnId txn(number);
    shard.select(
        piece.whole(part.session_atom(part.session(txn))),
        ids ? part.txn_label(txn).value_or(Builder::kNoLabel) : label++,
        part.status(txn));
    if (const auto times = part.times(txn)) {
      shard.times(times->begin, times->end);
    }
    if (const auto ticks = part.ticks(txn)) {
      shard.ticks(ticks->begin, ticks->end);
    }
    if (!part.has_one_clock()) {
      shard.clock_domain(piece.domains[part.clock_domain(txn)]);
    }
    if (const auto node = part.node_atom(txn)) shard.node(piece.whole(*node));
    if (const auto meta = part.meta_atom(txn)) shard.meta(piece.whole(*meta));
    for (const OpId op : part.ops(txn)) {
      const Atom key = piece.whole(part.key_atom(part.key(op)));
      const Atom value = piece.whole(part.value(op));
      if (!part.has_lists()) {
        part.is_write(op) ? shard.write(key, value) : shard.read(key, value);
      } else if (part.is_write(op)) {
        shard.append(key, value);
      } else {
        list.clear();
        for (std::size_t i = 0; i < part.list_size(op); ++i) {
          list.push_back(piece.whole(part.element(op, i)));
        }
        shard.read_list(key, list);
      }
    }
  }
}

// Names the transaction that two records claim to be.
Error twice(std::span<const AwditPart> parts, std::span<const Piece> pieces) {
  std::vector<std::tuple<Atom::Kind, std::uint64_t, std::int64_t, std::size_t>>
      seen;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const History& part = *pieces[i].history;
    for (const TxnId txn : part.txns()) {
      const Atom session =
          pieces[i].whole(part.session_atom(part.session(txn)));
      seen.emplace_back(session.kind, session.bits,
                        part.txn_label(txn).value_or(Builder::kNoLabel), i);
    }
  }
  std::sort(seen.begin(), seen.end());
  std::size_t second = parts.size() - 1;
  for (std::size_t i = 1; i < seen.size(); ++i) {
    const auto& [kind, bits, label, piece] = seen[i];
    if (std::tie(kind, bits, label) == std::tie(std::get<0>(seen[i - 1]),
                                                std::get<1>(seen[i - 1]),
                                                std::get<2>(seen[i - 1]))) {
      second = std::min(second, piece);
    }
  }
  return mistake(parts[second],
                 "a transaction has the id of an earlier one of its session",
                 kIdsHint);
}

}  // namespace

Result<History> join_parts(std::span<const AwditPart> parts,
                           std::string warning, unsigned threads) {
  std::vector<std::optional<Result<History>>> opened(parts.size());
  parallel_for(parts.size(), threads, [&](std::size_t i, unsigned) {
    opened[i] =
        HistoryImage::open(parts[i].image(), nullptr,
                           {parts[i].input->name(), parts[i].offset}, 1);
  });
  std::uint64_t txns = 0;
  std::size_t with_ids = 0;
  const AwditPart* lists = nullptr;
  const AwditPart* registers = nullptr;
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!*opened[i]) return std::move(opened[i]->error());
    const History& part = **opened[i];
    if (part.num_txns() != parts[i].header.transactions) {
      return mistake(parts[i],
                     fmt::format("{} transactions were recorded here, but only "
                                 "{} have an id of their own",
                                 parts[i].header.transactions, part.num_txns()),
                     kIdsHint);
    }
    pieces.push_back({&part, {}, {}, static_cast<std::int64_t>(txns)});
    txns += part.num_txns();
    // A part that only says something about the whole has nothing to name.
    with_ids += part.has_ids() || part.num_txns() == 0;
    if (part.has_lists() && lists == nullptr) lists = &parts[i];
    if (registers == nullptr && has_registers(part)) registers = &parts[i];
    if (part.clock() != pieces[0].history->clock()) {
      return mistake(parts[i], "this block has another clock than the first",
                     "Parts of one recording share their clock.");
    }
  }
  if (lists != nullptr && registers != nullptr) {
    return mistake(std::max(*lists, *registers,
                            [](const AwditPart& a, const AwditPart& b) {
                              return a.offset < b.offset;
                            }),
                   "a history holds lists or single values, not both",
                   "Record appends and list reads, or writes and reads.");
  }

  Builder builder({.initial_value = std::nullopt,
                   .labels_are_ids = with_ids == parts.size(),
                   .clock = pieces[0].history->clock()});
  std::optional<Atom> initial;
  std::vector<Builder::Shard*> shards;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Piece& piece = pieces[i];
    const Texts& texts = piece.history->strings();
    for (std::size_t t = 0; t < texts.size(); ++t) {
      piece.texts.push_back(builder.string(texts[t]));
    }
    std::optional<Atom> mine = piece.history->initial_value();
    if (mine) mine = piece.whole(*mine);
    if (i == 0) initial = mine;
    if (mine != initial) {
      return mistake(parts[i],
                     "this block has another initial value than the first",
                     "Parts of one recording share their initial value.");
    }
    shards.push_back(&builder.add_shard());
    piece.domains =
        carry_clock_domains(*piece.history, builder, *shards.back());
  }
  builder.set_initial_value(initial);
  for (const Piece& piece : pieces) {
    for (const std::string& json : piece.history->about()) builder.about(json);
  }
  if (!warning.empty()) builder.warn(std::move(warning));
  const bool ids = with_ids == parts.size();
  if (!ids && with_ids != 0) {
    builder.warn(
        "some transactions have ids and others have none; the ids are "
        "left out.");
  }
  parallel_for(parts.size(), threads, [&](std::size_t i, unsigned) {
    fill(*shards[i], pieces[i], ids);
  });
  Result<History> history = builder.finish(threads);
  if (history && history->num_txns() != txns) return twice(parts, pieces);
  if (history) HistoryImage::settle_clock(*history);
  return history;
}

}  // namespace awdit
