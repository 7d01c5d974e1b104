/// The telemetry frames of clients, by client slot: only rare and plausible ones are passed on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perigee/base/counts.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/gateway/outputs.hpp"
#include "perigee/gateway/telemetry_check.hpp"

namespace perigee::gateway {

class ClientTelemetry {
 public:
  static constexpr Micros period_us_min = 200'000;

  struct Needs {
    Outputs& outputs;
    Counts<Count>& counts;
    Counts<Drop>& drops;
  };
  ClientTelemetry(Needs needs, std::uint32_t clients_max) : needs_(needs), clients_(clients_max) {}

  /// A session begins in that slot.
  void start(Micros now_us, std::uint32_t slot) {
    clients_[slot] = {.check = TelemetryCheck(now_us), .figures = {.began_us = now_us}};
  }
  /// A datagram with a payload is being sent to the client.
  void on_sent(std::uint32_t slot, std::size_t bytes) { clients_[slot].check.on_sent(bytes); }
  void on_frame(Micros now_us, std::uint32_t slot, std::span<const std::byte> bytes);

  /// A session's last report, and its sums.
  struct Figures {
    Micros began_us = 0;     ///< of the session
    Micros reported_us = 0;  ///< 0: nothing has been reported
    Telemetry newest;
    std::uint64_t corrections = 0;
  };
  const Figures& figures(std::uint32_t slot) const { return clients_[slot].figures; }

 private:
  struct Client {
    TelemetryCheck check;
    Micros next_us = 0;  ///< frames before this are too early
    Figures figures;
  };

  Needs needs_;
  std::vector<Client> clients_;
};

}  // namespace perigee::gateway
