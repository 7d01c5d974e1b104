// Rifles over real links in virtual time: a shot hits the target as the shooter's client displays
// it, also aboard a moving ship. (B5, S2; M10 of the lab at small counts)
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "flight.hpp"
#include "perigee/lab/shooter.hpp"
#include "perigee/lab/stage.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee {
namespace {

/// All players spawn in the open, on the station or aboard its ferry.
class Range final : public skiff::Skiff {
 public:
  Range(const skiff::Tunables& tunables, skiff::Row on) : Skiff(tunables), on_(on) {}
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out = Skiff::spawn_state(world, region, ordinal);
    for (const Handle handle : world.in_order()) {
      if (world.find(handle)->type != on_) continue;
      out.parent = handle;
      out.state.position = on_ == skiff::ferry_row
                               ? Vec3{ordinal % 2 == 0 ? -3.0 : 3.0, 0.91, -25 + 9.0 * ordinal}
                               : Vec3{35 + 9.0 * ordinal, 0.91, ordinal % 2 == 0 ? 0.0 : 12.0};
      break;
    }
    return out;
  }

 private:
  skiff::Row on_;
};

lab::ClusterOptions options_of(std::string_view profile, std::uint64_t seed) {
  lab::ClusterOptions options;
  options.link = *find_link_profile(profile);
  options.players = 6;
  options.workers = 1;
  options.seed = seed;
  return options;
}

struct Fight {
  lab::ShotFigures shots;
  std::map<std::uint32_t, std::uint32_t> kills_at;  ///< by tick, from the journals
  std::uint64_t asked = 0, unanswered = 0;          ///< remote raycasts
};

template <class Make>
Fight fight(const world::GameModule& game, const lab::ClusterOptions& options, double seconds,
            Make make) {
  lab::VirtualCluster cluster(options, game,
                              [&](const client::Client& client,
                                  std::uint64_t seed) -> std::unique_ptr<client::InputSampler> {
                                return make(client, seed);
                              });
  cluster.after_frame = [](lab::VirtualPlayer& player) {
    static_cast<lab::Shooter&>(*player.pilot).hear(player.client->cues());
  };
  cluster.run_for(static_cast<Micros>(seconds * 1e6));
  EXPECT_EQ(cluster.playing(), options.players);
  Fight out;
  for (const lab::VirtualPlayer& player : cluster.players()) {
    out.shots += static_cast<const lab::Shooter&>(*player.pilot).figures();
  }
  for (std::size_t w = 0; w < cluster.workers(); ++w) {
    const worker::JournalLog& journal = cluster.worker(w).journal();
    for (std::uint64_t n = journal.oldest(); n < journal.total(); ++n) {
      ++out.kills_at[journal[n].tick.count];
    }
    out.asked += cluster.worker(w).counts()[worker::metric.remote_raycasts_asked];
    out.unanswered += cluster.worker(w).counts()[worker::metric.remote_raycasts_unanswered];
  }
  return out;
}

void expect_honest(skiff::Row on, std::string_view profile, std::uint64_t seed, double seconds) {
  skiff::Tunables tunables;
  tunables.hits_to_kill = 60'000;
  const Fight all = fight(Range(tunables, on), options_of(profile, seed), seconds,
                          [](const client::Client& client, std::uint64_t brain_seed) {
                            return lab::make_marksman(client, brain_seed);
                          });
  const lab::ShotFigures& shots = all.shots;
  std::printf("inside by 2 cm %u of %u missed, outside by 2 cm %u of %u hit\n", shots.hits_missing,
              shots.hits_expected, shots.misses_missing, shots.misses_expected);
  EXPECT_GT(shots.hits_expected, 100U);
  EXPECT_GT(shots.misses_expected, 100U);
  EXPECT_LE(shots.hits_missing * 100, shots.hits_expected * 5);
  EXPECT_LE(shots.misses_missing * 100, shots.misses_expected * 5);
}

