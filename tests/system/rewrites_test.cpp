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

/// Speeds of one player's avatar as rendered by another client, relative to its parent.
struct Seen {
  double raw_m_s = 0;    ///< along straight lines from sample to sample
  double drawn_m_s = 0;  ///< as rendered
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
  Vec3 raw, drawn;
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
    if (entity == nullptr || entity->samples.empty()) continue;
    const client::ViewPoint at = client.view(now_us);
    const auto straight = entity->samples.sample(at.origin, at.ticks, 15);
    const auto shown = entity->samples.drawn(at.origin, at.ticks, 15);
    const double view = at.origin.count + at.ticks;
    const double passed_s = (view - view_before) * seconds_per_tick;
    if (passed_s < 1e-6) continue;  // its display shows 30 or 60 frames per second
    if (frame == straight.frame && !straight.extrapolated) {
      seen.raw_m_s = std::max(seen.raw_m_s, distance(raw, straight.pose.position) / passed_s);
      seen.drawn_m_s = std::max(seen.drawn_m_s, distance(drawn, shown.pose.position) / passed_s);
    }
    view_before = view;
    raw = straight.pose.position;
    drawn = shown.pose.position;
    frame = straight.extrapolated ? std::nullopt : std::optional(straight.frame);
  }
  return seen;
}

TEST(ARewrite, OfSomebodyElseIsGlidedTo) {
  Seen fastest;
  for (const std::uint64_t seed : {1U, 2U}) {
    const Seen seen = watch(seed);
    std::printf("seed %u: fastest %.1f m/s from sample to sample, %.1f m/s as drawn\n",
                static_cast<unsigned>(seed), seen.raw_m_s, seen.drawn_m_s);
    fastest.raw_m_s = std::max(fastest.raw_m_s, seen.raw_m_s);
    fastest.drawn_m_s = std::max(fastest.drawn_m_s, seen.drawn_m_s);
  }
  EXPECT_GT(fastest.raw_m_s, 15) << "somebody who runs at 10 m/s: there is something to glide over";
  EXPECT_LT(fastest.drawn_m_s, 12.5);
}

}  // namespace
}  // namespace perigee
