// Idea: eight bytes of each text, as a number, decide nearly always; so texts
// are sorted by their first eight, then those that agree there by the next
// eight, and so on: no text is looked at twice for the same bytes. Many numbers
// are sorted byte by byte, which asks nothing that a processor might guess
// wrong. Bytes that are missing count as 0, which is below all others; a text
// that ends among bytes that others share comes before them, the shorter one
// first. Many texts at a time are sorted by all threads together, in chunks
// that are then merged in pairs; few are a task for one thread. The result
// depends on neither, because no two texts are equal.
//
// Why not std::sort with texts: every comparison is waiting for two places in
// memory, and keys of one table begin alike.
// Cost: a pass per byte that differs, for every eight bytes that texts share.
#include "history/text_order.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace awdit {
namespace {

using Entry = TextToSort;

// Fewer are one task.
constexpr std::size_t kFew = 4096;

// Fewer are sorted by comparing.
constexpr std::size_t kManyBytes = 512;

// Texts that agree in their first `depth` bytes.
struct Range {
  std::size_t begin, end, depth;
  std::size_t size() const { return end - begin; }
};

// Whatever comes of equal ones: the next eight bytes tell them apart.
bool before(const Entry& a, const Entry& b) { return a.front < b.front; }

// Sorts by `front`, byte by byte from the last one; bytes that all have in
// common are skipped. The scratch is as large.
void sort_by_bytes(std::span<Entry> entries, Entry* scratch) {
  std::uint64_t varies = 0;
  for (const Entry& entry : entries) varies |= entry.front ^ entries[0].front;
  Entry* from = entries.data();
  Entry* to = scratch;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if ((varies >> shift & 0xFF) == 0) continue;
    std::array<std::size_t, 256> place{};  // [byte] -> where the next one goes
    for (std::size_t i = 0; i < entries.size(); ++i) {
      ++place[from[i].front >> shift & 0xFF];
    }
    std::size_t sum = 0;
    for (std::size_t& count : place) sum += std::exchange(count, sum);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      to[place[from[i].front >> shift & 0xFF]++] = from[i];
    }
    std::swap(from, to);
  }
  if (from != entries.data()) {
    std::copy(from, from + entries.size(), entries.data());
  }
}

// The eight bytes from `depth` on, the first one highest.
std::uint64_t front_of(std::string_view text, std::size_t depth) {
  std::uint64_t front = 0;
  if (text.size() >= depth + 8) {
    for (std::size_t b = 0; b < 8; ++b) {
      front = front << 8 | static_cast<unsigned char>(text[depth + b]);
    }
    return front;
  }
  for (std::size_t b = depth; b < depth + 8; ++b) {
    front = front << 8 |
            (b < text.size() ? static_cast<unsigned char>(text[b]) : 0);
  }
  return front;
}

class Sorter {
 public:
  Sorter(std::span<Entry> entries, const Texts& texts, unsigned threads)
      : entries_(entries),
        texts_(texts),
        threads_(threads),
        scratch_(entries.size()) {}

  void run() {
    std::vector<Range> many, few;
    add({0, entries_.size(), 0}, many, few);
    while (!many.empty()) {
      const Range range = many.back();
      many.pop_back();
      sort_together(range);
      split(range, [&](Range rest) { add(rest, many, few); });
    }
    parallel_for(few.size(), threads_,
                 [&](std::size_t i, unsigned) { sort_alone(few[i]); });
  }

 private:
  static void add(Range range, std::vector<Range>& many,
                  std::vector<Range>& few) {
    if (range.size() > 1) (range.size() < kFew ? few : many).push_back(range);
  }

  void look(std::size_t begin, std::size_t end, std::size_t depth) {
    for (std::size_t i = begin; i < end; ++i) {
      entries_[i].front = front_of(texts_[entries_[i].number], depth);
    }
  }

  void sort(std::size_t begin, std::size_t end) {
    const std::span<Entry> range = entries_.subspan(begin, end - begin);
    if (range.size() < kManyBytes) {
      std::sort(range.begin(), range.end(), before);
    } else {
      sort_by_bytes(range, scratch_.data() + begin);
    }
  }

  void sort_alone(Range range) {
    std::vector<Range> ranges{range};
    while (!ranges.empty()) {
      const Range next = ranges.back();
      ranges.pop_back();
      look(next.begin, next.end, next.depth);
      sort(next.begin, next.end);
      split(next, [&](Range rest) {
        if (rest.size() > 1) ranges.push_back(rest);
      });
    }
  }

  // Chunk by chunk, then two neighbours into one until one is left.
  void sort_together(Range range) {
    const std::size_t chunks = std::max(threads_, 1u);
    const auto border = [&](std::size_t chunk) {
      return range.begin + range.size() * std::min(chunk, chunks) / chunks;
    };
    parallel_for(chunks, threads_, [&](std::size_t c, unsigned) {
      look(border(c), border(c + 1), range.depth);
      sort(border(c), border(c + 1));
    });
    for (std::size_t step = 1; step < chunks; step *= 2) {
      const std::size_t pairs = (chunks + 2 * step - 1) / (2 * step);
      parallel_for(pairs, threads_, [&](std::size_t pair, unsigned) {
        const std::size_t first = pair * 2 * step;
        const Entry* const from = entries_.data();
        std::merge(from + border(first), from + border(first + step),
                   from + border(first + step), from + border(first + 2 * step),
                   scratch_.data() + border(first), before);
        std::copy(scratch_.data() + border(first),
                  scratch_.data() + border(first + 2 * step),
                  entries_.data() + border(first));
      });
    }
  }

  // Calls body(range) for texts whose next eight bytes do not tell them apart.
  // REQUIRES: they are sorted by these.
  template <typename Body>
  void split(Range range, Body&& body) {
    for (std::size_t begin = range.begin; begin < range.end;) {
      std::size_t end = begin + 1;
      while (end < range.end && entries_[end].front == entries_[begin].front) {
        ++end;
      }
      if (end - begin > 1) {
        body(Range{put_ended_first(begin, end, range.depth + 8), end,
                   range.depth + 8});
      }
      begin = end;
    }
  }

  // Texts that have no byte at `depth` go to the front, the shorter ones first.
  // Returns where the others begin. (There are several only if a byte is 0.)
  std::size_t put_ended_first(std::size_t begin, std::size_t end,
                              std::size_t depth) {
    const auto size = [&](const Entry& entry) {
      return texts_[entry.number].size();
    };
    Entry* const first = entries_.data() + begin;
    Entry* const rest = std::partition(
        first, entries_.data() + end,
        [&](const Entry& entry) { return size(entry) <= depth; });
    std::sort(first, rest, [&](const Entry& a, const Entry& b) {
      return size(a) < size(b);
    });
    return static_cast<std::size_t>(rest - entries_.data());
  }

  const std::span<Entry> entries_;
  const Texts& texts_;
  const unsigned threads_;
  Array<Entry> scratch_;  // of the same size
};

}  // namespace

void sort_texts(std::span<TextToSort> entries, const Texts& texts,
                unsigned threads) {
  Sorter(entries, texts, threads).run();
}

}  // namespace awdit
