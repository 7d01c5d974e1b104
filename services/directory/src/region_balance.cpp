#include "perigee/directory/region_balance.hpp"

namespace perigee::directory {
namespace {

/// Offset within a second: after all workers have reported, with time for messages in transit.
constexpr Micros balanced_at_us = reported_within_us + 100'000;

}  // namespace

void RegionBalance::advance(Micros now_us) {
  drain(now_us);
  const auto turn = [](Micros at_us) { return (at_us - balanced_at_us) / reports_apart_us; };
  if (turn(now_us) != turn(balanced_us_)) balance(now_us);
}

void RegionBalance::drain(Micros now_us) {
  needs_.loads.look(now_us);
  make(now_us,
       Balancer::drains(needs_.regions.space(), needs_.regions.owners(), needs_.loads.shares(),
                        needs_.loads.costs(), needs_.loads.not_acknowledged()));
}

void RegionBalance::balance(Micros now_us) {
  balanced_us_ = now_us;
  needs_.loads.watch_arrivals(now_us);
  if (!on()) return;
  make(now_us,
       balancer_.plan(needs_.regions.space(), needs_.regions.owners(), needs_.loads.shares(),
                      needs_.loads.costs(), needs_.loads.changing()));
}

void RegionBalance::make(Micros now_us, const std::vector<Change>& plan) {
  for (const Change& change : plan) needs_.regions.make(now_us, change);
  if (!plan.empty()) needs_.loads.look(now_us);
}

}  // namespace perigee::directory
