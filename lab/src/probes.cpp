#include "perigee/lab/probes.hpp"

#include "perigee/lab/stage.hpp"
#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {
namespace {

constexpr Micros probe_settled_us = 8'000'000;
constexpr Micros watched_us = 5'000'000;

/// Stands still, except for one jump.
class Stander final : public client::InputSampler {
 public:
  explicit Stander(Tick jump) : jump_(jump) {}
  PlayerInput sample(Tick tick) override {
    PlayerInput input;
    input.tick = tick;
    if (tick == jump_) input.samples.push_back({0, button_jump, ActionKind::None, no_entity});
    return input;
  }

 private:
  Tick jump_;
};

struct Frame {
  Micros at_us = 0;
  Tick next;  ///< the first tick that is not sampled yet
  Vec3 shown;
  std::uint64_t corrections = 0;
};

/// One player in its own pen, after settling.
class Run {
 public:
  Run(const ProbeOptions& options, Tick jump)
      : game_(make_pens(1, obstacle_pen(1))),
        cluster_(cluster_options(options), *game_, pilot(jump)) {
    cluster_.after_frame = [this](VirtualPlayer& player) { note(player); };
    cluster_.run_for(probe_settled_us);
    frames_.clear();
  }
  void desync(double meters) {
    cluster_.players()[0].client->prediction().inject_desync({meters, 0, 0});
  }
  Tick next() const { return cluster_.worker(0).next_tick(); }
  const std::vector<Frame>& watch() {
    cluster_.run_for(watched_us);
    return frames_;
  }

 private:
  static ClusterOptions cluster_options(const ProbeOptions& options) {
    ClusterOptions out;
    out.seed = options.seed;
    out.players = 1;
    out.link = options.link;
    out.frames_per_s = {options.frames_per_s};
    out.hitch_every_us = 1'000'000'000;  // none: frames of equal length are needed
    out.client.techniques = options.preset.techniques;
    return out;
  }
  static Pilot pilot(Tick jump) {
    return [jump](const client::Client&, std::uint64_t) { return std::make_unique<Stander>(jump); };
  }
  void note(const VirtualPlayer& player) {
    const auto own = player.client->own(cluster_.local_us(player));
    if (!own) return;
    frames_.push_back({cluster_.now_us(), player.client->prediction().next(), own->local.position,
                       player.client->telemetry().totals().corrections});
  }

  std::unique_ptr<world::GameModule> game_;
  std::vector<Frame> frames_;
  VirtualCluster cluster_;
};

constexpr double ms(Micros us) { return static_cast<double>(us) * 1e-3; }

}  // namespace

std::vector<double> press_to_display_ms(const ProbeOptions& options, std::uint32_t presses) {
  Run still(options, Tick{});
  const Tick first = still.next() + 60;
  const std::vector<Frame>& calm = still.watch();
  std::vector<double> out;
  for (std::uint32_t i = 0; i < presses; ++i) {
    const Tick jump = first + static_cast<std::int32_t>(7 * i);
    Run pressed(options, jump);
    const std::vector<Frame>& frames = pressed.watch();
    std::optional<Micros> sampled_us;
    for (std::size_t f = 0; f < frames.size() && f < calm.size(); ++f) {
      if (!sampled_us && before(jump, frames[f].next)) sampled_us = frames[f].at_us;
      if (!sampled_us || frames[f].shown == calm[f].shown) continue;
      out.push_back(ms(frames[f].at_us - *sampled_us));
      break;
    }
  }
  return out;
}

std::optional<double> settle_ms(const ProbeOptions& options, double meters) {
  Run calm_run(options, Tick{});
  const std::vector<Frame>& calm = calm_run.watch();
  Run moved(options, Tick{});
  moved.desync(meters);
  const std::vector<Frame>& frames = moved.watch();
  std::optional<Micros> corrected_us;
  for (std::size_t f = 0; f < frames.size() && f < calm.size(); ++f) {
    if (!corrected_us && frames[f].corrections > calm[f].corrections) {
      corrected_us = frames[f].at_us;
    }
    if (corrected_us && distance(frames[f].shown, calm[f].shown) <= 0.1 * meters) {
      return ms(frames[f].at_us - *corrected_us);
    }
  }
  return std::nullopt;
}

}  // namespace perigee::lab
