// The layout is this: a head of 64 bytes with the counts, a directory with two
// words per column (where, how many), the columns. `each_column` is the only
// list of columns; writing and reading walk it in the same order.
#include "history/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "base/buffer.h"
#include "history/audit.h"

namespace awdit {
namespace {

static_assert(std::endian::native == std::endian::little,
              "images are little-endian, and used in place");
static_assert(sizeof(History::OpSpan) == 8 && sizeof(History::Times) == 16 &&
              sizeof(ClockDomains::Relation) == 24);

struct Head {
  std::uint32_t sessions, txns, ops, keys;
  std::uint8_t clock;
  std::uint8_t flags;
  std::uint8_t initial_kind;
  std::uint8_t zero = 0;
  std::uint32_t columns;
  std::uint64_t initial_bits;
  std::uint64_t zeros[4] = {};
};
static_assert(sizeof(Head) == HistoryImage::kAlignment);

constexpr std::uint8_t kLabelsUnique = 1;
constexpr std::uint8_t kOneOpPerLine = 2;
// Whoever does not know of them must not compare the times.
constexpr std::uint8_t kClockDomains = 4;
constexpr std::uint8_t kNoInitialValue = 0xFF;

struct Entry {
  std::uint64_t offset;  // from the beginning of the image
  std::uint64_t count;   // elements; 0: there is no such column
};

constexpr std::size_t kFirstColumns = 27;
// Columns of a history whose clock has no name.
constexpr std::size_t kUsualColumns = 29;

constexpr std::size_t kMaxOps = 0xFFFF'FFF0u;
constexpr std::size_t kMaxTxns = 0x7FFF'FFF0u;

constexpr std::uint64_t kAny = UINT64_MAX;
enum class Need { always, optional };

std::size_t aligned(std::size_t size) {
  constexpr std::size_t kStep = HistoryImage::kAlignment;
  return (size + kStep - 1) / kStep * kStep;
}

template <typename T>
std::string_view bytes_of(const Array<T>& column) {
  return {reinterpret_cast<const char*>(column.data()),
          column.size() * sizeof(T)};
}

}  // namespace

// visit(name, column, how many elements it must have, whether it must exist)
template <typename AnyHistory, typename AnyExtras, typename Visit>
void HistoryImage::each_column(AnyHistory& h, AnyExtras& extras,
                               Visit&& visit) {
  const std::uint64_t sessions = h.sessions_, txns = h.txns_, ops = h.ops_,
                      keys = h.keys_;
  visit("session_first_txn", h.session_first_txn_, sessions + 1, Need::always);
  visit("session_bits", h.session_bits_, sessions, Need::always);
  visit("session_kind", h.session_kind_, sessions, Need::always);
  visit("txn_ops", h.txn_ops_, txns, Need::always);
  visit("txn_session", h.txn_session_, txns, Need::always);
  visit("txn_status", h.txn_status_, txns, Need::always);
  visit("txn_label", h.txn_label_, txns, Need::optional);
  visit("txn_times", h.txn_times_, txns, Need::optional);
  visit("txn_ticks", h.txn_ticks_, txns, Need::optional);
  visit("txn_node", h.txn_node_, txns, Need::optional);
  visit("txn_meta", h.txn_meta_, txns, Need::optional);
  visit("txn_line", h.txn_line_, txns, Need::optional);
  visit("input_order", h.input_order_, txns, Need::always);
  visit("op_word", h.op_word_, ops, Need::always);
  visit("op_value_32", h.op_value_.narrow_, ops, Need::optional);
  visit("op_value_64", h.op_value_.wide_, ops, Need::optional);
  visit("op_value_kind", h.op_value_kind_, ops, Need::optional);
  visit("op_line", h.op_line_, ops, Need::optional);
  visit("list_first", h.list_first_, ops + 1, Need::optional);
  visit("elements", extras.elements, kAny, Need::optional);
  visit("element_kind", h.element_kind_, kAny, Need::optional);
  visit("key_bits", h.key_bits_, keys, Need::always);
  visit("key_kind", h.key_kind_, keys, Need::optional);
  visit("string_first", h.strings_.first_, kAny, Need::optional);
  visit("string_bytes", h.strings_.bytes_, kAny, Need::optional);
  visit("warning_first", extras.warnings.first_, kAny, Need::optional);
  visit("warning_bytes", extras.warnings.bytes_, kAny, Need::optional);
  visit("about_first", extras.about.first_, kAny, Need::optional);
  visit("about_bytes", extras.about.bytes_, kAny, Need::optional);
  visit("txn_domain", h.txn_domain_, txns, Need::optional);
  visit("domain_first", extras.domains.first_, kAny, Need::optional);
  visit("domain_bytes", extras.domains.bytes_, kAny, Need::optional);
  visit("clock_relations", extras.relations, kAny, Need::optional);
}

Texts HistoryImage::pack(std::span<const std::string> texts) {
  if (texts.empty()) return {};
  Array<std::uint64_t> first(texts.size() + 1);
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    first[i] = all.size();
    all += texts[i];
  }
  first[texts.size()] = all.size();
  Array<char> bytes(all.size());
  std::copy(all.begin(), all.end(), bytes.begin());
  return {std::move(first), std::move(bytes)};
}

