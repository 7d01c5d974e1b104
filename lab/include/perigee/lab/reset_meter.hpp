/// Measures predictions that restart: the displayed avatar jumps to the server's state. (metrics
/// M1, M2, M4 of the lab)
#pragma once

#include <optional>

#include "perigee/client/client.hpp"

namespace perigee::lab {

/// Distance that the displayed avatar, or the ship that it steers, jumped in one frame.
struct Reset {
  double meters = 0;
  Micros frame_us = 0;
};

class ResetMeter {
 public:
  /// Once per frame, after the client has advanced; `client_us` is the client's own clock. None:
  /// the prediction continues from the previous frame, or has not begun.
  std::optional<Reset> on_frame(Micros now_us, Micros client_us, const client::Client& client);
  /// The game puts the avatar elsewhere: a restart with that epoch is not a reset.
  void on_respawn(std::uint8_t reset_epoch) { respawned_ = reset_epoch; }

 private:
  struct Shown {
    Micros at_us = 0;
    Tick next;  ///< of the prediction
    std::uint8_t reset_epoch = 0;
    Handle frame = no_entity;  ///< of position and velocity
    Vec3 position, velocity;
    Vec3 world;
  };
  static std::optional<Shown> shown(Micros now_us, Micros client_us, const client::Client& client);
  static bool goes_on(const Shown& from, const Shown& to, const client::Client& client);

  std::optional<Shown> last_;  ///< the last frame with a predicted avatar
  std::optional<std::uint8_t> respawned_;
  Micros last_frame_us_ = 0;
};

}  // namespace perigee::lab
