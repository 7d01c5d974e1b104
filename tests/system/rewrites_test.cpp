// S13: if late inputs rewrite a player's past, other clients glide its avatar to the new path
// instead of letting it jump.
#include <gtest/gtest.h>

#include <cstdio>

#include "flight.hpp"

namespace perigee {
namespace {

/// Runs to and fro, so that inputs that come late move it by metres.
class Shuttle final : public client::InputSampler {
 public:
  PlayerInput sample(Tick tick) override {
    PlayerInput input{.tick = tick};
    input.yaw = tick.count / 20 % 2 == 0 ? 0 : 32768;
    input.forward = 127;
    input.held = button_run;
    return input;
  }
};

/// One player's avatar as rendered by another client, relative to its parent.
struct Seen {
  double rewritten_m = 0;  ///< largest distance of a new track from what is rendered at its tick
  double drawn_m_s = 0;    ///< highest speed
};

/// Good links, but the players' uplinks stall for nearly the whole window, and so seldom that leads
/// do not cover it.
Seen watch(std::uint64_t seed) {
  constexpr double frame_s = 1.0 / 144;
  skiff::Skiff game;
  lab::ClusterOptions options;
  options.link = *find_link_profile("P1");
  options.link.up.stall_every_s = 20;
  options.link.up.stall_ms_min = 200;
  options.link.up.stall_ms_max = 240;
  options.players = 2;
  options.workers = 1;
  options.seed = seed;
  options.hitch_us = 0;
  lab::VirtualCluster cluster(options, game, [](const client::Client&, std::uint64_t) {
    return std::make_unique<Shuttle>();
  });
  cluster.run_for(8'000'000);
  const auto& watcher = cluster.players()[1];
  const Handle runner = cluster.players()[0].client->prediction().avatar();
  Vec3 drawn;
  Tick newest;
  double view_before = 0;
  std::optional<Handle> frame;  ///< of the previous frame, if that was between two samples
  Seen seen;
  for (double s = 0; s < 120; s += frame_s) {
    cluster.run_for(static_cast<Micros>(frame_s * 1e6));
    const client::Client& client = *watcher.client;
    const auto now_us =
        watcher.clock_offset_us +
        static_cast<Micros>(static_cast<double>(cluster.now_us()) * watcher.clock_rate);
    const client::ClientEntity* entity = client.entities().find(runner);
    if (entity == nullptr || entity->tracks.empty()) continue;
    const client::ViewPoint at = client.view(now_us);
    const auto shown = *client.entities().drawn(*entity, at);
    const double view = at.origin.count + at.ticks;
    const double passed_s = (view - view_before) * seconds_per_tick;
    if (passed_s < 1e-6) continue;  // its display shows 30 or 60 frames per second
    if (frame == shown.frame && !shown.extrapolated) {
      seen.drawn_m_s = std::max(seen.drawn_m_s, distance(drawn, shown.pose.position) / passed_s);
      if (newest != entity->tracks.newest_tick()) {
        const Tick seen_tick{static_cast<std::uint32_t>(view)};
        const Vec3 told = entity->tracks.newest(seen_tick).pose.position;
        seen.rewritten_m = std::max(seen.rewritten_m, distance(shown.pose.position, told));
      }
    }
    newest = entity->tracks.newest_tick();
    view_before = view;
    drawn = shown.pose.position;
    frame = shown.extrapolated ? std::nullopt : std::optional(shown.frame);
  }
  return seen;
}

TEST(ARewrite, OfSomebodyElseIsGlidedTo) {
  Seen fastest;
  for (const std::uint64_t seed : {1U, 2U}) {
    const Seen seen = watch(seed);
    std::printf("seed %u: rewritten by up to %.1f m, fastest %.1f m/s as drawn\n",
                static_cast<unsigned>(seed), seen.rewritten_m, seen.drawn_m_s);
    fastest.rewritten_m = std::max(fastest.rewritten_m, seen.rewritten_m);
    fastest.drawn_m_s = std::max(fastest.drawn_m_s, seen.drawn_m_s);
  }
  EXPECT_GT(fastest.rewritten_m, 0.5) << "there is something to glide over";
  EXPECT_LT(fastest.drawn_m_s, 12.5);
}

}  // namespace
}  // namespace perigee
