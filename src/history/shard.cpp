// A piece of the input on its way into columns: see builder.h.
#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "history/builder.h"

namespace awdit {

bool ends_before_it_begins(const History::Times& times,
                           const std::optional<History::Times>& ticks) {
  const auto backwards = [](const History::Times& interval) {
    return interval.end != kNoTime && interval.end < interval.begin;
  };
  if (times.begin != times.end || times.begin == kNoTime) {
    return backwards(times);
  }
  return ticks && backwards(*ticks);
}

std::uint64_t Builder::Shard::hash_of(Atom atom) {
  return mix64(atom.bits + 0x9e3779b97f4a7c15u *
                               (1 + static_cast<std::uint64_t>(atom.kind)));
}

void Builder::Shard::reserve(std::size_t operations) {
  if (operations <= keys_.size()) return;
  keys_.enlarge(operations, size_);
  values_.enlarge(operations, size_);
  Array<std::uint64_t> larger(operations / 64 + 1);
  if (size_ != 0) {
    std::memcpy(larger.data(), writes_.data(),
                (size_ / 64 + 1) * sizeof(std::uint64_t));
  }
  writes_ = std::move(larger);
  if (!segment_of_.empty()) {
    Array<std::uint32_t> segments(operations);
    std::copy_n(segment_of_.begin(), size_, segments.begin());
    segment_of_ = std::move(segments);
  }
}

void Builder::Shard::add_kind(PageVector<std::uint8_t>& kinds, Atom atom) {
  // Memory that is never written costs nothing; growing copies does.
  if (kinds.empty()) kinds.reserve(keys_.size());
  // All operations before the first one of another kind were integers.
  if (kinds.size() + 1 < size_) kinds.resize(size_ - 1, 0);
  kinds.push_back(static_cast<std::uint8_t>(atom.kind));
}

void Builder::Shard::select_slow(Atom session, std::int64_t label,
                                 Status status) {
  const auto fresh = static_cast<std::uint32_t>(sessions_.size());
  const std::uint32_t slot = session_index_.find_or_insert(
      hash_of(session), fresh,
      [&](std::uint32_t item) { return sessions_[item].label == session; });
  if (slot == fresh) sessions_.push_back({session, FlatIndex::kAbsent});
  Session& chosen = sessions_[slot];
  if (chosen.open == FlatIndex::kAbsent ||
      segments_[chosen.open].label != label) {
    chosen.open = static_cast<std::uint32_t>(segments_.size());
    segments_.push_back({slot & 0x3FFF'FFFFu,
                         static_cast<std::uint32_t>(status) & 3u, 0, label});
  }
  if (chosen.open + 1 != segments_.size() && segment_of_.empty()) {
    interleave();
  }
  segment_ = chosen.open;
  last_session_ = session;
  last_label_ = label;
}

// Operations have lain segment after segment until now.
void Builder::Shard::interleave() {
  segment_of_ = Array<std::uint32_t>(keys_.size());
  std::uint32_t* at = segment_of_.data();
  for (std::uint32_t i = 0; i < segments_.size(); ++i) {
    at = std::fill_n(at, segments_[i].ops, i);
  }
}

void Builder::Shard::times(std::int64_t begin, std::int64_t end) {
  times_.push_back({segment_, {begin, end}});
}

void Builder::Shard::ticks(std::int64_t begin, std::int64_t end) {
  ticks_.push_back({segment_, {begin, end}});
}

void Builder::Shard::read_list(Atom key, std::span<const Atom> elements) {
  has_lists_ = true;
  if (elements.empty()) {
    read(key, Atom::nil());
    return;
  }
  lists_.push_back({static_cast<std::uint32_t>(size_),
                    static_cast<std::uint32_t>(elements.size())});
  if (num_elements_ + elements.size() > elements_.size()) {
    reserve_elements(num_elements_ * 2 + elements.size());
  }
  for (const Atom element : elements) {
    elements_.set(num_elements_++, element.bits);
    if (element.kind != Atom::Kind::integer || !element_kinds_.empty()) {
      element_kinds_.resize(num_elements_, 0);
      element_kinds_.back() = static_cast<std::uint8_t>(element.kind);
    }
  }
  read(key, elements.back());
}

void Builder::Shard::rename_texts(std::span<const std::uint32_t> names) {
  const auto rename = [&](std::span<const std::uint8_t> kinds, auto& column) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (Atom::Kind(kinds[i]) != Atom::Kind::string) continue;
      if constexpr (std::is_same_v<decltype(column), WordColumn&>) {
        column.set(i, names[column[i]]);
      } else {
        column[i] = names[column[i]];
      }
    }
  };
  rename(key_kinds_, keys_);
  rename(value_kinds_, values_);
  rename(element_kinds_, elements_);
  for (Session& session : sessions_) {
    if (session.label.kind == Atom::Kind::string) {
      session.label.bits = names[session.label.bits];
    }
  }
  for (NoteOf& node : nodes_) node.note = names[node.note];
  for (NoteOf& meta : metas_) meta.note = names[meta.note];
  for (NoteOf& domain : domains_) domain.note = names[domain.note];
  if (domain_) domain_ = names[*domain_];
}

}  // namespace awdit
