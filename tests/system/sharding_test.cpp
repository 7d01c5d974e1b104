// Sharding is invisible: while regions are split and entities and players cross borders, clients
// receive updates of the same entities at the same ticks as with one worker, and never too late.
// (D4)
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/base/interest.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "sanitized.hpp"
#include "second.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t ships = 8, drones = 96, crew_members = 8;

enum Row : world::TypeId { ship_row, drone_row, person_row };

/// Ships with one player on each, and drones; all on circles at different heights, so that nothing
/// ever touches.
class Roundabout final : public world::GameModule {
 public:
  Roundabout() : types_(3) {
    const auto box = [](const Vec3& center, const Vec3& half) {
      return world::make_shape({world::Box{.center = center, .half = half}});
    };
    types_[ship_row] = {.name = "ship",
                        .kind = world::EntityKind::Body,
                        .shape = box({0, -0.5, 0}, {8, 0.5, 8}),
                        .mass_kg = 2e6,
                        .size = world::SizeClass::Large,
                        .parent_eligible = true,
                        .gravity = {{0, -9.81, 0}, {{-8, -1, -8}, {8, 4, 8}}}};
    types_[drone_row] = {.name = "drone",
                         .kind = world::EntityKind::Body,
                         .shape = box({}, {0.5, 0.2, 0.5}),
                         .mass_kg = 200,
                         .size = world::SizeClass::Large};
    types_[person_row] = {.name = "person",
                          .kind = world::EntityKind::Actor,
                          .shape = world::actor_shape({}),
                          .size = world::SizeClass::Large};
    for (std::size_t i = 0; i < types_.size(); ++i) types_[i].id = static_cast<world::TypeId>(i);
  }
  std::string_view name() const override { return "roundabout"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }
  /// Drones are in layers of 4 m, ships between two of those.
  static Vec3 place(std::uint32_t n, Tick tick) {
    Random random(n);
    const bool ship = n < ships;
    const double radius_m = random.between(50, ship ? 400 : 900);
    const double rate = random.between(10, 40) / radius_m * (n % 2 == 0 ? 1 : -1);
    const Vec3 center{random.between(-600, 600), 0, random.between(-600, 600)};
    const SinCos turn = sin_cos(rate * tick.count * seconds_per_tick + n);
    const double height_m = ship ? (n - 0.5 * ships) * 40 + 10 : (n - ships - 0.5 * drones) * 4;
    return center + Vec3{radius_m * turn.cos, height_m, radius_m * turn.sin};
  }
  static Vec3 velocity(std::uint32_t n, Tick tick) {
    return (place(n, tick + 1) - place(n, tick)) / seconds_per_tick;
  }
  void populate(world::World& world, const world::Bounds&, std::uint32_t spawner) const override {
    for (std::uint32_t n = 0; n < ships + drones; ++n) {
      world.spawn({.id = world::make_entity_id(spawner, Tick{}, n),
                   .type = n < ships ? ship_row : drone_row,
                   .local = {place(n, world.now()), {}},
                   .velocity = velocity(n, world.now())});
    }
  }
  void drive(world::World& world, Tick tick) const override {
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      if (entity.type == person_row || entity.remote) continue;
      world.set_drive(handle, velocity(entity.id.ordinal(), tick), {});
    }
  }
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds&,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out{.type = person_row, .parent = world.in_order()[ordinal % ships]};
    out.state.position = {0, types_[person_row].actor.height_m / 2 + 0.01, 0};
    return out;
  }

 private:
  std::vector<world::EntityType> types_;
  world::ParentingParams parenting_;
};

struct Stands final : client::InputSampler {
  PlayerInput sample(Tick) override { return {}; }
};

struct Place {
  std::uint32_t tick = 0;
  Vec3 at;
  std::size_t by = 0;  ///< its owner
};

/// The updates that were sent, and the true places.
struct Played {
  using Emitted = std::vector<std::tuple<SessionId, Handle, std::uint32_t>>;
  Roundabout game;
  std::unique_ptr<VirtualCluster> cluster;
  Emitted emitted;                              ///< ascending in the end
  std::map<Handle, std::vector<Place>> places;  ///< by tick
  std::map<SessionId, Handle> avatars;
  std::uint64_t migrations = 0;

