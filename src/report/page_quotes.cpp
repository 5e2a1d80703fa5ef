#include "report/page_quotes.h"

#include <algorithm>
#include <utility>

namespace awdit {
namespace {

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kBase = 0x0b5a'd4ce'da1c'e2a9;  // any, below kPrime
static_assert(kBase < kPrime);

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  const auto low = static_cast<std::uint64_t>(product) & kPrime;
  const auto high = static_cast<std::uint64_t>(product >> 61);
  const std::uint64_t sum = low + high;
  return sum >= kPrime ? sum - kPrime : sum;
}

constexpr std::uint64_t power(std::size_t exponent) {
  std::uint64_t result = 1, square = kBase;
  for (; exponent != 0; exponent >>= 1, square = times(square, square)) {
    if ((exponent & 1) != 0) result = times(result, square);
  }
  return result;
}

std::uint64_t extended(std::uint64_t fingerprint, char next) {
  // From 1, so that zero bytes count.
  const std::uint64_t sum = times(fingerprint, kBase) +
                            static_cast<unsigned char>(next) + std::uint64_t{1};
  return sum >= kPrime ? sum - kPrime : sum;
}

std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t result = 0;
  for (const char c : text) result = extended(result, c);
  return result;
}

// Of what stands between two places, from those of what stands before them.
std::uint64_t window(std::uint64_t before_first, std::uint64_t before_last,
                     std::uint64_t shift) {
  const std::uint64_t shifted = times(before_first, shift);
  return before_last >= shifted ? before_last - shifted
                                : before_last + kPrime - shifted;
}

constexpr std::uint64_t kHeadShift = power(Quotes::kHead);

}  // namespace

void Quotes::add(std::string text, std::string shorter) {
  if (entries_.size() == kMost || text == shorter) return;
  const std::string_view all = text;
  Entry entry{.head = fingerprint(all.substr(0, kHead)),
              .whole = fingerprint(all),
              .power = power(all.size()),
              .text = {},
              .shorter = std::move(shorter)};
  steps_ += all.size();
  const auto place = std::ranges::find_if(entries_, [&](const Entry& other) {
    return other.head > entry.head ||
           (other.head == entry.head && other.text.size() <= all.size());
  });
  for (auto at = place; at != entries_.end() && at->head == entry.head &&
                        at->text.size() == all.size();
       ++at) {
    if (at->whole != entry.whole) continue;
    steps_ += all.size();
    if (at->text == all) return;
  }
  entry.text = std::move(text);
  entries_.insert(place, std::move(entry));
}

std::string Quotes::replaced(std::string_view sentence) const {
  if (entries_.empty() || sentence.size() < kHead) return std::string(sentence);
  std::vector<std::uint64_t> before(sentence.size() + 1);
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    before[i + 1] = extended(before[i], sentence[i]);
  }
  steps_ += sentence.size();
  std::string result;
  std::size_t at = 0;
  while (at + kHead <= sentence.size()) {
    const std::uint64_t head =
        window(before[at], before[at + kHead], kHeadShift);
    auto entry = std::ranges::lower_bound(entries_, head, {}, &Entry::head);
    const auto matches = [&] {
      const std::size_t size = entry->text.size();
      ++steps_;
      if (size > sentence.size() - at ||
          window(before[at], before[at + size], entry->power) != entry->whole) {
        return false;
      }
      steps_ += size;
      return sentence.compare(at, size, entry->text) == 0;
    };
    while (entry != entries_.end() && entry->head == head && !matches()) {
      ++entry;
    }
    ++steps_;
    if (entry == entries_.end() || entry->head != head) {
      result += sentence[at++];
    } else {
      result += entry->shorter;
      at += entry->text.size();
    }
  }
  result += sentence.substr(at);
  return result;
}

}  // namespace awdit
