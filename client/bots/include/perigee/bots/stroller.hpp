/// The controls of a thin player, which sees nothing: it walks near the place where it started,
/// rests now and then, and moves its mouse all the time. Same seed and same states, same play.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/hash.hpp"
#include "perigee/client/thin_client.hpp"

namespace perigee::bots {

class Stroller final : public client::InputSampler {
 public:
  static constexpr double leash_m = 25;  ///< farther from its start, it turns back

  Stroller(const client::ThinAvatar& avatar, std::uint64_t seed) : avatar_(avatar), random_(seed) {}
  PlayerInput sample(Tick tick) override;

 private:
  void note_home();
  void choose(Tick tick);

  const client::ThinAvatar& avatar_;
  Random random_;
  Handle home_ = no_entity;
  std::optional<Vec3> home_local_;  ///< none: not known yet
  std::optional<Tick> choose_at_;   ///< none: at once
  bool walks_ = false;
  double yaw_rad_ = 0, pitch_rad_ = 0;
  double yaw_rad_s_ = 0, pitch_rad_s_ = 0;  ///< of the mouse
};

}  // namespace perigee::bots