  explicit Played(std::size_t workers) {
    ClusterOptions options;
    options.workers = 8;
    options.regions = 1;  // all others are split from this one
    options.players = crew_members;
    options.link = *find_link_profile("P0");
    cluster = std::make_unique<VirtualCluster>(
        options, game,
        [](const client::Client&, std::uint64_t) { return std::make_unique<Stands>(); });
    cluster->on_way_to_gateway = [this](std::span<const std::byte> bytes) {
      read(bytes);
      return true;
    };
    cluster->before_tick = [this](worker::Core& core) { look(core); };
    cluster->run_for(8 * second_us);
    sort_updates();
    emitted.clear();
    if (workers > 1) cut_up(workers);
    cluster->run_for(40 * second_us);
    sort_updates();
  }
  /// Each update must have been sent once.
  void sort_updates() {
    std::sort(emitted.begin(), emitted.end());
    for (auto at = emitted.begin(); (at = std::adjacent_find(at, emitted.end())) != emitted.end();
         ++at) {
      const auto& [session, handle, tick] = *at;
      ADD_FAILURE() << handle << " twice at " << tick << " for session " << session;
    }
  }
  /// Splits space into slices along x: nearly all entities cross their borders all the time.
  void cut_up(std::size_t workers) {
    cluster->change_map(
        [&](ClusterMap& map) {
          const RegionEntry whole = map.regions.front();
          map.regions.clear();
          const double width_m = 1600.0 / static_cast<double>(workers);
          for (std::size_t w = 0; w < workers; ++w) {
            RegionEntry slice = whole;
            slice.region = RegionId{whole.region.number + static_cast<std::uint32_t>(w)};
            if (w > 0) slice.created_epoch = Epoch{0};
            if (w > 0) slice.low.x = -800 + width_m * static_cast<double>(w);
            if (w + 1 < workers) slice.high.x = -800 + width_m * static_cast<double>(w + 1);
            slice.owner = WorkerSlot::at(w);
            map.regions.push_back(slice);
          }
        },
        100'000);
  }
  void read(std::span<const std::byte> bytes) {
    struct Records final : BlockVisitor {
      std::vector<Handle> of;
      void on_own(const OwnSection&) override {}
      void on_event(Sequence, const WorldEvent&) override {}
      void on_record(const GroupFrame&, const EntityRecord& record) override {
        of.push_back(record.handle);
      }
    };
    FabricReader reader(bytes);
    while (const auto type = reader.next()) {
      BlockRecord block;
      if (*type != FabricRecord::Block || !reader.read(block)) continue;
      Records records;
      const auto header = read_block(block.block, records);
      ASSERT_TRUE(header);
      for (const Handle handle : records.of) {
        emitted.emplace_back(block.session, handle, header->tick.count);
      }
    }
  }
  void look(const worker::Core& core) {
    if (!core.ready()) return;
    std::size_t who = 0;
    while (&cluster->worker(who) != &core) ++who;
    const world::World& world = core.world();
    for (const Handle handle : world.in_order()) {
      if (world.find(handle)->remote) continue;
      const auto at = world.pose(handle, core.next_tick());
      if (!at) continue;
      std::vector<Place>& of = places[handle];
      if (!of.empty() && of.back().by != who) ++migrations;
      of.push_back({core.next_tick().count, at->position, who});
    }
    for (const VirtualPlayer& player : cluster->players()) {
      if (const auto* here = core.player_of(player.client_id))
        avatars[here->session] = here->avatar;
    }
  }
  std::uint64_t late() const;
};

/// Number of gaps longer than the period of a ring that contained both entity and avatar all the
/// time.
std::uint64_t Played::late() const {
  constexpr InterestRings rings;
  std::map<std::pair<SessionId, Handle>, std::vector<std::uint32_t>> received;
  for (const auto& [session, handle, tick] : emitted) received[{session, handle}].push_back(tick);
  std::uint64_t late = 0;
  for (const auto& [session, avatar] : avatars) {
    const std::vector<Place>& from = places.at(avatar);
    for (const auto& [thing, way] : places) {
      if (thing == avatar) continue;
      const std::vector<std::uint32_t>& updates = received[{session, thing}];
      const std::uint32_t first = std::get<2>(emitted.front());
      std::array<std::int32_t, interest_rings> within{};
      auto eye = from.begin();
      auto update = updates.begin();
      for (const Place& place : way) {
        while (eye != from.end() && eye->tick < place.tick) ++eye;
        if (place.tick < first + 60 || eye == from.end() || eye->tick != place.tick) continue;
        while (update != updates.end() && *update < place.tick) ++update;
        const bool reported = update != updates.end() && *update == place.tick;
        for (std::size_t ring = 0; ring < interest_rings; ++ring) {
          const bool in = distance(place.at, eye->at) <= rings.radius_m[ring];
          within[ring] = reported || !in ? 0 : within[ring] + 1;
          if (within[ring] < InterestRings::period_ticks[ring]) continue;
          ++late;
          within[ring] = 0;
        }
      }
    }
  }
  return late;
}

TEST(Sharding, LeavesEverybodyWithTheSameNewsAtTheSameTicks) {
  const Played alone(1);
  ASSERT_EQ(alone.avatars.size(), crew_members);
  ASSERT_GT(alone.emitted.size(), 100'000U);
  EXPECT_EQ(alone.migrations, 0U);
  EXPECT_EQ(alone.late(), 0U);
  for (const std::size_t workers : {2U, 4U, 8U}) {
    if (shortened() && workers != 4) continue;
    const Played together(workers);
    EXPECT_GT(together.migrations, 100U);
    EXPECT_EQ(together.late(), 0U) << workers << " workers";
    std::printf("%zu workers: %zu records, %llu migrations\n", workers, together.emitted.size(),
                static_cast<unsigned long long>(together.migrations));
    std::vector<std::tuple<SessionId, Handle, std::uint32_t>> differ;
    std::set_symmetric_difference(alone.emitted.begin(), alone.emitted.end(),
                                  together.emitted.begin(), together.emitted.end(),
                                  std::back_inserter(differ));
    EXPECT_TRUE(differ.empty()) << workers << " workers, " << together.migrations
                                << " migrations: " << differ.size() << " of "
                                << alone.emitted.size();
    for (std::size_t i = 0; i < std::min<std::size_t>(differ.size(), 20); ++i) {
      const auto& [session, thing, tick] = differ[i];
      std::printf("  %u %u %u %s\n", session, thing, tick,
                  std::binary_search(alone.emitted.begin(), alone.emitted.end(), differ[i])
                      ? "alone"
                      : "together");
    }
  }
}

}  // namespace
}  // namespace perigee::lab
