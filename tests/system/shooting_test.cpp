// Rifles over real links in virtual time: what one sees is what one hits, aboard a moving ship too.
// (B5, S2; M10 of the lab at small counts)
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "flight.hpp"
#include "perigee/lab/shooter.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee {
namespace {

/// Everybody begins in the open, on the station or aboard its ferry.
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
  std::map<std::uint32_t, std::uint32_t> kills_at;  ///< by tick, from the journal
};

template <class Make>
Fight fight(const skiff::Tunables& tunables, skiff::Row on, const lab::ClusterOptions& options,
            double seconds, Make make) {
  const Range game(tunables, on);
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
  const worker::JournalLog& journal = cluster.worker(0).journal();
  for (std::uint64_t n = journal.oldest(); n < journal.total(); ++n) {
    ++out.kills_at[journal[n].tick.count];
  }
  return out;
}

void expect_honest(skiff::Row on, std::string_view profile, std::uint64_t seed, double seconds) {
  skiff::Tunables tunables;
  tunables.hits_to_kill = 60'000;
  const auto [shots, kills] = fight(tunables, on, options_of(profile, seed), seconds,
                                    [](const client::Client& client, std::uint64_t brain_seed) {
                                      return lab::make_marksman(client, brain_seed);
                                    });
  std::printf("inside by 2 cm %u of %u missed, outside by 2 cm %u of %u hit\n", shots.hits_missing,
              shots.hits_expected, shots.misses_missing, shots.misses_expected);
  EXPECT_GT(shots.hits_expected, 100U);
  EXPECT_GT(shots.misses_expected, 100U);
  EXPECT_LE(shots.hits_missing * 100, shots.hits_expected * 5);
  EXPECT_LE(shots.misses_missing * 100, shots.misses_expected * 5);
}

TEST(ARifle, HitsWhatIsOnTheScreenOnTheStation) { expect_honest(skiff::station_row, "P2", 1, 40); }

TEST(ARifle, HitsWhatIsOnTheScreenAboardAFerry) { expect_honest(skiff::ferry_row, "P2", 2, 40); }

// K22: a slow link sees older pictures, and hits what is on them.
TEST(ARifle, HitsWhatIsOnTheScreenOverSlowAndUnrulyLinks) {
  for (const char* profile : {"P3", "P5", "P6"}) {
    SCOPED_TRACE(profile);
    expect_honest(skiff::ferry_row, profile, 4, long_run() ? 240 : 30);
  }
}

// S2: latency does not decide who was first, and who shot in one tick are both dead
TEST(ADuel, InOneTickKillsBoth) {
  skiff::Tunables tunables;
  tunables.hits_to_kill = 1;
  lab::ClusterOptions options = options_of("P2", 3);
  options.players = 2;
  for (const skiff::Row on : {skiff::station_row, skiff::ferry_row}) {
    const auto [shots, kills_at] = fight(
        tunables, on, options, 70,
        [](const client::Client& client, std::uint64_t) { return lab::make_duelist(client); });
    EXPECT_GE(shots.hits_expected, 16U);
    EXPECT_EQ(shots.hits_missing, 0U);
    for (const auto& [tick, kills] : kills_at) EXPECT_EQ(kills, 2U) << tick;
    EXPECT_GE(kills_at.size(), 8U);
  }
}

}  // namespace
}  // namespace perigee