HistoryImage::HistoryImage(const History& history)
    : extras_{.warnings = pack(history.warnings_),
              .about = pack(history.about_),
              .domains = pack(history.domains_.names()),
              .elements = {},
              .relations = {}} {
  const auto relations = history.domains_.relations();
  extras_.elements = history.elements_.widened();
  extras_.relations = Array<ClockDomains::Relation>(relations.size());
  std::copy(relations.begin(), relations.end(), extras_.relations.begin());
  const bool domains = history.domains_.size() != 0;
  const std::optional<Atom>& initial = history.initial_value_;
  Head head{.sessions = history.sessions_,
            .txns = history.txns_,
            .ops = history.ops_,
            .keys = history.keys_,
            .clock = static_cast<std::uint8_t>(history.clock_),
            .flags = static_cast<std::uint8_t>(
                (history.labels_unique_ ? kLabelsUnique : 0) |
                (history.one_op_per_line_ ? kOneOpPerLine : 0) |
                (domains ? kClockDomains : 0)),
            .initial_kind = initial ? static_cast<std::uint8_t>(initial->kind)
                                    : kNoInitialValue,
            .columns = 0,
            .initial_bits = initial ? initial->bits : 0};
  std::vector<std::string_view> columns;
  std::vector<Entry> directory;
  each_column(history, extras_,
              [&](std::string_view, const auto& column, std::uint64_t, Need) {
                if (!domains && columns.size() == kUsualColumns) return;
                columns.push_back(bytes_of(column));
                directory.push_back({0, column.size()});
              });
  head.columns = static_cast<std::uint32_t>(columns.size());
  size_ = aligned(sizeof head + columns.size() * sizeof(Entry));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].empty()) continue;
    directory[i].offset = size_;
    size_ = aligned(size_ + columns[i].size());
  }
  head_.append(reinterpret_cast<const char*>(&head), sizeof head);
  head_.append(reinterpret_cast<const char*>(directory.data()),
               directory.size() * sizeof(Entry));
  columns.insert(columns.begin(), head_);
  static constexpr char kZeros[kAlignment] = {};
  for (const std::string_view column : columns) {
    if (column.empty()) continue;
    pieces_.push_back(column);
    if (const std::size_t gap = aligned(column.size()) - column.size()) {
      pieces_.emplace_back(kZeros, gap);
    }
  }
}

// Makes a history whose columns lie in `bytes`; the first thing that is wrong
// is kept, and what follows is skipped.
class HistoryImage::Reader {
 public:
  Reader(std::string_view bytes, const Origin& origin)
      : bytes_(bytes), origin_(origin) {}

