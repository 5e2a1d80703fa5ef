// blindw: transactions of one kind each, all reads or all writes that look at
// nothing first; Cobra's random benchmark (Tan et al., OSDI 2020), which the
// AWDIT paper uses to vary the size of transactions. See
// docs/workloads/blindw.md.
//
// Keys of a transaction are distinct and uniform over those that exist. New
// keys are numbered in turn by sessions (the n-th of session s is the n * S +
// s-th of all), so that each session can draw from all of them without asking
// anybody how many there are: the others have inserted about as much as it has.
#include <algorithm>
#include <string>
#include <vector>

#include "workload/draw.h"
#include "workload/rows.h"

namespace awdit {
namespace {

constexpr std::uint32_t kPayload = 140;
// Draws of keys are of 32 bits; later insertions are not drawn from any more.
constexpr std::uint64_t kMostDrawn = 0xFFFFFFFFu;

class Blindw final : public Workload {
 public:
  explicit Blindw(const WorkloadOptions& options)
      : seed_(options.seed),
        sessions_(options.sessions),
        size_(options.settings.number("size")),
        keys_((options.settings.number("keys") + size_ - 1) / size_ * size_),
        kinds_({options.settings["read"], options.settings["update"],
                options.settings["rmw"], options.settings["insert"]}) {}

  void load(const PutInitial& put) const override {
    Random random(seed_);
    for (std::uint32_t i = 0; i < keys_; ++i) {
      put(key(i), alphanumerics(random, kPayload));
    }
  }

  std::unique_ptr<Client> client(std::uint32_t session) override {
    return std::make_unique<Session>(*this, session);
  }

 private:
  class Session final : public Client {
   public:
    Session(const Blindw& workload, std::uint32_t number)
        : workload_(workload), number_(number) {}

    Task task(Random random) override {
      constexpr Task (Session::*kTasks[])(Random) = {
          &Session::read, &Session::update, &Session::read_modify_write,
          &Session::insert};
      return (this->*kTasks[workload_.kinds_(random)])(random);
    }

   private:
    std::vector<std::uint32_t> draw(Random& random, std::uint32_t count) const {
      const std::uint64_t existing =
          workload_.keys_ + inserted_ * workload_.sessions_;
      const std::uint64_t bound = std::min(existing, kMostDrawn);
      return distinct(random, count, static_cast<std::uint32_t>(bound));
    }

    Task read(Random random) {
      co_await step::begin("read", true);
      for (const std::uint32_t i : draw(random, workload_.size_)) {
        co_await step::read(key(i));
      }
      co_await step::commit();
    }

    Task update(Random random) {
      co_await step::begin("update");
      for (const std::uint32_t i : draw(random, workload_.size_)) {
        co_await step::write(key(i), alphanumerics(random, kPayload));
      }
      co_await step::commit();
    }

    // Half as many keys, two operations on each.
    Task read_modify_write(Random random) {
      const std::uint32_t count =
          std::max<std::uint32_t>(workload_.size_ / 2, 1);
      co_await step::begin("rmw");
      for (const std::uint32_t i : draw(random, count)) {
        co_await step::read(key(i));
        co_await step::write(key(i), alphanumerics(random, kPayload));
      }
      co_await step::commit();
    }

    Task insert(Random random) {
      co_await step::begin("insert");
      for (std::uint32_t i = 0; i < workload_.size_; ++i) {
        const std::uint64_t fresh =
            workload_.keys_ + inserted_++ * workload_.sessions_ + number_;
        co_await step::write(key(fresh), alphanumerics(random, kPayload));
      }
      co_await step::commit();
    }

    const Blindw& workload_;
    std::uint32_t number_;
    std::uint64_t inserted_ = 0;
  };

  static std::string key(std::uint64_t number) {
    return "key" + std::to_string(number + 1);
  }

  std::uint64_t seed_;
  std::uint64_t sessions_;
  std::uint32_t size_;
  std::uint32_t keys_;  // at the beginning; a multiple of the size
  Weights kinds_;
};

}  // namespace

std::unique_ptr<Workload> make_blindw(const WorkloadOptions& options) {
  return std::make_unique<Blindw>(options);
}

}  // namespace awdit
