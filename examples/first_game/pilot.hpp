/// A bot: runs from one end of the floor to the other.
#pragma once

#include "perigee/client/client.hpp"

namespace first_game {

class Pilot final : public perigee::client::InputSampler {
 public:
  explicit Pilot(const perigee::client::Client& client) : client_(client) {}
  perigee::PlayerInput sample(perigee::Tick tick) override {
    const double z = client_.prediction().state().position.z;
    if (z > 16) back_ = true;
    if (z < -16) back_ = false;
    perigee::PlayerInput input{.tick = tick, .forward = 127, .held = perigee::button_run};
    if (back_) input.yaw = 32768;
    return input;
  }

 private:
  const perigee::client::Client& client_;
  bool back_ = false;
};

}  // namespace first_game
