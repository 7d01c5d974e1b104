/// Plausibility of a client's telemetry: it may not claim more than the gateway has seen of the
/// client.
#pragma once

#include <cstddef>
#include <cstdint>

#include "perigee/base/telemetry.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::gateway {

class TelemetryCheck {
 public:
  /// Play time that the first report may cover: its interval may have begun before the session.
  static constexpr Micros first_us = 2'000'000;
  /// Maximum of unreported play time; an interval counts up to 65.5 s.
  static constexpr Micros unreported_us_max = 70'000'000;
  /// A client counts corrections within this time as one (proto/WIRE.md).
  static constexpr Micros correction_us_min = 250'000;
  static constexpr Micros frame_us_min = 1'000;             ///< frames of a display, at 1,000 Hz
  static constexpr std::uint32_t drawn_per_s_max = 10'000;  ///< entities, checked once a second
  /// Bytes that the client's previous connection may have received within the same second.
  static constexpr std::uint64_t former_bytes_max = 64U << 10;
  /// Longer round trips and waits belong to connections that have ended.
  static constexpr std::uint32_t duration_us_max = 10'000'000;

  TelemetryCheck() = default;
  explicit TelemetryCheck(Micros now_us) : counted_to_us_(now_us) {}

  /// A datagram with a payload is being sent to the client.
  void on_sent(std::size_t bytes) { sent_bytes_ += bytes; }
  /// Whether the report is plausible. An accepted report uses up the time and bytes that it claims.
  bool accept(Micros now_us, const Telemetry& report);

 private:
  Micros counted_to_us_ = 0;
  Micros unreported_us_ = first_us;
  std::uint64_t sent_bytes_ = former_bytes_max;
};

}  // namespace perigee::gateway
