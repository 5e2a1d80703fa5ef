// write-skew: pairs of fresh keys; who finds both absent writes one of them. If
// two do so, each missed the other's write: serializability forbids it,
// snapshot isolation does not. Jepsen's G2 test, without its predicates. See
// docs/workloads/write-skew.md.
//
// Attempts are numbered by a counter that all sessions share: those at one pair
// happen at about the same time, on different sides of it in turn.
#include <atomic>
#include <string>
#include <vector>

#include "workload/rows.h"
#include "workload/small_workload.h"

namespace awdit {
namespace {

class WriteSkew final : public SmallWorkload<WriteSkew> {
 public:
  explicit WriteSkew(const WorkloadOptions& options)
      : attempts_(options.settings.number("attempts")) {}

  std::vector<std::string> all() const {
    std::vector<std::string> keys;
    const std::uint64_t end = next_.load(std::memory_order_relaxed);
    for (std::uint64_t pair = 0; pair * attempts_ < end; ++pair) {
      keys.push_back(key(pair, 0));
      keys.push_back(key(pair, 1));
    }
    return keys;
  }

  Task task(Random, std::uint32_t) {
    const std::uint64_t attempt = next_.fetch_add(1, std::memory_order_relaxed);
    const std::uint64_t pair = attempt / attempts_;
    const std::uint64_t side = attempt % attempts_ % 2;
    co_await step::begin("claim");
    const Row one = co_await step::read(key(pair, 0));
    const Row other = co_await step::read(key(pair, 1));
    if (!one.exists && !other.exists) {
      co_await step::write(key(pair, side));
    }
    co_await step::commit();
  }

 private:
  static std::string key(std::uint64_t pair, std::uint64_t side) {
    return "skew:" + std::to_string(pair) + (side == 0 ? ":a" : ":b");
  }

  std::uint64_t attempts_;
  std::atomic<std::uint64_t> next_{0};
};

}  // namespace

std::unique_ptr<Workload> make_write_skew(const WorkloadOptions& options) {
  return std::make_unique<WriteSkew>(options);
}

}  // namespace awdit
