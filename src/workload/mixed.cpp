// mixed: transactions of random reads and writes that do what those of
// applications seldom do: write a key twice, read their own writes, and roll
// back at their end. Reads of values that were overwritten or withdrawn
// (intermediate and aborted reads) can only be seen where such values are made.
// See docs/workloads/mixed.md.
//
// A transaction is drawn as a whole before it begins, so that one that only
// reads can say so, and so that the keys it writes can be put in order (see
// KeyPool::sort).
#include <algorithm>
#include <string>
#include <vector>

#include "workload/draw.h"
#include "workload/key_pool.h"
#include "workload/rows.h"
#include "workload/small_workload.h"

namespace awdit {
namespace {

constexpr std::uint32_t kPayload = 16;

class Mixed final : public SmallWorkload<Mixed> {
 public:
  explicit Mixed(const WorkloadOptions& options)
      : pool_(options.settings, options.seed),
        longest_(2 * options.settings.number("size")),
        reads_(options.settings.share("reads")),
        rewrites_(options.settings.share("rewrites")),
        own_reads_(options.settings.share("own-reads")),
        ordered_(options.settings.share("ordered")),
        aborts_(options.settings.share("aborts")) {}

  void load(const PutInitial& put) const override {
    if (pool_.rotates()) return;
    for (const std::string& key : all()) put(key, "");
  }

  std::vector<std::string> all() const { return pool_.all(); }

  Task task(Random random, std::uint32_t) {
    const Script script = draw(random);
    if (script.writes == 0) {
      co_await step::begin("read", true);
    } else {
      co_await step::begin(script.abort ? "withdrawn" : "write");
    }
    for (const Access& access : script.accesses) {
      if (access.write) {
        std::string payload = alphanumerics(random, kPayload);
        co_await step::write(access.key, std::move(payload));
      } else {
        co_await step::read(access.key);
      }
    }
    if (script.abort) {
      co_await step::rollback();
    } else {
      co_await step::commit();
    }
  }

 private:
  struct Access {
    bool write;
    bool own;  // a read of what the transaction wrote before
    std::string key;
  };
  struct Script {
    std::vector<Access> accesses;
    std::size_t writes = 0;
    bool abort = false;
  };

  Script draw(Random& random) {
    Script script;
    std::vector<std::string> written;
    for (std::uint32_t left = 1 + random.below(longest_); left > 0; --left) {
      const bool again = !written.empty() && rewrites_(random);
      const bool own = !again && !written.empty() && own_reads_(random);
      const bool write = again || (!own && !reads_(random));
      std::string key;
      if (again || own) {
        const auto size = static_cast<std::uint32_t>(written.size());
        key = written[random.below(size)];
      } else {
        key = write ? pool_.to_write(random) : pool_.to_read(random);
      }
      if (write) written.push_back(key);
      script.accesses.push_back(
          Access{.write = write, .own = own, .key = std::move(key)});
    }
    script.writes = written.size();
    if (ordered_(random)) put_in_order(script);
    // Nobody can notice that a transaction without writes was rolled back.
    script.abort = !written.empty() && aborts_(random);
    return script;
  }

  // Gives the keys that are written new places, so that each is written for the
  // first time in the pool's order. What an access does stays.
  void put_in_order(Script& script) const {
    std::vector<std::string> drawn;  // by their first writes
    for (const Access& access : script.accesses) {
      if (!access.write) continue;
      if (std::find(drawn.begin(), drawn.end(), access.key) == drawn.end()) {
        drawn.push_back(access.key);
      }
    }
    std::vector<std::string> sorted = drawn;
    pool_.sort(sorted);
    for (Access& access : script.accesses) {
      if (!access.write && !access.own) continue;
      const auto at = std::find(drawn.begin(), drawn.end(), access.key);
      access.key = sorted[static_cast<std::size_t>(at - drawn.begin())];
    }
  }

  KeyPool pool_;
  std::uint32_t longest_;
  Coin reads_;
  Coin rewrites_;
  Coin own_reads_;
  Coin ordered_;
  Coin aborts_;
};

}  // namespace

std::unique_ptr<Workload> make_mixed(const WorkloadOptions& options) {
  return std::make_unique<Mixed>(options);
}

}  // namespace awdit
