// Bows over real links in virtual time: a target that stands still is hit; one that has stepped
// aside before the arrow arrives is not. The server decides once, with arrow and target as they
// were at the same tick. (B6b, B8; M10 of the lab)
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "perigee/lab/shooter.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/fighter.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee {
namespace {

/// All players spawn in the open, on the station or aboard its ferry, 15 m apart.
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

/// Hit cues as displayed to the players that were shot at.
struct Flinches {
  std::uint32_t shown = 0;      ///< displayed before the server's verdict
  std::uint32_t confirmed = 0;  ///< the part that the server confirmed
  std::uint32_t cancelled = 0;
  std::uint32_t reported = 0;  ///< displayed only after the server's verdict
  double before_verdict_s = 0;
};

struct Volley {
  Flinches flinches;
  std::uint32_t arrows = 0;
  std::uint32_t hits = 0;
  std::uint32_t drawn_own = 0;  ///< frames in which an own arrow was rendered
  std::uint32_t drawn_others = 0;
};

/// A player's hit cues, with the time at which each was displayed.
class FlinchWatch {
 public:
  void note(const client::CueNews& cue, double now_s, Flinches& out) {
    if (cue.effect != skiff::flinch_effect) return;
    const auto name = std::pair(cue.tick.count, cue.index);
    if (!noted_.emplace(name, cue.state).second) return;  // sampled more than once per frame
    const auto shown = shown_s_.find(name);
    if (cue.state == client::CueState::Played) {
      shown_s_[name] = now_s;
      ++out.shown;
    } else if (shown == shown_s_.end()) {
      ++out.reported;
    } else if (cue.state == client::CueState::Cancelled) {
      ++out.cancelled;
    } else {
      ++out.confirmed;
      out.before_verdict_s += now_s - shown->second;
    }
  }

 private:
  using Name = std::pair<std::uint32_t, std::uint8_t>;
  std::map<Name, double> shown_s_;
  std::set<std::pair<Name, client::CueState>> noted_;
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
  std::vector<FlinchWatch> watches(options.players);
  Volley volley;
  for (double played = 0; played < seconds; played += 0.005) {
    cluster.run_for(5'000);
    for (std::size_t i = 0; i < arrows.size(); ++i) {
      auto& player = cluster.players()[i];
      for (const client::CueNews& cue : player.client->cues()) {
        watches[i].note(cue, played, volley.flinches);
        if (cue.effect != skiff::loose_effect || cue.state != client::CueState::Confirmed) continue;
        bool& hit = arrows[i][cue.tick.count];
        hit |= cue.detail == skiff::shot_hit;
      }
      const Micros client_us =
          player.clock_offset_us +
          static_cast<Micros>(static_cast<double>(cluster.now_us()) * player.clock_rate);
      for (const client::DrawnProjectile& flight : player.client->projectiles(client_us)) {
        ++(flight.own ? volley.drawn_own : volley.drawn_others);
      }
    }
  }
  EXPECT_EQ(cluster.playing(), 4U);
  for (const auto& one : arrows) {
    std::uint32_t newest = one.empty() ? 0 : one.rbegin()->first;
    for (const auto& [tick, hit] : one) {
      if (tick + 90 > newest) continue;  // still in flight, or its result is not replicated yet
      ++volley.arrows;
      volley.hits += hit;
    }
  }
  return volley;
}

void print(const Flinches& seen) {
  std::printf("flinches shown %u: confirmed %u after %.0f ms, cancelled %u; reported first %u\n",
              seen.shown, seen.confirmed,
              seen.before_verdict_s / std::max(seen.confirmed, 1U) * 1e3, seen.cancelled,
              seen.reported);
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
    // B8: the target's client displays the hit when the arrow arrives on its screen, long before
    // the server's verdict.
    const Flinches& seen = volley.flinches;
    print(seen);
    EXPECT_GT(seen.shown, 100U);
    EXPECT_LE(seen.cancelled * 20, seen.shown);
    EXPECT_LE(seen.reported * 10, seen.shown);
    EXPECT_GT(seen.before_verdict_s / seen.confirmed, 0.25) << "P alone is a quarter second";
  }
}

TEST(AnArrow, MissesWhoHasSteppedAside) {
  const Volley volley = shoot(skiff::station_row, true, 60);
  std::printf("walking: %u of %u arrows hit\n", volley.hits, volley.arrows);
  EXPECT_GT(volley.arrows, 100U);
  EXPECT_LE(volley.hits * 100, volley.arrows * 5);
  print(volley.flinches);
  EXPECT_LE(volley.flinches.shown * 100, volley.arrows * 5) << "nobody flinches who has dodged";
}

}  // namespace
}  // namespace perigee
