// Closed loop: takes the controls beside it and steers away and back again, with a command every
// 0.5 to 2 s. Acts on the displayed position of its ship 100 ms ago. A player that begins away from
// the controls strolls.
#include <array>

#include "controls.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "slots.hpp"

namespace perigee::lab {
namespace {

constexpr std::size_t reaction_ticks = 6;
constexpr Slots commands{75, 45};  // 0.5 to 2 s apart
constexpr double leash_m = 80;     // maximum distance from its starting point

class Driver final : public client::InputSampler {
 public:
  Driver(const client::Client& client, std::uint64_t seed)
      : client_(client), seed_(seed), rider_(make_stroller(seed)) {}

  PlayerInput sample(Tick tick) override {
    const client::Prediction& own = client_.prediction();
    const client::EntityStore& entities = client_.entities();
    if (ship_ == no_entity) ship_ = own.parent();
    const client::ClientEntity* ship = entities.find(ship_);
    if (ship == nullptr) return {.tick = tick};
    if ((own.state().flags & actor_at_controls) != 0) return steer(*ship, tick);
    const world::VehicleControl& vehicle = entities.type_of(*ship).vehicle;
    if (!drives_) {
      drives_ = vehicle.thrust_m_s2 > 0 && distance(own.state().position, vehicle.seat) < 1;
    }
    if (!*drives_) return rider_->sample(tick);
    PlayerInput input{.tick = tick};
    if (tick.count % 20 == 0) input.samples.push_back({0, 0, ActionKind::Use, ship_});
    return input;
  }

 private:
  PlayerInput steer(const client::ClientEntity& ship, Tick tick) {
    PlayerInput input{.tick = tick, .held = button_dampers};
    const auto drawn = client_.entities().drawn_world(ship.handle, client_.seen());
    const auto& vehicle = client_.prediction().vehicle();
    const Pose seen = vehicle.predicted() ? vehicle.motion().pose : drawn.value_or(Pose{});
    if (!cast_off_) cast_off_ = seen.position;
    Pose& slot = memory_[next_++ % memory_.size()];
    const Pose acted_on = next_ > memory_.size() ? slot : seen;
    slot = seen;

    const std::uint64_t mood = mix64(seed_, commands.current(seed_, tick), std::uint64_t{4});
    const auto part = [&](int byte) {  // -1 .. 1
      return static_cast<double>(mood >> (8 * byte) & 0xff) / 127.5 - 1;
    };
    const Vec3 home = inverse_transform(acted_on, *cast_off_);  // in the ship's axes: right is -x
    const bool astray = length(home) > leash_m;
    input.yaw = static_cast<std::uint16_t>(mood >> 40);  // looks around
    input.right = axis(part(0));
    input.forward = axis(astray ? home.z / leash_m : part(1) * 1.5);
    input.up = axis(astray ? home.y / leash_m : part(2) * 0.4);
    return input;
  }

  const client::Client& client_;
  std::uint64_t seed_;
  std::unique_ptr<client::InputSampler> rider_;
  Handle ship_ = no_entity;  ///< the ship it begins on
  std::optional<bool> drives_;
  std::optional<Vec3> cast_off_;
  std::array<Pose, reaction_ticks> memory_{};
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<client::InputSampler> make_driver(const client::Client& client,
                                                  std::uint64_t seed) {
  return std::make_unique<Driver>(client, seed);
}

}  // namespace perigee::lab