TEST(ARifle, HitsWhatIsOnTheScreenOnTheStation) { expect_honest(skiff::station_row, "P2", 1, 40); }

TEST(ARifle, HitsWhatIsOnTheScreenAboardAFerry) { expect_honest(skiff::ferry_row, "P2", 2, 40); }

// K22: a client on a slow link displays an older state, and hits what it displays.
TEST(ARifle, HitsWhatIsOnTheScreenOverSlowAndUnrulyLinks) {
  for (const char* profile : {"P3", "P5", "P6"}) {
    SCOPED_TRACE(profile);
    expect_honest(skiff::ferry_row, profile, 4, long_run() ? 240 : 30);
  }
}

std::unique_ptr<client::InputSampler> duelist(const client::Client& client, std::uint64_t) {
  return lab::make_duelist(client);
}
void expect_duels(const Fight& fight) {
  EXPECT_GE(fight.shots.hits_expected, 16U);
  EXPECT_EQ(fight.shots.hits_missing, 0U);
  for (const auto& [tick, kills] : fight.kills_at) EXPECT_EQ(kills, 2U) << tick;
  EXPECT_GE(fight.kills_at.size(), 8U);
}

// S2: latency does not decide which shot was first: two players that shoot each other in one tick
// are both dead
TEST(ADuel, InOneTickKillsBoth) {
  skiff::Tunables tunables;
  tunables.hits_to_kill = 1;
  lab::ClusterOptions options = options_of("P2", 3);
  options.players = 2;
  for (const skiff::Row on : {skiff::station_row, skiff::ferry_row}) {
    expect_duels(fight(Range(tunables, on), options, 70, duelist));
  }
}

/// A long deck on either side of the border; only bullets cross it.
class Banks final : public lab::Stage {
 public:
  explicit Banks(const skiff::Tunables& tunables) : Stage(tunables, {deck()}) {}

  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    for (const double side : {-1.0, 1.0}) {
      const double x = side * half_m;
      if (x < region.low.x || x >= region.high.x) continue;
      world.spawn({.id = world::make_entity_id(spawner, Tick{}, side < 0 ? 0U : 1U),
                   .type = platform_row,
                   .local = {{x, 0, 0}, {}}});
    }
  }
  void drive(world::World&, Tick) const override {}
  /// 100 m from the border on one side, 190 m on the other.
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t) const override {
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      const double x = entity.local.position.x;
      if (entity.type != platform_row || x < region.low.x || x >= region.high.x) continue;
      world::ActorSpawn out{.type = skiff::character_row, .parent = handle};
      out.state.position = {x < 0 ? 0.0 : 90.0, tunables().character.height_m / 2 + 0.01, 0};
      return out;
    }
    PERIGEE_ASSERT(false, "either side has a deck");
  }

 private:
  static constexpr double half_m = 100;
  static world::EntityType deck() {
    const Vec3 half{half_m, 0.5, 20};
    return {.name = "deck",
            .kind = world::EntityKind::Static,
            .shape = world::make_shape({{.center = {0, -0.5, 0}, .half = half}}),
            .size = world::SizeClass::Large,
            .parent_eligible = true,
            .gravity = {{0, -skiff::Tunables{}.gravity_m_s2, 0}, {{-100, -1, -20}, {100, 12, 20}}}};
  }
};

// Neither worker has a ghost of the other's player: each sends a remote raycast to the other one,
// and latency still decides nothing.
TEST(ADuel, FarOverABorderInOneTickKillsBoth) {
  skiff::Tunables tunables;
  tunables.hits_to_kill = 1;
  lab::ClusterOptions options = options_of("P2", 5);
  options.players = 2;
  options.workers = 2;
  const Fight all = fight(Banks(tunables), options, 70, duelist);
  expect_duels(all);
  EXPECT_GE(all.asked, all.shots.hits_expected);
  EXPECT_EQ(all.unanswered, 0U);
}

}  // namespace
}  // namespace perigee
