// rubis: users, items, comments and purchases of an auction site; Cobra's
// version of RUBiS. See docs/workloads/rubis.md.
//
// Most of what is written is new; what is contended are the ratings of popular
// users, which comments overwrite without a look, and the quantities of items.
// New ids come from a range per session.
#include <algorithm>
#include <string>
#include <vector>

#include "workload/draw.h"
#include "workload/fields.h"
#include "workload/gray_zipf.h"
#include "workload/rows.h"

namespace awdit {
namespace {

constexpr std::uint32_t kRegions = 62;
constexpr std::uint32_t kItemsPerUser = 4;
constexpr std::uint32_t kCommentsPerItem = 2;
constexpr std::uint32_t kBrowsedItems = 5;
constexpr std::uint32_t kBrowsedRatings = 3;
constexpr std::uint64_t kRange = 1'000'000'000;  // of ids, per session
constexpr std::size_t kQuantity = 2;             // the field of an item

std::string key(std::string_view table, std::uint64_t id) {
  return std::string(table) + ":" + std::to_string(id);
}
std::string region_name(std::uint32_t region) {
  return "RegionName2Id:region" + std::to_string(region);
}
std::string nickname(std::uint64_t user) {
  return "UserNickName:user" + std::to_string(user);
}

// -- rows ---------------------------------------------------------------------

std::string user_row(Random& random, std::uint64_t id, std::uint32_t region) {
  const Fields row = {"user" + std::to_string(id), alphanumerics(random, 10),
                      alphanumerics(random, 16), std::to_string(region)};
  return row.payload();
}
// Name, seller, quantity, price.
std::string item_row(Random& random, std::uint64_t seller) {
  const Fields row = {alphanumerics(random, 20), std::to_string(seller),
                      std::to_string(1 + random.below(1000)),
                      std::to_string(1 + random.below(10000))};
  return row.payload();
}
std::string comment_row(Random& random, std::uint64_t about) {
  const Fields row = {std::to_string(about), alphanumerics(random, 60)};
  return row.payload();
}
std::string rating_row(Random& random) {
  return std::to_string(random.below(11));
}

class Rubis final : public Workload {
 public:
  explicit Rubis(const WorkloadOptions& options)
      : seed_(options.seed),
        users_(options.settings.number("users")),
        items_(users_ * kItemsPerUser),
        kinds_({10, 15, 15, 20, 40}),
        popular_(users_, 0.99) {}

  void load(const PutInitial& put) const override {
    Random random(seed_);
    for (std::uint32_t region = 0; region < kRegions; ++region) {
      put(key("Region", region), "region" + std::to_string(region));
      put(region_name(region), std::to_string(region));
    }
    for (std::uint32_t user = 0; user < users_; ++user) {
      put(key("User", user), user_row(random, user, random.below(kRegions)));
      put(nickname(user), std::to_string(user));
      put(key("Rating", user), rating_row(random));
    }
    for (std::uint32_t item = 0; item < items_; ++item) {
      put(key("Item", item), item_row(random, item / kItemsPerUser));
      for (std::uint32_t i = 0; i < kCommentsPerItem; ++i) {
        put(key("Comment", item * kCommentsPerItem + i),
            comment_row(random, random.below(users_)));
      }
    }
  }

  std::unique_ptr<Client> client(std::uint32_t session) override {
    return std::make_unique<Session>(*this, session);
  }

 private:
  class Session final : public Client {
   public:
    // Ids of the load are below the first of any session.
    Session(const Rubis& workload, std::uint32_t number)
        : workload_(workload), next_((number + std::uint64_t{1}) * kRange) {}

    Task task(Random random) override {
      constexpr Task (Session::*kTasks[])(Random) = {
          &Session::register_user, &Session::register_item,
          &Session::store_buy_now, &Session::store_comment, &Session::browse};
      return (this->*kTasks[workload_.kinds_(random)])(random);
    }

   private:
    Task register_user(Random random) {
      const std::uint32_t region = random.below(kRegions);
      const std::uint64_t id = next_++;
      co_await step::begin("register-user");
      const Row named = co_await step::read(region_name(region));
      const Row nick = co_await step::read(nickname(id));
      const Row user = co_await step::read(key("User", id));
      // The name is taken: cannot be, as ids are new, but by foreign rows.
      if (!nick.exists && !user.exists) {
        const auto found =
            static_cast<std::uint32_t>(number_of(named.payload, region));
        co_await step::write(key("User", id), user_row(random, id, found));
        co_await step::write(nickname(id), std::to_string(id));
        co_await step::write(key("Rating", id), rating_row(random));
      }
      co_await step::commit();
    }

    Task register_item(Random random) {
      const std::uint32_t seller = random.below(workload_.users_);
      const std::uint64_t id = next_++;
      co_await step::begin("register-item");
      co_await step::read(key("User", seller));
      co_await step::write(key("Item", id), item_row(random, seller));
      co_await step::commit();
    }

    Task store_buy_now(Random random) {
      const std::uint32_t item = random.below(workload_.items_);
      const std::int64_t quantity = 1 + random.below(4);
      const std::uint64_t id = next_++;
      co_await step::begin("store-buy-now");
      const Row row = co_await step::read(key("Item", item));
      Fields fields(row.payload);
      const std::int64_t left = fields.number(kQuantity, 0) - quantity;
      fields.set(kQuantity, std::max<std::int64_t>(left, 0));
      co_await step::write(key("Item", item), fields.payload());
      Fields purchase;
      purchase.add(item);
      purchase.add(quantity);
      co_await step::write(key("BuyNow", id), purchase.payload());
      co_await step::commit();
    }

    Task store_comment(Random random) {
      const std::uint32_t about = workload_.popular_(random);
      const std::uint64_t id = next_++;
      co_await step::begin("store-comment");
      co_await step::write(key("Comment", id), comment_row(random, about));
      co_await step::read(key("User", about));
      co_await step::write(key("Rating", about), rating_row(random));
      co_await step::commit();
    }

    Task browse(Random random) {
      co_await step::begin("browse", true);
      for (std::uint32_t i = 0; i < kBrowsedItems; ++i) {
        co_await step::read(key("Item", random.below(workload_.items_)));
      }
      const std::vector<std::uint32_t> raters = rated(random);
      for (const std::uint32_t user : raters) {
        co_await step::read(key("Rating", user));
      }
      co_await step::commit();
    }

    // Different users, popular ones more likely.
    std::vector<std::uint32_t> rated(Random& random) const {
      std::vector<std::uint32_t> users;
      const std::size_t wanted = std::min(kBrowsedRatings, workload_.users_);
      while (users.size() < wanted) {
        const std::uint32_t user = workload_.popular_(random);
        if (std::find(users.begin(), users.end(), user) == users.end()) {
          users.push_back(user);
        }
      }
      return users;
    }

    const Rubis& workload_;
    std::uint64_t next_;  // the next new id, of any table
  };

  std::uint64_t seed_;
  std::uint32_t users_;
  std::uint32_t items_;  // at the beginning
  Weights kinds_;
  GrayZipf popular_;
};

}  // namespace

std::unique_ptr<Workload> make_rubis(const WorkloadOptions& options) {
  return std::make_unique<Rubis>(options);
}

}  // namespace awdit