  Result<History> run(std::shared_ptr<const void> keeper, unsigned threads) {
    History history;
    history.keeper_ = std::move(keeper);
    Extras extras;
    read_head(history);
    std::size_t number = 0;
    each_column(history, extras,
                [&](std::string_view name, auto& column, std::uint64_t count,
                    Need need) {
                  if (!error_) place(name, column, number++, count, need);
                });
    history.elements_ = WordColumn(std::move(extras.elements));
    if (!error_) relate(history);
    if (!error_) audit(history, extras, threads);
    if (!error_) take_domains(history, extras);
    if (error_) return *error_;
    for (std::size_t i = 0; i < extras.warnings.size(); ++i) {
      history.warnings_.emplace_back(extras.warnings[i]);
    }
    for (std::size_t i = 0; i < extras.about.size(); ++i) {
      history.about_.emplace_back(extras.about[i]);
    }
    return history;
  }

 private:
  void fail(std::size_t offset, std::string message,
            std::string_view remedy =
                "The checksum is right, so whatever wrote the file made this "
                "mistake. Write it again with awdit.") {
    error_ = Error{.where = fmt::format("{}:byte {}", origin_.name,
                                        origin_.offset + offset),
                   .message = std::move(message),
                   .hint = std::string(remedy)};
  }

  void read_head(History& history) {
    if (bytes_.size() < sizeof(Head)) {
      return fail(0, fmt::format("expected a head of {} bytes, found {}",
                                 sizeof(Head), bytes_.size()));
    }
    Head head;
    std::memcpy(&head, bytes_.data(), sizeof head);
    if (head.ops > kMaxOps || head.txns > kMaxTxns || head.keys > kMaxTxns) {
      return fail(0,
                  "there are more transactions, operations or keys than a "
                  "history may have");
    }
    if (head.clock > static_cast<std::uint8_t>(Clock::hybrid)) {
      return fail(offsetof(Head, clock), "there is no such clock");
    }
    if ((head.flags & ~(kLabelsUnique | kOneOpPerLine | kClockDomains)) != 0 ||
        ((head.flags & kClockDomains) != 0 && head.columns <= kUsualColumns) ||
        head.zero != 0 ||
        std::any_of(head.zeros, head.zeros + 4,
                    [](auto word) { return word != 0; })) {
      return fail(offsetof(Head, flags),
                  "flags are set that mean nothing in this version");
    }
    history.sessions_ = head.sessions;
    history.txns_ = head.txns;
    history.ops_ = head.ops;
    history.keys_ = head.keys;
    history.clock_ = Clock(head.clock);
    history.labels_unique_ = (head.flags & kLabelsUnique) != 0;
    history.one_op_per_line_ = (head.flags & kOneOpPerLine) != 0;
    if (head.initial_kind != kNoInitialValue) {
      history.initial_value_ =
          Atom{head.initial_bits, Atom::Kind(head.initial_kind)};
    }
    columns_ = head.columns;
    if ((head.flags & kClockDomains) == 0) {
      columns_ = std::min(columns_, kUsualColumns);
    }
  }

  template <typename T>
  void place(std::string_view name, Array<T>& column, std::size_t number,
             std::uint64_t wanted, Need need) {
    const std::size_t at = sizeof(Head) + number * sizeof(Entry);
    // Files of the first months have no columns about the recording.
    if (number >= columns_ && number >= kFirstColumns) return;
    if (number >= columns_ || bytes_.size() < at + sizeof(Entry)) {
      return fail(std::min(at, bytes_.size()),
                  fmt::format("the directory ends before the column {}", name));
    }
    Entry entry;
    std::memcpy(&entry, bytes_.data() + at, sizeof entry);
    if (entry.count == 0) {
      if (wanted != 0 && need == Need::always) {
        fail(at, fmt::format("the column {} is missing", name));
      }
      return;
    }
    if (wanted != kAny && entry.count != wanted) {
      return fail(at, fmt::format("the column {} has {} entries instead of {}",
                                  name, entry.count, wanted));
    }
    if (entry.offset % kAlignment != 0 || entry.offset > bytes_.size() ||
        entry.count > (bytes_.size() - entry.offset) / sizeof(T)) {
      return fail(at,
                  fmt::format("the column {} lies outside its block", name));
    }
    column = Array<T>::view(
        {reinterpret_cast<const T*>(bytes_.data() + entry.offset),
         entry.count});
  }

