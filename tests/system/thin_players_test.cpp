// Thousands of thin players on 64 workers, in virtual time: they walk across the borders between
// workers, and one worker dies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/base/interest.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "played_ticks.hpp"
#include "sanitized.hpp"
#include "second.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t promenade_workers = 64, promenade_witnesses = 8;

/// A world of 64 slices along x, each 2 km wide. Piers lie across the borders between them.
class Promenade final : public world::GameModule {
 public:
  enum Row : world::TypeId { pier_row, person_row, rows };
  static constexpr double slice_m = 2'000, half_world_m = slice_m * promenade_workers / 2;
  static constexpr double half_pier_m = 64, pier_spacing_m = 150;
  static constexpr double start_m = 26;  ///< from the border; a group leaves 32 m beyond it
  static constexpr std::int32_t piers_per_border = 20;

  Promenade() : types_(rows) {
    types_[pier_row] = {
        .name = "pier",
        .shape =
            world::make_shape({{.center = {0, -0.5, 0}, .half = {half_pier_m, 0.5, half_pier_m}}}),
        .size = world::SizeClass::Large,
        .parent_eligible = true,
        .gravity = {{0, -9.81, 0},
                    {{-half_pier_m, -5, -half_pier_m}, {half_pier_m, 30, half_pier_m}}}};
    types_[person_row] = {.name = "person",
                          .kind = world::EntityKind::Actor,
                          .shape = world::actor_shape({}),
                          .size = world::SizeClass::Large};
    for (std::size_t i = 0; i < types_.size(); ++i) types_[i].id = static_cast<world::TypeId>(i);
  }
  std::string_view name() const override { return "promenade"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    std::uint32_t ordinal = 0;
    for (std::uint32_t border = 1; border < promenade_workers; ++border) {
      for (std::int32_t i = 0; i < piers_per_border; ++i, ++ordinal) {
        const Vec3 place{border * slice_m - half_world_m + (i % 2 == 0 ? 1 : -1), 0,
                         (i - piers_per_border / 2) * pier_spacing_m};
        if (!region.contains(place)) continue;
        world.spawn({.id = world::make_entity_id(spawner, Tick{}, ordinal),
                     .type = pier_row,
                     .local = {place, {}}});
      }
    }
  }
  void drive(world::World&, Tick) const override {}
  /// Two players begin on each pier, across the border from the pier's owner.
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override {
    std::vector<Handle> piers;
    for (const Handle handle : world.in_order()) {
      const world::Entity& pier = *world.find(handle);
      if (pier.type == pier_row && region.contains(pier.local.position)) piers.push_back(handle);
    }
    world::ActorSpawn out{.type = person_row, .parent = piers[ordinal / 2 % piers.size()]};
    const double x = world.find(out.parent)->id.ordinal() % 2 == 0 ? -start_m : start_m;
    out.state.position = {x, 0.91, ordinal % 2 == 0 ? -24.0 : 24.0};
    return out;
  }

 private:
  std::vector<world::EntityType> types_;
  world::ParentingParams parenting_;
};

/// Walks to and fro along x, in steps of four seconds: a function of seed and tick.
class Pacer final : public client::InputSampler {
 public:
  explicit Pacer(std::uint64_t seed) : seed_(seed) {}
  PlayerInput sample(Tick tick) override {
    constexpr std::uint32_t step_ticks = 240, sway = 4'096;
    constexpr std::uint16_t towards_x = 16'384, half_turn = 32'768;
    const std::uint32_t step = tick.count / step_ticks;
    PlayerInput input{.tick = tick, .forward = 127};
    input.yaw = static_cast<std::uint16_t>(towards_x + (step + seed_) % 2 * half_turn - sway / 2 +
                                           mix64(seed_, step) % sway);
    return input;
  }

 private:
  std::uint64_t seed_;
};

ClusterOptions promenade(std::uint32_t thin_players, std::uint64_t seed) {
  ClusterOptions options;
  options.link = *find_link_profile("P1");
  options.seed = seed;
  options.workers = promenade_workers;
  options.players = promenade_witnesses;
  options.thin_players = thin_players;
  options.world_low = {-Promenade::half_world_m, -2'000, -2'000};
  options.world_high = {Promenade::half_world_m, 2'000, 2'000};
  options.worker.entities_max = 1'024;
  options.worker.players_max = 200;
  options.worker.gap_steps_max = 512;
  return options;
}

