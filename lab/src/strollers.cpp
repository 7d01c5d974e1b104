// Open loop: the pressed keys are a function of the seed and the tick.
#include <array>

#include "perigee/lab/scenario.hpp"
#include "slots.hpp"

namespace perigee::lab {
namespace {

constexpr std::int8_t full_axis = 127;
constexpr std::uint16_t half_turn = 32768;

constexpr Slots turns{75, 45};     // 0.5 to 2 s apart
constexpr Slots jumps{360, 300};   // ten a minute
constexpr Slots legs{240, 60};     // 3 to 5 s
constexpr Slots roads{1200, 120};  // 18 to 22 s

class Stroller : public client::InputSampler {
 public:
  explicit Stroller(std::uint64_t seed) : seed_(seed) {}

  PlayerInput sample(Tick tick) override {
    PlayerInput input;
    input.tick = tick;
    const std::uint64_t mood = mix64(seed_, turns.current(seed_, tick), std::uint64_t{1});
    input.yaw = heading(tick, mood);
    if (mood % 16 != 0) input.forward = full_axis;
    if (mood / 16 % 2 == 0) input.held = button_run;
    if (jumps.now(seed_, tick))
      input.samples.push_back({64, button_jump, ActionKind::None, no_entity});
    return input;
  }

 protected:
  virtual std::uint16_t heading(Tick, std::uint64_t mood) const {
    return static_cast<std::uint16_t>(mood >> 32);
  }
  std::uint64_t seed() const { return seed_; }

 private:
  std::uint64_t seed_;
};

class LaneWalker final : public Stroller {
 public:
  LaneWalker(std::uint64_t own, const Slots& each) : Stroller(own), legs_(each) {}

 private:
  std::uint16_t heading(Tick tick, std::uint64_t mood) const override {
    constexpr std::uint16_t towards_x = half_turn / 2;
    constexpr std::uint16_t sway = 4096;  // a sixteenth of a turn to either side
    const std::uint16_t back = legs_.current(seed(), tick) % 2 == 0 ? 0 : half_turn;
    return static_cast<std::uint16_t>(towards_x + back - sway + (mood >> 32) % (2 * sway));
  }

  Slots legs_;
};

/// Digs and fills half of the time, in front of its feet or face.
class Digger final : public Stroller {
 public:
  using Stroller::Stroller;

  PlayerInput sample(Tick tick) override {
    PlayerInput input = Stroller::sample(tick);
    const std::uint64_t leg = legs.current(seed(), tick);
    const std::uint64_t mood = mix64(seed(), leg, std::uint64_t{2});
    if (leg % 2 == 0) return input;
    constexpr std::array<std::int16_t, 4> pitches{-9000, -5500, -2500, 1000};  // 50 degrees down ..
    input.pitch = pitches[mood % pitches.size()];
    input.held |= mood / 4 % 4 == 0 ? button_fill : button_dig;
    return input;
  }
};

}  // namespace

std::unique_ptr<client::InputSampler> make_digger(std::uint64_t seed) {
  return std::make_unique<Digger>(seed);
}
std::unique_ptr<client::InputSampler> make_stroller(std::uint64_t seed) {
  return std::make_unique<Stroller>(seed);
}
std::unique_ptr<client::InputSampler> make_lane_walker(std::uint64_t seed) {
  return std::make_unique<LaneWalker>(seed, legs);
}
std::unique_ptr<client::InputSampler> make_road_walker(std::uint64_t seed) {
  return std::make_unique<LaneWalker>(seed, roads);
}

}  // namespace perigee::lab
