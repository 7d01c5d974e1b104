// Bows over real links in virtual time: who stands still is hit, who has stepped aside by the time
// the arrow comes is not; the server decides once, both where they are. (B6b, B8; M10 of the lab)
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

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

/// Shoots at the nearest as it sees it; stands, or walks across the line of fire.
class Archer final : public client::InputSampler {
 public:
  Archer(const client::Client& client, bool walks) : client_(client), walks_(walks) {}

  PlayerInput sample(Tick tick) override {
    PlayerInput input{.tick = tick, .held = button_alternate};
    const client::Prediction& own = client_.prediction();
    const Vec3 eye = own.state().position + Vec3{0, 0.6, 0};
    if (const auto target = nearest(eye)) {
      const double flight_s = length(*target) / 60;
      input.yaw = units<std::uint16_t>(arc_tangent(target->x, target->z));
      input.pitch = units<std::int16_t>(arc_tangent(target->y + 0.5 * 9.81 * flight_s * flight_s,
                                                    length({target->x, 0, target->z})));
    } else {
      input.held = 0;
    }
    if (!walks_) return input;
    // Abreast, four seconds this way and four that way; nobody shoots at who is about to turn back.
    const std::uint32_t leg = tick.count % 240;
    if (leg < 20 || leg > 180) input.held = 0;
    const double way = tick.count / 240 % 2 == 0 ? 1 : -1;
    const SinCos look = sin_cos(input.yaw * (2 * pi / 65536));
    input.forward = axis(way * look.cos);
    input.right = axis(way * look.sin);
    return input;
  }

 private:
  static std::int8_t axis(double share) { return static_cast<std::int8_t>(share * 127); }
  template <class T>
  static T units(double rad) {
    return static_cast<T>(static_cast<std::int32_t>(std::lround(rad * (65536 / (2 * pi)))));
  }
  std::optional<Vec3> nearest(const Vec3& eye) const {
    const client::ViewPoint& at = client_.seen();
    const client::EntityStore& entities = client_.entities();
    const auto frame = entities.drawn_world(client_.prediction().parent(), at);
    std::optional<Vec3> best;
    for (const auto& entity : entities.all()) {
      if (entities.type_of(*entity).kind != world::EntityKind::Actor) continue;
      if (entity->handle == client_.prediction().avatar()) continue;
      const auto pose = entities.drawn_world(entity->handle, at);
      if (!frame || !pose) continue;
      const Vec3 way = inverse_transform(*frame, pose->position) - eye;
      if (!best || length(way) < length(*best)) best = way;
    }
    return best;
  }
  const client::Client& client_;
  bool walks_;
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
    return std::make_unique<Archer>(client, walks);
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