struct PromenadeCluster {
  Promenade game;
  VirtualCluster cluster;

  explicit PromenadeCluster(const ClusterOptions& options)
      : cluster(options, game, [](const client::Client&, std::uint64_t own) {
          return std::make_unique<Pacer>(own);
        }) {}

  /// Of all players, wherever they are.
  void visit(const std::function<void(const worker::Core&, const worker::Player&)>& one) const {
    for (std::size_t w = 0; w < cluster.workers(); ++w) {
      if (!cluster.runs(w)) continue;
      const worker::Core& core = cluster.worker(w);
      core.for_each_player([&](const worker::Player& player) { one(core, player); });
    }
  }
  std::size_t busiest() const {
    const auto players = [&](std::size_t w) { return cluster.worker(w).summary().players; };
    std::size_t out = 0;
    for (std::size_t w = 1; w < cluster.workers(); ++w) out = players(w) > players(out) ? w : out;
    return out;
  }
};

/// Checks that every player is simulated all the time, by one worker, as the same avatar.
struct Roll {
  struct Entry {
    Micros played_us = 0;
    Handle avatar = no_entity;
    std::uint8_t reset_epoch = 0;
    friend bool operator==(const Entry& a, const Entry& b) {
      return a.avatar == b.avatar && a.reset_epoch == b.reset_epoch;
    }
  };
  const VirtualCluster& cluster;
  PlayedTicksOfAll played_ticks;
  std::map<std::uint64_t, Entry> by_client;
  Micros longest_us = 0;  ///< longest time between two ticks of any player

  /// Called before a worker simulates a tick.
  void note(const worker::Core& core) {
    played_ticks.note(core);
    const Micros now_us = cluster.now_us();
    core.for_each_player([&](const worker::Player& player) {
      Entry& entry = by_client[player.client_id];
      if (entry.played_us > 0) longest_us = std::max(longest_us, now_us - entry.played_us);
      entry = {now_us, player.avatar, player.reset_epoch};
    });
  }
  /// Number of players without a simulated tick in the last 100 ms.
  std::size_t missing() const {
    return static_cast<std::size_t>(
        std::count_if(by_client.begin(), by_client.end(), [&](const auto& each) {
          return cluster.now_us() - each.second.played_us > second_us / 10;
        }));
  }
};

/// Where the witnesses' newest tracks have other people, compared with the states of the workers
/// that own those.
struct Pictures {
  std::size_t right = 0, wrong = 0, missing = 0;
  double worst_m = 0;
};
/// Bound of the ring, and what a walker that may turn at any time covers until it is looked at
/// again and the record has arrived.
double off_m_max(double away_m, bool turns) {
  constexpr InterestRings rings;
  constexpr std::int32_t transit_ticks = 15;
  std::size_t ring = 0;
  while (away_m > rings.radius_m[ring]) ++ring;
  const double since_s = (InterestRings::period_ticks[ring] + transit_ticks) * seconds_per_tick;
  const double way_m = turns ? 2 * world::ActorParams{}.walk_m_s * since_s : 0;
  return bound_m(static_cast<Precision>(ring)) + way_m;
}
Pictures pictures_of(const PromenadeCluster& walks, std::vector<VirtualPlayer>& witnesses,
                     bool turns) {
  constexpr double visible_m = interest_radius_m - 200;
  Pictures out;
  for (VirtualPlayer& witness : witnesses) {
    const client::EntityStore& entities = witness.client->entities();
    const client::ViewPoint at = witness.client->seen().remote();
    const Tick tick = at.origin + static_cast<std::int32_t>(at.ticks);
    std::map<Handle, Vec3> places;
    walks.visit([&](const worker::Core& core, const worker::Player& player) {
      const auto pose = core.world().pose(player.avatar, tick);
      if (pose) places[player.avatar] = pose->position;
    });
    const Handle self = witness.client->prediction().avatar();
    const auto eye = places.find(self);
    if (eye == places.end()) continue;
    for (const auto& [handle, place] : places) {
      const double away_m = distance(place, eye->second);
      if (handle == self || away_m > visible_m) continue;
      const client::ClientEntity* entity = entities.find(handle);
      const auto frame = entity != nullptr && !entity->tracks.empty()
                             ? entities.drawn_world(entity->tracks.frame(), at)
                             : std::nullopt;
      if (!frame) {
        ++out.missing;
        continue;
      }
      const double off_m =
          distance(transform(*frame, entity->tracks.newest(tick).pose.position), place);
      out.worst_m = std::max(out.worst_m, off_m);
      ++(off_m <= off_m_max(away_m, turns) ? out.right : out.wrong);
    }
  }
  return out;
}

