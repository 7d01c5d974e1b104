/// Statistics that a client sends to the gateway once a second on stream 255. Bytes: proto/WIRE.md,
/// section "Telemetry frame".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/bytes.hpp"
#include "perigee/base/correction_cause.hpp"
#include "perigee/base/ring.hpp"

namespace perigee {

inline constexpr std::uint8_t telemetry_frame_kind = 1;

/// Counts are per interval.
struct Telemetry {
  static constexpr std::size_t sizes_max = 16;

  std::uint16_t interval_ms = 0;
  std::uint32_t rtt_us = 0;            ///< network: echo of the newest packet, minus the hold
  std::uint32_t full_loop_rtt_us = 0;  ///< from sampling an input to seeing it applied
  std::uint32_t jitter_us = 0;
  std::uint16_t loss_permille = 0;
  std::int32_t lead_us = 0;
  std::array<std::uint16_t, enum_count<CorrectionCause>> corrections{};  ///< by cause
  FixedVector<std::uint16_t, sizes_max> correction_sizes_mm;
  std::uint16_t extrapolations = 0;
  std::uint16_t frames_animated = 0;
  std::uint32_t bytes_received = 0;
  // Newest values; `sample_interval_us` is 0 until the player plays.
  std::uint32_t sample_interval_us = 0;  ///< between two samplings of the controls
  std::uint32_t send_wait_us = 0;        ///< from sampling to sending
  std::uint32_t publish_wait_us = 0;     ///< from applied to sent by the worker, maximum
  std::uint32_t view_delay_us = 0;  ///< newest tick received minus V, at which others are rendered
  std::uint32_t input_to_display_us = 0;  ///< sampling to the frame with its whole effect
};
inline constexpr std::size_t telemetry_bytes_max = 1 + 2 + 4 + 4 + 4 + 2 + 4 +
                                                   2 * enum_count<CorrectionCause> + 1 +
                                                   2 * Telemetry::sizes_max + 2 + 2 + 4 + 5 * 4;

/// A view into `out`; empty if it does not fit.
std::span<const std::byte> write_telemetry(const Telemetry& telemetry, std::span<std::byte> out);
/// None if any byte is malformed.
std::optional<Telemetry> read_telemetry(std::span<const std::byte> bytes);

}  // namespace perigee
