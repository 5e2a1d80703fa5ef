#include "polygraph/saturate.h"

#include <algorithm>
#include <numeric>

namespace awdit {
namespace {

// A multiple of what a vector register holds.
std::uint32_t padded(std::uint32_t chains) { return (chains + 3) & ~3u; }

void join(std::int32_t* into, const std::int32_t* from, std::uint32_t width) {
  for (std::uint32_t i = 0; i < width; ++i) {
    into[i] = std::max(into[i], from[i]);
  }
}

}  // namespace

Saturation::Saturation(const Points& points, const Budget& budget)
    : points_(points),
      polygraph_(points.polygraph()),
      budget_(budget),
      pace_(budget),
      width_(padded(points.chains())),
      clocks_(std::size_t{points.size()} * width_),
      order_(points.size()),
      place_(points.size()),
      changed_(points.size(), 1),
      reached_(width_) {
  for (std::size_t point = 0; point < points.size(); ++point) {
    std::fill_n(clocks_.data() + point * width_, width_, 0);
    pace_.step(width_ / 4);
  }
  // Transactions ascend along known dependencies; where real time's points
  // belong, arrange() finds out.
  std::iota(order_.begin(), order_.end(), 0u);
  std::iota(place_.begin(), place_.end(), 0u);
  for (const Polygraph::Known& known : polygraph_.known) {
    const std::size_t before = facts_.size();
    add(known.older, known.newer, kNoId);
    if (facts_.size() != before) facts_.back().shown = known.shown;
  }
}

std::uint64_t Saturation::bytes(const Points& points) {
  return std::uint64_t{points.size()} * (padded(points.chains()) * 4 + 17);
}

Saturation::End Saturation::run() {
  std::size_t done = 0;
  for (;; ++round_) {
    budget_.ask();
    into_ = NumberLists(points_.size(), [&](auto&& add) {
      for (std::uint32_t i = 0; i < dependencies_.size(); ++i) {
        add(dependencies_[i].to, i);
      }
    });
    if (!arrange(done)) return End::cycle;
    advance_clocks(done);
    done = dependencies_.size();
    const std::size_t facts = facts_.size();
    for (std::uint32_t key = 0; key < polygraph_.keys; ++key) infer_key(key);
    if (!stale_.empty()) return End::cycle;
    if (facts == facts_.size()) return End::fixed_point;
  }
}

// Makes order_ topological again, close to what it was: before a point is put
// out, what leads to it is. False: there is a cycle.
bool Saturation::arrange(std::size_t first_new) {
  const bool times = round_ == 0 && points_.chains() != polygraph_.chains;
  const bool agrees = std::all_of(
      dependencies_.begin() + static_cast<std::ptrdiff_t>(first_new),
      dependencies_.end(),
      [&](const Dependency& d) { return place_[d.from] < place_[d.to]; });
  if (agrees && !times) return true;
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::vector<std::uint8_t> state(points_.size(), kNew);
  struct Frame {
    std::uint32_t point;
    std::uint32_t next;  // 0: previous, then sources, then dependencies
  };
  std::vector<Frame> stack;
  std::vector<std::uint32_t> order;
  order.reserve(order_.size());
  for (const std::uint32_t root : order_) {
    if (state[root] != kNew) continue;
    state[root] = kOpen;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      Frame& frame = stack.back();
      const std::uint32_t point = frame.point;
      const std::uint32_t at = frame.next++;
      const auto sources = points_.sources(point);
      const auto dependencies = into(point);
      std::uint32_t wanted = kNoId;
      if (at == 0) {
        wanted = points_.previous(point);
      } else if (at - 1 < sources.size()) {
        wanted = sources[at - 1];
      } else if (at - 1 - sources.size() < dependencies.size()) {
        wanted = dependencies_[dependencies[at - 1 - sources.size()]].from;
      } else {
        state[point] = kDone;
        order.push_back(point);
        stack.pop_back();
        continue;
      }
      if (wanted == kNoId || state[wanted] == kDone) continue;
      if (state[wanted] == kOpen) return false;
      state[wanted] = kOpen;
      stack.push_back({wanted, 0});
    }
  }
  order_ = std::move(order);
  for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  return true;
}

void Saturation::advance_clocks(std::size_t first_new) {
  const bool all = round_ == 0;
  const auto raise = [&](std::int32_t* clock, std::uint32_t from) {
    pace_.step(width_ / 4);
    join(clock, this->clock(from), width_);
    std::int32_t& own = clock[points_.chain(from)];
    own = std::max(own, static_cast<std::int32_t>(points_.position(from)) + 1);
  };
  std::vector<std::uint8_t> changed(points_.size(), 0);
  std::vector<std::int32_t> before(width_);
  for (const std::uint32_t point : order_) {
    pace_.step();
    std::int32_t* clock = clocks_.data() + std::size_t{point} * width_;
    bool touched = false;
    const auto touch = [&](std::uint32_t from) {
      if (!touched) {
        touched = true;
        std::copy_n(clock, width_, before.data());
      }
      raise(clock, from);
    };
    const std::uint32_t previous = points_.previous(point);
    if (previous != kNoId && (all || changed[previous] != 0)) touch(previous);
    for (const std::uint32_t from : points_.sources(point)) {
      if (all || changed[from] != 0) touch(from);
    }
    for (const std::uint32_t i : into(point)) {
      const std::uint32_t from = dependencies_[i].from;
      if (i >= first_new || changed[from] != 0) touch(from);
    }
    changed[point] =
        all || (touched && !std::equal(before.begin(), before.end(), clock));
  }
  changed_ = std::move(changed);
}

