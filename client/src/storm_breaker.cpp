#include "perigee/client/storm_breaker.hpp"

#include <algorithm>

namespace perigee::client {
namespace {

constexpr Micros window_us = 1'000'000;
constexpr Micros one_us = 250'000;  // corrections of one cause within this time count as one

}  // namespace

bool StormBreaker::storm() const {
  std::array<std::uint32_t, enum_count<CorrectionCause>> by_cause{};
  double meters = 0;
  for (const Seen& seen : seen_) {
    meters += seen.meters;
    const std::uint32_t alike = ++by_cause[static_cast<std::size_t>(seen.cause)];
    if (alike >= settings_.same_cause_per_s) return true;
  }
  return seen_.size() > 1 && meters > settings_.meters_per_s;
}

void StormBreaker::on_correction(Micros now_us, double meters, CorrectionCause cause) {
  if (cause == CorrectionCause::ParentSwitch) return;
  while (!seen_.empty() && (seen_.full() || now_us - seen_[0].at_us >= window_us)) seen_.erase(0);
  const auto same = [&](const Seen& seen) {
    return seen.cause == cause && now_us - seen.at_us < one_us;
  };
  if (const auto one = std::find_if(seen_.begin(), seen_.end(), same); one != seen_.end()) {
    one->meters += meters;
  } else {
    seen_.push_back({now_us, meters, cause});
  }
  if (!storm()) return;
  quiet_since_us_ = now_us;
  if (open_) return;
  const bool relapse = closed_at_us_ && now_us - *closed_at_us_ < settings_.relapse_us;
  clean_us_ = relapse ? std::min(2 * clean_us_, settings_.clean_us_max) : settings_.clean_us;
  open_ = true;
  ++storms_;
}

void StormBreaker::advance(Micros now_us) {
  if (!open_ || now_us - quiet_since_us_ < clean_us_) return;
  open_ = false;
  closed_at_us_ = now_us;
  seen_.clear();
}

}  // namespace perigee::client
