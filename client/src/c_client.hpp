/// The handle of perigee_client.h.
#pragma once

#include <string>
#include <vector>

#include "perigee/client/c_abi.hpp"
#include "perigee/client/client.hpp"

namespace perigee::client {

/// All ticks of one advance() have the same controls; presses and momentary fields belong to the
/// first.
class OneSample final : public InputSampler {
 public:
  explicit OneSample(const InputLayout& layout) : layout_(layout) {}
  PlayerInput next;

  PlayerInput sample(Tick tick) override {
    const PlayerInput input = next;
    drop_presses(tick);
    return input;
  }
  void drop_presses(Tick tick) { next = held(next, tick, layout_); }

 private:
  const InputLayout& layout_;
};

}  // namespace perigee::client

struct perigee_client {
  explicit perigee_client(const perigee::world::GameModule& module)
      : game(module), inner(module, perigee::client::Settings{}), sample(module.input_layout()) {
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

// Flight recordings, as perigee_client_record(), _recording() and _report_flight() (c_flight.cpp).
int record(perigee_client* client, int seconds);
int take_recording(const perigee_client* client, uint8_t* recording, size_t capacity_bytes,
                   size_t* recording_bytes);
int report_flight(const perigee_client* client, const uint8_t* half, size_t half_bytes,
                  const uint8_t* other, size_t other_bytes, int reruns, char* json,
                  size_t capacity_bytes, size_t* json_bytes);

}  // namespace perigee::client
