// list-append: short transactions that append to a few hot lists and read them
// whole, as Jepsen's generator for Elle makes them (Kingsbury and Alvaro, VLDB
// 2020). See docs/workloads/list-append.md.
//
// A list that was read tells the order of all its writes, which no register
// does: a lost element, a repeated one, or two orders are seen by one read. One
// that is read behind an append of the reader's own also tells which version
// the reader made its own from; so such reads are made on purpose.
#include <string>
#include <vector>

#include "workload/key_pool.h"
#include "workload/rows.h"
#include "workload/small_workload.h"

namespace awdit {
namespace {

class ListAppend final : public SmallWorkload<ListAppend, true> {
 public:
  explicit ListAppend(const WorkloadOptions& options)
      : pool_(options.settings, options.seed),
        longest_(options.settings.number("longest")),
        reads_(options.settings.share("reads")),
        own_reads_(options.settings.share("own-reads")),
        ordered_(options.settings.share("ordered")) {}

  std::vector<std::string> all() const { return pool_.all(); }

  Task task(Random random, std::uint32_t) {
    // By operation: whether it appends.
    std::vector<bool> appends(1 + random.below(longest_));
    bool read_only = true;
    for (std::size_t i = 0; i < appends.size(); ++i) {
      appends[i] = !reads_(random);
      read_only = read_only && !appends[i];
    }
    std::vector<std::string> keys;  // to be appended to, in this order
    for (const bool append : appends) {
      if (append) keys.push_back(pool_.to_write(random));
    }
    if (ordered_(random)) pool_.sort(keys);
    auto key = keys.begin();
    co_await step::begin("lists", read_only);
    std::string appended;  // the key it appended to last
    for (const bool append : appends) {
      if (append) {
        appended = *key++;
        co_await step::append(appended);
      } else if (!appended.empty() && own_reads_(random)) {
        co_await step::read_list(appended);
      } else {
        co_await step::read_list(pool_.to_read(random));
      }
    }
    co_await step::commit();
  }

 private:
  KeyPool pool_;
  std::uint32_t longest_;
  Coin reads_;
  Coin own_reads_;
  Coin ordered_;
};

}  // namespace

std::unique_ptr<Workload> make_list_append(const WorkloadOptions& options) {
  return std::make_unique<ListAppend>(options);
}

}  // namespace awdit
