// A version of a list is made of blocks: all that one transaction appends to
// the key, in program order, one transaction after another. Whoever reads has
// the version as it was, followed by what it has appended itself so far. A list
// that cannot be that, whatever the commit order, is a finding; the first that
// fits counts:
//
//   thin air           an element that nobody appended; or the empty list,
//                      where there is no initial state
//   aborted            an element that nobody appended who counts
//   future             an element that the reader appends only later
//   own write ignored  the list does not end with what the reader has appended;
//                      (stale, if it ends with an older one of these)
//   intermediate       the rest is not made of whole blocks
//   duplicate element  an element that is there twice
//   incompatible       not a beginning of the longest list of the key (of
//                      several: the first) among those without a finding
//
// The makers of the blocks of a sound list, with the reader itself behind them
// after own appends, are in the order of the versions, and everybody else who
// appends to the key comes after them.
#include "oracle/list_findings.h"

#include <algorithm>

namespace awdit::oracle {
namespace {

bool begins(const List& list, const List& longer) {
  return list.size() <= longer.size() &&
         std::equal(list.begin(), list.end(), longer.begin());
}

bool ends(const List& list, const List& longer) {
  return list.size() <= longer.size() &&
         std::equal(list.rbegin(), list.rend(), longer.rbegin());
}

bool contains(const List& list, std::uint32_t element) {
  return std::find(list.begin(), list.end(), element) != list.end();
}

class Judge {
 public:
  Judge(const History& history, Facts& facts)
      : history_(history), facts_(facts) {}

  void run() {
    facts_.lists = true;
    facts_.blocks.resize(facts_.init);
    facts_.list_reads.resize(facts_.init);
    for (TxnId t : history_.txns()) note(t);
    for (std::uint32_t t : facts_.live) {
      for (const ListRead& read : facts_.list_reads[t]) {
        if (const std::optional<Kind> kind = finding(read)) {
          facts_.read_findings.insert({*kind, read.op});
        } else {
          sound_[read.key].push_back(&read);
        }
      }
    }
    for (auto& [key, reads] : sound_) compare(reads);
    for (const auto& [key, reads] : sound_) {
      for (const ListRead* read : reads) conclude(*read);
    }
    std::sort(facts_.reads.begin(), facts_.reads.end(),
              [](const Read& a, const Read& b) { return a.op < b.op; });
  }

 private:
  struct Append {
    std::uint32_t txn, op;
  };

  std::uint32_t number(Atom atom) {
    const auto next = static_cast<std::uint32_t>(numbers_.size());
    return numbers_.try_emplace({static_cast<int>(atom.kind), atom.bits}, next)
        .first->second;
  }

  void note(TxnId t) {
    const bool live = facts_.live.contains(t.v);
    std::map<std::uint32_t, List> own;
    for (OpId op : history_.ops(t)) {
      const std::uint32_t key = history_.key(op).v;
      if (history_.is_write(op)) {
        const std::uint32_t element = number(history_.value(op));
        own[key].push_back(element);
        appends_[{key, element}].push_back({t.v, op.v});
        continue;
      }
      if (!live) continue;
      List list;
      for (std::size_t i = 0; i < history_.list_size(op); ++i) {
        list.push_back(number(history_.element(op, i)));
      }
      facts_.list_reads[t.v].push_back({op.v, t.v, key, own[key], list});
    }
    if (!live) return;
    std::erase_if(own, [](const auto& block) { return block.second.empty(); });
    facts_.blocks[t.v] = std::move(own);
  }

  // Who appended it, of those who count.
  std::optional<Append> maker(std::uint32_t key, std::uint32_t element) const {
    const auto found = appends_.find({key, element});
    if (found == appends_.end()) return std::nullopt;
    for (const Append& append : found->second) {
      if (facts_.live.contains(append.txn)) return append;
    }
    return std::nullopt;
  }

