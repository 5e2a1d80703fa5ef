// session: a transaction writes, and those that follow in the same session only
// read: what was just written (read your writes), and again what was read
// before (monotonic reads). Where reads go to a standby, it must not be older
// than what the session has seen. See docs/workloads/session.md.
//
// A stale read proves something only if it is known which of two values is
// older. So each key has one writer, whose session orders its values, or is
// shared, and then read before it is written.
#include <string>
#include <vector>

#include "workload/rows.h"
#include "workload/small_workload.h"

namespace awdit {
namespace {

class SessionWorkload final : public SmallWorkload<SessionWorkload> {
 public:
  explicit SessionWorkload(const WorkloadOptions& options)
      : sessions_(options.sessions),
        keys_(options.settings.number("keys")),
        reads_(options.settings.number("reads")),
        shared_(options.settings.share("shared")) {}

  void load(const PutInitial& put) const override {
    for (const std::string& key : all()) put(key, "");
  }

  std::vector<std::string> all() const {
    std::vector<std::string> keys;
    for (std::uint32_t number = 0; number < keys_; ++number) {
      keys.push_back(shared_key(number));
      for (std::uint32_t session = 0; session < sessions_; ++session) {
        keys.push_back(own_key(session, number));
      }
    }
    return keys;
  }

  Task task(Random random, std::uint32_t session) {
    const bool shared = shared_(random);
    const std::uint32_t number = random.below(keys_);
    const std::string key =
        shared ? shared_key(number) : own_key(session, number);
    const std::uint32_t other = random.below(sessions_);
    const std::string watched = own_key(other, random.below(keys_));

    co_await step::begin("write");
    if (shared) co_await step::read(key);
    co_await step::write(key);
    co_await step::commit();
    for (std::uint32_t i = 0; i < reads_; ++i) {
      co_await step::begin("read", true);
      co_await step::read(key);
      if (watched != key) co_await step::read(watched);
      co_await step::commit();
    }
  }

 private:
  static std::string shared_key(std::uint32_t number) {
    return "shared:" + std::to_string(number);
  }
  static std::string own_key(std::uint32_t session, std::uint32_t number) {
    return "own:" + std::to_string(session) + ":" + std::to_string(number);
  }

  std::uint32_t sessions_;
  std::uint32_t keys_;  // shared ones, and of each session
  std::uint32_t reads_;
  Coin shared_;
};

}  // namespace

std::unique_ptr<Workload> make_session(const WorkloadOptions& options) {
  return std::make_unique<SessionWorkload>(options);
}

}  // namespace awdit
