// fracture: groups of keys that are only ever written together, and readers
// that read a whole group in some order, some of them a key twice. Who sees
// parts of two writers' groups, or two values of one key, saw a transaction in
// pieces. See docs/workloads/fracture.md.
//
// Writers go through a group in one order: those that wait for each other then
// never do so in a circle.
#include <string>
#include <vector>

#include "workload/draw.h"
#include "workload/rows.h"
#include "workload/small_workload.h"

namespace awdit {
namespace {

class Fracture final : public SmallWorkload<Fracture> {
 public:
  explicit Fracture(const WorkloadOptions& options)
      : groups_(options.settings.number("groups")),
        size_(options.settings.number("size")),
        reads_(options.settings.share("reads")),
        twice_(options.settings.share("twice")),
        locks_(options.settings.share("locks")) {}

  void load(const PutInitial& put) const override {
    for (const std::string& key : all()) put(key, "");
  }

  std::vector<std::string> all() const {
    std::vector<std::string> keys;
    for (std::uint32_t number = 0; number < groups_; ++number) {
      for (std::string& key : group(number)) keys.push_back(std::move(key));
    }
    return keys;
  }

  Task task(Random random, std::uint32_t) {
    std::vector<std::string> keys = group(random.below(groups_));
    if (reads_(random)) {
      shuffle(keys, random);
      if (twice_(random)) keys.push_back(keys[random.below(size_)]);
      co_await step::begin("read-group", locks_.never());
      for (const std::string& key : keys) {
        const bool locks = !locks_.never() && locks_(random);
        co_await step::read(key, locks);
      }
    } else {
      co_await step::begin("write-group");
      for (const std::string& key : keys) co_await step::write(key);
    }
    co_await step::commit();
  }

 private:
  std::vector<std::string> group(std::uint32_t number) const {
    std::vector<std::string> keys;
    for (std::uint32_t i = 0; i < size_; ++i) {
      keys.push_back("group:" + std::to_string(number) + ":" +
                     std::to_string(i));
    }
    return keys;
  }

  std::uint32_t groups_;
  std::uint32_t size_;
  Coin reads_;
  Coin twice_;
  Coin locks_;
};

}  // namespace

std::unique_ptr<Workload> make_fracture(const WorkloadOptions& options) {
  return std::make_unique<Fracture>(options);
}

}  // namespace awdit
