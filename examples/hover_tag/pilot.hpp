/// A bot: with a torch it chases the nearest opponent, without one it fetches torches and power-ups
/// or hops from pad to pad, and it throws balls.
#pragma once

#include "perigee/client/client.hpp"

namespace hover_tag {

/// The controls of a tick, a function of what the client knows.
perigee::PlayerInput controls(const perigee::client::Client& client, perigee::Tick tick);

class Pilot final : public perigee::client::InputSampler {
 public:
  explicit Pilot(const perigee::client::Client& client) : client_(client) {}
  perigee::PlayerInput sample(perigee::Tick tick) override { return controls(client_, tick); }

 private:
  const perigee::client::Client& client_;
};

}  // namespace hover_tag
