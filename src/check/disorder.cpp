#include "check/disorder.h"

#include <algorithm>
#include <bit>

namespace awdit {
namespace {

constexpr std::uint32_t kSample = 4096;  // readers, about
// Of them, one in so many contradicts the order; if they are fewer, it may be
// mended. And what is contradicted would be this part of it, did nothing
// overlap.
constexpr std::uint32_t kContradicting = 256;
constexpr std::uint32_t kCovered = 4;
// Or one in so many transactions is suspect, which is far too many to be
// mended.
constexpr std::uint32_t kSuspects = 16;

}  // namespace

bool is_in_disorder(Index& index, const Rule& rule, std::uint32_t above) {
  const History& history = index.history();
  const std::uint32_t txns = history.num_txns();
  if (rule.sample == nullptr || txns < above || !index.suspects().any ||
      !index.acyclic() || history.has_lists() || !history.session_order() ||
      history.num_sessions() > std::max(64u, txns / 8)) {
    return false;
  }
  const std::uint32_t one_in = std::bit_floor(std::max(txns / kSample, 1u));
  Inferences sample(index, one_in);
  rule.sample(index, sample);
  if (sample.contradictions() * kContradicting >= txns / one_in &&
      sample.contradicted_ranks() * one_in >= txns / kCovered) {
    return true;
  }
  if (!rule.needs_acyclic) return false;
  // What is depended on at some distance is not in the sample.
  index.find_suspects();
  const auto suspects = std::ranges::count(index.suspects().txns, 1);
  return suspects * kSuspects >= txns;
}

}  // namespace awdit
