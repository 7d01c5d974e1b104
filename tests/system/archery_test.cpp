// Bows over real links in virtual time: who stands still is hit, who has stepped aside by the time
// the arrow comes is not; the server decides once, both where they are. (B6b, B8; M10 of the lab)
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "perigee/lab/shooter.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/fighter.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee {
namespace {

/// Everybody begins in the open, on the station or aboard its ferry, 15 m from the next.
class Meadow final : public skiff::Skiff {
 public:
  Meadow(const skiff::Tunables& tunables, skiff::Row on) : Skiff(tunables), on_(on) {}
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out = Skiff::spawn_state(world, region, ordinal);
    for (const Handle handle : world.in_order()) {
      if (world.find(handle)->type != on_) continue;
      out.parent = handle;
      out.state.position = on_ == skiff::ferry_row ? Vec3{0, 0.91, -20 + 14.0 * ordinal}
                                                   : Vec3{40 + 15.0 * ordinal, 0.91, 0};
      break;
    }
    return out;
  }

 private:
  skiff::Row on_;
};

struct Volley {
  std::uint32_t arrows = 0;
  std::uint32_t hits = 0;
  std::uint32_t drawn_own = 0;  ///< frames in which an own arrow was to be seen
  std::uint32_t drawn_others = 0;
};

Volley shoot(skiff::Row on, bool walks, double seconds) {
  skiff::Tunables tunables;
  tunables.hits_to_kill = 60'000;
  const Meadow game(tunables, on);
  lab::ClusterOptions options;
  options.link = *find_link_profile("P2");
  options.players = 4;
  options.workers = 1;
  options.hitch_us = 0;
  const lab::Pilot pilot = [&](const client::Client& client, std::uint64_t) {
    return lab::make_archer(client, walks);
  };
  lab::VirtualCluster cluster(options, game, pilot);
  std::vector<std::map<std::uint32_t, bool>> arrows(options.players);
  Volley volley;
  for (double played = 0; played < seconds; played += 0.005) {
    cluster.run_for(5'000);
    for (std::size_t i = 0; i < arrows.size(); ++i) {
      auto& player = cluster.players()[i];
      for (const client::CueNews& cue : player.client->cues()) {
        if (cue.effect != skiff::loose_effect || cue.state != client::CueState::Confirmed) continue;
        bool& hit = arrows[i][cue.tick.count];
        hit |= cue.detail == skiff::shot_hit;
      }
      const Micros client_us =
          player.clock_offset_us +
          static_cast<Micros>(static_cast<double>(cluster.now_us()) * player.clock_rate);
      for (const client::DrawnFlight& flight : player.client->flights(client_us)) {
        ++(flight.own ? volley.drawn_own : volley.drawn_others);
      }
    }
  }
  EXPECT_EQ(cluster.playing(), 4U);
  for (const auto& one : arrows) {
    std::uint32_t newest = one.empty() ? 0 : one.rbegin()->first;
    for (const auto& [tick, hit] : one) {
      if (tick + 90 > newest) continue;  // still in the air, or not heard of
      ++volley.arrows;
      volley.hits += hit;
    }
  }
  return volley;
}

TEST(AnArrow, HitsWhoStandsStill) {
  for (const skiff::Row on : {skiff::station_row, skiff::ferry_row}) {
    SCOPED_TRACE(on);
    const Volley volley = shoot(on, false, 40);
    std::printf("standing: %u of %u arrows hit\n", volley.hits, volley.arrows);
    EXPECT_GT(volley.arrows, 100U);
    EXPECT_GE(volley.hits * 100, volley.arrows * 95);
    EXPECT_GT(volley.drawn_own, 1'000U);
    EXPECT_GT(volley.drawn_others, 1'000U);
  }
}

TEST(AnArrow, MissesWhoHasSteppedAside) {
  const Volley volley = shoot(skiff::station_row, true, 60);
  std::printf("walking: %u of %u arrows hit\n", volley.hits, volley.arrows);
  EXPECT_GT(volley.arrows, 100U);
  EXPECT_LE(volley.hits * 100, volley.arrows * 5);
}

}  // namespace
}  // namespace perigee
