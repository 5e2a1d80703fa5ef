// bank: money moves between a few accounts, and everybody who looks at all of
// them must see the same total; Jepsen's bank test. See docs/workloads/bank.md.
//
// Balances travel in the payloads and are truly read, computed and written, so
// a lost update loses money. Nobody is overdrawn: a transfer that lacks money
// ends after its reads.
#include <string>
#include <vector>

#include "workload/fields.h"
#include "workload/rows.h"
#include "workload/small_workload.h"

namespace awdit {
namespace {

class Bank final : public SmallWorkload<Bank> {
 public:
  explicit Bank(const WorkloadOptions& options)
      : accounts_(options.settings.number("accounts")),
        total_(options.settings.number("total")),
        largest_(options.settings.number("largest")),
        reads_(options.settings.share("reads")),
        ordered_(options.settings.share("ordered")) {}

  void load(const PutInitial& put) const override {
    for (std::uint32_t i = 0; i < accounts_; ++i) {
      const std::uint32_t rest = i < total_ % accounts_ ? 1 : 0;
      put(account(i), std::to_string(total_ / accounts_ + rest));
    }
  }

  std::vector<std::string> all() const {
    std::vector<std::string> keys;
    for (std::uint32_t i = 0; i < accounts_; ++i) keys.push_back(account(i));
    return keys;
  }

  Task task(Random random, std::uint32_t) {
    return reads_(random) ? look() : transfer(random);
  }

 private:
  Task look() {
    co_await step::begin("balances", true);
    for (std::uint32_t i = 0; i < accounts_; ++i) {
      co_await step::read(account(i));
    }
    co_await step::commit();
  }

  Task transfer(Random random) {
    const std::uint32_t from = random.below(accounts_);
    const std::uint32_t ahead = 1 + random.below(accounts_ - 1);
    const std::uint32_t to = (from + ahead) % accounts_;
    const std::int64_t amount = 1 + random.below(largest_);
    const bool payee_first = ordered_(random) && to < from;
    co_await step::begin("transfer");
    const Row payer = co_await step::read(account(from));
    const Row payee = co_await step::read(account(to));
    const std::int64_t has = number_of(payer.payload, 0);
    if (has >= amount) {
      const std::int64_t gets = number_of(payee.payload, 0) + amount;
      if (payee_first) {
        co_await step::write(account(to), std::to_string(gets));
      }
      co_await step::write(account(from), std::to_string(has - amount));
      if (!payee_first) {
        co_await step::write(account(to), std::to_string(gets));
      }
    }
    co_await step::commit();
  }

  static std::string account(std::uint32_t number) {
    return "account:" + std::to_string(number);
  }

  std::uint32_t accounts_;
  std::uint32_t total_;
  std::uint32_t largest_;
  Coin reads_;
  Coin ordered_;
};

}  // namespace

std::unique_ptr<Workload> make_bank(const WorkloadOptions& options) {
  return std::make_unique<Bank>(options);
}

}  // namespace awdit
