#include "perigee/client/telemetry_log.hpp"

#include <algorithm>

namespace perigee::client {
namespace {

constexpr Micros one_correction_us = 250'000;
constexpr double us_per_tick = 1e6 * seconds_per_tick;

std::uint32_t clamp_u32(Micros us) {
  return static_cast<std::uint32_t>(std::clamp<Micros>(us, 0, 0xffff'ffff));
}

}  // namespace

void TelemetryLog::on_rtt(Micros rtt_us) {
  rtt_known_ = true;
  rtt_us_ = rtt_us;
  path_queue_.note(rtt_us);
  rtt_recent_us_[rtt_recent_next_] = rtt_us;
  rtt_recent_next_ = (rtt_recent_next_ + 1) % rtt_recent_max;
  rtt_smoothed_us_ += rtt_smoothed_us_ == 0 ? rtt_us : (rtt_us - rtt_smoothed_us_) / 8;
  if (rtt_samples_.size() < rtt_samples_max) return rtt_samples_.push_back(rtt_us);
  rtt_samples_[rtt_samples_oldest_] = rtt_us;
  rtt_samples_oldest_ = (rtt_samples_oldest_ + 1) % rtt_samples_max;
}

void TelemetryLog::on_jitter(double ticks) {
  jitter_us_ = static_cast<Micros>(ticks * us_per_tick);
}

void TelemetryLog::on_lead(double ticks) { lead_us_ = static_cast<Micros>(ticks * us_per_tick); }

void TelemetryLog::on_correction(Micros now_us, double meters, CorrectionCause cause,
                                 bool on_static_ground) {
  totals_.largest_correction_m = std::max(totals_.largest_correction_m, meters);
  const bool same = now_us - last_correction_us_ < one_correction_us;
  last_correction_us_ = now_us;
  const auto size_mm = static_cast<std::uint16_t>(std::clamp(meters * 1000, 0.0, 65535.0));
  auto& sizes = second_.correction_sizes_mm;
  if (same) {
    if (last_size_listed_) sizes.back() = std::max(sizes.back(), size_mm);
    return;
  }
  ++totals_.corrections;
  net_graph_.on_correction(meters);
  if (on_static_ground) ++totals_.corrections_static;
  ++totals_.by_cause[static_cast<std::size_t>(cause)];
  ++second_.corrections[static_cast<std::size_t>(cause)];
  last_size_listed_ = sizes.push_back(size_mm);
}

void TelemetryLog::on_packet(std::uint64_t sequence, std::size_t bytes) {
  ++totals_.packets;
  ++second_packets_;
  totals_.bytes += bytes;
  net_graph_.on_received(bytes);
  second_.bytes_received += static_cast<std::uint32_t>(bytes);
  if (sequence > newest_sequence_) {
    const std::uint64_t skipped = newest_sequence_ > 0 ? sequence - newest_sequence_ - 1 : 0;
    totals_.packets_lost += skipped;
    net_graph_.on_lost(skipped);
    second_lost_ += skipped;
    newest_sequence_ = sequence;
  } else if (totals_.packets_lost > 0) {
    --totals_.packets_lost;  // it was only late
    if (second_lost_ > 0) --second_lost_;
  }
}

void TelemetryLog::restart_totals() {
  totals_ = {};
  rtt_samples_.clear();
  rtt_samples_oldest_ = 0;
  unknown_records_ = 0;
}

std::optional<Telemetry> TelemetryLog::report(Micros now_us) {
  if (second_began_us_ == 0) second_began_us_ = now_us;
  const Micros interval_us = now_us - second_began_us_;
  if (interval_us < 1'000'000) return std::nullopt;
  if (const auto reading = path_queue_.read(now_us)) queue_us_ = reading->queue_us;
  Telemetry out = second_;
  out.interval_ms = static_cast<std::uint16_t>(std::min<Micros>(interval_us / 1000, 65535));
  out.rtt_us = clamp_u32(rtt_us_);
  out.full_loop_rtt_us = clamp_u32(full_loop_us_);
  out.jitter_us = clamp_u32(jitter_us_);
  out.lead_us = static_cast<std::int32_t>(lead_us_);
  const std::uint64_t expected = second_packets_ + second_lost_;
  out.loss_permille = static_cast<std::uint16_t>(expected > 0 ? second_lost_ * 1000 / expected : 0);
  second_ = {};
  last_size_listed_ = false;
  second_packets_ = second_lost_ = 0;
  second_began_us_ = now_us;
  return out;
}

}  // namespace perigee::client
