#include "simulated/simulated.h"

#include <fmt/format.h>

#include "base/table.h"
#include "simulated/world.h"
#include "theory/theory.h"

namespace awdit {
namespace simulated {
namespace {

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
      Version& version = world.store.add(world.store.key(key, false), kNobody);
      version.payload = payload;
    });
    return std::nullopt;
  }
  Result<std::unique_ptr<Connection>> connect(unsigned session,
                                              unsigned) override {
    return make_connection(world, session);
  }

  World world;

 private:
  std::uint64_t seed_;
};

// Whether who promises `level` promises `weaker` as well.
bool promises(std::string_view level, std::string_view weaker) {
  const Level* const strong = find_row(levels(), level);
  const Level* const weak = find_row(levels(), weaker);
  AWDIT_ASSERT(strong != nullptr && weak != nullptr);
  return implies(*strong, *weak);
}

void plant(const PlantedBug& row, World& world) {
  world.bug = static_cast<Bug>(&row - planted_bugs().data());
  if (world.bug == Bug::long_fork) {
    world.mechanism.view = View::Rule::replica;
    world.mechanism.guards_overwrites = true;
  }
}

}  // namespace
}  // namespace simulated

Result<std::unique_ptr<Database>> make_simulated(
    const SimulatedSettings& settings) {
  using simulated::Mechanism;
  auto database = std::make_unique<simulated::Simulated>(settings.seed);
  simulated::World& world = database->world;
  for (const Mechanism& mechanism : simulated::kMechanisms) {
    if (mechanism.level == settings.level) world.mechanism = mechanism;
  }
  if (const PlantedBug* const bug = settings.bug) {
    if (!simulated::promises(settings.level, bug->breaks)) {
      return Error{
          .message = fmt::format("the bug {} breaks {}, which {} does not "
                                 "promise",
                                 bug->name, bug->breaks, settings.level),
          .hint = "Ask for a stronger level, or leave it out."};
    }
    simulated::plant(*bug, world);
  }
  world.rate = Coin(settings.rate);
  world.aborts = Coin(settings.aborts);
  world.unknown = Coin(settings.unknown);
  world.lag = settings.lag;
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace awdit
