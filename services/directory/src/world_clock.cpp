// World time: its segments and changes of its rate.
#include "perigee/directory/core.hpp"

namespace perigee::directory {
namespace {

/// Any tick rate times any whole number of ppm makes a whole number of ticks in this time.
constexpr Micros whole_ticks_us = 1'000'000'000'000;
constexpr Micros segment_us_max = 100LL * 86'400'000'000;

}  // namespace

/// Ticks are counted from the segment's start in 31 bits, which overflow after 414 days.
void Core::renew_segment(Micros now_us) {
  TimeSegment last = last_segment();
  if (now_us - last.wall_us < segment_us_max) return;
  const Micros times = (now_us - last.wall_us) / whole_ticks_us;
  const auto ticks = static_cast<std::uint64_t>(times) * last.tick_rate_hz * last.rate_ppm;
  last.wall_us += times * whole_ticks_us;
  last.tick = Tick{last.tick.count + static_cast<std::uint32_t>(ticks)};
  map_.time = {.base = last, .change = {}};
  ++map_.version;
}

void Core::resume_time(Micros now_us, Tick tick) {
  TimeSegment on = last_segment();
  on.wall_us = now_us;
  on.tick = tick;
  map_.time = {.base = on, .change = {}};
  ++map_.incarnation;
  ++map_.version;
}

std::uint32_t Core::percent() const { return last_segment().rate_ppm / ppm_per_percent; }

std::vector<Strain> Core::strains() const {
  std::vector<Strain> out;
  for (const auto& [slot, report] : reports_) {
    Strain& strain = out.emplace_back(Strain{.load_ms = report.load_ms,
                                             .late_ms = report.late_ms,
                                             .pace_ms = report.pace_ms,
                                             .rung = report.rung});
    for (const RegionEntry& region : map_.regions) {
      const auto view = views_.find(region.region);
      strain.in_motion = strain.in_motion || (balances() && region.owner == slot &&
                                              view != views_.end() && view->second.changing);
    }
  }
  return out;
}

// One rate change at a time; after it takes force, a pause as long as its notice.
void Core::steer_time(Micros now_us) {
  const TimeSegment last = last_segment();
  if (map_.time.change && now_us < last.wall_us + rate_notice_us) return;
  const std::uint32_t percent_now = percent();
  const auto wanted =
      ordered_percent_ ? ordered_percent_
                       : dilation_.choose(now_us, percent_now, 1e3 / last.tick_rate_hz, strains());
  if (!wanted || *wanted == percent_now) return;
  const Tick tick = tick_at(last, now_us + rate_notice_us) + 1;
  map_.time = {.base = last, .change = go_on(last, tick, *wanted * ppm_per_percent)};
  ++map_.version;
  ++rate_changes_;
}

Result<Ok> Core::set_rate(Micros now_us, std::optional<std::uint32_t> percent) {
  if (percent && (*percent < Dilation::percent_min || *percent > 100)) {
    return Error{"the rate of world time must be 0.5 to 1 of real time, or auto"};
  }
  ordered_percent_ = percent;
  steer_time(now_us);
  return Ok{};
}

}  // namespace perigee::directory