bool Saturation::changed(std::uint32_t version) const {
  const std::uint32_t writer = polygraph_.writer[version];
  if (changed_[points_.commit(writer)] != 0) return true;
  for (const std::uint32_t reader : polygraph_.readers[version]) {
    if (changed_[points_.snapshot(reader)] != 0) return true;
  }
  return false;
}

// How many transactions of each chain must be older than `version` where they
// write its key.
void Saturation::look_behind(std::uint32_t version, std::int32_t* reached) {
  const std::int32_t* own = clock(points_.commit(polygraph_.writer[version]));
  const auto readers = polygraph_.readers[version];
  if (!points_.split()) {
    std::copy_n(own, width_, reached);
    for (const std::uint32_t reader : readers) {
      join(reached, clock(reader), width_);
    }
    return;
  }
  std::fill_n(reached, width_, 0);
  for (const std::uint32_t reader : readers) {
    join(reached, clock(points_.snapshot(reader)), width_);
  }
  // Readers: their commit must lead there. The writer: under `snapshot` it is
  // enough that their snapshot does.
  const std::int32_t round_up =
      points_.forbidden() == Forbidden::snapshot ? 1 : 0;
  for (std::uint32_t i = 0; i < width_; ++i) {
    reached[i] = std::max(reached[i] >> 1, (own[i] + round_up) >> 1);
  }
}

void Saturation::infer_key(std::uint32_t key) {
  const std::uint32_t begin = polygraph_.key_first[key];
  const std::uint32_t end = polygraph_.key_first[key + 1];
  groups_.clear();
  for (std::uint32_t v = begin; v < end; ++v) {
    const std::uint32_t chain = polygraph_.chain[polygraph_.writer[v]];
    if (groups_.empty() || groups_.back().chain != chain) {
      groups_.push_back({chain, v, v});
    }
    groups_.back().last = v + 1;
  }
  infer_initial(key);
  for (std::uint32_t v = begin; v < end; ++v) {
    if (!changed(v)) continue;
    pace_.step(width_ / 4 * (1 + polygraph_.readers[v].size()) +
               groups_.size());
    look_behind(v, reached_.data());
    for (const Group& group : groups_) {
      const std::int32_t count = reached_[group.chain];
      if (count == 0) continue;
      // The last version of the group by one of the first `count`.
      std::uint32_t at = group.last;
      if (group.last - group.first > 8) {
        at = static_cast<std::uint32_t>(
            std::partition_point(polygraph_.writer.begin() + group.first,
                                 polygraph_.writer.begin() + group.last,
                                 [&](std::uint32_t txn) {
                                   return static_cast<std::int32_t>(
                                              polygraph_.position[txn]) < count;
                                 }) -
            polygraph_.writer.begin());
      } else {
        while (at > group.first &&
               static_cast<std::int32_t>(
                   polygraph_.position[polygraph_.writer[at - 1]]) >= count) {
          --at;
        }
      }
      if (at > group.first && at - 1 == v) --at;
      if (at == group.first) continue;
      add(at - 1, v, polygraph_.writer[v]);
    }
  }
}

void Saturation::infer_initial(std::uint32_t key) {
  const auto readers = polygraph_.initial_readers[key];
  if (readers.empty()) return;
  if (points_.forbidden() == Forbidden::parallel) {
    for (const std::uint32_t reader : readers) {
      if (changed_[reader] == 0) continue;
      pace_.step(groups_.size());
      for (const Group& group : groups_) {
        if (leads(polygraph_.writer[group.first], reader)) {
          stale_.push_back({reader, group.first});
        }
      }
    }
  }
  if (round_ != 0) return;
  for (const Group& group : groups_) {
    add(Polygraph::kInitial, group.first, kNoId);
  }
}

// The dependencies of the fact, if some are new.
void Saturation::add(std::uint32_t older, std::uint32_t newer,
                     std::uint32_t trigger) {
  const auto fact = static_cast<std::uint32_t>(facts_.size());
  bool fresh = false;
  const auto visit = [&](std::uint32_t from, std::uint32_t to) {
    pace_.step();
    if (leads(from, to)) return;
    fresh = true;
    dependencies_.push_back({from, to, fact});
  };
  if (older == Polygraph::kInitial) {
    points_.for_each_initial_edge(newer, visit);
  } else {
    points_.for_each_edge(older, newer, visit);
  }
  if (!fresh) return;
  if (older != Polygraph::kInitial && trigger != kNoId) {
    // Who it leads to: the writer if it does, otherwise one of the readers.
    const std::uint32_t before = polygraph_.writer[older];
    const std::uint32_t from = points_.forbidden() == Forbidden::snapshot
                                   ? points_.snapshot(before)
                                   : points_.commit(before);
    if (!leads(from, points_.commit(trigger))) {
      for (const std::uint32_t reader : polygraph_.readers[newer]) {
        if (leads(points_.commit(before), points_.snapshot(reader))) {
          trigger = reader;
          break;
        }
      }
    }
  }
  facts_.push_back(
      {older, newer, trigger, kNoId, trigger == kNoId ? 0 : round_ + 1});
}

}  // namespace awdit