  // What columns must exist if others do.
  void relate(History& history) {
    History& h = history;
    const auto count = [](const auto& column) { return column.size(); };
    const std::size_t directory = sizeof(Head);
    h.op_value_.size_ = h.ops_;
    if (count(h.op_value_.narrow_) + count(h.op_value_.wide_) != h.ops_) {
      fail(directory, "expected either op_value_32 or op_value_64");
    } else if (!h.element_kind_.empty() &&
               count(h.element_kind_) != h.elements_.size()) {
      fail(directory, "element_kind is not as long as elements");
    } else if (h.list_first_.empty() && h.elements_.size() != 0) {
      fail(directory, "there are elements, but no lists");
    } else if (h.labels_unique_ && h.txn_label_.empty() && h.txns_ != 0) {
      fail(offsetof(Head, flags), "ids are said to be unique, but missing");
    }
  }

  // After the audit, which has looked at the texts.
  void take_domains(History& history, const Extras& extras) {
    constexpr std::int64_t kFarthest = ClockDomains::kFarthest;
    const std::size_t directory = sizeof(Head);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < extras.domains.size(); ++i) {
      if (names.size() == ClockDomains::kMost ||
          std::find(names.begin(), names.end(), extras.domains[i]) !=
              names.end()) {
        return fail(directory,
                    "there are too many clock domains, or one twice");
      }
      names.emplace_back(extras.domains[i]);
    }
    for (const std::uint32_t domain : history.txn_domain_) {
      if (domain >= names.size()) {
        return fail(directory, "there is no such clock domain");
      }
    }
    std::vector<ClockDomains::Relation> relations;
    for (const ClockDomains::Relation& relation : extras.relations) {
      if (relation.from >= names.size() || relation.to >= names.size() ||
          relation.from == relation.to || relation.error < 0 ||
          relation.error > kFarthest || relation.offset > kFarthest ||
          relation.offset < -kFarthest) {
        return fail(directory, "there is no such relation of clocks");
      }
      relations.push_back(relation);
    }
    std::optional<ClockDomains> domains =
        ClockDomains::make(std::move(names), std::move(relations));
    if (!domains) {
      return fail(directory,
                  "the clocks are related in ways that contradict each other");
    }
    history.domains_ = std::move(*domains);
  }

  void audit(History& history, const Extras& extras, unsigned threads) {
    const Audit::Finding found = Audit{history, extras}.run(threads);
    if (found.complaint != nullptr) {
      const auto* at = static_cast<const char*>(found.at);
      const std::size_t place =
          at == nullptr ? offsetof(Head, initial_bits)
                        : static_cast<std::size_t>(at - bytes_.data());
      return found.remedy.empty() ? fail(place, found.complaint)
                                  : fail(place, found.complaint, found.remedy);
    }
    history.has_unknown_ = found.has_unknown;
  }

  std::string_view bytes_;
  const Origin& origin_;
  std::size_t columns_ = 0;
  std::optional<Error> error_;
};

Result<History> HistoryImage::open(std::string_view bytes,
                                   std::shared_ptr<const void> keeper,
                                   const Origin& origin, unsigned threads) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Entry) != 0) {
    const auto kept = std::make_shared<const Buffer>(bytes);
    return Reader(kept->bytes(), origin).run(kept, threads);
  }
  return Reader(bytes, origin).run(std::move(keeper), threads);
}

void HistoryImage::settle_clock(History& history) {
  const Array<History::Times>& all = history.txn_times_;
  if (std::none_of(all.begin(), all.end(), [](const History::Times& times) {
        return times.begin != kNoTime || times.end != kNoTime;
      })) {
    history.clock_ = Clock::none;
  }
}

}  // namespace awdit
