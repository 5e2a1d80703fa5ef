// c-twitter: users tweet, follow each other and read their timelines; Cobra's
// version of the Twitter clone in Retwis. See docs/workloads/c-twitter.md.
//
// What a user follows is a bitmap that a follow reads and writes; timelines
// read whom it names, then their last tweets: transactions grow with the run.
// Ids of tweets are global, and those around a user's last one, which
// "show-tweets" reads, are mostly other users' or nobody's. New ids come from
// a range per session.
//
// Acting users are drawn by Zipf's law with theta 0.5, followed ones with 0.99,
// by Gray's approximation, as Cobra does.
#include <string>

#include "workload/bitmap.h"
#include "workload/draw.h"
#include "workload/fields.h"
#include "workload/gray_zipf.h"
#include "workload/rows.h"

namespace awdit {
namespace {

constexpr std::uint32_t kTweetsAtLoad = 10;
constexpr std::uint32_t kTimeline = 20;
constexpr std::int64_t kShown = 10;
constexpr std::uint64_t kRange = 1'000'000'000;  // of ids, per session
constexpr std::uint32_t kText = 100;

template <typename Number>
std::string key(std::string_view table, Number id) {
  return std::string(table) + ":" + std::to_string(id);
}
std::string key(std::string_view table, std::uint32_t a, std::uint32_t b) {
  return key(table, a) + ":" + std::to_string(b);
}

class Twitter final : public Workload {
 public:
  explicit Twitter(const WorkloadOptions& options)
      : seed_(options.seed),
        users_(options.settings.number("users")),
        kinds_({20, 40, 10, 10, 20}),
        acting_(users_, 0.5),
        followed_(users_, 0.99) {}

  void load(const PutInitial& put) const override {
    Random random(seed_);
    for (std::uint32_t user = 0; user < users_; ++user) {
      const std::uint32_t last = user * kTweetsAtLoad + kTweetsAtLoad - 1;
      Bitmap follows(users_);
      follows.set(user, true);
      put(key("user", user), alphanumerics(random, 12));
      for (std::uint32_t i = 0; i < kTweetsAtLoad; ++i) {
        put(key("tweet", last - i), alphanumerics(random, kText));
      }
      put(key("ltweet", user), std::to_string(last));
      put(key("following", user, user), "1");
      put(key("followers", user, user), "1");
      put(key("followlist", user), follows.payload());
    }
  }

  std::unique_ptr<Client> client(std::uint32_t session) override {
    return std::make_unique<Session>(*this, session);
  }

 private:
  class Session final : public Client {
   public:
    Session(const Twitter& workload, std::uint32_t number)
        : workload_(workload),
          next_(number * kRange + workload.users_ * kTweetsAtLoad) {}

    Task task(Random random) override {
      constexpr Task (Session::*kTasks[])(Random) = {
          &Session::new_tweet, &Session::follow, &Session::timeline,
          &Session::show_follow, &Session::show_tweets};
      return (this->*kTasks[workload_.kinds_(random)])(random);
    }

   private:
    Task new_tweet(Random random) {
      const std::uint32_t user = workload_.acting_(random);
      const std::uint64_t tweet = next_++;
      co_await step::begin("new-tweet");
      co_await step::write(key("tweet", tweet), alphanumerics(random, kText));
      co_await step::write(key("ltweet", user), std::to_string(tweet));
      co_await step::commit();
    }

    Task follow(Random random) {
      const std::uint32_t user = workload_.acting_(random);
      const std::uint32_t other = workload_.followed_(random);
      const bool on = random.below(2) == 0;
      const std::string mark = on ? "1" : "0";
      co_await step::begin(on ? "follow" : "unfollow");
      co_await step::write(key("followers", other, user), mark);
      co_await step::write(key("following", user, other), mark);
      const Row row = co_await step::read(key("followlist", user));
      Bitmap follows(workload_.users_, row.payload);
      follows.set(other, on);
      co_await step::write(key("followlist", user), follows.payload());
      co_await step::commit();
    }

    Task timeline(Random random) {
      const std::uint32_t user = workload_.acting_(random);
      co_await step::begin("timeline", true);
      const Row row = co_await step::read(key("followlist", user));
      const Bitmap follows(workload_.users_, row.payload);
      for (const std::uint32_t other : follows.first(kTimeline)) {
        const Row last = co_await step::read(key("ltweet", other));
        const std::int64_t tweet = number_of(last.payload, -1);
        if (tweet >= 0) co_await step::read(key("tweet", tweet));
      }
      co_await step::commit();
    }

    Task show_follow(Random random) {
      co_await step::begin("show-follow", true);
      co_await step::read(key("followlist", workload_.acting_(random)));
      co_await step::commit();
    }

    Task show_tweets(Random random) {
      const std::uint32_t user = workload_.acting_(random);
      co_await step::begin("show-tweets", true);
      const Row row = co_await step::read(key("ltweet", user));
      const std::int64_t last = number_of(row.payload, -1);
      for (std::int64_t tweet = last - kShown; tweet <= last; ++tweet) {
        if (tweet >= 0) co_await step::read(key("tweet", tweet));
      }
      co_await step::commit();
    }

    const Twitter& workload_;
    std::uint64_t next_;  // the id of the next tweet
  };

  std::uint64_t seed_;
  std::uint32_t users_;
  Weights kinds_;
  GrayZipf acting_;
  GrayZipf followed_;
};

}  // namespace

std::unique_ptr<Workload> make_c_twitter(const WorkloadOptions& options) {
  return std::make_unique<Twitter>(options);
}

}  // namespace awdit
