#include "perigee/directory/world_time_control.hpp"

namespace perigee::directory {
namespace {

/// Any tick rate times any whole number of ppm makes a whole number of ticks in this time.
constexpr Micros whole_ticks_us = 1'000'000'000'000;
constexpr Micros segment_us_max = 100LL * 86'400'000'000;

}  // namespace

/// Ticks are counted from the segment's start in 31 bits, which overflow after 414 days.
void WorldTimeControl::renew(Micros now_us) {
  TimeSegment segment = last();
  if (now_us - segment.wall_us < segment_us_max) return;
  const Micros times = (now_us - segment.wall_us) / whole_ticks_us;
  const auto ticks = static_cast<std::uint64_t>(times) * segment.tick_rate_hz * segment.rate_ppm;
  segment.wall_us += times * whole_ticks_us;
  segment.tick = Tick{segment.tick.count + static_cast<std::uint32_t>(ticks)};
  needs_.time = {.base = segment, .change = {}};
  ++needs_.version;
}

void WorldTimeControl::resume(Micros now_us, Tick tick) {
  TimeSegment segment = last();
  segment.wall_us = now_us;
  segment.tick = tick;
  needs_.time = {.base = segment, .change = {}};
  ++needs_.cluster_id;
  ++needs_.version;
}

// One rate change at a time; after it takes force, a pause as long as its notice.
void WorldTimeControl::steer(Micros now_us) {
  const TimeSegment segment = last();
  if (needs_.time.change && now_us < segment.wall_us + notice_us) return;
  const std::uint32_t percent_now = percent();
  const auto wanted =
      ordered_percent_
          ? ordered_percent_
          : dilation_.choose(now_us, percent_now, 1e3 / segment.tick_rate_hz, needs_.strains());
  if (!wanted || *wanted == percent_now) return;
  const Tick tick = tick_at(segment, now_us + notice_us) + 1;
  needs_.time = {.base = segment, .change = go_on(segment, tick, *wanted * ppm_per_percent)};
  ++needs_.version;
  ++changes_;
}

Result<Ok> WorldTimeControl::order(Micros now_us, std::optional<std::uint32_t> percent) {
  if (percent && (*percent < Dilation::percent_min || *percent > 100)) {
    return Error{"the rate of world time must be 0.5 to 1 of real time, or auto"};
  }
  ordered_percent_ = percent;
  steer(now_us);
  return Ok{};
}

}  // namespace perigee::directory
