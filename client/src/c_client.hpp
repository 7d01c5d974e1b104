/// The handle of perigee_client.h.
#pragma once

#include <string>
#include <vector>

#include "perigee/client/c_abi.hpp"
#include "perigee/client/client.hpp"

namespace perigee::client {

/// All ticks of one advance() have the same controls; presses belong to the first.
class OneSample final : public InputSampler {
 public:
  PlayerInput next;

  PlayerInput sample(Tick) override {
    PlayerInput input = next;
    next.samples.clear();
    return input;
  }
};

}  // namespace perigee::client

struct perigee_client {
  explicit perigee_client(const perigee::world::GameModule& module)
      : game(module), inner(module, perigee::client::Settings{}) {
    for (const perigee::world::EntityType& type : module.types()) {
      type_names.emplace_back(type.name);
    }
  }
  const perigee::world::GameModule& game;
  perigee::client::Client inner;
  perigee::client::OneSample sample;
  std::vector<std::string> type_names;
};

namespace perigee::client {

template <class Body>
int guarded(Body body) noexcept {
  return without_exceptions<int>(PERIGEE_CLIENT_INTERNAL, body);
}

}  // namespace perigee::client
