// rw-register: short transactions that read and write a few hot registers, as
// Jepsen's generator for Elle makes them (Kingsbury and Alvaro, VLDB 2020). See
// docs/workloads/rw-register.md.
//
// Few keys, most of the traffic on the first of them, and keys that are
// replaced after some writes: conflicts of every kind come up in every mix.
#include <string>
#include <vector>

#include "workload/key_pool.h"
#include "workload/rows.h"
#include "workload/small_workload.h"

namespace awdit {
namespace {

class RwRegister final : public SmallWorkload<RwRegister> {
 public:
  explicit RwRegister(const WorkloadOptions& options)
      : pool_(options.settings, options.seed),
        longest_(options.settings.number("longest")),
        reads_(options.settings.share("reads")),
        ordered_(options.settings.share("ordered")) {}

  std::vector<std::string> all() const { return pool_.all(); }

  Task task(Random random, std::uint32_t) {
    // By operation: whether it writes.
    std::vector<bool> writes(1 + random.below(longest_));
    bool read_only = true;
    for (std::size_t i = 0; i < writes.size(); ++i) {
      writes[i] = !reads_(random);
      read_only = read_only && !writes[i];
    }
    std::vector<std::string> keys;  // to be written, in this order
    for (const bool write : writes) {
      if (write) keys.push_back(pool_.to_write(random));
    }
    if (ordered_(random)) pool_.sort(keys);
    auto key = keys.begin();
    co_await step::begin("registers", read_only);
    for (const bool write : writes) {
      if (write) {
        co_await step::write(*key++);
      } else {
        co_await step::read(pool_.to_read(random));
      }
    }
    co_await step::commit();
  }

 private:
  KeyPool pool_;
  std::uint32_t longest_;
  Coin reads_;
  Coin ordered_;
};

}  // namespace

std::unique_ptr<Workload> make_rw_register(const WorkloadOptions& options) {
  return std::make_unique<RwRegister>(options);
}

}  // namespace awdit
