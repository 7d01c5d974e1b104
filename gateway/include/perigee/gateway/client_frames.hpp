/// Client -> worker: the frames of clients' payloads go to workers, or to the component that they
/// are for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/counts.hpp"
#include "perigee/base/frames.hpp"
#include "perigee/gateway/client_telemetry.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/gateway/echoes.hpp"
#include "perigee/gateway/joins.hpp"
#include "perigee/gateway/resume_tokens.hpp"
#include "perigee/gateway/sessions.hpp"
#include "perigee/gateway/technique_orders.hpp"
#include "perigee/gateway/worker_links.hpp"

namespace perigee::gateway {

class ClientFrames {
 public:
  static constexpr std::uint32_t frames_per_payload_max = 32;

  struct Needs {
    const ClusterMap& map;
    WorkerLinks& links;
    const Sessions& sessions;
    const Joins& joins;
    Echoes& echoes;
    ResumeTokens& resume_tokens;
    TechniqueOrders& technique_orders;
    ClientTelemetry& telemetry;
    Counts<Count>& counts;
    Counts<Drop>& drops;
  };
  /// When the payload arrived: on the clock of now_us, and on the world's clock.
  struct Arrival {
    Micros received_us = 0;
    FineTick received;
  };
  explicit ClientFrames(Needs needs) : needs_(needs) {}

  void on_payload(Micros now_us, const Arrival& arrival, const transport::ReceivedPayload& payload);

 private:
  void on_frame(Micros now_us, std::uint32_t slot, FineTick received, const Frame& frame);
  void on_gateway_frame(Micros now_us, std::uint32_t slot, std::span<const std::byte> bytes);

  Needs needs_;
};

}  // namespace perigee::gateway
