#include "workload/small_workload.h"

namespace awdit {

// Keys per transaction, as Elle has it: enough to show an order between writes
// of different keys, and short enough to commit where reads can be refused.
constexpr std::size_t kFinalReads = 8;

Task final_reads(std::vector<std::string> keys, bool lists) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i % kFinalReads == 0) co_await step::begin("final-read", true);
    if (lists) {
      co_await step::read_list(keys[i]);
    } else {
      co_await step::read(keys[i]);
    }
    if (i % kFinalReads == kFinalReads - 1 || i + 1 == keys.size()) {
      co_await step::commit();
    }
  }
}

}  // namespace awdit
