// list-append: short transactions that append to a few hot lists and read them
// whole, as Jepsen's generator for Elle makes them (Kingsbury and Alvaro, VLDB
// 2020). See docs/workloads/list-append.md.
//
// A list that was read tells the order of all its writes, which no register
// does: a lost element, a repeated one, or two orders are seen by one read.
#include <string>
#include <vector>

#include "workload/final_reads.h"
#include "workload/key_pool.h"
#include "workload/plain_client.h"
#include "workload/rows.h"

namespace awdit {
namespace {

class ListAppend final : public Workload {
 public:
  explicit ListAppend(const WorkloadOptions& options)
      : pool_(options.settings, options.seed),
        longest_(options.settings.number("longest")),
        reads_(options.settings.share("reads")) {}

  std::unique_ptr<Client> client(std::uint32_t session) override {
    return std::make_unique<PlainClient<ListAppend>>(*this, session);
  }

  std::optional<Task> finale() override {
    return final_list_reads(pool_.all());
  }

  Task task(Random random, std::uint32_t) {
    // By operation: whether it appends.
    std::vector<bool> appends(1 + random.below(longest_));
    bool read_only = true;
    for (std::size_t i = 0; i < appends.size(); ++i) {
      appends[i] = !reads_(random);
      read_only = read_only && !appends[i];
    }
    co_await step::begin("lists", read_only);
    for (const bool append : appends) {
      if (append) {
        co_await step::append(pool_.to_write(random));
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
};

}  // namespace

std::unique_ptr<Workload> make_list_append(const WorkloadOptions& options) {
  return std::make_unique<ListAppend>(options);
}

}  // namespace awdit
