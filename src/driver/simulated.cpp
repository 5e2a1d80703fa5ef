// The simulated database: a store inside this process that keeps a level
// exactly, or breaks it to order.
//
// Exactly: what it promises holds in every run, and what the next stronger
// level forbids does happen, given a workload that can show it. So it is the
// ground truth for everything that records and checks histories. It never
// blocks, and all that happens follows from the seed and the order of the
// requests: one thread makes them all.
//
//   version_store   what commits left behind
//   view            which of it a transaction sees: one rule per family of
//                   levels
//   connection      transactions, conflicts, planted bugs
//
// See docs/drivers/simulated.md.
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/table.h"
#include "driver/knobs.h"
#include "driver/rows.h"
#include "driver/simulated_world.h"

namespace awdit {
namespace {

using simulated::Mechanism;
using simulated::View;
using simulated::World;

constexpr Mechanism kMechanisms[] = {
    {.level = "read-committed", .view = View::Rule::statement},
    {.level = "read-atomic", .view = View::Rule::atomic},
    {.level = "causal", .view = View::Rule::replica},
    {.level = "prefix", .view = View::Rule::prefix},
    {.level = "parallel-snapshot-isolation",
     .view = View::Rule::replica,
     .guards_overwrites = true},
    {.level = "snapshot-isolation",
     .view = View::Rule::prefix,
     .guards_overwrites = true},
    {.level = "serializable",
     .view = View::Rule::prefix,
     .validates_reads = true},
};

class Simulated final : public Database {
 public:
  explicit Simulated(std::uint64_t seed) : seed_(seed) { world.reset(seed); }

  std::string describe() const override {
    std::string text = fmt::format("simulated store, seed {}", seed_);
    if (world.bug != Bug::none) {
      text +=
          fmt::format(", with the bug {}",
                      planted_bugs()[static_cast<std::size_t>(world.bug)].name);
    }
    return text;
  }
  std::string reported_level() const override {
    return std::string(world.mechanism.level);
  }
  Outcome reset(const Rows& rows) override {
    world.reset(seed_);
    rows([&](std::string_view key, std::string_view payload) {
      simulated::Version& version =
          world.store.add(world.store.key(key, false), simulated::kNobody);
      version.payload = payload;
    });
    return std::nullopt;
  }
  Result<std::unique_ptr<Connection>> connect(unsigned session,
                                              unsigned) override {
    return simulated::make_connection(world, session);
  }

  World world;

 private:
  std::uint64_t seed_;
};

// -- settings -----------------------------------------------------------------

constexpr std::string_view kName = "simulated";

Error not_a(std::string_view what, std::string_view name,
            std::string_view found) {
  return Error{.message =
                   fmt::format("{} must be {}; found '{}'", name, what, found)};
}

Outcome set_share(const DatabaseOptions& options, std::string_view name,
                  Coin& coin) {
  const std::string_view text = knob(options, kName, name);
  double percent = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, percent);
  if (failure != std::errc() || rest != end ||
      !(percent >= 0 && percent <= 100)) {
    return not_a("a number of percent, 0 to 100", name, text);
  }
  coin = Coin(percent / 100);
  return std::nullopt;
}

Outcome set_lag(const DatabaseOptions& options, simulated::Instant& lag) {
  const std::string_view text = knob(options, kName, "lag");
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, lag);
  if (failure != std::errc() || rest != end || lag > 1'000'000) {
    return not_a("a number of commits, 0 to 1000000", "lag", text);
  }
  return std::nullopt;
}

Outcome set_bug(const DatabaseOptions& options, World& world) {
  const std::string_view text = knob(options, kName, "bug");
  if (text == "none") return std::nullopt;
  const PlantedBug* const row = find_row(planted_bugs(), text);
  if (row == nullptr) {
    return Error{.message = unknown_name_message("bug", text, planted_bugs())};
  }
  if (!promises(world.mechanism.level, row->breaks)) {
    return Error{
        .message = fmt::format("the bug {} breaks {}, which {} does not "
                               "promise",
                               text, row->breaks, world.mechanism.level),
        .hint = "Ask for a stronger level, or leave it out."};
  }
  world.bug = static_cast<Bug>(row - planted_bugs().data());
  if (world.bug == Bug::long_fork) {
    world.mechanism.view = View::Rule::replica;
    world.mechanism.guards_overwrites = true;
  }
  return std::nullopt;
}

Outcome set_all(const DatabaseOptions& options, World& world) {
  if (Outcome failure = check_knobs(options, kName)) return failure;
  for (const Mechanism& mechanism : kMechanisms) {
    if (mechanism.level == wanted_level(options, kName).name) {
      world.mechanism = mechanism;
    }
  }
  if (Outcome failure = set_bug(options, world)) return failure;
  if (Outcome failure = set_share(options, "rate", world.rate)) return failure;
  if (Outcome failure = set_share(options, "aborts", world.aborts)) {
    return failure;
  }
  if (Outcome failure = set_share(options, "unknown", world.unknown)) {
    return failure;
  }
  return set_lag(options, world.lag);
}

}  // namespace

Result<std::unique_ptr<Database>> open_simulated(
    const DatabaseOptions& options) {
  for (const std::string& url : options.urls) {
    if (!behind_scheme(url).empty()) {
      return Error{.where = url,
                   .message = "the simulated database has no address"};
    }
  }
  auto database = std::make_unique<Simulated>(options.seed);
  if (Outcome failure = set_all(options, database->world)) return *failure;
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace awdit
