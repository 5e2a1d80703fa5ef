// chain: causes that travel. Someone writes the first key of a chain; someone
// else reads it and writes the second; and so on; at the end someone reads the
// last key and the first, and must not see the consequence without its cause.
// See docs/workloads/chain.md.
//
// Each task is one of these roles, drawn anew, so causes wander through all
// sessions without anybody waiting for anybody. Who writes the first key reads
// it before: that tells which of its values is the older one.
#include <string>
#include <vector>

#include "workload/rows.h"
#include "workload/small_workload.h"

namespace awdit {
namespace {

class Chain final : public SmallWorkload<Chain> {
 public:
  explicit Chain(const WorkloadOptions& options)
      : chains_(options.settings.number("chains")),
        hops_(options.settings.number("hops")),
        first_(options.settings.share("cause-first")) {}

  void load(const PutInitial& put) const override {
    for (const std::string& key : all()) put(key, "");
  }

  std::vector<std::string> all() const {
    std::vector<std::string> keys;
    for (std::uint32_t chain = 0; chain < chains_; ++chain) {
      for (std::uint32_t place = 0; place < hops_; ++place) {
        keys.push_back(key(chain, place));
      }
    }
    return keys;
  }

  Task task(Random random, std::uint32_t) {
    const std::uint32_t chain = random.below(chains_);
    const std::uint32_t role = random.below(hops_ + 1);
    if (role == 0) {
      co_await step::begin("cause");
      co_await step::read(key(chain, 0));
      co_await step::write(key(chain, 0));
    } else if (role < hops_) {
      co_await step::begin("link");
      co_await step::read(key(chain, role - 1));
      co_await step::write(key(chain, role));
    } else {
      const bool first = first_(random);
      co_await step::begin("look", true);
      co_await step::read(key(chain, first ? 0 : hops_ - 1));
      co_await step::read(key(chain, first ? hops_ - 1 : 0));
    }
    co_await step::commit();
  }

 private:
  static std::string key(std::uint32_t chain, std::uint32_t place) {
    return "chain:" + std::to_string(chain) + ":" + std::to_string(place);
  }

  std::uint32_t chains_;
  std::uint32_t hops_;  // from the cause to the look: as many as keys
  Coin first_;
};

}  // namespace

std::unique_ptr<Workload> make_chain(const WorkloadOptions& options) {
  return std::make_unique<Chain>(options);
}

}  // namespace awdit
