#include "perigee/gateway/telemetry_check.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace perigee::gateway {
namespace {

bool durations_can_be(const Telemetry& report) {
  const auto longest =
      std::max({report.rtt_us, report.full_loop_rtt_us, report.jitter_us, report.sample_interval_us,
                report.send_wait_us, report.publish_wait_us, report.view_delay_us,
                report.input_to_display_us});
  const std::int64_t lead_us = report.lead_us;
  constexpr std::int64_t lead_us_max = TelemetryCheck::duration_us_max;
  return longest <= TelemetryCheck::duration_us_max && lead_us >= -lead_us_max &&
         lead_us <= lead_us_max;
}

/// Whether `count` events, `apart_us` or more apart, fit into the interval; one at each end is
/// allowed.
bool fits(std::uint64_t count, Micros interval_us, Micros apart_us) {
  return count <= static_cast<std::uint64_t>(interval_us / apart_us) + 2;
}

}  // namespace

bool TelemetryCheck::accept(Micros now_us, const Telemetry& report) {
  const Micros passed_us = now_us - std::exchange(counted_to_us_, now_us);
  // A client's clock may run a little faster than ours, for hours.
  unreported_us_ = std::min(unreported_us_ + passed_us + passed_us / 100, unreported_us_max);
  const Micros interval_us = Micros{report.interval_ms} * 1'000;
  const auto corrections =
      std::accumulate(report.corrections.begin(), report.corrections.end(), std::uint64_t{0});
  const bool can_be =
      interval_us <= unreported_us_ && durations_can_be(report) &&
      fits(corrections, interval_us, correction_us_min) &&
      report.correction_sizes_mm.size() <= corrections &&
      fits(report.frames_animated, interval_us, frame_us_min) &&
      report.extrapolations <= drawn_per_s_max * (1 + std::uint64_t{report.interval_ms} / 1'000) &&
      report.bytes_received <= sent_bytes_;
  if (!can_be) return false;
  unreported_us_ -= interval_us;
  sent_bytes_ -= report.bytes_received;
  return true;
}

}  // namespace perigee::gateway
