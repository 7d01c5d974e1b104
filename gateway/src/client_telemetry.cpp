#include "perigee/gateway/client_telemetry.hpp"

namespace perigee::gateway {

void ClientTelemetry::on_frame(Micros now_us, std::uint32_t slot,
                               std::span<const std::byte> bytes) {
  const auto telemetry = read_telemetry(bytes);
  if (!telemetry) return needs_.drops.add(Drop::FrameMalformed);
  Client& client = clients_[slot];
  if (now_us < client.next_us) return needs_.drops.add(Drop::TelemetryTooOften);
  client.next_us = now_us + period_us_min;
  if (!client.check.accept(now_us, *telemetry)) {
    return needs_.drops.add(Drop::TelemetryImplausible);
  }
  needs_.counts.add(metric.telemetry_received);
  Figures& figures = client.figures;
  figures.reported_us = now_us;
  figures.newest = *telemetry;
  for (const std::uint16_t count : telemetry->corrections) figures.corrections += count;
  needs_.outputs.on_telemetry(*telemetry);
}

}  // namespace perigee::gateway
