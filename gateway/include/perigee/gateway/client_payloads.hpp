/// Sends payloads to clients, and accounts for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "perigee/base/assert.hpp"
#include "perigee/base/counts.hpp"
#include "perigee/base/frames.hpp"
#include "perigee/gateway/client_telemetry.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/transport/server.hpp"

namespace perigee::gateway {

class ClientPayloads {
 public:
  struct Needs {
    transport::Server& server;
    ClientTelemetry& telemetry;
    Counts<Count>& counts;
  };
  explicit ClientPayloads(Needs needs) : needs_(needs) {}

  /// The client must be connected.
  void send(Micros now_us, std::uint32_t slot, std::span<const std::byte> payload) {
    PERIGEE_ASSERT(payload.size() <= frames_bytes_max,
                   "a payload must not exceed frames_bytes_max");
    needs_.counts.add(metric.payloads_sent);
    needs_.telemetry.on_sent(slot, payload.size() + transport::packet_overhead_bytes_max);
    needs_.server.send_payload(now_us, slot, payload);
  }

 private:
  Needs needs_;
};

}  // namespace perigee::gateway