  // The list without what the reader itself has appended. REQUIRES: it ends so.
  static List others_part(const ListRead& read) {
    return {read.list.begin(),
            read.list.end() - static_cast<long>(read.own.size())};
  }

  // Who made each block, or nothing if it is not made of whole ones. REQUIRES:
  // everything in it was appended by somebody who counts.
  std::optional<std::vector<std::uint32_t>> makers(std::uint32_t key,
                                                   const List& list) const {
    std::vector<std::uint32_t> result;
    for (List rest = list; !rest.empty();) {
      const std::uint32_t t = maker(key, rest.front())->txn;
      const List& block = facts_.blocks[t].at(key);
      if (!begins(block, rest)) return std::nullopt;
      rest.erase(rest.begin(), rest.begin() + static_cast<long>(block.size()));
      result.push_back(t);
    }
    return result;
  }

  std::optional<Kind> finding(const ListRead& read) const {
    const List& list = read.list;
    const auto any = [&](auto wrong) {
      return std::any_of(list.begin(), list.end(), wrong);
    };
    if (list.empty() && !history_.initial_value()) return Kind::thin_air_read;
    if (any([&](std::uint32_t e) { return !appends_.contains({read.key, e}); }))
      return Kind::thin_air_read;
    if (any([&](std::uint32_t e) { return !maker(read.key, e); }))
      return Kind::aborted_read;
    if (any([&](std::uint32_t e) {
          const Append append = *maker(read.key, e);
          return append.txn == read.reader && append.op > read.op;
        })) {
      return Kind::future_read;
    }
    if (!ends(read.own, list)) {
      return !list.empty() && contains(read.own, list.back()) &&
                     list.back() != read.own.back()
                 ? Kind::stale_own_write
                 : Kind::own_write_ignored;
    }
    if (!makers(read.key, others_part(read))) return Kind::intermediate_read;
    if (std::set<std::uint32_t>(list.begin(), list.end()).size() < list.size())
      return Kind::duplicate_element;
    return std::nullopt;
  }

  // Takes away those that contradict the longest.
  void compare(std::vector<const ListRead*>& reads) {
    const auto first = [](const ListRead* a, const ListRead* b) {
      return a->op < b->op;
    };
    const auto shorter = [](const ListRead* a, const ListRead* b) {
      return a->list.size() < b->list.size();
    };
    std::sort(reads.begin(), reads.end(), first);
    const ListRead* longest =
        *std::max_element(reads.begin(), reads.end(), shorter);
    std::erase_if(reads, [&](const ListRead* read) {
      if (begins(read->list, longest->list)) return false;
      facts_.read_findings.insert({Kind::incompatible_order, read->op});
      facts_.longest_list[read->op] = longest->op;
      return true;
    });
  }

  void conclude(const ListRead& read) {
    std::vector<std::uint32_t> order = *makers(read.key, others_part(read));
    const std::uint32_t source = order.empty() ? facts_.init : order.back();
    facts_.reads.push_back({read.op, read.reader, source, read.key});
    if (!read.own.empty()) order.push_back(read.reader);
    for (auto older = order.begin(); older != order.end(); ++older) {
      for (std::uint32_t newer : facts_.writers.at(read.key)) {
        const bool not_later =
            newer == facts_.init ||
            std::find(order.begin(), older + 1, newer) != older + 1;
        if (!not_later) facts_.listed.insert({read.key, *older, newer});
      }
    }
  }

  const History& history_;
  Facts& facts_;
  std::map<std::pair<int, std::uint64_t>, std::uint32_t> numbers_;
  // key and element -> who appended it, whatever became of them
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Append>>
      appends_;
  // key -> reads that have no finding so far
  std::map<std::uint32_t, std::vector<const ListRead*>> sound_;
};

}  // namespace

void judge_lists(const History& history, Facts& facts) {
  Judge(history, facts).run();
}

}  // namespace awdit::oracle
