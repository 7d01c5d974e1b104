#include "perigee/client/latency_log.hpp"

#include <algorithm>

namespace perigee::client {
namespace {

constexpr double us_per_tick = 1e6 * seconds_per_tick;

std::uint32_t clamp_u32(Micros us) {
  return static_cast<std::uint32_t>(std::clamp<Micros>(us, 0, 0xffff'ffff));
}

}  // namespace

void LatencyLog::on_sampled(Tick tick, Micros now_us) {
  sampled_at_us_.claim(tick) = now_us;
  if (!not_shown_ || before(tick, *not_shown_)) not_shown_ = tick;
  if (last_sampled_us_ && now_us > *last_sampled_us_) {
    sample_interval_us_ = now_us - *last_sampled_us_;
  }
  last_sampled_us_ = now_us;
}

void LatencyLog::on_sent(Tick oldest, Micros now_us) {
  if (const Micros* sampled = sampled_at_us_.find(oldest)) send_wait_us_ = now_us - *sampled;
}

void LatencyLog::on_published(double even_ticks) {
  publish_wait_us_ = static_cast<Micros>(even_ticks * us_per_tick);
}

void LatencyLog::on_view_delay(double even_ticks) {
  view_delay_us_ = static_cast<Micros>(even_ticks * us_per_tick);
}

void LatencyLog::on_shown(Tick shown, Micros now_us) {
  if (!not_shown_) return;
  constexpr std::int32_t remembered = 256;
  if (ticks_between(*not_shown_, shown) > remembered) not_shown_ = shown - remembered;
  for (; before(*not_shown_, shown); ++*not_shown_) {
    const Micros* sampled = sampled_at_us_.find(*not_shown_);
    if (sampled == nullptr) continue;
    newest_to_display_us_ = now_us - *sampled;
    if (input_to_display_us_.size() < samples_max) {
      input_to_display_us_.push_back(newest_to_display_us_);
    } else {
      input_to_display_us_[next_sample_] = newest_to_display_us_;
      next_sample_ = (next_sample_ + 1) % samples_max;
    }
  }
}

void LatencyLog::forget_inputs() {
  sampled_at_us_.clear();
  not_shown_.reset();
  last_sampled_us_.reset();
}

void LatencyLog::fill(Telemetry& report) const {
  report.sample_interval_us = clamp_u32(sample_interval_us_);
  report.send_wait_us = clamp_u32(send_wait_us_);
  report.publish_wait_us = clamp_u32(publish_wait_us_);
  report.view_delay_us = clamp_u32(view_delay_us_);
  report.input_to_display_us = clamp_u32(newest_to_display_us_);
}

}  // namespace perigee::client
