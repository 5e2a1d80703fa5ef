// Whose clock a time was read from, and what is known between two clocks.
//
// Two machines have two clocks; so have two runs on one machine that each
// anchored theirs. Times of one domain are compared as they are. Between two
// domains a time says nothing, unless somebody measured how far their clocks
// are apart: the clock of `to` shows `offset` more than that of `from`, give or
// take `error`. Then what ended in one domain ended before what began in the
// other if that is so however the clocks stood within the error.
//
// Idea: each relation bounds the difference of two clocks from above and from
// below; bounds add up along relations, so that the best bound between any two
// domains is a shortest path. Relations that contradict each other are a cycle
// of negative length, and then there is no such thing as a best bound.
// So "ended before" is transitive and has no cycles across domains, as within.
// Cost: O(domains^3), once; domains are machines, and few.
// Part of the front door history.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awdit {

class ClockDomains {
 public:
  struct Relation {
    std::uint32_t from, to;  // domains
    std::int64_t offset;     // what the clock of `to` shows more ...
    std::int64_t error;      // ... give or take this
    friend bool operator==(const Relation&, const Relation&) = default;
  };
  static constexpr std::size_t kMost = 512;
  // Of offsets and errors; 73 years in nanoseconds.
  static constexpr std::int64_t kFarthest = std::int64_t{1} << 61;

  ClockDomains() = default;
  // REQUIRES: at most kMost names, all different; relations are between
  // different ones, |offset| and error at most kFarthest, error not negative.
  // Empty: the relations contradict each other.
  static std::optional<ClockDomains> make(std::vector<std::string> names,
                                          std::vector<Relation> relations);

  // 0: nobody named a domain, and there is one clock.
  std::size_t size() const { return names_.size(); }
  std::span<const std::string> names() const { return names_; }
  // For messages; the domain of those who named none is "".
  std::string shown(std::uint32_t domain) const;
  std::span<const Relation> relations() const { return relations_; }

  // Whether anything is known between the two.
  bool related(std::uint32_t a, std::uint32_t b) const {
    return a == b || most(a, b) != kUnknown;
  }
  // Whether what ended at `end` in one domain had certainly ended when
  // something began at `begin` in the other. REQUIRES: a != b.
  bool ended_before(std::uint32_t a, std::int64_t end, std::uint32_t b,
                    std::int64_t begin) const {
    const std::int64_t ahead = most(a, b);
    std::int64_t at = 0;
    if (ahead == kUnknown) return false;
    if (__builtin_add_overflow(end, ahead, &at)) return ahead < 0;
    return at < begin;
  }
  // What to add to times of the domain to show them beside those of others: the
  // middle of what is known, or 0. Not for verdicts.
  std::int64_t shift(std::uint32_t domain) const {
    return shift_.empty() ? 0 : shift_[domain];
  }

 private:
  static constexpr std::int64_t kUnknown = INT64_MAX;
  // How much more the clock of b shows than that of a, at the most.
  std::int64_t most(std::uint32_t a, std::uint32_t b) const {
    return most_.empty() ? kUnknown : most_[a * names_.size() + b];
  }

  std::vector<std::string> names_;
  std::vector<Relation> relations_;
  std::vector<std::int64_t> most_;   // [a * size + b]; empty: nothing is known
  std::vector<std::int64_t> shift_;  // [domain]; likewise
};

}  // namespace awdit
