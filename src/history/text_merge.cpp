// Idea: the hashes of the texts cut them into parts of which no two share a
// text, so that threads can look for equal ones without asking each other. Each
// part is gone through in the order of the tables: the first of equal texts
// stands for all of them. How many first ones a table has, and their bytes, say
// where its numbers and texts begin; so nothing depends on the parts.
//
// Cost: a hash per text, and one place in memory that is asked for early.
#include "history/text_merge.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace awdit {
namespace {

// Fewer texts than this are not worth a thread.
constexpr std::size_t kWorthThread = 1024;
// How far ahead texts are asked for.
constexpr std::size_t kAhead = 12;

class Merger {
 public:
  Merger(std::span<const TextTable* const> tables, unsigned threads)
      : tables_(tables) {
    merged_.first = Array<std::uint64_t>(tables.size() + 1, 0);
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t < tables.size(); ++t) {
      sum += tables[t]->size();
      merged_.first[t + 1] = sum;
    }
    threads_ = static_cast<unsigned>(
        std::min<std::uint64_t>(threads, sum / kWorthThread + 1));
  }

  MergedTexts run() {
    const std::size_t sum = merged_.first[tables_.size()];
    if (sum == 0) return std::move(merged_);
    hashes_ = Array<std::uint64_t>(sum);
    merged_.numbers = Array<std::uint32_t>(sum);
    for_each_table([&](std::size_t t) { hash(t); });
    parallel_for(threads_, threads_,
                 [&](std::size_t part, unsigned) { join(part); });
    hashes_.reset();
    count();
    for_each_table([&](std::size_t t) { number_first(t); });
    for_each_table([&](std::size_t t) { number_others(t); });
    merged_.texts = Texts(std::move(ends_), std::move(bytes_));
    return std::move(merged_);
  }

 private:
  struct Sum {
    std::uint64_t texts = 0, bytes = 0;
  };

  template <typename Body>
  void for_each_table(Body&& body) const {
    parallel_for(tables_.size(), threads_,
                 [&](std::size_t t, unsigned) { body(t); });
  }

  void hash(std::size_t t) {
    const TextTable& table = *tables_[t];
    for (std::size_t i = 0; i < table.size(); ++i) {
      hashes_[merged_.first[t] + i] = TextWords(table[i]).hash();
    }
  }

  bool is_in(std::size_t part, std::uint64_t hash) const {
    return (hash >> 32) * threads_ >> 32 == part;
  }

  // Numbers of texts of this part become the place of the first equal one.
  void join(std::size_t part) {
    struct First {
      const std::uint64_t* record;
      std::uint32_t place;
    };
    PageVector<First> firsts;
    FlatIndex index;
    std::size_t most = 0;  // of one table, so as many at least
    for (const TextTable* table : tables_) most = std::max(most, table->size());
    index.reserve(most / threads_);
    // As many at most, or nearly so; what is not used is never touched.
    firsts.reserve(hashes_.size() / threads_);
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      const TextTable& table = *tables_[t];
      const std::uint64_t begin = merged_.first[t];
      for (std::size_t i = 0; i < table.size(); ++i) {
        if (i + 3 * kAhead < table.size()) {
          const std::uint64_t last = hashes_[begin + i + 3 * kAhead];
          if (is_in(part, last)) index.expect(last);
          const std::uint64_t later = hashes_[begin + i + 2 * kAhead];
          if (is_in(part, later)) {
            const std::uint32_t item = index.likely(later);
            if (item < firsts.size()) __builtin_prefetch(&firsts[item]);
          }
          const std::uint64_t soon = hashes_[begin + i + kAhead];
          if (is_in(part, soon)) {
            const std::uint32_t item = index.likely(soon);
            if (item < firsts.size()) __builtin_prefetch(firsts[item].record);
          }
        }
        if (!is_in(part, hashes_[begin + i])) continue;
        const std::string_view text = table[i];
        const auto fresh = static_cast<std::uint32_t>(firsts.size());
        const std::uint32_t found = index.find_or_insert(
            hashes_[begin + i], fresh, [&](std::uint32_t item) {
              return TextTable::text_of(firsts[item].record) == text;
            });
        if (found == fresh) {
          firsts.push_back(
              {table.record(i), static_cast<std::uint32_t>(begin + i)});
        }
        merged_.numbers[begin + i] = firsts[found].place;
      }
    }
  }

  // Calls body(place, text) for those that stand for all equal ones.
  template <typename Body>
  void for_each_first(std::size_t t, Body&& body) const {
    for (std::size_t i = 0; i < tables_[t]->size(); ++i) {
      const std::uint64_t place = merged_.first[t] + i;
      if (firsts_[place]) body(place, (*tables_[t])[i]);
    }
  }

  void count() {
    firsts_ = Array<std::uint8_t>(merged_.numbers.size());
    before_.resize(tables_.size() + 1);
    for_each_table([&](std::size_t t) {
      for (std::uint64_t p = merged_.first[t]; p < merged_.first[t + 1]; ++p) {
        firsts_[p] = merged_.numbers[p] == p;
      }
      Sum& sum = before_[t + 1];
      for_each_first(t, [&](std::uint64_t, std::string_view text) {
        ++sum.texts;
        sum.bytes += text.size();
      });
    });
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      before_[t + 1].texts += before_[t].texts;
      before_[t + 1].bytes += before_[t].bytes;
    }
    ends_ = Array<std::uint64_t>(before_.back().texts + 1);
    ends_[0] = 0;
    bytes_ = Array<char>(before_.back().bytes);
  }

  void number_first(std::size_t t) {
    Sum at = before_[t];
    for_each_first(t, [&](std::uint64_t place, std::string_view text) {
      std::copy(text.begin(), text.end(), bytes_.data() + at.bytes);
      at.bytes += text.size();
      merged_.numbers[place] = static_cast<std::uint32_t>(at.texts++);
      ends_[at.texts] = at.bytes;
    });
  }

  void number_others(std::size_t t) {
    for (std::uint64_t p = merged_.first[t]; p < merged_.first[t + 1]; ++p) {
      if (!firsts_[p]) merged_.numbers[p] = merged_.numbers[merged_.numbers[p]];
    }
  }

  const std::span<const TextTable* const> tables_;
  unsigned threads_;  // parts as well
  MergedTexts merged_;
  Array<std::uint64_t> hashes_;  // [place]
  Array<std::uint8_t> firsts_;   // [place] -> no equal text comes before it
  std::vector<Sum> before_;      // [table] -> first ones in those before it
  Array<std::uint64_t> ends_;    // [text + 1] -> its first byte
  Array<char> bytes_;
};

}  // namespace

MergedTexts merge_texts(std::span<const TextTable* const> tables,
                        unsigned threads) {
  return Merger(tables, threads).run();
}

}  // namespace awdit
