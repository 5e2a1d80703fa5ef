// rw-register: short transactions that read and write a few hot registers, as
// Jepsen's generator for Elle makes them. See docs/workloads/rw-register.md.
#include <string>

#include "workload/rows.h"

namespace awdit {
namespace {

class RwRegister final : public Workload {
 public:
  explicit RwRegister(const WorkloadOptions& options)
      : keys_(options.settings.number("keys")),
        longest_(options.settings.number("longest")) {}

  std::unique_ptr<Client> client(std::uint32_t) override {
    return std::make_unique<Session>(*this);
  }

 private:
  class Session final : public Client {
   public:
    explicit Session(const RwRegister& workload) : workload_(workload) {}
    Task task(Random random) override { return run(workload_, random); }

   private:
    static Task run(const RwRegister& workload, Random random) {
      const std::uint32_t length = 1 + random.below(workload.longest_);
      co_await step::begin("registers");
      for (std::uint32_t i = 0; i < length; ++i) {
        std::string key = "x" + std::to_string(random.below(workload.keys_));
        if (random.below(2) == 0) {
          co_await step::read(std::move(key));
        } else {
          co_await step::write(std::move(key));
        }
      }
      co_await step::commit();
    }
    const RwRegister& workload_;
  };

  std::uint32_t keys_;
  std::uint32_t longest_;
};

}  // namespace

std::unique_ptr<Workload> make_rw_register(const WorkloadOptions& options) {
  return std::make_unique<RwRegister>(options);
}

}  // namespace awdit
