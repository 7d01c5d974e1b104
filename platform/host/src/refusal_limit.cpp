#include "perigee/host/refusal_limit.hpp"

#include <algorithm>
#include <utility>

namespace perigee::host {

RefusalLimit::Place& RefusalLimit::place_of(const std::string& caller, Micros now_us) {
  const auto known = places_.find(caller);
  if (known != places_.end()) return known->second;
  if (places_.size() >= callers_max) {
    std::erase_if(places_, [&](const auto& each) { return each.second.empty_at_us <= now_us; });
  }
  return places_.size() < callers_max ? places_[caller] : shared_;
}

std::optional<std::uint64_t> RefusalLimit::take(const std::string& caller, Micros now_us) {
  Place& place = place_of(caller, now_us);
  if (place.empty_at_us > now_us + (burst - 1) * period_us) {
    ++place.left_out;
    return std::nullopt;
  }
  place.empty_at_us = std::max(place.empty_at_us, now_us) + period_us;
  return std::exchange(place.left_out, 0);
}

std::uint64_t RefusalLimit::take_left_out(const std::string& caller) {
  const auto known = places_.find(caller);
  return known == places_.end() ? 0 : std::exchange(known->second.left_out, 0);
}

}  // namespace perigee::host