std::uint64_t hard_resets(const VirtualCluster& cluster) {
  std::uint64_t out = 0;
  for (const ThinPlayer& player : cluster.thin_players()) {
    out += player.client->verdicts().hard_resets;
  }
  return out;
}

TEST(TwoThousandThinPlayers, AreAllThereWhenOneOf64WorkersDies) {
  constexpr std::uint32_t thin = 2'000, all = thin + promenade_witnesses;
  ClusterOptions options = promenade(thin, 1);
  options.standbys = true;
  PromenadeCluster walks(options);
  VirtualCluster& cluster = walks.cluster;
  Roll roll{cluster, {}, {}};
  cluster.before_tick = [&](worker::Core& core) { roll.note(core); };
  cluster.run_for((long_run() ? 20 : 4) * second_us);
  const PlayedTicks before = roll.played_ticks.all();
  const auto avatars = roll.by_client;
  EXPECT_EQ(cluster.playing(), all);
  EXPECT_EQ(avatars.size(), all);
  EXPECT_EQ(roll.missing(), 0U);
  EXPECT_GT(before.crossings, 300);
  EXPECT_EQ(before.gaps, 0) << "a tick was not played";
  EXPECT_EQ(before.twice, 0) << "a tick was played twice";
  EXPECT_EQ(cluster.directory().failovers(), 0U);
  const Pictures alive = pictures_of(walks, cluster.players(), true);
  EXPECT_GT(alive.right, 20U * promenade_witnesses);
  EXPECT_EQ(alive.wrong, 0U) << "up to " << alive.worst_m << " m";
  EXPECT_EQ(alive.missing, 0U);

  const std::size_t victim = walks.busiest();
  const std::uint32_t had = cluster.worker(victim).summary().players;
  roll.longest_us = 0;
  cluster.kill_worker(victim);
  cluster.run_for((long_run() ? 10 : 2) * second_us);
  const PlayedTicks after = roll.played_ticks.all();
  EXPECT_EQ(cluster.directory().failovers(), 1U);
  EXPECT_EQ(cluster.playing(), all);
  EXPECT_EQ(roll.by_client, avatars) << "somebody began anew";
  EXPECT_EQ(roll.missing(), 0U);
  EXPECT_EQ(after.twice, 0);
  EXPECT_LE(after.gaps, static_cast<int>(had)) << "one for each player of the dead worker";
  EXPECT_LE(roll.longest_us, 200'000);
  EXPECT_EQ(hard_resets(cluster), 0U);
  const Pictures healed = pictures_of(walks, cluster.players(), true);
  EXPECT_GT(healed.right, 20U * promenade_witnesses);
  EXPECT_EQ(healed.wrong, 0U) << "up to " << healed.worst_m << " m";
  EXPECT_EQ(healed.missing, 0U);
  std::printf(
      "%d crossings; worker %zu had %u players, %.0f ms without a tick; %zu and %zu places known "
      "to "
      "%u witnesses, at most %.2f m off\n",
      after.crossings, victim, had, static_cast<double>(roll.longest_us) * 1e-3, alive.right,
      healed.right, promenade_witnesses, std::max(alive.worst_m, healed.worst_m));
}

/// A world of one region, which is cut into slices while all players walk.
struct CutWorld {
  PromenadeCluster walks;
  PlayedTicksOfAll played_ticks;

  static ClusterOptions options(std::uint32_t thin_players) {
    ClusterOptions out = promenade(thin_players, 2);
    out.link = *find_link_profile("P0");
    out.regions = 1;
    out.thin_pilot = [](const client::ThinAvatar&, std::uint64_t own) {
      return std::make_unique<Pacer>(own);
    };
    out.worker.entities_max = 4'096;
    out.worker.players_max = thin_players + promenade_witnesses;
    return out;
  }
  CutWorld(std::uint32_t thin_players, std::uint32_t workers, Micros us)
      : walks(options(thin_players)) {
    walks.cluster.run_for(2 * second_us);
    walks.cluster.before_tick = [this](worker::Core& core) { played_ticks.note(core); };
    if (workers > 1) cut_up(workers);
    walks.cluster.run_for(us);
  }
  void cut_up(std::uint32_t workers) {
    walks.cluster.change_map(
        [&](ClusterMap& map) {
          const RegionEntry whole = map.regions.front();
          map.regions.clear();
          for (std::uint32_t w = 0; w < workers; ++w) {
            RegionEntry slice = whole;
            slice.region = RegionId{whole.region.number + w};
            if (w > 0) slice.created_epoch = Epoch{0};
            slice.low.x = whole.low.x + w * Promenade::slice_m;
            slice.high.x = slice.low.x + Promenade::slice_m;
            slice.owner = WorkerSlot::at(w);
            map.regions.push_back(slice);
          }
        },
        100'000);
  }
  /// Where each avatar was in a tick that is final, by client. Avatars on their way between two
  /// workers are waited for.
  std::map<std::uint64_t, Vec3> places() {
    constexpr std::int32_t final_ticks = 40, wait_ticks = 20;
    static_assert(final_ticks + wait_ticks < world::history_ticks);
    VirtualCluster& cluster = walks.cluster;
    const Tick then = tick_at(cluster.directory().map().time, cluster.now_us()) - final_ticks;
    const std::size_t all = cluster.players().size() + cluster.thin_players().size();
    std::map<std::uint64_t, Vec3> out;
    for (std::int32_t i = 0; i < wait_ticks && out.size() < all; ++i) {
      if (i > 0) cluster.run_for(second_us / default_tick_rate_hz);
      walks.visit([&](const worker::Core& core, const worker::Player& player) {
        const auto pose = core.world().pose(player.avatar, then);
        if (pose) out.try_emplace(player.client_id, pose->position);
      });
    }
    return out;
  }
};

struct Walked {
  std::map<std::uint64_t, Vec3> places;
  PlayedTicks total;
};
Walked walk_on(std::uint32_t thin_players, std::uint32_t workers, Micros us) {
  CutWorld world(thin_players, workers, us);
  const Pictures pictures = pictures_of(world.walks, world.walks.cluster.players(), false);
  EXPECT_GT(pictures.right, 20U * promenade_witnesses);
  EXPECT_EQ(pictures.wrong, 0U) << "up to " << pictures.worst_m << " m";
  EXPECT_EQ(pictures.missing, 0U);
  const PlayedTicks total = world.played_ticks.all();
  EXPECT_EQ(total.gaps, 0) << "a tick was not played";
  EXPECT_EQ(total.twice, 0) << "a tick was played twice";
  std::printf("%u workers: %d migrations; %zu places known to %u witnesses, at most %.2f m off\n",
              workers, total.crossings, pictures.right, promenade_witnesses, pictures.worst_m);
  return {world.places(), total};
}

TEST(ThinPlayers, WalkTheSameWaysWithOneWorkerAndWith64) {
  const std::uint32_t thin = long_run() ? 2'000 : 400;
  // The last turn was two seconds before the end: all tracks are within their bounds again.
  const Micros us = (long_run() ? 8 : 4) * second_us;
  const Walked alone = walk_on(thin, 1, us);
  const Walked together = walk_on(thin, promenade_workers, us);
  EXPECT_EQ(alone.total.crossings, 0);
  EXPECT_GT(together.total.crossings, static_cast<int>(thin) / 2);
  EXPECT_EQ(alone.places.size(), thin + promenade_witnesses);
  EXPECT_EQ(together.places.size(), alone.places.size());
  int elsewhere = 0;
  for (const auto& [client, place] : together.places) {
    elsewhere += alone.places.at(client) != place;
  }
  EXPECT_EQ(elsewhere, 0) << "the way of an avatar depends on the number of workers";
}

TEST(ThinPlayers, PlayTheSameTwiceOn64Workers) {
  const auto hash = [] {
    const std::uint32_t players = long_run() ? 2'000 : shortened() ? 64 : 300;
    PromenadeCluster walks(promenade(players, 3));
    walks.cluster.run_for((long_run() ? 5 : 2) * second_us);
    EXPECT_EQ(walks.cluster.playing(), players + promenade_witnesses);
    return walks.cluster.hash();
  };
  EXPECT_EQ(hash(), hash());
}

}  // namespace
}  // namespace perigee::lab
